"""The command line: `main` is the entry point, each verb is a file.

A verb parses, reads, makes one call, renders and returns. stdout is the answer, stderr is talk. Exit codes: 0 answered; 1 `gate` says
no; 2 bad usage or bad data, in one sentence; 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    from runoff.cli.app import run

    sys.exit(run(arguments))
