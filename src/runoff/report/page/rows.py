"""The rows of the page's tables, as texts and bars.

`first_rows` are those of the first screen, `pair_rows` every pair once, `survived` what the order of each pair survives, `ranks` the appendix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runoff._inference.pairs import IMPROVEMENT
from runoff.report.answers.all import Answers, rank_rows, ranked
from runoff.report.page.svg import bar, ends_of
from runoff.report.words.more_runs import needed_text
from runoff.report.words.ranks import (
    disagreement_words,
    intervals_words,
    pair_words,
    places_text,
    ranking_words,
)
from runoff.results.aggregate import AggregateRecord, decimals
from runoff.results.base import Record
from runoff.results.comparison import RobustnessRecord
from runoff.results.pair import Pair, winner_words
from runoff.results.standing import Place, Standing
from runoff.words.names import metric_head, metric_words
from runoff.words.numbers import chance, decimals_of, digits, estimated, interval, number, pvalue
from runoff.words.numbers import chances as shown_chances

Row = dict[str, Any]
WORDS: dict[Place, str] = {"ahead": "ahead of it", "not compared": "not tested"}
"""What the table says of a place, where it is not its name."""
UNDECIDED = {"no_difference_found": "no difference found", "equivalent": "equivalent"}
"""What the table says where neither was found ahead."""
MANY_PAIRS = 120
"""More pairs than this have no sentences on the page, and no tables beside that of the pairs: the files have them."""
HEADS = {
    "metric": "Other measures",
    "reference": "Other references",
    "window": "Other windows",
    "task": "Without one task",
    "run": "Without one run",
}


def first_rows(answers: Answers, standing: Standing) -> list[dict[str, Any]]:
    """Return a row for each algorithm, best first."""
    records = ranked(answers)
    places, ends, rows = decimals(records), _ends(records), []
    for record in records:
        place, pair = standing.places[record.algorithm], standing.beside(record.algorithm)
        group = {"leader": "leads", "behind": "off", "not compared": "off"}.get(place, "near")
        low, chance, high = (pair.improvement_low, pair.improvement, pair.improvement_high) if pair else (None,) * 3
        words = "" if chance is None else f"{number(chance, 2)} {interval(low, high, 2)}".removesuffix(" –")
        row = {
            "name": record.algorithm,
            "estimate": number(record.estimate, places),
            "interval": interval(record.low, record.high, places),
            "score": bar((record.low, record.estimate, record.high), ends, group),
            "chance": None if chance is None else bar((low, chance, high), (0.0, 1.0), group, middle=0.5),
            "chance_words": words,
            "place": WORDS.get(place, place),
            "group": group,
        }
        rows.append(row)
    return rows


def axis_words(answers: Answers) -> tuple[str, str]:
    """Return the ends of the axis of scores."""
    records = ranked(answers)
    places = decimals(records)
    low, high = _ends(records)
    return number(low, places), number(high, places)


def _ends(records: Sequence[AggregateRecord]) -> tuple[float, float]:
    if records[0].metric == IMPROVEMENT:
        return 0.0, 1.0
    return ends_of(end for r in records for end in (r.low, r.estimate, r.high))


def pair_rows(standing: Standing) -> list[Row]:
    """Return a row for each pair, with the digits of its sentence."""
    many = len(standing.pairs) > MANY_PAIRS
    return [_pair_row(pair, "" if many else pair.sentence) for pair in standing.pairs]


def _pair_row(pair: Pair, sentence: str) -> Row:
    chances = (pair.improvement_low, pair.improvement, pair.improvement_high)
    better = pair.winner
    return {
        "pair": pair,
        "better": better,
        "verdict": winner_words(pair) if better else UNDECIDED[pair.verdict],
        "difference": "" if pair.measure == IMPROVEMENT else _parts(estimated(pair.estimate, pair.low, pair.high)),
        "improvement": _parts(shown_chances(pair.improvement, pair.improvement_low, pair.improvement_high)),
        "bar": bar(chances, (0.0, 1.0), "leads" if better else "off", middle=0.5),
        "p": pvalue(pair.pvalue),
        "p_adjusted": pvalue(pair.pvalue_adjusted),
        "detectable": digits(pair.detectable_difference),
        "needed": needed_text(pair, pair.needed_multiple),
        "sentence": sentence,
    }


def _parts(sentence: str) -> tuple[str, str]:
    estimate, _, ends = sentence.partition(" ")
    return estimate, ends or "–"


def survived(answers: Answers, order: Sequence[str]) -> Row | None:
    """Return the grid of variations: its heads, and for each pair the one ahead, the one behind and what keeps that; None without any."""
    robustness = answers.robustness
    if robustness is None or not robustness.kinds:
        return None
    place = {name: at for at, name in enumerate(order)}
    by_pair: dict[tuple[str, str], list[RobustnessRecord]] = {}
    for record in robustness.records:
        if record.kind in robustness.kinds:
            pair = (record.b, record.a) if record.ahead == record.b else (record.a, record.b)
            by_pair.setdefault(pair, []).append(record)
    rows = [
        (*pair, [{"words": f"{r.kept} of {r.n}" if r.n else "–", "all": r.kept == r.n} for r in records])
        for pair, records in sorted(by_pair.items(), key=lambda item: tuple(place[name] for name in item[0]))
    ]
    return {
        "heads": [HEADS[kind].replace("run", answers.scores.sampling.unit) for kind in robustness.kinds],
        "rows": rows if len(rows) <= MANY_PAIRS else [],
        "sentence": robustness.sentence,
    }


def ranks(answers: Answers) -> dict[str, Any]:
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
        "words_of": metric_words(records[0].metric),
        "rows": [_rank_row(row, digits, places, ends) for row in rows],
    }


def _rank_row(row: Record, digits: int, places: int, ends: tuple[float, float]) -> dict[str, Any]:
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
