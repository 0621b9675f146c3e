"""Many comparisons at once: corrections, each a record; the levels that a pair has to reach; confidence sets for ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.base.arrays import Bools, Floats, Ints
from runoff.base.validate import check_choice
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.words.names import CORRECTIONS as LABELS
from runoff.words.speech import option

# ── adjusted p-values: arrays (m,) in, arrays (m,) out, in the order of the input, capped at 1 ──────────


def _back(order: NDArray[np.intp], adjusted: Floats) -> Floats:
    out = np.empty_like(adjusted)
    out[order] = np.minimum(adjusted, 1.0)
    return out


def bonferroni(p: Floats) -> Floats:
    """Return m·p, which controls the family-wise error under any dependence (Dunn 1961)."""
    return np.minimum(p * p.size, 1.0)


def _one_less(m: int, step: int) -> int:
    return m - step


def _of_three(_m: int, step: int) -> int:
    """Return how many of three differences can still be 0: if one is not, a second is not either (Shaffer 1986)."""
    return 1 if step else 3


def _step_down(p: Floats, left: Callable[[int, int], int]) -> Floats:
    order = np.argsort(p, kind="stable")
    factors = [left(p.size, step) for step in range(p.size)]
    return _back(order, np.maximum.accumulate(factors * p[order]))


def holm(p: Floats) -> Floats:
    """Return the step-down maximum of (m − i + 1) p_(i): the family-wise error under any dependence (Holm 1979)."""
    return _step_down(p, _one_less)


def shaffer(p: Floats) -> Floats:
    """Return 3 p_(1), p_(2), p_(3), increasing: the family-wise error of the pairs of three values (Shaffer 1986)."""
    return _step_down(p, _of_three)


def _step_up(p: Floats, factors: Floats | Ints) -> Floats:
    """Return the running minimum of the p-values times their factors, the largest p-value first."""
    order = np.argsort(p, kind="stable")[::-1]
    return _back(order, np.minimum.accumulate(factors * p[order]))


def hochberg(p: Floats) -> Floats:
    """Return the step-up minimum of (m − i + 1) p_(i): the family-wise error under positive dependence (Hochberg 1988)."""
    return _step_up(p, np.arange(1, p.size + 1))


def hommel(p: Floats) -> Floats:
    """Return the closure of Simes tests: the family-wise error under positive dependence (Hommel 1988; Wright 1992)."""
    m = p.size
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    # Wright 1992: the closure is walked by the size of the intersections, from all m hypotheses down; of
    # each size the worst is the Simes p-value of the largest p-values with the hypothesis itself.
    adjusted = np.full(m, (m * ordered / np.arange(1, m + 1)).min(initial=np.inf))
    for size in range(m - 1, 1, -1):
        low, high = ordered[: m - size + 1], ordered[m - size + 1 :]
        simes = (size * high / np.arange(2, size + 1)).min()
        reached = np.minimum(size * low, simes)
        adjusted = np.maximum(adjusted, np.append(reached, np.full(high.size, reached[-1])))
    return _back(order, np.maximum(adjusted, ordered))


def benjamini_hochberg(p: Floats) -> Floats:
    """Return the step-up minimum of m p_(i) / i: the false discovery rate under positive dependence (Benjamini & Hochberg 1995)."""
    return _step_up(p, p.size / np.arange(p.size, 0, -1))


def benjamini_yekutieli(p: Floats) -> Floats:
    """Return Benjamini-Hochberg times Σ 1/i: the false discovery rate under any dependence (Benjamini & Yekutieli 2001)."""
    ranks = np.arange(p.size, 0, -1)
    return _step_up(p, p.size * (1.0 / ranks).sum() / ranks)


def _harmonic(m: int) -> float:
    """Return 1 / (1 + ½ + … + 1 / m), by which Benjamini & Yekutieli 2001 divide alpha."""
    return 1.0 / sum(1.0 / i for i in range(1, m + 1))


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction.

    label: before the word "correction": "Holm". cited: what a methods paragraph says, with the sources that `report.words.bibtex` spells
    out. familywise: whether it bounds the chance of any wrong claim, so that the first step of a family is at alpha over its size. adjust:
    of p-values (m,). first, last: of the size m of the family: what the clearest pair has to reach if it is
    alone, and what a pair has to reach at best, when all others are found: shares of alpha. left: how many hypotheses can be true at a
    step of the family of size m, after as many were rejected.
    """

    label: str
    cited: str
    adjust: Callable[[Floats], Floats]
    familywise: bool = True
    first: Callable[[int], float] = lambda m: 1.0 / m
    last: Callable[[int], float] = lambda _m: 1.0
    left: Callable[[int, int], int] = _one_less


