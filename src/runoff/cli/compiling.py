"""A line on stderr while kernels are compiled: the first call of an installation takes seconds longer than the next one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from numba.core import event

PATIENCE = 1.0
"""Seconds of compiling before it is said."""
MESSAGE = "compiling (once per installation) …"


class Compiling(event.Listener):
    """Adds up the time that numba compiles, and says so once; numba compiles one kernel at a time, and those that it calls within."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience, self.spent, self.depth, self.since, self.said = patience, 0.0, 0, 0.0, False

    def on_start(self, _event: event.Event) -> None:
        """A kernel, or one that it calls, begins to be compiled."""
        self._add()
        self.depth += 1

    def on_end(self, _event: event.Event) -> None:
        """It is compiled."""
        self._add()
        self.depth -= 1

    def _add(self) -> None:
        now = perf_counter()
        self.spent += now - self.since if self.depth else 0.0
        self.since = now
        if self.spent > self.patience and not self.said:
            self.said = True
            sys.stderr.write(f"{MESSAGE}\n")
            sys.stderr.flush()


@contextmanager
def said_when_compiling() -> Iterator[None]:
    """Say once on stderr that kernels are compiled, where that takes longer than `PATIENCE`."""
    with event.install_listener("numba:compile", Compiling()):
        yield
