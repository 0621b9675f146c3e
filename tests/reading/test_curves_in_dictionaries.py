"""Dictionaries of arrays that hold learning curves: read with their steps, or with names of the axes, never pooled as runs."""

from __future__ import annotations

import re

import numpy as np
import pytest

import runoff as ro

RISE = np.cumsum(np.random.default_rng(0).random((2, 2, 5, 12)), axis=3)
STEPS = np.arange(1, 13) * 1000
BY_TASK = {a: {t: RISE[i, j] for j, t in enumerate(("Ant", "Hopper"))} for i, a in enumerate(("PPO", "SAC"))}
BY_ALGORITHM = {a: RISE[i, 0] for i, a in enumerate(("PPO", "SAC"))}


@pytest.mark.parametrize(
    ("given", "how", "steps"),
    [
        ({**BY_TASK, "steps": STEPS}, {}, STEPS),
        (BY_TASK, {"dims": "run,step"}, STEPS // 1000),
        (
            {a: {t: own.T for t, own in tasks.items()} for a, tasks in BY_TASK.items()},
            {"dims": "step,run"},
            STEPS // 1000,
        ),
        ({a: {t: own.T for t, own in tasks.items()} for a, tasks in BY_TASK.items()} | {"frames": STEPS}, {}, STEPS),
    ],
)
def test_arrays_by_task_are_learning_curves_beside_their_steps_or_with_named_axes(given, how, steps):
    curves = ro.load(given, **how)
    assert (curves.tasks, curves.steps[:12].tolist()) == (("Ant", "Hopper"), steps.tolist())
    assert curves.final().cell("SAC", "Hopper").tolist() == RISE[1, 1, :, -1].tolist()


def test_arrays_with_an_axis_of_tasks_are_learning_curves_of_each():
    curves = ro.load({"PPO": RISE[0].transpose(1, 0, 2), "SAC": RISE[1].transpose(1, 0, 2)}, dims="run,task,step")
    assert curves.final().cell("SAC", "task 2").tolist() == RISE[1, 1, :, -1].tolist()


def test_single_curves_beside_their_steps_are_a_run_each_and_heads_of_runs_a_table():
    curves = ro.load({"PPO": RISE[0, 0, 0], "SAC": RISE[1, 0, 0], "steps": STEPS})
    assert (curves.n_runs.tolist(), curves.final().cell("SAC", "task").tolist()) == ([[1], [1]], [RISE[1, 0, 0, -1]])
    with pytest.raises(ro.DataError, match="no column is recognised as the algorithm"):
        ro.load({"seed 0": RISE[0, 0, 0], "seed 1": RISE[0, 0, 1], "steps": STEPS})


def test_methods_take_such_dictionaries_as_the_loader_does():
    mean = ro.compare({**BY_ALGORITHM, "steps": STEPS})["PPO", "SAC"]
    assert mean.difference == ro.compare({a: own[:, -1] for a, own in BY_ALGORITHM.items()})["PPO", "SAC"].difference
    assert ro.curves({**BY_ALGORITHM, "steps": STEPS}).algorithms == ("PPO", "SAC")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            BY_TASK,
            "task 'Ant' is an array of shape (5, 12), not one score a run: of learning curves name the axes, ro.load(data, dims=",
        ),
        (
            {a: own.tolist() for a, own in BY_ALGORITHM.items()},
            "12 columns, which would be tasks, but neighbours are alike",
        ),
        ({"PPO": {f"seed_{r}": RISE[0, 0, r] for r in range(3)}}, "name runs, not tasks, and each has several scores"),
        ({**BY_ALGORITHM, "steps": np.ones(12)}, "the key 'steps' names no algorithm"),
        ({**BY_ALGORITHM, "steps": STEPS[:4]}, "array 'PPO' has the shape (5, 12), which does not fit 4 steps"),
        ({"PPO": RISE[0, 0, :, :5], "steps": STEPS[:5]}, "use dims='run,step' or dims='step,run'"),
    ],
)
def test_evaluations_are_never_pooled_as_runs(given, words):
    with pytest.raises(ro.DataError, match=re.escape(words)):
        ro.load(given)


def test_axes_that_name_tasks_beside_names_of_tasks_are_refused():
    with pytest.raises(ro.OptionError, match="names tasks, as the dictionary does already"):
        ro.load(BY_TASK, dims="run,task,step")


def test_a_dictionary_without_steps_is_answered_by_what_gives_it_some():
    with pytest.raises(
        ro.DataError, match=r"a dictionary of arrays says nothing of steps: .* or give their steps as one more entry"
    ):
        ro.curves(BY_ALGORITHM)
