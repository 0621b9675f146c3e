"""Rows that may be no independent runs: runs of one label that move together (R022), equal runs (R023), rows that follow each other (R024), and
labels that scores rise with (R030); and algorithms (R031) or tasks (R015) whose runs are the same numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise, starmap
from math import comb, exp, factorial, log, prod, sqrt
from operator import ge, le

import numpy as np
from scipy import special

from runoff._inference.advice.codes import advise, listed
from runoff.answer.base import Advice
from runoff.base.arrays import Floats
from runoff.base.lasting import once
from runoff.base.random import Streams
from runoff.data.copies import LEAST, RARE, by_chance, fine, in_one_precision, within
from runoff.data.provenance import COUNTED
from runoff.data.scores import Scores
from runoff.tables.naming import natural
from runoff.words.numbers import p_equals, some
from runoff.words.speech import A_RUN, RUN, choice, option

TOGETHER_LEVEL, SERIAL_LEVEL = 0.01, 0.001
"""Levels of the tests behind R022 (and R030, which takes its place) and R024: seldom wrong, for what they say puts every answer in doubt."""
SIZEABLE = 0.2
"""The mean correlation below which few tasks are not reported as correlated; for many tasks, the correlation that doubles the squared error."""
LEAST_SERIES = 8
"""The fewest rows of a cell whose order is tested."""
LEAST_SORTED = 3
"""The fewest runs of a cell whose order is looked at."""
RISE, FALL = le, ge
"""Scores rise, or fall, with the labels of their runs where each two that follow each other stand so."""
Labelled = tuple[str, str]
"""An algorithm, and the label of a run of it."""


# ── rows that may not be independent runs (R022 to R024) ──────────


def moving_together(scores: Scores) -> Advice | None:
    """R022: runs of one label move together over tasks, though every task is taken to have runs of its own."""
    # Runs of one configuration move together because they have the same settings.
    names = () if scores.sampling.shared or scores.sampling.configs or _counted(scores) else scores.algorithms
    matrices = [_by_label(scores, a) for a, name in enumerate(names) if name not in sorted_algorithms(scores)[0]]
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
        f"say so if each {RUN} was scored on all tasks ({option('runs', 'shared')}): {RUN}s with one label are correlated over tasks (mean "
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


def same_numbers(scores: Scores) -> Advice | None:
    """R031: two algorithms have the same scores, in any order."""
    same = equal_pairs(scores)
    if not same:
        return None
    pairs = [
        (f"{a!r} and {b!r}", _where(tasks, scores.n_tasks, everywhere=everywhere))
        for (a, b), (tasks, everywhere) in same.items()
    ]
    which = f"the {RUN}s of {pairs[0][0]} are the same numbers{pairs[0][1]}"
    if len(pairs) > 1:
        which = f"the {RUN}s of two algorithms are the same numbers: {some(''.join(pair) for pair in pairs)}"
    text = f"check that the setting in which they differ has an effect: {which}."
    return advise("R031", text, subjects=[name for pair in same for name in pair])


def _where(tasks: Sequence[str], n_tasks: int, *, everywhere: bool) -> str:
    if everywhere:
        return " on every task" if n_tasks > 1 else ""
    return f" on {listed(tasks)}" if len(tasks) == 1 else f" on {len(tasks)} of {n_tasks} tasks ({listed(tasks)})"


@once
def equal_pairs(scores: Scores) -> Mapping[tuple[str, str], tuple[tuple[str, ...], bool]]:
    """Return the pairs of algorithms with the same scores on tasks, which no chance would give them, and whether on all that both have."""
    scores = _in_one_precision(scores)
    equal: dict[tuple[int, int], list[int]] = {}
    for t in range(scores.n_tasks):
        first_with: dict[bytes, int] = {}
        for a in range(scores.n_algorithms):
            cell = np.sort(scores.cell(a, t))
            first = first_with.setdefault(cell.tobytes(), a) if cell.size > 1 else a
            if first != a:
                equal.setdefault((first, a), []).append(t)
    # Bonferroni over all pairs of algorithms, and over which of their tasks are equal (`rarity` begins there).
    rarest, same = -log(RARE * max(1, comb(scores.n_algorithms, 2))), {}
    for (a, b), tasks in equal.items():
        shared = int(((scores.n_runs[a] > 0) & (scores.n_runs[b] > 0)).sum())
        rarity = log(comb(shared, len(tasks)))
        for t in tasks:
            rarity += _of_cells(scores, a, b, t) if rarity > rarest else 0.0
        if rarity <= rarest:
            names = scores.algorithms[a], scores.algorithms[b]
            same[names] = tuple(scores.tasks[t] for t in tasks), len(tasks) == shared
    return same


@once
def _in_one_precision(scores: Scores) -> Scores:
    return replace(scores, values=in_one_precision(scores.values))


def of_same_runs(scores: Scores) -> set[frozenset[str]]:
    """Return the pairs of algorithms, as {a, b}, whose runs are the same numbers on all tasks that both have."""
    return {frozenset(names) for names, (_, everywhere) in equal_pairs(scores).items() if everywhere}


def _of_cells(scores: Scores, a: int, b: int, t: int) -> float:
    """Return about how often (a logarithm) chance gives b the scores of a: by label, where labels are not in the order of scores."""
    cell = np.sort(scores.cell(a, t))
    more = [scores.cell(c, t) for c in range(scores.n_algorithms) if c not in (a, b)]
    others = np.concatenate([cell, *more])
    values, counts = np.unique(cell, return_counts=True)
    # How common a score is, by all other runs of the task: 0 and 1 come again, 0.7316 does not.
    rates = [by_chance(float(v), np.delete(others, int(np.argmax(others == v)))) for v in values]
    by_label = (
        not scores.binary
        and dict(scores.provenance.columns).get("run")
        and dict(zip(*scores.labelled(a, t), strict=True)) == dict(zip(*scores.labelled(b, t), strict=True))
        and not (_order(scores, a, t) or (0.0, ()))[1]
    )
    # Equal in any order is as often by chance as there are orders; equal label by label, once.
    orders = 1 if by_label else factorial(cell.size) // prod(map(factorial, counts.tolist()))
    return min(0.0, log(orders) + float(counts @ np.log(rates)))


def equal_tasks(scores: Scores) -> Advice | None:
    """R015: two tasks on which all runs have the same scores, which no chance would give them."""
    scores = _in_one_precision(scores)
    first_with: dict[tuple[object, ...], str] = {}
    pairs: list[tuple[str, str]] = []
    for t, task in enumerate(scores.tasks):
        cells = [scores.labelled(a, t) for a in range(scores.n_algorithms)]
        first = first_with.setdefault(
            tuple(tuple(sorted(zip(labels, values.tolist(), strict=True))) for labels, values in cells), task
        )
        values = np.concatenate([values for _, values in cells])
        if first == task or np.unique(values).size < LEAST or not fine(values.tolist()):
            continue
        rarities = accumulate(log(by_chance(float(value), np.delete(values, i))) for i, value in enumerate(values))
        # No term is above 0, so that a few runs are enough.
        if any(rarity <= -log(RARE * comb(scores.n_tasks, 2)) for rarity in rarities):
            pairs.append((first, task))
    if not pairs:
        return None
    text = (
        f"check whether these are one task (leave one out: {choice('data.select(exclude=…)', '--exclude')}), which then counts twice: all "
        f"{RUN}s have the same scores on {some(' and '.join(map(repr, pair)) for pair in pairs)}."
    )
    return advise("R015", text)


def equal_runs(scores: Scores) -> Advice | None:
    """R023: two runs have the same scores on tasks, which no chance would give them, or all runs of an algorithm have one score there."""
    twins = [twin for twin in _twins(scores) if tuple(name for name, _ in twin[0]) not in equal_pairs(scores)]
    of_twins = [name for pair, _, _ in twins for name, _ in pair]
    # Whose runs are twins of each other has been named.
    unmoved = {name: tasks for name, tasks in _unmoved(scores).items() if name not in of_twins}
    text = "; ".join(
        [*([_of_twins(scores, twins)] if twins else []), *([_of_unmoved(scores, unmoved)] if unmoved else [])]
    )
    return advise("R023", f"{text}.", subjects=[*of_twins, *unmoved]) if text else None


def _of_twins(scores: Scores, twins: Sequence[tuple[tuple[Labelled, Labelled], list[str], bool]]) -> str:
    of_one = "" if scores.n_tasks > 1 else f" on {scores.tasks[0]!r}"
    where = [_where(tasks, scores.n_tasks, everywhere=everywhere) or of_one for _, tasks, everywhere in twins]
    alike = where[0] if len(set(where)) == 1 else ""
    pairs = some(
        " and ".join(f"{RUN} {label!r} of {name!r}" for name, label in pair) + (not alike) * place
        for (pair, _, _), place in zip(twins, where, strict=True)
    )
    leave, run = ("leave one of them out", f"one {RUN}") if len(twins) == 1 else ("leave one of each two out", A_RUN)
    return f"{leave}: {pairs} have the same scores{alike}, so {run} seems to be counted twice"


def _of_unmoved(scores: Scores, unmoved: Mapping[str, Sequence[str]]) -> str:
    n = scores.n_tasks
    where = [
        f"all {RUN}s of {name!r} have one score{_where(own, n, everywhere=len(own) == n)}"
        for name, own in unmoved.items()
    ]
    return f"check that the seed has an effect: {some(where)}, to the last digit; without one they are {A_RUN} that counts several times"


@once  # thousands of items are looked at, and a report asks it of the same scores several times
def _unmoved(scores: Scores) -> dict[str, list[str]]:
    """Return the tasks on which all runs of an algorithm have one score, as those of a seed without effect have, by algorithm."""
    tasks_of: dict[str, list[str]] = {}
    for t, task in enumerate(scores.tasks):
        cells = [scores.cell(a, t) for a in range(scores.n_algorithms)]
        for a, name in enumerate(scores.algorithms):
            if _of_one_run(cells[a], cells[:a] + cells[a + 1 :], scores):
                tasks_of.setdefault(name, []).append(task)
    return tasks_of


def _of_one_run(cell: Floats, others: Sequence[Floats], scores: Scores) -> bool:
    """Return whether a cell has one score, which chance, a floor or a ceiling would not give all its runs."""
    if cell.size < 2 or not others or np.ptp(cell) or not fine(cell[:1].tolist()):
        return False
    value, rest = float(cell[0]), np.concatenate(others)
    if within(value, rest):
        return bool((cell.size - 1) * log(by_chance(value, rest)) <= -log(RARE * scores.n_runs.size))
    # Of two such algorithms one may be at a floor and one at a ceiling, whose scores have few digits, or are shares, or were normalised.
    still = {float(other[0]) for other in others if other.size > 1 and not np.ptp(other)} - {value}
    raw = scores.provenance.reference is None
    return raw and abs(value) > 1 and any(abs(other) > 1 and fine([other]) for other in still)


@once  # a report asks it of the same scores eight times
def _twins(scores: Scores) -> list[tuple[tuple[Labelled, Labelled], list[str], bool]]:
    """Return the pairs of runs with scores that are equal and within the range of their task, and not by chance; the tasks; whether on all."""
    scores = _in_one_precision(scores)
    rows: dict[Labelled, dict[int, float]] = {}
    whole: dict[tuple[tuple[int, float], ...], list[Labelled]] = {}
    partly: dict[tuple[Labelled, ...], dict[int, float]] = {}
    for a, name in enumerate(scores.algorithms):
        for t in range(scores.n_tasks):
            for label, value in zip(*scores.labelled(a, t), strict=True):
                rows.setdefault((name, label), {})[t] = float(value)
    for run, row in rows.items():
        whole.setdefault(tuple(row.items()), []).append(run)
    holders: dict[tuple[int, float], list[Labelled]] = {}
    for run, row in rows.items():
        for score in row.items():
            holders.setdefault(score, []).append(run)
    for (t, value), runs in sorted(holders.items(), key=lambda entry: entry[0][0]):
        # Three runs with one score may be at a place where many runs end.
        if len(runs) == 2 and rows[runs[0]] != rows[runs[1]] and fine([value]):
            partly.setdefault(tuple(runs), {})[t] = value
    alike = [(runs, dict(row), 1) for row, runs in whole.items() if len(runs) > 1]
    alike += [
        ([*runs], own, comb(len(rows[runs[0]].keys() & rows[runs[1]].keys()), len(own))) for runs, own in partly.items()
    ]
    rarest, twins = 1 / (RARE * max(1, comb(len(rows), 2))), []
    # A few tasks at a time: where each run has tasks of its own, a table of all runs and tasks would fit nowhere.
    column = lru_cache(64)(lambda t: np.array([row.get(t, np.nan) for row in rows.values()]))
    for runs, own, ways in alike:
        chance = float(ways)
        algorithms = {scores.algorithms.index(name) for name, _ in runs}
        # Rows that hold the same scores are copies too, and must not make them look common.
        different = np.any([column(t) != value for t, value in own.items()], axis=0)
        for t, value in own.items():
            if chance <= rarest:
                break
            same = np.concatenate([scores.cell(a, t) for a in algorithms])
            chance *= _of_run(value, column(t)[different], same)
        if chance <= rarest:
            tasks = [scores.tasks[t] for t in own]
            twins += [((runs[0], run), tasks, rows[runs[0]] == rows[run]) for run in runs[1:]]
    return twins


def _of_run(value: float, others: Floats, own: Floats) -> float:
    """Return the approximate probability that a run has this score, from those of other runs, NaN where they have none; a score at an end of
    their range gives no evidence."""
    others = others[~np.isnan(others)]
    if not within(value, others):
        return 1.0
    return by_chance(value, others, own) if np.unique(others).size >= LEAST - 1 else 1.0


def following(scores: Scores) -> Advice | None:
    """R024: rows without names follow each other as one run's evaluations do: mean square of successive rank differences (Bartels 1982)."""
    if dict(scores.provenance.columns).get("run") or _counted(scores):
        return None
    ordered = sorted_algorithms(scores)[0]
    # Sorted rows follow each other as well, and have a rule of their own (R030).
    statistics = {name: _serial(_series(scores, a)) for a, name in enumerate(scores.algorithms) if name not in ordered}
    pvalues = {name: float(special.ndtr(z)) for name, z in statistics.items() if z is not None}
    serial = {name: p for name, p in pvalues.items() if p < SERIAL_LEVEL / len(pvalues)}
    if not serial:
        return None
    text = (
        f"add columns that name the {RUN} and the step, if rows are evaluations of one {RUN}: consecutive scores of {listed(serial)} are more "
        f"alike than those of independent {RUN}s would be ({p_equals(min(serial.values()))})."
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
    # Tied values share the mean of their places.
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


def _serial(ranks: Floats | None) -> float | None:
    """Return the standardised ratio of Bartels; below 0 where successive ranks are alike."""
    if ranks is None or np.ptp(ranks) == 0:
        return None
    n = ranks.size
    ratio = float(np.sum(np.diff(ranks) ** 2) / np.sum((ranks - ranks.mean()) ** 2))
    # Bartels 1982: of independent rows the ratio has the mean 2 and this variance.
    variance = 4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) ** 2)
    return (ratio - 2) / sqrt(variance)


