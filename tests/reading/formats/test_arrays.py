"""npz and npy: arrays by algorithm; pickled objects are never loaded."""

from __future__ import annotations

import io
import json
import pickle
import re

import numpy as np
import pytest

import runoff as ro


def npz(**arrays: object) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def npy(array: object) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


class Trap:
    """Unpickling this fails the test."""

    def __reduce__(self):
        return pytest.fail, ("a pickle was loaded",)


@pytest.mark.parametrize("beside", [{}, *({name: np.array([7, 8, 9])} for name in ("seeds", "seed", "run_ids"))])
def test_an_archive_is_a_dict_of_arrays_by_algorithm(put, beside):
    arrays = {"PPO": np.arange(6.0).reshape(3, 2), "A2C": np.arange(4).reshape(2, 2), **beside}
    scores = ro.read_scores(put("runs.npz", npz(**arrays)))
    assert scores.to_dict() == {
        "A2C": {"task 1": [0, 2], "task 2": [1, 3]},
        "PPO": {"task 1": [0, 2, 4], "task 2": [1, 3, 5]},
    }


def test_one_array_is_one_algorithm_named_by_the_file(put):
    assert ro.read_scores(put("SAC.npy", npy(np.array([3.0, 1.0])))).to_dict() == {"SAC": {"task": [3.0, 1.0]}}


@pytest.mark.parametrize("name", ["returns", "eval_return", "accuracy"])
def test_an_array_of_scores_alone_is_one_algorithm_named_by_the_file(put, name):
    content = npz(**{name: np.array([3.0, 1.0]), "loss": np.arange(9.0)})
    assert ro.read_scores(put("SAC.npz", content)).to_dict() == {"SAC": {"task": [3.0, 1.0]}}


def test_an_array_of_scores_beside_its_steps_is_the_run_that_the_file_names(put):
    for a, algorithm in enumerate(("PPO", "SAC")):
        for seed in range(3):
            arrays = {"returns": np.arange(4.0) + 10 * a + seed, "lengths": np.ones(4), "steps": np.arange(4) * 100}
            root = put(f"runs/{algorithm}_Ant_seed{seed}.npz", npz(**arrays)).parent
    curves = ro.read_curves(root)
    assert np.unique(curves.steps).tolist() == [0.0, 100.0, 200.0, 300.0]
    assert curves.final().to_dict() == {"PPO": {"Ant": [3.0, 4.0, 5.0]}, "SAC": {"Ant": [13.0, 14.0, 15.0]}}
    assert any("left out: arrays 'lengths'" in note for note in curves.provenance.notes)


def test_arrays_that_are_columns_may_have_a_cost_for_their_score(put):
    columns = {
        "algorithm": np.array(["A", "A", "B", "B"]),
        "seed": np.array([0, 1, 0, 1]),
        "loss": np.array([3.0, 4.0, 1.0, 2.0]),
    }
    with pytest.warns(ro.RunoffWarning, match="column 'loss' is named like a cost"):
        assert ro.load(put("runs.npz", npz(**columns))).to_dict() == {
            "A": {"task": [-3.0, -4.0]},
            "B": {"task": [-1.0, -2.0]},
        }


