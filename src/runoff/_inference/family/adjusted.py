"""P-values adjusted over the family of pairs: from the p-values alone, or, for `max_t`, from the runs."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from runoff._inference.family.corrections import CORRECTIONS, adjust
from runoff._inference.family.max_t import max_t
from runoff.base.random import Streams
from runoff.base.validate import check_choice
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.words.speech import option

MAX_T_TESTS = MappingProxyType({"studentized_permutation": "mean", "mack_skillings": "rank"})
"""Tests whose statistic `max_t` relabels; "auto" is the first."""


def check_correction(correction: str, test: str, pairs: object) -> str:
    """Return the correction; `max_t` relabels runs, for all pairs or all against a control."""
    check_choice("correction", correction, CORRECTIONS)
    if correction == "max_t" and test != "auto" and test not in MAX_T_TESTS:
        raise OptionError(
            f"{option('correction', 'max_t')} relabels runs under {option('test', 'studentized_permutation')} or mack_skillings, not {test!r}; "
            f"use one of them, or {option('correction', 'holm')}."
        )
    if correction == "max_t" and not (isinstance(pairs, str) and pairs == "all"):
        raise OptionError(
            f"{option('correction', 'max_t')} is for all pairs, or all against a control; use 'holm' for chosen pairs."
        )
    return correction


def can_relabel_jointly(test: str, pairs: object, *, shared: bool) -> bool:
    """Return whether `max_t` could adjust these pairs; shared: runs are scored on several tasks."""
    statistic = MAX_T_TESTS.get(max_t_test(test))
    return isinstance(pairs, str) and pairs == "all" and statistic is not None and not (shared and statistic == "rank")


def max_t_test(test: str) -> str:
    """Return the test of the pairs that `max_t` adjusts."""
    return next(iter(MAX_T_TESTS)) if test == "auto" else test


def adjusted_over_family(
    scores: Scores,
    chosen: Sequence[tuple[int, int]],
    pvalues: Sequence[float],
    correction: str,
    test: str,
    control: str | None,
    streams: Streams,
    n_resamples: int,
) -> list[float]:
    """Return the adjusted p-values of the chosen pairs, each at least its own p-value."""
    if correction != "max_t":
        return [float(p) for p in adjust(pvalues, correction)]
    comparisons = max_t(
        scores.values,
        scores.offsets,
        scores.n_algorithms,
        scores.n_tasks,
        control=None if control is None else scores.algorithms.index(control),
        statistic=MAX_T_TESTS[test],
        streams=streams,
        n_resamples=min(n_resamples, 10_000),
        shared=scores.sampling.shared,
    )
    by_pair = {frozenset(pair): float(p) for pair, p in zip(comparisons.pairs, comparisons.adjusted, strict=True)}
    return [max(p, by_pair[frozenset(pair)]) for p, pair in zip(pvalues, chosen, strict=True)]


def decisive_level(alpha: float, n_pairs: int, correction: str) -> float:
    """Return the level by which a test is chosen for every pair of a family.

    Where any wrong claim counts that of the first step; else, and for `max_t`, whose adjusted p-value is that of a relabelling of all,
    what a pair has to reach at best.
    """
    entry = CORRECTIONS[correction]
    stepwise = entry.familywise and entry.adjust is not None
    return first_level(alpha, n_pairs, correction) if stepwise else alpha * entry.last(n_pairs)


def first_level(alpha: float, n_pairs: int, correction: str) -> float:
    """Return the p-value that the clearest pair of a family has to reach if no other pair is found."""
    return alpha * CORRECTIONS[correction].first(n_pairs)


def best_level(alpha: float, correction: str, smallest: Sequence[float | None]) -> float:
    """Return the p-value that a pair has to reach at best; smallest: the least that each pair's test can give, None where there is none.

    Other pairs may be found first and leave more of alpha, as far as their own tests can.
    """
    entry, n_pairs = CORRECTIONS[correction], len(smallest)
    if entry.adjust is None:
        return alpha * entry.last(n_pairs)
    least = sorted(0.0 if pvalue is None else pvalue for pvalue in smallest)
    if not entry.familywise:
        total = alpha * entry.last(n_pairs)
        steps = [k for k, p in enumerate(least, start=1) if p <= total * (k / n_pairs if correction != "none" else 1)]
        return total * (max(steps, default=1) / n_pairs if correction != "none" else 1)
    n_before = 0
    while entry.last(n_pairs) == 1 and n_before < n_pairs - 1 and least[n_before] <= alpha / (n_pairs - n_before):
        n_before += 1
    return alpha / (n_pairs - n_before) if entry.last(n_pairs) == 1 else alpha * entry.last(n_pairs)
