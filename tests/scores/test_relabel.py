"""Other names for algorithms and tasks, and some of them: for scores and for curves alike."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro

COLUMNS = {
    "algo": ["PPO", "PPO", "ppo", "ppo", "SAC", "SAC"],
    "env": ["Pong", "Hero"] * 3,
    "seed": [0] * 6,
    "step": [10] * 6,
    "score": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
}


@pytest.fixture(params=["scores", "curves"])
def runs(request):
    learning = ro.Curves.from_frame(COLUMNS)
    return learning if request.param == "curves" else learning.final()


def cells(runs) -> dict[str, dict[str, list[float]]]:
    return (runs.final() if isinstance(runs, ro.Curves) else runs).to_dict()


@pytest.mark.parametrize("empty", [{"algorithms": []}, {"tasks": ()}])
def test_a_choice_of_nothing_is_refused(empty):
    with pytest.raises(ro.OptionError, match="names none; name at least one"):
        ro.load_example("classic_control").select(**empty)


def test_new_names_take_the_place_of_the_old_ones(runs):
    relabelled = runs.rename(algorithms={"SAC": "Soft AC"}, tasks={"Pong": "ALE/Pong-v5"})
    assert relabelled.algorithms == ("PPO", "Soft AC", "ppo")
    assert cells(relabelled)["Soft AC"] == {"ALE/Pong-v5": [5.0], "Hero": [6.0]}
    assert "algorithms renamed by request: 'SAC' is called 'Soft AC'" in relabelled.provenance.notes


def test_names_may_be_swapped(runs):
    relabelled = runs.rename(algorithms={"SAC": "PPO", "PPO": "SAC"})
    assert cells(relabelled)["PPO"]["Pong"] == [5.0]
    assert cells(relabelled)["SAC"]["Pong"] == [1.0]


def test_two_names_become_one_only_when_asked(runs):
    with pytest.raises(
        ro.OptionError, match=r"'PPO' and 'ppo' would both be named 'PPO', and their runs pooled.*merge=True"
    ):
        runs.rename(algorithms={"ppo": "PPO"})
    relabelled = runs.rename(algorithms={"ppo": "PPO"}, merge=True)
    assert cells(relabelled) == {"PPO": {"Pong": [1.0, 3.0], "Hero": [2.0, 4.0]}, "SAC": {"Pong": [5.0], "Hero": [6.0]}}
    assert any("the runs of PPO, ppo are pooled" in note for note in relabelled.provenance.notes)


def test_pooled_runs_keep_apart_by_their_old_names(runs):
    relabelled = runs.rename(algorithms={"ppo": "PPO"}, tasks={"Hero": "Pong"}, merge=True)
    assert set(relabelled.run_labels) == {"PPO:Pong:0", "PPO:Hero:0", "ppo:Pong:0", "ppo:Hero:0", "Pong:0", "Hero:0"}
    assert relabelled.tasks == ("Pong",)


def test_some_are_chosen_in_the_order_named_and_the_others_counted(runs):
    relabelled = runs.select(algorithms=["SAC", "PPO"], tasks=["Pong"])
    assert cells(relabelled) == {"SAC": {"Pong": [5.0]}, "PPO": {"Pong": [1.0]}}
    assert "1 of 3 algorithms left out by request: ppo" in relabelled.provenance.notes
    assert "1 of 2 tasks left out by request: Hero" in relabelled.provenance.notes


def test_tasks_on_which_no_chosen_algorithm_has_runs_are_left_out_or_refused_by_name():
    columns = COLUMNS | {"env": ["Pong", "Hero"] * 2 + ["Pong", "Pong"], "seed": [0, 0, 0, 0, 0, 1]}
    curves = ro.Curves.from_frame(columns)
    for runs in (curves, curves.final()):
        assert runs.select(algorithms=["SAC"]).tasks == ("Pong",)
        note = "1 of 2 tasks left out, on which none of these algorithms has runs: Hero"
        assert note in runs.select(algorithms=["SAC"]).provenance.notes
        assert runs.select(algorithms=["SAC", "PPO"]).tasks == runs.tasks
        with pytest.raises(
            ro.DesignError, match="task 'Hero' has no runs of the algorithms that are kept; leave it out"
        ):
            runs.select(algorithms=["SAC"], tasks=["Pong", "Hero"])


@pytest.mark.parametrize("ask", [{"algorithms": ["SAQ"]}, {"algorithms": {"SAQ": "x"}}])
def test_an_unknown_name_is_refused_with_the_nearest(runs, ask):
    method = runs.rename if isinstance(ask["algorithms"], dict) else runs.select
    with pytest.raises(ro.DesignError, match=r"there is no algorithm 'SAQ' in these scores. Did you mean 'SAC'\?"):
        method(**ask)


@pytest.mark.parametrize(("n", "rest"), [(8, "'A7'."), (9, "'A7' and 1 more.")])
def test_a_name_like_none_is_answered_with_those_that_are_there(n, rest):
    data = ro.load({f"A{k}": [1.0, 2.0 + k] for k in range(n)})
    with pytest.raises(ro.DesignError) as refusal:
        data.select(algorithms="somebody else")
    assert str(refusal.value).endswith(rest)


def test_an_empty_name_is_refused(runs):
    with pytest.raises(ro.OptionError, match="the new name of task 'Pong' is empty"):
        runs.rename(tasks={"Pong": " "})


def test_an_algorithm_without_runs_on_the_chosen_tasks_is_refused():
    columns = COLUMNS | {"env": ["Pong", "Hero"] * 2 + ["Pong", "Pong"], "seed": [0, 0, 0, 0, 0, 1]}
    with pytest.raises(ro.DesignError, match="algorithm 'SAC' has no runs on the tasks that are kept"):
        ro.Curves.from_frame(columns).select(tasks=["Hero"])


def test_nothing_asked_changes_nothing(runs):
    assert cells(runs.rename()) == cells(runs.select()) == cells(runs)
    assert runs.rename().provenance == runs.provenance


def test_curves_that_are_chosen_again_are_those_of_the_frame():
    example = ro.load_example("classic_control")
    kept = example.algorithms[2:4][::-1], example.tasks[1:3]
    relabelled = example.select(algorithms=kept[0], tasks=kept[1])
    frame = example.to_frame()
    rows = frame.filter(frame["algorithm"].is_in(kept[0]) & frame["task"].is_in(kept[1]))
    again = ro.Curves.from_frame(rows).select(algorithms=kept[0])
    assert relabelled.to_frame().equals(again.to_frame())
    assert np.array_equal(relabelled.run_offsets, again.run_offsets)


def test_a_name_that_stays_leaves_no_note(runs):
    assert [note for note in runs.rename(algorithms={"SAC": "SAC"}).provenance.notes if "renamed" in note] == []


def test_names_of_algorithms_and_tasks_are_replaced_together():
    scores = ro.Scores.from_dict({"A": {"x": [1.0], "B": [2.0]}, "B": {"x": [3.0], "B": [4.0]}})
    both = scores.rename({"A": "ours", "x": "task 1"}, algorithms={"B": "theirs"})
    assert (both.algorithms, both.tasks) == (("ours", "theirs"), ("task 1", "B"))
    with pytest.raises(ro.OptionError, match="'B' is an algorithm and a task: use algorithms="):
        scores.rename({"B": "C"})
    with pytest.raises(ro.DesignError, match=r"there is no algorithm or task 'AA' in these scores\. Did you mean 'A'"):
        scores.rename({"AA": "C"})


def test_of_many_names_left_out_the_few_that_are_kept_are_listed():
    names = [f"t{i}" for i in range(9)]
    runs = ro.Scores.from_dict({"A": {name: [1.0, 2.0] for name in names}})
    notes = runs.select(tasks=["t4", "t7"]).provenance.notes
    assert "2 of 9 tasks kept by request: t4, t7" in notes
    assert "5 of 9 tasks left out by request: t0, t1, t2, t3, t4" in runs.select(tasks=names[5:]).provenance.notes


def test_a_name_behind_a_mark_for_not_is_to_be_left_out(runs):
    with pytest.raises(
        ro.DesignError, match=r"there is no task '!Pong' in these scores\. exclude='Pong' leaves it out"
    ) as refusal:
        runs.select(tasks=["!Pong"])
    assert "Did you mean" not in str(refusal.value)


@pytest.mark.parametrize("given", ["dictionary", "scores", "file"])
def test_a_call_renames_before_it_chooses_and_pools_on_request(given, tmp_path):
    data = {"A": {"x": [1.0, 2.0]}, "a": {"x": [4.0]}, "B": {"x": [3.0, 5.0]}}
    scores = ro.Scores.from_dict(data)
    if given == "file":
        scores.to_frame().write_csv(tmp_path / "runs.csv")
    data = {"dictionary": data, "scores": scores, "file": tmp_path / "runs.csv"}[given]
    result = ro.aggregate(data, measure="mean", rename={"a": "ours", "B": "base"}, algorithms=["ours", "base"])
    assert [(row.algorithm, row.estimate) for row in result] == [("ours", 4.0), ("base", 4.0)]
    pooled = ro.aggregate(data, measure="mean", rename={"a": "A"}, merge=True)
    assert pooled["A"].n_scores == 3
    with pytest.raises(ro.OptionError, match=r"would both be named 'A', and their runs pooled; .*use merge=True"):
        ro.aggregate(data, rename={"a": "A"})


def test_the_name_of_a_benchmark_is_all_its_items_to_keep_or_to_leave_out():
    cells = {f"{suite}/{k}": [float(k % 2)] for suite in ("gsm8k", "mmlu") for k in range(100)}
    runs = ro.Scores.from_dict({"A": cells, "B": cells})
    own = tuple(task for task in runs.tasks if task.startswith("gsm8k/"))
    kept = runs.select(tasks="gsm8k")
    assert kept.tasks == runs.select(exclude="mmlu").tasks == runs.select(exclude=["mmlu"]).tasks == own
    assert runs.select(tasks=["mmlu/3", "gsm8k"]).tasks == ("mmlu/3", *own)
    (note,) = [note for note in kept.provenance.notes if "by request" in note]
    assert note.endswith(" and 40 more")
    with pytest.raises(ro.DesignError, match="there is no task 'gsm' in these scores"):
        runs.select(tasks="gsm")
    turned = ro.Scores.from_dict({"A": {"1/arc": [1.0], "2/arc": [0.0], "1/boolq": [1.0]}})
    assert turned.select(tasks="arc").tasks == ("1/arc", "2/arc")