def test_a_third_axis_is_steps(put):
    curves = ro.read_curves(put("runs.npz", npz(PPO=np.arange(24.0).reshape(2, 3, 4))))
    assert curves.n_runs.tolist() == [[2, 2, 2]]
    assert curves.final().cell("PPO", "task 1").tolist() == [3.0, 15.0]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("runs.npy", npy(np.array([Trap()], dtype=object)), "[Pp]ickle.* never loaded"),
        ("runs.npz", npz(PPO=np.array([Trap()], dtype=object)), "[Pp]ickle.* never loaded"),
        ("runs.npy", pickle.dumps([1.0, 2.0]), "[Pp]ickle.* never loaded"),
        ("runs.npy", npy(np.arange(10.0))[:-8], "not a whole NumPy file"),
        ("runs.npz", npz(PPO=np.arange(100.0))[:-40], "not a whole NumPy file"),
        ("runs.npz", npz(), "no array"),
        ("runs.npz", npz(PPO=np.array(["a"])), "must hold numbers"),
        ("runs.npz", npz(PPO=np.array(1.0)), "must have a shape"),
        ("runs.npz", npz(PPO=np.ones((3, 2)), seeds=np.zeros(3)), "arrays 'PPO' and 'seeds' differ"),
        ("runs.npz", npz(PPO=np.ones((3, 2)), env=np.array("Ant")), "'env' names the task 'Ant', so the second axis"),
        ("runs.npz", npz(PPO=np.empty((0, 3))), "has no scores"),
        ("runs.npz", npz(PPO=np.ones((2, 2)), A2C=np.ones((2, 3))), "differ in tasks"),
        ("runs.npz", npz(timesteps=np.ones(2), results=np.ones((2, 5))), "Stable-Baselines3"),
        ("runs.npz", npz(PPO=np.array([[1.0, np.nan]])), "algorithm 'PPO', task 'task 2', run '0': the score is nan"),
        ("runs.npz", npy(np.ones(2)), "the name ends in .npz, the content is npy"),
        ("runs.npy", b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'shape': (10", "not a whole NumPy file"),
    ],
)
def test_bad_arrays_are_refused_in_one_sentence(put, name, content, sentence):
    with pytest.raises(ro.DataError, match=sentence) as refusal:
        ro.read_scores(put(name, content))
    assert name in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_steps_of_an_array_count_from_one(put):
    curves = ro.read_curves(put("runs.npz", npz(PPO=np.arange(24.0).reshape(2, 3, 4))))
    assert curves.to_frame()["step"].unique().to_list() == [1.0, 2.0, 3.0, 4.0]


def test_an_array_of_another_shape_is_told_which_shapes_are_read(put):
    with pytest.raises(
        ro.DataError, match=re.escape("a shape (n_runs,) or (n_runs, n_tasks) or (n_runs, n_tasks, n_steps), but")
    ):
        ro.read_scores(put("runs.npz", npz(PPO=np.zeros((2, 2, 2, 2)))))


STEPS = np.array([1000, 2000, 3000])
OF_STEPS = {"ppo_returns": np.arange(6.0).reshape(2, 3), "dqn_returns": np.arange(6.0, 12.0).reshape(2, 3)}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("kind", ["npz", "json"])
def test_arrays_beside_their_steps_are_curves_whichever_axis_are_runs(put, kind, turned):
    arrays = {name: array.T if turned else array for name, array in OF_STEPS.items()}
    content = json.dumps({name: array.tolist() for name, array in {"steps": STEPS, **arrays}.items()})
    curves = ro.load(put(f"runs.{kind}", npz(timesteps=STEPS, **arrays) if kind == "npz" else content))
    assert (curves.algorithms, curves.steps.tolist()) == (("dqn", "ppo"), [1000, 2000, 3000] * 4)
    assert curves.values.tolist() == [*range(6, 12), *range(6)]


@pytest.mark.parametrize(
    "arrays",
    [
        {"A": np.ones((3, 3)), "B": np.ones((3, 3))},
        {"A": np.ones((2, 3)), "B": np.ones((3, 2))},
        {"A": np.ones((2, 4)), "B": np.ones((2, 3))},
        {"return": np.ones((2, 3)), "reward": np.ones((2, 3))},
        {"A": np.ones((2, 2, 2, 3))},
        {"A": np.ones((2, 3)), "steps": STEPS[::-1]},
    ],
)
def test_arrays_of_which_nothing_says_the_axis_of_steps_are_refused(put, arrays):
    with pytest.raises(ro.DataError):
        ro.load(put("runs.npz", npz(**{"steps": STEPS} | arrays)))


