"""How often a comparison that is looked at at any time is wrong, what it costs, how many more batches it takes: docs/tables/anytime_*.csv.

`python -m docs.make_anytime` simulates them (twelve minutes on two cores; the page's anytime_more_batches.csv
has 150 experiments of another script, with which 300 of the first three rows agree).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

import runoff as ro
from docs.make_sequential_calibration import DRAWS, shown
from docs.make_sequential_runs import World as Planned
from docs.make_sequential_runs import outcome
from tools.site.tables import write

N_REPEATS, N_RESAMPLES, ALPHA = 500, 250, 0.05


@dataclass(frozen=True, kw_only=True)
class World:
    """Algorithms of equal means but for the first, which is `ahead`; `spreads`: those of the first and of all others."""

    law: str = "normal"
    k: int = 2
    n_tasks: int = 1
    n: int = 5
    n_batches: int = 8
    spreads: tuple[float, float] = (1.0, 1.0)
    ahead: float = 0.0

    def batches(self, repeat: int) -> list[dict[str, Any]]:
        """Return the batches of one experiment, of n runs of each algorithm on each task."""
        rng = np.random.default_rng([repeat, self.n, self.k, self.n_tasks])
        return [{f"A{a}": self._runs(rng, a) for a in range(self.k)} for _ in range(self.n_batches)]

    def _runs(self, rng: np.random.Generator, a: int) -> dict[str, np.ndarray]:
        more = self.ahead if a == 0 else 0.0
        return {f"t{t}": self.spreads[a > 0] * DRAWS[self.law](rng, self.n) + more for t in range(self.n_tasks)}


def wrong(world: World) -> float:
    """Return how often anything is ever claimed of algorithms of equal means."""
    answers = (ro.anytime(world.batches(i), n_resamples=N_RESAMPLES) for i in range(N_REPEATS))
    null = [[pair for pair in answer.pairs if not (world.ahead and "A0" in (pair.a, pair.b))] for answer in answers]
    return float(np.mean([any(pair.decision != "go_on" for pair in pairs) for pairs in null]))


def runs_taken(world: World) -> list[float]:
    """Return the runs per cell at the decision of each experiment; infinite where it never came."""
    runs = []
    for i in range(N_REPEATS):
        path = ro.anytime(world.batches(i), n_resamples=N_RESAMPLES).trajectory
        runs.append(next((float(world.n * point.batch) for point in path if point.pvalue <= ALPHA), np.inf))
    return runs


NULLS = (
    ("2 equal, normal", World(n=3)),
    ("2 equal, normal", World()),
    ("2 equal, skewed", World(law="skewed")),
    ("2 equal, two humps", World(law="two humps")),
    ("3 equal, normal", World(k=3)),
    ("2 equal, 0/1", World(law="0/1")),
    ("one of 3 better, normal", World(k=3, ahead=1.5)),
    ("2 equal, normal", World(n=3, n_tasks=10)),
    ("2 equal, skewed", World(law="skewed", n=3, n_tasks=10)),
    ("equal means, spreads 1 and 3, normal", World(spreads=(3.0, 1.0))),
    ("equal means, spreads 1 and 3, normal", World(n=3, n_tasks=10, spreads=(3.0, 1.0))),
    ("equal means, spreads 1 and 3, skewed", World(law="skewed", spreads=(3.0, 1.0))),
    ("equal means, spreads 1 and 3, skewed", World(law="skewed", n=3, n_tasks=10, spreads=(3.0, 1.0))),
)
SIZES = (2, 5, 10)
N_PROJECTED = 300
PROJECTED = (
    ("1.5 σ", World(ahead=1.5, n_batches=30), 1),
    ("1 σ", World(ahead=1.0, n_batches=40), 1),
    ("1 σ", World(ahead=1.0, n_batches=40), 3),
    ("0.5 σ", World(ahead=0.5, n_batches=80), 1),
    ("0.5 σ", World(ahead=0.5, n_batches=80), 3),
    ("0.5 σ, 6 tasks", World(ahead=0.5, n_batches=30, n_tasks=6), 2),
    ("none", World(n_batches=1), 1),
    ("none", World(n_batches=3), 3),
)
"""Differences, and batches so far."""


def null_line(case: tuple[str, World]) -> str:
    """Return a line of the error rates."""
    name, world = case
    return shown(f"| {name} | {world.n_tasks} | {world.n_batches} of {world.n} | {wrong(world):.3f} |")


def price_lines(ahead: float) -> Sequence[str]:
    """Return the lines of one difference: planned looks, then batches of any size; all stop at 20 or at 40 runs."""
    lines = []
    for last in (20, 40):
        looks = tuple(range(5, last + 1, 5))
        design = ro.SequentialDesign(looks=looks, n_resamples=999)
        power, used = outcome(Planned(name="", looks=looks, difference=ahead), design)
        lines.append(shown(f"| {ahead:g} σ | planned looks, each 5 runs | {last} | {power:.2f} | {used:.1f} |"))
        for n in SIZES:
            needed = np.array(runs_taken(World(n=n, n_batches=last // n, ahead=ahead)))
            decided, used = float(np.isfinite(needed).mean()), float(np.minimum(needed, last).mean())
            lines.append(shown(f"| {ahead:g} σ | any time, batches of {n} | {last} | {decided:.2f} | {used:.1f} |"))
    return lines


def seen(case: tuple[str, World, int]) -> str:
    """Return a line of the batches projected where the first ones decide nothing, and of those that it takes: quartiles."""
    name, world, first = case
    projected, needed = [], []
    for i in range(N_PROJECTED):
        batches = world.batches(i)
        pair = ro.anytime(batches[:first], n_resamples=N_RESAMPLES).pairs[0]
        if pair.decision != "go_on":
            continue
        projected.append(np.inf if pair.more_batches is None else pair.more_batches)
        if world.ahead:
            path = ro.anytime(batches, n_resamples=N_RESAMPLES).trajectory
            needed.append(next((point.batch - first for point in path if point.pvalue <= ALPHA), np.inf))
    return shown(f"| {name} | {first} | {quartiles(projected)} | {quartiles(needed) if needed else 'never'} |")


def quartiles(batches: Sequence[float]) -> str:
    values = np.quantile(batches, (0.25, 0.5, 0.75), method="inverted_cdf")
    return ", ".join(f"{value:.0f}" if np.isfinite(value) else "over 100" for value in values)


def main() -> None:
    """Write the tables."""
    with ProcessPoolExecutor(2) as pool:
        nulls, prices = pool.map(null_line, NULLS), pool.map(price_lines, (1.0, 1.5))
        left = pool.map(seen, PROJECTED)
        errors = ["| truth | tasks | batches of runs | ever wrong |", "| --- | ---: | ---: | ---: |", *nulls]
        price = [
            "| difference | looks | runs per cell at most | found | runs per cell on average |",
            "| --- | --- | ---: | ---: | ---: |",
        ]
        price += [line for lines in prices for line in lines]
        more = ["| difference | batches so far | projected | needed |", "| --- | ---: | ---: | ---: |", *left]
    write("anytime_errors", errors)
    write("anytime_price", price)
    write("anytime_more_batches", more)


if __name__ == "__main__":
    main()
