"""Words for what more runs would show about an undecided pair."""

from __future__ import annotations

from runoff.answer.pair import Pair
from runoff.words.measures import EVEN, even_of
from runoff.words.names import LOWER_IS_BETTER
from runoff.words.numbers import counted, digits, exactly, percent
from runoff.words.speech import sided


def outlook_words(pair: Pair, *, runs: bool = True) -> str:
    """Return whether a lead above the margin is ruled out, or for which algorithm it is not, and, unless `runs` is False, how many runs
    would decide; "" if nothing is known.
    """
    if not pair.outlook:
        return ""
    lead = f"{lead_above(pair)} ({margin_words(pair)})"
    either = sided(f"{pair.a} or {pair.b}", f"{pair.b} or {pair.a}")
    if pair.outlook == "ruled_out":
        return f"These {pair.unit}s rule out that {either} has {lead}."
    either = either if pair.outlook == "both_sides" else open_side(pair)
    with_more = ""
    if runs and pair.needed_runs:
        what = "probability" if pair.measure == "improvement" else "lead"
        with_more = f"; with {needed_words(pair)}, {either_words(pair, f'that {what}')}"
    return f"These {pair.unit}s cannot say whether {either} has {lead}{with_more}."


def either_words(pair: Pair, lead: str) -> str:
    """Return what the needed runs achieve: the interval will exclude either no difference or the lead, depending on the true difference."""
    even = "50\u00a0%" if pair.measure == "improvement" else "no difference"
    return f"if they spread as these do, the interval leaves out either {even} or {lead}"


def lead_above(pair: Pair) -> str:
    """Return the words for the lead that matters: "a lead above 0.05", "a probability of improvement above 60 %"."""
    margin = pair.planning_margin if pair.margin is None else pair.margin
    assert margin is not None
    if pair.measure == "improvement":
        return f"a probability of improvement above {percent(EVEN + margin)}"
    return f"a lead above {digits(margin, 2) if pair.margin is None else exactly(margin)}"


def margin_words(pair: Pair) -> str:
    """Return the words for the origin of the margin."""
    if pair.margin is not None:
        return "the margin that was named"
    if pair.rates:
        return "a tenth of the range of success rates"
    return (
        "a tenth of its range above 50\u00a0%"
        if pair.measure == "improvement"
        else f"a tenth of the range of their {pair.unit}s"
    )


def needed_words(pair: Pair) -> str:
    """Return the words for the needed runs: "24 runs of each on each task"."""
    assert pair.needed_runs is not None
    return f"{counted([pair.needed_runs], pair.unit)} of each{' on each task' if pair.n_tasks > 1 else ''}"


def open_side(pair: Pair) -> str:
    """Return the algorithm for which a lead above the margin is not ruled out: the one on whose side the interval extends further."""
    below, above = _leads(pair)
    return pair.a if (above > below) != (pair.measure in LOWER_IS_BETTER) else pair.b


def largest_lead(pair: Pair) -> float:
    """Return the largest lead of either algorithm that the interval allows."""
    return max(_leads(pair))


def _leads(pair: Pair) -> tuple[float, float]:
    """Return how far the interval extends below and above no difference."""
    low, high = pair.deciding
    even = even_of(pair.measure)
    return (0.0, 0.0) if low is None or high is None else (even - low, high - even)
