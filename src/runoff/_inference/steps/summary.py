"""The runs of one algorithm along training: a centre and a spread at every step (Colas et al. 2019 §5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import sqrt
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._inference.bootstrap import METRICS
from runoff.base.arrays import Floats

CONTENT = 0.9
"""Share of runs that a percentile range, or a tolerance interval, is to hold."""


def middle_half(rows: Floats, metric: str) -> Floats:
    """Return the mean of the middle half of runs (n_runs, n_steps) at each step, as `aggregate` does on one task."""
    n, cut, places = len(rows), METRICS[metric].cut(len(rows)), np.arange(len(rows))
    inside = np.maximum(np.minimum(places + 1, n - cut) - np.maximum(places, cut), 0.0)
    return np.asarray(inside @ np.sort(rows, axis=0) / (n - 2 * cut))


CENTRES: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType(
    {"mean": lambda rows: rows.mean(axis=0), "median": lambda rows: np.median(rows, axis=0)}
    | {name: partial(middle_half, metric=name) for name in ("iqm", "iqm_whole")}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpread:
    """One kind of spread of two runs or more: what it says in a caption, its ends (level between 0 and 1), and what it is drawn about.

    of_rates: what it says of success rates, where that is another interval.
    """

    words: str
    ends: Callable[[Floats, float], tuple[Floats, Floats]]
    centres: tuple[str, ...] = ("mean",)
    of_rates: str = ""


def _about(half: Callable[[int, float], float]) -> Callable[[Floats, float], tuple[Floats, Floats]]:
    def ends(rows: Floats, level: float) -> tuple[Floats, Floats]:
        mean, deviation = rows.mean(axis=0), rows.std(axis=0, ddof=1)
        k = half(len(rows), level)
        return mean - k * deviation, mean + k * deviation

    return ends


def _t(n: int, level: float) -> float:
    return float(special.stdtrit(n - 1, (1 + level) / 2)) / sqrt(n)


def _tolerance(n: int, level: float) -> float:
    """Return Howe's factor (1969, JASA 64): of normal runs, CONTENT lie within so many deviations, with confidence `level`."""
    chi = float(special.chdtri(n - 1, level))
    return float(special.ndtri((1 + CONTENT) / 2)) * sqrt((n - 1) * (1 + 1 / n) / chi)


def _percentiles(rows: Floats, level: float) -> tuple[Floats, Floats]:
    del level
    low, high = np.quantile(rows, [(1 - CONTENT) / 2, (1 + CONTENT) / 2], axis=0)
    return low, high


SPREADS: Mapping[str, RunSpread] = MappingProxyType(
    {
        "sd": RunSpread(words="± one standard deviation of the runs", ends=_about(lambda _n, _level: 1.0)),
        "se": RunSpread(words="± one standard error of the mean", ends=_about(lambda n, _level: 1 / sqrt(n))),
        "interval": RunSpread(
            words="{level:g}\u00a0% t interval of the mean, at each step on its own",
            of_rates="{level:g}\u00a0% interval of the success rate, at each step on its own",
            ends=_about(_t),
        ),
        "percentiles": RunSpread(
            words="the middle {content:g}\u00a0% of the runs", ends=_percentiles, centres=tuple(CENTRES)
        ),
        "tolerance": RunSpread(
            words="tolerance interval that holds {content:g}\u00a0% of runs with {level:g}\u00a0% confidence, if they are normal",
            ends=_about(_tolerance),
        ),
    }
)


# ── steadiness ──────────
