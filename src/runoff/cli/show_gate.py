"""What `runoff gate` prints for people: the outcome, a row for each task, and what there is to say of each that is not held."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from runoff.cli.terminal import fitted, new_table, open_console, say, show_advice, show_title
from runoff.report.gate import HEADS, gate_cells, gate_markdown
from runoff.results.gate import GateResult
from runoff.words.numbers import counted, exactly

if TYPE_CHECKING:
    from runoff.data.scores import Scores

STYLES = {"regressed": "bold red", "suspect": "yellow", "underpowered": "yellow", "held": "green", "improved": "green"}
ALL = "all tasks"


def show_gate(found: GateResult) -> None:
    """Print the answer."""
    console = open_console()
    say(console, found.sentence)
    show_title(console, f"Margin {exactly(found.margin)}, α = {exactly(found.alpha)} over all rows")
    table = new_table(HEADS[0], HEADS[1:])
    called = fitted([record.task for record in found.tasks if record.task is not None], 34)
    for record in found.records:
        name = ALL if record.task is None else called[record.task]
        table.add_row(Text(f"  {name}"), *gate_cells(record), Text(record.call, style=STYLES[record.call]))
    console.print(table)
    if len(found.records) > 1:
        for record in found.tasks:
            if record.call not in ("held", "improved"):
                say(console, f"● {record.sentence}")
    show_advice(console, found.advice)


def show_markdown(found: GateResult) -> None:
    """Print the calls as Markdown, and nothing else."""
    sys.stdout.write(gate_markdown(found))


def show_saved(path: Path | None, scores: Scores) -> None:
    """Print where a baseline was saved."""
    say(
        open_console(),
        f"Baseline: {path}, {counted([scores.values.size], 'score')} on {counted([scores.n_tasks], 'task')}.",
    )
