"""Names inside files that hold an algorithm and a task, or a variant, of which several share each: they are asked about."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest

import runoff as ro
from runoff.reading._crossed import joins_two

CELLS = {f"{a}_{x}": [i + 0.5, i + 1.5] for i, (a, x) in enumerate((a, x) for a in ("ppo", "sac") for x in "uv")}


def npz(arrays):
    stream = io.BytesIO()
    np.savez(stream, **{name: np.array(own) for name, own in arrays.items()})
    return stream.getvalue()


def wide(arrays):
    rows = [f"{s}," + ",".join(str(own[s]) for own in arrays.values()) for s in (0, 1)]
    return "\n".join([f"seed,{','.join(arrays)}", *rows])


@pytest.mark.parametrize(("name", "write"), [("r.npz", npz), ("r.json", json.dumps), ("r.csv", wide)])
@pytest.mark.parametrize("ends", ["uv", ("level1", "level2"), ("reach", "reach_2"), ("2048", "tetris")])
def test_names_of_two_in_a_file_are_asked_about_and_each_answer_is_read(put, name, write, ends):
    cells = {f"{own.split('_')[0]}_{ends[i % 2]}": CELLS[own] for i, own in enumerate(CELLS)}
    path = put(name, write(cells))
    with pytest.raises(ro.DataError, match="keys=") as refusal:
        ro.read_scores(path)
    ways = re.findall(r"keys='(.*?)'", str(refusal.value))
    assert {"algorithm/task", "algorithm"} <= {*ways}
    assert ro.read_scores(path, keys="algorithm").to_dict() == {own: {"task": cells[own]} for own in cells}
    pairs = ro.read_scores(path, keys="algorithm/task").to_dict()
    assert pairs == {a: {x: cells[f"{a}_{x}"] for x in ends} for a in ("ppo", "sac")}


@pytest.mark.parametrize("text", ["{a}_{x}_{s}", "{a}_{x}_seed{s}", "{a}/{x}/seed{s}"])
@pytest.mark.parametrize("names", [("level1", "level2"), ("reach", "reach_2")])
def test_names_of_two_in_a_column_of_runs_are_refused_in_words(put, text, names):
    rows = [f"{text.format(a=a, x=x, s=s)},{s}.5" for a in ("ppo", "sac") for x in names for s in (0, 1)]
    with pytest.raises(ro.DataError, match="name more than runs"):
        ro.read_scores(put("r.csv", "\n".join(["run,score", *rows])))


def test_names_of_three_that_a_mark_parts_which_stands_in_none_are_read(put):
    rows = [f"{a}@{x}@{s},{s}.5" for a in ("ppo", "sac") for x in ("reach", "reach_2") for s in (0, 1)]
    scores = ro.read_scores(put("r.csv", "\n".join(["run,score", *rows])))
    assert (scores.algorithms, scores.tasks, scores.n_runs.tolist()) == (
        ("ppo", "sac"),
        ("reach", "reach_2"),
        [[2, 2]] * 2,
    )


def test_runs_of_several_algorithms_are_never_those_of_one(put):
    rows = [f"{a}_v{s},{s}.5" for a in ("ppo", "sac") for s in (0, 1, 2)]
    with pytest.raises(ro.DataError, match="name more than runs"):
        ro.read_scores(put("r.csv", "\n".join(["run,score", *rows])))


def test_a_column_of_names_of_two_may_hold_algorithms(put):
    rows = [f"{own},{s},{score}" for own, scores in CELLS.items() for s, score in enumerate(scores)]
    path = put("r.csv", "\n".join(["name,seed,score", *rows]))
    with pytest.raises(ro.DataError, match=r"columns=.*'algorithm': 'name'"):
        ro.read_scores(path)
    assert ro.read_scores(path, columns={"algorithm": "name"}).algorithms == tuple(CELLS)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["ppo_u", "ppo_v", "sac_u"], False),
        (["ppo_1x", "ppo_y", "sac_1x"], True),
        (["Qwen-7b", "Qwen-14b", "Llama-7b", "Llama-14b"], False),
        (["ppo_v1", "ppo_v2", "sac_v1", "sac_v2"], False),
        (["base-chat", "base-code", "large-chat", "large-code"], True),
        (["ppo", "sac_u"], False),
    ],
)
def test_sizes_and_versions_are_no_second_names(names, expected):
    assert joins_two(names) == expected


@pytest.mark.parametrize(
    ("names", "what"),
    [
        ("{a}_train {a}_eval", "kinds of scores of the same runs"),
        ("{a}_final {a}_best", "kinds of scores of the same runs"),
        ("{a}/u/0 {a}/u/1 {a}/v/0 {a}/v/1", "are of single runs"),
        ("{a}_seed0 {a}_seed1", "save their steps beside them"),
    ],
)
def test_names_of_runs_and_of_their_scores_are_offered_as_no_tasks(put, names, what):
    cells = {name: [1.5, 2.5] for a in ("ppo", "sac") for name in names.format(a=a).split()}
    with pytest.raises(ro.DataError, match=what) as refusal:
        ro.read_scores(put("r.npz", npz(cells)))
    assert "keys=" not in str(refusal.value)


def test_runs_of_an_algorithm_of_two_words_are_those_of_one(put):
    rows = [f"{a}_seed{s},{s}.5" for a in ("td3_bc", "cql", "iql") for s in (0, 1)]
    assert ro.read_scores(put("r.csv", "\n".join(["run,score", *rows]))).n_runs.tolist() == [[2], [2], [2]]


@pytest.mark.parametrize("form", ["{a}__{t}", "{a} {t}"])
def test_keys_within_which_other_marks_stand_than_between_their_names_are_asked_about(put, form):
    cells = {
        form.format(a=a, t=t): [1.0, 2.0, 3.0] for a in ("ppo_adv", "trac_mpc") for t in ("gravel_pit", "ice_road")
    }
    path = put("r.json", json.dumps(cells))
    with pytest.raises(ro.DataError, match="hold the same names beside each of several"):
        ro.read_scores(path)
    keys = "task/algorithm" if form.startswith("{t}") else "algorithm/task"
    scores = ro.read_scores(path, keys=keys)
    assert (scores.algorithms, scores.tasks) == (("ppo_adv", "trac_mpc"), ("gravel_pit", "ice_road"))


def test_heads_of_a_chart_whose_algorithms_begin_alike_are_asked_about_by_their_other_mark(put):
    names = [f"ppo-{a}_{t}_seed{s}" for a in ("gnn", "mlp") for t in ("merge", "roundabout") for s in (1, 2)]
    heads = ["Step", *(f"{name} - eval/mean_reward" for name in names)]
    rows = [",".join(map(str, [k * 1000, *(n + k / 10 for n in range(8))])) for k in (1, 2)]
    with pytest.raises(ro.DataError, match=r"{algorithm}_{task}_seed{run}"):
        ro.read_scores(put("w.csv", "\n".join([",".join(heads), *rows])))


def test_runs_whose_names_have_another_mark_within_algorithms_are_asked_about(put):
    cells = [(a, t, s) for a in ("ppo-rnn", "muzero-chem") for t in ("benzylic", "kinetics") for s in (0, 1, 2)]
    path = put("r.csv", "\n".join(["run,score", *(f"{a}_{t}_s{s},{s}.5" for a, t, s in cells)]))
    with pytest.raises(ro.DataError, match="name more than runs") as refusal:
        ro.read_scores(path)
    assert re.findall(r"keys='(.*?)'", str(refusal.value)) == ["algorithm/task/run"]
    assert "whichever" not in str(refusal.value)
    scores = ro.read_scores(path, keys="algorithm/task/run")
    assert scores.n_runs.tolist() == [[3, 3], [3, 3]]
    assert (scores.algorithms, scores.tasks) == (("muzero-chem", "ppo-rnn"), ("benzylic", "kinetics"))
