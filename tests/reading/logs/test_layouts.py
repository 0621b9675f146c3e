"""No layout of a training tool pools or renames: `td3` beside `td3-v2`, and two values of a hyperparameter."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

import runoff as ro
from runoff.reading._fields import compiled, matched
from runoff.reading._pattern import suggestions
from runoff.tables.columns import NAMED
from tests.reading.logs.layouts import LAYOUTS, STEPS

ALGORITHMS, TASKS = ("td3", "td3-v2", "sac"), ("Hopper-v4", "Walker2d-v4")
KEEP_SETTINGS = (
    *("spinning_up", "zoo", "dreamer", "sacred", "cleanrl", "hydra", "hydra_folders", "slurm", "sheeprl", "omnisafe"),
    *("drqv2", "pfrl", "rllib", "dvclive", "mlflow", "wandb_offline"),
)
"""Tools that log the settings of a run beside it, or in its name."""


def cells(curves) -> Counter[tuple[str, str]]:
    """Return the number of runs in each cell that has any."""
    names = product(curves.algorithms, curves.tasks)
    return +Counter(dict(zip(names, curves.n_runs.ravel().tolist(), strict=True)))


@pytest.mark.sampled(38)
@pytest.mark.filterwarnings("error::runoff.RunoffWarning")
@pytest.mark.parametrize("other_seeds", [False, True], ids=["same seeds", "other seeds"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_layout_pools_or_renames_algorithms(put, tmp_path, layout, other_seeds):
    for (i, algorithm), task, seed in product(enumerate(ALGORITHMS), TASKS, (1, 2)):
        LAYOUTS[layout](put, algorithm, task, seed + 100 * i * other_seeds, 0.001)
    curves = ro.read_curves(tmp_path)
    assert cells(curves) == Counter(dict.fromkeys(product(ALGORITHMS, TASKS), 2))
    assert (curves.n_runs.sum(), len(set(curves.steps.tolist()))) == (12, len(STEPS))
    assert min(curves.steps.tolist()) >= (1 if layout == "mushroom_rl" else STEPS[0])


@pytest.mark.parametrize("layout", KEEP_SETTINGS)
def test_no_layout_pools_values_of_a_hyperparameter(put, tmp_path, layout):
    for task, (seed, lr) in product(TASKS, ((1, 0.001), (2, 0.001), (3, 0.0003), (4, 0.0003))):
        LAYOUTS[layout](put, "td3", task, seed, lr)
    curves = ro.read_curves(tmp_path)
    assert bool(curves.sampling.configs) == (layout != "hydra_folders")
    n_runs = cells(curves.variants())
    assert {task for _, task in n_runs} == set(TASKS)
    assert sorted(n_runs.values()) == [2, 2, 2, 2]
    assert all("0.001" in name or "0.0003" in name for name, _ in n_runs)


def test_the_last_test_of_sheeprl_is_no_score_of_training(put, tmp_path):
    LAYOUTS["sheeprl"](put, "sac", "Hopper-v4", 1, 0.001)
    curves = ro.read_curves(tmp_path)
    assert dict(curves.provenance.columns)["score"] == "Rewards/rew_avg"
    assert curves.values.tolist() == pytest.approx([step / 7 for step in STEPS])


@pytest.mark.parametrize(("columns", "n_runs"), [(1, 2), (3, 3)])
def test_a_text_whose_first_numbers_rise_evenly_tells_steps_and_no_run(put, tmp_path, columns, n_runs):
    for algorithm, seed in product(("td3", "sac"), (1, 2) if columns == 1 else (0,)):
        scores = [" ".join([str(step), *(f"{step / 7 + seed + i:.1f}" for i in range(columns))]) for step in STEPS]
        put(f"{algorithm}/Hopper-v4/{seed or 'scores'}.txt", "\n".join(scores) + "\n")
    curves = ro.read_curves(tmp_path)
    assert cells(curves) == {("td3", "Hopper-v4"): n_runs, ("sac", "Hopper-v4"): n_runs}
    assert set(curves.steps.tolist()) == set(STEPS)


PATHS = {
    "fabric": ("{a}_{t}/version_{s}", "{algorithm}_{task}/version_{run}"),
    "dowel": ("experiment/{a}_{t}_{s}", "{algorithm}_{task}_{run}"),
    "tianshou": ("{t}/{a}/{s}/240131-10203{s}", "{task}/{algorithm}/{run}/*"),
    "seeds": ("{a}/{t}/seed_{s}", "{algorithm}/{task}/seed_{run}"),
}


@pytest.mark.parametrize("form", PATHS)
def test_a_pattern_that_a_message_suggests_tells_all_runs_apart_and_names_them_right(form):
    path, pattern = PATHS[form]
    runs = list(product(ALGORITHMS, TASKS, "12"))
    paths = [path.format(a=a, t=t, s=s).split("/") for a, t, s in runs]
    assert suggestions(paths, [dict.fromkeys(NAMED, "x")] * len(runs)) == [pattern]
    fields = [matched(compiled(pattern), "/".join(parts)) for parts in paths]
    assert fields == [dict(zip(NAMED, run, strict=True)) for run in runs]


@pytest.mark.parametrize(
    "paths",
    [
        ["PPO/seed_3/PPO_1", "PPO/seed_3/PPO_9", "SAC/seed_3/SAC_1"],  # attempts at one run
        ["2024-01-01/default", "2024-01-01/final", "2024-01-02/default", "2024-01-02/final"],
        ["td3/1", "td3/2/3"],
    ],
)
def test_where_every_pattern_would_pool_or_rename_none_is_suggested(paths):
    assert suggestions([path.split("/") for path in paths], [dict.fromkeys(NAMED, "")] * len(paths)) == []


def test_two_runs_of_one_name_are_refused_with_the_folders_that_were_read_alike(put, tmp_path):
    for algorithm, seed in product(("mine", "mine_wide"), (1, 2)):
        LAYOUTS["stable_baselines_folders"](put, algorithm, "Hopper-v4", seed, 0.001)
    message = r"folders 'mine' and 'mine_wide' were read as the same name\).*pattern='\{algorithm\}/\*/seed_\{run\}'"
    with pytest.raises(ro.DataError, match=message):
        ro.read_scores(tmp_path, pattern="{algorithm}/seed_{run}")
    assert ro.read_scores(tmp_path, pattern="{algorithm}/*/seed_{run}").algorithms == ("mine", "mine_wide")
