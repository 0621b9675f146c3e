"""The one decorator of every compiled kernel: nopython, without the GIL, cached on disk. numba is imported by the first call of any."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from typing import Any, Generic, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
LOADED: list[Callable[[], object]] = []
"""What is called before a kernel is compiled or loaded for the first time in this process."""
LOCK = RLock()


class Kernel(Generic[P, R]):
    """A function that is compiled on its first call; one that another calls is compiled within that."""

    def __init__(self, function: Callable[P, R]) -> None:
        update_wrapper(self, function)
        self.function, self.compiled = function, cast(Any, None)

    @property
    def dispatcher(self) -> Any:
        with LOCK:  # threads share what is compiled
            if self.compiled is None:
                import numba

                while LOADED:
                    LOADED.pop()()
                self.compiled = numba.njit(nogil=True, cache=True, error_model="numpy")(self.function)
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
