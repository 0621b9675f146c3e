"""What `runoff claims` prints for people: how the table was read, one sentence a claim, what the table does not say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from runoff.cli.choose import assignments
from runoff.cli.terminal import open_console, say, show_title

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.results.claims import ClaimsResult, PublishedTable

MARKS = {"yes": "✓", "no": "✗", "depends_on_spread": "±", "cannot_be_said": "?"}
"""Before each sentence."""


def runs_of(given: Sequence[str] | None) -> int | dict[str, int] | None:
    """Return N of "5", or {NAME: N} of "PPO=5" texts."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return _whole(given[0])
    pairs = [part.rpartition("=") for part in assignments(list(given))]
    if any(not sign for _, sign, _ in pairs):
        raise typer.BadParameter(
            f"--n takes one number, or NAME=N for each algorithm or task, not {', '.join(given)!r}"
        )
    return {name.strip(): _whole(number) for name, _, number in pairs}


def _whole(text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdigit()):
        raise typer.BadParameter(f"--n takes a whole number, not {text!r}")
    return int(text)


def show_claims(found: ClaimsResult, out: Path | None) -> None:
    """Print the answer, how the table was read, the claims and the limits."""
    console = open_console()
    say(console, str(found))
    _reading(console, found)
    show_title(console, f"Claims of {WHOSE[found.claimed_by]}")
    for claim in found.claims:
        say(console, f"{MARKS[claim.supported]} {claim.sentence}")
    show_title(console, "What this table does not let anyone say")
    for limit in found.limits:
        say(console, f"- {limit}")
    if out is not None:
        console.print()
        say(console, f"Claims: {out}")


WHOSE = {
    "algorithm": "the algorithm that was named",
    "bold": "the bold cells",
    "mean": "the best mean of each task",
}


def _reading(console: Console, found: ClaimsResult) -> None:
    from runoff._inference.summaries import SPREADS

    table = found.table
    show_title(console, f"Read from {table.place} ({table.format})")
    kinds = " or ".join(SPREADS[kind].title for kind in found.spreads)
    say(
        console,
        f"± is the {kinds}{'' if len(found.spreads) == 1 else ' (not known; both are answered)'}; {_runs(table)}.",
        indent="  ",
    )
    say(console, _better(table), indent="  ")
    for note in (*table.notes, *found.notes):
        say(console, note, indent="  ")
    for task in table.tasks:
        cells = [(name, table.cell(name, task)) for name in table.algorithms]
        told = [
            f"{name} {'–' if cell is None else cell.numbers}{' (bold)' if cell and cell.bold else ''}"
            for name, cell in cells
        ]
        say(console, f"{task}: {'; '.join(told)}", indent="  ")


def _better(table: PublishedTable) -> str:
    if not table.lower:
        return "Higher is better on all tasks."
    elsewhere = len(table.lower) < len(table.tasks)
    return (
        f"Lower is better on {', '.join(table.lower)}; higher elsewhere."
        if elsewhere
        else "Lower is better on all tasks."
    )


def _runs(table: PublishedTable) -> str:
    runs = sorted({cell.n for cell in table.cells if cell.n is not None})
    if not runs:
        return "n is not printed"
    return f"n = {runs[0]} in each cell" if len(runs) == 1 else f"n from {runs[0]} to {runs[-1]}"
