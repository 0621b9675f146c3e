"""Coverage of possible ranks with few runs: `python -m docs.make_ranks [N_REPEATS] | python -m tools.site.tables ranks`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt

import numpy as np

import runoff as ro

Draw = Callable[[np.random.Generator, int, int, int], np.ndarray]
WORLDS: dict[str, Draw] = {
    "normal": lambda rng, _, n, t: rng.normal(size=(n, t)),
    "unequal spread": lambda rng, a, n, t: rng.normal(size=(n, t)) * (3.0 if a % 2 else 1.0),
    "log-normal": lambda rng, _, n, t: np.exp(rng.normal(0, 0.691, (n, t))),
    "every other one skewed": lambda rng, a, n, t: (
        (np.exp(rng.normal(0, 0.691, (n, t))) - 1.2697) if a % 2 else rng.normal(size=(n, t))
    ),
}
"""Runs (n, t) of algorithm a without its shift."""
SKEWED = "every other one skewed"
"""Mean 0 and variance 1 as the others: only means are equal there."""
SHIFTS = {"all equal": (0.0, 0.0, 0.0, 0.0), "two and two": (0.0, 0.0, 1.0, 1.0)}
"""True metrics, in units of 1 / √tasks standard deviations."""
DESIGNS = [(t, n) for t in (1, 6, 26) for n in (3, 5, 10)]
N_DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class Case:
    """One world, one truth, one design, one way."""

    world: str
    truth: str
    n_tasks: int
    n_runs: int
    metric: str
    shared: bool = False


def covered(case: Case, n_repeats: int) -> tuple[float, float]:
    """Return how often the places of an algorithm, on average, and those of all hold the true ones, tied places all counting."""
    shifts = np.array(SHIFTS[case.truth]) / sqrt(case.n_tasks)
    best = 1 + (shifts[None, :] > shifts[:, None]).sum(axis=1)
    worst = shifts.size - (shifts[None, :] < shifts[:, None]).sum(axis=1)
    rng, own, all_at_once = np.random.default_rng([case.n_tasks, case.n_runs]), 0.0, 0
    for repeat in range(n_repeats):
        drawn = {f"{a}": runs(case, a, rng) + shift for a, shift in enumerate(shifts)}
        scores = ro.Scores.from_dict(drawn, runs="shared" if case.shared else "per_task")
        records = ro.rank_intervals(scores, measure=case.metric, n_resamples=N_DRAWS, rng=repeat).rows
        inside = [r.low <= b and r.high >= w for r, b, w in zip(records, best, worst, strict=True)]
        own += float(np.mean(inside))
        joint = [r.joint_low <= b and r.joint_high >= w for r, b, w in zip(records, best, worst, strict=True)]
        all_at_once += all(joint)
    return own / n_repeats, all_at_once / n_repeats


def runs(case: Case, a: int, rng: np.random.Generator) -> np.ndarray:
    """Return the runs of an algorithm; shared ones have half of their variance in common."""
    drawn = WORLDS[case.world](rng, a, case.n_runs, case.n_tasks)
    if not case.shared:
        return drawn
    return (drawn + WORLDS[case.world](rng, a, case.n_runs, 1)) / sqrt(2)


def cases() -> Iterator[Case]:
    """Yield what the tables need."""
    for t, n in DESIGNS:
        for world in WORLDS:
            if world == SKEWED:
                yield Case(world, "all equal", t, n, "mean")
                continue
            for truth in SHIFTS:
                for metric in ("mean", "iqm", "median") if t > 1 else ("mean", "iqm"):
                    yield Case(world, truth, t, n, metric)
            if t > 1:
                yield Case(world, "all equal", t, n, "mean", shared=True)


def span(coverages: list[tuple[float, float]], which: int) -> str:
    """Return the lowest and highest of some coverages."""
    values = [pair[which] for pair in coverages]
    return f"{min(values):.2f}-{max(values):.2f}"


KEYS = {
    "mean: each": ("mean", False, 0),
    "mean: all": ("mean", False, 1),
    "IQM: each": ("iqm", False, 0),
    "IQM: all": ("iqm", False, 1),
    "median: each": ("median", False, 0),
    "median: all": ("median", False, 1),
    "mean, every other algorithm skewed: all": ("mean", False, 1),
    "mean of shared runs: all": ("mean", True, 1),
}
"""Columns: metric, whether runs are shared, and whether places are those of each algorithm or of all."""


def main(n_repeats: int) -> None:
    every = list(cases())
    with ProcessPoolExecutor(2) as pool:
        results = dict(zip(every, pool.map(covered, every, [n_repeats] * len(every), chunksize=4), strict=True))
    lines = [f"| tasks | runs | {' | '.join(KEYS)} |", "| ---: " * (2 + len(KEYS)) + "|"]
    for t, n in DESIGNS:
        cells = []
        for name, (metric, shared, which) in KEYS.items():
            key = (t, n, metric, shared, SKEWED in name)
            some = [
                v for c, v in results.items() if (c.n_tasks, c.n_runs, c.metric, c.shared, c.world == SKEWED) == key
            ]
            cells.append(span(some, which) if some else "as the mean")
        lines.append(f"| {t} | {n} | {' | '.join(cells)} |")
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stderr.write("".join(f"{case} {value}\n" for case, value in results.items()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
