"""The picture of the first screen: every algorithm's interval, the chance that the leader beats it, and its place; drawn as plain SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runoff.report.answers.all import Answers
from runoff.report.answers.standing import Place, Standing, ranked
from runoff.report.page.svg import bar, ends_of
from runoff.report.words.numbers import decimals, interval, number
from runoff.results.aggregate import AggregateRecord

WORDS: dict[Place, str] = {
    "leader": "leader",
    "not told apart": "not told apart",
    "equivalent": "equivalent",
    "behind": "behind",
    "ahead": "ahead of it",
    "not compared": "not tested",
}


def first_rows(answers: Answers, standing: Standing) -> list[dict[str, Any]]:
    """Return a row for each algorithm, best first."""
    records = ranked(answers)
    places, ends = decimals(records), _ends(records)
    return [_row(record, standing, places, ends) for record in records]


def axis_words(answers: Answers) -> tuple[str, str]:
    """Return the ends of the axis of scores."""
    records = ranked(answers)
    places = decimals(records)
    low, high = _ends(records)
    return number(low, places), number(high, places)


def _ends(records: Sequence[AggregateRecord]) -> tuple[float, float]:
    return ends_of(end for r in records for end in (r.low, r.estimate, r.high))


def _row(record: AggregateRecord, standing: Standing, places: int, ends: tuple[float, float]) -> dict[str, Any]:
    place, pair = standing.places[record.algorithm], standing.beside(record.algorithm)
    group = {"leader": "leads", "behind": "off", "not compared": "off"}.get(place, "near")
    chance = None if pair is None else (pair.improvement_low, pair.improvement, pair.improvement_high)
    return {
        "name": record.algorithm,
        "estimate": number(record.estimate, places),
        "interval": interval(record.low, record.high, places),
        "score": bar((record.low, record.estimate, record.high), ends, group),
        "chance": None if chance is None else bar(chance, (0.0, 1.0), group, middle=0.5),
        "chance_words": ""
        if chance is None
        else f"{number(chance[1], 2)} {interval(chance[0], chance[2], 2)}".removesuffix(" –"),
        "place": WORDS[place],
        "group": group,
    }
