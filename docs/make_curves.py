"""Print tables of learning curves: error rates of corrections over steps, coverage of bands.

`python docs/make_curves.py` simulates curves (some minutes): AR(1) over 20 steps, neighbouring evaluations of a run correlated by `rho`. Piped
into `python -m tools.site.tables`, its tables are curves_errors.csv and curves_coverage.csv.
`python docs/make_curves.py FILE SCORE ALGORITHM...` draws whole real runs, with replacement, of tasks that have 40 runs or more: the scores of
these runs are the truth; curves_real_coverage.csv, curves_real_errors.csv, curves_risks.csv.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import sqrt

import numpy as np

import runoff as ro
from runoff._inference.bootstrap import AlongSteps, Mean, along_steps, parse_metric, stratified_mean, value_of
from runoff._inference.pairs import PairData
from runoff._inference.steps import STEADINESS, STEP_CORRECTIONS, align, differences
from runoff.base.arrays import Floats
from runoff.base.random import IntervalOptions, streams

N_STEPS, ALPHA = 20, 0.05
CORRECTIONS = ("none", "max_t", "holm", "bh", "colas2019")


@dataclass(frozen=True, kw_only=True)
class Case:
    """Two algorithms with equal means: runs of each, correlation of neighbouring steps, noise, and how much more b varies."""

    words: str
    n_a: int = 10
    n_b: int = 10
    rho: float = 0.9
    skewed: bool = False
    spread: float = 1.0


CASES = (
    Case(words="normal", n_a=5, n_b=5),
    Case(words="normal"),
    Case(words="normal, nearly constant along training", rho=0.99),
    Case(words="normal, hardly correlated", n_a=5, n_b=5, rho=0.5),
    Case(words="exponential", skewed=True),
    Case(words="one varies twice as much", spread=2.0),
    Case(words="the one with more runs varies twice as much", n_a=5, spread=2.0),
    Case(words="the one with fewer runs varies twice as much", n_b=5, spread=2.0),
)


def curves(rng: np.random.Generator, n: int, rho: float, skewed: bool) -> Floats:
    """Return runs (n, N_STEPS) with mean 0 and variance 1 at every step."""
    noise = rng.exponential(size=(n, N_STEPS)) - 1 if skewed else rng.normal(size=(n, N_STEPS))
    walks = noise.copy()
    for s in range(1, N_STEPS):
        walks[:, s] = rho * walks[:, s - 1] + sqrt(1 - rho**2) * noise[:, s]
    return walks


def pair(x: Sequence[Floats], y: Sequence[Floats]) -> list[PairData]:
    """Return two algorithms at every step; runs (n_runs, n_steps) of each task."""
    tasks = [str(t) for t in range(len(x))]
    steps = range(x[0].shape[1])
    return [
        PairData(a="a", b="b", x=[runs[:, s] for runs in x], y=[runs[:, s] for runs in y], tasks=tasks) for s in steps
    ]


def wrong_claims(case: Case, n_repeats: int, n_resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return how often some step of two algorithms with equal means is rejected, by correction."""
    rng, wrong = np.random.default_rng(seed), dict.fromkeys(CORRECTIONS, 0)
    for repeat in range(n_repeats):
        x = curves(rng, case.n_a, case.rho, case.skewed)
        y = case.spread * curves(rng, case.n_b, case.rho, case.skewed)
        tested = differences([pair([x], [y])], IntervalOptions(n_resamples=n_resamples, streams=streams(repeat)))
        for name in CORRECTIONS:
            wrong[name] += int(STEP_CORRECTIONS[name](tested, 0.5)[0].min() <= ALPHA)
    return {name: count / n_repeats for name, count in wrong.items()}


def covered(cells: Sequence[Floats], truth: Floats, metric: str, interval: str, seed: int) -> tuple[float, float]:
    """Return at which share of the steps an interval holds the truth, and whether the band does at all of them (NaN where there is none)."""
    held = []
    for band in ("pointwise", "simultaneous")[: 2 if interval == "t" else 1]:
        bands = AlongSteps(
            metric=parse_metric(metric),
            interval=interval,
            band=band,
            confidence_level=1 - ALPHA,
            n_resamples=1000,
            streams=streams(seed),
            threads=1,
        )
        slack = 1e-9 * np.abs(truth).max()
        ends = np.array([own or (np.nan, np.nan) for own in along_steps(cells, bands).ends])
        held.append((ends[:, 0] <= truth + slack) & (truth - slack <= ends[:, 1]))
    return float(held[0].mean()), float(held[1].all()) if len(held) > 1 else np.nan


