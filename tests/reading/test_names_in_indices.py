"""Names in the index of what pandas writes, in keys above records and below heads of two lines, are those of what is compared."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import runoff as ro

RUNS = {"ppo_0": 1.5, "ppo_1": 2.5, "ours_0": 3.5, "ours_1": 4.5}
FRAME = pd.DataFrame({"env": "door", "score": RUNS.values()}, index=[*RUNS])


@pytest.mark.parametrize("orient", ["index", "columns", "split"])
@pytest.mark.parametrize("seeded", [False, True])
def test_runs_in_the_index_of_a_frame_name_algorithms(put, orient, seeded):
    frame = FRAME.assign(seed=[0, 1, 0, 1]) if seeded else FRAME
    scores = ro.read_scores(put("r.json", frame.to_json(orient=orient)), keys="algorithm/run")
    assert scores.to_dict() == {"ours": {"door": [3.5, 4.5]}, "ppo": {"door": [1.5, 2.5]}}


@pytest.mark.parametrize("orient", ["index", "columns", "split"])
def test_algorithms_in_the_index_of_a_frame_are_not_pooled(put, orient):
    frame = pd.DataFrame({"seed": [1, 2], "score": [1.5, 2.5]}, index=["foo", "bar"])
    scores = ro.read_scores(put("r.json", frame.to_json(orient=orient)))
    assert scores.to_dict() == {"bar": {"task": [2.5]}, "foo": {"task": [1.5]}}


def test_known_tasks_above_records_are_tasks(put):
    rows = {task: {"return": value, "seed": 0} for task, value in (("Hopper-v4", 1.5), ("Ant-v4", 2.5))}
    assert ro.read_scores(put("ppo.json", json.dumps(rows))).to_dict() == {"ppo": {"Ant-v4": [2.5], "Hopper-v4": [1.5]}}


@pytest.mark.parametrize("keys", [("run_0", "run_1"), ("0", "1"), ("a", "b")])
def test_keys_above_records_of_one_algorithm_are_runs(put, keys):
    rows = {key: {"env": "door", "score": i + 0.5} for i, key in enumerate(keys)}
    assert ro.read_scores(put("ppo.json", json.dumps(rows))).to_dict() == {"ppo": {"door": [0.5, 1.5]}}


def test_levels_of_an_index_are_columns(put):
    index = pd.MultiIndex.from_product([["ppo", "sac"], ["door", "lift"]])
    frame = pd.DataFrame({"seed": [0, 0, 0, 0], "score": [1.5, 2.5, 3.5, 4.5]}, index=index)
    scores = ro.read_scores(put("r.json", frame.to_json(orient="split")))
    assert scores.to_dict() == {"ppo": {"door": [1.5], "lift": [2.5]}, "sac": {"door": [3.5], "lift": [4.5]}}


@pytest.mark.parametrize("rest", ["seed,score\n{a},0,1.5\n{a},1,2\n{b},0,2.5\n{b},1,3\n"])
def test_a_column_without_a_head_names_algorithms_that_are_known_and_is_offered_otherwise(put, rest):
    scores = ro.read_scores(put("r.csv", "," + rest.format(a="ppo", b="sac")))
    assert scores.to_dict() == {"ppo": {"task": [1.5, 2.0]}, "sac": {"task": [2.5, 3.0]}}
    path = put("o.csv", "," + rest.format(a="foo", b="bar"))
    with pytest.raises(ro.DataError, match="'algorithm': 'Unnamed: 0'"):
        ro.read_scores(path)
    assert ro.read_scores(path, columns={"algorithm": "Unnamed: 0"}).algorithms == ("bar", "foo")


@pytest.mark.parametrize("above", [{}, {"mean": 2.0, "std": 0.5}])
@pytest.mark.parametrize("tasks", [(), ("slosh", "wobble")])
def test_lists_of_seeds_beside_scores_name_the_runs(put, above, tasks):
    leaf = {"seeds": [3, 5], "scores": [1.5, 2.5], **above}
    by_name = {name: dict.fromkeys(tasks, leaf) if tasks else leaf for name in ("MBPO-x", "PETS-x")}
    scores = ro.read_scores(put("r.json", json.dumps({"meta": {"date": "2026"}, "results": by_name})))
    assert scores.to_dict() == {name: {task: [1.5, 2.5] for task in tasks or ["task"]} for name in by_name}


def test_lists_of_seeds_and_scores_of_two_lengths_are_refused(put):
    content = {name: {"seeds": [0, 1], "scores": [1.5, 2.5, 3.5]} for name in ("a", "b")}
    with pytest.raises(ro.DataError):
        ro.read_scores(put("r.json", json.dumps(content)))


def test_heads_of_two_lines_above_numbered_runs_are_those_of_both_levels(put):
    heads = "district,d 4,d 4,d 9,d 9\nmethod,Greedy,RL,Greedy,RL\n"
    scores = ro.read_scores(put("r.csv", heads + "run 1,1,2,3,4\nrun 2,5,6,7,8\n"))
    assert scores.to_dict() == {
        "Greedy": {"d 4": [1.0, 5.0], "d 9": [3.0, 7.0]},
        "RL": {"d 4": [2.0, 6.0], "d 9": [4.0, 8.0]},
    }


def test_a_printed_frame_with_levels_of_rows_is_read(put):
    index = pd.MultiIndex.from_product([["gru-sac", "mlp-sac"], [0, 1]], names=["algo", "seed"])
    frame = pd.DataFrame({"ret": [1.5, 2.5, 3.5, 4.5], "len": [7, 8, 9, 7]}, index=index)
    scores = ro.read_scores(put("r.txt", frame.to_string()))
    assert scores.to_dict() == {"gru-sac": {"task": [1.5, 2.5]}, "mlp-sac": {"task": [3.5, 4.5]}}


def test_counts_of_rollouts_beside_the_scores_of_runs_are_no_scores(put):
    rows = "".join(f"  {name}:\n    success: [0.5, 0.25]\n    n_rollouts: 50\n" for name in ("BC", "IBC"))
    text = f"stack_blocks:\n{rows}pour_water:\n{rows}"
    scores = ro.read_scores(put("r.yaml", text), keys="task/algorithm")
    assert scores.to_dict() == {
        name: {"pour_water": [0.5, 0.25], "stack_blocks": [0.5, 0.25]} for name in ("BC", "IBC")
    }


@pytest.mark.parametrize(
    "order", [("algorithm", "level", "seed"), ("level", "algorithm", "seed"), ("seed", "level", "algorithm")]
)
def test_names_of_axes_beside_an_array_say_which_stand_along_them(tmp_path, order):
    labels = {"algorithms": ["A3C", "R2D2", "V"], "levels": ["maze", "psych", "tag"]}
    place = {"algorithm": 100, "level": 10, "seed": 1}
    grid = sum(
        np.arange(3).reshape([-1 if i == axis else 1 for i in range(3)]) * place[name]
        for axis, name in enumerate(order)
    )
    np.savez(tmp_path / "r.npz", scores=grid.astype(float), dims=np.array(order), **labels)
    scores = ro.read_scores(tmp_path / "r.npz")
    assert scores.cell("R2D2", "tag").tolist() == [120.0, 121.0, 122.0]
    np.savez(tmp_path / "o.npz", scores=grid.astype(float), **labels)
    with pytest.raises(ro.DataError, match="nothing says which axes"):
        ro.read_scores(tmp_path / "o.npz")


@pytest.mark.parametrize("head", ["independent runs", "runs", "2 independent runs"])
def test_heads_for_all_runs_name_none(put, head):
    cells = [(b, d, i) for i, (b, d) in enumerate((b, d) for b in "TH" for d in ("car", "DQN"))]
    rows = "".join(f"<tr><td>{b}</td><td>{d}</td><td>{i}.5</td><td>{i}.25</td></tr>" for b, d, i in cells)
    page = f'<table><tr><th>Building</th><th>Dispatcher</th><th colspan="2">{head}</th></tr>{rows}</table>'
    scores = ro.read_scores(put("r.html", page)).to_dict()
    assert scores == {"DQN": {"H": [3.5, 3.25], "T": [1.5, 1.25]}, "car": {"H": [2.5, 2.25], "T": [0.5, 0.25]}}


def test_records_of_python_in_a_log_are_no_pivot(put):
    lines = [
        str({"algo": a, "env": "catch", "seed": s, "final_return": s + len(a) / 4})
        for a in ("dqn", "tiles")
        for s in (0, 1)
    ]
    assert ro.load(put("r.log", "\n".join(lines))).to_dict() == {
        "dqn": {"catch": [0.75, 1.75]},
        "tiles": {"catch": [1.25, 2.25]},
    }


WIDE = pd.DataFrame(
    {"algorithm": list("aaaabbbb"), "seed": [0, 1, 2, 3] * 2, "Ant": range(8), "Hop": [3.5, 4, 2, 6, 7, 8, 2, 1]}
)
OF_WIDE = {
    "a": {"Ant": [0, 1, 2, 3], "Hop": [3.5, 4, 2, 6]},
    "b": {"Ant": [4, 5, 6, 7], "Hop": [7, 8, 2, 1]},
}


@pytest.mark.parametrize("rows", [[3, 1, 0, 2, 7, 5, 4, 6], [0, 1, 3, 4, 5, 7], [7, 6, 5, 4, 3, 2, 1, 0]])
@pytest.mark.parametrize("suffix", ["csv", "excel", "parquet"])
def test_the_index_of_rows_that_were_sorted_or_chosen_is_no_task(tmp_path, suffix, rows):
    file, frame = tmp_path / f"wide.{'xlsx' if suffix == 'excel' else suffix}", WIDE.iloc[rows]
    getattr(frame, f"to_{suffix}")(file)
    own = {
        a: {t: [x for i, x in enumerate(xs) if i + 4 * (a == "b") in rows] for t, xs in of.items()}
        for a, of in OF_WIDE.items()
    }
    assert ro.read_scores(file).to_dict() == own


@pytest.mark.parametrize("head", ["10,0.5\n20,1.5\n30,2.5\n", "0.1,1\n0.2,2\n0.3,4\n"])
def test_other_numbers_below_a_blank_head_of_a_wide_table_are_asked_about(put, head):
    rows = "".join(f"{line},{i}.5\n" for i, line in enumerate(head.split()))
    with pytest.raises(ro.DataError):
        ro.read_scores(put("wide.csv", f",PPO,SAC\n{rows}"))


@pytest.mark.parametrize("name", ["task", "env", "game"])
def test_a_name_of_the_heads_above_nothing_is_left_out_with_a_note(put, name):
    frame = WIDE.rename_axis(columns=name)
    scores = ro.read_scores(put("wide.html", frame.to_html(index=False)))
    assert scores.to_dict() == OF_WIDE
    assert f"left out: column {name!r}, which is empty" in scores.provenance.notes


def test_runs_in_the_column_that_trackers_call_name_are_asked_about_by_their_parts(put):
    rows = "".join(
        f"{t}-{a}-seed{s},{i}.5\n"
        for i, (t, a, s) in enumerate((t, a, s) for t in ("bar", "foo") for a in ("x", "y") for s in (0, 1))
    )
    file = put("export.csv", "Name,eval_return\n" + rows)
    with pytest.raises(ro.DataError, match=r"runs of column 'Name' .* use keys='(task/algorithm|algorithm/task)/run'"):
        ro.load(file)
    assert ro.load(file, keys="task/algorithm/run").to_dict()["x"] == {"bar": [0.5, 1.5], "foo": [4.5, 5.5]}


def test_a_column_called_name_that_holds_no_runs_stays_what_it_is(put):
    file = put("t.csv", "Name,seed,return\nppo,0,1\nppo,1,2\nsac,0,3\nsac,1,4\n")
    assert ro.load(file, columns={"algorithm": "Name"}).to_dict()["sac"] == {"task": [3, 4]}


def test_the_types_below_the_names_of_a_tibble_are_no_row(put):
    lines = [
        " 1 ppo    hopper     1   4.5",
        " 2 ppo    hopper     2   5.5",
        " 3 sac    hopper     1   6.5",
        " 4 sac    hopper     2   7.5",
    ]
    text = "\n".join(
        ["> results", "# A tibble: 4 × 4", "   policy task    seed return", "   <chr>  <chr>  <int>  <dbl>", *lines, ""]
    )
    assert ro.load(put("t.txt", text)).to_dict() == {"ppo": {"hopper": [4.5, 5.5]}, "sac": {"hopper": [6.5, 7.5]}}


def test_numbers_that_repeat_below_a_blank_head_are_asked_about(put):
    rows = "".join(f"{level},{i}.5,{i * 3 % 5}.25\n" for i, level in enumerate((3, 1, 2, 2, 0, 1, 4)))
    with pytest.raises(ro.DataError, match="stands beside the algorithms"):
        ro.read_scores(put("wide.csv", f",PPO,SAC\n{rows}"))


@pytest.mark.parametrize("role", ["algorithm", "task"])
def test_empty_names_of_a_tidy_table_are_refused_not_pooled(put, role):
    text = f"{role},{'task' if role == 'algorithm' else 'algorithm'},seed,score\n,a,0,1\n,a,1,2\n,b,0,4\n"
    with pytest.raises(ro.DataError, match=f"the {role} .* is empty"):
        ro.read_scores(put("t.csv", text))
