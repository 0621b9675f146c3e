"""Two performance profiles: which lies above the other, and where they cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

import numpy as np

from runoff.base.arrays import Floats

EQUAL = 1e-12
"""Shares that differ by less differ by rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The largest lead of a profile over another, and the lowest threshold at which it is that large; 0 and None if it never leads."""

    share: float
    threshold: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How two profiles lie: the thresholds from which on the other one leads than did before, and the largest leads."""

    crossings: tuple[float, ...]
    first: Lead
    second: Lead

    @property
    def name(self) -> str:
        """Return "a_dominates", "b_dominates", "cross" or "equal"."""
        if self.crossings:
            return "cross"
        if self.first.threshold is None and self.second.threshold is None:
            return "equal"
        return "a_dominates" if self.second.threshold is None else "b_dominates"


def order_of(x: Sequence[Floats], y: Sequence[Floats]) -> Order:
    """Return how the profiles of two lists of cells (n_runs,) lie, over every threshold: each changes only where a score is."""
    jumps = np.unique(np.concatenate([*x, *y]))
    difference = share_above(x, jumps) - share_above(y, jumps)
    leads = np.where(np.abs(difference) > EQUAL, np.sign(difference), 0.0)
    at = np.flatnonzero(leads)
    turned = at[1:][leads[at][1:] != leads[at][:-1]]
    return Order(
        crossings=tuple(jumps[turned].tolist()), first=_lead(jumps, difference), second=_lead(jumps, -difference)
    )


def share_above(cells: Sequence[Floats], thresholds: Floats) -> Floats:
    """Return the share of runs above each threshold, every cell weighing the same."""
    common = lcm(*(cell.size for cell in cells))
    above = [
        (cell.size - np.searchsorted(np.sort(cell), thresholds, "right")) * float(common // cell.size) for cell in cells
    ]
    shares: Floats = np.sum(above, axis=0) / (float(common) * len(cells))
    return shares


def _lead(jumps: Floats, difference: Floats) -> Lead:
    at = int(np.argmax(difference))
    if difference[at] <= EQUAL:
        return Lead(share=0.0, threshold=None)
    return Lead(share=float(difference[at]), threshold=float(jumps[at]))
