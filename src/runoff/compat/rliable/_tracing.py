"""What a function of scores does with them, found by calling it with stand-ins: which metrics, of which cells.

A stand-in knows its shape and can be indexed, and a metric of it is a token. Neither can be computed with, compared or branched on, so that
a function whose result is made of tokens alone has done nothing but take these metrics of these cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from runoff.base.arrays import Ints


def _no_number(*_: object, **__: object) -> NoReturn:
    raise TypeError("a stand-in is no array of numbers")


class _Opaque:
    """Something that nothing can be asked of."""

    __slots__ = ()
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]
    __bool__ = __eq__ = __ne__ = _no_number


class Traced(_Opaque):
    """Stands for one array of scores, or for what was indexed out of it: `places` in the array, laid flat."""

    __slots__ = ("places", "side", "whole")
    __array__ = _no_number
    __class__ = property(_no_number)

    def __init__(self, places: Ints, side: int, whole: tuple[int, ...]) -> None:
        self.places, self.side, self.whole = places, side, whole

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse what an array may have, loudly, as `__class__` does: an AttributeError would answer `hasattr`, and a class `isinstance`."""
        _no_number(name)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.places.shape

    @property
    def ndim(self) -> int:
        return self.places.ndim

    @property
    def size(self) -> int:
        return self.places.size

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, key: Any) -> Traced:
        return Traced(np.asarray(self.places[key]), self.side, self.whole)

    def cells(self) -> tuple[int, ...]:
        """Return which columns of runs these are; a TypeError if not all runs of each are here, in order."""
        stride = int(np.prod(self.whole[1:]))
        runs = self.places.reshape(len(self.places), -1) if self.ndim else self.places.reshape(1, 1)
        cells = runs[0]
        if not np.array_equal(runs, np.arange(self.whole[0])[:, None] * stride + cells):
            _no_number()
        return tuple(cells.tolist())


class Token(_Opaque):
    """Stands for a metric of columns of runs, or for the probability of improvement of the first array over the second."""

    __slots__ = ("cells", "gamma", "metric")

    def __init__(self, metric: str, cells: tuple[int, ...] = (), gamma: float = 1.0) -> None:
        self.metric, self.cells, self.gamma = metric, cells, gamma


POOLED = ("iqm", "optimality_gap")
"""Metrics of all scores together, of whatever shape; the others take a mean for each column of a matrix first."""


def traced_metric(metric: str, scores: Traced, gamma: Any = 1.0) -> Token:
    """Return the token of a metric of a stand-in."""
    known = scores.side == 0 and (scores.ndim == 2 or (scores.ndim > 0 and metric in POOLED))
    if not known or isinstance(gamma, bool) or not isinstance(gamma, int | float | np.number):
        _no_number()
    return Token(metric, scores.cells(), float(gamma))


def traced_improvement(x: object, y: object) -> Token:
    """Return the token of the probability of improvement of the first array over the second, both whole."""
    for side, scores in enumerate((x, y)):
        if type(scores) is not Traced or scores.side != side or scores.ndim != 2 or scores.shape != scores.whole:
            _no_number()
        if scores.cells() != tuple(range(scores.shape[1])):
            _no_number()
    return Token("improvement")


@dataclass(frozen=True, slots=True)
class Trace:
    """The tokens that a function returned."""

    tokens: tuple[Token, ...]


def trace(func: Callable[..., Any], shapes: Sequence[tuple[int, ...]]) -> Trace | None:
    """Return what a function makes of arrays of these shapes, or None if that is not metrics alone."""
    stand_ins = [
        Traced(np.arange(int(np.prod(shape))).reshape(shape), side, shape) for side, shape in enumerate(shapes)
    ]
    try:
        return _of_tokens(func(*stand_ins))
    except Exception:  # whatever it was, the function can still be called with numbers
        return None


def _of_tokens(found: object) -> Trace | None:
    if type(found) is Token:
        return Trace((found,))
    if type(found) is not np.ndarray or found.ndim != 1 or not found.size:
        return None
    tokens = tuple(found.tolist())
    return Trace(tokens) if all(type(token) is Token for token in tokens) else None
