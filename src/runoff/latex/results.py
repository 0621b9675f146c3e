"""Tables of results for a paper: the pairs of a comparison, the aggregates of algorithms."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runoff.errors import DesignError
from runoff.latex.glyphs import shown_names, stand_ins
from runoff.latex.render import latex_of
from runoff.latex.table import LatexCell, LatexColumn, LatexTable, estimate
from runoff.results.aggregate import AggregateResult, best_first, decimals, interval_words
from runoff.results.base import compared_at
from runoff.results.comparison import ComparisonResult, by_family, ends_of_chance, tested_words
from runoff.results.pair import Pair, differences_words, listed
from runoff.words.names import LOWER_IS_BETTER, LatexLayout, capital, metric_head, metric_words
from runoff.words.numbers import chances, counted, estimated, percent, pvalue, span


def of_pairs(comparison: ComparisonResult, layout: LatexLayout) -> str:
    """Return the table of pairs, in LaTeX."""
    return latex_of(pairs_table(comparison), layout)


def of_aggregates(result: AggregateResult, layout: LatexLayout) -> str:
    """Return the table of aggregates, in LaTeX; refuse means of single tasks, whose table is one of the report."""
    if any(record.task is not None for record in result.records):
        raise DesignError(
            "these are means of single tasks: write_report() has their LaTeX table, and to_frame() has the numbers."
        )
    return latex_of(aggregates_table(result), layout)


def pairs_table(comparison: ComparisonResult) -> LatexTable:
    """Return one row per pair, the winner first, or the one that is first in the order."""
    pairs = comparison.standing.pairs
    shown = shown_names(dict.fromkeys(name for pair in pairs for name in (pair.a, pair.b)), "Algorithm")
    by_chance = comparison.measure == "improvement"
    names = tuple(LatexCell(text=shown[pair.a], below=shown[pair.b], joint=" – ") for pair in pairs)
    sizes = tuple(_cell(estimated, pair.estimate, *pair.deciding) for pair in pairs)
    wins = tuple(_cell(chances, pair.improvement, *ends_of_chance(pair)) for pair in pairs)
    pvalues = tuple(_decided(pair) for pair in pairs)
    p = "p is adjusted, and at most α" if len(pairs) > 1 and comparison.correction != "none" else "p is at most α"
    p = f"{p} where a difference was found, the first being better. "
    reasons = dict.fromkeys(pair.unjudged for pair in pairs)
    tested = "" if all(reasons) else f"; {tested_words(comparison)}"
    if not tested:
        p = f"No verdict is given: {' or '.join(reasons)}. "
    elif step := compared_at(comparison.advice):
        p += f"{step} "
    unit = pairs[0].unit
    runs = counted([n for pair in pairs for n in (*pair.n_runs_a, *pair.n_runs_b)], unit)
    own = f"with its own {percent(comparison.confidence_level)} interval"
    decided = "with the interval that decided" if by_family(pairs) else own
    chance = decided if by_chance else own
    difference = differences_words(comparison.measure, binary=any(p.rates for p in pairs))
    of = "" if by_chance else f"{difference}, {decided}, and "
    return LatexTable(
        name="pairs",
        caption=(
            f"Pairs: {of}chance that a random {unit} of the first scores higher (ties count half), {chance}. {p}"
            f"{capital(runs)} per algorithm and task{tested}."
        ),
        names=(LatexColumn(head="Pair", cells=names, right=False),),
        values=(
            *([] if by_chance else [LatexColumn(head="Difference", cells=sizes)]),
            LatexColumn(head="Chance", cells=wins),
            *([LatexColumn(head="p", cells=pvalues)] if tested else []),
        ),
        stands=stand_ins(shown),
    )


def _cell(
    words: Callable[[float, float | None, float | None], str], value: float, low: float | None, high: float | None
) -> LatexCell:
    """Return an estimate and its interval with the digits that a page shows; long numbers as powers of ten."""
    first, _, ends = words(value, low, high).partition(" ")
    if "e" in first:
        return LatexCell(text=first, below=ends or "–")
    return estimate(value, low, high, len(first.partition(".")[2]))


def _decided(pair: Pair) -> LatexCell:
    alike = "equivalent" if pair.verdict == "equivalent" else ""
    return LatexCell(text=pvalue(pair.pvalue_adjusted), below=alike)


def aggregates_table(
    result: AggregateResult,
    order: Sequence[str] = (),
    *,
    best: frozenset[str] = frozenset(),
    bold: str = "",
    notes: str = "",
) -> LatexTable:
    """Return one row per algorithm, in an `order` or the best first; `best` are bold, with their metric `bold`; notes end the caption."""
    metrics, shown = result.metrics, shown_names(result.algorithms, "Algorithm")
    order = order or [record.algorithm for record in best_first(result)]
    cells = tuple(LatexCell(text=shown[name], bold=name in best) for name in order)
    values = []
    for metric in metrics:
        rows = [result.record(name, metric) for name in order]
        n, leads = decimals(rows), metric == bold
        column = (estimate(r.estimate, r.low, r.high, n, bold=leads and r.algorithm in best) for r in rows)
        values.append(LatexColumn(head=metric_head(metric), cells=tuple(column)))
    lower = "" if LOWER_IS_BETTER.isdisjoint(metrics) else " (↓: lower is better)"
    intervals = interval_words(result.records)
    joined = intervals if intervals.startswith("without") else f"with {intervals}"
    tasks = counted([record.n_tasks for record in result.records], "task")
    scores = span(record.n_scores for record in result.records)
    notes = notes or f" (N = {scores} scores per algorithm)."
    return LatexTable(
        name="aggregates",
        caption=f"{capital(listed([metric_words(metric) for metric in metrics]))}{lower} over {tasks}, {joined}{notes}",
        names=(LatexColumn(head="Algorithm", cells=cells, right=False),),
        values=tuple(values),
        stands=stand_ins(shown),
    )
