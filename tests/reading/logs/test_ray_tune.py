"""Trials of Ray Tune: their folders repeat settings that `params.json` has, as a genuine grid search of Ray 2.60 left them."""

from __future__ import annotations

import json
from itertools import product

import pytest

import runoff as ro
from runoff.cli.app import run


def tuned(root, rates=(0.001, 0.003), of_config=None, above=""):
    """Write the trials of a grid search; `of_config` is the learning rate that configurations have, None: that of the folder."""
    for n, (algorithm, rate, seed) in enumerate(product(("sac", "td3"), rates, (0, 1))):
        own = {"lr": rate if of_config is None else of_config, "seed": seed, "env": "Hopper-v4"}
        settings = f"lr={rate:.4f},seed={seed}" if above else f"algorithm={algorithm},lr={rate:.4f},seed={seed}"
        folder = (
            root / (algorithm if above else "") / f"train_Hopper-v4_4641e_{n:05d}_{n}_{settings}_2026-11-27_22-09-54"
        )
        folder.mkdir(parents=True)
        config = own if above else {"algorithm": algorithm, **own}
        (folder / "params.json").write_text(json.dumps(config, indent=2))
        of_trial = {"done": False, "trial_id": f"4641e_{n:05d}", "date": "2026-11-27_22-10-06", "config": config}
        reports = [
            {"episode_reward_mean": i * (1000 * rate + seed), "timesteps_total": 1000 * i, "training_iteration": i}
            for i in (1, 2, 3)
        ]
        (folder / "result.json").write_text("".join(json.dumps(report | of_trial) + "\n" for report in reports))
    return root


@pytest.mark.parametrize("above", ["", "algorithms"])
def test_a_grid_search_is_a_sweep_without_an_option(tmp_path, above, capsys):
    assert run(["tuning", str(tuned(tmp_path, above=above))]) == 0
    assert "No difference was found between sac and td3 at any k up to 2" in capsys.readouterr().out
    scores = ro.read_scores(tmp_path)
    assert {config for _, config in scores.sampling.configs} == {"lr 0.001", "lr 0.003"}


def test_settings_of_folders_that_configurations_do_not_follow_are_not_passed_over(tmp_path):
    scores = ro.read_scores(tuned(tmp_path, of_config=0.001))
    assert sorted(scores.algorithms) == [f"{a} lr={rate}" for a in ("sac", "td3") for rate in ("0.0010", "0.0030")]


def trial(folder, name: str, *, seed: int = 1, done: bool = False) -> None:
    """Write a trial of RLlib whose table lacks what came later, and has other numbers."""
    config = {"env": "env", "env_config": {"env_id": name}, "seed": seed, "algo": "sac"}
    own = {"training_iteration": 1, "done": done, "config": config}
    reports = [{"timesteps_total": 100 * i, "evaluation": {"episode_reward_mean": 1.5 * i}, **own} for i in (1, 2)]
    folder.mkdir(parents=True)
    (folder / "result.json").write_text("".join(json.dumps(report) + "\n" for report in reports))
    (folder / "progress.csv").write_text("training_iteration,timesteps_total,episode_reward_mean\n1,100,99\n2,200,99\n")


def test_the_reports_of_a_trial_come_before_its_table_and_its_environment_may_be_named_in_its_arguments(tmp_path):
    for seed in (1, 2):
        trial(tmp_path / f"t{seed}", "Hopper-v4", seed=seed)
    assert ro.read_scores(tmp_path).to_dict() == {"sac": {"Hopper-v4": [3.0, 3.0]}}


def test_a_trial_that_was_tried_again_and_ended_well_did_not_fail(tmp_path):
    for seed, done in ((1, True), (2, False), (3, True)):
        trial(tmp_path / f"t{seed}", "Hopper-v4", seed=seed, done=done)
    for seed in (1, 2):
        (tmp_path / f"t{seed}" / "error.txt").write_text("RayTaskError")
    assert any("1 run(s) did not finish successfully" in note for note in ro.scan(tmp_path).notes)


def test_of_states_of_a_trainer_the_farthest_counts_and_records_that_are_none_are_counted(tmp_path):
    for at, n in (("", 1), ("checkpoint-30", 3), ("checkpoint-20", 2)):
        history = [{"step": 10 * k, "eval_reward": k / 2} for k in range(1, n + 1)]
        folder = tmp_path / "run" / at
        folder.mkdir(parents=True, exist_ok=True)
        state = {"global_step": 10 * n, "log_history": [*history, "x"]}
        (folder / "trainer_state.json").write_text(json.dumps(state))
    with pytest.warns(ro.RunoffWarning, match="1 record"):
        assert ro.read_curves(tmp_path).steps.tolist() == [10, 20, 30]


def test_returns_that_a_world_model_imagines_are_none_and_metrics_come_before_scores(tmp_path):
    rows = [{"step": 10 * k, "episode/score": k / 2, "train/ret": 99.0, "report/rew": 99.0} for k in (1, 2)]
    (tmp_path / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "scores.jsonl").write_text("".join(json.dumps({**row, "episode/score": 7.0}) + "\n" for row in rows))
    assert ro.read_curves(tmp_path).values.tolist() == [0.5, 1.0]
    (row,) = ro.scan(tmp_path).rows
    assert {"model/train/ret", "model/report/rew"} <= {*row.all_series}
