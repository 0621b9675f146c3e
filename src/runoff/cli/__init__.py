"""The command line: `main` is the entry point, each verb is a file.

A verb parses, reads, makes one call, renders and returns. stdout carries the answer, stderr everything else. Exit codes: 0 answered; 2 bad usage
or bad data, in one sentence; 70 an error of runoff itself, with its traceback; 130 interrupted. 1 is the gate's alone: a candidate that fails.
"""

from __future__ import annotations

import gc
import signal
import sys
import traceback
from collections.abc import Sequence

SELDOM = 100_000
"""New objects between two searches for cycles: imports and figures make many objects that live as long as the process."""

INTERNAL = 70
"""The exit code of an error that nobody foresaw (EX_SOFTWARE of sysexits.h)."""


def main(arguments: Sequence[str] | None = None) -> None:
    signal.signal(signal.SIGTERM, _terminated)  # so that a half-written report is taken away
    gc.set_threshold(SELDOM)
    try:
        from runoff.cli.app import run

        code = run(arguments)
    except Exception:  # Python's own exit code would be 1, which says that a candidate has regressed
        traceback.print_exc()
        code = INTERNAL
    gc.freeze()  # the process ends: half a second of search for cycles would free what nobody needs
    sys.exit(code)


def _terminated(number: int, _frame: object) -> None:
    sys.exit(128 + number)
