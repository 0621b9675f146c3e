"""Is a drop of the margin ruled out? P-values and upper limits of the drops, by what the runs of each task are.

moved    runs with many scores: relabelling asks whether one of two laws is the other, moved by the margin
rates    runs that reach one of two scores: exact limits, since such runs do not move as a whole (Barnard 1947; Chan & Zhang 1999)
unknown  runs that are all alike, or that reach two scores which are nearer to each other than the margin: nothing is ruled out
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf, sqrt

import numpy as np
from scipy import special

from runoff._inference.bootstrap import clopper_pearson, wilson
from runoff._inference.family import adjust
from runoff._inference.gate.family import HALF, GateFamily, alone, limits, shared_out, step_down
from runoff._inference.pairs import PairData, least_level
from runoff.base.arrays import Bools, Floats, Ints

# ── rates ──────────
# Outcomes are ordered by the upper end of their score interval, and the chance of one as low as that of the data is maximised over all rates
# with the drop. The order is monotone in both counts, so that the chance in a cell of rates is at most that in one of its corners: the maximum
# is bounded, not searched for.

CONFIDENCE = 0.9
"""The level of the score intervals by which outcomes are ordered."""
CELLS, PARTS, ROUNDS, HALVINGS = 32, 8, 3, 14
"""Cells of rates at first, parts that a cell is divided into, rounds of division; halvings of the bracket of a limit."""
MOST_OUTCOMES = 15_000
"""With more outcomes, the exact ends of both rates are combined, each at half of the level (Clopper & Pearson 1934; Bonferroni)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessCounts:
    """Successes of the baseline and of the candidate, and their runs; what a failure and a success score, and what a score of 1 is worth."""

    successes: tuple[int, int]
    sizes: tuple[int, int]
    lowest: float
    highest: float
    unit: float = 1.0

    @property
    def worth(self) -> float:
        """Return the value of a success over a failure, in units of the scores."""
        return self.highest - self.lowest

    @property
    def certain(self) -> bool:
        """Return whether no other score is possible."""
        return (self.lowest, self.highest) == (0.0, self.unit)

    @property
    def tabled(self) -> bool:
        """Return whether all outcomes of these numbers of runs are looked at, not bounded."""
        return int(np.prod(np.add(self.sizes, 1))) <= MOST_OUTCOMES

    @property
    def room(self) -> float:
        """Return the largest drop that is possible from the rate of the baseline, in units of the scores; inf: lower scores may be."""
        return self.worth * self.successes[0] / self.sizes[0] if self.certain else inf

    @property
    def drop(self) -> float:
        (a, b), (n, m) = self.successes, self.sizes
        return a / n - b / m

    def pvalue(self, drop: float) -> float:
        """Return the p-value, exact or larger, against a drop of at least so much, in units of the scores."""
        drop = drop / self.worth
        # A rate cannot fall by more than 1: no rates have this drop.
        if drop > 1:
            return 0.0
        if self.tabled:
            return worst_chance(*self.sizes, least_successes(*self.sizes, *self.successes), drop)
        return min(
            1.0, least_level(lambda levels: np.array([self._ends_apart(level) < drop for level in levels]), 0.5, cuts=3)
        )

    def limit(self, level: float) -> float:
        """Return the upper limit of the drop, in units of the scores."""
        if not self.tabled:
            return self._ends_apart(level) * self.worth
        low, high = self.drop, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            # The p-value falls as the drop grows, so the limit is where it passes the level; the upper side of the bracket is given.
            out = self.pvalue(middle * self.worth) <= level
            low, high = (low, middle) if out else (middle, high)
        return high * self.worth

    def distance(self, level: float) -> float:
        """Return how far the drop may lie above that of the data: the distances to the exact ends of both rates, added as errors are.

        Each at half of the level: few runs step so coarsely that at the level itself the mean of two tasks is held too often.
        """
        (a, b), (high, low) = (k / n for k, n in zip(self.successes, self.sizes, strict=True)), self._ends(level / 2)
        return self.worth * sqrt((high - a) ** 2 + (b - low) ** 2)

    def reach(self, level: float) -> float:
        """Return that distance where the rates of other tasks depend on these: the distances of both ends add up, each at half of the level."""
        return self.worth * (self._ends_apart(level) - self.drop)

    def _ends_apart(self, level: float) -> float:
        high, low = self._ends(level / 2)
        return high - low

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the upper end of the baseline's rate, and the lower end of the candidate's, each at the level."""
        (a, b), (n, m) = self.successes, self.sizes
        high = clopper_pearson(np.array([float(a)]), n, level)[1]
        low = clopper_pearson(np.array([float(b)]), m, level)[0]
        return float(high[0]), float(low[0])


def rates_of(pair: PairData, worths: Sequence[float]) -> list[SuccessCounts | None]:
    """Return the rates of tasks whose runs reach one of two known values, else None; worths: of a score of 1, in units of the pair."""
    return [_rates(x, y, unit, binary=pair.binary) for x, y, unit in zip(pair.x, pair.y, worths, strict=True)]


def _rates(x: Floats, y: Floats, unit: float, *, binary: bool) -> SuccessCounts | None:
    # Where all data are 0 and 1 both are possible on every task, also where one side of it reached only one of them.
    values = np.array([0.0, unit]) if binary else np.unique(np.concatenate([x, y]))
    if values.size != 2:
        return None
    counts = int((x == values[1]).sum()), int((y == values[1]).sum())
    return SuccessCounts(
        successes=counts, sizes=(x.size, y.size), lowest=float(values[0]), highest=float(values[1]), unit=unit
    )


def most_drops(parts: Sequence[PairData], worths: Sequence[float]) -> list[float]:
    """Return the largest drop of each unit that its baseline's rates leave room for; inf where a task has other scores."""
    room = [inf if rate is None else rate.room for rate in rates_of(parts[-1], worths)]
    rooms = [[own] for own in room] + [room] * (len(parts) > 1)
    return [sum(of_tasks) / len(of_tasks) for of_tasks in rooms]


