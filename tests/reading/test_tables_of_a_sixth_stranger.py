"""Tables as a sixth stranger keeps them, each of which was misread, refused, or asked about with a command that read it wrongly."""

from __future__ import annotations

import json
import sqlite3

import pytest

import runoff as ro
from runoff.tables.unnamed import counts_rows

CELLS = [(i, a, j, t) for i, a in enumerate(("old", "new")) for j, t in enumerate(("l1", "l2"))]
SCORES = [(a, t, run, 10.5 + 3 * i + 7 * j + run / 4) for i, a, j, t in CELLS for run in (1, 2, 3)]


def lines(head: str, rows=SCORES) -> str:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def wide(*heads: str) -> str:
    rows = [(a, t, *(20 + 5 * i + 2 * j + k / 8 for k, _ in enumerate(heads))) for i, a, j, t in CELLS]
    return lines(",".join(["alg", "scenario", *heads]), rows)


@pytest.mark.parametrize("heads", ["42,1337,2024,31415", "42,43,44,45", "100,200,300,400", "1,2,4"])
def test_numbers_as_heads_that_may_be_seeds_are_asked_about(put, heads):
    file = put("a.csv", wide(*heads.split(",")))
    with pytest.raises(ro.DataError, match=r"are runs, use keys='run'; if steps of training, call them 'step "):
        ro.load(file)
    assert ro.load(file, keys="run").cell("new", "l1").tolist() == [25 + k / 8 for k in range(heads.count(",") + 1)]


@pytest.mark.parametrize("heads", ["1000,2000,3000", "100k,200k,300k", "step 1,step 2,step 4"])
def test_round_or_worded_numbers_as_heads_are_steps(put, heads):
    assert isinstance(ro.load(put("a.csv", wide(*heads.split(",")))), ro.Curves)


def test_numbers_as_heads_beside_a_column_of_runs_are_steps(put):
    rows = [(*row[:3], row[3], row[3] + 1, row[3] + 2) for row in SCORES]
    assert isinstance(ro.load(put("a.csv", lines("alg,task,seed,100,200,300", rows))), ro.Curves)


def test_what_counts_the_rows_of_each_cell_is_no_score(put):
    file = put("a.csv", lines("scheduler,line,shift,parts/h"))
    both = {"run": "shift", "score": "parts/h"}
    with pytest.raises(
        ro.DataError, match=f"name it with columns={both}, for 'shift' counts the rows of each cell, or with"
    ):
        ro.load(file, columns={"task": "line"})
    assert ro.load(file, columns={"task": "line", **both}).cell("new", "l1").tolist() == [13.75, 14.0, 14.25]


@pytest.mark.parametrize(
    ("names", "numbers", "counts"),
    [
        ("aabb", [1, 2, 1, 2], True),
        ("aabb", [0, 1, 1, 0], True),
        ("aaabb", [1, 2, 3, 2, 1], True),
        ("aabb", [5, 6, 5, 6], False),
        ("aabb", [1, 1, 2, 2], False),
        ("aabb", [1, 3, 1, 3], False),
        ("aabb", [1, 2.5, 1, 2], False),
        ("aaaa", [1, 2, 3, 4], False),
        ("ab", [1, 1], False),
    ],
)
def test_rows_of_cells_are_counted_once_each_from_the_first_on(names, numbers, counts):
    assert counts_rows({"line": list(names), "n": numbers}, "n") is counts


@pytest.mark.parametrize("head", ["gate,line,week,yield", "gate,line,seed,yield"])
def test_two_columns_of_names_beside_counted_rows_are_asked_about_in_both_orders(put, head):
    with pytest.raises(
        ro.DataError, match=r"use columns={'algorithm': 'gate', 'task': 'line'}, or columns={'algorithm': 'line'"
    ):
        ro.load(put("a.csv", lines(head)))


def test_a_table_without_its_header_line_is_told_so(put):
    with pytest.raises(
        ro.DataError, match=r"'old', 'l1' of the first line stand below it too, so the header line is missing"
    ):
        ro.load(put("a.csv", lines("old,l1,1,10.75", SCORES[1:])))


@pytest.mark.parametrize("name", ["MASE", "sMAPE", "CRPS", "rmsle"])
def test_errors_of_forecasts_are_costs(put, name):
    with pytest.warns(ro.RunoffWarning, match="named like a cost"):
        scores = ro.load(put("a.csv", lines(f"model,dataset,seed,{name}")))
    assert scores.cell("old", "l1").tolist() == [-10.75, -11.0, -11.25]


def test_configurations_beside_commits_and_hosts_are_asked_about(put):
    rows = [(f"c0ffee{i}", "gpu1", *row[:1], *row[1:]) for i, row in enumerate(SCORES)]
    with pytest.raises(
        ro.DataError,
        match=r"'config' may name algorithms, or configurations of one; use columns={'algorithm': 'config'}",
    ):
        ro.load(put("a.csv", lines("commit,machine,config,level,seed,score", rows)))


def test_names_beside_configurations_are_asked_about_first(put):
    rows = [("xy"[i % 2], *row) for i, row in enumerate(SCORES)]
    with pytest.raises(ro.DataError, match=r"column 'flavour' holds text: is it the algorithm"):
        ro.load(put("a.csv", lines("flavour,config,level,seed,score", rows)))


def test_a_primary_key_is_no_item(tmp_path):
    with sqlite3.connect(tmp_path / "runs.db") as store:
        store.execute(
            "CREATE TABLE results (id INTEGER PRIMARY KEY, searcher TEXT, dataset TEXT, seed INT, accuracy REAL)"
        )
        store.executemany("INSERT INTO results (searcher, dataset, seed, accuracy) VALUES (?, ?, ?, ?)", SCORES)
    with pytest.warns(ro.RunoffWarning, match="'searcher' is taken as the algorithm"):
        scores = ro.load(tmp_path / "runs.db")
    assert (scores.algorithms, scores.tasks, scores.cell("new", "l2").size) == (("new", "old"), ("l1", "l2"), 3)


