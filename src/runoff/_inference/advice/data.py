"""Caveats about the data: what every answer made of them carries (R015 to R028), and what shape runs have (R302 to R304)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import copysign, inf, sqrt
from typing import TypeVar

import numpy as np
from scipy import special

from runoff._inference.advice.codes import advise, collected, listed, some
from runoff._inference.bootstrap import of_two_values
from runoff._inference.shape import LEAST_DAGOSTINO, together, two_groups
from runoff.base.arrays import Floats
from runoff.base.lasting import once
from runoff.base.validate import check_choice
from runoff.data.curves import Curves
from runoff.data.provenance import NEGATED
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.results.base import Advice
from runoff.results.describe import CellRecord
from runoff.tables.runs import TWINS, plain
from runoff.words.costs import direction
from runoff.words.names import SingleValue
from runoff.words.numbers import digits, p_equals
from runoff.words.speech import choice, option

Runs = TypeVar("Runs", Scores, Curves)
SINGLE: tuple[SingleValue, ...] = ("line", "opponent")
"""What becomes of an algorithm with one value per task: a line beside the others, or an opponent that is tested."""
HUNDREDFOLD = 20.0, 500.0
"""Range of ratios of means that suggests one side is in percent."""
MANY = 20.0, inf
"""The same of one side that is raw where the other is normalised."""
NEAR_ONE, NORMALISED, MANY_GAMES = 1.5, 15.0, 10
"""Normalised scores are at most the first; from so many tasks on at most the second on most of them, as of published agents on Atari."""
TOGETHER_LEVEL, SERIAL_LEVEL = 0.01, 0.001
"""Levels of the tests behind R022 and R024: seldom wrong, for what they say puts every answer in doubt."""
SIZEABLE = 0.2
"""The mean correlation below which few tasks are not said to move together; of many tasks it is that which doubles the squared error."""
LEAST_SERIES = 8
"""The fewest rows of a cell whose order is tested."""
DIGITS = 12
"""Number of digits that equal scores of two runs need to rule out chance."""


@once
def about_data(scores: Scores) -> tuple[Advice, ...]:
    """Return the caveats that the scores were made with, and those about their rows, names and units."""
    caveats = [advise(c.code, c.text, severity=c.severity, subjects=c.subjects) for c in scores.provenance.caveats]
    of_rows = moving_together(scores), equal_runs(scores), following(scores)
    names = alike_names(scores.algorithms, scores.tasks)
    return collected(*caveats, *of_rows, names, costs(scores), other_units(scores), unit=scores.sampling.unit)


def alike_names(algorithms: Sequence[str], tasks: Sequence[str]) -> Advice | None:
    """R015: algorithms, or tasks, whose names differ only in case, spaces, hyphens, underscores, or letters that look alike."""
    alike = []
    for all_names in (algorithms, tasks):
        folded: dict[str, list[str]] = {}
        for name in all_names:
            shape = plain(name).translate(TWINS).casefold()
            folded.setdefault(re.sub(r"[\s_-]+", "", shape) or name, []).append(name)
        alike += [names for names in folded.values() if len(names) > 1]
    if not alike:
        return None
    text = (
        "check whether these are one (rename with merge=True, --rename OLD=NEW --merge): "
        f"{'; '.join(some(map(ascii, names)) for names in alike)} differ only in case, spaces, hyphens, underscores or letters that look alike."
    )
    return advise("R015", text, subjects=[name for names in alike for name in names])


def costs(scores: Scores) -> Advice | None:
    """R028: higher is taken for better of a task or column with the name of a cost, and not all of it is below 0 as negated costs are."""
    origin = scores.provenance
    if NEGATED in origin.notes or origin.reference is not None:
        return None
    column = dict(origin.columns).get("score", "")
    whole = direction(column) == "lower"
    tasks = [t for t in scores.tasks if whole or direction(t) == "lower"]
    if not any(cell.size and cell.max() > 0 for t in tasks for cell in (scores.cell(a, t) for a in scores.algorithms)):
        return None
    names = [column] if whole else tasks
    text = (
        f"higher is taken for better, and {listed(names)} {'is the name of a cost' if len(names) == 1 else 'are names of costs'}: if lower is "
        f"better, read it alone and say {choice('higher_is_better=False', '--lower-is-better')}."
    )
    return advise("R028", text)


def other_units(scores: Scores) -> Advice | None:
    """R020: algorithms in another unit than others: in percent beside fractions, or raw beside normalised."""
    if scores.provenance.reference is not None:
        return None
    limits = [(values.min(), values.max()) for values in map(np.concatenate, map(scores.cells, scores.algorithms))]
    fractions = [a for a, (low, high) in enumerate(limits) if low >= 0 and 0 < high <= 1]
    percents = [a for a, (low, high) in enumerate(limits) if low >= 0 and 1 < high <= 100]
    odd, times, are = [a for a in percents if _times(scores, a, fractions, HUNDREDFOLD)], "about 100", "in percent"
    if not odd:
        fractions = [a for a in range(scores.n_algorithms) if _near_one(scores, a)]
        raw = {*range(scores.n_algorithms)}.difference(fractions) if scores.n_tasks > 1 else ()
        odd, times, are = (
            [a for a in raw if _times(scores, a, fractions, MANY)],
            "more than 20",
            "raw",
        )
    if not odd:
        return None
    names, others = ([scores.algorithms[a] for a in side] for side in (odd, fractions))
    text = (
        f"bring both to one unit: the scores of {listed(names)} are {times} times those of {listed(others)}, "
        f"which {'lie between 0 and 1' if are == 'in percent' else 'look normalised'}, so one side seems to be {are}."
    )
    return advise("R020", text, subjects=[*names, *others])


def unlike_tasks(scores: Scores, repair: str) -> Advice | None:
    """R029: a mean or an IQM was named of tasks whose largest scores are far apart, as those of different units are."""
    by_task = ((task, np.concatenate([scores.cell(a, task) for a in scores.algorithms])) for task in scores.tasks)
    sizes = [(float(np.abs(values).max()), task) for task, values in by_task if values.any()]
    if len(sizes) < 2 or max(sizes)[0] <= MANY[0] * min(sizes)[0]:
        return None
    (least, low), (most, high) = min(sizes), max(sizes)
    text = (
        f"{repair}: the scores of {high!r} (up to {digits(most)} in size) and of {low!r} (up to {digits(least)}) seem to have "
        "different units, and a mean or an IQM over such tasks says little of those with small scores."
    )
    return advise("R029", text)


def _near_one(scores: Scores, a: int) -> bool:
    """Return whether the scores of an algorithm are as large as normalised ones: of few tasks all, for some games are hard to normalise."""
    largest = [float(np.abs(cell).max()) for cell in scores.cells(a) if cell.size]
    few = len(largest) < MANY_GAMES
    return max(largest) <= NEAR_ONE if few else 2 * sum(size <= NORMALISED for size in largest) > len(largest)


def _times(scores: Scores, a: int, fractions: Sequence[int], limits: tuple[float, float]) -> bool:
    """Return whether the mean of an algorithm is so many times the size of the others' scores on most tasks that tell, with one sign.

    Their size is their mean without signs: scores on both sides of 0 have a mean near 0, which anything is many times of.
    """
    low, high = limits
    between: list[bool] = []  # in products: a quotient of means of any size may overflow
    for t in range(scores.n_tasks):
        others = np.concatenate([scores.cell(b, t) for b in fractions]) if fractions else np.empty(0)
        if scores.cell(a, t).size and others.any():
            own, size = copysign(1, others.mean()) * float(scores.cell(a, t).mean()), float(np.abs(others).mean())
            between.append(low * size <= own <= high * size)
    return 2 * sum(between) > len(between)


def opponents(
    scores: Scores, single: SingleValue, *, named: str | Sequence[tuple[str, str]] | None = None
) -> tuple[Scores, Advice | None]:
    """Return the scores that are tested, and R021: an algorithm with one value per task beside runs is a line, unless the user
    `named` it as the control, or named the pairs. Published algorithms that may not be tested are left out (R027). DesignError if one
    algorithm with runs is left, or if no published one is, or one that was named may not be tested.
    """
    check_choice("single", single, SINGLE)
    scores = without_untested(scores, named)
    lines = scores.single_valued
    named_line = named in lines if isinstance(named, str) else named is not None
    if single == "opponent" or named_line or not lines:
        return scores, None
    runs, have = [name for name in scores.algorithms if name not in lines], "has" if len(lines) == 1 else "have"
    if len(runs) < 2 or dict(scores.provenance.published).keys() >= set(runs):
        several = (
            f"only {runs[0]!r} has several runs" if len(runs) < 2 else "only published algorithms have several runs"
        )
        raise DesignError(
            f"{several}; {listed(lines)} {have} a single value on every task, like a published one, which is not "
            f"tested: add runs, or test it all the same with {option('single', 'opponent')}."
        )
    text = (
        f"{listed(lines)} {have} a single value on every task, as a published number: shown among the estimates, and left out of the tests; "
        f"{option('single', 'opponent')} tests it as one run."
    )
    return scores.select(algorithms=runs), advise("R021", text, subjects=lines)


def without_untested(runs: Runs, named: str | Sequence[tuple[str, str]] | None = None) -> Runs:
    """Return runs without the published algorithms that may not be tested; refuse them where they are named, or no other one is left."""
    reasons, kept = dict(runs.provenance.published), testable(runs)
    if kept is runs:
        return runs
    wanted = [named] if isinstance(named, str) else [name for pair in named or () for name in pair]
    alone = len(kept.algorithms) < 2 or not any(name in reasons for name in kept.algorithms)
    for name, why in reasons.items():
        if why and (alone or name in wanted):
            shown = choice("aggregate(archive.joined(scores, set))", "runoff aggregate --against")
            raise DesignError(f"{why}; {shown} shows {name} beside these runs without a test.")
    return kept


def testable(runs: Runs) -> Runs:
    """Return the runs without the published algorithms that may not be tested, on the tasks that one of the others has."""
    reasons = dict(runs.provenance.published)
    rest = [name for name in runs.algorithms if not reasons.get(name)]
    return runs.select(algorithms=rest) if len(rest) < len(runs.algorithms) else runs


# ── rows that may not be independent runs (R022 to R024) ──────────


def moving_together(scores: Scores) -> Advice | None:
    """R022: runs of one label move together over tasks, though every task is taken to have runs of its own."""
    matrices = [] if scores.sampling.shared else [_by_label(scores, a) for a in range(scores.n_algorithms)]
    used = [matrix for matrix in matrices if min(matrix.shape) >= 2]
    if not used:
        return None
    movement = together(used)
    doubling = 1 / max(
        max(matrix.shape[1] for matrix in used) - 1, 1
    )  # the variance of a mean of T tasks grows by 1 + (T − 1) ρ
    if movement.pvalue >= TOGETHER_LEVEL or movement.correlation < min(SIZEABLE, doubling):
        return None
    text = (
        f"say so if each run was scored on all tasks ({option('runs', 'shared')}): runs with one label rise and fall together (mean "
        f"correlation {movement.correlation:.2f}, {p_equals(movement.pvalue)}), and tests that take "
        "them for independent have too high a false positive rate."
    )
    return advise("R022", text)


def _by_label(scores: Scores, a: int) -> Floats:
    """Return the scores (n_runs, n_tasks) of the runs whose label all tasks of an algorithm have."""
    cells = [scores.labelled(a, t) for t in range(scores.n_tasks)]
    by_label = [dict(zip(labels, values.tolist(), strict=True)) for labels, values in cells if labels]
    common = [label for label in by_label[0] if all(label in cell for cell in by_label)]
    return np.array([[cell[label] for cell in by_label] for label in common]).reshape(len(common), len(by_label))


def equal_runs(scores: Scores) -> Advice | None:
    """R023: two runs have the same scores on all tasks, to more digits than chance would give."""
    limits = []
    for t in range(scores.n_tasks):
        values = sorted(np.concatenate([scores.cell(a, t) for a in range(scores.n_algorithms)]).tolist())
        limits.append({*values[:1], *values[-1:]})
    first_with: dict[tuple[tuple[int, float], ...], tuple[int, str]] = {}
    for a in range(scores.n_algorithms):
        rows: dict[str, list[tuple[int, float]]] = {}
        for t in range(scores.n_tasks):
            for label, value in zip(*scores.labelled(a, t), strict=True):
                rows.setdefault(label, []).append((t, float(value)))
        for label, row in rows.items():
            # Many runs may reach the end of a task's range, so equal scores there are no sign of one run.
            if sum(_digits(value) for t, value in row if value not in limits[t]) < DIGITS:
                continue
            first = first_with.setdefault(tuple(row), (a, label))
            if first != (a, label):
                return _counted_twice(scores, first, (a, label))
    return None


def _digits(value: float) -> int:
    return len(f"{abs(value):.15g}".partition("e")[0].replace(".", "").strip("0"))


def _counted_twice(scores: Scores, *runs: tuple[int, str]) -> Advice:
    run, other = (f"run {label!r} of {scores.algorithms[a]!r}" for a, label in runs)
    where = "on every task" if scores.n_tasks > 1 else f"on {scores.tasks[0]!r}"
    text = f"leave one of them out: {run} and {other} have the same scores {where}, digit by digit, so one run seems to be counted twice."
    return advise("R023", text, subjects=[scores.algorithms[a] for a, _ in runs])


def following(scores: Scores) -> Advice | None:
    """R024: rows without names follow each other as one run's evaluations do: mean square of successive rank differences (Bartels 1982)."""
    if dict(scores.provenance.columns).get("run"):
        return None
    statistics = {name: _serial(_series(scores, a)) for a, name in enumerate(scores.algorithms)}
    pvalues = {name: float(special.ndtr(z)) for name, z in statistics.items() if z is not None}
    serial = {name: p for name, p in pvalues.items() if p < SERIAL_LEVEL / len(pvalues)}
    if not serial:
        return None
    text = (
        f"give the run and the step of each row, if rows are evaluations: scores of {listed(serial)} are nearer to the next than those of "
        f"independent runs are ({p_equals(min(serial.values()))})."
    )
    return advise("R024", text, subjects=list(serial))


