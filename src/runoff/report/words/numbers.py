"""Numbers for readers where records are at hand: as many decimals as their intervals support, the same down a column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runoff.results.aggregate import AggregateRecord
from runoff.results.comparison import Pair
from runoff.results.curves import EfficiencyRecord
from runoff.words.numbers import decimals_of, places


def decimals(records: Iterable[AggregateRecord | EfficiencyRecord]) -> int:
    """Return the decimals that show half a width, the lower quartile of these intervals', with two significant digits."""
    kept = list(records)
    widths = sorted(r.high - r.low for r in kept if r.low is not None and r.high is not None and r.high > r.low)
    if widths:
        return places(widths[len(widths) // 4] / 2, 2)
    return max((places(abs(r.estimate), 3) for r in kept if r.estimate), default=2)


def decimals_of_differences(pairs: Sequence[Pair]) -> int:
    """Return the decimals that show half the narrowest interval of the differences with two significant digits."""
    widths = [
        p.difference_high - p.difference_low
        for p in pairs
        if p.difference_low is not None and p.difference_high is not None
    ]
    return decimals_of([min(widths) / 2], 2) if widths else decimals_of([p.difference for p in pairs])


def places_text(low: int | None, high: int | None) -> str:
    """Return "1–3", "2", or a dash where nothing is known."""
    if low is None or high is None:
        return "–"
    return f"{low}" if low == high else f"{low}–{high}"
