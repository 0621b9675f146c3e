"""What `runoff check` prints for people: the conclusion in words, a table of tests, a table of intervals, what cannot be said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from runoff._inference.bootstrap import INTERVALS
from runoff.cli.terminal import new_table, open_console, say, show_data, show_title
from runoff.cli.warn import plain
from runoff.plots._text import metric_title
from runoff.words.numbers import digits, percent

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.data.scores import Scores
    from runoff.report.check import Checked
    from runoff.results.check import CoverageResult, FalsePositiveResult


def show_check(scores: Scores, found: Checked, out: Path | None) -> None:
    """Print the conclusion first, then both tables."""
    console = open_console()
    for sentence in dict.fromkeys([found.tests.sentence, found.intervals.sentence]):
        say(console, sentence)
    for note in found.notes:
        say(console, f"Note: {note}.")
    console.print()
    show_data(console, scores)
    for algorithm in found.tests.algorithms:
        _tests(console, found.tests, algorithm)
        _intervals(console, found.intervals, algorithm)
    console.print()
    say(console, LIMITS)
    if out is not None:
        say(console, f"Figures and tables: {out}")


LIMITS = (
    "Groups are drawn from these runs: with other runs the rates would be others, by more than the error of the draws. "
    "Tests that relabel runs keep their level by construction where both groups are of one algorithm."
)


def _tests(console: Console, result: FalsePositiveResult, algorithm: str) -> None:
    show_title(
        console, f"{plain(algorithm)}: false positives at α = {percent(result.alpha)}, by the runs of each group"
    )
    labels, sizes = dict(result.labels), _sizes(result.of(algorithm))
    table = new_table("test", map(str, sizes))
    for name, label in labels.items():
        rates = {r.n_runs: r.rate for r in result.of(algorithm) if r.test == name}
        if rates:
            table.add_row(Text(f"  {label}"), *(f"{100 * rates[n]:.1f} %" for n in sizes))
    console.print(table)


def _intervals(console: Console, result: CoverageResult, algorithm: str) -> None:
    for metric in result.metrics:
        records = result.of(algorithm, metric)
        sizes = _sizes(records)
        title = f"{plain(algorithm)}, {metric_title(metric)}: coverage of {percent(result.confidence_level)} intervals (mean width)"
        show_title(console, f"{title}, by the runs of a group")
        table = new_table("interval", map(str, sizes))
        for name in result.intervals:
            cells = {r.n_runs: (r.coverage, r.mean_width) for r in records if r.interval == name}
            if cells:
                table.add_row(Text(f"  {INTERVALS[name].label}"), *(_covered(*cells[n]) for n in sizes))
        by_size = {r.n_runs: r for r in records}
        table.add_row(Text("  bias of the estimate"), *(f"{digits(by_size[n].bias)}" for n in sizes))
        table.add_row(Text("  its spread"), *(f"{digits(by_size[n].spread)}" for n in sizes))
        console.print(table)


def _covered(coverage: float, width: float | None) -> str:
    return f"{100 * coverage:.1f} %" + ("" if width is None else f" ({digits(width)})")


def _sizes(records: Iterable[object]) -> Sequence[int]:
    return tuple(dict.fromkeys(record.n_runs for record in records))  # type: ignore[attr-defined]
