"""Caveats about the data: what every answer made of them carries (R015 to R033, R401)."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, inf

import numpy as np

from runoff._inference.advice.codes import advise, collected, listed
from runoff._inference.advice.rows import (
    equal_runs,
    equal_tasks,
    following,
    in_order,
    moving_together,
    same_numbers,
)
from runoff.answer.base import Advice
from runoff.base.arrays import BESIDE, Floats
from runoff.base.lasting import once
from runoff.data.reference import stem
from runoff.data.scores import Scores
from runoff.tables.naming import alike_among
from runoff.words.costs import direction
from runoff.words.numbers import all_of, counted, digits, some
from runoff.words.speech import A_RUN, RUN, choice, option
from runoff.words.words import kind, words

HUNDREDFOLD = 20.0, 500.0
"""Range of ratios of means that suggests one side is in percent."""
MANY = 20.0, inf
"""The same of one side that is raw where the other is normalised."""
ABOUT, NARROW = (0.5, 2.0), 0.3
"""Between what a ratio is about 100, in hundreds, and the standard deviation, as a share of the mean, of runs that are near to each other."""
LARGE = 1_000.0
"""Scores of this size are far from 0; below it agents that fail have 0 too often."""
BEST = frozenset(("best", "max", "maximum", "highest", "peak"))
"""Words in the name of a score that was chosen among those of a run."""
NEAR_ONE, NORMALISED, MANY_GAMES = 1.5, 15.0, 10
"""Normalised scores are at most the first; from so many tasks on at most the second on most of them, as of published agents on Atari."""


@once
def about_data(scores: Scores) -> tuple[Advice, ...]:
    """Return the caveats that the scores were made with, and those about their rows, names and units."""
    caveats = [advise(c.code, c.text, severity=c.severity, subjects=c.subjects) for c in scores.provenance.caveats]
    of_rows = (rule(scores) for rule in (same_numbers, moving_together, equal_runs, following, in_order))
    names = alike_names(scores.algorithms, scores.tasks)
    # A factor of a hundred is asked about only where nothing surer was found.
    of_scores = costs(scores), best_scores(scores), other_units(scores) or a_hundredth(scores), exactly_zero(scores)
    return collected(*caveats, *of_rows, names, equal_tasks(scores), *of_scores, unit=scores.sampling.unit)


def alike_names(algorithms: Sequence[str], tasks: Sequence[str]) -> Advice | None:
    """R015: algorithms, or tasks, whose names differ only in case, spaces, hyphens, underscores, or letters that look alike; ids of one task."""
    alike = [*alike_among(algorithms), *alike_among(tasks, stem)]
    if not alike:
        return None
    named = "; ".join(some(map(ascii, names)) for names in alike)
    text = (
        f"check whether these are one (rename with merge=True, --rename OLD=NEW --merge): {named} differ only in case, spaces, hyphens, "
        "underscores or letters that look alike, or as ids of one environment do."
    )
    return advise("R015", text, subjects=[name for names in alike for name in names])


def costs(scores: Scores) -> Advice | None:
    """R028: higher is taken for better of a task or column with the name of a cost, and not all of it is below 0 as negated costs are."""
    origin = scores.provenance
    if origin.of_costs or origin.reference is not None:
        return None
    column = dict(origin.columns).get("score", "")
    whole = direction(column) == "lower"
    tasks = [t for t in scores.tasks if whole or direction(t) == "lower"]
    # Heads of a wide table may end with what was measured of algorithms: `ours loss`, `base loss`.
    of_all = [] if tasks or not all(direction(name) == "lower" for name in scores.algorithms) else [*scores.algorithms]
    tasks = [*scores.tasks] if of_all else tasks
    # Costs that were negated lie at or below 0, and higher is better of them.
    if not any(cell.size and cell.max() > 0 for t in tasks for cell in (scores.cell(a, t) for a in scores.algorithms)):
        return None
    names = [column] if whole else of_all or tasks
    text = (
        f"higher is taken for better, and {listed(names)} {'is the name of a cost' if len(names) == 1 else 'are names of costs'}: if lower is "
        f"better, read it alone and use {choice('lower_is_better=True', '--lower-is-better')}."
    )
    return advise("R028", text)


def best_scores(scores: Scores) -> Advice | None:
    """R401: the column of scores has the name of the best that a run has had."""
    column = dict(scores.provenance.columns).get("score", "")
    rest = [word for word in words(column) if word not in BEST]
    if len(rest) == len(words(column)) or (rest and kind("_".join(rest)) != "score"):
        return None
    text = (
        f"take the last evaluations of each {RUN}, if {column!r} is the best that {A_RUN} has had: the best of many is above what the policy "
        "reaches again, and algorithms that were evaluated more often, or vary more, gain most."
    )
    return advise("R401", text, severity="caution")


def other_units(scores: Scores) -> Advice | None:
    """R020: algorithms in another unit than others: in percent beside fractions, or raw beside normalised."""
    if scores.provenance.reference is not None:
        return None
    limits = [(values.min(), values.max()) for values in map(np.concatenate, map(scores.cells, scores.algorithms))]
    fractions = [a for a, (low, high) in enumerate(limits) if low >= -BESIDE and 0 < high <= 1 + BESIDE]
    percents = [
        a for a, (low, high) in enumerate(limits) if low >= -100 * BESIDE and 1 + BESIDE < high <= 100 * (1 + BESIDE)
    ]
    # From 1 to 100 beside fractions: in percent only if the means are about a hundred times theirs on most tasks.
    odd, are = [a for a in percents if _times(scores, a, fractions, HUNDREDFOLD)], "in percent"
    near = tuple(100 * share for share in ABOUT)
    times = "about 100" if all(_times(scores, a, fractions, (near[0], near[1])) for a in odd) else "20 to 500"
    if not odd:
        fractions = [a for a in range(scores.n_algorithms) if _near_one(scores, a)]
        # On one task a large ratio may well be true: nothing else says that one side is normalised.
        raw = {*range(scores.n_algorithms)}.difference(fractions) if scores.n_tasks > 1 else ()
        odd, times, are = (
            [a for a in raw if _times(scores, a, fractions, MANY)],
            "more than 20",
            "raw",
        )
    if not odd:
        return None
    names, others = ([scores.algorithms[a] for a in side] for side in (odd, fractions))
    same = choice("normalize('percent', assume_raw=True)", "--normalize percent --assume-raw")
    declared = f"; if all are, and one side has hardly any, {same} says so" if are == "in percent" else ""
    text = (
        f"bring both to one unit: the scores of {listed(names)} are {times} times those of {listed(others)}, "
        f"which {'lie about between 0 and 1' if are == 'in percent' else 'look normalised'}, so one side seems to be {are}{declared}."
    )
    return advise("R020", text, subjects=[*names, *others])


def a_hundredth(scores: Scores) -> Advice | None:
    """R020, as a question: on a task the runs of an algorithm are near to each other, and to a hundredth of the others' runs, or the reverse."""
    if scores.provenance.reference is not None:
        return None
    for t, task in enumerate(scores.tasks):
        cells = [scores.cell(a, t) for a in range(scores.n_algorithms)]
        for a, own in enumerate(cells):
            others = np.concatenate([cell for b, cell in enumerate(cells) if b != a] or [np.empty(0)])
            if not (_near_each_other(own) and _near_each_other(others)):
                continue
            ratio = float(own.mean() / others.mean())
            if ABOUT[0] <= 100 * ratio <= ABOUT[1] or ABOUT[0] <= ratio / 100 <= ABOUT[1]:
                size = "a hundredth of" if ratio < 1 else "a hundred times"
                text = (
                    f"bring all scores to one unit, if one side is in percent: on {task!r} those of {scores.algorithms[a]!r} are about "
                    f"{size} the others'."
                )
                return advise("R020", text, severity="caution", subjects=[scores.algorithms[a]])
    return None


