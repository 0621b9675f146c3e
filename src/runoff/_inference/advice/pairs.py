"""Rules that concern any comparison (codes R0xx, and R109): each looks at the data or the question and returns an `Advice`, or None."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb, sqrt

import numpy as np
from scipy import special

from runoff._inference.about import AboutTest, Levels
from runoff._inference.advice.codes import APPLIES, USUAL_ALPHA, Subject, advise, listed
from runoff._inference.shape import symmetry_pvalue
from runoff.base.arrays import Floats, Ints
from runoff.data.scores import Scores
from runoff.results.base import Advice, Severity
from runoff.results.unjudged import repair_of_single_runs
from runoff.tables.labels import natural
from runoff.words.names import CORRECTIONS as LABELS
from runoff.words.names import measure_words
from runoff.words.numbers import counted, digits, exactly
from runoff.words.speech import call, choice, option

PairCells = Sequence[Floats]

FEW_RUNS = 5
BOOTSTRAP_RUNS = 20
BOOTSTRAP_TEST_RUNS = 50
PERMUTATION_RUNS = 10
"""The numbers of runs that Colas et al. (2018, 2019) ask for: of any test, bootstrap intervals, bootstrap tests, permutation tests."""
SHAPE_LEVEL = 0.05
"""Level of the check of spread, shared among the tasks it is made on (Bonferroni)."""
FEW_TASKS = 4
"""Of fewer tasks an IQM rests on the extremes of one: its interval is approximate, and its verdicts err too often."""
MANY_TASKS, DECIDING = 5, 0.05
"""The fewest tasks of which one is not expected to have half, and the level at which it is shown to have more."""
SKEW_LEVEL = 0.03
"""Level of the check of skewness: on heavy tails the triples test rejects up to 1.3 times as often as its level."""


def runs_of(scores: Scores, algorithm: str) -> list[int]:
    """Return the runs of each cell of an algorithm that has any; whole runs, where tasks share them, are one."""
    counts = scores.n_runs[scores.algorithms.index(algorithm)]
    own: list[int] = counts[counts > 0].tolist()
    return own[:1] if scores.sampling.shared else own


def few_runs(counts: Iterable[int], subject: Subject) -> Advice | None:
    """R001; counts: of each cell that the answer adds up, whole runs once. As many degrees of freedom as five runs give on a task are enough."""
    runs = list(counts)
    least, df = min(runs), sum(runs) - len(runs)
    if least >= FEW_RUNS or least == 1 or df >= len(subject.names) * (FEW_RUNS - 1):
        return None
    text = (
        f"add runs: {subject.words} has {least} in its smallest cell, from which only very large effects are found and no false positive rate "
        "is guaranteed."
    )
    return advise("R001", text, subjects=subject.names)


def one_run(
    tasks: Sequence[str], subject: Subject, *, published: bool = False, others: int | None = None
) -> Advice | None:
    """R002: cells of one run have no spread to estimate; of little weight for a value that is not tested.

    others: of what is judged on the other tasks, without an interval where it is None, how many there are.
    """
    if not tasks:
        return None
    todo = "" if published else f"{'add runs' if others != 0 else repair_of_single_runs(len(tasks))}: "
    so = "no interval is given" if others is None else "no verdict is given over runs"
    if others:
        so = f"it is compared on the other {counted([others], 'task')}"
    text = f"{todo}{subject.words} has a single run on {listed(tasks)}, where the spread of runs cannot be estimated, so {so}."
    return advise("R002", text, subjects=subject.names, severity="info" if published else None)


COVERED = {
    "percentile": {
        False: {2: "45 to 52 %", 3: "65 to 73 %", 5: "71 to 93 %", 10: "85 to 95 %"},
        True: {2: "64 to 84 %", 3: "78 to 91 %", 5: "87 to 94 %", 10: "86 to 95 %"},
    },
    "basic": {
        False: {2: "45 to 52 %", 3: "64 to 75 %", 5: "67 to 82 %", 10: "76 to 92 %"},
        True: {2: "58 to 84 %", 3: "77 to 91 %", 5: "86 to 94 %", 10: "85 to 94 %"},
    },
    "bca": {
        False: {2: "45 to 52 %", 3: "64 to 73 %", 5: "74 to 90 %", 10: "87 to 96 %"},
        True: {2: "65 to 85 %", 3: "80 to 91 %", 5: "85 to 93 %", 10: "88 to 94 %"},
    },
}
"""Coverage of 95 % bootstrap intervals of IQM and mean, by kind, by whether there are several tasks and by runs: docs/estimates.md."""


def bootstrap_runs(least: int, n_tasks: int, kind: str = "percentile", *, decides: bool = False) -> Advice | None:
    """R003: a bootstrap interval of few runs is too narrow; `decides` where the verdict rests on it."""
    if least >= BOOTSTRAP_TEST_RUNS or least == 1:
        return None
    severity: Severity = "warning" if decides else "caution" if least < BOOTSTRAP_RUNS and n_tasks == 1 else "info"
    consequence = "; the verdict here rests on one" if decides else ""
    measured = next((COVERED[kind][n_tasks > 1][n] for n in (10, 5, 3, 2) if n <= least), None)
    text = (
        f"take the default, or add runs: {'BCa' if kind == 'bca' else kind} bootstrap intervals from {least} runs per task are too narrow "
        f"(those of 95 % covered {measured}){consequence}."
    )
    return advise("R003", text, severity=severity)


def narrow_band(least: int) -> Advice | None:
    """R003: the percentile band of a performance profile from few runs."""
    if least >= BOOTSTRAP_RUNS or least == 1:
        return None
    band = choice("take band='wilson'", "take Wilson's bands")
    text = (
        f"{band}: percentile bands of a profile from {least} runs per task are too narrow at many thresholds, and tasks whose runs agree have "
        "none."
    )
    return advise("R003", text, severity="caution" if least < FEW_RUNS else "info")


def permutation_runs(least: int, test: AboutTest) -> Advice | None:
    if not APPLIES["R004"](test) or least >= PERMUTATION_RUNS:
        return None
    text = (
        f"use {PERMUTATION_RUNS} runs or more, or the studentised version: a permutation test of means with {least} runs per cell should not "
        "be trusted where the algorithms differ in spread."
    )
    return advise("R004", text)


def unequal_shape(a: PairCells, b: PairCells, tasks: Sequence[str], test: AboutTest, subject: Subject) -> Advice | None:
    unequal = _spread_unequally(a, b, tasks) if APPLIES["R005"](test) else []
    if not unequal:
        return None
    text = (
        f"use {option('test', 'studentized_permutation')} or welch for a claim about means: the spread of the runs differs between "
        f"{subject.quoted} on {listed(unequal)}, where a rank test answers only which tends to score higher."
    )
    return advise("R005", text, subjects=subject.names)


def spreads_otherwise(a: PairCells, b: PairCells, tasks: Sequence[str], subject: Subject) -> Advice | None:
    """R025: relabelling about equal means where the spread of the runs differs."""
    unequal = _spread_unequally(a, b, tasks)
    if not unequal:
        return None
    text = (
        f"give both sides equally many runs, and look at them: their spread differs between {subject.quoted} on {listed(unequal)}; a drop is "
        "found too often where means are equal, if runs are skewed or the wider side has fewer of them."
    )
    return advise("R025", text, subjects=subject.names)


def _spread_unequally(a: PairCells, b: PairCells, tasks: Sequence[str]) -> list[str]:
    """Return the tasks on which the spread of the runs differs."""
    level = SHAPE_LEVEL / len(tasks)
    return [task for x, y, task in zip(a, b, tasks, strict=True) if _unequal(x, y, level)]


def _unequal(x: Floats, y: Floats, level: float) -> bool:
    """Return whether the Brown-Forsythe test of spread rejects at `level`, with the pooled error and with Welch's.

    With unequal counts each of the two errs too often in some world, and the larger p-value in none that was tried (docs/advice.md).
    """
    if min(x.size, y.size) < 3 or _of_two_values(x, y):
        return False
    u, v = np.abs(x - np.median(x)), np.abs(y - np.median(y))
    parts = u.var(ddof=1) / u.size, v.var(ddof=1) / v.size
    total = sum(parts)
    if total == 0:
        return bool(u.mean() != v.mean())
    distance = abs(u.mean() - v.mean())
    # Shares first: squares of variances of scores of 1e±100 are no doubles.
    df = 1 / ((parts[0] / total) ** 2 / (u.size - 1) + (parts[1] / total) ** 2 / (v.size - 1))
    pooled = ((u.size - 1) * u.var(ddof=1) + (v.size - 1) * v.var(ddof=1)) / (u.size + v.size - 2)
    by_welch = 2 * special.stdtr(df, -distance / np.sqrt(total))
    by_student = 2 * special.stdtr(u.size + v.size - 2, -distance / np.sqrt(pooled * (1 / u.size + 1 / v.size)))
    return bool(max(by_welch, by_student) < level)


def _of_two_values(*cells: Floats) -> bool:
    """Return whether the runs have one of two scores: their spread and skewness then follow from their mean."""
    return bool(np.unique(np.concatenate(cells)).size <= 2)


def skewed(cells: PairCells, tasks: Sequence[str], subject: Subject, alpha: float) -> Advice | None:
    """R006: skewed cells make tests of means err more often than alpha; a lower alpha is advised."""
    level = SKEW_LEVEL / len(tasks)
    tested = [(x, task) for x, task in zip(cells, tasks, strict=True) if x.size >= 8 and not _of_two_values(x)]
    skewed_tasks = [task for x, task in tested if symmetry_pvalue(x) < level]
    if not skewed_tasks:
        return None
    text = (
        f"take a smaller alpha where p is close to it: the runs of {subject.quoted} are skewed on {listed(skewed_tasks)}, and tests of means "
        f"then have a false positive rate a little above {exactly(alpha)}."
    )
    return advise("R006", text, subjects=subject.names)


def multiple(
    n_pairs: int, correction: str, alpha: float, control: str | None = None, verb: str = "compare"
) -> Advice | None:
    if n_pairs < 2:
        return None
    if correction == "none":
        text = (
            f"use {option('correction', 'holm')}: {n_pairs} pairs are tested without correction, and the chance of at least one false "
            f"positive is up to {1 - (1 - alpha) ** n_pairs:.2f}."
        )
        return advise("R007", text, severity="warning", source="Colas et al. 2019 §7.2; Holm 1979")
    text = f"p-values are adjusted for all {n_pairs} pairs ({LABELS[correction]})"
    if control is None:
        how = call(verb, control="NAME")
        text = f"name a control, {how}, if one new algorithm is the question: {text}, and fewer pairs show smaller differences"
    return advise("R007", f"{text}.")


def one_task_decides(
    pair: Subject, tasks: Sequence[str], leads: Floats | None, parts: Floats, df: Floats
) -> Advice | None:
    """R026: one of five tasks or more has more than half of the squared error, or of all leads, and not by chance.

    leads: where a difference was found; parts, df: what the runs of each task add to the squared error of the mean, and its degrees of freedom.
    """
    if len(tasks) < MANY_TASKS or not parts.sum() > 0:
        return None
    if leads is not None:
        sizes, t = np.abs(leads), int(np.abs(leads).argmax())
        error = len(tasks) * sqrt(parts.sum())
        if special.stdtr(_df(parts, df), (sizes.sum() - 2 * sizes[t]) / error) <= DECIDING:
            return _decides(pair, tasks, sizes, "the lead")
    t = int(parts.argmax())
    others, own = np.delete(parts, t), np.delete(df, t)
    # The F test of two variances: with half of the sum the task is the largest nearly always, so nothing is adjusted for the choice.
    by_chance = special.fdtrc(df[t], _df(others, own), parts[t] / others.sum()) if others.any() else 0.0
    return _decides(pair, tasks, parts, "the squared error") if by_chance <= DECIDING else None


def _df(parts: Floats, df: Floats) -> float:
    """Return Welch and Satterthwaite's degrees of freedom of a sum of squared errors."""
    return float(parts.sum() ** 2 / (parts**2 / df).sum())


