"""Rules that concern a comparison (other codes R0xx, and R109) and the shape of its cells (R302 to R304)."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from runoff._inference.about import AboutTest, Levels
from runoff._inference.advice.codes import APPLIES, USUAL_ALPHA, Subject, advise, listed
from runoff._inference.bootstrap import of_two_values
from runoff._inference.groups import two_groups
from runoff._inference.shape import LEAST_DAGOSTINO
from runoff.answer.base import Advice
from runoff.base.arrays import Floats
from runoff.data.scores import Scores
from runoff.tables.naming import natural
from runoff.words.names import CORRECTIONS as LABELS
from runoff.words.numbers import digits, exactly, p_equals, percent, some
from runoff.words.speech import RUN, advised, call, choice, option

if TYPE_CHECKING:
    from runoff.answer.describe import DescribeRow

PairCells = Sequence[Floats]

PERMUTATION_RUNS = 10
"""The number of runs that Colas et al. (2019) ask for of permutation tests."""
CLOSE = 5.0
"""A p-value within this factor of alpha is close to it."""
SHAPE_LEVEL = 0.05
"""Level of the check of spread, shared among the tasks it is made on (Bonferroni)."""
MANY_TASKS, DECIDING = 5, 0.05
"""The fewest tasks of which one is not expected to have half, and the level at which it is shown to have more."""
SKEW_LEVEL = 0.03
"""Level of the check of skewness: on heavy tails the triples test rejects up to 1.3 times as often as its level."""


def permutation_runs(least: int, test: AboutTest) -> Advice | None:
    if not APPLIES["R004"](test) or least >= PERMUTATION_RUNS:
        return None
    text = (
        f"use {PERMUTATION_RUNS} {RUN}s or more, or the studentised version: a permutation test of means with {least} {RUN}s per cell should "
        "not be trusted where the algorithms differ in spread."
    )
    return advise("R004", text)


def unequal_shape(a: PairCells, b: PairCells, tasks: Sequence[str], test: AboutTest, subject: Subject) -> Advice | None:
    unequal = _spread_unequally(a, b, tasks) if APPLIES["R005"](test) else []
    if not unequal:
        return None
    text = (
        f"use {option('test', 'studentized_permutation')} or welch for a claim about means: the spread of the {RUN}s differs between "
        f"{subject.quoted} on {listed(unequal)}, where a rank test answers only which tends to score higher."
    )
    return advise("R005", text, subjects=subject.names)


def spreads_otherwise(a: PairCells, b: PairCells, tasks: Sequence[str], subject: Subject) -> Advice | None:
    """R025: relabelling about equal means where the spread of the runs differs."""
    unequal = _spread_unequally(a, b, tasks)
    if not unequal:
        return None
    alike = all(x.size == y.size for x, y in zip(a, b, strict=True))
    do = f"look at the {RUN}s" if alike else f"give both sides equally many {RUN}s, and look at them"
    fewer = "" if alike else " or the wider side has fewer of them"
    text = (
        f"{do}: their spread differs between {subject.quoted} on {listed(unequal)}; a drop is found too often where means are equal, if "
        f"{RUN}s are skewed{fewer}."
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
    # Brown & Forsythe 1974: a t test of the distances from the median, which skewed runs mislead less than squares do.
    u, v = np.abs(x - np.median(x)), np.abs(y - np.median(y))
    parts = u.var(ddof=1) / u.size, v.var(ddof=1) / v.size
    total = sum(parts)
    # All distances are equal on both sides: they differ, or they do not.
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


def skewed(cells: PairCells, tasks: Sequence[str], subject: Subject, p: float, alpha: float) -> Advice | None:
    """R006: skewed cells make tests of means err more often than alpha, which matters to a difference that was just found."""
    # A fifth of alpha is the smaller one that Colas et al. 2019 take; a p-value below it stays below.
    if not alpha / CLOSE < p <= alpha:
        return None
    level = SKEW_LEVEL / len(tasks)
    # With fewer than 8 runs the triples test finds next to nothing.
    tested = [(x, task) for x, task in zip(cells, tasks, strict=True) if x.size >= 8 and not _of_two_values(x)]
    skewed_tasks = [task for x, task in tested if symmetry_pvalue(x) < level]
    if not skewed_tasks:
        return None
    text = (
        f"take a smaller alpha, to which {p_equals(p)} is close: the {RUN}s of {subject.quoted} are skewed on {listed(skewed_tasks)}, and tests "
        f"of means then have a false positive rate a little above {exactly(alpha)}."
    )
    return advise("R006", text, subjects=subject.names)


def multiple(
    raw: Sequence[float], together: Sequence[float], correction: str, alpha: float, control: str | None = None
) -> Advice | None:
    """R007: a correction for all pairs hides some differences, or would hide them.

    raw, together: the p-values of all pairs, each alone and adjusted; by Holm's procedure where there is no correction.
    """
    n, hidden = len(raw), sum(own <= alpha < own_of_all for own, own_of_all in zip(raw, together, strict=True))
    # What stays found, or is not found in any case, needs no word about corrections.
    if not hidden:
        return None
    some_found = f"{hidden} of {n} pairs"
    if correction == "none":
        text = (
            f"use {option('correction', 'holm')}, by which {some_found} would not differ: without correction the chance of at least one false "
            f"positive is up to {1 - (1 - alpha) ** n:.2f}."
        )
        return advise("R007", text, severity="warning", source="Colas et al. 2019 §7.2; Holm 1979")
    if control is not None:
        return None
    how = call("compare", control="NAME")
    text = (
        f"name a control, {how}, if one new algorithm was the question from the start: {some_found} would differ if tested alone, and not "
        f"among all of them ({LABELS[correction]}); fewer pairs show smaller differences."
    )
    return advise("R007", text)


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
        # The sum of leads is T times their mean, and so is its error.
        error = len(tasks) * sqrt(parts.sum())
        # |d_t| − Σ of the others is above 0 by this many errors, one-sided:
        # leads count without their signs, for opposite ones hide each other.
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
    text = f"look at {task!r} on its own: of {len(tasks)} tasks it alone has {percent(share)} of {what} between {pair.quoted}, signs aside."
    return advise("R026", text, subjects=pair.names)


def fewer_runs(labels: Sequence[Sequence[Sequence[str]]]) -> Advice | None:
    """R010: a candidate with fewer runs than the baseline; a caution if its labels are some of the baseline's.

    labels: of each task those of the baseline and of the candidate.
    """
    # The task on which most runs are missing speaks for all.
    before, after = min(labels, key=lambda sides: len(sides[1]) - len(sides[0]))
    if len(after) >= len(before):
        return None
    if not {*after} <= {*before}:
        text = f"the candidate has {len(after)} {RUN}s where the baseline has {len(before)}: {RUN}s that crashed would not be judged."
        return advise("R010", text)
    lost = listed(label for label in sorted(before, key=natural) if label not in after)
    text = (
        f"check that no {RUN} of the candidate crashed, which would not be judged: it has {len(after)} of the baseline's {len(before)} {RUN}s, "
        f"and lacks {lost}."
    )
    return advise("R010", text, severity="caution")


def unattainable(
    test: AboutTest, smallest: float | None, least: float, levels: Levels, subject: Subject
) -> Advice | None:
    """R016: no runs of this design could have shown a difference, or only after other pairs; least: without the limit of draws."""
    if smallest is None or smallest <= levels.first:
        return None
    bound = f"the smallest p-value it can give is {digits(smallest, 2)}, and the first pair has to reach {digits(levels.first, 2)}"
    # The design could: only the draws are too few.
    if least <= levels.first:
        repair = f"draw more ({choice('n_resamples=', '--n-resamples')})"
        consequence = f"can hardly find a difference between {subject.quoted} with so few draws; {bound}"
    elif smallest <= levels.best:
        repair, consequence = (
            f"add {RUN}s",
            f"can find a difference between {subject.quoted} only after other pairs of the family; {bound}",
        )
    else:
        repair = f"add {RUN}s" + (", or compare fewer pairs" if smallest <= levels.alpha else "")
        consequence = (
            f"cannot find a difference between {subject.quoted} whatever the {RUN}s are; with so few of them {bound}"
        )
    return advise("R016", advised(repair, f"{test.title} {consequence}."), subjects=subject.names)


def rarer_than_ranks(test: str, sizes: Sequence[tuple[int, int]], subject: Subject) -> Advice | None:
    """R109: a t distribution for the ranks of too few runs."""
    smallest = 2 / comb(sum(sizes[0]), sizes[0][0])
    if test != "ranked_t" or smallest <= USUAL_ALPHA:
        return None
    text = (
        f"take {option('test', 'mann_whitney')}, or add {RUN}s: of {sizes[0][0]} and {sizes[0][1]} {RUN}s of {subject.quoted} no arrangement of "
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


# ── the shape of runs (R302 to R304) ──────────


def not_normal(records: tuple[DescribeRow, ...], alpha: float) -> Advice | None:
    tested = [r for r in records if r.normal is not None]
    rejected = sum(not r.normal for r in tested)
    # Of many normal cells some are rejected: only twice as many as that are worth a word.
    if rejected <= max(1.0, 2 * alpha * len(tested)):
        return None
    text = (
        "compare by ranks within tasks or by trimmed means, and base no claim on normality: it is rejected in "
        f"{rejected} of {len(tested)} cells (about {alpha * len(tested):.0f} would be expected by chance)."
    )
    return advise("R302", text)


Groups = dict[tuple[str, str], tuple[int, int]]
"""Cells, as (algorithm, task), whose runs fall into two groups, with the runs in the lower and in the upper one."""
AVERAGED = 16
"""From so many tasks on an average errs in .04 of cases at .05 though the runs of every task fall into two groups (docs/calibration.md)."""


def in_groups(cells: Groups, n_tasks: int) -> Advice | None:
    """R303: no distribution holds for the mean of so few runs in two groups; with 5 runs of one task .11 to .14 of verdicts are wrong."""
    if not cells:
        return None
    counts = some(f"{a!r} on {t!r} ({lower} low, {upper} high)" for (a, t), (lower, upper) in cells.items())
    wrong = "" if n_tasks >= AVERAGED else "; on one task the false positive rate at α = 5 % is then up to 14 %"
    text = (
        f"report the share of each group: the {RUN}s of {counts} fall into two groups, which no mean describes{wrong}."
    )
    return advise("R303", text, subjects=[a for a, _ in cells], severity="info" if n_tasks >= AVERAGED else None)


def cells_in_groups(scores: Scores) -> Groups:
    """Return the cells whose runs fall into two groups; a task that all score 0 or 1 on has rates."""
    sides = [scores.cells(name) for name in scores.algorithms]
    rates = [of_two_values(cells) for cells in zip(*sides, strict=True)]
    groups = {
        (name, task): two_groups(cell)
        for name, cells in zip(scores.algorithms, sides, strict=True)
        for task, cell, of_rates in zip(scores.tasks, cells, rates, strict=True)
        if not of_rates
    }
    return {place: counts for place, counts in groups.items() if counts is not None}


def too_few_to_tell(records: tuple[DescribeRow, ...]) -> Advice | None:
    few = sum(r.n_runs < LEAST_DAGOSTINO for r in records)
    if not few:
        return None
    text = (
        f"do not judge the shape of so few {RUN}s: {few} of {len(records)} cells have fewer than {LEAST_DAGOSTINO}, in which no test of "
        "normality or of two groups finds much."
    )
    return advise("R304", text)


# ── the triples test of symmetry, which heavy tails do not mislead ──────────


def symmetry_pvalue(cell: Floats) -> float:
    """Return the two-sided p-value of the triples test, for 5 runs or more; 1 where it cannot tell.

    A triple is right where its middle run is nearer to the lowest, left where it is nearer to the highest; η̂ is a third of the share of right
    less left ones, and z = η̂ / √Var η̂ with the variance of a U-statistic (Randles, Fligner, Policello & Wolfe 1980, JASA 75, eqs. 2.3-2.6).
    A test of the third moment, as D'Agostino's, assumes normal tails: with t₃ runs it errs in 20 to 50 % of cases at 5 %.
    """
    x = np.sort(cell)
    n = x.size
    first, second = x[:, None], x[None, :]
    # Sums over the third run k of sign(x_i + x_j − 2 x_k), sign(x_i + x_k − 2 x_j) and sign(x_j + x_k − 2 x_i). The terms of k = i and
    # k = j cancel.
    total = _balance(x, (first + second) / 2) - _balance(x, 2 * second - first) - _balance(x, 2 * first - second)
    np.fill_diagonal(total, 0)
    pairs = total / (3 * (n - 2))
    alone = pairs.sum(axis=1) / (n - 1)
    eta = float(alone.mean())
    upper = pairs[np.triu_indices(n, 1)]
    # Hoeffding's variance of a U-statistic of order 3: C(3, c) C(n − 3, 3 − c) ζ_c / C(n, 3), ζ_c of triples with c runs in common.
    parts = ((alone - eta) ** 2).mean(), ((upper - eta) ** 2).mean(), 1 / 9 - eta**2
    variance = sum(comb(3, c) * comb(n - 3, 3 - c) * float(part) for c, part in enumerate(parts, start=1)) / comb(n, 3)
    # The paper takes the normal law; with 20 runs it errs in 7 % of cases at 5 %, a t law in 5 %.
    return float(2 * special.stdtr(n - 3, -abs(eta) / sqrt(variance))) if variance > 0 else 1.0


def _balance(x: Floats, at: Floats) -> Floats:
    """Return how many of the sorted `x` lie below each value, less how many lie above."""
    return np.asarray(
        np.searchsorted(x, at, side="left") - (x.size - np.searchsorted(x, at, side="right")).astype(float)
    )
