"""profiles.json: performance profiles of rliable, and the exact law of a resampled share by SciPy's binomial laws and NumPy's convolution.

The inputs are those of bootstrap.json: runs by tasks. Thresholds lie between scores and on one of them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

import numpy as np
from rliable import library
from scipy import stats

from tests.golden.tools import Case, Golden, agree, inputs, packages

TAIL = 0.025
REPS = 10
"""Of rliable, whose points alone are kept."""


def make() -> Golden:
    """Return profiles.json."""
    cases = [case for case in inputs("bootstrap") if case["kind"] == "aggregate"]
    return Golden(packages("numpy", "scipy", "rliable"), [profile(case) for case in cases])


def profile(case: Case) -> Case:
    """Return shares of runs and of task means above thresholds, and the ends of the stratified bootstrap of the former."""
    scores = np.array(case["scores"])
    thresholds = np.unique(
        [*np.quantile(scores, [0.1, 0.35, 0.6, 0.85]), float(np.sort(scores.ravel())[scores.size // 2])]
    )
    case_out: Case = {"name": case["name"], "scores": case["scores"], "thresholds": thresholds.tolist()}
    for kind, of_runs in (("run_scores", True), ("average_scores", False)):
        drawn, _ = library.create_performance_profile(
            {"A": scores}, thresholds, use_score_distribution=of_runs, reps=REPS
        )
        means = scores if of_runs else scores.mean(axis=0)
        plain = [float(Fraction(int((means > tau).sum()), means.size)) for tau in thresholds]
        what = f"{case['name']}: {kind}"
        case_out[kind] = [agree(what, float(a), b) for a, b in zip(drawn["A"], plain, strict=True)]
    return case_out | {"exact": [ends(scores, tau) for tau in thresholds]}


def ends(scores: np.ndarray, threshold: float) -> list[float]:
    """Return the 95 % percentile ends of infinitely many resamples; Clopper and Pearson's where none differs."""
    n_runs = len(scores)
    above = (scores > threshold).sum(axis=0)
    law = reduce(np.convolve, [stats.binom.pmf(np.arange(n_runs + 1), n_runs, k / n_runs) for k in above])
    if law.max() > 1 - 1e-9:
        interval = stats.binomtest(int(above.sum()), scores.size).proportion_ci(method="exact")
        return [float(interval.low), float(interval.high)]
    below, beyond = np.cumsum(law), np.cumsum(law[::-1])[::-1]
    low, high = np.flatnonzero(below >= TAIL - 1e-12)[0], np.flatnonzero(beyond >= TAIL - 1e-12)[-1]
    return [float(low / scores.size), float(high / scores.size)]