def _decides(pair: Subject, tasks: Sequence[str], sizes: Floats, what: str) -> Advice:
    task, share = tasks[int(sizes.argmax())], float(sizes.max() / sizes.sum())
    text = f"look at {task!r} on its own: of {len(tasks)} tasks it alone has {share:.0%} of {what} between {pair.quoted}, signs aside."
    return advise("R026", text, subjects=pair.names)


def unequal_runs(counts: Ints) -> Advice | None:
    present = counts[counts > 0]
    if present.min() == present.max():
        return None
    text = (
        f"cells have {present.min()} to {present.max()} runs; every task weighs the same in means, intervals and tests of means; a rank test "
        "uses its general form, in which a task with more runs weighs more."
    )
    return advise("R010", text)


def fewer_runs(labels: Sequence[Sequence[Sequence[str]]]) -> Advice | None:
    """R010: a candidate with fewer runs than the baseline; a caution if its labels are some of the baseline's.

    labels: of each task those of the baseline and of the candidate.
    """
    before, after = min(labels, key=lambda sides: len(sides[1]) - len(sides[0]))
    if len(after) >= len(before):
        return None
    if not {*after} <= {*before}:
        text = f"the candidate has {len(after)} runs where the baseline has {len(before)}: runs that crashed would not be judged."
        return advise("R010", text)
    lost = listed(label for label in sorted(before, key=natural) if label not in after)
    text = (
        f"check that no run of the candidate crashed, which would not be judged: it has {len(after)} of the baseline's {len(before)} runs, and "
        f"lacks {lost}."
    )
    return advise("R010", text, severity="caution")


