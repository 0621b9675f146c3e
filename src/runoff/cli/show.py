"""Answers on the terminal: tables and sentences on stdout. Names are text, never markup."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from runoff.cli.terminal import (
    ALL_IN_JSON,
    MOST_LINES,
    dotted,
    new_table,
    open_console,
    say,
    show_advice,
    show_data,
    show_title,
)
from runoff.plots import marks
from runoff.results.advice import most_severe_first
from runoff.results.comparison import ComparisonResult
from runoff.words.numbers import counted, exactly, percent

if TYPE_CHECKING:
    from runoff.data.scores import Scores
    from runoff.report.files.write import Report
    from runoff.results.aggregate import AggregateResult


def show_json(text: str) -> None:
    """Print JSON."""
    sys.stdout.write(text)


def show_report(report: Report) -> None:
    """Print the data, the ranking, the pairs, the ranks, the advice, the answer, and where the report lies."""
    from runoff.cli.show_rank import show_ranking
    from runoff.report.answers.standing import leaders_first, standing
    from runoff.report.words.headline import sentences

    answers = report.answers
    console = open_console()
    show_data(console, answers.scores)
    tables = Path(report.path).parent / "tables"
    _by_metric(console, answers.aggregates, f"{tables / 'aggregates.csv'}")
    _pairs(console, answers.comparison, f"{tables / 'pairs.csv'}")
    if answers.scores.n_algorithms > 2:
        show_ranking(console, answers.ranking, answers.comparison.alpha)
    found = standing(answers)
    show_advice(console, leaders_first(answers.advice, found), answers.comparison, found.leading)
    show_title(console, "Answer")
    for sentence in sentences(answers):
        say(console, sentence, indent="  ")
    console.print()
    say(console, f"Report: {report.path}")


def show_aggregates(scores: Scores, result: AggregateResult) -> None:
    """Print the data, the aggregates and the advice."""
    console = open_console()
    show_data(console, scores)
    _by_metric(console, result)
    show_advice(console, most_severe_first(result.advice))


def show_comparison(scores: Scores, comparison: ComparisonResult) -> None:
    """Print the data, the pairs and the advice."""
    console = open_console()
    show_data(console, scores)
    _pairs(console, comparison)
    given = [*comparison.advice, *(advice for pair in comparison.pairs for advice in pair.advice)]
    show_advice(console, most_severe_first(given), comparison)


def _by_metric(console: Console, result: AggregateResult, rest: str = ALL_IN_JSON) -> None:
    from runoff._inference.bootstrap import best_first
    from runoff.plots._text import metric_title
    from runoff.report.words.numbers import decimals, interval, number

    first, level = result.metrics[0], result.records[0].confidence_level
    show_title(console, f"Ranking by {metric_title(first)}, with {percent(level)} intervals")
    table = new_table("algorithm", [metric_title(m) for m in result.metrics], rest=rest)
    places = {m: decimals(r for r in result.records if r.metric == m) for m in result.metrics}
    dots = dotted(result.algorithms)
    for best in best_first((r for r in result.records if r.metric == first), first):
        records = [result.record(best.algorithm, m) for m in result.metrics]
        cells = [f"{number(r.estimate, places[r.metric])} {interval(r.low, r.high, places[r.metric])}" for r in records]
        table.add_row(dots[best.algorithm], *cells)
    console.print(table)


def _pairs(console: Console, comparison: ComparisonResult, rest: str = ALL_IN_JSON) -> None:
    from runoff._inference.family import CORRECTIONS
    from runoff.report.words.headline import MANY_PAIRS

    show_title(
        console, f"Pairs at α = {exactly(comparison.alpha)} ({CORRECTIONS[comparison.correction].label} correction)"
    )
    shown = list(comparison.pairs)
    if len(shown) > MANY_PAIRS:
        shown = [pair for pair in shown if pair.verdict != "no_difference_found"]
    known = marks(name for pair in comparison.pairs for name in (pair.a, pair.b))
    alike = len(comparison.pairs) - len(shown)
    for pair in shown[:MOST_LINES]:
        better = {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)
        say(console, pair.sentence, head=("● ", known[better].color) if better is not None else ("○ ", "dim"))
    left = len(shown) - MOST_LINES
    if left > 0:
        say(console, f"… and {counted([left], 'more pair')} that differ: {rest}.")
    if alike:
        say(console, f"○ No difference was found for {counted([alike], 'more pair')}, which does not make them equal.")
