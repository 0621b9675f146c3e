"""What `runoff curves` prints for people: the curves in a few steps, where pairs differ, and the advice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from runoff.cli.terminal import dotted, new_table, open_console, say, show_advice, show_title
from runoff.results.advice import most_severe_first

if TYPE_CHECKING:
    from runoff.report.answers.curves import CurveAnswers

SHOWN = 5
"""Steps of the table; the figures and files have all."""


def show_curves(found: CurveAnswers, out: Path | None) -> None:
    """Print estimates at some steps, a sentence for each pair, notes and advice."""
    from runoff.plots._text import metric_title, tick_label
    from runoff.report.words.numbers import decimals, interval, number

    console, efficiency = open_console(), found.efficiency
    steps = efficiency.steps
    chosen = [steps[i] for i in dict.fromkeys(np.round(np.linspace(0, len(steps) - 1, SHOWN)).astype(int).tolist())]
    level = 100 * efficiency.confidence_level
    show_title(
        console,
        f"{metric_title(efficiency.records[0].metric)} by {efficiency.axis}, with {level:g} % {efficiency.band} intervals",
    )
    table, dots = new_table("algorithm", [tick_label(step) for step in chosen]), dotted(efficiency.algorithms)
    places = decimals(efficiency.records)
    for name in efficiency.algorithms:
        records = [r for r in efficiency.curve(name) if r.step in chosen]
        table.add_row(dots[name], *(f"{number(r.estimate, places)} {interval(r.low, r.high, places)}" for r in records))
    console.print(table)
    if found.comparison is not None:
        show_title(console, "Where pairs differ")
        for sentence in found.comparison.sentences:
            say(console, sentence, indent="  ")
    for note in efficiency.notes:
        say(console, f"Note: {note}.")
    show_advice(console, most_severe_first(found.advice))
    if out is not None:
        say(console, f"Figures and tables: {out}")