@pytest.mark.parametrize("codec", ["cp1251", "koi8_r"])
def test_a_table_in_cyrillic_letters_is_read(put, codec):
    text = lines("Алгоритм;Среда;Запуск;Награда".replace(";", ",")).replace("old", "Базовый")
    with pytest.warns(ro.RunoffWarning, match="the text is not UTF-8"):
        scores = ro.load(put("a.csv", text.encode(codec)))
    assert scores.algorithms == ("new", "Базовый")


def test_a_mean_of_evaluations_with_its_spread_is_the_score_of_a_run(put):
    rows = [(*row[:3], f"{row[3]} ± 1.5") for row in SCORES]
    scores = ro.load(put("a.csv", lines("agent,task,seed,success (mean ± se over 50 episodes)", rows)))
    assert scores.cell("old", "l1").tolist() == [10.75, 11.0, 11.25]
    assert any("the number before ± is the score of a run" in note for note in scores.provenance.notes)


def test_a_column_with_spreads_is_called_by_its_whole_name_too(put):
    rows = [(*row[:3], f"{row[3]} ± 1.5") for row in SCORES]
    file = put("a.csv", lines("agent,task,seed,success (mean ± se)", rows))
    assert ro.load(file, columns={"score": "success (mean ± se)"}).cell("old", "l1").tolist() == [10.75, 11.0, 11.25]


def test_a_column_of_which_one_cell_lacks_its_spread_is_not_read(put):
    rows = [(*row[:3], f"{row[3]} ± 1.5") for row in SCORES[1:]]
    with pytest.raises(ro.DataError):
        ro.load(put("a.csv", lines("agent,task,seed,success", [*rows, (*SCORES[0][:3], "high")])))


@pytest.mark.parametrize(
    "text",
    ["agent,task,success\nold,l1,3.5 ± 1\nnew,l1,4.5 ± 1\n", "agent,seed,success\nold,5,3.5 ± 1\nnew,5,4.5 ± 1\n"],
)
def test_means_with_spreads_that_no_run_is_named_of_stay_refused(put, text):
    with pytest.raises(ro.DataError):
        ro.load(put("a.csv", text))


def test_a_table_on_its_side_is_read_where_its_score_has_another_name(put):
    sides = zip(("method", "scenario", "seed", "service level %"), zip(*SCORES, strict=True), strict=True)
    text = "\n".join(",".join([name, *map(str, cells)]) for name, cells in sides) + "\n"
    scores = ro.load(put("a.csv", text), columns={"score": "service level %"})
    assert scores.cell("new", "l1").tolist() == [13.75, 14.0, 14.25]


@pytest.mark.parametrize(
    "text",
    [
        "algo,PPO,PPO,SAC,SAC\nseed,0,1,0,1\nenv,,,,\nAnt,1.5,2.5,3.5,4.5\n",
        "env,Ant,Ant,Hopper,Hopper\nalgo,PPO,SAC,PPO,SAC\nseed,,,,\n0,1.5,3.5,2.5,4.5\n1,2.5,4.5,1.5,3.5\n",
    ],
)
def test_the_levels_of_a_pivot_are_no_table_on_its_side(put, text):
    assert ro.load(put("a.csv", text)).cell("SAC", "Ant").tolist() == [3.5, 4.5]


@pytest.mark.parametrize("by_run", [True, False])
@pytest.mark.parametrize("levels", [1, 2])
def test_a_matrix_of_runs_beside_its_steps_below_names_is_curves(put, levels, by_run):
    runs = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]
    own = {"steps": [10, 20, 30], "returns": runs if by_run else [*zip(*runs, strict=True)]}
    inner = {"PPO": own, "SAC": own}
    curves = ro.load(put("a.json", json.dumps(inner if levels == 1 else {"Ant": inner, "Hopper": inner})))
    assert (len(curves.tasks), curves.final().cell("SAC", curves.tasks[0]).tolist()) == (levels, [3.0, 6.5])


def test_a_square_of_scores_beside_steps_is_not_read(put):
    own = {"steps": [10, 20], "returns": [[1.0, 2.0], [3.0, 4.0]]}
    with pytest.raises(ro.DataError):
        ro.load(put("a.json", json.dumps({"PPO": own, "SAC": own})))


@pytest.mark.parametrize(("heads", "first"), [("X cost,Y cost", "task"), ("X,Y", "task"), ("task,score", "algorithm")])
def test_tables_with_several_columns_of_scores_are_offered_as_tasks_first(put, heads, first):
    rows = "1,2.5,3.5\n2,4.5,5.5\n" if first == "task" else "1,a,3.5\n1,b,5.5\n"
    blocks = "\n".join(f"# {name}\nrun,{heads}\n{rows}" for name in ("VRP20", "VRP50"))
    with pytest.raises(ro.DataError, match=f"use columns={{'{first}': 'table'}} if each"):
        ro.load(put("a.csv", blocks))


def test_bandits_beside_data_sets_are_the_algorithms_and_the_score_is_asked_for(put):
    file = put("a.csv", lines("bandit,dataset,seed,ctr"))
    with pytest.raises(
        ro.DataError, match=r"no column is recognised as the score .*; name it with columns={'score': 'ctr'}"
    ):
        ro.load(file)
    scores = ro.load(file, columns={"score": "ctr"})
    assert (scores.algorithms, scores.tasks) == (("new", "old"), ("l1", "l2"))
