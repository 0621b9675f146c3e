"""Output on stderr during a wait: a progress bar on a terminal, and everywhere the library's log, such as the compilation of kernels."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from runoff.base.waiting import is_heard, listening

PATIENCE = 1.0
"""The number of seconds before the bar appears."""


@contextmanager
def progress() -> Iterator[Callable[[str, float], None]]:
    """Yield a function that takes a description of the work and the share that is done."""
    log, handler = logging.getLogger("runoff"), logging.StreamHandler(sys.stderr)
    before = log.level
    log.addHandler(handler)
    # Only while a verb waits: as a library runoff says nothing by itself.
    log.setLevel(logging.INFO)
    try:
        # Reading is the first fifth of what a verb does.
        with _bar() as tell, listening(lambda what, share: tell(what, 0.2 * share)):
            yield tell
    finally:
        log.setLevel(before)
        log.removeHandler(handler)


@contextmanager
def reading() -> Iterator[None]:
    """Draw a bar while files are read, for verbs that draw no bar themselves."""
    if is_heard():
        yield
        return
    with progress() as tell:
        tell("reading", 0.0)
        yield


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
    # Calls that are done within a second draw no bar: it would only flash.
    timer = Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda what, share: bar.update(task, description=what, completed=share)
    finally:
        timer.cancel()
        bar.stop()
