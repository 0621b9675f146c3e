"""A folder with a single run: what names its algorithm, the parts in which its log was written, and the history of its epochs."""

from __future__ import annotations

import json

import pytest

import runoff as ro

pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


def log(first: int, last: int, more: float = 0.0) -> str:
    return "\n".join(["step,return", *(f"{k},{k + more}" for k in range(first, last)), ""])


@pytest.mark.parametrize("name", ["progress.csv", "log.csv", "data.csv", "results.csv", "progress.1.csv"])
@pytest.mark.parametrize(
    ("folder", "names"),
    [
        *(("sac/hopper/seed_0", ("sac", "hopper")), ("sac/seed_0", ("sac", "task")), ("sac", ("sac", "task"))),
        *(
            ("mine/seed_0", ("mine", "task")),
            ("mine/Hopper-v4", ("mine", "Hopper-v4")),
            ("sac/seed_0/logs", ("sac", "task")),
        ),
    ],
)
def test_the_folder_of_a_known_algorithm_or_above_that_of_a_run_names_the_only_run(put, folder, names, name):
    path = put(f"{folder}/{name}", log(1, 6))
    for place in (path.parent, path):
        scores = ro.load(place)
        assert (*scores.algorithms, *scores.tasks) == names


def test_the_only_file_below_other_folders_has_its_own_name(put):
    assert ro.load(put("mine/more/progress.csv", log(1, 6))).algorithms == ("progress",)
    assert ro.load(put("sac/seed_0/ours.csv", log(1, 6))).algorithms == ("ours",)


@pytest.mark.parametrize(
    "names", [("progress.csv", "progress.1.csv"), ("progress.1.csv", "progress.2.csv"), ("log.csv", "log_part2.csv")]
)
@pytest.mark.parametrize("turned", [False, True])
def test_parts_of_a_log_whose_steps_lie_behind_one_another_are_one_run(put, names, turned):
    own = [log(1, 5), log(5, 9)]
    for name, text in zip(names, reversed(own) if turned else own, strict=True):
        folder = put(f"sac/seed_0/{name}", text).parent.parent
    curves = ro.load(folder)
    assert curves.algorithms == ("sac",)
    assert [*curves.to_frame()["score"]] == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("first", [1, 4])
@pytest.mark.parametrize("algorithms", [["sac"], ["ppo", "sac"]])
def test_parts_that_begin_again_or_overlap_are_refused(put, first, algorithms):
    for algorithm in algorithms:
        put(f"all/{algorithm}/seed_0/progress.1.csv", log(1, 6))
        path = put(f"all/{algorithm}/seed_0/progress.csv", log(first, 9, more=0.5))
    with pytest.raises(ro.DataError, match="share steps, or have other columns"):
        ro.load(path.parents[2])


@pytest.mark.parametrize(
    "measures",
    [["loss", "val_accuracy"], ["accuracy", "val_accuracy"], ["accuracy", "loss", "val_accuracy", "val_loss"]],
)
def test_the_lists_of_a_history_without_epochs_are_one_run(put, measures):
    lists = {name: [k / 10 for k in range(1, 7)] for name in measures}
    curves = ro.load(put("cnn/seed_0/history.json", json.dumps(lists)))
    assert [*curves.to_frame()["step"]] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("measures", ["loss,val_accuracy", "accuracy,val_accuracy"])
def test_the_rows_of_a_history_without_epochs_are_no_runs(put, measures):
    path = put("cnn/seed_0/history.csv", "\n".join([measures, *(f"{k / 10},{k / 20}" for k in range(6)), ""]))
    with pytest.raises(ro.DataError, match="the rows may be epochs of one training"):
        ro.load(path)
    assert ro.load(path, columns={"run": "row"}).n_runs.sum() == 6


def test_parts_of_a_log_with_other_columns_are_refused(put):
    put(
        "sac/seed_0/progress.1.csv",
        log(1, 5).replace("step,return", "step,return,loss").replace("\n", ",0\n").replace("loss,0", "loss"),
    )
    with pytest.raises(ro.DataError, match="and share steps, or have other columns"):
        ro.load(put("sac/seed_0/progress.csv", log(5, 9)).parent)


@pytest.mark.parametrize(
    ("scores", "stepped"), [([15, 27, 31, 40], True), ([10, 20, 30, 40], False), ([1.5, 2, 3, 4], True)]
)
def test_whole_numbers_behind_four_even_steps_are_a_curve_unless_they_are_as_even(put, scores, stepped):
    path = put("ppo/42.txt", "".join(f"{1000 * k} {own}\n" for k, own in enumerate(scores, start=1)))
    assert ({*ro.load(path).to_frame()["step"]} == {1000, 2000, 3000, 4000}) == stepped


@pytest.mark.parametrize("name", ["train.log", "progress.csv"])
def test_older_parts_of_a_log_that_was_rotated_are_of_its_run(put, name):
    def text(first: int, last: int) -> str:
        lines = (f"step={k} return={k}\n" for k in range(first, last))
        return log(first, last) if name.endswith("csv") else "".join(lines)

    for run in (0, 1):
        put(f"all/ppo/seed_{run}/{name}.1", text(1, 5))
        folder = put(f"all/ppo/seed_{run}/{name}", text(5, 9)).parents[2]
    assert [*ro.load(folder).to_frame()["score"]] == [1, 2, 3, 4, 5, 6, 7, 8] * 2
