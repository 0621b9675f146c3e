"""Units that are judged by the law of their difference, as `compare` has it: items, clusters of items, rollouts, and benchmarks of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum, hypot, inf, sqrt

import numpy as np

from runoff._inference.bootstrap import Law, Mean
from runoff._inference.family import adjust
from runoff._inference.gate.compared import beyond
from runoff._inference.gate.family import HALF, shared_out
from runoff._inference.gate.reach import MOST, ROUNDING
from runoff._inference.gate.unit import CallSpeech, Terms, Tested, UnitCall
from runoff._inference.pairs import (
    ItemLaw,
    MoverLaw,
    PairData,
    PairLaw,
    RateLaw,
    StratifiedPair,
    TaskPair,
    end_of,
    means_of,
    widest,
)
from runoff._inference.power import critical_value, detectable, fewest, likely_errors, noncentral
from runoff.answer.unjudged import few_clusters_words
from runoff.base.arrays import Floats
from runoff.words.measures import LEAST_CLUSTERS, strata_words

SPREADLESS = "such scores show no spread, because the two agree on every item"


@dataclass(frozen=True, slots=True, kw_only=True)
class LawReach:
    """The standard error of a difference and the degrees of freedom of that estimate; n: items, or the fewest rollouts of a task."""

    error: float
    df: float
    n: int
    level: float

    def power(self, drop: float, n: int | None = None) -> float:
        """Return the chance that a true drop is found, one-sided, averaged over what the error may be instead."""
        times = (self.n if n is None else n) / self.n
        df = self.df * times
        shift = drop / self.error * sqrt(times)
        likely, weights = likely_errors(self.df)
        critical = critical_value(df, self.level, two_sided=False)
        return float(weights @ noncentral(shift * likely, df, critical, two_sided=False))

    def needed(self, drop: float, power: float) -> int | None:
        """Return how many items, or rollouts, find the drop with a power, if they spread as these; None: more than `MOST`."""
        return fewest(lambda n: self.power(drop, n) >= power, MOST)


def calls_by_law(units: Sequence[tuple[str | None, PairData]], terms: Terms) -> tuple[UnitCall, ...]:
    """Return the call of each unit, a name and its pair; of several the last is the mean of the others, with half of the error rate.

    The benchmarks have Holm's correction, and all of the error rate once the mean is decided, as tasks have beside their mean.
    """
    laws = [pair.law("mean") for _, pair in units]
    without = [_unjudged(pair, law) for (_, pair), law in zip(units, laws, strict=True)]
    columns = [
        np.array([1.0 if why else beyond(law, drop, side) for law, why in zip(laws, without, strict=True)])
        for drop, side in ((0.0, 1), (0.0, -1), (terms.margin, -1))
    ]
    together = [_together(column).tolist() for column in columns]
    levels = _levels(together[2], terms.alpha)
    ends = [None if _silent(law) else end_of(law, level, 1) for law, level in zip(laws, levels, strict=True)]
    tested = [
        _held_to(Tested(alone=alone, dropped=drop, risen=rise, kept=keep, high=end), terms, single=len(units) == 1)
        for alone, drop, rise, keep, end in zip(columns[0].tolist(), *together, ends, strict=True)
    ]
    return tuple(
        _call(name, pair, why, own, terms, n_units=len(units))
        for (name, pair), why, own in zip(units, without, tested, strict=True)
    )


def _held_to(tested: Tested, terms: Terms, *, single: bool) -> Tested:
    """Return the tests of a unit with its limit on the side of the margin that its call says."""
    kept, end = tested.kept, tested.high
    if end is None:
        return tested
    # An exact end is the outermost within a result of the first, so it may lie beyond a margin whose own tail is rejected: then it decides.
    if single and end >= terms.margin:
        kept = max(kept, terms.alpha * (1 + 2 * ROUNDING))
    holds = kept <= terms.alpha * (1 + ROUNDING)
    return replace(tested, kept=kept, high=(min if holds else max)(end, terms.margin))


def _silent(law: PairLaw) -> bool:
    return isinstance(law, Law) and not law.laws


def _together(alone: Floats) -> Floats:
    """Return the joint p-values of all units; a single unit keeps its own."""
    if alone.size == 1:
        return alone
    return shared_out(float(alone[-1]), np.asarray(adjust(alone[:-1], "holm")))


def _levels(kept: Sequence[float], alpha: float) -> list[float]:
    """Return the level of each unit's limit: simultaneous, the mean's half passing on once it is decided."""
    if len(kept) == 1:
        return [alpha]
    n = len(kept) - 1
    own = alpha if kept[-1] <= alpha * (1 + ROUNDING) else alpha * (1 - HALF)
    return [own / n] * n + [alpha * HALF]


def _call(name: str | None, pair: PairData, without: str, tested: Tested, terms: Terms, *, n_units: int) -> UnitCall:
    error, df = error_of(pair, pair.law("mean"), terms)
    reach = None if df is None else LawReach(error=error, df=df, n=_size(pair), level=_first(terms, name, n_units))
    chance = 0.0 if reach is None else reach.power(terms.margin)
    smallest = inf if reach is None else detectable(reach.error, reach.df, 2 * reach.level, terms.power)
    baseline, candidate = (_mean(pair, side) for side in "xy")
    most = baseline if pair.binary else inf
    lacking = reach is not None and chance < terms.power and terms.margin > 0
    return UnitCall(
        **tested.judged(terms, chance, suspects=not without),
        task=name,
        margin=terms.margin,
        baseline=baseline,
        candidate=candidate,
        sizes=(pair.n_runs_a[0], pair.n_runs_b[0]),
        drop=Mean(pair.law("mean").value, error, df),
        high=tested.high,
        detectable=smallest if smallest <= most else inf,
        runs_needed=reach.needed(terms.margin, terms.power) if reach is not None and lacking else None,
        unknown=(),
        most=most,
        narrow=False,
        unjudged=without,
        speech=speech_of(pair, name),
    )


def _first(terms: Terms, name: str | None, n_units: int) -> float:
    """Return the level of the family's first step for a unit."""
    if n_units == 1:
        return terms.alarm
    return terms.alarm * HALF if name is None else terms.alarm * (1 - HALF) / (n_units - 1)