def worst_chance(n: int, m: int, least: Ints, drop: float) -> float:
    """Return the largest chance, or a little more, of at least so many successes of the candidate, (n + 1,), for rates with this drop."""
    edges = np.linspace(max(0.0, drop), min(1.0, 1.0 + drop), CELLS + 1)
    low, width = edges[:-1], float(edges[1] - edges[0])
    for _ in range(ROUNDS):
        # The chance of the tail rises with q = p − drop, and falls with p: in a cell of rates
        # from low to low + width it is at most that at the lowest p and the highest q.
        bounds = _chances(n, m, least, low, low + width - drop)
        # Attained on the line itself: cells whose bound is below it cannot hold the maximum.
        lower_bound = float(_chances(n, m, least, low, low - drop).max())
        highest = float(bounds.max())
        width /= PARTS
        low = (low[bounds >= lower_bound][:, None] + width * np.arange(PARTS)).ravel()
    return min(1.0, highest)


def _chances(n: int, m: int, least: Ints, p: Floats, q: Floats) -> Floats:
    k = np.arange(n + 1)
    p, q = np.clip(p, 0.0, 1.0)[:, None], np.clip(q, 0.0, 1.0)[:, None]
    # By logarithms, for a binomial coefficient of a thousand runs is no double; xlogy makes 0 · log 0 = 0.
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    before = np.exp(ways + special.xlogy(k, p) + special.xlog1py(n - k, -p))
    return np.asarray((before * special.bdtrc(least - 1, m, q)).sum(axis=1))


