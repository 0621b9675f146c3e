"""The one decorator of every kernel: compiled by numba (nopython, without the GIL, kept on disk), and interpreted where there is no numba.

A kernel is Python that both can run, to the same bits. numba is imported by the first call of any.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock, local
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

from runoff._kernels._kept import caching

P = ParamSpec("P")
R = TypeVar("R")
LOADED: list[Callable[[], object]] = []
"""What is called before a kernel is compiled or loaded for the first time in this process."""
LOCK = RLock()
INTERPRETED = local()
"""`INTERPRETED.now` is true in a thread that interprets a kernel."""


class Kernel(Generic[P, R]):
    """A function that is compiled on its first call; one that another calls is compiled within that."""

    def __init__(self, function: Callable[P, R]) -> None:
        update_wrapper(self, function)
        self.function, self.compiled = function, cast(Any, None)

    @property
    def dispatcher(self) -> Any:
        with LOCK:  # threads share what is compiled
            if self.compiled is None:
                self.compiled = compiled(self.function) or interpreted(self.function)
            return self.compiled

    @property
    def _numba_type_(self) -> Any:
        """What a kernel is to numba inside another."""
        return self.dispatcher._numba_type_

    def __call__(self, *args: P.args, **named: P.kwargs) -> R:
        return cast("R", (self.compiled or self.dispatcher)(*args, **named))

    def __reduce__(self) -> str:
        return self.function.__qualname__


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` on its first call; the typed signature stays that of the Python source."""
    return Kernel(function)


def compiled(function: Callable[..., object]) -> Any:
    """Return numba's dispatcher of a function; None where numba is not installed, refuses this Python or NumPy, or is switched off."""
    try:
        import numba
    except ImportError:
        return None
    if getattr(numba.config, "DISABLE_JIT", False):
        return None
    while LOADED:
        LOADED.pop()()
    return caching(numba.njit(nogil=True, error_model="numpy")(function))


def interpreted(function: Callable[..., object]) -> Callable[..., object]:
    """Return the function as Python runs it, in which numbers of NumPy overflow and divide by 0 without a word, as compiled ones do."""

    def call(*args: Any, **named: Any) -> object:
        if getattr(INTERPRETED, "now", False):  # `errstate` takes longer than most kernels that another one calls
            return function(*args, **named)
        INTERPRETED.now = True
        try:
            with np.errstate(all="ignore"):
                return function(*args, **named)
        finally:
            INTERPRETED.now = False

    return call
