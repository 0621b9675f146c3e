"""Ctrl-C and SIGTERM at the command line: the cleanup of the process, and its last sentence."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType

from runoff.base import interrupts


def end(number: int, _frame: FrameType | None) -> None:
    """End the process of a command line, as the handler of a signal.

    The process ends here and not by an exception, which could be raised anywhere and be swallowed, printed, or taken for a failed import.
    """
    # The answer is written: the call ends by itself in a moment, and cut off here the same command might not give
    # that answer again.
    if interrupts.WRITTEN_FILES.concluding:  # a second signal ends the call all the same
        interrupts.WRITTEN_FILES.concluding = False
        return
    for ending in interrupts.SIGNALS:
        signal.signal(ending, signal.SIG_IGN)
    try:
        _say_goodbye(number)
    finally:
        os._exit(128 + number)


def _say_goodbye(number: int) -> None:
    interrupts.WRITTEN_FILES.take_away()
    beginning = "interrupted" if number == signal.SIGINT else "ended by SIGTERM"
    show_cursor = "\r\x1b[K\x1b[?25h" if os.isatty(2) else ""  # a progress bar hides it
    line = f"{show_cursor}{beginning}; {interrupts.WRITTEN_FILES.words()}\n"
    with suppress(OSError):
        # Not print: the interrupted code may be inside a write to stderr, whose buffer is then locked.
        os.write(2, line.encode("ascii", "backslashreplace"))
    if "multiprocessing" in sys.modules:
        for child in sys.modules["multiprocessing"].active_children():  # workers of a study
            child.terminate()
