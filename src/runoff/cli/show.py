"""Answers on the terminal: tables and sentences on stdout. Names are text, never markup."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from runoff.cli.warn import plain
from runoff.plots import marks
from runoff.results.advice import SEVERITIES, Advice
from runoff.results.comparison import ComparisonResult, Pair

if TYPE_CHECKING:
    from runoff.report.answers import Answers
    from runoff.report.write import Report
    from runoff.scores import Scores

FEW_TASKS = 6
"""Up to so many tasks the table of the data has a column for each."""
MANY_PAIRS = 15
"""Of more pairs than this only those that differ are told; the rest are counted."""
COLORS = {"warning": "bold red", "caution": "yellow", "info": "cyan"}
PIPE_WIDTH = 120


class _Quiet(Console):
    def on_broken_pipe(self) -> None:
        """Go on in silence: the reader has seen enough, and the report is still to be finished."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_json(text: str) -> None:
    """Print JSON."""
    sys.stdout.write(text)


def show_report(report: Report) -> None:
    """Print the data, the ranking, the pairs, the advice, the answer, and where the report lies."""
    from runoff.report.words import sentences

    answers = report.answers
    console = _console()
    _data(console, answers.scores)
    _ranking(console, answers)
    _pairs(console, answers.comparison)
    _advice(console, answers.advice, answers.comparison)
    _title(console, "Answer")
    for sentence in sentences(answers):
        _say(console, sentence, indent="  ")
    console.print()
    _say(console, f"Report: {report.path}")


def show_comparison(scores: Scores, comparison: ComparisonResult) -> None:
    """Print the data, the pairs and the advice."""
    console = _console()
    _data(console, scores)
    _pairs(console, comparison)
    given = [*comparison.advice, *(advice for pair in comparison.pairs for advice in pair.advice)]
    _advice(console, sorted(dict.fromkeys(given), key=lambda a: (SEVERITIES.index(a.severity), a.code)), comparison)


def _console() -> Console:
    return _Quiet(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


def _data(console: Console, scores: Scores) -> None:
    origin = scores.provenance
    where = f"{origin.path} ({origin.format})" if origin.path else "given in memory"
    console.print(Text.assemble(("Data: ", "bold"), plain(where)), soft_wrap=True)
    if origin.columns:
        _say(console, "columns: " + ", ".join(f"{role} = {column}" for role, column in origin.columns), indent="  ")
    _say(
        console,
        "normalised by " + origin.reference.split(";")[0] if origin.reference else "not normalised",
        indent="  ",
    )
    for note in origin.notes:
        _say(console, note, indent="  ")
    console.print(_counts(scores))


def _counts(scores: Scores) -> Table:
    by_task = scores.n_tasks <= FEW_TASKS
    heads = scores.tasks if by_task else ("tasks", "runs a task", "scores")
    table = _table("algorithm", heads)
    dots = _dots(scores.algorithms)
    for name, counts in zip(scores.algorithms, scores.n_runs.tolist(), strict=True):
        present = [n for n in counts if n]
        few, many = min(present), max(present)
        compact = (len(present), few if few == many else f"{few} to {many}", sum(present))
        table.add_row(dots[name], *(str(n or "–") for n in (counts if by_task else compact)))
    if by_task:
        table.caption, table.caption_justify = "runs by algorithm and task", "left"
    return table


def _ranking(console: Console, answers: Answers) -> None:
    from runoff.plots._words import METRICS
    from runoff.report.numbers import decimals, interval, number
    from runoff.report.words import ranked

    result = answers.aggregates
    _title(console, f"Ranking by {METRICS.get(result.metrics[0], result.metrics[0])}, with {_level(answers)} intervals")
    table = _table("algorithm", [METRICS.get(m, m) for m in result.metrics])
    places = {m: decimals(r for r in result.records if r.metric == m) for m in result.metrics}
    dots = _dots(result.algorithms)
    for name in [record.algorithm for record in ranked(answers)]:
        records = [result.record(name, m) for m in result.metrics]
        cells = [f"{number(r.estimate, places[r.metric])} {interval(r.low, r.high, places[r.metric])}" for r in records]
        table.add_row(dots[name], *cells)
    console.print(table)


def _level(answers: Answers) -> str:
    return f"{100 * answers.comparison.confidence_level:g} %"


def _pairs(console: Console, comparison: ComparisonResult) -> None:
    _title(console, f"Pairs at α = {comparison.alpha:g} ({comparison.correction} correction)")
    shown: Sequence[Pair] = comparison.pairs
    if len(shown) > MANY_PAIRS:
        shown = [pair for pair in shown if pair.verdict != "no_difference_found"]
    known = marks(name for pair in comparison.pairs for name in (pair.a, pair.b))
    for pair in shown:
        better = {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)
        bullet = ("● ", known[better].color) if better is not None else ("○ ", "dim")
        console.print(Text.assemble(bullet, plain(pair.sentence)), soft_wrap=not console.is_terminal)
    hidden = len(comparison.pairs) - len(shown)
    if hidden:
        _say(console, f"○ No difference was found for {hidden} more pairs, which does not make them equal.")


def _advice(console: Console, advice: Iterable[Advice], comparison: ComparisonResult) -> None:
    from runoff.report.answers import about

    first: dict[str, tuple[Advice, int]] = {}
    for one in advice:
        first[one.code] = (first[one.code][0], first[one.code][1] + 1) if one.code in first else (one, 1)
    if first:
        _title(console, "Advice")
    for one, times in first.values():
        more = f" And {times - 1} more of this kind." if times > 1 else ""
        pair = about(comparison, one)
        text = plain(f"{pair}{': ' if pair else ''}{one.text}{more} ({one.source})")
        console.print(
            Text.assemble("  ", (f"{one.severity} {one.code} ", COLORS[one.severity]), text),
            soft_wrap=not console.is_terminal,
        )


def _table(first: str, rest: Iterable[str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(Text("  " + first), no_wrap=True, overflow="ellipsis", max_width=36)
    for head in rest:
        table.add_column(Text(plain(head)), justify="right", overflow="ellipsis")
    return table


def _dots(names: Sequence[str]) -> dict[str, Text]:
    return {name: Text.assemble(("● ", mark.color), plain(name)) for name, mark in marks(names).items()}


def _title(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold"))


def _say(console: Console, text: str, indent: str = "") -> None:
    console.print(Text(indent + plain(text)), soft_wrap=not console.is_terminal)
