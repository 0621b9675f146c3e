"""The command line: `main` is the entry point, each verb is a file.

A verb parses its options, reads, makes one call, prints the answer and returns. stdout carries the answer, stderr everything else. Exit
codes: 0 answered; 2 bad usage or bad data, in one sentence; 70 an error of runoff itself, with its traceback; 74 stdout did not take the
answer; 130 interrupted; 143 ended by SIGTERM. 1 is used by the gate only, for a candidate that fails.
"""

from __future__ import annotations

import gc
import os
import signal
import sys

TYPE_CHECKING = False  # typing's own is an import, and until `main` has begun Ctrl-C ends in a traceback
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

SELDOM = 100_000
"""The number of new objects between two garbage collections: imports and figures make many objects that live as long as the process."""

INTERNAL = 70
"""The exit code of an unexpected error (EX_SOFTWARE of sysexits.h)."""


def main(arguments: Sequence[str] | None = None) -> None:
    # Until the imports below are done, Ctrl-C meets a handler that needs none of them.
    _handle(_ended_while_starting)
    gc.set_threshold(SELDOM)
    from runoff.cli.ending import end
    from runoff.cli.streams import own_streams

    _handle(end)
    with own_streams():
        code = _code_of(arguments)
    _handle(signal.SIG_IGN)  # the answer is given: nothing is left that a signal could end
    gc.freeze()  # the process ends: half a second of search for cycles would free what nobody needs
    sys.exit(code)


def _code_of(arguments: Sequence[str] | None) -> int:
    """Return the exit code of a command line; Python's own code for an error is 1, which would mean that a candidate has regressed."""
    try:
        from runoff.cli.app import run

        return run(arguments)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException:  # a panic of polars is no Exception
        import traceback

        traceback.print_exc()
        return INTERNAL


def _handle(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # a shell has its background jobs ignore Ctrl-C
            signal.signal(number, handler)


def _ended_while_starting(number: int, _frame: FrameType | None) -> None:
    """End the process like `runoff.cli.ending.end`, before that is imported."""
    message = b"interrupted" if number == signal.SIGINT else b"ended by SIGTERM"
    try:
        os.write(2, message + b"; nothing was written; run the same command again.\n")
    finally:  # where stderr is closed or full, the exit code says it
        os._exit(128 + number)
