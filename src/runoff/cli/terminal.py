"""The terminal: what its tables, titles and lines look like. Names are text, never markup."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from runoff._bidi import isolated, isolated_in
from runoff._counts import span
from runoff._shorten import one_line, short_names
from runoff.cli.warn import plain
from runoff.plots import marks

if TYPE_CHECKING:
    from runoff.results.advice import Advice
    from runoff.results.comparison import ComparisonResult
    from runoff.scores import Scores

FEW_TASKS = 6
"""Up to this many tasks, the table of the data has one column per task."""
COLORS = {"warning": "bold red", "caution": "yellow", "info": "cyan"}
PIPE_WIDTH = 120
NAME_WIDTH, HEAD_WIDTH = 36, 16
"""Columns of the terminal for the name of an algorithm with its dot, and for that of a task above its numbers."""


class _Quiet(Console):
    def on_broken_pipe(self) -> None:
        """Go on in silence: the reader has seen enough, and the report is still to be finished."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_console() -> Console:
    """Return stdout: as wide as the terminal, or of a fixed width in a pipe."""
    return _Quiet(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


def show_data(console: Console, scores: Scores) -> None:
    """Print where the scores are from, how they were read, and how many there are."""
    origin = scores.provenance
    where = f"{origin.path} ({origin.format})" if origin.path else "given in memory"
    console.print(Text.assemble(("Data: ", "bold"), plain(where)), soft_wrap=True)
    if origin.columns:
        say(console, "columns: " + ", ".join(f"{role} = {column}" for role, column in origin.columns), indent="  ")
    if origin.parts:
        say(console, "from the path: " + ", ".join(f"{role} = {part}" for role, part in origin.parts), indent="  ")
    say(
        console,
        "normalised by " + origin.reference.split(";")[0] if origin.reference else "not normalised",
        indent="  ",
    )
    for note in origin.notes:
        say(console, note, indent="  ")
    console.print(_counts(scores))


def _counts(scores: Scores) -> Table:
    by_task = scores.n_tasks <= FEW_TASKS
    heads = headed(scores.tasks) if by_task else ["tasks", "runs per task", "scores"]
    steps = dict(scores.provenance.steps)
    heads += ["steps"] if steps else []
    table = new_table("algorithm", heads)
    dots = dotted(scores.algorithms)
    for name, counts in zip(scores.algorithms, scores.n_runs.tolist(), strict=True):
        present = [n for n in counts if n]
        compact = (len(present), span(present), sum(present))
        cells = [str(n or "–") for n in (counts if by_task else compact)]
        table.add_row(dots[name], *cells, *([steps.get(name, "–")] if steps else []))
    if by_task:
        table.caption, table.caption_justify = "runs by algorithm and task", "left"
    return table


def show_advice(console: Console, advice: Iterable[Advice], comparison: ComparisonResult | None = None) -> None:
    """Print one entry per code, with the pairs or algorithms it concerns."""
    from runoff.report.words.advice import grouped

    groups = grouped(advice, comparison)
    if groups:
        show_title(console, "Advice")
    for group in groups:
        one = group.first
        whom = f" {group.whom}" if group.whom else ""
        head = (f"{one.severity} {one.code} ", COLORS[one.severity])
        text = Text.assemble("  ", head, isolated_in(plain(f"{one.text}{whom} ({one.source})")))
        console.print(text, soft_wrap=not console.is_terminal)


def new_table(first: str, rest: Iterable[str]) -> Table:
    """Return an empty table: names on the left, numbers on the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(Text("  " + first), no_wrap=True, overflow="ellipsis", max_width=NAME_WIDTH)
    for head in rest:
        table.add_column(Text(head), justify="right", overflow="ellipsis")
    return table


def dotted(names: Sequence[str]) -> dict[str, Text]:
    """Return each name with a dot of its colour, shortened to what tells it from the others."""
    called = fitted(names, NAME_WIDTH - 2)
    return {name: Text.assemble(("● ", mark.color), called[name]) for name, mark in marks(names).items()}


def fitted(names: Iterable[str], columns: int) -> dict[str, str]:
    """Return names of at most so many columns, shortened to what tells them apart."""
    found = short_names(names, columns, cell_len, shown=lambda name: plain(one_line(name)))
    return {name: isolated(label) for name, label in found.items()}


def headed(names: Sequence[str]) -> list[str]:
    """Return names as the heads of columns, shortened to what tells them apart."""
    called = fitted(names, HEAD_WIDTH)
    return [called[name] for name in names]


def show_title(console: Console, text: str) -> None:
    """Print a heading."""
    console.print()
    console.print(Text(text, style="bold"))


def say(console: Console, text: str, indent: str = "") -> None:
    """Print one line of plain text."""
    console.print(Text(indent + isolated_in(plain(text))), soft_wrap=not console.is_terminal)
