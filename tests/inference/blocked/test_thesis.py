"""Casesa (2024) Table 2.5: SPR against DrQ(ε) on Atari 100k, from the runs of Agarwal et al. (2021)."""

import json

import numpy as np
import pytest

from runoff._kernels.blocked.ranks import balanced_statistics
from tests.places import SHARED

RUNS = SHARED / "atari_100k"
TABLE = {3: 5.0, 5: 15.1, 10: 21.2, 25: 61.5, 50: 96.2}
N_SPLITS = 400


def runs_of(name):
    """All runs of an algorithm, (n_tasks, 100)."""
    by_task = json.loads((RUNS / f"{name}.json").read_text())
    return np.array([by_task[task] for task in sorted(by_task)])


def splits(runs, n_runs, rng):
    """Random sets of runs of every task, (N_SPLITS, n_tasks, n_runs)."""
    chosen = rng.random((N_SPLITS, *runs.shape)).argsort(axis=-1)[..., :n_runs]
    return np.take_along_axis(runs[None], chosen, axis=-1)


@pytest.mark.skipif(not RUNS.exists(), reason="the runs of Atari 100k are not beside this checkout")
@pytest.mark.parametrize(("n_runs", "printed"), TABLE.items())
def test_the_printed_statistic_lies_inside_the_central_95_percent_of_random_splits(n_runs, printed):
    rng = np.random.default_rng(n_runs)
    data = np.stack([splits(runs_of(name), n_runs, rng) for name in ("SPR", "DrQ(eps)")], axis=1)
    low, high = np.quantile(balanced_statistics(data), [0.025, 0.975])
    assert low <= printed <= high
