"""Performance profile of one algorithm at 81 thresholds, 26 tasks × 10 runs: `runoff.performance_profile`, and rliable with 2,000 resamples.

The exact band is the limit of infinitely many resamples; rliable's ends lie within what 2,000 of them leave open. Run as
`python -m benchmarks.profile`.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from benchmarks.aggregate import rliable_side

THRESHOLDS = np.linspace(0, 2, 81)
N_RESAMPLES, N_TASKS, N_RUNS = 2_000, 26, 10
STEP = 1 / (N_TASKS * N_RUNS)


def seconds_of(scores, repeats: int = 15, **options) -> float:
    """Return the best seconds of a warm call."""
    import runoff as ro

    ro.performance_profile(scores, **options)
    times = []
    for _ in range(repeats):
        start = perf_counter()
        ro.performance_profile(scores, **options)
        times.append(perf_counter() - start)
    return min(times)


def measure() -> dict[str, float]:
    """Return seconds of both, their ratio, and the cost of other bands, thresholds and designs."""
    import runoff as ro

    rng = np.random.default_rng(1)
    matrix = rng.normal(0.6, 0.4, size=(N_RUNS, N_TASKS))
    scores = ro.Scores.from_dict({"A": matrix})
    exact = {"thresholds": THRESHOLDS, "band": "exact"}
    ours = seconds_of(scores, **exact)
    theirs = rliable_side("profile", matrix, N_RESAMPLES, 3)
    ours = min(ours, seconds_of(scores, **exact))
    records = ro.performance_profile(scores, **exact).rows
    np.testing.assert_allclose([r.estimate for r in records], theirs["points"], atol=1e-12)
    drawn = [at for at, record in enumerate(records) if record.interval == "exact"]
    np.testing.assert_allclose(
        np.array([(records[at].low, records[at].high) for at in drawn]).T,
        np.array(theirs["ends"])[:, drawn],
        atol=2.5 * STEP,
    )
    seconds = min(theirs["seconds"])
    figures = {"rliable_s": seconds, "runoff, the same by convolution (exact)_s": ours, "exact, ratio": seconds / ours}
    every = {"thresholds": THRESHOLDS, "n_resamples": N_RESAMPLES}
    figures |= {f"runoff, {band}_s": seconds_of(scores, band=band, **every) for band in ("wilson", "simultaneous")}
    figures["exact, 810 thresholds_s"] = seconds_of(scores, band="exact", thresholds=np.linspace(0, 2, 810))
    many = ro.Scores.from_dict({str(a): rng.normal(size=(10, 26)) for a in range(10)})
    figures["exact, 10 algorithms and their 45 pairs_s"] = seconds_of(many, 3, band="exact")
    large = ro.Scores.from_dict({"A": rng.normal(size=(200, 57))})
    figures["exact, 57 tasks x 200 runs_s"] = seconds_of(large, 3, band="exact")
    ragged = {"A": {str(t): rng.normal(size=3 + t % 8) for t in range(26)}}
    figures["exact, 26 tasks of 3 to 10 runs_s"] = seconds_of(ro.Scores.from_dict(ragged), 3, **exact)
    shared = ro.Scores.from_dict({"A": matrix}, runs="shared")
    figures["exact, shared runs_s"] = seconds_of(shared, 3, **exact)
    return figures


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:40} {value:10.4f}")