def no_spread(names: Sequence[str], subject: Subject) -> Advice | None:
    """R011: an estimate whose resamples are all equal; of little weight for an optimality gap, which is 0 when all runs pass gamma."""
    if not names:
        return None
    gap = list(names) == ["optimality_gap"]
    what = "the optimality gap" if gap else listed(names)
    why = (
        "it is the same in all resamples, as when every run reaches gamma"
        if gap
        else "its runs, or their resamples, show no spread"
    )
    text = f"no interval is given for {what} of {subject.words}: {why}."
    return advise("R011", text, subjects=subject.names, severity="info" if gap else None)


def one_task(n_tasks: int, over: str, subject: Subject) -> Advice | None:
    """R011: one task is no sample of tasks."""
    if over == "runs" or n_tasks > 1:
        return None
    text = f"use {option('over', 'runs')}: no interval over tasks is given for {subject.words}, because one task does not show how tasks vary."
    return advise("R011", text, subjects=subject.names)


def missing(scores: Scores) -> Advice | None:
    lacking = [a for a, counts in zip(scores.algorithms, scores.n_runs, strict=True) if (counts == 0).any()]
    if not lacking:
        return None
    have = "it has" if len(lacking) == 1 else "they have"
    others = "each other" if len(lacking) == scores.n_algorithms else "the others'"
    text = (
        f"do not compare the aggregates of {listed(lacking)} with {others}: {have} no scores on some of the {scores.n_tasks} tasks, and the "
        "aggregates are over the tasks present; each pair is compared on the tasks that both have."
    )
    return advise("R012", text, subjects=lacking)


