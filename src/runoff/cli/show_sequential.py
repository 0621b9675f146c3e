"""What `runoff sequential` prints for people: the outcome in a sentence, each pair, the looks, what it cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from runoff.cli.terminal import new_table, open_console, say, show_title
from runoff.words.numbers import digits, exactly

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.methods.sequential import SequentialDesign
    from runoff.results.sequential import SequentialResult


def show_sequential(found: SequentialResult, state: Path | None, out: Path | None) -> None:
    """Print the answer."""
    console = open_console()
    say(console, found.sentence)
    if found.pairs:
        show_title(console, "Pairs")
        for pair in found.pairs:
            say(console, f"{'○' if pair.decision == 'go_on' else '●'} {pair.sentence}")
    show_title(console, f"Looks (α = {exactly(found.alpha)}, spent so far {digits(found.alpha_spent, 4)})")
    table = new_table("runs per task", ["α spent", "bound of a single pair"])
    for look in found.looks:
        mark = "● " if look.look <= found.look else "  "
        bound = "–" if look.boundary is None else f"±{look.boundary:.3f}"
        table.add_row(Text(f"{mark}{look.n_runs}"), f"{digits(look.alpha_spent, 4)}", bound)
    console.print(table)
    _cost(console, found)
    for note in found.notes:
        say(console, f"Note: {note}")
    if state is None and found.look and found.next_look is not None:
        say(console, "Note: nothing was kept; name a file by --state to go on from here.")
    for what, where in (("State", state), ("Figure and table", out)):
        if where is not None:
            say(console, f"{what}: {where}")


def _cost(console: Console, found: SequentialResult) -> None:
    budget = "" if found.budget is None else f" of a budget of {digits(found.budget, 6)}"
    more = f"; the next look costs {digits(found.next_cost, 6)}" if found.next_look is not None else ""
    say(console, f"Cost so far: {digits(found.cost, 6)}{budget}{more}.")


def show_design(design: SequentialDesign, path: Path) -> None:
    """Print where a design was written, and what is to be known of it."""
    console = open_console()
    looks = ", ".join(map(str, design.looks))
    say(console, f"Design: {path}, looks after {looks} runs per task; digest {design.sha256[:16]}.")
    for note in design.notes:
        say(console, f"Note: {note}")
