"""What the slider of the page says: the runs that it takes, and whether a tie may be called."""

from __future__ import annotations

from math import ceil, isfinite
from typing import Any

from runoff.report.answers.more_runs import MoreRuns, two_digits
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


def slider_words(plan: MoreRuns) -> dict[str, Any]:
    """Return the labels of the slider's places, what each needs, and the sentences about a tie; "{d}" is the difference."""
    pair = plan.pair
    sizes = [two_digits(size) for size, _ in plan.grid]
    own = decimals_of([pair.difference], 2)
    seen = f"{number(pair.difference, own)} {interval(pair.difference_low, pair.difference_high, own)}".removesuffix(
        " –"
    )
    lead = f"If differences of means below {{d}} do not matter, {pair.a} and {pair.b} may be called a tie"
    return {
        "sizes": [number(size, decimals_of([size], 2)) for size in sizes],
        "needs": [_needs(pair, multiple) for _, multiple in plan.grid],
        "start": plan.start,
        "ties": [_tie(pair, size) for size in sizes],
        "tie": [
            f"A margin of {{d}} does not make {pair.a} and {pair.b} a tie: they differ by that much or more, {seen}.",
            f"{lead}, but as a choice, not as a finding: they differ by {seen}, which leaves differences beyond ±{{d}} possible.",
            f"{lead}: they differ by {seen}, and that interval, taken on its own, lies within ±{{d}}.",
        ],
    }


def _tie(pair: Pair, margin: float) -> int:
    """Return which sentence a margin allows: no tie (0), one by choice (1), or one that the interval holds (2)."""
    if pair.difference and two_digits(abs(pair.difference)) >= margin:
        return 0
    ends = (pair.difference_low, pair.difference_high)
    return 2 if all(end is not None and abs(end) < margin for end in ends) else 1


def _needs(pair: Pair, multiple: float) -> str:
    """Return the runs that find a difference, in words."""
    n = {*pair.n_runs_a, *pair.n_runs_b}
    if not isfinite(multiple) or multiple * min(n) > MOST_RUNS:
        return f"more than {MOST_RUNS} runs of each" if len(n) == 1 else f"more than {MOST_RUNS} times as many runs"
    per = " on each task" if pair.n_tasks > 1 else ""
    if len(n) > 1:
        times = f"{multiple:.1f}"
        return f"{'' if times == '1.0' else f'{times} times '}as many runs{per} as there are"
    return f"{ceil(multiple * min(n))} runs of each{per} (now {min(n)})"
