"""Laws of what the names of arrays, of keys and of files say of the scores: costs, times, names of runs and single values."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro

RUNS = {"ppo": [1.0, 2.5, 4.0], "sac": [2.0, 5.5, 3.0]}
"""Scores of two algorithms."""


def in_npz(folder, arrays):
    np.savez(folder.with_suffix(".npz"), **arrays)


def in_hdf5(folder, arrays):
    h5py = pytest.importorskip("h5py")
    with h5py.File(folder.with_suffix(".h5"), "w") as file:
        for name, array in arrays.items():
            file[name] = array


def in_mat(folder, arrays):
    from scipy.io import savemat

    savemat(folder.with_suffix(".mat"), arrays)


WRITERS = [in_npz, in_hdf5, in_mat]


def negated():
    return {name: {"task": [-score for score in scores]} for name, scores in RUNS.items()}


def lists_of(scores):
    return {a: {t: sorted(own) for t, own in tasks.items()} for a, tasks in scores.to_dict().items()}


def expected(scores):
    return {a: {t: sorted(own) for t, own in tasks.items()} for a, tasks in scores.items()}


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("name", ["loss", "regret", "errors", "cost"])
def test_an_array_called_like_a_cost_in_the_file_of_an_algorithm_is_negated_with_a_warning(tmp_path, write, name):
    for algorithm, scores in RUNS.items():
        write(tmp_path / algorithm, {name: np.array(scores)})
    with pytest.warns(ro.RunoffWarning, match=f"the name '{name}' names a cost, of which less is better"):
        assert lists_of(ro.load(tmp_path)) == expected(negated())


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("name", ["{}_loss", "{} regret", "error_{}"])
def test_a_cost_of_each_algorithm_is_negated_under_the_names_of_the_algorithms(tmp_path, write, name):
    write(tmp_path / "results", {name.format(a): np.array(scores) for a, scores in RUNS.items()})
    with pytest.warns(ro.RunoffWarning, match="names a cost, of which less is better"):
        assert lists_of(ro.load(tmp_path)) == expected(negated())


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("name", ["cost", "regret", "test_loss"])
def test_a_file_called_like_a_cost_holds_costs(tmp_path, write, name):
    write(tmp_path / name, {a: np.array(scores) for a, scores in RUNS.items()})
    with pytest.warns(ro.RunoffWarning, match=f"the name of the file '{name}' names a cost"):
        assert lists_of(ro.load(tmp_path)) == expected(negated())


def test_costs_that_lie_below_0_were_negated_before(tmp_path):
    in_npz(tmp_path / "cost", {a: -np.array(scores) for a, scores in RUNS.items()})
    with pytest.warns(ro.RunoffWarning, match="says that less is better"):
        assert lists_of(ro.load(tmp_path)) == expected(negated())


@pytest.mark.parametrize("nested", [{a: {"regret": s} for a, s in RUNS.items()}, {"regret": RUNS}])
def test_a_key_that_names_a_cost_is_no_task(tmp_path, nested):
    (tmp_path / "r.json").write_text(json.dumps(nested))
    with pytest.warns(ro.RunoffWarning, match="the name 'regret' names a cost"):
        assert lists_of(ro.load(tmp_path)) == expected(negated())


@pytest.mark.parametrize("name", ["losses", "lengths", "episode_lengths", "times", "wall_time"])
def test_arrays_of_losses_of_training_lengths_and_times_are_no_algorithms(tmp_path, name):
    np.save(tmp_path / f"{name}.npy", np.array([3.0, 1.0, 2.0]))
    with pytest.raises(ro.DataError, match=f"the name of the file says '{name}', which is no score"):
        ro.load(tmp_path / f"{name}.npy")
    for algorithm, scores in RUNS.items():
        np.save(tmp_path / f"{algorithm}.npy", np.array(scores))
    with pytest.warns(ro.RunoffWarning, match="1 file.s. have no readable runs and are left out"):
        assert ro.load(tmp_path).algorithms == ("ppo", "sac")


@pytest.mark.parametrize("heads", ["{}_time", "{}_lengths"])
def test_heads_that_measure_times_of_each_algorithm_are_asked_about(tmp_path, heads):
    names = [heads.format(a) for a in RUNS]
    rows = [",".join(names), *(",".join(map(str, row)) for row in zip(*RUNS.values(), strict=True))]
    (tmp_path / "r.csv").write_text("\n".join(rows))
    in_npz(tmp_path / "r", {name: np.array(own) for name, own in zip(names, RUNS.values(), strict=True)})
    for file in (tmp_path / "r.csv", tmp_path / "r.npz"):
        with pytest.raises(
            ro.DataError, match="of each name, which is no score; leave them out, or use keys='algorithm'"
        ):
            ro.load(file)
        chosen = ro.load(file, keys="algorithm", lower_is_better=True)
        assert chosen.cell(names[0], "task").tolist() == [-1.0, -2.5, -4.0]


def test_wide_heads_that_name_a_cost_of_each_algorithm_are_negated(tmp_path):
    (tmp_path / "r.csv").write_text("ppo_loss,sac_loss\n1,2\n2.5,5.5\n4,3\n")
    with pytest.warns(ro.RunoffWarning, match="heads name 'loss', a cost, of which less is better"):
        assert lists_of(ro.load(tmp_path / "r.csv")) == expected(negated())


@pytest.mark.parametrize("seeds", [np.array([10, 20, 30]), np.array(["s1", "s2", "x3"])])
@pytest.mark.parametrize("name", ["seeds", "run_names", "seed"])
def test_an_array_of_the_names_of_runs_names_them_and_is_no_algorithm(tmp_path, seeds, name):
    in_npz(tmp_path / "r", {**{a: np.array(scores) for a, scores in RUNS.items()}, name: seeds})
    scores = ro.load(tmp_path)
    assert expected(scores.to_dict()) == expected({a: {"task": own} for a, own in RUNS.items()})
    assert {*scores.run_labels} == {*map(str, seeds)}


def test_an_array_of_names_of_runs_of_another_length_is_refused(tmp_path):
    in_npz(tmp_path / "r", {**{a: np.array(scores) for a, scores in RUNS.items()}, "seeds": np.arange(4)})
    with pytest.raises(ro.DataError, match="'seeds'"):
        ro.load(tmp_path)


@pytest.mark.parametrize("beside", [{"weights": np.ones((7, 3))}, {"obs_mean": np.ones(17), "lr": np.array(0.1)}])
@pytest.mark.parametrize("curves", [False, True])
def test_scores_beside_unrelated_arrays_are_read_and_the_others_named_in_a_note(tmp_path, beside, curves):
    steps = {"steps": np.array([10, 20, 30])} if curves else {}
    for algorithm, scores in RUNS.items():
        in_npz(tmp_path / algorithm, {"returns": np.array(scores), **steps, **beside})
    loaded = ro.load(tmp_path)
    assert curves == isinstance(loaded, ro.Curves)
    assert all(any(f"'{name}'" in note for note in loaded.provenance.notes) for name in beside)


def test_an_array_of_the_shape_of_the_scores_may_be_an_algorithm_and_is_asked_about(tmp_path):
    in_npz(tmp_path / "r", {"returns": np.array(RUNS["ppo"]), "other": np.array(RUNS["sac"])})
    with pytest.raises(ro.DataError, match="'returns'"):
        ro.load(tmp_path)


def test_single_values_beside_scores_name_what_they_are_of(tmp_path):
    for at, (algorithm, scores) in enumerate(RUNS.items()):
        own = {
            "returns": np.array(scores),
            "env": np.array("Hopper-v4"),
            "algo": np.array(algorithm),
            "lr": np.array(1),
        }
        in_npz(tmp_path / f"part {'ab'[at]}", own)
    scores = ro.load(tmp_path)
    assert lists_of(scores) == expected({a: {"Hopper-v4": own} for a, own in RUNS.items()})
    assert "left out: single values 'lr'" in scores.provenance.notes


def test_single_values_alone_are_the_record_of_a_run(tmp_path):
    for algorithm, scores in RUNS.items():
        for run, score in enumerate(scores):
            in_npz(tmp_path / f"{algorithm} {run} of 3", {"algo": algorithm, "seed": run, "final_return": score})
    assert lists_of(ro.load(tmp_path)) == expected({a: {"task": own} for a, own in RUNS.items()})


@pytest.mark.parametrize("place", ["{metric}/{algorithm}", "{algorithm}/{metric}"])
@pytest.mark.parametrize("other", ["loss", "lengths", "entropy"])
def test_of_files_named_by_what_they_measure_those_of_the_score_are_read(tmp_path, place, other):
    for algorithm, scores in RUNS.items():
        for metric in ("returns", other):
            path = tmp_path / f"{place.format(metric=metric, algorithm=algorithm)}.npy"
            path.parent.mkdir(exist_ok=True)
            np.save(path, np.array(scores) * (1 if metric == "returns" else 7))
    with pytest.warns(ro.RunoffWarning, match="left out"):
        assert lists_of(ro.load(tmp_path)) == expected({a: {"task": own} for a, own in RUNS.items()})


@pytest.mark.parametrize("names", ["xy", "xyt", "tyx"])
def test_coordinates_of_a_curve_are_no_algorithms_and_no_tasks(tmp_path, names):
    arrays = {name: np.array([3.0, 1.0, 2.0]) if name == "y" else np.arange(3.0) for name in names}
    in_npz(tmp_path / "mine", arrays)
    (tmp_path / "r.json").write_text(json.dumps({a: {n: own.tolist() for n, own in arrays.items()} for a in RUNS}))
    for file in ("mine.npz", "r.json"):
        with pytest.raises(ro.DataError, match="are named like coordinates, and one of them only rises"):
            ro.load(tmp_path / file)


def test_tasks_that_are_called_x_and_y_are_read(tmp_path):
    (tmp_path / "r.json").write_text(json.dumps({a: {"x": [3.0, 1.0, 2.0], "y": [4.0, 6.5, 5.0]} for a in RUNS}))
    assert ro.load(tmp_path / "r.json").tasks == ("x", "y")


def test_names_that_nobody_knows_in_the_file_of_an_algorithm_are_asked_about(tmp_path):
    in_npz(tmp_path / "ppo", {"fast": np.array(RUNS["ppo"]), "slow": np.array(RUNS["sac"])})
    with pytest.raises(ro.DataError, match="use keys='task' or keys='algorithm'"):
        ro.load(tmp_path / "ppo.npz")
    assert ro.load(tmp_path / "ppo.npz", keys="task").tasks == ("fast", "slow")


def test_algorithms_in_files_of_tasks_are_no_tasks(tmp_path):
    for at, task in enumerate(("imdb", "yelp")):
        (tmp_path / f"{task}.json").write_text(json.dumps({"bert": [0.5, 0.25 + at], "gpt": [0.75, 0.5]}))
    scores = ro.load(tmp_path)
    assert (scores.algorithms, scores.tasks) == (("bert", "gpt"), ("imdb", "yelp"))


def test_groups_of_hdf5_that_hold_nothing_are_left_out_with_a_warning(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "r.h5", "w") as file:
        file["ppo"], file["sac"] = RUNS["ppo"], RUNS["sac"]
        file.create_group("td3")
    with pytest.warns(ro.RunoffWarning, match="left out: groups 'td3', which hold nothing"):
        assert ro.load(tmp_path / "r.h5").algorithms == ("ppo", "sac")


def test_what_a_file_of_hdf5_says_of_itself_names_its_scores(tmp_path):
    h5py = pytest.importorskip("h5py")
    for at, (algorithm, scores) in enumerate(RUNS.items()):
        with h5py.File(tmp_path / f"part {'ab'[at]}.h5", "w") as file:
            file["returns"], file.attrs["algo"], file.attrs["comment"] = scores, algorithm, "x"
    assert lists_of(ro.load(tmp_path)) == expected({a: {"task": own} for a, own in RUNS.items()})


def test_returns_of_training_beside_those_of_tests_are_left_out_with_a_note(tmp_path):
    for algorithm, scores in RUNS.items():
        in_npz(tmp_path / algorithm, {"train_returns": np.array(scores) * 3, "test_returns": np.array(scores)})
    scores = ro.load(tmp_path)
    assert lists_of(scores) == expected({a: {"task": own} for a, own in RUNS.items()})
    assert any("'train_returns'" in note for note in scores.provenance.notes)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("name", ["accuracy.json", "returns.yaml"])
def test_names_in_a_file_that_is_called_by_a_measure_are_algorithms(tmp_path, name, nested):
    own = {"cnn": [0.5, 0.25], "mlp": [0.75, 0.5]}
    (tmp_path / name).write_text(json.dumps({"results": own} if nested else own))
    assert ro.load(tmp_path / name).to_dict() == {a: {"task": scores} for a, scores in own.items()}


def test_runs_of_yaml_may_be_called_by_numbers(tmp_path):
    (tmp_path / "r.yaml").write_text("ppo:\n  0: 1.0\n  1: 2.5\nsac:\n  0: 2.0\n  1: 5.5\n")
    assert ro.load(tmp_path / "r.yaml").to_dict() == {"ppo": {"task": [1.0, 2.5]}, "sac": {"task": [2.0, 5.5]}}


def test_keys_that_name_an_algorithm_and_its_run_are_read(tmp_path):
    (tmp_path / "r.json").write_text(
        json.dumps({f"{a}_seed{s}": v for a, own in RUNS.items() for s, v in enumerate(own)})
    )
    assert lists_of(ro.load(tmp_path / "r.json")) == expected({a: {"task": own} for a, own in RUNS.items()})