@pytest.mark.parametrize("dims", ["run,step", "step,run"])
def test_square_arrays_beside_their_steps_are_read_by_the_axes_that_are_named(put, dims):
    path = put("runs.npz", npz(steps=STEPS, PPO=np.arange(9.0).reshape(3, 3)))
    with pytest.raises(
        ro.DataError,
        match=r"'steps' holds 3 steps, and nothing says along which axis of array .*; use dims='run,step' or",
    ):
        ro.load(path)
    ends = ro.read_scores(path, dims=dims).cell("PPO", "task").tolist()
    assert ends == ([2, 5, 8] if dims == "run,step" else [6, 7, 8])


def test_arrays_of_three_axes_beside_their_steps_are_those_of_runs_and_tasks(put):
    path = put("runs.npz", npz(steps=STEPS, PPO=np.arange(24.0).reshape(4, 2, 3)))
    curves = ro.load(path)
    assert (curves.tasks, curves.steps[:3].tolist()) == (("task 1", "task 2"), STEPS.tolist())
    assert curves.final().cell("PPO", "task 2").tolist() == [5, 11, 17, 23]


@pytest.mark.parametrize("names", ["AB", ("ppo_return", "return_ppo")])
def test_single_curves_beside_their_steps_are_a_run_each(put, names):
    arrays = dict(zip(names, np.arange(6.0).reshape(2, 3), strict=True))
    curves = ro.load(put("runs.npz", npz(steps=STEPS, **arrays)))
    assert (curves.values.tolist(), curves.n_runs.tolist()) == ([0, 1, 2, 3, 4, 5], [[1], [1]])


def crossed(outer, inner):
    return {f"{a}/{b}": [float(10 * k + j), 1.0, 2.0] for k, a in enumerate(outer) for j, b in enumerate(inner)}


@pytest.mark.parametrize("turned", [False, True])
def test_names_of_two_parts_that_are_combined_are_algorithms_and_tasks(put, turned):
    parts = (("Hopper-v4", "Ant-v4"), ("PPO", "SAC", "TD3"))
    scores = ro.load(put("flat.npz", npz(**crossed(*(parts[::-1] if turned else parts)))))
    assert (set(scores.algorithms), set(scores.tasks)) == ({"PPO", "SAC", "TD3"}, {"Hopper-v4", "Ant-v4"})
    assert scores.cell("SAC", "Ant-v4").tolist() == [11.0, 1.0, 2.0]


def test_names_of_two_parts_that_nobody_knows_are_asked_about_and_some_that_are_not_combined_are_names(put):
    with pytest.raises(
        ro.DataError, match="nothing says whether the outer names, 'foo', 'bar', are algorithms or tasks"
    ):
        ro.load(put("flat.npz", npz(**crossed(("foo", "bar"), ("u", "v")))))
    some = {"PPO/a": [1.0, 2.0], "SAC/b": [2.0, 3.0]}
    assert set(ro.load(put("some.npz", npz(**some))).algorithms) == set(some)


@pytest.mark.parametrize(
    ("name", "arrays", "why"),
    [
        ("ppo_seed0.npz", {"returns": np.ones((5, 3)), "steps": np.arange(5)}, "named as one run, may hold episodes"),
        ("ppo.npz", {"returns": np.ones(5), "lengths": np.ones(5)}, "beside 'lengths' of as many, may hold episodes"),
        ("ppo.npz", {"returns": np.ones(5), "steps": np.arange(4)}, "does not fit array 'steps'"),
        ("ppo.npz", {"returns": np.ones(4), "steps": np.arange(4).reshape(2, 2)}, "does not fit array 'steps'"),
    ],
)
def test_an_array_of_scores_alone_is_refused_where_it_may_hold_episodes_or_has_other_steps(put, name, arrays, why):
    with pytest.raises(ro.DataError, match=why):
        ro.load(put(name, npz(**arrays)))


def test_a_single_evaluation_of_a_file_that_is_named_as_one_run_is_that_of_the_run(put):
    scores = ro.load(put("ppo_seed0.npz", npz(returns=np.ones((1, 1)), steps=np.array([100]))))
    assert scores.to_dict() == {"ppo": {"task 1": [1.0]}}