# ── whether runs of one label move together over tasks ──────────


LOTS, LOT = 20, 100
"""Permutations within tasks are drawn in so many lots of so many."""
FEW_SCORES = 10_000
"""Up to so many scores are permuted; the sum over the pairs of tasks of more is as good as normal."""
UNSUSPICIOUS = 1.5
"""A sum of fewer standard deviations is not permuted: its p-value is above 1 %."""


@dataclass(frozen=True, slots=True)
class Together:
    """Mean correlation of two tasks over runs of one label, and the p-value of a permutation within tasks."""

    correlation: float
    pvalue: float


def together(matrices: Sequence[Floats]) -> Together:
    """Return whether rows, (n_runs, n_tasks) of each algorithm, move together over columns.

    The statistic is the sum over algorithms and pairs of tasks of the products of standardised residuals, (Σ_r S_r² − Σ e²) / 2 with
    S_r the sum of a run's residuals. Under the null the rows of every task are in any order: each product of two tasks then has mean 0 and
    variance (Σ e_t²)(Σ e_u²) / (n − 1), which is n − 1, and no two are correlated. Tasks where the runs do not vary stand outside.
    """
    parts = [_standardised(matrix) for matrix in matrices]
    products = float(sum(_products(e) for e in parts))
    variance = sum(comb(int(e.any(axis=0).sum()), 2) * (e.shape[0] - 1) for e in parts)
    if variance == 0:
        return Together(0.0, 1.0)
    z = products / sqrt(variance)
    correlation = products / variance
    if z < UNSUSPICIOUS or sum(e.size for e in parts) > FEW_SCORES:
        return Together(correlation, float(special.ndtr(-z)))
    rng = Streams(0).block("together")
    drawn = sum(
        np.array([_products(rng.permuted(np.broadcast_to(e, (LOT, *e.shape)), axis=1)) for _ in range(LOTS)])
        for e in parts
    )
    return Together(correlation, float((1 + np.sum(drawn >= products * (1 - 1e-9))) / (1 + LOTS * LOT)))


