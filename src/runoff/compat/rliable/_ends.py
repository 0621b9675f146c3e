"""Intervals from replicates by the names that arch, and so rliable, has for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff.base.arrays import Floats
from runoff.base.random import in_threads
from runoff.errors import DataError, OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrapped:
    """What an interval is made of.

    replicates : (n_resamples, n_values); estimate : (n_values,); tails : the two probabilities
    acceleration : function that returns that of each value, (n_values,)
    studentized : (n_resamples, n_values) deviations over their standard errors, where they were asked for
    """

    replicates: Floats
    estimate: Floats
    tails: tuple[float, float]
    acceleration: Callable[[], Floats]
    studentized: Floats | None = None


Ends = tuple[Floats, Floats]


def percentile(known: Bootstrapped) -> Ends:
    return _quantiles(known.replicates, known.tails)


def _quantiles(drawn: Floats, levels: tuple[float, float]) -> Ends:
    ends = np.array(in_threads(lambda column: np.quantile(column, levels), list(drawn.T)))
    return ends[:, 0], ends[:, 1]


def basic(known: Bootstrapped) -> Ends:
    low, high = percentile(known)
    return 2 * known.estimate - high, 2 * known.estimate - low


def standard_errors(replicates: Floats) -> Floats:
    spread: Floats = np.sqrt(np.mean((replicates - replicates.mean(axis=0)) ** 2, axis=0))
    return spread


def normal(known: Bootstrapped) -> Ends:
    errors = standard_errors(known.replicates)
    low, high = special.ndtri(known.tails)
    return known.estimate + low * errors, known.estimate + high * errors


def bias_corrected(known: Bootstrapped) -> Ends:
    return _corrected(known, np.zeros(known.estimate.size))


def accelerated(known: Bootstrapped) -> Ends:
    return _corrected(known, known.acceleration())


def studentized(known: Bootstrapped) -> Ends:
    assert known.studentized is not None
    low, high = _quantiles(known.studentized, known.tails)
    errors = standard_errors(known.replicates)
    return known.estimate - high * errors, known.estimate - low * errors


def _corrected(known: Bootstrapped, acceleration: Floats) -> Ends:
    """Return the bias-corrected ends (Efron 1987); replicates equal to the estimate count half."""
    drawn, at = known.replicates, known.estimate
    slack = 1e-12 * np.maximum(np.abs(at), np.abs(drawn).max(axis=0))
    below = (np.mean(drawn < at - slack, axis=0) + np.mean(drawn <= at + slack, axis=0)) / 2
    one_sided = np.flatnonzero((below <= 0) | (below >= 1))
    if one_sided.size:
        raise DataError(
            f"a bias-corrected interval needs resamples on both sides of the estimate, but all {len(drawn)} of value {one_sided[0]} lie on one "
            "side; use method='percentile', or more reps."
        )
    z0 = special.ndtri(below)[:, None]
    z = special.ndtri(known.tails)[None]
    room = 1 - acceleration[:, None] * (z0 + z)
    if np.any(room <= 0):
        raise DataError("the acceleration of these scores is too large for a BCa interval; use method='percentile'.")
    levels = special.ndtr(z0 + (z0 + z) / room)
    ends = np.array([np.quantile(column, level) for column, level in zip(drawn.T, levels, strict=True)])
    return ends[:, 0], ends[:, 1]


METHODS: Mapping[str, Callable[[Bootstrapped], Ends]] = MappingProxyType(
    {
        "percentile": percentile,
        "basic": basic,
        "norm": normal,
        "var": normal,
        "cov": normal,
        "bc": bias_corrected,
        "debiased": bias_corrected,
        "bias-corrected": bias_corrected,
        "bca": accelerated,
        "studentized": studentized,
    }
)
TAILS: Mapping[str, Callable[[Ends], Ends]] = MappingProxyType(
    {
        "two": lambda ends: ends,
        "lower": lambda ends: (ends[0], np.full_like(ends[1], np.inf)),
        "upper": lambda ends: (np.full_like(ends[0], -np.inf), ends[1]),
    }
)
"""Which ends are kept: "lower" is a lower bound."""


def ends_of(known: Bootstrapped, method: str, tail: str) -> Floats:
    """Return the ends, (2, n_values): low, then high."""
    return np.vstack(TAILS[tail](METHODS[method](known)))


def tails_of(size: float, tail: str) -> tuple[float, float]:
    """Return the probabilities of the ends of an interval that covers with probability `size`."""
    beyond = (1 - size) / 2 if tail == "two" else 1 - size
    return beyond, 1 - beyond


def check_replicates(replicates: Floats) -> None:
    """Refuse resamples without a number."""
    wrong = ~np.isfinite(replicates)
    if wrong.any():
        value = int(np.flatnonzero(wrong.any(axis=0))[0])
        raise OptionError(
            f"func gives no finite number on {int(wrong.any(axis=1).sum())} of {len(replicates)} resamples, the first being value {value}; "
            "it has to answer for every resample of the runs."
        )
