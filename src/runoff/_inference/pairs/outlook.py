"""How many more runs: from the interval of a pair and the smallest difference that matters, whatever the difference that was seen."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import asdict, dataclass, replace
from math import ceil, inf, isfinite, sqrt

import numpy as np
from scipy import special

from runoff._inference.bootstrap import Ends, parse_metric, value_of
from runoff._inference.pairs.measure import IMPROVEMENT
from runoff._inference.pairs.pair import PairData, widest
from runoff._inference.power import LEAST, grown
from runoff.answer.outlook import outlook_words
from runoff.answer.pair import OutlookName, Pair
from runoff.base.arrays import median_of
from runoff.words.measures import even_of
from runoff.words.speech import neutral

SHARE = 0.1
"""The share of the range of the runs that matters, where no margin is named."""
BEYOND = 10**9
"""Runs beyond which no number is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What more runs would say of a pair that these leave undecided; all empty where it is decided, or nothing is known."""

    planning_margin: float | None = None
    outlook: OutlookName = ""
    needed_runs: int | None = None


def looked_ahead(pair: Pair, cells: PairData, level: float, margin: float | None) -> Pair:
    """Return a pair with what more runs would say of it, in words too, where these leave it undecided; level: at which the family decided it."""
    if pair.verdict != "no_difference_found" or pair.over == "tasks":
        return pair
    low, high = pair.deciding
    ends = None if low is None or high is None else (low, high)
    open_pair = replace(pair, margin=margin, **asdict(outlook_of(cells, pair.measure, ends, level, margin)))
    return replace(open_pair, sentence=f"{neutral(pair.sentence)} {outlook_words(open_pair)}".strip())


def outlook_of(pair: PairData, measure: str, ends: Ends | None, level: float, margin: float | None) -> Outlook:
    """Return what more runs would say of an undecided pair with this interval; level: of its test; margin: the one that was named, if any.

    An interval that holds 0 and lies within the margin rules a larger lead out. Any other that holds 0 is wider than the margin, and one that
    is no wider leaves out 0 or the margin wherever it lies: so many runs say which (precision for planning: Kelley & Maxwell 2003).
    """
    even, matters = even_of(measure), margin_of_range(pair, measure) if margin is None else margin
    if ends is None or not matters or not all(map(isfinite, ends)) or not ends[0] <= even <= ends[1]:
        return Outlook()
    beyond = [end - even > matters for end in (2 * even - ends[0], ends[1])]
    if not any(beyond):
        return Outlook(planning_margin=matters, outlook="ruled_out")
    needed = _runs_of_width(pair, measure, ends[1] - ends[0], level, matters)
    return Outlook(planning_margin=matters, outlook="both_sides" if all(beyond) else "one_side", needed_runs=needed)


def margin_of_range(pair: PairData, measure: str) -> float:
    """Return by how much an algorithm leads that scores a tenth of the range of both algorithms' runs more on every task.

    Of a chance and of success rates, whose range is 1, it is 0.1. A tenth more on every task is a tenth of the mean range in a mean; an IQM
    keeps other runs then, so that it is measured, on either side.
    """
    if measure == IMPROVEMENT:
        return SHARE / 2 if pair.binary else SHARE  # of rates a chance is ½ and half of their difference
    if pair.binary:
        return SHARE
    tenths = SHARE * np.array([float(np.ptp(np.concatenate(both))) for both in zip(pair.x, pair.y, strict=True)])
    if measure == "mean":
        return float(tenths.mean())
    metric, leads = parse_metric(measure), []
    for side in (pair.x, pair.y):
        # Counted from their middle, large scores lose no digit; a user's function need not move with the scores.
        middle = 0.0 if metric.own is not None else median_of(np.concatenate(side))
        own = [cell - middle for cell in side]
        moved = [cell + tenth for cell, tenth in zip(own, tenths.tolist(), strict=True)]
        leads.append(value_of(moved, metric) - value_of(own, metric))
    return abs(sum(leads)) / 2


def _runs_of_width(pair: PairData, measure: str, width: float, level: float, goal: float) -> int | None:
    """Return the fewest runs of each on each task whose interval is no wider than the goal; width: of the one that there is."""
    n = pair.least
    if n < LEAST:
        return None  # a single run has no spread
    error, df = widest(pair.law_at(measure, n, n), 1 - level)

    needed = n if df is None else first_enough(n, error, df, level, goal)
    # Rates of 0 and 1 have an interval and no spread; and where few runs are relabelled the t interval may be narrow enough though the one that
    # decided is not. No interval shrinks more slowly than by the root of the runs.
    if needed == n:
        needed = ceil(n * (width / goal) ** 2)
    return needed if needed < BEYOND else None


def first_enough(n: int, error: float, df: float, level: float, goal: float) -> int:
    """Return from which number of runs on, n or more, a t interval is no wider than the goal; error, df: of n runs."""

    def enough(runs: int) -> bool:
        return _reach(error * sqrt(n / runs), grown(df, n, runs), level) <= goal

    # With df that stay as they are it would take the most, and with infinitely many the fewest.
    most, least = (n * (_reach(error, freedom, level) / goal) ** 2 for freedom in (df, inf))
    first, last = (min(max(int(runs), n), BEYOND) for runs in (least - 1, most + 2))
    return first + bisect_left(range(first, last), True, key=enough)


def _reach(error: float, df: float, level: float) -> float:
    """Return the width of a t interval."""
    return -2 * error * float(special.stdtrit(df, level / 2))
