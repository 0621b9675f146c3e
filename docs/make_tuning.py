"""Write docs/tables/tuning*.csv, the coverage and the verdicts of `tuning`: `python -m docs.make_tuning`, 20 minutes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

import runoff as ro
from tools.site.tables import write

KS = (1, 2, 4, 16, 64)
KINDS = ("normal", "skewed", "collapse")
SKEW = 0.8
"""The log-normal's σ: its skewness is 3.7."""


def sweep(means: np.ndarray, n_runs: int, rng: np.random.Generator, *, kind: str) -> ro.Scores:
    """Return runs about the means of configurations, (n_algorithms, n_tasks, K); of standard deviation 1, or a fifth is 5 below the others."""
    base = np.where(rng.random((*means.shape, n_runs)) < 0.2, -4.0, 1.0) if kind == "collapse" else 0.0
    drawn = rng.normal(size=(*means.shape, n_runs))
    if kind == "collapse":
        drawn = base + 0.2 * drawn
    if kind == "skewed":
        square = SKEW**2
        drawn = (np.exp(SKEW * drawn) - np.exp(square / 2)) / np.sqrt((np.exp(square) - 1) * np.exp(square))
    at = np.indices(drawn.shape).reshape(4, -1)
    columns = dict(zip(("algorithm", "task", "config", "run"), at.astype(str), strict=True))
    table = {name: values.tolist() for name, values in columns.items()}
    return ro.Scores.from_frame({**table, "score": (means[..., None] + drawn).ravel()}, score_unit="shared")


def coverage(n_tasks: int, n_configs: int, n_runs: int, spread: float, *, kind: str, n: int) -> dict[int, float]:
    """Return how often the interval of the best of k holds what is expected of it, by k: its mean over all experiments.

    Where runs collapse, two configurations are 3 above the others.
    """
    rng = np.random.default_rng([n_tasks, n_configs, n_runs, KINDS.index(kind)])
    good = np.where(np.arange(n_configs) < 2, 3.0, np.zeros((1, n_tasks, n_configs)))
    means = good if kind == "collapse" else spread * rng.normal(size=good.shape)
    results = [ro.tuning(sweep(means, n_runs, rng, kind=kind)).rows for _ in range(n)]
    ends = np.array([[(r.estimate, r.low, r.high) for r in records] for records in results])
    truth = ends[:, :, 0].mean(axis=0)
    held = ((ends[:, :, 1] <= truth) & (truth <= ends[:, :, 2])).mean(axis=0)
    return {k: float(held[k - 1]) for k in sorted({*KS, n_configs}) if k <= n_configs}


def errors(
    n_algorithms: int, n_tasks: int, n_configs: int, n_runs: int, *, kind: str, n: int, spread: float = 1.0
) -> float:
    """Return how often algorithms of equal configurations have a winner, of any pair at any k."""
    rng = np.random.default_rng([n_algorithms, n_tasks, n_configs, n_runs, KINDS.index(kind)])
    means = np.repeat(spread * rng.normal(size=(1, n_tasks, n_configs)), n_algorithms, axis=0)
    results = (ro.tuning(sweep(means, n_runs, rng, kind=kind)) for _ in range(n))
    return float(np.mean([any(row.verdict != "no_difference_found" for row in result.pairs) for result in results]))


def rows_of_coverage(n: int) -> Iterator[str]:
    """Yield the coverage where configurations differ."""
    yield f"tasks | configurations | runs | scores | {' | '.join(f'k = {k}' for k in KS)}"
    for n_tasks, n_configs, n_runs, kind in product((1, 6), (4, 16, 64), (2, 3, 5), KINDS[:2]):
        if n_tasks * n_configs < 300:
            few = max(n * 8 // (n_tasks * n_configs), 100) if n_configs > 4 else n
            held = coverage(n_tasks, n_configs, n_runs, 1.0, kind=kind, n=min(few, n))
            cells = (f"{held[k]:.3f}" if k in held else "–" for k in KS)
            yield f"{n_tasks} | {n_configs} | {n_runs} | {kind} | {' | '.join(cells)}"


def rows_of_collapse(n: int) -> Iterator[str]:
    """Yield the coverage where runs collapse."""
    yield "tasks | configurations | runs | k = 1 | k = 2 | k = 4 | k = 8"
    for n_tasks, n_runs, few in ((1, 3, 500), (1, 5, 500), (1, 10, 300), (3, 3, 200)):
        held = coverage(n_tasks, 8, n_runs, 0.0, kind="collapse", n=min(n, few))
        yield f"{n_tasks} | 8 | {n_runs} | {' | '.join(f'{share:.3f}' for share in held.values())}"


def rows_of_errors(n: int) -> Iterator[str]:
    """Yield how often a winner is named between algorithms of equal configurations, and where all configurations are equal."""
    yield "algorithms | tasks | configurations | runs | equal | normal | skewed"
    designs = (2, 1, 4, 3), (2, 1, 16, 2), (2, 1, 16, 3), (2, 1, 16, 5), (2, 6, 4, 2), (2, 6, 16, 3), (5, 1, 4, 3)
    for design in designs:
        rates = (errors(*design, kind=kind, n=min(n, 4000 // (design[1] * design[2]))) for kind in KINDS[:2])
        yield f"{' | '.join(map(str, design))} | algorithms | {' | '.join(f'{rate:.3f}' for rate in rates)}"
    for n_tasks, few in ((20, 150), (52, 100)):
        rates = (errors(2, n_tasks, 16, 3, kind=kind, n=min(n, few), spread=0.0) for kind in KINDS[:2])
        yield f"2 | {n_tasks} | 16 | 3 | all configurations | {' | '.join(f'{rate:.3f}' for rate in rates)}"


def main(n: int = 1000) -> None:
    """Write the tables."""
    write("tuning", list(rows_of_coverage(n)))
    write("tuning_collapse", list(rows_of_collapse(n)))
    write("tuning_errors", list(rows_of_errors(n)))


if __name__ == "__main__":
    main()
