"""No layout of a training tool pools or renames: `td3` beside `td3-v2`, and two values of a hyperparameter."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from itertools import product

import pytest

import runoff as ro
from tests.io.logs.layouts import LAYOUTS, STEPS

ALGORITHMS, TASKS = ("td3", "td3-v2", "sac"), ("Hopper-v4", "Walker2d-v4")
KEEP_SETTINGS = (
    *("spinning_up", "zoo", "dreamer", "sacred", "cleanrl", "hydra", "hydra_folders", "slurm", "sheeprl", "omnisafe"),
    *("drqv2", "pfrl", "rllib"),
)
"""Tools that log the settings of a run beside it, or in its name."""


def cells(curves) -> Counter[tuple[str, str]]:
    """Return the number of runs in each cell that has any."""
    names = product(curves.algorithms, curves.tasks)
    return +Counter(dict(zip(names, curves.n_runs.ravel().tolist(), strict=True)))


@pytest.mark.filterwarnings("error::runoff.RunoffWarning")
@pytest.mark.parametrize("other_seeds", [False, True], ids=["same seeds", "other seeds"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_layout_pools_or_renames_algorithms(put, tmp_path, layout, other_seeds):
    for (i, algorithm), task, seed in product(enumerate(ALGORITHMS), TASKS, (1, 2)):
        LAYOUTS[layout](put, algorithm, task, seed + 100 * i * other_seeds, 0.001)
    curves = ro.read_curves(tmp_path)
    assert cells(curves) == Counter(dict.fromkeys(product(ALGORITHMS, TASKS), 2))
    assert (curves.n_runs.sum(), len(set(curves.steps.tolist()))) == (12, len(STEPS))
    assert min(curves.steps.tolist()) >= STEPS[0]


@pytest.mark.parametrize("layout", KEEP_SETTINGS)
def test_no_layout_pools_values_of_a_hyperparameter(put, tmp_path, layout):
    for task, (seed, lr) in product(TASKS, ((1, 0.001), (2, 0.001), (3, 0.0003), (4, 0.0003))):
        LAYOUTS[layout](put, "td3", task, seed, lr)
    with pytest.warns(ro.RunoffWarning, match="variants") if layout != "hydra_folders" else nullcontext():
        n_runs = cells(ro.read_curves(tmp_path))
    assert {task for _, task in n_runs} == set(TASKS)
    assert sorted(n_runs.values()) == [2, 2, 2, 2]
    assert all("0.001" in name or "0.0003" in name for name, _ in n_runs)


def test_the_last_test_of_sheeprl_is_no_score_of_training(put, tmp_path):
    LAYOUTS["sheeprl"](put, "sac", "Hopper-v4", 1, 0.001)
    curves = ro.read_curves(tmp_path)
    assert dict(curves.provenance.columns)["score"] == "Rewards/rew_avg"
    assert curves.values.tolist() == pytest.approx([step / 7 for step in STEPS])
