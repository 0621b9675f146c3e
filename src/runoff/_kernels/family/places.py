"""Ranks of algorithms: how often each takes which place, and step-down hits of directed pairs."""

from __future__ import annotations

import numpy as np

from runoff._arrays import Floats, Ints
from runoff._kernels._jit import kernel


@kernel
def place_shares(draws: Floats, shares: Floats) -> None:
    """Add to `shares` (k, k), algorithm by place, how often each of `draws` (n_draws, k) puts an algorithm there; ties share their places."""
    k = draws.shape[1]
    for b in range(draws.shape[0]):
        for j in range(k):
            ahead, level = 0, 0
            for other in range(k):
                ahead += draws[b, other] > draws[b, j]
                level += draws[b, other] == draws[b, j]
            for place in range(ahead, ahead + level):
                shares[j, place] += 1.0 / level


@kernel
def normal_score(t: float, df: float) -> float:
    """Return the normal deviate of a t value, nearly: Wallace 1959. Increasing and odd in t whatever its error."""
    if not np.isfinite(df):
        return t
    z = (8.0 * df + 1.0) / (8.0 * df + 3.0) * np.sqrt(df * np.log1p(t * t / df))
    return float(-z if t < 0.0 else z)


@kernel
def normal_scores(values: Floats, variances: Floats, df: Floats, out: Floats) -> None:
    """Fill `out` (k, k) with the scores of j − l for values (k,) and their squared errors (k,); −∞ on the diagonal and where df is NaN."""
    k = values.size
    for j in range(k):
        out[j, j] = -np.inf
        for other in range(j):
            if np.isnan(df[j, other]):
                out[j, other], out[other, j] = -np.inf, -np.inf
                continue
            error = np.sqrt(variances[j] + variances[other])
            score = normal_score((values[j] - values[other]) / error, df[j, other])
            out[j, other], out[other, j] = score, -score


@kernel
def step_hits(
    normals: Floats,
    spreads: Floats,
    variances: Floats,
    df: Floats,
    observed: Floats,
    order: Ints,
    offsets: Ints,
    hits: Ints,
) -> None:
    """Add to `hits` (n_hypotheses,) how often the largest score of a hypothesis and all those before it reaches its observed one.

    normals, spreads (n_draws, k): errors of the estimates in units of their standard errors, and estimated over true squared errors;
    variances (k,) squared standard errors; df, observed (k, k) of directed pairs; order (n_hypotheses,) directed pairs j k + l, ascending
    in the observed score within each family [offsets[f], offsets[f + 1]).
    """
    k = variances.size
    scores, errors, values = np.empty((k, k)), np.empty(k), np.empty(k)
    for b in range(normals.shape[0]):
        for j in range(k):
            values[j] = normals[b, j] * np.sqrt(variances[j])
            errors[j] = variances[j] * spreads[b, j]
        normal_scores(values, errors, df, scores)
        for f in range(offsets.size - 1):
            largest = -np.inf
            for i in range(offsets[f], offsets[f + 1]):
                j, other = order[i] // k, order[i] % k
                largest = max(largest, scores[j, other])
                hits[i] += largest >= observed[j, other]
