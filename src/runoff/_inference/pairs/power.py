"""The smallest difference a design detects: noncentral t, from a standard error and its degrees of freedom."""

from __future__ import annotations

from math import isnan

from scipy import optimize, special


def power_of_t(noncentrality: float, df: float, alpha: float) -> float:
    """Return the power of the two-sided t test: P(|T'| > t_{1 − alpha/2}) of a noncentral T'."""
    critical = float(special.stdtrit(df, 1 - alpha / 2))
    lower = float(special.nctdtr(df, noncentrality, -critical))
    upper = float(special.nctdtr(df, noncentrality, critical))
    return 1 - upper + (0.0 if isnan(lower) else lower)  # SciPy gives NaN in the far lower tail, which is 0


def detectable(error: float, df: float, alpha: float, power: float = 0.8) -> float:
    """Return the smallest true difference that a two-sided t test finds with `power`, given its standard error and df.

    Exact for the noncentral t; Colas 2018 eq. 8 shifts a central t and is one-sided, which gives sizes too small.
    """
    if alpha >= power:
        return 0.0  # chance alone has that power
    critical = float(special.stdtrit(df, 1 - alpha / 2))
    found = optimize.brentq(lambda nc: power_of_t(nc, df, alpha) - power, 0.0, 4 * critical + 10, xtol=1e-10)
    return float(found) * error
