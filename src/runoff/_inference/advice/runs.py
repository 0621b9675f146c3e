"""Rules about numbers of runs and tasks, and the estimates that rest on them (R001 to R003, R010 to R012, R018, R037)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from runoff._inference.advice.codes import Subject, advise, listed
from runoff.answer.base import Advice, Severity
from runoff.answer.unjudged import repair_of_single_runs
from runoff.base.arrays import Bools
from runoff.data.scores import Scores
from runoff.words.measures import FEW_CLUSTERS, LEAST_CLUSTERS
from runoff.words.names import IQMS, measure_words
from runoff.words.numbers import counted
from runoff.words.speech import RUN, choice, option
from runoff.words.words import benchmark_and_item, benchmark_last

FEW_RUNS = 5
BOOTSTRAP_RUNS = 20
BOOTSTRAP_TEST_RUNS = 50
"""The numbers of runs that Colas et al. (2018, 2019) ask for: of any test, bootstrap intervals, bootstrap tests."""
FEW_TASKS = 4
"""With fewer tasks, an IQM rests on the extremes of one task: its interval is approximate, and its verdicts err too often."""
ENOUGH_ON_ONE_TASK = 10
"""Runs of one task from which on an interval of means misses no more than with twice as many, or little more (93 and 94 % cover)."""


def runs_of(scores: Scores, algorithm: str) -> list[int]:
    """Return the runs of each cell of an algorithm that has any; whole runs, where tasks share them, are one."""
    counts = scores.n_runs[scores.algorithms.index(algorithm)]
    own: list[int] = counts[counts > 0].tolist()
    return own[:1] if scores.sampling.shared else own


def few_runs(counts: Iterable[int], subject: Subject) -> Advice | None:
    """R001; counts: of each cell that the answer adds up, whole runs once. As many degrees of freedom as five runs give on a task are enough."""
    runs = list(counts)
    # Several small cells know as much of the spread as one of five runs: df over all cells counts, beside the least of them.
    least, df = min(runs), sum(runs) - len(runs)
    if least >= FEW_RUNS or least == 1 or df >= len(subject.names) * (FEW_RUNS - 1):
        return None
    text = (
        f"add {RUN}s: {subject.words} has {least} in its smallest cell, from which only very large effects are found and no false positive rate "
        "is guaranteed."
    )
    return advise("R001", text, subjects=subject.names)


def single_runs(scores: Scores, a: int) -> list[str]:
    """Return the tasks on which an algorithm has a single run."""
    return [task for task, n in zip(scores.tasks, scores.n_runs[a].tolist(), strict=True) if n == 1]


def one_run(
    tasks: Sequence[str], subject: Subject, *, published: bool = False, others: int | None = None
) -> Advice | None:
    """R002: cells of one run have no spread to estimate; of little weight for a value that is not tested.

    others: of what is judged on the other tasks, without an interval where it is None, how many there are.
    """
    if not tasks:
        return None
    todo = "" if published else f"{'add runs' if others != 0 else repair_of_single_runs(len(tasks))}: "
    so = "no interval is given" if others is None else f"no verdict is given over {RUN}s"
    if others:
        so = f"it is compared on the other {counted([others], 'task')}"
    text = f"{todo}{subject.words} has a single {RUN} on {listed(tasks)}, where the spread of {RUN}s cannot be estimated, so {so}."
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
    # The nearest number of runs below that was measured, whose coverage is no better.
    measured = next((COVERED[kind][n_tasks > 1][n] for n in (10, 5, 3, 2) if n <= least), None)
    text = (
        f"take the default, or add {RUN}s: {'BCa' if kind == 'bca' else kind} bootstrap intervals from {least} {RUN}s per task are too narrow "
        f"(those of 95 % covered {measured}){consequence}."
    )
    return advise("R003", text, severity=severity)


def narrow_band(least: int) -> Advice | None:
    """R003: the percentile band of a performance profile from few runs."""
    if least >= BOOTSTRAP_RUNS or least == 1:
        return None
    band = choice("take band='wilson'", "take Wilson's bands")
    text = (
        f"{band}: percentile bands of a profile from {least} {RUN}s per task are too narrow at many thresholds, and tasks whose {RUN}s agree "
        "have none."
    )
    return advise("R003", text, severity="caution" if least < FEW_RUNS else "info")


def no_spread(names: Sequence[str], subject: Subject, *, own: bool = False) -> Advice | None:
    """R011: an estimate whose resamples are all equal; of little weight for an optimality gap, which is 0 when all runs pass gamma.

    own: of a user's function, which may move in steps.
    """
    if not names:
        return None
    gap = list(names) == ["optimality_gap"]
    what = "the optimality gap" if gap else listed(names)
    why = (
        f"it is the same in all resamples, as when every {RUN} reaches gamma"
        if gap
        else f"it is the same whichever {RUN} is left out"
        if own
        else f"its {RUN}s, or their resamples, show no spread"
    )
    text = f"no interval is given for {what} of {subject.words}: {why}."
    return advise("R011", text, subjects=subject.names, severity="info" if gap else None)


def one_task(n_tasks: int, over: str, subject: Subject) -> Advice | None:
    """R011: one task is no sample of tasks."""
    if over == "runs" or n_tasks > 1:
        return None
    text = f"use {option('over', 'runs')}: no interval over tasks is given for {subject.words}, because one task does not show how tasks vary."
    return advise("R011", text, subjects=subject.names)


def missing(scores: Scores, values: str = "aggregates", among: Bools | None = None) -> Advice | None:
    """R012: aggregates, or average ranks, over the tasks that each algorithm has; among: the tasks that count, by default all."""
    n_runs = scores.n_runs if among is None else scores.n_runs[:, among]
    lacking = [a for a, counts in zip(scores.algorithms, n_runs, strict=True) if (counts == 0).any()]
    if not lacking:
        return None
    have = "it has" if len(lacking) == 1 else "they have"
    tasks = scores.nouns.tasks
    others = "each other" if len(lacking) == scores.n_algorithms else "the others'"
    text = (
        f"do not compare the {values} of {listed(lacking)} with {others}: {have} no scores on some of the {n_runs.shape[1]} {tasks}, and "
        f"the {values} are over the {tasks} present; each pair is compared on the {tasks} that both have."
    )
    return advise("R012", text, subjects=lacking)


def iqm_of_few(measure: str, n_tasks: int, subject: Subject) -> Advice | None:
    """R018: a verdict by the IQM of fewer tasks than those of which it is the default."""
    if measure not in IQMS or n_tasks >= FEW_TASKS:
        return None
    text = (
        f"compare by the mean ({option('measure', 'mean')}): {subject.words} is compared by an IQM over {counted([n_tasks], 'task')}, which "
        f"rests on few {RUN}s; if {RUN}s of some tasks are nearly equal, equal algorithms are found different in up to 15 % of experiments."
    )
    return advise("R018", text, subjects=subject.names, severity="caution")


def moved_by_few(measure: str, counts: Sequence[tuple[int, int]], *, severity: Severity | None = None) -> Advice | None:
    """R018: a user's function that the runs of few tasks move; counts: these tasks, and those whose runs vary, of each algorithm."""
    moved, varied = min(counts, key=lambda count: count[0] / max(count[1], 1), default=(0, 0))
    if not varied or 2 * moved > varied:
        return None
    text = (
        f"prefer a function that depends on the {RUN}s of all tasks: without one {RUN}, {measure} changes on only {moved} of {varied} tasks, as "
        "extremes, medians and steps do; 95 % intervals of a worst task's mean cover 47 to 95 %, and equal ones are called different in up to "
        "21 % of experiments."
    )
    # Whose they are is not said: it is the function that few tasks move, and one sentence is enough for all algorithms.
    return advise("R018", text, severity=severity)


