"""Caveats about what the rows of a table are: are they the independent runs that every method takes them for?"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy import special

from runoff._inference.advice.codes import advise, listed
from runoff._inference.shape import together
from runoff.base.arrays import Floats
from runoff.data.scores import Scores
from runoff.results.advice import Advice
from runoff.words.numbers import p_equals
from runoff.words.speech import option

TOGETHER_LEVEL = 0.01
SERIAL_LEVEL = 0.001
LEAST_SERIES = 8
"""Rows of a cell from which on their order is looked at."""
DIGITS = 12
"""Two runs whose equal scores have so many digits are not equal by chance."""


def about_runs(scores: Scores) -> tuple[Advice | None, ...]:
    """Return what speaks against rows being independent runs."""
    return moving_together(scores), equal_runs(scores), following(scores)


def moving_together(scores: Scores) -> Advice | None:
    """R022: runs of one label move together over tasks, though every task is taken to have runs of its own."""
    matrices = [] if scores.sampling.shared else [_by_label(scores, a) for a in range(scores.n_algorithms)]
    used = [matrix for matrix in matrices if min(matrix.shape) >= 2]
    if not used:
        return None
    movement = together(used)
    if movement.pvalue >= TOGETHER_LEVEL:
        return None
    text = (
        f"if a run was scored on all tasks, say so ({option('runs', 'shared')}): runs with one label move together over tasks (mean "
        f"correlation {movement.correlation:.2f}, {p_equals(movement.pvalue)} if labels meant nothing), as scores of one run on several "
        "tasks do; intervals are then too narrow and tests err too often."
    )
    return advise("R022", text)


def _by_label(scores: Scores, a: int) -> Floats:
    """Return the scores (n_runs, n_tasks) of the runs whose label all tasks of an algorithm have."""
    cells = [scores.labelled(a, t) for t in range(scores.n_tasks)]
    by_label = [dict(zip(labels, values.tolist(), strict=True)) for labels, values in cells if labels]
    common = [label for label in by_label[0] if all(label in cell for cell in by_label)]
    return np.array([[cell[label] for cell in by_label] for label in common]).reshape(len(common), len(by_label))


def equal_runs(scores: Scores) -> Advice | None:
    """R023: two runs have the same scores on all tasks, to more digits than chance would give; the ends of a task do not count."""
    limits = [_limits(scores, t) for t in range(scores.n_tasks)]
    first_with: dict[tuple[tuple[int, float], ...], tuple[int, str]] = {}
    for a in range(scores.n_algorithms):
        rows: dict[str, list[tuple[int, float]]] = {}
        for t in range(scores.n_tasks):
            for label, value in zip(*scores.labelled(a, t), strict=True):
                rows.setdefault(label, []).append((t, float(value)))
        for label, row in rows.items():
            if sum(_digits(value) for t, value in row if value not in limits[t]) < DIGITS:
                continue
            other, again = first_with.setdefault(tuple(row), (a, label))
            if (other, again) != (a, label):
                return advise(
                    "R023", _equal_words(scores, (other, again), (a, label)), subjects=_names(scores, other, a)
                )
    return None


def _limits(scores: Scores, task: int) -> tuple[float, float]:
    values = np.concatenate([scores.cell(a, task) for a in range(scores.n_algorithms)])
    return (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)


def _digits(value: float) -> int:
    return len(f"{abs(value):.15g}".partition("e")[0].replace(".", "").strip("0"))


def _names(scores: Scores, *algorithms: int) -> list[str]:
    return list(dict.fromkeys(scores.algorithms[a] for a in algorithms))


def _equal_words(scores: Scores, first: tuple[int, str], second: tuple[int, str]) -> str:
    run, other = (f"run {label!r} of {scores.algorithms[a]!r}" for a, label in (first, second))
    where = "on every task" if scores.n_tasks > 1 else f"on {scores.tasks[0]!r}"
    return f"leave one of them out: {run} and {other} have the same scores {where}, digit by digit, so one run seems to be counted twice."


def following(scores: Scores) -> Advice | None:
    """R024: rows without names of their own follow each other as the evaluations of one run do.

    The mean square of successive differences of ranks over that of independent ones (Bartels 1982, JASA 77).
    """
    if dict(scores.provenance.columns).get("run"):
        return None
    pvalues = {}
    for a, name in enumerate(scores.algorithms):
        z = _series(scores, a)
        if z is not None:
            pvalues[name] = float(special.ndtr(z))
    serial = {name: p for name, p in pvalues.items() if p < SERIAL_LEVEL / len(pvalues)}
    if not serial:
        return None
    text = (
        f"if rows are evaluations, give the run and the step of each: in the order of the rows, scores of {listed(serial)} follow each other "
        f"(each is nearer to the next than chance would have it, {p_equals(min(serial.values()))}), as evaluations of one run do, not as "
        "independent runs."
    )
    return advise("R024", text, subjects=list(serial))


def _series(scores: Scores, a: int) -> float | None:
    """Return the standardised sum of squared differences of successive ranks of an algorithm's rows; None where runs have names, or are few.

    Rows that all tasks have are one series, of their mean ranks: tasks may move together. Others are those of the task that has most.
    """
    cells = [scores.labelled(a, t) for t in range(scores.n_tasks)]
    counted = [values for labels, values in cells if labels and labels == [str(i) for i in range(len(labels))]]
    sizes = {values.size for values in counted}
    if len(counted) < sum(bool(labels) for labels, _ in cells) or max(sizes, default=0) < LEAST_SERIES:
        return None
    rows = np.mean([_ranks(values) for values in counted], axis=0) if len(sizes) == 1 else max(counted, key=len)
    return _serial(_ranks(rows))


def _ranks(values: Floats) -> Floats:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks


def _serial(ranks: Floats) -> float | None:
    n = ranks.size
    if np.ptp(ranks) == 0:
        return None
    ratio = float(np.sum(np.diff(ranks) ** 2) / np.sum((ranks - ranks.mean()) ** 2))
    variance = 4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) ** 2)
    return (ratio - 2) / sqrt(variance)
