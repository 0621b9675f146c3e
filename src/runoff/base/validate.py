"""Refusals shared by all methods: each check returns its value or raises one helpful sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from runoff.base.arrays import Floats, is_masked, masked_values
from runoff.errors import DataError, DesignError, OptionError, nearest
from runoff.words.speech import choice


def check_choice(option: str, value: str, choices: Iterable[str]) -> str:
    """Return `value` if it is one of `choices`; the message lists them and suggests the nearest."""
    names = list(choices)
    if value not in names:
        called = choice(option, f"--{option}" if option.isidentifier() else option)
        raise OptionError(f"{called} must be one of {', '.join(names)}, not {value!r}.{nearest(str(value), names)}")
    return value


LEAST_ALPHA = 1e-12
"""Smallest error rate: further out the tails of the laws are not computed exactly."""


def check_open_unit(option: str, value: float) -> float:
    """Return `value` if it lies strictly between 0 and 1."""
    if not (isinstance(value, int | float | np.number) and 0.0 < value < 1.0):
        raise OptionError(f"{option} must lie strictly between 0 and 1, not {value!r}.")
    return float(value)


def check_alpha(alpha: float) -> float:
    """Return an error rate in (0, 1), not so small that the tails of no law are known."""
    if check_open_unit("alpha", alpha) < LEAST_ALPHA:
        raise OptionError(f"alpha must be at least {LEAST_ALPHA:g}, not {alpha!r}: so far out no tail is known.")
    return float(alpha)


def check_confidence(confidence_level: float) -> float:
    """Return a confidence level in (0, 1)."""
    return check_open_unit("confidence_level", confidence_level)


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a finite number, and neither true nor false."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and bool(np.isfinite(value))


def check_score(option: str, value: object) -> float:
    """Return a finite number in units of the scores."""
    if not is_number(value):
        raise OptionError(f"{option} must be a finite score, not {value!r}.")
    return float(value)


def check_count(option: str, value: int, least: int = 1) -> int:
    """Return a whole number that is at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise OptionError(f"{option} must be a whole number of at least {least}, not {value!r}.")
    return int(value)


MOST_RESAMPLES = 10_000_000
"""Largest number of resamples: more would not fit memory, and would change no digit that is shown."""


def check_resamples(value: int, least: int = 100) -> int:
    """Return a number of resamples."""
    count = check_count("n_resamples", value, least)
    if count > MOST_RESAMPLES:
        message = f"n_resamples must be at most {MOST_RESAMPLES:,}, not {count:,}; 50,000 give two digits of an end."
        raise OptionError(message)
    return count


def check_sample(name: str, values: ArrayLike) -> Floats:
    """Return one-dimensional finite float64 values, at least one."""
    sample = as_floats(name, values)
    if sample.ndim != 1:
        raise DataError(f"{name} must be one-dimensional, but its shape is {sample.shape}.")
    if not sample.size:
        raise DesignError(f"{name} has 0 value(s); at least 1 are needed.")
    check_finite(name, sample)
    return sample


def as_floats(name: str, values: ArrayLike) -> Floats:
    """Return values as float64, refusing text, dates, ragged nests and masked values."""
    if is_masked(values):
        raise masked_values(name)
    if getattr(getattr(values, "dtype", None), "kind", None) in ("m", "M"):
        raise DataError(f"{name} must hold numbers only, but it holds dates or times.")
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{name} must hold numbers only, but {error}.") from error


def check_finite(name: str, values: Floats) -> None:
    """Refuse NaN and infinities, naming the first."""
    bad = ~np.isfinite(values)
    if bad.any():
        first: tuple[Any, ...] = tuple(int(i) for i in np.argwhere(bad)[0])
        place = first[0] if len(first) == 1 else first
        raise DataError(
            f"{name} holds {int(bad.sum())} value(s) that are not finite, the first being {values[first]} at index {place}; "
            "decide what such a run means (a failed run has a score too) and enter that score."
        )