def coverage(
    n_runs: int, n_tasks: int, metric: str, interval: str, n_repeats: int, *, skewed: bool = False, seed: int = 0
) -> tuple[float, float]:
    """Return how often an interval holds the truth, at a step (mean over steps) and at all steps at once by the simultaneous band."""
    rng = np.random.default_rng(seed)
    truth = np.zeros(N_STEPS) if not skewed or metric == "mean" else _iqm_of_many(skewed)
    held = [
        covered([curves(rng, n_runs, 0.9, skewed) for _ in range(n_tasks)], truth, metric, interval, repeat)
        for repeat in range(n_repeats)
    ]
    point, band = np.mean(held, axis=0)
    return float(point), float(band)


def _iqm_of_many(skewed: bool) -> Floats:
    """Return the IQM of the distribution at every step, from a million runs."""
    ranked = np.sort(curves(np.random.default_rng(1), 1_000_000, 0.9, skewed), axis=0)
    return ranked[250_000:750_000].mean(axis=0)


def rows_of_claims(n_repeats: int) -> Iterator[str]:
    """Yield the table of wrong claims."""
    yield "| runs | curves | none | max_t | holm | bh | colas2019 |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for case in CASES:
        rates = wrong_claims(case, n_repeats)
        yield f"| {case.n_a} + {case.n_b} | {case.words} | {' | '.join(f'{100 * rates[name]:.1f}' for name in CORRECTIONS)} |"


def rows_of_coverage(n_repeats: int) -> Iterator[str]:
    """Yield the table of coverage."""
    yield "| runs | tasks | noise | metric | interval | at a step | all steps |"
    yield "| ---: | ---: | --- | --- | --- | ---: | ---: |"
    for n_runs, n_tasks in ((3, 6), (5, 1), (5, 6), (10, 1), (10, 6)):
        for metric, interval, skewed in (
            ("mean", "t", False),
            ("iqm", "t", False),
            ("iqm", "t", True),
            ("iqm", "percentile", False),
        ):
            point, band = coverage(n_runs, n_tasks, metric, interval, n_repeats, skewed=skewed)
            noise = "exponential" if skewed else "normal"
            whole = "–" if np.isnan(band) else f"{100 * band:.1f}"
            yield f"| {n_runs} | {n_tasks} | {noise} | {metric} | {interval} | {100 * point:.1f} | {whole} |"


# ── real runs ──────────

Runs = dict[str, Floats]
"""Runs (n_runs, n_steps) by task."""
LEAST, DESIGNS = 40, ((3, 1), (5, 1), (10, 1), (20, 1), (3, 6), (5, 6), (10, 6), (5, 12))


def pools(path: str, score: str, algorithms: Sequence[str]) -> dict[str, Runs]:
    """Return the runs of each algorithm on the tasks of which it has enough."""
    every = ro.read_curves(path, columns={"score": score}).select(algorithms=list(algorithms))
    runs: dict[str, Runs] = {}
    for name in algorithms:
        own = every.select(algorithms=[name])
        many = [task for task, n in zip(own.tasks, own.n_runs[0], strict=True) if n >= LEAST]
        runs[name] = {task: align(own.select(tasks=[task]), incomplete="drop").rows(0, 0) for task in many}
    return runs


def redrawn(rng: np.random.Generator, runs: Sequence[Floats], n: int) -> list[Floats]:
    return [own[rng.integers(len(own), size=n)] for own in runs]


def some(rng: np.random.Generator, runs: Sequence[Floats], n_tasks: int) -> list[Floats]:
    return [runs[t] for t in rng.choice(len(runs), n_tasks, replace=False)]


def real_coverage(runs: Runs, n: int, n_tasks: int, metric: str, n_repeats: int) -> tuple[float, float]:
    """Return what `coverage` does, of real runs."""
    rng, held = np.random.default_rng(n + n_tasks), []
    for repeat in range(n_repeats):
        tasks = some(rng, list(runs.values()), n_tasks)
        truth = np.array(
            [value_of([own[:, s] for own in tasks], parse_metric(metric)) for s in range(tasks[0].shape[1])]
        )
        held.append(covered(redrawn(rng, tasks, n), truth, metric, "t", repeat))
    point, band = np.mean(held, axis=0)
    return float(point), float(band)


