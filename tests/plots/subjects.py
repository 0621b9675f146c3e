"""Answers about so many algorithms, or on so many tasks, whose names are not in the order of what they achieve."""

from __future__ import annotations

from functools import cache

import numpy as np

import runoff as ro

TASKS = ("u", "v", "w", "x")


def names(n: int) -> list[str]:
    """Return names whose order is not that of what they achieve."""
    return [f"b{place:02d}" for place in np.random.default_rng(n).permutation(n)]


@cache
def scores(n: int, n_tasks: int = 2) -> ro.Scores:
    rng = np.random.default_rng(5)
    cells = {
        name: {t: rng.normal(0.2 + 0.5 * i / n + 0.1 * k, 0.09, 4) for k, t in enumerate(TASKS[:n_tasks])}
        for i, name in enumerate(names(n))
    }
    return ro.Scores.from_dict(cells, score_unit="shared")


@cache
def compared(n: int) -> ro.ComparisonResult:
    return ro.compare(scores(n), n_resamples=200)


@cache
def learning(n: int) -> ro.Curves:
    rng = np.random.default_rng(6)
    rows = [
        (name, task, run, 10 * step, step * (1 + i / n) + rng.normal())
        for i, name in enumerate(names(n))
        for task in TASKS
        for run in range(2)
        for step in range(5)
    ]
    return ro.Curves.from_frame(
        dict(zip(("algorithm", "task", "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True))
    )


def configured(n: int) -> dict[str, list]:
    rng = np.random.default_rng(7)
    rows = [
        (name, "t", f"c{c}", str(run), i / n + 0.3 * c + 0.1 * rng.normal())
        for i, name in enumerate(names(n))
        for c in range(2 + i % 3)
        for run in range(3)
    ]
    return dict(zip(("algorithm", "task", "config", "seed", "score"), map(list, zip(*rows, strict=True)), strict=True))


def swept(n: int) -> ro.Scores:
    """Return a sweep of three configurations on two tasks, the best of them another on each."""
    rng = np.random.default_rng(9)
    rows = [
        (name, task, f"c{c}", str(run), i / n + 0.2 * (c == k) + 0.05 * rng.normal())
        for i, name in enumerate(names(n))
        for k, task in enumerate("uv")
        for c in range(3)
        for run in range(4)
    ]
    heads = ("algorithm", "task", "config", "run", "score")
    columns = dict(zip(heads, map(list, zip(*rows, strict=True)), strict=True))
    return ro.Scores.from_frame(columns, score_unit="shared")


@cache
def located(n: int) -> ro.WhereResult:
    """Return where a lead comes from, on so many tasks."""
    rng = np.random.default_rng(8)
    cells = [{f"b{t}": rng.normal(side * (n - 3 * t) / n, 0.3, 5) for t in range(n)} for side in (0, 1)]
    return ro.where(dict(zip("AB", cells, strict=True)), "A", "B", measure="mean", n_resamples=100)
