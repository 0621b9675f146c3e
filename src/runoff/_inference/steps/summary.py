"""What is drawn of the runs of one algorithm on one task: a centre at every step, and a spread around it, by name (Colas et al. 2019 §5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff.base.arrays import Floats

CONTENT = 0.9
"""Share of runs that a percentile range, or a tolerance interval, is to hold."""
Ends = tuple[Floats, Floats] | None


def iqm(rows: Floats) -> Floats:
    """Return the mean of the middle half of runs (n_runs, n_steps) at each step, as `aggregate` does on one task."""
    cut = len(rows) // 4
    means: Floats = np.sort(rows, axis=0)[cut : len(rows) - cut].mean(axis=0)
    return means


CENTRES: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType(
    {"mean": lambda rows: rows.mean(axis=0), "median": lambda rows: np.median(rows, axis=0), "iqm": iqm}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One kind of spread: what it says in a caption, what it is drawn about, how few runs have it, and its ends (level between 0 and 1)."""

    words: str
    centres: tuple[str, ...]
    least: int
    ends: Callable[[Floats, float], tuple[Floats, Floats]]


def _about(half: Callable[[int, float], float]) -> Callable[[Floats, float], tuple[Floats, Floats]]:
    def ends(rows: Floats, level: float) -> tuple[Floats, Floats]:
        mean, deviation = rows.mean(axis=0), rows.std(axis=0, ddof=1)
        k = half(len(rows), level)
        return mean - k * deviation, mean + k * deviation

    return ends


def _one(n: int, level: float) -> float:
    del n, level
    return 1.0


def _standard_error(n: int, level: float) -> float:
    del level
    return 1 / sqrt(n)


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


SPREADS: Mapping[str, Spread] = MappingProxyType(
    {
        "sd": Spread(words="± one standard deviation of the runs", centres=("mean",), least=2, ends=_about(_one)),
        "se": Spread(
            words="± one standard error of the mean",
            centres=("mean",),
            least=2,
            ends=_about(_standard_error),
        ),
        "interval": Spread(
            words="{level:g}\u00a0% t interval of the mean, at each step on its own",
            centres=("mean",),
            least=2,
            ends=_about(_t),
        ),
        "percentiles": Spread(
            words="the middle {content:g}\u00a0% of the runs",
            centres=("mean", "median", "iqm"),
            least=2,
            ends=_percentiles,
        ),
        "tolerance": Spread(
            words="tolerance interval that holds {content:g}\u00a0% of runs with {level:g}\u00a0% confidence, if they are normal",
            centres=("mean",),
            least=2,
            ends=_about(_tolerance),
        ),
    }
)
