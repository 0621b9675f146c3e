"""Sequential tests, written plainly: bounds by the multivariate normal law, paths by a loop over labellings."""

from __future__ import annotations

import numpy as np
from scipy import stats


def stay(bounds, information, drift=0.0):
    """Return the chance that a statistic is within ±bounds at all looks: a multivariate normal box, numerically."""
    t = np.asarray(information)
    covariance = np.sqrt(np.minimum.outer(t, t) / np.maximum.outer(t, t))
    mean, ends, precision = (
        drift * np.sqrt(t),
        np.asarray(bounds),
        {"abseps": 1e-9, "releps": 1e-9, "maxpts": 2_000_000},
    )
    return float(stats.multivariate_normal.cdf(ends, mean, covariance, lower_limit=-ends, **precision))


def welch(x, y):
    """Return the difference of means over tasks over its standard error; x, y: lists of samples, one of each task."""
    difference = sum(a.mean() - b.mean() for a, b in zip(x, y, strict=True))
    variance = sum(a.var(ddof=1) / a.size + b.var(ddof=1) / b.size for a, b in zip(x, y, strict=True))
    return difference / np.sqrt(variance)


def crossed(paths, spent):
    """Return for each path the look at which it crosses, or -1: of those left, from the highest on, as many as are allowed, ties together."""
    looks = [-1] * len(paths)
    for j, share in enumerate(spent):
        allowed = np.floor(share * len(paths) + 1e-9) - sum(look >= 0 for look in looks)
        left = sorted((path[j] for path, look in zip(paths, looks, strict=True) if look < 0), reverse=True)
        for value in sorted(set(left), reverse=True):
            tied = [i for i, path in enumerate(paths) if looks[i] < 0 and path[j] == value]
            if len(tied) > allowed:
                break
            allowed -= len(tied)
            for i in tied:
                looks[i] = j
    return looks
