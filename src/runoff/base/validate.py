"""Refusals shared by all methods: each check returns its value or raises one helpful sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from sys import float_info
from types import NoneType
from typing import Any, Literal, TypeGuard, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike

from runoff.base.arrays import Floats, is_masked, masked_values
from runoff.errors import DataError, DesignError, OptionError, nearest
from runoff.words.speech import call, choice


def typed(kind: Any, value: object, place: str) -> Any:
    """Return a value of JSON as an annotation says: text, finite number, None, tuple, or record by its fields; refuse any other."""
    origin, parts = get_origin(kind), get_args(kind)
    if NoneType in parts:
        return None if value is None else typed(next(part for part in parts if part is not NoneType), value, place)
    if origin is tuple and isinstance(value, list) and (... in parts or len(parts) == len(value)):
        kinds = parts[:1] * len(value) if ... in parts else parts
        return tuple(
            typed(part, item, f"{place}, entry {i + 1}")
            for i, (part, item) in enumerate(zip(kinds, value, strict=True))
        )
    if is_dataclass(kind) and isinstance(value, kind):  # type: ignore[arg-type]
        return value
    if is_dataclass(kind) and isinstance(value, dict):
        hints = get_type_hints(kind)
        # Fields with a default may be lacking: a file of an older version knows nothing of them.
        needed = {f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING}
        if needed <= value.keys() <= hints.keys():
            return kind(**{name: typed(hints[name], item, f"{place}, {name}") for name, item in value.items()})  # type: ignore[operator]
    if origin is Literal and value in parts and isinstance(value, str):
        return value
    # JSON has one kind of number, and 1.0 comes back as 1; a whole number beyond all doubles would fail later, far
    # from its place.
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST:
        return float(value)
    # By type and not by isinstance: True is an int.
    if kind in (str, bool, int) and type(value) is kind:
        return value
    raise DataError(f"{place} is not what runoff writes there: {repr(value)[:60]}.")


MOST = float_info.max


def check_choice(option: str, value: object, choices: Iterable[str]) -> str:
    """Return `value` if it is one of `choices`; the message lists them and suggests the nearest."""
    names = list(choices)
    if value not in names:
        called = choice(option, f"--{option.replace('_', '-')}" if option.isidentifier() else option)
        several: object = value
        if isinstance(several, list | tuple):
            raise OptionError(
                f"{called} takes one of {', '.join(names)}, not {len(several)} at once: call once for each."
            )
        raise OptionError(f"{called} must be one of {', '.join(names)}, not {value!r}.{nearest(str(value), names)}")
    return str(value)


def check_over(over: str, choices: Iterable[str]) -> str:
    """Return what claims generalise from; say of another word, such as that of a column, what has a row for each task."""
    names = list(choices)
    if isinstance(over, str) and over not in names and not nearest(over, names):
        raise OptionError(
            f"{choice('over', '--over')} must be one of {', '.join(names)}, not {over!r}: it says what claims generalise from, and "
            f"{call('aggregate', by='task')} has a row for each task."
        )
    return check_choice("over", over, names)


LEAST_ALPHA = 1e-12
"""Smallest error rate: further out the tails of the laws are not computed exactly."""


def check_open_unit(option: str, value: float) -> float:
    """Return `value` if it lies strictly between 0 and 1."""
    if not (isinstance(value, int | float | np.number) and 0.0 < value < 1.0):
        percent = isinstance(value, int | float) and 5.0 <= value < 100.0
        meant = f": {value:g} % is {value / 100:g}" if percent else ""
        raise OptionError(f"{option} must lie strictly between 0 and 1, not {value!r}{meant}.")
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
    # True is an int, and 1 is not what it means.
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
            "if a run failed, enter the score that counts for it."
        )