def _series(scores: Scores, a: int) -> Floats | None:
    """Return the ranks of an algorithm's rows in their order; None where runs have names, or are few.

    Rows that all tasks have are one series, of their mean ranks: tasks may move together. Others are those of the task that has most.
    """
    cells = [scores.labelled(a, t) for t in range(scores.n_tasks)]
    counted = [values for labels, values in cells if labels and labels == [str(i) for i in range(len(labels))]]
    sizes = {values.size for values in counted}
    if len(counted) < sum(bool(labels) for labels, _ in cells) or max(sizes, default=0) < LEAST_SERIES:
        return None
    rows = np.mean([_ranks(values) for values in counted], axis=0) if len(sizes) == 1 else max(counted, key=len)
    return _ranks(rows)


def _ranks(values: Floats) -> Floats:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


def _serial(ranks: Floats | None) -> float | None:
    """Return the standardised ratio of Bartels; below 0 where successive ranks are alike."""
    if ranks is None or np.ptp(ranks) == 0:
        return None
    n = ranks.size
    ratio = float(np.sum(np.diff(ranks) ** 2) / np.sum((ranks - ranks.mean()) ** 2))
    variance = 4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) ** 2)
    return (ratio - 2) / sqrt(variance)


# ── the shape of runs (R302 to R304) ──────────


