"""Is a drop of the margin ruled out? P-values and upper limits of the drops, by what the runs of each task are.

moved    runs with many scores: relabelling asks whether one of two laws is the other, moved by the margin
rates    runs that reach one of two scores: exact limits, since such runs do not move as a whole
unknown  runs that are all alike, or that reach two scores which are nearer to each other than the margin: nothing is ruled out
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt

import numpy as np

from runoff._inference.family import adjust
from runoff._inference.gate.family import HALF, Family, alone, limits, shared_out, step_down
from runoff._inference.gate.rates import Rates, rates_of
from runoff._inference.pairs import PairData, least_level
from runoff.base.arrays import Bools, Floats

ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Below:
    """For each unit: the adjusted p-value against a drop of the margin or more, the upper limit of the drop, and the tasks that allow none."""

    pvalues: Floats
    ends: list[float | None]
    unknown: list[tuple[str, ...]]


def below_margin(family: Family, parts: Sequence[PairData], margin: float, alpha: float) -> Below:
    """Test each task, and then their mean, against a drop of the margin or more."""
    kinds = _Kinds(parts[-1], margin)
    tails, able = family.below([margin] * len(parts)), family.able(alpha)
    n_tasks = len(kinds.pair.tasks)
    tasks = _tasks(kinds, tails[:n_tasks], able[:n_tasks])
    pvalues = tasks if len(parts) == 1 else shared_out(_mean(kinds, float(alone(tails[-1:])[0])), tasks)
    kept = (pvalues <= alpha * (1 + ROUNDING)).tolist()
    unknown = [tuple({*part.tasks} & {*kinds.unknown}) if len(part.tasks) == 1 else kinds.unknown for part in parts]
    return Below(pvalues=pvalues, ends=_ends(kinds, family, parts, _levels(kept, alpha), kept), unknown=unknown)


class _Kinds:
    """The kind of runs that each task of a pair has: moved, rated or unknown."""

    def __init__(self, pair: PairData, margin: float) -> None:
        self.pair, self.margin, self.rates = pair, margin, rates_of(pair)

    @cached_property
    def moved(self) -> Bools:
        """Return which tasks are judged by relabelling, (n_tasks,)."""
        varied = [float(np.ptp(np.concatenate(both))) > 0 for both in zip(self.pair.x, self.pair.y, strict=True)]
        return np.array([rate is None and vary for rate, vary in zip(self.rates, varied, strict=True)])

    @cached_property
    def rated(self) -> Bools:
        """Return which tasks are judged as rates, (n_tasks,)."""
        return np.array([rate is not None and (rate.certain or rate.worth > self.margin) for rate in self.rates])

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """Return the tasks that allow no judgement."""
        judged = self.moved | self.rated
        return tuple(task for t, task in enumerate(self.pair.tasks) if not judged[t])

    @property
    def chosen(self) -> list[Rates]:
        """Return the rates that are judged."""
        return [rate for t, rate in enumerate(self.rates) if rate is not None and self.rated[t]]

    @cached_property
    def of_rates(self) -> bool:
        """Return whether the mean is judged with its rates, not by relabelling: whole runs of tasks that all vary are relabelled."""
        return bool(self.rated.any()) and not (self.pair.shared and all(np.ptp(cell) > 0 for cell in self.pair.cells))

    @cached_property
    def rest(self) -> PairData:
        """Return the tasks that are no rates, as a pair."""
        at = np.flatnonzero(self.moved).tolist()
        x, y = ([side[t] for t in at] for side in (self.pair.x, self.pair.y))
        return replace(self.pair, x=x, y=y, tasks=[self.pair.tasks[t] for t in at])

    def shares(self, able: Bools) -> tuple[float, float]:
        """Return the shares of the error rate that relabelled tasks and rates have, as many as each are."""
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
            parts.append((ends[1] - difference.estimate) * len(self.rest.tasks))
        far = sum(parts) if self.pair.shared else sqrt(sum(part**2 for part in parts))
        return self.pair.difference.estimate + far / len(self.pair.tasks)


def _tasks(kinds: _Kinds, tails: Floats, able: Bools) -> Floats:
    """Return the p-values of the tasks, adjusted among themselves.

    The relabelled tasks step down and the rates have Holm's correction, each kind at its share of the error rate.
    """
    pvalues = np.ones(len(tails))
    moved, rated = kinds.shares(able)
    if kinds.moved.any():
        pvalues[kinds.moved] = step_down(tails, able & kinds.moved)[kinds.moved] / (moved or 1.0)
    if kinds.rated.any():
        pvalues[kinds.rated] = adjust(np.array([rate.pvalue(kinds.margin) for rate in kinds.chosen]), "holm") / rated
    return np.minimum(1.0, pvalues)


def _mean(kinds: _Kinds, relabelled: float) -> float:
    """Return the p-value of the mean by itself."""
    if kinds.unknown:
        return 1.0
    if not kinds.of_rates:
        return relabelled
    # The limit falls as its level rises, so the smallest level whose limit lies below the margin is the p-value.
    return min(1.0, least_level(lambda level: kinds.end(level) < kinds.margin, 0.5))


def _levels(kept: Sequence[bool], alpha: float) -> list[float]:
    """Return the levels of the limits: where the mean is decided, its half has passed on to the tasks."""
    if len(kept) == 1:
        return [alpha]
    return [alpha if kept[-1] else alpha * (1 - HALF)] * (len(kept) - 1) + [alpha * HALF]


def _ends(
    kinds: _Kinds, family: Family, parts: Sequence[PairData], levels: list[float], kept: Sequence[bool]
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
    sides = zip(ends, kept, strict=True)
    return [end if end is None else (min if keep else max)(end, kinds.margin) for end, keep in sides]
