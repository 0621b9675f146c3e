"""Small studies that tests run."""

from __future__ import annotations

from typing import Any

from runoff.studies import Study, World, distribution


def world(*families: dict[str, Any], name: str = "world", n_tasks: int = 1) -> World:
    """A world of one distribution per algorithm, the same on every task."""
    rows = tuple((distribution(f"algorithm {a}", f),) * n_tasks for a, f in enumerate(families))
    return World(name=name, grid=rows)


def normal_world(n_tasks: int = 1, **second: Any) -> World:
    return world({"family": "normal"}, {"family": "normal", **second}, name="normal", n_tasks=n_tasks)


def small_study(**changes: Any) -> Study:
    """Two cells of 1,200 repetitions: three blocks each, the last of 200."""
    settings: dict[str, Any] = {
        "name": "small",
        "worlds": (normal_world(),),
        "methods": ("welch", "permutation"),
        "n_runs": (3, 10),
        "n_repeats": 1200,
        "n_resamples": 100,
    }
    return Study(**(settings | changes))