def not_normal(records: tuple[CellRecord, ...], alpha: float) -> Advice | None:
    tested = [r for r in records if r.normal is not None]
    rejected = sum(not r.normal for r in tested)
    if rejected <= max(1.0, 2 * alpha * len(tested)):
        return None
    text = (
        "compare by ranks within tasks or by trimmed means, and base no claim on normality: it is rejected in "
        f"{rejected} of {len(tested)} cells (about {alpha * len(tested):.0f} would be expected by chance)."
    )
    return advise("R302", text)


Groups = dict[tuple[str, str], tuple[int, int]]
"""Cells, as (algorithm, task), whose runs fall into two groups, with the runs in the lower and in the upper one."""


MANY_TASKS = 16
"""From so many tasks on an average errs in .04 of cases at .05 though the runs of every task fall into two groups (docs/calibration.md)."""


def in_groups(cells: Groups, n_tasks: int) -> Advice | None:
    """R303: no distribution holds for the mean of so few runs in two groups; with 5 runs of one task .11 to .14 of verdicts are wrong."""
    if not cells:
        return None
    counts = some(f"{a!r} on {t!r} ({lower} low, {upper} high)" for (a, t), (lower, upper) in cells.items())
    wrong = "" if n_tasks >= MANY_TASKS else "; on one task the false positive rate at α = 5 % is then up to 14 %"
    text = f"report the share of each group: the runs of {counts} fall into two groups, which no mean describes{wrong}."
    return advise("R303", text, subjects=[a for a, _ in cells], severity="info" if n_tasks >= MANY_TASKS else None)


def cells_in_groups(scores: Scores) -> Groups:
    """Return the cells whose runs fall into two groups; a task that all score 0 or 1 on has rates."""
    rates = {t for t in scores.tasks if of_two_values([scores.cell(a, t) for a in scores.algorithms])}
    cells = {(a, t): scores.cell(a, t) for a in scores.algorithms for t in scores.tasks if t not in rates}
    groups = {place: two_groups(cell) for place, cell in cells.items()}
    return {place: counts for place, counts in groups.items() if counts is not None}


def too_few_to_tell(records: tuple[CellRecord, ...]) -> Advice | None:
    few = sum(r.n_runs < LEAST_DAGOSTINO for r in records)
    if not few:
        return None
    text = (
        f"do not judge the shape of so few runs: {few} of {len(records)} cells have fewer than {LEAST_DAGOSTINO}, in which no test of "
        "normality or of two groups finds much."
    )
    return advise("R304", text)