def _standardised(matrix: Floats) -> Floats:
    about = matrix - matrix.mean(axis=0)
    scale = np.abs(matrix).max(axis=0)
    spread = about.std(axis=0, ddof=1)
    return np.asarray(np.divide(about, spread, out=np.zeros_like(about), where=spread > 1e-12 * scale))


def _products(e: Floats) -> Floats:
    """Return the sum of the products of any two columns, (..., n_runs, n_tasks), over the runs."""
    return np.asarray(((e.sum(axis=-1) ** 2).sum(axis=-1) - (e**2).sum(axis=(-2, -1))) / 2)


# ── labels that scores rise with (R030) ──────────


def in_order(scores: Scores) -> Advice | None:
    """R030: scores rise (or fall) with the label, as in a sorted list, so that labels do not show which scores belong to the same run."""
    names, cells = sorted_algorithms(scores)
    if not names:
        return None
    ordered = f"scores of {listed(names)} are in the order of their {{}} in {cells} cells, as in a sorted list"
    if scores.sampling.shared:
        text = f"use {option('runs', 'per_task')}: {ordered.format('labels')}, so that {RUN}s of one label are not one {RUN}."
        return advise("R030", text, subjects=names, severity="warning")
    series = (_series(scores, scores.algorithms.index(name)) for name in names)
    if not dict(scores.provenance.columns).get("run") and any(rows is not None for rows in series):
        rows = f"{ordered.format('rows')} or along one training"
        text = f"add columns that name the {RUN} and the step, if rows are evaluations of one {RUN}: {rows}."
        return advise("R030", text, subjects=names, severity="caution")
    if int((scores.n_runs >= LEAST_SORTED).sum(axis=1).max()) < 2:
        return None
    text = f"take no scores on two tasks for those of one {RUN}: {ordered.format('labels')}."
    return advise("R030", text, subjects=names)


