"""Coverage of the intervals of `aggregate`, as docs/tables/intervals*.csv: `python -m docs.make_intervals [SHARE]`, forty minutes on one core.

SHARE (1 by default) is the share of the repetitions. All tables but `intervals_shipped` were made by another script, and a share of 0.2 agrees
with them.
Scenarios: tasks of equal and of unequal mean and spread with normal runs, unequal ones with log-normal and t₃ runs, up to six with shipped
runs; a cell holds the lowest and highest of them. The true value is that of 40,000 runs of each task. Runs of Atari 100k are drawn with
replacement from the 100 of each cell, and over tasks the games too: there the truth is that of all 26. An interval that is not given does
not cover.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

import numpy as np

import runoff as ro
from runoff._inference.bootstrap import How, estimates, interval_ends, parse_metric, prepare
from runoff.base.arrays import Floats
from runoff.base.random import Streams
from tools.site.tables import write

METRICS = {name: parse_metric(name) for name in ("iqm", "mean", "median", "optimality_gap")}
HEADS = {"iqm": "IQM", "mean": "mean", "median": "median", "optimality_gap": "optimality gap"}
COUNTS, N_RESAMPLES = (2, 3, 5, 10), 600
REPEATS = {"t": 1_000, "percentile": 300, "basic": 300, "bca": 300}
SIMULATED: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "log-normal": lambda rng, n: rng.lognormal(size=n) - np.exp(0.5),
    "t₃": lambda rng, n: rng.standard_t(3, n),
}
Pool = Sequence[Floats]
"""Runs of one algorithm on each task, which are the truth."""


def cells_of(scores: ro.Scores) -> list[list[Floats]]:
    return [[np.asarray(cell) for cell in scores.cells(a)] for a in range(scores.n_algorithms)]


ATARI = cells_of(ro.archive.load("atari_100k").normalize("atari"))
SHIPPED = cells_of(ro.load_example("classic_control").final().normalize("classic_control"))


def scenarios(n_tasks: int) -> Iterator[list[Pool]]:
    """Yield the algorithms of each scenario."""
    rng = np.random.default_rng(n_tasks)
    shift, scale = rng.normal(0, 2, n_tasks), rng.lognormal(0, 0.5, n_tasks)
    yield [[rng.normal(size=40_000) for _ in range(n_tasks)]]
    for draw in SIMULATED.values():
        yield [[a + b * draw(rng, 40_000) for a, b in zip(shift, scale, strict=True)]]
    if n_tasks <= len(SHIPPED[0]):
        yield SHIPPED


def covered(
    algorithms: Sequence[Pool], n_tasks: int, n: int, interval: str, repeats: int, *, over: str = "runs"
) -> Floats:
    """Return how often an interval of each metric holds the true value of an algorithm at random, on tasks at random: (n_metrics,)."""
    rng, metrics, hits = np.random.default_rng([n_tasks, n]), list(METRICS.values()), np.zeros(len(METRICS))
    fixed = over != "runs" or n_tasks == len(algorithms[0])
    truths = [values(every) for every in algorithms] if fixed else []
    for repeat in range(repeats):
        at = int(rng.integers(len(algorithms)))
        chosen = [algorithms[at][t] for t in rng.choice(len(algorithms[at]), n_tasks, replace=over != "runs")]
        how = How(interval=interval, over=over, n_resamples=N_RESAMPLES, streams=Streams(repeat))
        ends = interval_ends(prepare([rng.choice(cell, n) for cell in chosen], metrics), metrics, how)
        hits += [
            holds(ends[metric], value)
            for metric, value in zip(metrics, truths[at] if fixed else values(chosen), strict=True)
        ]
    return hits / repeats


def values(pool: Pool) -> list[float]:
    """Return each metric of all runs of a pool."""
    prepared = prepare(pool, list(METRICS.values()))
    every = estimates(prepared)
    return [float(every[prepared.column(metric)]) for metric in METRICS.values()]


def holds(ends: tuple[float, float] | None, value: float) -> bool:
    return ends is not None and ends[0] <= value <= ends[1]


def rates(n_tasks: int, n: int, interval: str, share: float) -> Floats:
    """Return the coverage of each metric in each scenario, (n_scenarios, n_metrics)."""
    repeats = round(share * REPEATS[interval])
    return np.array([covered(algorithms, n_tasks, n, interval, repeats) for algorithms in scenarios(n_tasks)])


def simulated(share: float) -> Iterator[str]:
    yield "| tasks | runs | IQM: t | IQM: percentile | mean: t | mean: percentile | median: t | median: percentile | optimality gap: t |"
    for n_tasks, n in product((1, 3, 6, 26), COUNTS):
        t = [span(row) for row in rates(n_tasks, n, "t", share).T]
        percentile = [""] * 4 if n_tasks == 3 else [span(row) for row in rates(n_tasks, n, "percentile", share).T]
        if n_tasks == 1:
            t[2] = percentile[2] = "as the mean"
        pairs = [cell for both in zip(t[:3], percentile[:3], strict=True) for cell in both]
        yield f"| {n_tasks} | {n} | {' | '.join([*pairs, t[3]])} |"


def span(shares: Floats) -> str:
    return f"{shares.min():.2f}-{shares.max():.2f}"


def bootstrap(share: float) -> Iterator[str]:
    yield "| tasks, runs | basic | bca |"
    for words, n_tasks in (("1", (1,)), ("6 and 26", (6, 26))):
        for n in COUNTS:
            own = [
                np.concatenate([rates(t, n, kind, share)[:, :2].ravel() for t in n_tasks]) for kind in ("basic", "bca")
            ]
            yield f"| {words}, {n} | {' | '.join(f'{100 * x.min():.0f} to {100 * x.max():.0f}' for x in own)} |"


def atari(share: float) -> Iterator[str]:
    yield f"| tasks | runs | {' | '.join(HEADS.values())} |"
    for n_tasks, n in product((1, 3, 6, 26), COUNTS[:3]):
        cells = [f"{rate:.3f}" for rate in covered(ATARI, n_tasks, n, "t", round(share * 1_500))]
        yield f"| {n_tasks} | {n} | {' | '.join(cells)} |"


def shipped(share: float) -> Iterator[str]:
    yield f"| runs | {' | '.join(REPEATS)} |"
    for n in (3, 5, 10, 20):
        of_the_mean = [covered(SHIPPED, 6, n, interval, round(share * 5_600))[1] for interval in REPEATS]
        yield f"| {n} | {' | '.join(f'{rate:.3f}' for rate in of_the_mean)} |"


def over_tasks(share: float) -> Iterator[str]:
    yield f"| tasks | {' | '.join(HEADS.values())} |"
    for n_tasks in (3, 6, 10, 26):
        rows = [covered(ATARI, n_tasks, n, "t", round(share * 1_000), over="runs_and_tasks") for n in (2, 5)]
        cells = [", ".join(f"{rate:.2f}".removeprefix("0") for rate in pair) for pair in zip(*rows, strict=True)]
        yield f"| {n_tasks} | {' | '.join(cells)} |"


TABLES: dict[str, Callable[[float], Iterable[str]]] = {
    "intervals_shipped": shipped,
    "intervals_atari_100k": atari,
    "intervals_over_tasks": over_tasks,
    "intervals": simulated,
    "intervals_bootstrap": bootstrap,
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name, lines in TABLES.items():
        write(name, list(lines(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)))
