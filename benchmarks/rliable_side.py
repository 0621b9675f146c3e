"""rliable's side of benchmarks/aggregate.py, run by the interpreter of its own environment: seconds of one call, as JSON."""

from __future__ import annotations

import json
import sys
import warnings
from time import perf_counter

import numpy as np

warnings.simplefilter("ignore")


def main(path: str, n_resamples: int, n_repeats: int) -> None:
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

    scores = {"A": np.load(path, allow_pickle=False)}
    library.get_interval_estimates(scores, four, reps=100)
    seconds = []
    for _ in range(n_repeats):
        start = perf_counter()
        points, ends = library.get_interval_estimates(scores, four, reps=n_resamples)
        seconds.append(perf_counter() - start)
    print(json.dumps({"seconds": seconds, "points": points["A"].tolist(), "ends": ends["A"].tolist()}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