@once
def sorted_algorithms(scores: Scores) -> tuple[tuple[str, ...], str]:
    """Return the algorithms most of whose cells are in the order of their labels, more than chance would have, and in how many of how many."""
    if _counted(scores):
        return (), ""
    best: tuple[float, tuple[str, ...], str] = (TOGETHER_LEVEL, (), "")
    cells = ((_order(scores, a, t) for t in range(scores.n_tasks)) for a in range(scores.n_algorithms))
    orders = [[order for order in row if order] for row in cells]
    for direction in (RISE, FALL):
        hits, n_cells, rarity = {}, 0, 0.0
        for name, own in zip(scores.algorithms, orders, strict=True):
            n = sum(direction in directions for _, directions in own)
            if 2 * n > len(own):
                hits[name] = n
                n_cells += len(own)
                # The n cells whose order is least rare: as if those had been sorted, so that the chance is told too large, not too small.
                likely = sorted((rare for rare, _ in own), reverse=True)[:n]
                rarity += log(comb(len(own), n)) + sum(likely)
        # For both directions, and for whichever algorithms are sorted.
        chance = 2 * comb(scores.n_algorithms, len(hits)) * exp(min(rarity, 0.0))
        if hits and chance < best[0]:
            best = chance, tuple(hits), f"{sum(hits.values())} of {n_cells}"
    return best[1:]


def _order(scores: Scores, a: int, t: int) -> tuple[float, tuple[Callable[[float, float], bool], ...]] | None:
    """Return how rarely (a logarithm) runs rise or fall with their labels by chance, and which of both they do; None: none vary."""
    labels, values = scores.labelled(a, t)
    if values.size < LEAST_SORTED:
        return None
    numbers = values.tolist()
    counts = Counter(numbers).values()
    if len(counts) < 2:
        return None
    by_label = [numbers[i] for i in sorted(range(values.size), key=lambda i: natural(labels[i]))]
    ways = factorial(values.size) // prod(map(factorial, counts))
    return -log(ways), tuple(is_next for is_next in (RISE, FALL) if all(starmap(is_next, pairwise(by_label))))


def _counted(scores: Scores) -> bool:
    """Return whether rows stood as counts of successes in the file."""
    return any(note.endswith(COUNTED) for note in scores.provenance.notes)
