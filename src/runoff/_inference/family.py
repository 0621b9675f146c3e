"""Many comparisons at once: corrections, each a record, and the levels that a pair has to reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.base.arrays import Floats, Ints
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


EQUAL = 1e-9
"""P-values that differ by less than this share are equal up to rounding error, which depends on the order of the algorithms."""


def decided_levels(pvalues: Sequence[float], adjusted: Sequence[float], correction: str, alpha: float) -> list[float]:
    """Return the level at which the family decided each comparison: p-values up to it are found, p-values above it are not.

    Holm and Shaffer: alpha over the number of comparisons left at the step of those that are found, of equal p-values at the first of their
    steps, and at the step where it stopped for the others. Of others alpha · p / adjusted p, the share of alpha that the comparison had.
    """
    if correction in ("holm", "shaffer"):
        n_found = sum(p <= alpha for p in adjusted)
        # Equal p-values, up to rounding error, are decided at one step, the first of theirs: none of them is clearer than the others.
        steps = np.minimum(np.searchsorted(np.sort(pvalues), (1 - EQUAL) * np.asarray(pvalues)), n_found)
        left = CORRECTIONS[correction].left
        return [alpha / left(len(pvalues), int(step)) for step in steps]
    return [alpha * p / q for p, q in zip(pvalues, adjusted, strict=True)]
