"""A progress bar on stderr, for what takes longer than a second, on a terminal only; anywhere a line where kernels are compiled."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

PATIENCE = 1.0
"""Seconds before the bar appears."""


@contextmanager
def progress() -> Iterator[Callable[[str, float], None]]:
    """Yield a function that is told what is being done and the share that is done; nothing reaches stdout meanwhile."""
    from runoff.cli.compiling import said_when_compiling

    with _talk_on_stderr(), _bar() as tell, said_when_compiling():
        yield tell


@contextmanager
def _talk_on_stderr() -> Iterator[None]:
    """Send to stderr what compiled libraries write to stdout: HiGHS prints a line in some mixed-integer programmes."""
    try:
        sys.stdout.flush()
        stdout = os.dup(1)
        os.dup2(2, 1)
    except OSError:  # there is no stdout, or no stderr
        yield
        return
    try:
        yield
    finally:
        os.dup2(stdout, 1)
        os.close(stdout)


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
