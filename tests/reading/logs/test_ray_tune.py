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
