"""Pairs without a verdict: the reason, and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from runoff.answer.base import INCOMPARABLE
from runoff.answer.pair import MeasureReading, Pair
from runoff.words.measures import FOR_IMPROVEMENT, LEAST_CLUSTERS, MANY_TASKS
from runoff.words.names import measures_words
from runoff.words.numbers import p_adjusted
from runoff.words.speech import RUN, both_words, call, of_unit, sided

SAME_RUNS = "their runs are the same numbers"
IN_STRATUM = "no verdict can be given in stratum"
WITHOUT_SPREAD = "none of their runs differs from another of its cell"


def unjudged_words(a: str, b: str, why: str) -> str:
    return f"No verdict is given between {both_words(a, b)} because {why}"


def plateau_words(measure: str, unit: str) -> str:
    """Return the words for a measure that has no standard error although runs vary: many reach the same score, few fail, and a trimmed mean
    keeps only the equal scores."""
    return f"whichever {unit} is left out, their {measures_words(measure)} stay the same"


def few_clusters_words(n_clusters: int) -> str:
    """Return the words for a number of clusters that allows an interval but no verdict."""
    return f"there are {n_clusters} clusters, and fewer than {LEAST_CLUSTERS} cannot tell which is ahead"


def repair_of(why: str, measure: str, unit: str, n_tasks: int) -> str:
    """Return the remedy for a pair without a verdict."""
    if why == WITHOUT_SPREAD:
        return "look whether the seed of a run has an effect"
    if why == plateau_words(measure, unit):
        return f"compare means ({call('compare', measure='mean')})"
    if why.startswith(IN_STRATUM):
        return "the line of that stratum says why"
    if any(why == few_clusters_words(n) for n in range(LEAST_CLUSTERS)):
        return "add clusters"
    return of_unit(repair_of_single_runs(n_tasks), unit)


def repair_of_single_runs(n_tasks: int) -> str:
    """Return the remedy if one of the two has a single run on each of these tasks."""
    ranks = f"compare ranks ({call('compare', test='mack_skillings')})"
    if n_tasks < MANY_TASKS:
        return f"add {RUN}s" if n_tasks == 1 else f"add {RUN}s, or {ranks}"
    # Chances of tasks in units of their own take more tasks.
    where = "" if n_tasks >= FOR_IMPROVEMENT else ", where tasks have one unit,"
    return f"add {RUN}s, {ranks}, or{where} ask about tasks like these ({call('compare', over='tasks')})"


NO_MORE_RUNS: Mapping[str, Any] = MappingProxyType({"planning_margin": None, "outlook": "", "needed_runs": None})
"""The outlook fields of a pair that is decided, or that no number of runs decides."""


def without_verdict(pair: Pair, code: str) -> Pair:
    """Return a pair with the advice of this code, and a sentence that gives its numbers and names no winner."""
    why = INCOMPARABLE[code]
    others = tuple(replace(reading, verdict="no_verdict") for reading in pair.other_readings)
    open_pair = replace(
        pair, verdict="no_verdict", other_readings=others, over_tasks=None, lead_tasks=(), unjudged=why, **NO_MORE_RUNS
    )
    p = (
        ""
        if pair.pvalue is None or pair.pvalue_adjusted is None
        else f"; {p_adjusted(pair.pvalue, pair.pvalue_adjusted)}"
    )
    numbers = sided(open_pair.numbers, open_pair.turned().numbers)
    return replace(open_pair, sentence=f"{unjudged_words(pair.a, pair.b, why)} ({numbers}{p}).")


def of_same_runs(pair: Pair) -> Pair:
    """Return a pair whose runs are the same numbers (R031), which give no information on a difference."""
    return replace(
        untested(pair),
        verdict="no_verdict",
        sentence=f"{unjudged_words(pair.a, pair.b, SAME_RUNS)}.",
        unjudged=SAME_RUNS,
        other_readings=tuple(map(unread, pair.other_readings)),
        over_tasks=None,
        detectable_difference=None,
        detectable_df=None,
    )


def unread(reading: MeasureReading) -> MeasureReading:
    """Return the comparison by a measure that was not tested, with its estimate only."""
    return replace(reading, verdict="no_verdict", pvalue_adjusted=None, low=None, high=None)


def untested(pair: Pair) -> Pair:
    """Return a pair that was not tested, without the p-values of 1 that mark this."""
    # The family was corrected with a p of 1 in their place, so that other pairs are as if these were tested and
    # nothing found.
    none = dict.fromkeys(("pvalue", "pvalue_adjusted", "pvalue_equivalence", "pvalue_equivalence_adjusted"))
    return replace(pair, **none, **NO_MORE_RUNS)  # type: ignore[arg-type]
