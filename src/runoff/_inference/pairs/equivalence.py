"""Equivalence within a margin: two one-sided tests, and Tryon's reading of inferential intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from runoff._inference.bootstrap import Ends
from runoff._inference.pairs.chance import EVEN
from runoff._inference.pairs.pair import IMPROVEMENT, PairData
from runoff.errors import OptionError
from runoff.words.numbers import exactly
from runoff.words.speech import option


def check_margin(margin: float, what: str = "difference") -> float:
    if isinstance(margin, bool) or not isinstance(margin, int | float | np.number) or not 0 < margin < np.inf:
        message = f"margin, the smallest {what} that matters, must be a finite number above 0 in units of the scores, not {margin!r}."
        raise OptionError(message)
    return float(margin)


def check_margin_of(measure: str, margin: float) -> None:
    """Refuse a margin that no chance can exceed: the improvement lies within ½ of ½."""
    if measure == IMPROVEMENT and margin >= EVEN:
        raise OptionError(
            f"the margin of a probability of improvement is a distance from ½ and lies below ½, not {exactly(margin)}: for one in units of the "
            f"scores take {option('measure', 'mean')}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TryonReading:
    """Inferential intervals of two means, whether they are apart, and the most the means can plausibly differ."""

    difference: float
    ends: Ends | None
    differs: bool
    largest: float | None


def tryon(pair: PairData, alpha: float) -> TryonReading:
    """Return Tryon's reading of two means by inferential intervals.

    Tryon & Lewis 2008 eq. 6: each interval is t ± E t_ν s with E = t_ν √(s₁² + s₂²) / (t_ν₁ s₁ + t_ν₂ s₂), so that they are apart if and only if
    Welch's test rejects; written out, the half widths share t_ν s_diff in proportion to t_νᵢ sᵢ. The means differ by at most the distance
    from the lowest to the highest end.
    """
    sides = [pair.combined(1.0, 0.0), pair.combined(0.0, 1.0)]
    difference = pair.difference
    if difference.df is None:
        return TryonReading(difference=difference.estimate, ends=None, differs=False, largest=None)
    reach = float(special.stdtrit(difference.df, 1 - alpha / 2)) * difference.error
    halves = np.array([0.0 if s.df is None else float(special.stdtrit(s.df, 1 - alpha / 2)) * s.error for s in sides])
    halves *= reach / halves.sum()
    lows, highs = ([s.estimate + sign * h for s, h in zip(sides, halves, strict=True)] for sign in (-1, 1))
    return TryonReading(
        difference=difference.estimate,
        ends=(difference.estimate - reach, difference.estimate + reach),
        differs=abs(difference.estimate) > reach,
        largest=max(highs) - min(lows),
    )
