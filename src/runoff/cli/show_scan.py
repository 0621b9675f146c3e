"""Runs that were found, on the terminal: one line for the runs of each algorithm on each task."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from runoff.cli.terminal import NAME_WIDTH, fitted, new_table, open_console, say, say_some
from runoff.cli.warn import plain
from runoff.words.numbers import counted, span

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.results.scan import ScanRecord, ScanResult

SHOWN = 10
"""Runs of a cell whose names are listed."""


def show_scan(found: ScanResult) -> None:
    """Print the runs by algorithm and task, what was chosen and what happened."""
    console = open_console()
    say(console, str(found))
    cells: dict[tuple[str, str, str], list[ScanRecord]] = {}
    for record in found.records:
        cells.setdefault((record.algorithm, record.task, record.tool), []).append(record)
    table = new_table("algorithm", ("task", "runs", "named", "last step", "score", "tool"), left=True)
    called = fitted((algorithm for algorithm, _, _ in cells), NAME_WIDTH)
    for (algorithm, task, tool), records in cells.items():
        row = (task, str(len(records)), _names(records), _steps(records), _metrics(records), tool)
        table.add_row(called[algorithm], *(Text(plain(cell)) for cell in row))
    if cells:
        console.print(table)
    say_some(console, found.notes, "note", "  ")


def show_import(curves: Curves, out: Path) -> None:
    """Print what was written, and how it was understood."""
    console = open_console()
    runs = counted([len(curves.runs)], "run")
    say(console, f"{out}: {runs} of {len(curves.algorithms)} algorithm(s) on {len(curves.tasks)} task(s)")
    for note in curves.provenance.notes:
        say(console, note, indent="  ")


def _names(records: Iterable[ScanRecord]) -> str:
    names = [record.run for record in records]
    return ", ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")


def _steps(records: Iterable[ScanRecord]) -> str:
    known = [record.steps for record in records if record.steps is not None]
    return span(int(step) for step in known) if known else "–"


def _metrics(records: Iterable[ScanRecord]) -> str:
    """Return the series that would be the score; in brackets the likeliest one of runs that do not have it."""
    names = dict.fromkeys(record.metric or (f"({record.metrics[0]})" if record.metrics else "–") for record in records)
    return ", ".join(names)
