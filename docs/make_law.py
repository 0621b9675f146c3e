"""The tables of calibration.md about the law of `compare`, on pools of real runs: `python -m docs.make_law POOL...`, some minutes a pool.

A pool is a file of runs in one unit, many of each algorithm on each task. Runs are drawn from it with replacement, so its own values are
the truth. "A/A": two samples of one algorithm. "misses": the interval of a difference leaves the true one out; "p ≤ .001": the same at
that level. "power": a difference is found. "family": of ten pairs of five algorithms, their true differences taken off, one is found
(Holm).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

import runoff as ro
from runoff._inference.bootstrap import estimate_of, parse_metric
from runoff._inference.family import adjust
from runoff._inference.pairs import PairData, PairOptions, improvement_law, run_pair, widest
from runoff._inference.power import average_power
from runoff.base.random import Streams

REPEATS = 2_000
DESIGNS = [
    (1, 5, 5),
    (1, 3, 10),
    (2, 3, 3),
    (3, 2, 2),
    (3, 3, 3),
    (3, 5, 5),
    (6, 2, 2),
    (6, 3, 3),
    (6, 5, 5),
    (6, 2, 8),
    (6, 3, 20),
    (16, 3, 3),
]
"""Tasks, and runs of each side on each."""
Cells = Sequence[np.ndarray]


def pool_of(path: str) -> list[list[np.ndarray]]:
    """Return the cells of each algorithm, on the tasks that all have."""
    scores = ro.read_scores(path)
    whole = [t for t in range(scores.n_tasks) if (scores.n_runs[:, t] > 4).all()]
    return [[scores.cell(a, t) for t in whole] for a in range(scores.n_algorithms)]


def drawn(rng: np.random.Generator, cells: Cells, n: int) -> list[np.ndarray]:
    return [rng.choice(cell, n) for cell in cells]


def law_of(measure: str, x: Cells, y: Cells) -> tuple[Callable[[float], float], float]:
    """Return the p-value of a true value of the pair, as a function, and the value where they are alike."""
    if measure == "improvement":
        return improvement_law(x, y).pvalue, 0.5
    metric = parse_metric(measure)
    return estimate_of(x, metric).minus(estimate_of(y, metric)).pvalue, 0.0


def true_value(measure: str, x: Cells, y: Cells) -> float:
    if measure == "improvement":
        return improvement_law(x, y).value
    metric = parse_metric(measure)
    return estimate_of(x, metric).value - estimate_of(y, metric).value


def rates(pool: Sequence[Cells], measure: str, design: tuple[int, int, int]) -> tuple[float, float, float, float]:
    """Return the shares of A/A claims, misses of the true difference at 5 % and at 0.1 %, and of differences found."""
    n_tasks, n, m = design
    counts = np.zeros(4)
    for repeat in range(REPEATS):
        rng = np.random.default_rng([repeat, n_tasks, n, m])
        a, b = rng.choice(len(pool), 2, replace=False)
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        first, second = ([pool[side][t] for t in tasks] for side in (a, b))
        x, y, again = drawn(rng, first, n), drawn(rng, second, m), drawn(rng, first, m)
        same, even = law_of(measure, x, again)
        law, _ = law_of(measure, x, y)
        missed = 1.0 if measure == "improvement" and n_tasks == 1 else law(true_value(measure, first, second))
        counts += [same(even) <= 0.05, missed <= 0.05, missed <= 0.001, law(even) <= 0.05]
    a_a, misses, rare, power = (counts / REPEATS).tolist()
    return a_a, misses, rare, power


def families(pool: Sequence[Cells], measure: str, n_tasks: int, n: int) -> float:
    """Return how often one of ten pairs of five algorithms of equal value is found."""
    wrong = 0
    for repeat in range(REPEATS // 4):
        rng = np.random.default_rng([repeat, n_tasks, n])
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        records = []
        for cells in pool[:5]:
            own = [cells[t] for t in tasks]
            metric = parse_metric(measure)
            record = estimate_of(drawn(rng, own, n), metric)
            records.append((record, estimate_of(own, metric).value))
        pvalues = [a.minus(b).pvalue(u - v) for (a, u), (b, v) in combinations(records, 2)]
        wrong += bool((adjust(pvalues, "holm") <= 0.05).any())
    return wrong / (REPEATS // 4)


def relabelled(pool: Sequence[Cells], design: tuple[int, int, int]) -> tuple[float, float]:
    """Return the misses and the power of the studentised permutation of means, the default before this law."""
    n_tasks, n, m = design
    counts = np.zeros(2)
    for repeat in range(REPEATS // 4):
        rng = np.random.default_rng([repeat, n_tasks, n, m])
        a, b = rng.choice(len(pool), 2, replace=False)
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        first, second = ([pool[side][t] for t in tasks] for side in (a, b))
        x, y = drawn(rng, first, n), drawn(rng, second, m)
        shift = true_value("mean", first, second)
        options = PairOptions(streams=Streams(repeat), n_resamples=2_000)
        for place, moved in enumerate((shift, 0.0)):
            pair = PairData(a="a", b="b", x=[cell - moved for cell in x], y=y, tasks=[str(t) for t in tasks])
            counts[place] += run_pair("studentized_permutation", pair, options).pvalue <= 0.05
    misses, power = (counts / (REPEATS // 4)).tolist()
    return misses, power


def planned(pool: Sequence[Cells], measure: str, design: tuple[int, int, int]) -> tuple[float, float]:
    """Return the power that a plan says where the spread is that of the pool, and the share of experiments that find the difference."""
    n_tasks, n, _ = design
    said, found = 0.0, 0
    for repeat in range(REPEATS // 4):
        rng = np.random.default_rng([repeat, n_tasks, n])
        a, b = rng.choice(len(pool), 2, replace=False)
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        x, y = ([pool[side][t] for t in tasks] for side in (a, b))
        error, df = widest(PairData(a="a", b="b", x=x, y=y, tasks=[str(t) for t in tasks]).law_at(measure, n, n), 0.95)
        law, even = law_of(measure, drawn(rng, x, n), drawn(rng, y, n))
        said += average_power(abs(true_value(measure, x, y) - even) / error, np.inf, df or 1.0, 0.05)
        found += law(even) <= 0.05
    return said / (REPEATS // 4), found / (REPEATS // 4)


def plans(pool: Sequence[Cells]) -> None:
    """Print the table of guides/how-many-runs.md."""
    for design in ((1, 5, 5), (3, 3, 3), (6, 3, 3), (6, 5, 5), (16, 3, 3), (6, 10, 10)):
        measures = ("mean",) if design[0] == 1 else ("mean", "iqm", "improvement")
        cells = ["{:.2f}, {:.2f}".format(*planned(pool, measure, design)) for measure in measures]
        say(f"| {design[0]}; {design[1]} | {' | '.join([*cells, '', ''][:3])} |")


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 (a command: its lines are its answer)


def main() -> None:
    for path in sys.argv[1:]:
        pool = pool_of(path)
        say(f"\n{Path(path).stem}: {len(pool)} algorithms, {len(pool[0])} tasks\n")
        say("| tasks; runs | measure | A/A | misses | p ≤ .001 | power | family | relabelling: misses, power |")
        say("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for design in DESIGNS:
            n_tasks, n, m = design
            if n_tasks > len(pool[0]):
                continue
            for measure in (
                ("mean",) if n_tasks < 2 else ("mean", "improvement") if n_tasks < 3 else ("mean", "iqm", "improvement")
            ):
                a_a, misses, rare, power = rates(pool, measure, design)
                whole = len(pool) > 4 and n == m and measure != "improvement"
                family = f"{families(pool, measure, n_tasks, n):.3f}" if whole else "–"
                before = (
                    "{:.3f}, {:.2f}".format(*relabelled(pool, design)) if measure == "mean" and n_tasks < 16 else "–"
                )
                runs = f"{n}" if n == m else f"{n} v {m}"
                say(
                    f"| {n_tasks}; {runs} | {measure} | {a_a:.3f} | {misses:.3f} | {rare:.4f} | {power:.2f} | {family} | {before} |"
                )
        plans(pool)


if __name__ == "__main__":
    main()
