"""Write docs/tables/own_measures.csv: functions as the measure, their intervals and their tests: `python -m docs.make_own [SHARE]`.

Five minutes on one core; SHARE (1 by default) is the share of the repetitions. Tasks are alike (normal runs), unlike (log-normal runs of unequal
means and spreads), or the games of Atari 100k, of which the runs of one algorithm are drawn with replacement; "lowest" and "highest" are over
these three. True values are those of 40,000 runs of each task, or of all runs of a game. An interval that is not given does not cover. "Equal
algorithms" is how often p is at most .05, at worst, and "equal values on other tasks" the same of alike against unlike tasks, these moved so
that the true values are equal; a share of tasks moves in steps.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np

import runoff as ro
from runoff._inference.bootstrap import MetricEstimate, OwnFunction, estimate_of, named_measure, parse_metric
from runoff._inference.pairs.pair import means_of
from runoff.base.arrays import Floats
from tools.site.tables import write

REPEATS = {(6, 5): 600, (26, 10): 100}
"""Tasks, runs: experiments of two algorithms in each scenario."""
Pool = Sequence[Floats]


def mean(cells):
    return means_of(cells).mean()


def middle_half(cells):
    runs = np.sort(np.concatenate(cells))
    cut = runs.size // 4
    return runs[cut : runs.size - cut].mean()


def log_mean(cells):
    return np.log(np.maximum(means_of(cells), 0.01)).mean()


def lowest_tenth(cells):
    return np.quantile(np.concatenate(cells), 0.1)


def median_task(cells):
    return np.median(means_of(cells))


def worst_task(cells):
    return means_of(cells).min()


def share_solved(cells):
    return (means_of(cells) > 0.5).mean()


FUNCTIONS: dict[str, OwnFunction] = {
    "mean": mean,
    "IQM, int(N / 4) cut": middle_half,
    "mean of logarithms of task means": log_mean,
    "lowest tenth of all runs": lowest_tenth,
    "median of task means": median_task,
    "worst task's mean": worst_task,
    "share of tasks above ½": share_solved,
}


def scenarios(n_tasks: int) -> Iterator[Pool]:
    rng = np.random.default_rng(n_tasks)
    yield [rng.normal(1.0, 0.25, 40_000) for _ in range(n_tasks)]
    means, spreads = rng.uniform(0.2, 1.2, n_tasks), rng.lognormal(-1.6, 0.5, n_tasks)
    skewed = np.exp(0.7 * rng.normal(size=40_000))
    yield [at + spread * (rng.permutation(skewed) - skewed.mean()) for at, spread in zip(means, spreads, strict=True)]
    atari = ro.archive.load("atari_100k").normalize("atari")
    yield [np.asarray(cell) for cell in atari.cells(0)[:n_tasks]]


def moved(pool: Pool, function: OwnFunction, goal: float) -> Pool | None:
    """Return the pool moved so that the function of it is the goal; None where it moves in steps."""
    low, high = -3.0, 3.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if function([cell + middle for cell in pool]) < goal else (low, middle)
    there = [cell + high for cell in pool]
    return there if abs(function(there) - goal) < 1e-4 else None


def records(pools: Sequence[Pool], n: int, function: OwnFunction, repeats: int) -> Iterator[list[MetricEstimate]]:
    metric = parse_metric(named_measure(renamed(function)))
    rng = np.random.default_rng(5)
    for _ in range(repeats):
        yield [estimate_of([rng.choice(cell, n) for cell in pool], metric) for pool in pools]


def renamed(function: OwnFunction) -> OwnFunction:
    def by_hand(cells):
        return function(cells)

    return by_hand


def row(words: str, function: OwnFunction, n_tasks: int, n: int, repeats: int) -> str:
    worlds = list(scenarios(n_tasks))
    covered, errors = [], []
    for pool in worlds:
        truth = float(function(pool))
        both = list(records([pool, pool], n, function, repeats))
        ends = [record.law().interval(0.95) for pair in both for record in pair]
        covered.append(np.mean([some is not None and some[0] <= truth <= some[1] for some in ends]))
        errors.append(np.mean([first.minus(second).pvalue() <= 0.05 for first, second in both]))
    other, unlike = "–", moved(worlds[1], function, float(function(worlds[0])))
    if unlike is not None:
        both = list(records([worlds[0], unlike], n, function, repeats))
        other = f"{np.mean([first.minus(second).pvalue() <= 0.05 for first, second in both]):.2f}"
    worst = (min(covered), max(covered), max(errors))
    return " | ".join([words, str(n_tasks), str(n), *(f"{share:.2f}" for share in worst), other])


if __name__ == "__main__":
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    lines = [
        "function | tasks | runs | lowest coverage | highest coverage | equal algorithms | equal values on other tasks"
    ]
    for (n_tasks, n), repeats in REPEATS.items():
        for words, function in FUNCTIONS.items():
            lines.append(row(words, function, n_tasks, n, max(1, round(repeats * share))))
    write("own_measures", lines)