def _size(pair: PairData) -> int:
    return len(pair.tasks) if pair.over == "tasks" else pair.least


def _mean(pair: PairData, side: str) -> float:
    """Return the mean of a side, each task weighing the same; of strata their weighted mean."""
    if isinstance(pair, StratifiedPair):
        return fsum(w * _mean(part, side) for w, part in zip(pair.weights, pair.within, strict=True))
    means = means_of(getattr(pair, side))
    return fsum(means) / means.size


def _unjudged(pair: PairData, law: PairLaw) -> str:
    """Return why a unit has no verdict but "underpowered"; "" where it may have one."""
    if isinstance(pair, StratifiedPair):
        parts = zip(pair.strata, pair.within, strict=True)
        return next((f"in {name!r} {why}" for name, part in parts if (why := _unjudged(part, part.law("mean")))), "")
    n = pair.n_clusters if isinstance(pair, TaskPair) else None
    if n is not None and n < LEAST_CLUSTERS:
        return few_clusters_words(n)
    return SPREADLESS if _silent(law) else ""


def error_of(pair: PairData, law: PairLaw, terms: Terms) -> tuple[float, float | None]:
    """Return a standard error by which power is known, and its degrees of freedom; 0 and None where nothing spreads."""
    if isinstance(pair, StratifiedPair) and isinstance(law, MoverLaw):
        parts = [error_of(part, own, terms) for part, own in zip(pair.within, law.parts, strict=True)]
        errors = [weight * error for weight, (error, _) in zip(law.weights, parts, strict=True)]
        if not all(errors):
            return 0.0, None
        total = hypot(*errors)
        # Welch-Satterthwaite's degrees of freedom of a sum of independent errors.
        return total, 1 / fsum((e / total) ** 4 / df for e, (_, df) in zip(errors, parts, strict=True) if df)
    if isinstance(law, RateLaw):
        # As an error of the t law that has the reach of the score.
        reach, df = law.detectable(2 * terms.alpha, terms.power), float(max(sum(map(sum, pair.sizes)) - 2, 1))
        return (0.0, None) if reach == inf else (reach / detectable(1.0, df, 2 * terms.alpha, terms.power), df)
    own = law.spread() if isinstance(law, ItemLaw) else law
    error, freedom = widest(own, 1 - 2 * terms.alpha)
    return (0.0, None) if freedom is None else (error, freedom)


def speech_of(pair: PairData, name: str | None) -> CallSpeech:
    """Return the words for the numbers of a unit."""
    items, n = pair.over == "tasks", len(pair.tasks)
    what = ("accuracy" if items else "success rate") if pair.binary else "mean score"
    sample = "items" if items else "rollouts"
    place = f"On {name!r}" if name else f"Over items like these {n}" if items else f"Over {n} tasks"
    if isinstance(pair, StratifiedPair):
        weights = strata_words(tuple(zip(pair.strata, pair.weights, strict=True)))
        place = f"Over{weights.removeprefix(' in').replace('strata', 'benchmarks')}"
    of = "" if items else " of each on every task" if n > 1 else " of each"
    return CallSpeech(what=what, sample=sample, of=of, alone="benchmark" if name else "mean", place=place)