COVERED_ON_ONE_TASK = {
    True: {5: "92 % on average, 89 to 96 %", 7: "92 % on average, 89 to 95 %"},
    False: {
        2: "92 % on average, 91 to 94 %",
        3: "90 % on average, 85 to 93 %",
        5: "88 % on average, 83 to 92 %",
        7: "89 % on average, 86 to 92 %",
    },
}
"""Coverage of 95 % t intervals on one task, of a difference of means and of one mean, by runs: docs/tables/law_one_task.csv."""


def few_of_one_task(least: int, n_tasks: int, subject: Subject, *, severity: Severity | None = None) -> Advice | None:
    """R034: the t interval of few runs of one task; of a pair of fewer than five, R001 says what is graver."""
    pair = len(subject.names) == 2
    if n_tasks > 1 or not (FEW_RUNS if pair else 2) <= least < ENOUGH_ON_ONE_TASK:
        return None
    measured = COVERED_ON_ONE_TASK[pair]
    what = "a difference of means" if pair else "a mean"
    text = (
        f"treat the ends of the interval as rough, or add tasks: {subject.words} has {least} {RUN}s of one task, from which 95 % intervals of "
        f"{what} cover less ({measured[max(n for n in measured if n <= least)]} by set of published runs)."
    )
    if pair:
        text = f"{text[:-1]}; the test finds at most 5 % of equal algorithms different, as promised."
    return advise("R034", text, subjects=subject.names, severity=severity)


