"""Pairs without a verdict, and the words that say why."""

from __future__ import annotations

from dataclasses import replace

from runoff.results.base import INCOMPARABLE
from runoff.results.pair import MeasureReading, Pair
from runoff.words.numbers import p_adjusted

SAME_RUNS = "their runs are the same numbers"


def unjudged_words(a: str, b: str, why: str) -> str:
    return f"No verdict is given between {a} and {b} because {why}"


def without_verdict(pair: Pair, code: str) -> Pair:
    """Return a pair beside the advice of this code, with a sentence that has its numbers and names nobody."""
    why = INCOMPARABLE[code]
    others = tuple(replace(reading, verdict="no_verdict") for reading in pair.others)
    open_pair = replace(pair, verdict="no_verdict", others=others, over_tasks=None, few=(), unjudged=why)
    p = (
        ""
        if pair.pvalue is None or pair.pvalue_adjusted is None
        else f"; {p_adjusted(pair.pvalue, pair.pvalue_adjusted)}"
    )
    return replace(open_pair, sentence=f"{unjudged_words(pair.a, pair.b, why)} ({open_pair.numbers}{p}).")


def of_same_runs(pair: Pair) -> Pair:
    """Return a pair whose runs are the same numbers (R031), which say nothing of a difference."""
    return replace(
        untested(pair),
        verdict="no_verdict",
        sentence=f"{unjudged_words(pair.a, pair.b, SAME_RUNS)}.",
        unjudged=SAME_RUNS,
        others=tuple(map(unread, pair.others)),
        over_tasks=None,
        detectable_difference=None,
        detectable_df=None,
        needed_multiple=None,
    )


def unread(reading: MeasureReading) -> MeasureReading:
    """Return what a measure says where it was not tested: its estimate."""
    return replace(reading, verdict="no_verdict", pvalue_adjusted=None)


def untested(pair: Pair) -> Pair:
    """Return a pair of which no test was made, without the p-values of 1 that stand for that."""
    none = dict.fromkeys(("pvalue", "pvalue_adjusted", "pvalue_equivalence", "pvalue_equivalence_adjusted"))
    return replace(pair, **none)  # type: ignore[arg-type]
