"""The one decorator of every kernel: compiled by numba (nopython, without the GIL, kept on disk), and interpreted where there is no numba.

A kernel is Python that both can run, to the same bits. numba is imported by the first call of any. Compiling takes seconds in the first call of
an installation, which the logger "runoff" then says (INFO).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache, update_wrapper
from threading import RLock, local
from time import perf_counter
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

from runoff._kernels._kept import any_kept, caching

P = ParamSpec("P")
R = TypeVar("R")
LOG = logging.getLogger("runoff")
PATIENCE = 1.0
"""Seconds of compiling before that is announced."""
MESSAGE = "compiling (once per installation) …"
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
        # Pickled by its name, as a function is: a worker process imports it, and compiles or loads it itself.
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
    if LOG.isEnabledFor(logging.INFO):
        announce_compiling()
    # error_model: dividing by 0 gives NumPy's answer, as in the interpreted loop, instead of an exception.
    return caching(numba.njit(nogil=True, error_model="numpy")(function))


@cache
def announce_compiling() -> None:
    """Make numba report, once per process, what it compiles to a listener."""
    from numba.core import event

    # numba takes only what is registered as a listener, which by inheritance would need numba at import.
    event.Listener.register(Compiling)
    event.register("numba:compile", cast(Any, Compiling()))


class Compiling:
    """Adds up the time that numba compiles, one kernel at a time with those that it calls, and says so in an installation's first call."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience, self.spent, self.depth, self.since = patience, 0.0, 0, 0.0
        self.announced: bool | None = None

    def notify(self, event: Any) -> None:
        (self.on_start if event.is_start else self.on_end)(event)

    def on_start(self, _event: object) -> None:
        if self.announced is None:  # this process has kept no kernel yet: any that is there is of an earlier call
            self.announced = any_kept()
        self._add()
        self.depth += 1

    def on_end(self, _event: object) -> None:
        self._add()
        self.depth -= 1

    def _add(self) -> None:
        now = perf_counter()
        # Between two kernels at depth 0 nothing compiles, and that time is not added.
        self.spent += now - self.since if self.depth else 0.0
        self.since = now
        if self.spent > self.patience and not self.announced:
            self.announced = True
            LOG.info(MESSAGE)


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