CORRECTIONS: Mapping[str, Correction] = MappingProxyType(
    {
        "bonferroni": Correction(LABELS["bonferroni"], "Bonferroni's inequality", bonferroni, last=lambda m: 1.0 / m),
        "holm": Correction(LABELS["holm"], "Holm's step-down procedure (Holm 1979)", holm),
        "shaffer": Correction(
            LABELS["shaffer"], "Shaffer's procedure for three algorithms (Shaffer 1986)", shaffer, left=_of_three
        ),
        "hochberg": Correction(LABELS["hochberg"], "Hochberg's step-up procedure (Hochberg 1988)", hochberg),
        "hommel": Correction(LABELS["hommel"], "Hommel's procedure (Hommel 1988)", hommel),
        "bh": Correction(
            LABELS["bh"],
            "the Benjamini-Hochberg procedure (false discovery rate; Benjamini & Hochberg 1995)",
            benjamini_hochberg,
            familywise=False,
        ),
        "by": Correction(
            LABELS["by"],
            "the Benjamini-Yekutieli procedure (false discovery rate; Benjamini & Yekutieli 2001)",
            benjamini_yekutieli,
            familywise=False,
            first=lambda m: _harmonic(m) / m,
            last=_harmonic,
        ),
        "none": Correction(LABELS["none"], "nothing", lambda p: p.copy(), familywise=False, first=lambda _m: 1.0),
    }
)
OF_PVALUES: tuple[str, ...] = tuple(name for name in CORRECTIONS if name != "shaffer")
"""The corrections of any p-values: Shaffer's is of the pairs of three values."""


def adjust(pvalues: ArrayLike, correction: str = "holm") -> Floats:
    """Return adjusted p-values (m,) in the order given; an empty family gives an empty array.

    NaN, an unknown correction and numbers outside [0, 1] are refused: R's ``p.adjust`` drops NaN p-values from the family and statsmodels counts
    them, and both change the other p-values silently. Checked against R 4.2.2 and statsmodels.
    """
    entry = CORRECTIONS[check_choice("correction", correction, CORRECTIONS)]
    p = np.asarray(pvalues, np.float64).ravel()
    bad = ~((p >= 0.0) & (p <= 1.0))
    if bad.any():
        at = int(np.argmax(bad))
        raise OptionError(f"p-values must lie in [0, 1]; number {at} of {p.size} is {p[at]}.")
    return entry.adjust(p)


# ── levels ──────────


def first_level(alpha: float, n_pairs: int, correction: str) -> float:
    """Return the p-value that the clearest pair of a family has to reach if no other pair is found; "auto" begins as Holm's."""
    return alpha * CORRECTIONS["holm" if correction == "auto" else correction].first(n_pairs)


def best_level(alpha: float, correction: str, smallest: Sequence[float | None]) -> float:
    """Return the p-value that a pair has to reach at best; smallest: the least that each pair's test can give, None where there is none.

    Other pairs may be found first and leave more of alpha, as far as their own tests can.
    """
    entry, n_pairs = CORRECTIONS[correction], len(smallest)
    least = sorted(0.0 if pvalue is None else pvalue for pvalue in smallest)
    if not entry.familywise:
        total = alpha * entry.last(n_pairs)
        steps = [k for k, p in enumerate(least, start=1) if p <= total * (k / n_pairs if correction != "none" else 1)]
        return total * (max(steps, default=1) / n_pairs if correction != "none" else 1)
    if entry.last(n_pairs) < 1:
        return alpha * entry.last(n_pairs)
    step = 0
    while step < n_pairs - 1 and least[step] <= alpha / entry.left(n_pairs, step):
        step += 1
    return alpha / entry.left(n_pairs, step)


THREE = 3


def correction_of(correction: str, scores: Scores, n_pairs: int, *, values: bool) -> str:
    """Return the correction of a name; "auto" is Shaffer's for all pairs of three algorithms, else Holm's.

    values: whether each algorithm has one value, of which pairs differ, so that two differences of 0 make a third. The improvement has
    none, and neither has an algorithm whose pairs are on other tasks.
    """
    linked = values and scores.n_algorithms == n_pairs == THREE and bool(scores.n_runs.all())
    if correction == "auto":
        return "shaffer" if linked else "holm"
    if correction == "shaffer" and not linked:
        raise OptionError(
            f"{option('correction', 'shaffer')} is for all pairs of three algorithms that have a value each on the same tasks, which no "
            f"rank test and no improvement gives; use {option('correction', 'holm')}."
        )
    return correction


def decided_levels(pvalues: Sequence[float], adjusted: Sequence[float], correction: str, alpha: float) -> list[float]:
    """Return the level at which the family decided each comparison: p-values up to it are found, p-values above it are not.

    Holm and Shaffer: alpha over the number of comparisons left at the step of those that are found, of equal p-values at the first of their
    steps, and at the step where it stopped for the others. Of others alpha · p / adjusted p, the share of alpha that the comparison had.
    """
    if correction in ("holm", "shaffer"):
        n_found = sum(p <= alpha for p in adjusted)
        # Equal p-values are decided at one step, the first of theirs: none of them is clearer than the others.
        steps = np.minimum(np.searchsorted(np.sort(pvalues), pvalues), n_found)
        left = CORRECTIONS[correction].left
        return [alpha / left(len(pvalues), int(step)) if step < len(pvalues) else alpha for step in steps]
    return [alpha * p / q for p, q in zip(pvalues, adjusted, strict=True)]


