"""The thresholds of a performance profile: as given, or a grid over the scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from runoff.base.arrays import Floats
from runoff.base.validate import as_floats, check_choice
from runoff.errors import DataError, OptionError

POINTS = 81
"""Thresholds of a grid that is made: as many as in rliable's examples."""
MOST = 10_000
FAR = 0.01
"""Of the runs of an algorithm, so many may lie beyond either end of a grid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Ascending values τ, and whether they are to be read on a "linear" or a "log" axis."""

    values: Floats
    scale: str


def linear(samples: Sequence[Floats]) -> Floats:
    """Return evenly spaced values over the scores; half as far again about a single one."""
    low, high = _range(samples)
    if low == high:
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
    return np.linspace(low, high, POINTS)


def logarithmic(samples: Sequence[Floats]) -> Floats:
    """Return evenly spaced logarithms over the positive scores."""
    positive = [sample[sample > 0] for sample in samples if (sample > 0).any()]
    if not positive:
        highest = max(float(sample.max()) for sample in samples)
        raise OptionError(
            f"thresholds='log' needs scores above 0, and the highest is {highest:g}; use thresholds='linear'."
        )
    low, high = _range(positive)
    if low == high:
        low, high = low / 2, high * 2
    return np.clip(np.geomspace(low, high, POINTS), low, high)


def _range(samples: Sequence[Floats]) -> tuple[float, float]:
    """Return the range of all samples without the farthest `FAR` of each, at either end: one run that is far out does not squeeze all others."""
    high = max(float(np.quantile(sample, 1 - FAR, method="inverted_cdf")) for sample in samples)
    low = min(-float(np.quantile(-sample, 1 - FAR, method="inverted_cdf")) for sample in samples)
    return low, high


GRIDS: Mapping[str, Callable[[Sequence[Floats]], Floats]] = MappingProxyType({"linear": linear, "log": logarithmic})


def thresholds_of(given: str | ArrayLike | None, samples: Sequence[Floats]) -> Thresholds:
    """Return the thresholds that were asked for, or a grid of `POINTS` over the scores of all algorithms, (n_scores,) each.

    Raises
    ------
    OptionError
        An unknown grid; values that are not finite, not strictly increasing, none or too many.
    """
    if given is None or isinstance(given, str):
        name = "linear" if given is None else check_choice("thresholds", given, GRIDS)
        return Thresholds(values=np.unique(GRIDS[name](samples)), scale=name)
    return Thresholds(values=_checked(given), scale="linear")


def _checked(given: ArrayLike) -> Floats:
    try:
        values = np.atleast_1d(as_floats("thresholds", given))
    except DataError as error:
        raise OptionError(str(error)) from error
    if values.ndim != 1 or not values.size:
        raise OptionError(
            f"thresholds must be a list of scores such as [0.0, 0.5, 1.0], not an array of shape {values.shape}."
        )
    if values.size > MOST:
        raise OptionError(f"thresholds must be at most {MOST:,} values, not {values.size:,}; 100 draw a smooth curve.")
    at = _first(~np.isfinite(values))
    if at is not None:
        raise OptionError(f"thresholds must be finite scores, but the value at index {at} is {values[at]}.")
    at = _first(np.diff(values) <= 0)
    if at is not None:
        raise OptionError(
            f"thresholds must increase strictly, but {values[at + 1]:g} at index {at + 1} follows {values[at]:g}; sort them and leave out "
            "repeats (numpy.unique)."
        )
    return values


def _first(wrong: Sequence[bool] | np.ndarray) -> int | None:
    places = np.flatnonzero(wrong)
    return int(places[0]) if places.size else None
