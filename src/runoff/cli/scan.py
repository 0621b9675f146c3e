"""runoff scan: what runs are there?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.record import show_record
from runoff.cli.streams import plain
from runoff.cli.terminal import NAME_WIDTH, Sheet, fitted, open_console, say, say_some
from runoff.cli.verb import verb
from runoff.words.numbers import span

if TYPE_CHECKING:
    from runoff.results.scan import ScanRecord, ScanResult

SHOWN = 10
"""Runs of a cell whose names are listed."""


ABOUT = """
path PATH: A folder of training logs, or a single log.
"""


@verb
def scan(path: str, pattern: str | None = None, json: bool = False) -> None:
    """What runs lie in a folder of training logs, and what would be read of them?"""
    from runoff.cli.progress import progress
    from runoff.io import scan as scan_path

    with progress() as tell:
        tell("looking at the files", 0.0)
        result = scan_path(path, **o.given(pattern=pattern))
    if json:
        left = [result.not_understood] if result.not_understood else []
        show_record(result.to_records(), notes=[*result.notes, *left])
    else:
        show_scan(result)


def show_scan(result: ScanResult) -> None:
    """Print the runs by algorithm and task, what was chosen and what happened."""
    console = open_console()
    say(console, str(result))
    cells: dict[tuple[str, str, str], list[ScanRecord]] = {}
    for record in result.records:
        cells.setdefault((record.algorithm, record.task, record.tool), []).append(record)
    table = Sheet("algorithm", ("task", "runs", "named", "last step", "score", "tool"), left=True)
    labels = fitted((algorithm for algorithm, _, _ in cells), NAME_WIDTH)
    for (algorithm, task, tool), records in cells.items():
        runs = ", ".join(record.run for record in records[:SHOWN]) + (" …" if len(records) > SHOWN else "")
        steps = [int(record.steps) for record in records if record.steps is not None]
        # The series that would be the score; in brackets the likeliest one of runs that do not have it.
        series = dict.fromkeys(r.metric or (f"({r.metrics[0]})" if r.metrics else "–") for r in records)
        row = (task, str(len(records)), runs, span(steps) if steps else "–", ", ".join(series), tool)
        table.add_row(labels[algorithm], *map(plain, row))
    if cells:
        console.print(table)
    say_some(console, result.notes, "note", "  ")
