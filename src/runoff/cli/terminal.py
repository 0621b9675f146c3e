"""The terminal: what its tables, titles and lines look like. Names are text, never markup."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from runoff.cli.ascii import spelled
from runoff.cli.sheet import Sheet
from runoff.cli.warn import plain
from runoff.cli.wrap import wrapped
from runoff.plots import marks
from runoff.words.numbers import counted, span
from runoff.words.shorten import isolated, isolated_in, one_line, short_names

if TYPE_CHECKING:
    from runoff.data.scores import Scores
    from runoff.results.advice import Advice
    from runoff.results.comparison import ComparisonResult

HANG = 2
"""Spaces before the further lines of a sentence."""
MOST_LINES = 20
"""Of a list of sentences; further ones are counted."""
FEW_TASKS = 6
"""Up to this many tasks, the table of the data has one column per task."""
COLORS = {"warning": "bold red", "caution": "yellow", "info": "cyan"}
PIPE_WIDTH = 120
"""Of what is no terminal."""
ALL_IN_JSON = "--json prints all of them"
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
    say_some(console, origin.notes, "note", "  ")
    by_task = _counts(scores, by_task=scores.n_tasks <= FEW_TASKS)
    console.print(by_task if by_task.width <= console.width else _counts(scores, by_task=False))


def _counts(scores: Scores, *, by_task: bool) -> Sheet:
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
        table.caption = "runs by algorithm and task"
    return table


def show_advice(
    console: Console, advice: Iterable[Advice], comparison: ComparisonResult | None = None, leading: Sequence[str] = ()
) -> None:
    """Print one entry per code, with the pairs or algorithms it concerns, in the order of `leading`."""
    from runoff.report.words.advice import grouped

    groups = grouped(advice, comparison, leading)
    if groups:
        show_title(console, "Advice")
    for group in groups:
        one = group.first
        whom = f" {group.whom}" if group.whom else ""
        say(console, f"{one.text}{whom} ({one.source})", "  ", (f"{one.severity} {one.code} ", COLORS[one.severity]))


def new_table(first: str, heads: Iterable[str], *, left: bool = False, rest: str = ALL_IN_JSON) -> Sheet:
    """Return an empty table: names on the left, numbers on the right; `rest` says where rows are that are too many."""
    return Sheet("  " + first, heads, left=left, rest=rest)


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
    console.print(Text(seen(console, text), style="bold"))


def say(console: Console, text: str, indent: str = "", head: tuple[str, str] = ("", "")) -> None:
    """Print one line of plain text, with a styled head before it."""
    before = indent + seen(console, head[0])
    whole = before + seen(console, isolated_in(plain(text)))
    hang = len(indent) + HANG
    lines = [one for part in whole.split("\n") for one in wrapped(part, console.width, hang)]
    line = Text("\n".join(lines) if console.is_terminal else whole)
    line.stylize(head[1], len(indent), len(before))
    console.print(line, soft_wrap=True)


def say_some(console: Console, texts: Sequence[str], noun: str, indent: str = "", rest: str = ALL_IN_JSON) -> None:
    """Print the first of many lines, and how many more there are and where."""
    for text in texts[:MOST_LINES]:
        say(console, text, indent)
    left = len(texts) - MOST_LINES
    if left > 0:
        say(console, f"… and {counted([left], f'more {noun}')}: {rest}.", indent)


def seen(console: Console, text: str) -> str:
    """Return what the terminal can show of a text."""
    return spelled(text) if console.options.ascii_only else text
