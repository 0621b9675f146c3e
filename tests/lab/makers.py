"""Small studies that tests run."""

from __future__ import annotations

import os
import signal
from typing import Any

import numpy as np

from runoff.base.random import Streams
from runoff.lab import Study, World, distribution
from runoff.lab.contenders.registry import Batch


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
        "contenders": ("welch", "permutation"),
        "n_runs": (3, 10),
        "n_repeats": 1200,
        "n_resamples": 100,
    }
    return Study(**(settings | changes))


def curve_world(*means: float, n_tasks: int = 1, **curve: Any) -> World:
    """A world of learning curves: an algorithm for each mean, unsteady as told."""
    settings: dict[str, Any] = {"family": "learning_curve", "evaluations": 12, "unsteadiness": 2.0} | curve
    return world(*({**settings, "mean": mean} for mean in means), name="curves", n_tasks=n_tasks)


def curve_batch(world: World | None = None, n_batch: int = 45, n_runs: int = 5) -> Batch:
    """Simulated curves of a world."""
    world = world or curve_world(0.0, 1.0, n_tasks=2)
    curves = world.draw_curves(np.random.default_rng(5), n_batch, n_runs)
    return Batch(
        scores=curves[..., -1], world=world, alpha=0.05, n_resamples=400, streams=Streams(0), key=(1, 2), curves=curves
    )


def killed(task: int) -> int:
    """End the worker at its fourth task, as the system does where memory runs out."""
    if task == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task
