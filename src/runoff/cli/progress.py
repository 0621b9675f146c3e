"""What stderr says while one waits: a progress bar on a terminal, and anywhere a line where kernels are compiled.

The first call of an installation compiles, which takes seconds longer than the next one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from threading import Timer
from time import perf_counter
from typing import Any, cast

from runoff import _kernels
from runoff._kernels._jit import LOADED
from runoff._kernels._kept import SUFFIX

PATIENCE = 1.0
"""Seconds before the bar appears, and of compiling before that is announced."""
MESSAGE = "compiling (once per installation) …"


@contextmanager
def progress() -> Iterator[Callable[[str, float], None]]:
    """Yield a function that is told what is being done and the share that is done."""

    def listen() -> None:
        open_ones.enter_context(listening(Compiling()))

    LOADED.append(listen)
    try:
        with ExitStack() as open_ones, _bar() as tell:
            yield tell
    finally:
        if listen in LOADED:  # nothing was compiled
            LOADED.remove(listen)


def listening(listener: Compiling) -> AbstractContextManager[object]:
    """Return a context in which numba, imported with the first kernel, tells a listener what it compiles."""
    from numba.core import event

    event.Listener.register(Compiling)
    return cast("AbstractContextManager[object]", event.install_listener("numba:compile", listener))


@contextmanager
def _bar() -> Iterator[Callable[[str, float], None]]:
    if not sys.stderr.isatty():
        yield lambda _what, _share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("starting", total=1.0)
    timer = Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda what, share: bar.update(task, description=what, completed=share)
    finally:
        timer.cancel()
        bar.stop()


def kernels_kept() -> bool:
    """Return whether an earlier call has left compiled kernels on disk."""
    from numba.core import config

    folder = Path(getattr(config, "CACHE_DIR", "") or _kernels.__path__[0])
    return next(folder.rglob(f"*{SUFFIX}"), None) is not None


class Compiling:
    """Adds up the time that numba compiles, one kernel at a time with those that it calls, and says so in an installation's first call."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience, self.spent, self.depth, self.since = patience, 0.0, 0, 0.0
        self.announced: bool | None = None

    def notify(self, event: Any) -> None:
        (self.on_start if event.is_start else self.on_end)(event)

    def on_start(self, _event: object) -> None:
        if self.announced is None:  # this process has kept no kernel yet: any that is there is of an earlier call
            self.announced = kernels_kept()
        self._add()
        self.depth += 1

    def on_end(self, _event: object) -> None:
        self._add()
        self.depth -= 1

    def _add(self) -> None:
        now = perf_counter()
        self.spent += now - self.since if self.depth else 0.0
        self.since = now
        if self.spent > self.patience and not self.announced:
            self.announced = True
            sys.stderr.write(f"{MESSAGE}\n")
            sys.stderr.flush()
