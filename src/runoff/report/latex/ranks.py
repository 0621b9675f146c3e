"""Average ranks, possible places and inferential intervals, the best rank first."""

from __future__ import annotations

from runoff._inference.bootstrap import parse_metric
from runoff._inference.pairs import about_test
from runoff.report.answers.all import Answers
from runoff.report.answers.rank_rows import rank_rows
from runoff.report.latex.captions import runs_words
from runoff.report.latex.glyphs import shown_names, stand_ins
from runoff.report.latex.table import Column, Table, column, estimate
from runoff.report.words.numbers import chance, decimals, decimals_of, number, places_text
from runoff.results.base import Record
from runoff.words.numbers import counted


def ranks_table(answers: Answers) -> Table | None:
    """Return one row per algorithm; None for two algorithms."""
    rows = rank_rows(answers)
    if not rows:
        return None
    shown = shown_names(answers.scores.algorithms, "Algorithm")
    digits = decimals_of([row["average_rank"] for row in rows], 4)
    return Table(
        name="ranks",
        caption=_caption(answers),
        names=(column("Algorithm", [shown[row["algorithm"]] for row in rows], right=False),),
        values=(
            column("Average rank", [number(row["average_rank"], digits) for row in rows]),
            column("Letters", [row["letters"] or "–" for row in rows], right=False),
            column("Places", [places_text(row["place_low"], row["place_high"]) for row in rows]),
            column("P(best)", [chance(row["p_best"]) for row in rows]),
            *_inferential(answers, rows),
        ),
        stands=stand_ins(shown),
    )


def _inferential(answers: Answers, rows: list[Record]) -> tuple[Column, ...]:
    metric = answers.aggregates.metrics[0]
    places = decimals(r for r in answers.aggregates.records if r.metric == metric)
    if answers.ranking.intervals is None:
        return ()
    cells = tuple(estimate(row["estimate"], row["low"], row["high"], places) for row in rows)
    return (Column(head=parse_metric(metric).title, cells=cells),)


def _caption(answers: Answers) -> str:
    critical, places, intervals = answers.ranking.critical, answers.ranking.places, answers.ranking.intervals
    parts = [f"Average ranks over {counted([answers.scores.n_tasks], 'task')}, lower is better; {runs_words(answers)}."]
    if critical is not None:
        parts.append(
            f"Algorithms that share a letter are not apart by the critical difference at α = {critical.alpha:g}."
        )
    if places is not None:
        level = f"{100 * places.confidence_level:g}\u00a0%"
        parts.append(f"Places: {level} confidence sets for ranks; P(best): share of draws in which it is the best.")
    if intervals is not None:
        metric, test = parse_metric(intervals.metric).title, about_test(intervals.test).title
        parts.append(
            f"Intervals of the {metric} are inferential: two overlap if and only if {test} does not reject at α = {intervals.alpha:g}."
        )
    return " ".join(parts)
