"""What `compare` says of each unit, one-sided: nothing is called that it would deny of the same runs at the same level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from runoff._inference.bootstrap import Law
from runoff._inference.gate.family import ordered
from runoff._inference.pairs import PairData, PairLaw
from runoff.base.arrays import Bools, Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedUnits:
    """One-sided p-values of the difference of means, (n_units,): against no drop, no rise, and a drop of the margin or more.

    silent: where no run differs from another of its side, so that `compare` has no test; p-values are 0 there, and deny nothing.
    """

    dropped: Floats
    risen: Floats
    kept: Floats
    silent: Bools

    @classmethod
    def of(cls, parts: Sequence[PairData], margins: Sequence[float], *, scaled: bool) -> ComparedUnits:
        """Return the p-values of parts, the tasks and last their mean, whose rates are none where it is `scaled` by margins."""
        several = scaled and len(parts) > 1
        parts = [*parts[:-1], replace(parts[-1], binary=False, rates=False)] if several else parts
        # In an order of runs that does not depend on that of the rows.
        sides = [[ordered(side, part.shared) for side in (part.x, part.y)] for part in parts]
        laws = [replace(part, x=x, y=y).law("mean") for part, (x, y) in zip(parts, sides, strict=True)]
        return cls(
            dropped=np.array([beyond(law, 0.0, 1) for law in laws]),
            risen=np.array([beyond(law, 0.0, -1) for law in laws]),
            kept=np.array([beyond(law, margin, -1) for law, margin in zip(laws, margins, strict=True)]),
            silent=np.array([_silent(law) for law in laws]),
        )


def _silent(law: PairLaw) -> bool:
    return isinstance(law, Law) and not law.laws


def beyond(law: PairLaw, drop: float, side: int) -> float:
    """Return the one-sided p-value that the drop is larger than so much (side 1), or smaller (−1)."""
    if _silent(law):
        return 0.0
    # A two-sided p-value halved is that of the side on which the value lies; the other side has the rest.
    half = law.pvalue(drop) / 2
    return half if side * law.value > side * drop else 1 - half
