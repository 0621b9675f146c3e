"""Which settings of runs make configurations: those chosen by intent; what follows from them, constants and traces of single runs do not."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro
from runoff.reading.logs.settings import swept

GRID = [{"lr": lr, "width": w, "seed": s, "gamma": 0.9} for lr in (0.1, 0.2) for w in (8, 16) for s in (0, 1)]


def test_a_grid_has_all_its_settings_and_no_seed_or_constant():
    of_all = swept([GRID])
    assert of_all.settings == ("lr", "width")
    assert of_all.label(GRID[0]) == "lr 0.1, width 8"
    assert (of_all.of_runs, of_all.n_constant) == (("seed",), 1)


def test_a_setting_that_follows_from_another_is_named_and_left_out():
    of_all = swept([[{"lr_final": 0.01 * (i // 2), "lr": 0.1 * (i // 2), "seed": i % 2} for i in range(12)]])
    assert of_all.settings == ("lr",)
    assert of_all.derived == {"lr_final": "lr"}


def test_draws_of_a_random_search_are_all_kept_though_no_two_are_equal():
    draw = np.random.default_rng(0).random((8, 2)).tolist()
    of_all = swept([[{"lr": lr, "tau": tau, "final_lr": 2 * lr, "seed": s} for lr, tau in draw for s in (0, 1)]])
    assert set(of_all.settings) == {"lr", "tau"}
    assert of_all.derived == {"final_lr": "lr"}


def test_texts_of_a_random_search_are_settings_of_their_own():
    draws = [(0.013, "relu"), (0.5, "tanh"), (0.07, "relu")]
    of_all = swept(
        [[{"lr": lr, "lr_end": lr / 2, "activation": name, "seed": s} for lr, name in draws for s in (0, 1)]]
    )
    assert (set(of_all.settings), of_all.derived) == ({"lr", "activation"}, {"lr_end": "lr"})
    assert of_all.named({"lr": 0.5, "lr_end": 0.25, "activation": "tanh"}) == {
        "lr": "0.5",
        "lr_end": "0.25",
        "activation": "tanh",
    }


@pytest.mark.parametrize("value", ["/scratch/a{}", "./out/{}", "2024-01-0{}T10:00", "C:\\runs\\{}"])
def test_paths_and_dates_make_no_configuration_whatever_they_are_called(value):
    assert swept([[{"size": value.format(i // 2 + 1), "seed": i % 2} for i in range(6)]]).settings == ()


def test_the_class_of_a_part_is_a_setting_and_that_of_a_logger_is_none():
    configs = [{"model.class_path": f"nets.{net}", "logger.class_path": f"l.{s}"} for net in ("A", "B") for s in (0, 1)]
    assert swept([configs]).settings == ("model.class_path",)


def test_settings_with_one_last_name_keep_their_whole_names():
    configs = [{"actor.lr": a, "critic.lr": c, "seed": s} for a in (1, 2) for c in (1, 2) for s in (0, 1)]
    assert swept([configs]).label(configs[0]) == "actor.lr 1, critic.lr 1"


def test_a_setting_in_the_name_of_a_file_is_a_configuration_by_a_pattern(tmp_path):
    for a, lr, s in ((a, lr, s) for a in ("sac", "td3") for lr in ("0.1", "0.01") for s in (0, 1)):
        (tmp_path / f"{a}_lr{lr}_s{s}.csv").write_text(f"score\n{float(lr) + s}\n")
    scores = ro.read_scores(tmp_path, pattern="{algorithm}_lr{config.lr}_s{run}")
    assert scores.variants().algorithms == ("sac (lr 0.01)", "sac (lr 0.1)", "td3 (lr 0.01)", "td3 (lr 0.1)")
    assert scores.n_runs.tolist() == [[4], [4]]


def test_a_setting_in_the_name_of_a_folder_of_logs_is_one_too(tmp_path):
    for a, lr, s in ((a, lr, s) for a in ("sac", "td3") for lr in ("0.1", "0.01") for s in (0, 1)):
        folder = tmp_path / f"{a}_lr{lr}_s{s}"
        folder.mkdir()
        (folder / "progress.csv").write_text("timesteps,eval/mean_reward\n1,2\n2,3\n")
    pattern = "{algorithm}_lr{config.lr}_s{run}"
    assert {row.config for row in ro.scan(tmp_path, pattern=pattern)} == {"lr 0.1", "lr 0.01"}
    assert ro.tuning(ro.read_scores(tmp_path, pattern=pattern)).n_configs == {"sac": 2, "td3": 2}


def test_a_field_of_a_pattern_that_is_no_setting_is_refused():
    with pytest.raises(ro.OptionError, match=r"and, for a setting, \{config.lr\}, not \{lr\}"):
        ro.scan(".", pattern="{algorithm}_{lr}")


def test_an_algorithm_without_settings_has_one_configuration_beside_the_sweep_of_another(put):
    runs = [("ppo", rate, seed) for rate in (0.1, 0.2) for seed in range(3)] + [("sac", None, s) for s in range(3)]
    for i, (name, rate, seed) in enumerate(runs):
        rows = f"Epoch\tAverageEpRet\tTotalEnvInteracts\n1\t{i}.5\t100\n"
        setting = {} if rate is None else {"pi_lr": rate}
        put(f"logs/run{i}/config.json", json.dumps({"exp_name": name, "env_name": "Ant-v4", "seed": seed, **setting}))
        file = put(f"logs/run{i}/progress.txt", rows)
    scores = ro.read_scores(file.parents[1])
    configs = dict(scores.sampling.configs)
    assert scores.n_runs[:, 0].tolist() == [6, 3]
    assert [len({configs[label] for label in scores.labelled(a, 0)[0]}) for a in range(2)] == [2, 1]