def iqm_of_few(measure: str, n_tasks: int, subject: Subject) -> Advice | None:
    """R018: a verdict by the IQM of fewer tasks than those of which it is the default."""
    if measure != "iqm" or n_tasks >= FEW_TASKS:
        return None
    text = (
        f"compare by the mean ({option('measure', 'mean')}): {subject.words} is compared by an IQM over {counted([n_tasks], 'task')}, which "
        "rests on few runs; where runs of some tasks are alike equal algorithms are called different in up to 15 % of experiments."
    )
    return advise("R018", text, subjects=subject.names, severity="caution")


def approximate(metrics: Sequence[str], least: int, n_tasks: int, *, binary: bool = False) -> Advice | None:
    """R018: a t interval that is known not to reach its level; binary: scores are 0 and 1."""
    if least < 2 or not metrics:
        return None
    if binary:
        text = (
            f"prefer the mean, which is the success rate: the {' and '.join(map(measure_words, metrics))} of 0/1 scores "
            f"{'moves' if len(metrics) == 1 else 'move'} in steps, which no interval from so few values follows."
        )
    elif n_tasks == 1 and least < FEW_RUNS:
        text = f"add runs: the interval from {least} runs of one task covers 95 % only for runs that are nearly normal (measured: 82 to 97 %)."
    elif n_tasks < FEW_TASKS and "iqm" in metrics:
        text = (
            f"prefer the mean: the interval of an IQM over {counted([n_tasks], 'task')} is approximate (measured coverage of 95 %: 84 to 98 %), "
            "because few scores are left in the middle half."
        )
    elif n_tasks > 2 and "median" in metrics:
        text = (
            "prefer the IQM: the interval of the median of task means is approximate (measured coverage of 95 %: 72 to 98 %), because noisy "
            "task means pull the median."
        )
    else:
        return None
    return advise("R018", text)


