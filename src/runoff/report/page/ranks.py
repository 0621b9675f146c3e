"""The appendix on ranks: rows with what is known of each algorithm's place, and inferential intervals as bars."""

from __future__ import annotations

from typing import Any

from runoff.plots._text import metric_head
from runoff.report.answers.all import Answers
from runoff.report.answers.rank_rows import rank_rows
from runoff.report.page.svg import bar, ends_of
from runoff.report.words.numbers import chance, decimals, decimals_of, interval, number, places_text
from runoff.report.words.ranks import disagreement_words, intervals_words, pair_words, ranking_words
from runoff.results.base import Record


def ranks(answers: Answers) -> dict[str, Any]:
    """Return the sentences and the rows of the appendix."""
    intervals = answers.ranking.intervals
    records = [r for r in answers.aggregates.records if r.metric == answers.aggregates.metrics[0]]
    rows, places = rank_rows(answers), decimals(records)
    digits = decimals_of([row["average_rank"] for row in rows], 4)
    reading = ""
    if intervals is not None:
        reading = intervals_words(intervals) if rows else pair_words(intervals, places)
    numbers = [row[end] for row in rows for end in ("low", "estimate", "high") if row[end] is not None]
    ends = ends_of(numbers) if numbers else (0.0, 1.0)
    return {
        "words": ranking_words(answers.ranking, answers.comparison.alpha),
        "reading": reading,
        "disagreements": disagreement_words(intervals) if intervals is not None else [],
        "metric": metric_head(records[0].metric),
        "rows": [_row(row, digits, places, ends) for row in rows],
    }


def _row(row: Record, digits: int, places: int, ends: tuple[float, float]) -> dict[str, Any]:
    shown = {"estimate": number(row["estimate"], places), "interval": interval(row["low"], row["high"], places)}
    return {
        "algorithm": row["algorithm"],
        "average_rank": number(row["average_rank"], digits),
        "letters": row["letters"] or "–",
        "places": places_text(row["place_low"], row["place_high"]),
        "at_once": places_text(row["place_joint_low"], row["place_joint_high"]),
        "p_best": chance(row["p_best"]),
        "inferential": shown,
        "bar": bar((row["low"], row["estimate"], row["high"]), ends, "near") if row["low"] is not None else "",
        "descriptive": interval(row["descriptive_low"], row["descriptive_high"], places),
        "factor": number(row["factor"], 2),
    }
