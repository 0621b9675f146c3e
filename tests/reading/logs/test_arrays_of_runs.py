"""Laws of arrays of one run that NumPy saved, each in a file of its own beside one of the steps, or all in an archive."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro

STEPS = np.arange(1, 9) * 1000
NOISE = np.random.default_rng(0).normal(0, 0.1, (8, 8))
"""Of evaluations and episodes."""


def save(folder, **arrays):
    folder.mkdir(parents=True)
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values)


def curve(last):
    return last * STEPS / 8000


@pytest.mark.parametrize("steps", ["steps", "eval_steps", "timesteps"])
@pytest.mark.parametrize("n_episodes", [0, 5, 8])
def test_arrays_beside_their_steps_are_the_curve_of_the_run_of_their_folder(tmp_path, steps, n_episodes):
    for name, last in (("sac", 4.0), ("droq", 8.0)):
        returns = curve(last)[:, None] + NOISE[:, :n_episodes] if n_episodes else curve(last)
        beside = {"train_return": curve(last) - 9, "weights": np.ones((3, 3)), "n": np.array(3)}
        save(tmp_path / name / "Hopper-v4" / "seed_0", **{steps: STEPS, "eval_returns": returns}, **beside)
    read = ro.load(tmp_path)
    assert [read.curve(0)[0].tolist(), read.tasks] == [STEPS.tolist(), ("Hopper-v4",)]
    off = NOISE[-1, :n_episodes].mean() if n_episodes else 0.0
    ends = {name: runs["Hopper-v4"] for name, runs in read.final(1).to_dict().items()}
    assert ends == {"sac": [pytest.approx(4 + off)], "droq": [pytest.approx(8 + off)]}


def test_a_second_axis_of_arrays_in_a_folder_that_names_no_run_may_be_one_of_runs(tmp_path):
    for name in ("sac", "droq"):
        save(tmp_path / name, steps=STEPS, returns=curve(4.0)[:, None] + NOISE[:, :5])
    with pytest.raises(ro.DataError, match="neighbours along it are alike"):
        ro.load(tmp_path)


def test_of_a_square_of_noise_nobody_knows_which_side_is_that_of_the_steps(tmp_path):
    save(tmp_path / "sac" / "Hopper-v4" / "seed_0", steps=STEPS, returns=NOISE)
    with pytest.raises(ro.DataError):
        ro.load(tmp_path)


def test_the_steps_of_evaluations_in_an_archive_are_those_of_the_run(tmp_path):
    (tmp_path / "sac_s0").mkdir()
    np.savez(tmp_path / "sac_s0" / "eval.npz", eval_steps=STEPS, eval_returns=np.tile(curve(4.0), (3, 1)).T)
    (tmp_path / "sac_s0" / "config.json").write_text('{"algo": "sac", "env": "Hopper-v4", "seed": 0}')
    assert ro.load(tmp_path).curve(0)[0].tolist() == STEPS.tolist()
