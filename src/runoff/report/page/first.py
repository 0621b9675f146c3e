"""The picture of the first screen: every algorithm's interval, the chance that the leader beats it, and its place; drawn as plain SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from runoff.report.answers.all import Answers
from runoff.report.answers.standing import Place, Standing, ranked
from runoff.report.words.numbers import decimals, interval, number
from runoff.results.aggregate import AggregateRecord

WIDE, HIGH = 240.0, 20.0
"""Units of a drawing; it scales with the page."""
MARGIN = 6.0
WORDS: dict[Place, str] = {
    "leader": "leader",
    "not told apart": "not told apart",
    "equivalent": "equivalent",
    "behind": "behind",
    "ahead": "ahead of it",
    "not compared": "not tested",
}


def first_rows(answers: Answers, found: Standing) -> list[dict[str, Any]]:
    """Return a row for each algorithm, best first."""
    records = ranked(answers)
    places, ends = decimals(records), _ends(records)
    return [_row(record, found, places, ends) for record in records]


def axis_words(answers: Answers) -> tuple[str, str]:
    """Return the ends of the axis of scores."""
    records = ranked(answers)
    places = decimals(records)
    low, high = _ends(records)
    return number(low, places), number(high, places)


def _ends(records: Sequence[AggregateRecord]) -> tuple[float, float]:
    values = [end for r in records for end in (r.low, r.estimate, r.high) if end is not None]
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _row(record: AggregateRecord, found: Standing, places: int, ends: tuple[float, float]) -> dict[str, Any]:
    place, pair = found.places[record.algorithm], found.beside(record.algorithm)
    group = {"leader": "leads", "behind": "off", "not compared": "off"}.get(place, "near")
    chance = None if pair is None else (pair.improvement_low, pair.improvement, pair.improvement_high)
    return {
        "name": record.algorithm,
        "estimate": number(record.estimate, places),
        "interval": interval(record.low, record.high, places),
        "score": _bar((record.low, record.estimate, record.high), ends, group),
        "chance": None if chance is None else _bar(chance, (0.0, 1.0), group, middle=0.5),
        "chance_words": ""
        if chance is None
        else f"{number(chance[1], 2)} {interval(chance[0], chance[2], 2)}".removesuffix(" –"),
        "place": WORDS[place],
        "group": group,
    }


def _bar(
    values: tuple[float | None, float, float | None],
    ends: tuple[float, float],
    group: str,
    middle: float | None = None,
) -> Markup:
    """Return an interval as a bar and its estimate as a line across it."""
    low, estimate, high = (None if v is None else _at(v, ends) for v in values)
    shapes = [f'<path class="axis" d="M0 {HIGH - 1:g}H{WIDE:g}"/>']
    if middle is not None:
        shapes.append(f'<path class="half" d="M{_at(middle, ends):.1f} 0V{HIGH:g}"/>')
    if low is not None and high is not None:
        shapes.append(f'<rect x="{low:.1f}" y="6" width="{max(high - low, 0.8):.1f}" height="8"/>')
    shapes.append(f'<path class="point" d="M{estimate:.1f} 2V18"/>')
    drawing = f'<svg class="bar {group}" viewBox="0 0 {WIDE:g} {HIGH:g}" aria-hidden="true">{"".join(shapes)}</svg>'
    return Markup(drawing)  # numbers and names of classes alone


def _at(value: float, ends: tuple[float, float]) -> float:
    low, high = ends
    return MARGIN + (WIDE - 2 * MARGIN) * min(max((value - low) / (high - low), 0.0), 1.0)
