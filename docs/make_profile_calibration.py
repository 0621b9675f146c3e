"""Write docs/tables/profiles*.csv: coverage of the bands of performance profiles where the truth is known (some minutes)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy import stats

import runoff as ro
from tools.site.tables import write

N_TASKS, N_RUNS, N_REPEATS, N_RESAMPLES, LEVEL = (1, 6, 26), (3, 5, 10), 500, 1_000, 0.95
LAYOUTS = {
    "alike": (0.0, 0.0),
    "spread": (1.0, 0.0),
    "far apart": (4.0, 0.0),
    "shared, spread": (1.0, 0.5),
}
"""Normal runs of spread 1: the spread of the tasks' means, and the part of the variance that a run shares over tasks."""
BANDS = ("exact", "wilson", "simultaneous")


def centres(layout: str, n_tasks: int) -> np.ndarray:
    """Return the tasks' means, (n_tasks,): normal quantiles."""
    return LAYOUTS[layout][0] * stats.norm.ppf((np.arange(n_tasks) + 0.5) / n_tasks)


def drawn(layout: str, n_tasks: int, n_runs: int, rng: np.random.Generator) -> ro.Scores:
    """Return one simulated algorithm."""
    part = LAYOUTS[layout][1]
    noise = np.sqrt(1 - part) * rng.normal(size=(n_runs, n_tasks)) + np.sqrt(part) * rng.normal(size=(n_runs, 1))
    runs = "shared" if part else "per_task"
    return ro.Scores.from_dict({"A": centres(layout, n_tasks) + noise}, runs=runs)


def truth(layout: str, n_tasks: int, thresholds: np.ndarray, kind: str) -> np.ndarray:
    """Return the true profile at thresholds: of runs, or of the tasks' means."""
    middle = centres(layout, n_tasks)
    above = stats.norm.sf(thresholds[:, None] - middle) if kind == "run_scores" else thresholds[:, None] < middle
    return above.mean(axis=1)


def covered(band: str, layout: str, n_tasks: int, n_runs: int, *, kind: str = "run_scores", repeats: int | None = None):
    """Return coverage over the thresholds, at the worst of them, for all together, and the mean width.

    41 thresholds where the true share lies between 1 and 99 %. Points without a band (average scores) are left out.
    """
    repeats = repeats or N_REPEATS
    middle, rng = centres(layout, n_tasks), np.random.default_rng([n_tasks, n_runs])
    every = np.linspace(middle.min() - 4, middle.max() + 4, 2001)
    share = truth(layout, n_tasks, every, "run_scores")
    inside = every[(share > 0.01) & (share < 0.99)]
    grid = np.linspace(inside[0], inside[-1], 41)
    shares_above = truth(layout, n_tasks, grid, kind)
    hits, given, together, width = np.zeros(grid.size), np.zeros(grid.size), 0, 0.0
    for repeat in range(repeats):
        scores = drawn(layout, n_tasks, n_runs, rng)
        profile = ro.performance_profile(
            scores, thresholds=grid, band=band, kind=kind, n_resamples=N_RESAMPLES, rng=repeat, threads=1
        )
        ends = np.array(
            [(np.nan if r.low is None else r.low, np.nan if r.high is None else r.high) for r in profile.rows]
        )
        there = ~np.isnan(ends[:, 0])
        hit = (ends[:, 0] <= shares_above + 1e-9) & (shares_above - 1e-9 <= ends[:, 1])
        hits += hit
        given += there
        together += bool(hit[there].all())
        width += float(np.diff(ends[there], axis=1).mean()) if there.any() else 0.0
    often = given > repeats / 4
    return hits.sum() / given.sum(), (hits[often] / given[often]).min(), together / repeats, width / repeats


def rows() -> Iterator[str]:
    """Yield the lines of the table."""
    yield (
        "| tasks' means | tasks | runs | exact (worst threshold) | exact: width | wilson (worst threshold) | wilson: width"
        " | simultaneous: all thresholds | simultaneous: width |"
    )
    for layout, n_tasks, n_runs in product(LAYOUTS, N_TASKS, N_RUNS):
        if n_tasks == 1 and layout != "alike":
            continue
        cells = []
        for band in BANDS:
            mean, worst, together, width = covered(band, layout, n_tasks, n_runs)
            pointwise = f"{mean:.3f} ({worst:.2f})"
            cells += [f"{together:.3f}" if band == "simultaneous" else pointwise, f"{width:.3f}"]
        yield shown(f"| {layout} | {n_tasks} | {n_runs} | {' | '.join(cells)} |")


def average_rows() -> Iterator[str]:
    """Yield the lines of the table of average scores."""
    yield "| tasks' means | tasks | runs | bootstrap (worst threshold) | simultaneous: all thresholds |"
    for layout, n_tasks, n_runs in product(("spread", "far apart"), N_TASKS[1:], N_RUNS):
        rates = covered("bootstrap", layout, n_tasks, n_runs, kind="average_scores")
        all_ = covered("simultaneous", layout, n_tasks, n_runs, kind="average_scores")
        yield shown(f"| {layout} | {n_tasks} | {n_runs} | {rates[0]:.3f} ({rates[1]:.2f}) | {all_[2]:.3f} |")


def shown(line: str) -> str:
    """Say a line as soon as it is known, and return it."""
    sys.stderr.write(f"{line}\n")
    return line


def main() -> None:
    """Write both tables."""
    write("profiles", list(rows()))
    write("profiles_average", list(average_rows()))


if __name__ == "__main__":
    main()
