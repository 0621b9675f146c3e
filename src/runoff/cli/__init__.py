"""The command line: `main` is the entry point, each verb is a file.

A verb parses, reads, makes one call, renders and returns. stdout carries the answer, stderr everything else. Exit codes: 0 answered; 2 bad usage
or bad data, in one sentence; 130 interrupted.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Sequence

SELDOM = 100_000
"""New objects between two searches for cycles: imports and figures make many objects that live as long as the process."""


def main(arguments: Sequence[str] | None = None) -> None:
    from runoff.cli.app import run

    signal.signal(signal.SIGTERM, _terminated)  # so that a half-written report is taken away
    gc.set_threshold(SELDOM)
    code = run(arguments)
    gc.freeze()  # the process ends: half a second of search for cycles would free what nobody needs
    sys.exit(code)


def _terminated(number: int, _frame: object) -> None:
    sys.exit(128 + number)
