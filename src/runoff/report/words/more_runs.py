"""How many runs would find how small a difference between the leader and its nearest rival, and whether a tie may be called.

These are the numbers and the words of the slider on the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import Any

from runoff._inference.family import first_level
from runoff._inference.power import detectable, needed_multiple
from runoff.report.answers.all import Answers
from runoff.results.pair import Pair, differences_words, even_of
from runoff.results.standing import Standing
from runoff.words.numbers import decimals_of, interval, number

FACTORS = tuple(2.0 ** (k / 4) for k in range(-16, 9))
"""Differences that are asked for, as multiples of the one that these runs would have found; the one that was seen is among them."""
MOST_RUNS = 1000
"""The most runs that are given as a number; more would be no plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreRuns:
    """The pair, and for each difference how many times the runs that there are would find it with 80 % power, as `needed_multiple` says.

    Differences are exact; no two are alike when shown with two digits.
    """

    pair: Pair
    grid: tuple[tuple[float, float], ...]
    start: int


def more_runs(answers: Answers, standing: Standing) -> MoreRuns | None:
    """Return the runs needed of the leader and the first that it is not told apart from; None where there is none, or power is unknown."""
    rivals = standing.those("not told apart")
    pair = standing.beside(rivals[0]) if rivals else None
    if pair is None or not pair.detectable_difference:
        return None
    detectable_now, seen = pair.detectable_difference, abs(_lead(pair))
    differences = [detectable_now * factor for factor in FACTORS]
    first = (detectable_now, *([seen] if differences[0] < seen < differences[-1] else []), *differences)
    sizes = sorted({two_digits(size): size for size in reversed(first)}.values())
    grid = tuple((size, 1.0 if size == detectable_now else multiple_for(pair, size, answers)) for size in sizes)
    return MoreRuns(pair=pair, grid=grid, start=sizes.index(detectable_now))


def multiple_for(pair: Pair, difference: float, answers: Answers) -> float:
    """Return how many times the runs of this pair would find a difference; for the one that was seen it is `pair.needed_multiple`.

    Its standard error is that of which `pair.detectable_difference` is a known multiple.
    """
    comparison = answers.comparison
    level = first_level(comparison.alpha, len(comparison.pairs), comparison.correction)
    df, size = pair.detectable_df, pair.detectable_difference
    assert df is not None  # as `more_runs` has checked
    assert size is not None
    error = size / detectable(1.0, df, level)
    return needed_multiple(difference, error, df, min(pair.n_runs_a[0], pair.n_runs_b[0]), level)


def _lead(pair: Pair) -> float:
    """Return how far a is ahead in the measure: of the improvement its distance from ½."""
    return pair.estimate - even_of(pair.measure)


def two_digits(value: float) -> float:
    """Return a positive value with two significant digits.

    >>> two_digits(0.0784), two_digits(1234.0)
    (0.078, 1200.0)
    """
    return round(value, 1 - floor(log10(value)))


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
    own, (low, high) = decimals_of([_lead(pair)], 2), _ends(pair)
    seen = f"{number(_lead(pair), own)} {interval(low, high, own)}".removesuffix(" –")
    what = (
        "leads over ½ of the probability of improvement"
        if even_of(pair.measure)
        else f"{differences_words(pair.measure, binary=pair.rates)}"
    )
    lead = f"If {what.replace('difference', 'differences')} below {{d}} do not matter, {pair.a} and {pair.b} may be called a tie"
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
    if _lead(pair) and two_digits(abs(_lead(pair))) >= margin:
        return 0
    return 2 if all(end is not None and abs(end) < margin for end in _ends(pair)) else 1


def _ends(pair: Pair) -> tuple[float | None, float | None]:
    even = even_of(pair.measure)
    return None if pair.low is None else pair.low - even, None if pair.high is None else pair.high - even


def _needs(pair: Pair, multiple: float) -> str:
    n, runs = {*pair.n_runs_a, *pair.n_runs_b}, f"{pair.unit}s"
    if not isfinite(multiple) or multiple * min(n) > MOST_RUNS:
        return f"more than {MOST_RUNS} {runs} of each" if len(n) == 1 else f"more than {MOST_RUNS} times as many {runs}"
    per = " on each task" if pair.n_tasks > 1 else ""
    if len(n) > 1:
        times = f"{multiple:.1f}"
        return f"{'' if times == '1.0' else f'{times} times '}as many {runs}{per} as there are"
    return f"{ceil(multiple * min(n))} {runs} of each{per} (now {min(n)})"
