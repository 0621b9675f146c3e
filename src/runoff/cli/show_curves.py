"""What `runoff curves` prints for people: the curves in a few steps, where pairs differ, and the advice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from runoff.cli.terminal import (
    ALL_IN_JSON,
    dotted,
    headed,
    new_table,
    open_console,
    say,
    say_some,
    show_advice,
    show_title,
)
from runoff.results.advice import most_severe_first
from runoff.words.numbers import exactly, percent, step_text

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.report.answers.curves import CurveAnswers
    from runoff.results.curves import ReachRecord, ReachResult

SHOWN = 5
"""Steps of the table; the figures and files have all."""


def show_curves(found: CurveAnswers, out: Path | None) -> None:
    """Print estimates at some steps, a sentence for each pair, notes and advice."""
    from runoff.plots._text import metric_title
    from runoff.report.words.numbers import decimals, interval, number

    console, efficiency = open_console(), found.efficiency
    steps = efficiency.steps
    chosen = [steps[i] for i in dict.fromkeys(np.round(np.linspace(0, len(steps) - 1, SHOWN)).astype(int).tolist())]
    level = f"{percent(efficiency.confidence_level)} {efficiency.band} intervals"
    show_title(console, f"{metric_title(efficiency.records[0].metric)} by {efficiency.axis}, with {level}")
    heads, dots = [step_text(step) for step in chosen], dotted(efficiency.algorithms)
    table = new_table("algorithm", heads, rest=_file(out, "sample_efficiency"))
    places = decimals(efficiency.records)
    for name in efficiency.algorithms:
        records = [r for r in efficiency.curve(name) if r.step in chosen]
        table.add_row(dots[name], *(f"{number(r.estimate, places)} {interval(r.low, r.high, places)}" for r in records))
    console.print(table)
    if found.comparison is not None:
        show_title(console, "Where the means of pairs differ")
        say_some(console, found.comparison.sentences, "pair", "  ", _file(out, "differences"))
    if found.reach is not None:
        show_reach(console, found.reach)
    say_some(console, [f"Note: {note}." for note in efficiency.notes], "note")
    show_advice(console, most_severe_first(found.advice))
    if out is not None:
        say(console, f"Figures and tables: {out}")


def _file(out: Path | None, name: str) -> str:
    return ALL_IN_JSON if out is None else str(out / f"{name}.csv")


def show_reach(console: Console, reach: ReachResult) -> None:
    """Print medians by task, and which pairs the test tells apart."""
    show_title(console, f"Median {reach.axis} to a score of {exactly(reach.records[0].threshold)}")
    table, dots = new_table("algorithm", headed(reach.tasks)), dotted(reach.algorithms)
    at = {(record.algorithm, record.task): record for record in reach.records}
    for name in reach.algorithms:
        table.add_row(dots[name], *(_reached(at.get((name, task))) for task in reach.tasks))
    console.print(table)
    say_some(console, [pair.sentence for pair in reach.pairs if pair.rejected], "pair", "  ")


def _reached(record: ReachRecord | None) -> str:

    if record is None:
        return "no runs"
    when = "–" if record.estimate is None else step_text(record.estimate)
    return f"{when} ({record.n_reached} of {record.n_runs})"
