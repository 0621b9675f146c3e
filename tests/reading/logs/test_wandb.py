"""What a file of Weights & Biases says of its run: nested settings, its own entries, the axis that the user names, files side by side."""

from __future__ import annotations

import json

import runoff as ro
from tests.reference import logs as twin

STEPS = (10, 20, 30)


def nested(path: str, value: object) -> bytes:
    """Return a record of the configuration with the path of a setting."""
    names = b"".join(twin.chunk(2, part.encode()) for part in path.split("."))
    return twin.chunk(5, twin.chunk(1, names + twin.chunk(16, json.dumps(value).encode())))


def written(seed: int, *more: bytes) -> bytes:
    run = twin.run_record({"algo": '"ppo"', "env": '"Hopper-v4"', "seed": str(seed)})
    rows = [twin.history(i, {"eval/return": str(step / 8 + seed), "clock": str(i + 1)}) for i, step in enumerate(STEPS)]
    return twin.wandb_file(run, *more, *rows, twin.chunk(18, b""))


def test_settings_by_their_path_are_settings_and_entries_of_the_tool_are_none(put, tmp_path):
    for seed in range(4):
        rate = nested("optim.lr", 0.1 if seed < 2 else 0.2)
        put(
            f"wandb/run-20240101_10203{seed}-r{seed}/run-r{seed}.wandb",
            written(seed, rate, nested("_wandb.depth", seed % 2)),
        )
    curves = ro.read_curves(tmp_path)
    assert sorted(curves.variants().algorithms) == ["ppo (lr 0.1)", "ppo (lr 0.2)"]


def test_files_that_were_collected_in_one_folder_are_a_run_each(put, tmp_path):
    for seed in range(3):
        put(f"all/run-r{seed}.wandb", written(seed))
    assert ro.read_scores(tmp_path).cell("ppo", "Hopper-v4").tolist() == [30 / 8 + seed for seed in range(3)]


def test_the_axis_that_is_named_is_that_of_the_steps(put, tmp_path):
    put("wandb/run-20240101_102030-r0/run-r0.wandb", written(0))
    assert ro.read_curves(tmp_path, columns={"step": "clock"}).steps.tolist() == [1, 2, 3]