def real_claims(a: Runs, b: Runs, n: int, n_tasks: int, n_repeats: int, *, moved: bool) -> float:
    """Return how often two algorithms differ at some step by max-T; moved: the mean curves of b are those of a, task by task."""
    rng, claims, both = np.random.default_rng(n + n_tasks), 0, [task for task in a if task in b]
    for repeat in range(n_repeats):
        tasks = rng.choice(both, n_tasks, replace=False)
        x, y = [a[t] for t in tasks], [b[t] - moved * (b[t].mean(axis=0) - a[t].mean(axis=0)) for t in tasks]
        drawn = pair(redrawn(rng, x, n), redrawn(rng, y, n))
        (tested,) = differences([drawn], IntervalOptions(n_resamples=2000, streams=streams(repeat)))
        claims += bool(tested.adjusted.min() <= ALPHA)
    return claims / n_repeats


def risk_coverage(runs: Runs, n: int, n_tasks: int, name: str, n_repeats: int) -> float:
    """Return how often the t interval of the mean over runs holds a measure of steadiness of single runs."""
    measure, rng, held = STEADINESS[name].of_run, np.random.default_rng(n + n_tasks), 0
    assert measure is not None
    values = [measure(np.arange(float(own.shape[1])), own, 5) for own in runs.values()]
    for _ in range(n_repeats):
        tasks = some(rng, values, n_tasks)
        mean: Mean = stratified_mean(redrawn(rng, tasks, n), [1 / n_tasks] * n_tasks)
        low, high = mean.interval(1 - ALPHA) or (np.inf, -np.inf)
        held += low <= np.mean([own.mean() for own in tasks]) <= high
    return held / n_repeats


def rows_of_real(every: dict[str, Runs], n_repeats: int) -> Iterator[str]:
    """Yield the tables of real runs: the mean over algorithms, and the lowest or highest."""
    yield "| runs | tasks | metric | at a step: mean | at a step: lowest | all steps: mean | all steps: lowest |"
    yield "| ---: | ---: | --- | ---: | ---: | ---: | ---: |"
    for n, n_tasks in DESIGNS:
        for metric in ("mean", "iqm"):
            rates = 100 * np.array([real_coverage(runs, n, n_tasks, metric, n_repeats) for runs in every.values()])
            cells = " | ".join(f"{own.mean():.1f} | {own.min():.1f}" for own in rates.T)
            yield f"| {n} | {n_tasks} | {metric} | {cells} |"
    yield "\n| runs | tasks | one algorithm twice: mean | one algorithm twice: most | equal means: mean | equal means: most | as they are |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    names = list(every.values())
    for n, n_tasks in DESIGNS:
        alike = [real_claims(runs, runs, n, n_tasks, n_repeats, moved=True) for runs in names]
        moved = [real_claims(a, b, n, n_tasks, n_repeats, moved=True) for a, b in pairwise(names)]
        apart = [real_claims(a, b, n, n_tasks, n_repeats, moved=False) for a, b in pairwise(names)]
        cells = " | ".join(f"{100 * np.mean(own):.1f} | {100 * np.max(own):.1f}" for own in (alike, moved))
        yield f"| {n} | {n_tasks} | {cells} | {100 * np.mean(apart):.0f} |"
    measures = [name for name, measure in STEADINESS.items() if measure.of_run]
    yield f"\n| runs | tasks | {' | '.join(measures)} |\n| ---: | ---: | {' | '.join(['---:'] * len(measures))} |"
    for n, n_tasks in (*DESIGNS, (40, 1), (40, 6)):
        rates = [[risk_coverage(runs, n, n_tasks, name, 2000) for runs in names] for name in measures]
        cells = " | ".join(f"{100 * min(own):.0f} to {100 * max(own):.0f}" for own in rates)
        yield f"| {n} | {n_tasks} | {cells} |"


if __name__ == "__main__":
    real = rows_of_real(pools(sys.argv[1], sys.argv[2], sys.argv[3:]), 200) if len(sys.argv) > 1 else None
    for line in real or chain(rows_of_claims(1000), [""], rows_of_coverage(300)):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
