"""How the profiles of each pair lie, as a table shows it."""

from __future__ import annotations

from typing import Any

from runoff.report.answers.all import Answers
from runoff.report.words.numbers import number
from runoff.results.profile import ProfileOrder
from runoff.words.numbers import digits

NAMED = 3
"""At most this many crossings stand in a cell."""
WORDS = {"cross": "neither: they cross", "equal": "neither: they are equal"}


def profile_rows(answers: Answers) -> list[dict[str, Any]]:
    """Return one row for each pair that shares a task; none where there are no profiles."""
    found = answers.profiles.result
    return [_row(order) for order in found.orders] if found is not None else []


def _row(order: ProfileOrder) -> dict[str, Any]:
    more = len(order.crossings) - NAMED
    named = ", ".join(digits(at) for at in order.crossings[:NAMED])
    return {
        "a": order.a,
        "b": order.b,
        "above": {"a_dominates": order.a, "b_dominates": order.b}.get(order.order),
        "words": WORDS.get(order.order, ""),
        "crossings": (f"{named} and {more} more" if more > 0 else named) or "–",
        "a_lead": number(order.a_lead or None, 2),
        "b_lead": number(order.b_lead or None, 2),
        "sentence": order.sentence,
    }
