"""Upper confidence limits of a sum of variances: what a difference of means may have for its true variance, given a pilot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from runoff.base.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """An estimated variance that adds to the sum, with the degrees of freedom of its estimate."""

    variance: float
    df: float


def upper_factor(terms: Sequence[Term], assurance: float) -> float:
    """Return by how much the estimate of a sum of variances has to be multiplied so that the truth is below with this assurance.

    One variance: ν / χ²_{1−γ}(ν), exact for normal runs. Two: the modified large-sample limit of Graybill & Wang (1980), V + √Σ (H_i v_i)² with
    H_i = ν_i / χ²_{1−γ}(ν_i) − 1, which is exact where one of them is 0. More: the same limit of two terms, the one that weighs most in it and
    all others together, whose sum is taken for a χ² with Satterthwaite's degrees of freedom. Satterthwaite's approximation of everything
    falls to 0.78 instead of 0.9 where a variance with few runs dominates; limits of each at once are up to 30 times too wide.
    """
    variances, df = (np.array([getattr(term, name) for term in terms], np.float64) for name in ("variance", "df"))
    shares = variances / variances.sum()
    reaches = shares * _excess(df, assurance)
    most = int(np.argmax(reaches))
    reach = float(reaches[most])
    others = np.delete(shares, most)
    rest = float(others.sum())
    if rest > 0:
        together = rest**2 / float((others**2 / np.delete(df, most)).sum())
        reach = sqrt(reach**2 + (rest * float(_excess(np.array(together), assurance))) ** 2)
    return 1.0 + reach


def _excess(df: Floats, assurance: float) -> Floats:
    """Return H = ν / χ²_{1−γ}(ν) − 1."""
    limit: Floats = df / special.chdtri(df, assurance) - 1.0
    return limit