def unattainable(
    test: AboutTest, smallest: float | None, least: float, levels: Levels, subject: Subject
) -> Advice | None:
    """R016: no runs of this design could have shown a difference, or only after other pairs; least: without the limit of draws."""
    if smallest is None or smallest <= levels.first:
        return None
    bound = f"the smallest p-value it can give is {digits(smallest, 2)}, and the first pair has to reach {digits(levels.first, 2)}"
    if least <= levels.first:
        repair = f"draw more ({choice('n_resamples=', '--resamples')})"
        consequence = f"can hardly find a difference between {subject.quoted} with so few draws; {bound}"
    elif smallest <= levels.best:
        repair, consequence = (
            "add runs",
            f"can find a difference between {subject.quoted} only after other pairs of the family; {bound}",
        )
    else:
        repair = "add runs" + (", or compare fewer pairs" if smallest <= levels.alpha else "")
        consequence = (
            f"cannot find a difference between {subject.quoted} whatever the runs are; with so few of them {bound}"
        )
    return advise("R016", f"{repair}: {test.title} {consequence}.", subjects=subject.names)


def rarer_than_ranks(test: str, sizes: Sequence[tuple[int, int]], subject: Subject) -> Advice | None:
    """R109: a t distribution for the ranks of too few runs."""
    smallest = 2 / comb(sum(sizes[0]), sizes[0][0])
    if test != "ranked_t" or smallest <= USUAL_ALPHA:
        return None
    text = (
        f"take {option('test', 'mann_whitney')}, or add runs: of {sizes[0][0]} and {sizes[0][1]} runs of {subject.quoted} no arrangement of "
        f"ranks without ties is rarer than {digits(smallest)}, so a smaller p-value, which is that of a continuous distribution, "
        "is no false positive rate."
    )
    return advise("R109", text, subjects=subject.names)


def separation(improvement: float) -> Advice | None:
    """R014: every run of one beats every run of the other."""
    if 0 < improvement < 1:
        return None
    text = (
        "every score of one algorithm beats every score of the other on every task, so that the interval of the probability of improvement "
        "rests on their number alone."
    )
    return advise("R014", text)
