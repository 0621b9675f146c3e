"""rliable's side of the benchmarks, run by the interpreter of its own environment: seconds of one call and what it found, as JSON."""

from __future__ import annotations

import json
import sys
import warnings
from time import perf_counter

import numpy as np

warnings.simplefilter("ignore")


def aggregates(scores, n_resamples):
    """Four metrics with percentile intervals."""
    from rliable import library, metrics

    def four(x):
        return np.array(
            [
                metrics.aggregate_iqm(x),
                metrics.aggregate_median(x),
                metrics.aggregate_mean(x),
                metrics.aggregate_optimality_gap(x),
            ]
        )

    return library.get_interval_estimates({"A": scores}, four, reps=n_resamples)


def profile(scores, n_resamples):
    """The run-score profile at 81 thresholds with its percentile band."""
    from rliable import library

    return library.create_performance_profile({"A": scores}, np.linspace(0, 2, 81), reps=n_resamples)


def improvement(scores, n_resamples):
    """The probability of improvement of the first of two matrices over the second."""
    from rliable import library, metrics

    return library.get_interval_estimates({"A": tuple(scores)}, metrics.probability_of_improvement, reps=n_resamples)


def sample_efficiency(scores, n_resamples):
    """The IQM at every step."""
    from rliable import library, metrics

    def iqm(x):
        return np.array([metrics.aggregate_iqm(x[..., step]) for step in range(x.shape[-1])])

    return library.get_interval_estimates({"A": scores}, iqm, reps=n_resamples)


CALLS = {
    "aggregates": aggregates,
    "profile": profile,
    "improvement": improvement,
    "sample_efficiency": sample_efficiency,
}


def main(what: str, path: str, n_resamples: int, n_repeats: int) -> None:
    scores = np.load(path, allow_pickle=False)
    CALLS[what](scores, 100)
    seconds = []
    for _ in range(n_repeats):
        start = perf_counter()
        points, ends = CALLS[what](scores, n_resamples)
        seconds.append(perf_counter() - start)
    print(json.dumps({"seconds": seconds, "points": np.atleast_1d(points["A"]).tolist(), "ends": ends["A"].tolist()}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
