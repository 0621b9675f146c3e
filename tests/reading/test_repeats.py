"""Rows that repeat a run, or a step of one; and rows that nobody asked about."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

import runoff as ro

HEAD = "algorithm,seed,step,return\n"


def curve(steps: str, *, algorithm: str = "PPO", seed: int = 0) -> str:
    return "".join(f"{algorithm},{seed},{step},{at}.5\n" for at, step in enumerate(steps.split()))


RESUMED = HEAD + curve("0 1000 2000 3000 2000 3000 4000") + curve("0 1000 2000 3000 4000", seed=1)


def test_rows_logged_again_after_a_resumption_count_by_their_last(put):
    with pytest.warns(
        ro.RunoffWarning, match=r"2 row\(s\) were logged again after the step went back.*the last one counts"
    ):
        curves = ro.read_curves(put("runs.csv", RESUMED))
    assert curves.values.tolist() == [0.5, 1.5, 4.5, 5.5, 6.5, 0.5, 1.5, 2.5, 3.5, 4.5]


@pytest.mark.parametrize(("policy", "values"), [("last", [4.5, 5.5]), ("first", [2.5, 3.5]), ("mean", [3.5, 4.5])])
def test_the_user_says_which_of_several_rows_counts(put, policy, values):
    with pytest.warns(ro.RunoffWarning, match=r"2 row\(s\) have the run and step of another"):
        curves = ro.read_curves(put("runs.csv", RESUMED), duplicates=policy)
    assert curves.values.tolist()[2:4] == values


def test_repeats_can_be_refused_whatever_they_look_like(put):
    with pytest.raises(ro.DataError, match=r"step 2000 appears twice, in line 4 and line 6 \(2 such rows of 1 runs\)"):
        ro.read_curves(put("runs.csv", RESUMED), duplicates="error")


@pytest.mark.parametrize(
    "steps",
    [
        "0 1000 2000 0 1000 2000",
        "0 1000 1000 2000",
        "0 1000" + 11 * " 500 1000",
    ],
)
def test_steps_that_begin_again_or_stand_twice_are_asked_for_with_every_case_counted(put, steps):
    with pytest.raises(
        ro.DataError, match=r"appears twice.*duplicates='last' .*duplicates='first', or duplicates='mean'"
    ):
        ro.read_curves(put("runs.csv", HEAD + curve(steps)))


def test_end_scores_that_are_there_twice_are_one_where_they_are_equal(put):
    text = "algorithm,seed,score\nPPO,0,1.25\nPPO,1,2.5\nPPO,0,1.25\n"
    with pytest.warns(
        ro.RunoffWarning, match=r"1 row\(s\) repeat others, score and all, for example of algorithm 'PPO'"
    ):
        assert ro.read_scores(put("runs.csv", text)).values.tolist() == [1.25, 2.5]
    with pytest.raises(ro.DataError, match="appears twice, in line 2 and line 4;"):
        ro.read_scores(put("other.csv", text[:-5] + "1.5\n"))


def test_outcomes_are_equal_by_chance_and_are_asked_for(put):
    with pytest.raises(ro.DataError, match="appears twice"):
        ro.read_scores(put("runs.csv", "algorithm,seed,score\nPPO,0,1\nPPO,1,0\nPPO,0,1\n"))


def test_frames_have_the_same_option(put):
    import polars as pl

    frame = pl.read_csv(put("runs.csv", RESUMED))
    with pytest.warns(ro.RunoffWarning, match="the first one counts"):
        assert ro.load(frame, duplicates="first").values.tolist()[2:4] == [2.5, 3.5]


def test_an_unknown_policy_of_repeats_is_refused(put):
    with pytest.raises(ro.OptionError, match="duplicates must be"):
        ro.read_curves(put("runs.csv", RESUMED), duplicates="newest")


# ── what nobody asked about ──────────

BROKEN = "algorithm,task,seed,score\n" + "".join(f"{a},x,{i},{i}.5\n" for a in ("PPO", "SAC") for i in range(4))


@pytest.mark.parametrize("bad", ["DQN,x,0,crashed\n", "DQN,x,0,1.5\nDQN,x,0,2.5\n", "DQN,,0,1.5\n"])
def test_rows_of_algorithms_that_are_not_chosen_stop_nothing(put, bad):
    from runoff.reading.read import read_runs

    file = put("runs.csv", BROKEN + bad)
    with pytest.raises(ro.DataError):
        ro.read_scores(file)
    scores = read_runs(file, only={"algorithm": ["PPO", "SAC"]})
    assert scores.n_runs.tolist() == [[4], [4]]
    assert any("left out unchecked" in note for note in scores.provenance.notes)


def test_files_of_algorithms_that_are_not_chosen_stop_nothing(put):
    from runoff.reading.read import read_runs

    for name, score in (("PPO", 1.5), ("SAC", 3.5), ("DQN", "bad")):
        folder = put(f"{name}.csv", f"task,seed,score\nx,0,{score}\nx,1,2.5\n").parent
    assert read_runs(folder, only={"algorithm": ["PPO", "SAC"]}).algorithms == ("PPO", "SAC")


def test_a_table_in_order_is_read_whole_and_chosen_from_later(put):
    from runoff.reading.read import read_runs

    assert read_runs(put("runs.csv", BROKEN), only={"algorithm": ["PPO"]}).algorithms == ("PPO", "SAC")


def test_the_command_line_hands_the_chosen_names_to_the_reader(put, capsys):
    from runoff.cli.app import run

    file = put("runs.csv", BROKEN + "DQN,x,0,crashed\n")
    assert run(["compare", str(file), "--algorithms", "PPO,SAC", "--json"]) == 0
    assert '"DQN"' not in capsys.readouterr().out


EPISODES = {("A", 0): [3.0, 9.0, 6.5], ("A", 1): [1.0, 9.0, 2.5], ("B", 0): [7.0, 5.0, 8.5], ("B", 1): [2.0, 4.0, 0.5]}


def written_as(put, tmp_path, shape: str):
    """Write the episodes of runs, one file for each or one for all; return what reads them."""
    for (algorithm, seed), values in EPISODES.items():
        name = f"{shape}/{algorithm}_hopper_s{seed}"
        if shape in ("json", "json with run"):
            put(f"{name}/eval.json", json.dumps({"returns": values} | ({"run": seed} if "run" in shape else {})))
        elif shape == "npy":
            put(f"{name}/eval.npy", b"")
            np.save(tmp_path / f"{name}/eval.npy", np.array(values))
        elif shape == "csv":
            put(f"{name}/eval.csv", "returns\n" + "".join(f"{value}\n" for value in values))
    return tmp_path / shape


@pytest.mark.parametrize(
    ("shape", "columns"), [*product(("json", "json with run"), ({}, {"run": "run"})), ("npy", {}), ("csv", {})]
)
def test_the_score_of_a_run_is_the_mean_of_its_list_or_file_where_that_is_asked_for(put, tmp_path, shape, columns):
    folder = written_as(put, tmp_path, shape)
    with pytest.warns(ro.RunoffWarning, match="their mean counts"):
        scores = ro.load(folder, pattern="{algorithm}_{task}_s{run}/*", columns=columns, duplicates="mean")
    assert scores.to_dict() == {
        a: {"hopper": [float(np.mean(EPISODES[a, seed])) for seed in (0, 1)]} for a in ("A", "B")
    }


def test_the_score_of_a_run_is_the_mean_of_its_list_in_a_frame():
    rows = {
        "algo": [a for a, _ in EPISODES],
        "seed": [seed for _, seed in EPISODES],
        "returns": [*EPISODES.values()],
    }
    with pytest.warns(ro.RunoffWarning, match="their mean counts"):
        scores = ro.load(rows, duplicates="mean")
    assert scores.values.tolist() == [float(np.mean(values)) for values in EPISODES.values()]


def test_what_a_refusal_of_lists_of_a_run_proposes_gives_their_mean(put, tmp_path):
    folder = written_as(put, tmp_path, "json")
    with pytest.raises(ro.DataError, match="several scores") as refused:
        ro.load(folder, pattern="{algorithm}_{task}_s{run}/*")
    assert "use duplicates='mean' if the entries of a list are episodes" in str(refused.value)