def _near_each_other(values: Floats) -> bool:
    return bool(values.size > 1 and values.min() > 0 and values.std(ddof=1) < NARROW * values.mean())


def exactly_zero(scores: Scores) -> Advice | None:
    """R033: some runs of a cell have exactly 0, where all other scores of the task are large and of one size."""
    for t, task in enumerate(scores.tasks):
        cells = [scores.cell(a, t) for a in range(scores.n_algorithms)]
        rest = np.concatenate(cells)
        rest = rest[rest != 0]
        zeros = [int((cell == 0).sum()) for cell in cells]
        at = int(np.argmax(zeros))
        # In one cell only, and in at most half of its runs: an algorithm that often scores 0 does so by itself.
        alone = 0 < sum(zeros) == zeros[at] <= cells[at].size / 2
        if alone and float(rest.min()) >= max(LARGE, float(np.median(rest)) / 2):
            name, runs = scores.algorithms[at], counted([zeros[at]], RUN)
            text = (
                f"say what {A_RUN} counts that failed (an empty score, and {option('incomplete', 'worst')}): {runs} of {name!r} on {task!r} "
                f"{'has' if zeros[at] == 1 else 'have'} exactly 0, where all others have {digits(float(rest.min()))} or more."
            )
            return advise("R033", text, subjects=[name])
    return None


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


def profile_of_units(scores: Scores, repair: str) -> Advice:
    """R029: a profile counts runs of all tasks above one score, which means another thing on each of these."""
    text = (
        f"{repair}: a profile counts the runs of {all_of(scores.n_tasks, 'task')} above one score, and each task has a unit of its own, so that "
        "tasks with large scores decide it."
    )
    return advise("R029", text)


def asked_unit(scores: Scores, repair: str) -> Advice | None:
    """R029: nearly all scores are shares of 1 and few lie farther out, so that the unit of all would hang on these."""
    # How far a score lies outside [0, 1], below 0 within it.
    beside = np.maximum(scores.values - 1, -scores.values)
    far = int((beside > BESIDE).sum())
    if not 0 < far <= FEW_FAR * beside.size:
        return None
    worst = float(scores.values[int(beside.argmax())])
    text = (
        f"say what unit the scores have: {far} of {beside.size} lie more than {BESIDE} outside [0, 1], the farthest at {digits(worst)}, so each "
        f"task is taken to have a unit of its own, and pairs are compared by the probability of improvement; for means and IQMs {repair}."
    )
    return advise("R029", text, severity="caution")


FEW_FAR = 0.1
"""The largest share of scores outside [0, 1] beside which the others look like shares of 1."""


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
