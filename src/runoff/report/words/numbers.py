"""Numbers for readers: as many decimals as the interval supports, the same down a column. Files keep full precision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, isfinite, log10

from runoff.results.aggregate import AggregateRecord
from runoff.results.comparison import Pair
from runoff.results.curves import EfficiencyRecord

MOST = 6


def decimals(records: Iterable[AggregateRecord | EfficiencyRecord]) -> int:
    """Return the decimals that show half a width, the lower quartile of these intervals', with two significant digits."""
    kept = list(records)
    widths = sorted(r.high - r.low for r in kept if r.low is not None and r.high is not None and r.high > r.low)
    if widths:
        return _places(widths[len(widths) // 4] / 2, 2)
    return max((_places(abs(r.estimate), 3) for r in kept if r.estimate), default=2)


def decimals_of(values: Iterable[float | None], digits: int = 3) -> int:
    """Return the decimals that show the largest of these values with `digits` significant digits."""
    return _places(max((abs(v) for v in values if v is not None), default=1.0), digits)


def decimals_of_differences(pairs: Sequence[Pair]) -> int:
    """Return the decimals that show half the narrowest interval of the differences with two significant digits."""
    widths = [
        p.difference_high - p.difference_low
        for p in pairs
        if p.difference_low is not None and p.difference_high is not None
    ]
    return decimals_of([min(widths) / 2], 2) if widths else decimals_of([p.difference for p in pairs])


def _places(size: float, digits: int) -> int:
    if not isfinite(size) or size <= 0:
        return 2
    return min(MOST, max(0, digits - 1 - floor(log10(size))))


def number(value: float | None, places: int) -> str:
    """Return a value with `places` decimals and a true minus sign; a dash for none."""
    if value is None:
        return "–"
    text = f"{value:,.{places}f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    return text.replace("-", "\N{MINUS SIGN}") if text.strip("-0.") else text.lstrip("-")


def interval(low: float | None, high: float | None, places: int) -> str:
    """Return "[low, high]", or a dash where there is no interval."""
    if low is None or high is None:
        return "–"
    return f"[{number(low, places)}, {number(high, places)}]"


def pvalue(p: float) -> str:
    """Return a p-value for a table: three decimals, or "< 0.001"."""
    return "< 0.001" if p < 0.0005 else f"{p:.3f}"


def p_equals(p: float) -> str:
    """Return a p-value for a sentence: "p = 0.031" or "p < 0.001"."""
    shown = pvalue(p)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def chance(p: float | None) -> str:
    """Return a chance with two decimals, or "< 0.01"; a dash for none."""
    return "< 0.01" if p is not None and p < 0.005 else number(p, 2)


def places_text(low: int | None, high: int | None) -> str:
    """Return "1–3", "2", or a dash where nothing is known."""
    if low is None or high is None:
        return "–"
    return f"{low}" if low == high else f"{low}–{high}"
