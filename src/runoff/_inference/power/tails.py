"""Tails of the t that a true difference makes: noncentral, or central and shifted."""

from __future__ import annotations

import numpy as np
from scipy import special

from runoff.base.arrays import Floats


def critical_value(df: Floats | float, alpha: float, *, two_sided: bool) -> Floats:
    """Return t beyond which a t test at alpha rejects."""
    lower: Floats = np.asarray(special.stdtrit(df, alpha / 2 if two_sided else alpha), np.float64)
    return -lower


def noncentral(shift: Floats | float, df: Floats | float, critical: Floats, *, two_sided: bool) -> Floats:
    """Return P(T' > critical), or P(|T'| > critical), of a noncentral t."""
    above = 1 - _below(shift, df, critical)
    return above + _below(shift, df, -critical) if two_sided else above


def central(shift: float, df: Floats | float, critical: Floats, *, two_sided: bool) -> Floats:
    """Return P(T + shift > critical), or P(|T + shift| > critical), of a central t (Colas 2018, eq. 8)."""
    above: Floats = np.asarray(special.stdtr(df, shift - critical), np.float64)
    return above + np.asarray(special.stdtr(df, -shift - critical), np.float64) if two_sided else above


def _below(shift: Floats | float, df: Floats | float, t: Floats) -> Floats:
    """Return P(T' ≤ t); SciPy gives NaN in far tails, which are 0 or 1."""
    chance: Floats = np.asarray(special.nctdtr(df, shift, t), np.float64)
    return np.where(np.isnan(chance), np.asarray(t > shift, np.float64), chance)