@lru_cache(maxsize=256)
def least_successes(n: int, m: int, a: int, b: int) -> Ints:
    """Return how many successes of the candidate, for each number of the baseline's, say as little of a drop as a and b do; m + 1: none."""
    # The upper end of p − q by its score interval (Newcombe 1998, method 10), made monotone in both counts.
    (p, _, high_p), (q, low_q, _) = _ends_of_all(n)[:, :, None], _ends_of_all(m)[:, None, :]
    end = p - q + np.sqrt((high_p - p) ** 2 + (q - low_q) ** 2)
    # More successes of the baseline, or fewer of the candidate, must never say
    # less of a drop: the bound in cells rests on it (Barnard's convexity).
    rising = np.maximum.accumulate(end, axis=0)
    order = np.maximum.accumulate(rising[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(m + 1 - (order <= order[a, b] + ROUNDING).sum(axis=1))


def _ends_of_all(n: int) -> Floats:
    """Return the rate of every number of successes, and the ends of its score interval, (3, n + 1)."""
    cells = (np.repeat([1.0, 0.0], [k, n - k]) for k in range(n + 1))
    return np.array([(cell.mean(), *wilson([cell], CONFIDENCE)) for cell in cells]).T


ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Below:
    """For each unit: the adjusted p-value against a drop of the margin or more, the upper limit of the drop, and the tasks that allow none."""

    pvalues: Floats
    ends: list[float | None]
    unknown: list[tuple[str, ...]]


def below_margin(
    family: GateFamily,
    parts: Sequence[PairData],
    margin: float,
    alpha: float,
    worths: Sequence[float],
    *,
    least: Floats,
) -> Below:
    """Test each task, and then their mean, against a drop of the margin or more; worths as of `rates_of`; least: what no p-value is below."""
    kinds = _Kinds(parts[-1], margin, worths)
    tails, able = family.below([margin] * len(parts)), family.able(alpha)
    n_tasks = len(kinds.pair.tasks)
    tasks = _tasks(kinds, tails[:n_tasks], able[:n_tasks])
    pvalues = tasks if len(parts) == 1 else shared_out(_mean(kinds, float(alone(tails[-1:])[0])), tasks)
    pvalues = np.maximum(pvalues, least)
    kept = (pvalues <= alpha * (1 + ROUNDING)).tolist()
    unknown = [tuple({*part.tasks} & {*kinds.unknown}) if len(part.tasks) == 1 else kinds.unknown for part in parts]
    return Below(pvalues=pvalues, ends=_ends(kinds, family, parts, _levels(kept, alpha), kept), unknown=unknown)


def mean_below(
    family: GateFamily, pair: PairData, margin: float, alpha: float, worths: Sequence[float], *, least: Floats
) -> Below:
    """Test the mean of several tasks by itself against a drop of the margin or more, at the whole of alpha."""
    kinds = _Kinds(pair, margin, worths)
    tail = float(alone(family.below([margin] * len(family.units))[-1:])[0])
    pvalue = np.maximum(_mean(kinds, tail), least)
    kept = bool(pvalue[0] <= alpha * (1 + ROUNDING))
    if kinds.unknown or kinds.of_rates:
        end = None if kinds.unknown else kinds.end(alpha)
    else:
        end = limits(replace(family, units=family.units[-1:]), [pair.difference], [alpha], margin, [kept])[0]
    return Below(pvalues=pvalue, ends=[_beside(end, margin, kept=kept)], unknown=[kinds.unknown])


def _beside(end: float | None, margin: float, *, kept: bool) -> float | None:
    """Return a limit on the side of the margin that its call says."""
    return end if end is None else (min if kept else max)(end, margin)


class _Kinds:
    """The kind of runs that each task of a pair has: moved, rated or unknown."""

    def __init__(self, pair: PairData, margin: float, worths: Sequence[float]) -> None:
        self.pair, self.margin, self.rates = pair, margin, rates_of(pair, worths)

    @cached_property
    def moved(self) -> Bools:
        """Return which tasks are judged by relabelling, (n_tasks,)."""
        varied = [float(np.ptp(np.concatenate(both))) > 0 for both in zip(self.pair.x, self.pair.y, strict=True)]
        return np.array([rate is None and vary for rate, vary in zip(self.rates, varied, strict=True)])

    @cached_property
    def rated(self) -> Bools:
        return np.array([rate is not None and (rate.certain or rate.worth > self.margin) for rate in self.rates])

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        judged = self.moved | self.rated
        return tuple(task for t, task in enumerate(self.pair.tasks) if not judged[t])

    @property
    def chosen(self) -> list[SuccessCounts]:
        return [rate for t, rate in enumerate(self.rates) if rate is not None and self.rated[t]]

    @cached_property
    def of_rates(self) -> bool:
        """Return whether the mean is judged with its rates, not by relabelling: whole runs of tasks that all vary are relabelled."""
        return bool(self.rated.any()) and not (self.pair.shared and all(np.ptp(cell) > 0 for cell in self.pair.cells))

    @cached_property
    def rest(self) -> PairData:
        at = np.flatnonzero(self.moved).tolist()
        x, y = ([side[t] for t in at] for side in (self.pair.x, self.pair.y))
        return replace(self.pair, x=x, y=y, tasks=[self.pair.tasks[t] for t in at])

    def shares(self, able: Bools) -> tuple[float, float]:
        """Return the shares of the error rate for permuted tasks and for rates, in proportion to their numbers."""
        moved, rated = int((self.moved & able).sum()), int(self.rated.sum())
        total = max(1, moved + rated)
        return moved / total, rated / total

    def end(self, level: float) -> float:
        """Return the upper limit of the mean drop: the distances of its parts, added as independent errors; as they are if runs are shared."""
        n_parts = len(self.chosen) + int(self.moved.any())
        share = level / n_parts if self.pair.shared else level
        parts = [rate.reach(share) if self.pair.shared else rate.distance(share) for rate in self.chosen]
        if self.moved.any():
            difference = self.rest.difference
            ends = difference.interval(1 - 2 * share)
            if ends is None:
                return np.inf
            # As a sum over the relabelled tasks, like the distances of the others: the total is divided by all tasks once.
            parts.append((ends[1] - difference.estimate) * len(self.rest.tasks))
        # Independent distances add as errors do; of shared runs nothing is known but that they are at most their sum.
        far = sum(parts) if self.pair.shared else sqrt(sum(part**2 for part in parts))
        return self.pair.difference.estimate + far / len(self.pair.tasks)


def _tasks(kinds: _Kinds, tails: Floats, able: Bools) -> Floats:
    """Return the tasks' p-values: the relabelled step down, the rates have Holm's correction, each kind at its share of the error rate."""
    pvalues = np.ones(len(tails))
    moved, rated = kinds.shares(able)
    if kinds.moved.any():
        # Bonferroni between the kinds: a p-value at a share s of the error rate is p / s at the whole of it.
        pvalues[kinds.moved] = step_down(tails, able & kinds.moved)[kinds.moved] / (moved or 1.0)
    if kinds.rated.any():
        pvalues[kinds.rated] = adjust(np.array([rate.pvalue(kinds.margin) for rate in kinds.chosen]), "holm") / rated
    return np.minimum(1.0, pvalues)


def _mean(kinds: _Kinds, relabelled: float) -> float:
    if kinds.unknown:
        return 1.0
    if not kinds.of_rates:
        return relabelled
    # The limit falls as its level rises, so the smallest level whose limit lies below the margin is the p-value.
    return min(
        1.0, least_level(lambda levels: np.array([kinds.end(level) < kinds.margin for level in levels]), 0.5, cuts=3)
    )


def _levels(kept: Sequence[bool], alpha: float) -> list[float]:
    """Return the levels of the limits: where the mean is decided, its half has passed on to the tasks."""
    if len(kept) == 1:
        return [alpha]
    return [alpha if kept[-1] else alpha * (1 - HALF)] * (len(kept) - 1) + [alpha * HALF]


def _ends(
    kinds: _Kinds, family: GateFamily, parts: Sequence[PairData], levels: list[float], kept: Sequence[bool]
) -> list[float | None]:
    """Return the upper limits, each on the side of the margin that its call says."""
    n_tasks = len(kinds.pair.tasks)
    moved, rated = kinds.shares(np.ones(n_tasks, bool))
    ends: list[float | None] = [None] * len(parts)
    if kinds.moved.any():
        shared = [level * moved for level in levels[:n_tasks]] + levels[n_tasks:]
        ends = limits(family, [part.difference for part in parts], shared, kinds.margin, kept)
    for t, rate in enumerate(kinds.rates):
        if not kinds.moved[t]:
            ends[t] = rate.limit(levels[t] * rated / len(kinds.chosen)) if rate is not None and kinds.rated[t] else None
    if len(parts) > 1 and (kinds.unknown or kinds.of_rates):
        ends[-1] = None if kinds.unknown else kinds.end(levels[-1])
    return [_beside(end, kinds.margin, kept=keep) for end, keep in zip(ends, kept, strict=True)]
