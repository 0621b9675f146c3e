"""Ctrl-C and SIGTERM: what they may not divide, and what they take away."""

from __future__ import annotations

import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
NOTHING = "nothing was written; run the same command again."


@dataclass(slots=True)
class WrittenFiles:
    """The files of this process: hidden ones that are not whole yet, and what was written in full.

    `concluding`: a call that has written its answer ends by itself, since the same command might not give that answer again.
    """

    unfinished: dict[Path, None] = field(default_factory=dict)
    written: dict[str, None] = field(default_factory=dict)
    concluding: bool = False

    def forget(self) -> None:
        """Begin a new call."""
        self.written.clear()
        self.concluding = False

    def note(self, thing: Path | str, *, last: bool = True) -> None:
        """Take down a file, a folder, or what else is there in full; `last`: this call writes nothing else that takes long."""
        self.written[str(thing)] = None
        self.concluding = self.concluding or last

    def words(self) -> str:
        """Return what was written before an interrupt, and how to go on."""
        if not self.written:
            return NOTHING
        return f"written in full: {', '.join(self.written)}; run the same command again to go on."

    def take_away(self) -> None:
        """Remove what is not whole."""
        for path in list(self.unfinished):
            _remove(path)


WRITTEN_FILES = WrittenFiles()


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """Remove a hidden file or folder when the block has ended, or when a signal ends the process."""
    WRITTEN_FILES.unfinished[path] = None
    try:
        yield path
    finally:
        _remove(path)
        WRITTEN_FILES.unfinished.pop(path, None)  # another thread may have held the same lock since


def _remove(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def undivided() -> Iterator[None]:
    """Have signals wait for the end of the block, so that they meet its files all old or all new."""
    if threading.current_thread() is not threading.main_thread():  # signals reach the main thread only
        yield
        return
    waiting: list[int] = []

    def wait(number: int, _frame: FrameType | None) -> None:
        waiting.append(number)

    before = {int(number): signal.getsignal(number) for number in SIGNALS}
    before = {number: handler for number, handler in before.items() if handler is not None}  # None: not set by Python
    for number in before:
        signal.signal(number, wait)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        # The handlers are back, so that the signal now does what it would have done; several that waited end the
        # process as one does.
        if waiting:
            signal.raise_signal(waiting[0])
