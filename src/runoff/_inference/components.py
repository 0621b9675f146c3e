"""Variance components of a nested design: episodes within runs within tasks, any counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runoff.base.arrays import Floats

Nest = Sequence[Sequence[Floats]]
"""Tasks of runs of episodes."""
ROUNDING = 1e-14
"""The share of the largest score by which a mean of equal scores may differ from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Estimated variances (None where nothing is replicated at that level) and the counts behind them.

    cut: the components whose estimate was below 0 and is given as 0. episodes_per_run is the harmonic mean: a run's score has episode variance /
    episodes_per_run of evaluation noise.
    """

    task: float | None
    run: float | None
    episode: float | None
    cut: tuple[str, ...]
    n_tasks: int
    n_runs: int
    n_episodes: int
    episodes_per_run: float


def nested_components(nest: Nest, *, shared: bool = False) -> Components:
    """Return the analysis-of-variance estimates (Henderson's method 1; Searle, Casella & McCulloch 1992 §3.6, nested model).

    shared: whether tasks share runs, in one order. What a run has on all tasks then does not tell tasks apart: σ_r² in the expectation of the
    tasks' mean square is that about the means of runs (two-way crossed model, §4.7), and runs are counted once.

    With n_ij episodes of run j on task i, the mean squares have the expectations σ_e²; σ_e² + c₁ σ_r²; σ_e² + c₂ σ_r² + c₃ σ_t². Negative
    estimates are 0, after all are solved for. Without repeated episodes, σ_r² is the variance of the runs' scores with their evaluation noise.
    """
    counts = [np.array([run.size for run in task], dtype=np.float64) for task in nest]
    per_task = np.array([c.sum() for c in counts])
    total, n_runs, n_tasks = float(per_task.sum()), int(sum(c.size for c in counts)), len(nest)
    # c₁ = (N − Σ_i Σ_j n_ij²/n_i)/(runs − tasks), c₂ = (Σ_i Σ_j n_ij²/n_i − Σ n_ij²/N)/(tasks − 1), c₃ = (N − Σ
    # n_i²/N)/(tasks − 1); with n episodes everywhere c₁ = c₂ = n, and c₃ = n times the runs of a task.
    within = float(sum((c**2).sum() / c.sum() for c in counts))
    squares = _sums_of_squares(nest)
    df = np.array([total - n_runs, n_runs - n_tasks, n_tasks - 1])
    episode = _estimate(squares[0], df[0], 0.0, 1.0)
    # Without repeated episodes their variance stays in that of the runs.
    noise = episode or 0.0
    raw = {"run": _estimate(squares[1], df[1], noise, (total - within) / df[1] if df[1] else 1.0)}
    c2 = (within - float(sum((c**2).sum() for c in counts)) / total) / df[2] if df[2] else 0.0
    c3 = (total - float((per_task**2).sum()) / total) / df[2] if df[2] else 1.0
    harmonic = n_runs / float(sum((1 / c).sum() for c in counts))
    crossed = shared and df[2] > 0 and df[1] > 0
    own = _about_runs(nest) - noise / harmonic if crossed else raw["run"] or 0.0
    raw["task"] = _estimate(squares[2], df[2], noise + c2 * own, c3)
    return Components(
        task=_above_zero(raw["task"]),
        run=_above_zero(raw["run"]),
        episode=episode,
        cut=tuple(name for name, value in raw.items() if value is not None and value < 0),
        n_tasks=n_tasks,
        n_runs=n_runs // n_tasks if crossed else n_runs,
        n_episodes=int(total),
        episodes_per_run=harmonic,
    )


def _about_runs(nest: Nest) -> float:
    """Return the mean square of the means of shared runs about those of their run and of their task."""
    means = np.array([[run.mean() for run in task] for task in nest])
    means = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    return float((means**2).sum() / ((means.shape[0] - 1) * (means.shape[1] - 1)))


def _estimate(squares: float, df: float, below: float, coefficient: float) -> float | None:
    return None if df == 0 else float((squares / df - below) / coefficient)


def _above_zero(estimate: float | None) -> float | None:
    return None if estimate is None else max(estimate, 0.0)


def _sums_of_squares(nest: Nest) -> tuple[float, float, float]:
    """Return the sums of squares of episodes about runs, runs about tasks, tasks about the grand mean."""
    grand = float(np.mean(np.concatenate([run for task in nest for run in task])))
    episodes = runs = tasks = 0.0
    for task in nest:
        pooled = np.concatenate(task)
        centre = float(pooled.mean())
        episodes += float(sum(((run - run.mean()) ** 2).sum() for run in task))
        runs += float(sum(run.size * (run.mean() - centre) ** 2 for run in task))
        tasks += float(pooled.size * (centre - grand) ** 2)
    # What the means of equal scores err by is no spread, of which shares could be given.
    least = sum(run.size for task in nest for run in task) * (ROUNDING * _largest(nest)) ** 2
    episodes, runs, tasks = (squares if squares > least else 0.0 for squares in (episodes, runs, tasks))
    return episodes, runs, tasks


def _largest(nest: Nest) -> float:
    return max(float(np.abs(run).max()) for task in nest for run in task)
