"""How good each algorithm is over all tasks, the best first."""

from __future__ import annotations

from runoff._inference.bootstrap import parse_metric
from runoff.report.answers.all import Answers
from runoff.report.answers.standing import standing_of
from runoff.report.latex.captions import bold_words, interval_words, listed, metric_words, runs_words
from runoff.report.latex.glyphs import shown_names, stand_ins
from runoff.report.latex.table import Cell, Column, Table, estimate
from runoff.report.words.numbers import decimals
from runoff.words.numbers import counted


def aggregates_table(answers: Answers) -> Table:
    """Return one row per algorithm; the names and the first metric of the best set are bold."""
    standing, shown = standing_of(answers), shown_names(answers.scores.algorithms, "Algorithm")
    best = standing.best
    order = list(standing.order)
    names = Column(
        head="Algorithm", cells=tuple(Cell(text=shown[name], bold=name in best) for name in order), right=False
    )
    return Table(
        name="aggregates",
        caption=_caption(answers) + bold_words(answers, best),
        names=(names,),
        values=tuple(_column(answers, metric, order, best) for metric in answers.aggregates.metrics),
        stands=stand_ins(shown),
    )


def _column(answers: Answers, metric: str, order: list[str], best: frozenset[str]) -> Column:
    records = [answers.aggregates.record(name, metric) for name in order]
    places, leads = decimals(records), metric == answers.aggregates.metrics[0]
    about_metric = parse_metric(metric)
    cells = (estimate(r.estimate, r.low, r.high, places, bold=leads and r.algorithm in best) for r in records)
    return Column(head=about_metric.title + ("" if about_metric.higher_is_better else " ↓"), cells=tuple(cells))


def _caption(answers: Answers) -> str:
    metrics = answers.aggregates.metrics
    lower = "" if all(parse_metric(m).higher_is_better for m in metrics) else " (↓: lower is better)"
    named = listed([metric_words(metric) for metric in metrics])
    return (
        f"{named[:1].upper()}{named[1:]}{lower} over {counted([answers.scores.n_tasks], 'task')}, "
        f"{_with(interval_words(answers.aggregates.records))}; {runs_words(answers)}."
    )


def _with(intervals: str) -> str:
    return intervals if intervals.startswith("without") else f"with {intervals}"