# ── confidence sets for ranks ──────────

# An algorithm's place is one more than the number of those that are truly better. It stands behind those that are found better than it, and
# before those that it is found better than, so that with the probability that these findings are all right every place in between is possible
# (Mogstad, Romano, Shaikh & Wilhelm 2024, whose bootstrap steps Holm's take the place of).


VALUES_PER_BLOCK = 2**20
"""Scores of a block of draws: eight megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sets:
    """Places of k algorithms, 1 being best.

    low, high: (k,) each on its own; joint_low, joint_high: (k,) all at once, by the `findings`: (k, k) whether the first is found above the
    second; shares: (k, k) how often each takes which place in the draws, None where an error is not known.
    """

    low: Ints
    high: Ints
    joint_low: Ints
    joint_high: Ints
    findings: Bools
    shares: Floats | None


def sets_of_pairs(pvalues: Floats, ahead: Bools, alpha: float, shares: Floats | None, correction: str = "holm") -> Sets:
    """Return the sets of two-sided p-values (k, k): over all pairs by the correction, and for each algorithm over its own by Holm's.

    ahead: (k, k), whether the test favours the first over the second. What is found over all pairs is found of each algorithm too.
    """
    k = len(pvalues)
    joint, own = np.zeros((2, k, k), np.bool_)
    places = np.array(list(combinations(range(k), 2)))
    joint[*places.T] = adjust(pvalues[*places.T], correction) <= alpha
    joint |= joint.T
    for j in range(k):
        others = np.delete(np.arange(k), j)
        own[j, others] = adjust(pvalues[j, others]) <= alpha
    own |= joint
    return Sets(
        low=1 + (own & ahead.T).sum(axis=1),
        high=k - (own & ahead).sum(axis=1),
        joint_low=1 + (joint & ahead.T).sum(axis=1),
        joint_high=k - (joint & ahead).sum(axis=1),
        findings=joint & ahead,
        shares=shares,
    )


def block_size(k: int) -> int:
    """Return the draws of a block: fixed by the number of algorithms, so that the numbers depend on data and seed alone."""
    return max(32, min(1024, VALUES_PER_BLOCK // k**2))


def place_shares(draws: Floats) -> Floats:
    """Return how often each of k algorithms takes which place in draws (n_draws, k), larger being better; ties share their places: (k, k)."""
    k = draws.shape[1]
    ahead = (draws[:, None, :] > draws[:, :, None]).sum(axis=2)
    level = (draws[:, None, :] == draws[:, :, None]).sum(axis=2)
    shares = np.zeros((k, k))
    for more in range(int(level.max())):
        kept = level > more
        # m that are level share the m places from their own on, each with 1/m.
        places = np.nonzero(kept)[1] * k + ahead[kept] + more
        shares += np.bincount(places, weights=1.0 / level[kept], minlength=k * k).reshape(k, k)
    return shares


def drawn_shares(draws: Floats) -> Floats:
    """Return the shares (k, k) of all draws (n_draws, k), block by block."""
    size = block_size(draws.shape[1])
    return np.asarray(sum(place_shares(draws[at : at + size]) for at in range(0, len(draws), size)) / len(draws))


# ── groups of algorithms that no decision sets apart ──────────


def maximal_groups(different: Bools) -> list[tuple[int, ...]]:
    """Return all largest sets of algorithms without a pair that differs, ordered by their members.

    different: (k, k) symmetric. Two algorithms are in a common group if and only if they do not differ.
    Source: insert-and-absorb, Piepho (2004).
    """
    # Insert: a pair that differs splits each group that holds both into one without the
    # first and one without the second. Absorb: a group within another one says nothing.
    groups = {frozenset(range(len(different)))}
    for a, b in np.argwhere(np.triu(different, 1)).tolist():
        split = {group for group in groups if a in group and b in group}
        groups = (groups - split) | {group - {member} for group in split for member in (a, b)}
        groups = {group for group in groups if not any(group < other for other in groups)}
    return sorted(tuple(sorted(group)) for group in groups)


def letters(groups: list[tuple[int, ...]], n_algorithms: int) -> list[str]:
    """Return the compact letter display: algorithms that share a letter do not differ. Source: Piepho (2004)."""
    shown = [""] * n_algorithms
    for index, group in enumerate(groups):
        for member in group:
            shown[member] += letter(index)
    return shown


def letter(index: int) -> str:
    """Return a, b, …, z, a1, b1, …"""
    turn, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