LABELS = {
    "algorithm": np.array(["PPO", "SAC"]),
    "envs": np.array(["Hopper", "Ant", "Walker"]),
    "seeds": np.array([7, 8, 9, 11]),
    "timesteps": np.array([0, 10, 20, 30, 40]),
}


@pytest.mark.parametrize(
    "without", [(), ("timesteps",), ("seeds",), ("envs",), ("seeds", "envs"), ("timesteps", "envs")]
)
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)])
def test_each_axis_of_an_array_is_that_of_the_names_of_its_length(put, without, order):
    labels = {name: own for name, own in LABELS.items() if name not in without}
    axes = [name for i in order if (name := [*LABELS][i]) in labels or name == "seeds"]
    shape = [LABELS[name].size for name in axes]
    at = dict(zip(axes, np.indices(shape), strict=True))
    data = ro.load(put("sweep.npz", npz(returns=at["algorithm"] * 100.0 + at["seeds"], **labels)))
    ends = data if "timesteps" in without else data.final()
    n_tasks = 1 if "envs" in without else 3
    assert (ends.algorithms, ends.n_runs.tolist()) == (("PPO", "SAC"), [[4] * n_tasks] * 2)
    assert [ends.cell("SAC", task).tolist() for task in ends.tasks] == [[100, 101, 102, 103]] * n_tasks


@pytest.mark.parametrize(
    "other",
    [
        {"envs": np.array(["Hopper", "Ant"])},
        {"timesteps": LABELS["timesteps"][:4]},
        {"seeds": np.arange(3)},
        {"timesteps": LABELS["timesteps"][::-1]},
    ],
)
def test_axes_of_which_two_may_be_that_of_some_names_or_none_is_are_asked_about(put, other):
    labels = LABELS | other
    shape = [own.size for own in labels.values()]
    shape[2] = shape[2] + 1 if other.keys() == {"seeds"} else shape[2]
    with pytest.raises(ro.DataError, match="nothing says which axes of array 'returns'"):
        ro.load(put("sweep.npz", npz(returns=np.ones(shape), **labels)))


@pytest.mark.parametrize(
    ("other", "task"), [({"seeds": np.array([7, 7, 8, 8])}, "task"), ({"task": np.array("Hopper")}, "Hopper")]
)
def test_numbers_that_stand_twice_are_of_no_axis_and_a_single_name_is_that_of_the_task(put, other, task):
    content = npz(returns=np.arange(8.0).reshape(2, 4), algorithm=LABELS["algorithm"], **other)
    assert ro.load(put("runs.npz", content)).to_dict() == {"PPO": {task: [0, 1, 2, 3]}, "SAC": {task: [4, 5, 6, 7]}}


def test_names_of_tasks_beside_arrays_of_three_axes_are_asked_about(put):
    with pytest.raises(ro.DataError, match="along which axis of the arrays the 3 names of tasks stand"):
        ro.load(put("runs.npz", npz(PPO=np.ones((2, 3, 4)), tasks=LABELS["envs"])))


def test_arrays_without_names_are_asked_about_and_one_alone_is_named_by_the_file(put):
    array = np.arange(4.0).reshape(2, 2)
    for content in ({"arr_0": array, "arr_1": array + 1}, {"arr_0": array, "PPO": array}):
        path = put("out.npz", npz(**content))
        with pytest.raises(ro.DataError, match="'arr_0' is what NumPy calls an array without a name"):
            ro.load(path)
        assert set(ro.load(path, keys="algorithm").algorithms) == set(content)
        assert ro.load(path, keys="arr_0").cell("out", "task 1").tolist() == [0, 2]
    assert ro.load(put("SAC.npz", npz(arr_0=array))).algorithms == ("SAC",)
    assert ro.load(put("arr_10.npz", npz(arr_x=array, PPO=array))).algorithms == ("PPO", "arr_x")
