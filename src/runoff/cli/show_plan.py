"""What `runoff plan` prints for people: the answer in a sentence, power about it, what the formula leaves out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from runoff.cli.terminal import new_table, open_console, say, show_advice
from runoff.results.advice import most_severe_first
from runoff.results.power import NextRunsResult, PlanResult, PowerResult, RunsNeededResult
from runoff.words.numbers import digits, percent

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.results.power import RunsNeededRecord

NEAR = 2
"""So many numbers of runs on either side of the answer are shown."""
MOST_ROWS = 10
"""Of the table of a plan, about."""


Planned = PowerResult | RunsNeededResult | PlanResult | NextRunsResult


def show_plan(found: Planned, out: Path | None) -> None:
    """Print an answer about power."""
    console = open_console()
    if isinstance(found, RunsNeededResult):
        for record in found.records:
            _needed(console, found, record)
    elif isinstance(found, PlanResult):
        _planned(console, found)
    elif isinstance(found, NextRunsResult):
        _next(console, found)
    else:
        say(console, found.sentence)
        _notes(console, found.notes)
    if out is not None:
        say(console, f"Figure and table: {out}")


def _needed(console: Console, found: RunsNeededResult, record: RunsNeededRecord) -> None:
    say(console, record.sentence)
    if record.cost is not None:
        say(console, f"All of them cost {digits(record.cost, 6)}.")
    points = found.points(record.effect)
    at = next(i for i, point in enumerate(points) if point.n_runs == record.n_runs)
    two = record.n_runs_b is not None and any(point.n_runs != point.n_runs_b for point in points)
    table = new_table("runs", [*(["of the second"] if two else []), "power", "chance to miss"])
    near = points[max(0, at - NEAR) : at + NEAR + 1]
    # A number of runs that falls short must not look as if it did not.
    places = (
        1 if all(f"{100 * p.power:.1f}" != f"{100 * found.power:.1f}" for p in near if p.power < found.power) else 3
    )
    for point in near:
        mark = "● " if point is points[at] else "  "
        cells = [str(point.n_runs_b)] if two else []
        table.add_row(
            Text(f"{mark}{point.n_runs}"),
            *cells,
            f"{100 * point.power:.{places}f} %",
            f"{100 * point.beta:.{places}f} %",
        )
    console.print(table)
    _notes(console, record.notes)


def _planned(console: Console, found: PlanResult) -> None:
    say(console, found.sentence)
    seen = {point.n_runs: point.power for point in found.points("pilot")}
    upper = {point.n_runs: point.power for point in found.points("upper")}
    both = sorted(seen.keys() & upper.keys() | {found.n_runs, found.n_runs_naive})
    table = new_table("runs", ["power, spread as in the pilot", f"with {percent(found.assurance)} assurance"])
    for n in both[:: max(1, len(both) // MOST_ROWS)] if found.method == "closed_form" else both:
        mark = "● " if n == found.n_runs else "  "
        table.add_row(Text(f"{mark}{n}"), *(f"{100 * power[n]:.1f} %" if n in power else "" for power in (seen, upper)))
    console.print(table)
    _notes(console, found.notes)
    show_advice(console, most_severe_first(found.advice))


def _next(console: Console, found: NextRunsResult) -> None:
    say(console, found.sentence)
    table = new_table("algorithm", ["task", "runs", "standard deviation", "run more"])
    for record in found.records:
        if record.more:
            task = "all" if record.task is None else record.task
            table.add_row(
                Text(record.algorithm), Text(task), str(record.n_runs), f"{digits(record.std, 4)}", str(record.more)
            )
    console.print(table)
    _notes(console, found.notes)


def _notes(console: Console, notes: tuple[str, ...]) -> None:
    for note in notes:
        say(console, f"Note: {note}.")