def few_clusters(n_clusters: int | None, subject: Subject, *, verdict: bool = True) -> Advice | None:
    """R035: tasks of five to nine clusters; of fewer no verdict is given. verdict: of a pair, else of one accuracy."""
    if n_clusters is None or n_clusters >= FEW_CLUSTERS or (verdict and n_clusters < LEAST_CLUSTERS):
        return None
    if not verdict:
        text = (
            f"add clusters: {subject.quoted} has {n_clusters} of them, whose spread so few hardly show, and the "
            f"interval is wide for it{' (fewer than five decide no comparison)' if n_clusters < LEAST_CLUSTERS else ''}."
        )
        return advise("R035", text, subjects=subject.names)
    text = (
        f"add clusters: {subject.words} has {n_clusters} of them, from which only large differences are "
        "established (power .06 with five clusters where 50 have .39)."
    )
    return advise("R035", text, subjects=subject.names)


def approximate(metrics: Sequence[str], least: int, n_tasks: int, *, binary: bool = False) -> Advice | None:
    """R018: a t interval that is known not to reach its level; binary: scores are 0 and 1."""
    if least < 2 or not metrics:
        return None
    if binary:
        text = (
            f"prefer the mean, which is the success rate: the {' and '.join(map(measure_words, metrics))} of 0/1 scores "
            f"{'moves' if len(metrics) == 1 else 'move'} in steps, which no interval from so few values follows."
        )
    elif n_tasks < FEW_TASKS and IQMS & {*metrics}:
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


MOST_BENCHMARKS = 50
"""With more groups of tasks than this, the names before the slash are unlikely to be benchmarks."""


def benchmarks_as_one(scores: Scores, *, planned: bool = False) -> Advice | None:
    """R037: items of several benchmarks, as their names before a slash say, that weigh as many as they are; planned: in a plan of items."""
    columns = dict(scores.provenance.columns).get("task", "").split("/")
    last = benchmark_last(columns)
    names = [benchmark_and_item(task, last=last) for task in scores.tasks]
    counts = Counter(benchmark for benchmark, item in names if item)
    if not 1 < len(counts) <= MOST_BENCHMARKS or sum(counts.values()) < scores.n_tasks or min(counts.values()) < 2:
        return None
    largest, n = counts.most_common(1)[0]
    column = (columns[1] if last else columns[0]) if len(columns) == 2 else "COLUMN"
    strata = choice(
        f"strata={{task: task.split('/')[{-1 if last else 0}] for task in data.tasks}}", f"--strata {column}"
    )
    repair = (
        f"plan each benchmark by itself ({choice('data.select(tasks=…)', '--tasks')}), and compare them by themselves"
        if planned
        else "compare benchmarks by themselves"
    )
    text = (
        f"{repair} ({strata}): the {scores.n_tasks} tasks are of {len(counts)}, and {n} of them of {largest!r}, which dominates every "
        "answer."
    )
    return advise("R037", text)
