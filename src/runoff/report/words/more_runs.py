"""What the slider of the page says: the runs that it takes, and whether a tie may be called."""

from __future__ import annotations

from math import ceil, isfinite
from typing import Any

from runoff.report.answers.more_runs import MoreRuns
from runoff.report.words.numbers import decimals_of, interval, number
from runoff.results.comparison import Pair

MOST_RUNS = 1000
"""Beyond so many runs a number would be no plan."""


def needed_text(pair: Pair, multiple: float | None) -> str:
    """Return the runs of each cell: "23", "> 1000", or "×2.4" where cells differ; a dash where it is not known."""
    runs = {*pair.n_runs_a, *pair.n_runs_b}
    if multiple is None:
        return "–"
    if len(runs) > 1:
        return f"×{multiple:.1f}" if multiple < MOST_RUNS else f"> ×{MOST_RUNS}"
    needed = multiple * min(runs)
    return f"{ceil(needed)}" if needed <= MOST_RUNS else f"> {MOST_RUNS}"


def slider_words(found: MoreRuns) -> dict[str, Any]:
    """Return the labels of the slider's places, what each needs, and the two sentences about a tie; "{d}" is the difference."""
    pair = found.pair
    places = [decimals_of([size], 2) for size, _ in found.grid]
    shown = [number(size, p) for (size, _), p in zip(found.grid, places, strict=True)]
    own = decimals_of([pair.difference], 2)
    seen = f"{number(pair.difference, own)} {interval(pair.difference_low, pair.difference_high, own)}".removesuffix(
        " –"
    )
    lead = f"If differences of means below {{d}} do not matter, {pair.a} and {pair.b} may be called a tie"
    ends = [abs(end) for end in (pair.difference_low, pair.difference_high) if end is not None]
    return {
        "sizes": shown,
        "needs": [_needs(pair, multiple) for _, multiple in found.grid],
        "inside": [bool(ends) and max(ends) < size for size, _ in found.grid],
        "start": found.start,
        "held": f"{lead}: they differ by {seen}, and that interval, taken on its own, lies within ±{{d}}.",
        "open": f"{lead}, but as a choice, not as a finding: they differ by {seen}, which leaves differences beyond ±{{d}} possible.",
    }


def _needs(pair: Pair, multiple: float) -> str:
    """Return the runs that find a difference, in words."""
    n = {*pair.n_runs_a, *pair.n_runs_b}
    if not isfinite(multiple) or multiple * min(n) > MOST_RUNS:
        return f"more than {MOST_RUNS} runs of each" if len(n) == 1 else f"more than {MOST_RUNS} times as many runs"
    per = " on each task" if pair.n_tasks > 1 else ""
    if len(n) > 1:
        return f"{multiple:.1f} times the runs that there are{per}"
    return f"{ceil(multiple * min(n))} runs of each{per} (now {min(n)})"
