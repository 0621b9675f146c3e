"""runoff scan: what runs are there?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.record import show_result
from runoff.cli.terminal import open_console, say, say_some, show_tables
from runoff.cli.verb import verb

if TYPE_CHECKING:
    from runoff.results.scan import ScanResult


ABOUT = """
path PATH: Folder of training logs, or a single log.
"""


@verb
def scan(path: str, pattern: str | None = None, json: bool = False) -> None:
    """List the runs in a folder of training logs.

    $ runoff scan .
    $ runoff scan . --json
    """
    from runoff.cli.progress import progress
    from runoff.io import scan as scan_path

    with progress() as tell:
        tell("looking at the files", 0.0)
        result = scan_path(path, **o.given(pattern=pattern))
    if json:
        left = [result.not_understood] if result.not_understood else []
        show_result(result, notes=left)
    else:
        show_scan(result)


def show_scan(result: ScanResult) -> None:
    """Print the runs by algorithm and task, what was chosen and what happened."""
    console = open_console()
    say(console, result.sentence)
    if result.rows:
        show_tables(console, result.tables())
    say_some(console, result.notes, "note", "  ")
