"""Roles that only one reading leaves: tasks in columns and titles, scores beside named runs; what may be two things is asked about."""

from __future__ import annotations

import json

import polars as pl
import pytest

import runoff as ro
from runoff.words.columns import names_quality
from tests.reading.test_repairs_of_tables import refused, run


def games(names: list[str], heads: str, first: str) -> str:
    n = heads.count("Run ")
    tables = [
        "\n".join(
            [name, f"{first},{heads}", *(f"{a},{','.join(['0.5', '0.25', '0.75'][:n])}" for a in ("Greedy", "MCTS"))]
        )
        for name in names
    ]
    return "\n\n".join([*tables, ""])


@pytest.mark.parametrize("first", ["bot", "Agent", "Approach"])
def test_titles_above_tables_of_the_same_algorithms_and_runs_are_tasks(put, first):
    scores = ro.load(put("t.csv", games(["Connect4", "Hex 7x7", "Othello"], "Run 1,Run 2,Run 3", first)))
    assert (scores.algorithms, scores.tasks, scores.n_runs[0].tolist()) == (
        ("Greedy", "MCTS"),
        ("Connect4", "Hex 7x7", "Othello"),
        [3, 3, 3],
    )


@pytest.mark.parametrize(
    "names", [["Sheet 1", "Sheet 2"], ["May", "June"], ["no curriculum", "ours"], ["train", "test"], ["lr 1", "lr 2"]]
)
def test_titles_that_may_be_parts_of_the_work_or_variants_are_asked_about(put, names):
    with pytest.raises(ro.DataError, match=r"'task': 'table'|name the one to read"):
        ro.load(put("t.csv", games(names, "Run 1,Run 2", "Agent")))


@pytest.mark.parametrize(("commits", "parts"), [("aaabbb", True), ("aabaab", False)])
def test_revisions_of_the_code_are_asked_about_where_they_part_all_runs_alike(put, commits, parts):
    lines = [f"{a},{t},{a}{t}{i},{c},{i}.5" for a in "AB" for t in "xy" for i, c in enumerate(commits)]
    if not parts:
        lines = [line.replace(",b,", ",a,") if line.startswith("B") else line for line in lines]
    file = put("t.csv", "\n".join(["algo,task,run,commit,score", *lines, ""]))
    if parts:
        with pytest.raises(ro.DataError, match="column 'commit' divides the 6 runs"):
            ro.load(file)
    else:
        assert ro.load(file).n_runs.tolist() == [[6, 6], [6, 6]]


@pytest.mark.parametrize("head", ["Testumgebung", "Prüfaufgabe"])
def test_words_that_end_with_one_for_a_task_name_tasks(put, head):
    text = f"Verfahren;{head};Lauf;Belohnung\nA;Taxi;1;-5,5\nA;Taxi;2;-4,25\nB;Taxi;1;-3,5\nB;Taxi;2;-2,5\n"
    assert ro.load(put("t.csv", text)).to_dict() == {"A": {"Taxi": [-5.5, -4.25]}, "B": {"Taxi": [-3.5, -2.5]}}


@pytest.mark.parametrize(
    ("name", "whole"), [("pass_at_1", True), ("recall at 5", True), ("at", False), ("look_at", False)]
)
def test_a_quality_at_a_rank_is_a_score(name, whole):
    assert names_quality(name) is whole


def test_scores_that_nothing_names_are_asked_about_one_by_one_beside_named_runs(put, capsys):
    text = "Planner,Task,Repetition,uptime_x,torsion\n" + "".join(
        f"{a},arm,{r},{r}.5,9.{r}\n" for a in "AB" for r in (1, 2)
    )
    _, commands = refused(capsys, "scan", str(put("t.csv", text)))
    assert [command[-1] for command in commands] == ["score=uptime_x", "score=torsion"]
    assert [run(command) for command in commands] == [0, 0]


def test_a_line_that_says_averages_over_seeds_makes_the_numbers_below_means(put, tmp_path):
    rows = [
        ["All numbers are averages over 5 seeds", None, None],
        ["Model", "MMLU", "BBH"],
        ["a-7b", 55.5, 64.5],
        ["b-7b", 49.5, 45.5],
    ]
    pl.DataFrame(rows, orient="row", schema=["a", "b", "c"], strict=False).write_csv(
        tmp_path / "t.csv", include_header=False
    )
    with pytest.raises(ro.DataError, match="its numbers are means over runs, and a mean is not a run"):
        ro.load(tmp_path / "t.csv")


def test_repeats_beside_items_of_several_algorithms_are_runs(put):
    text = "optimizer\tproblem\trepeat\tscore\n" + "".join(
        f"{a}\t{p}\tr{r}\t{r}.5\n" for a in "AB" for p in "xy" for r in (1, 2)
    )
    assert ro.load(put("t.tsv", text)).n_runs.tolist() == [[2, 2], [2, 2]]


def test_the_question_about_a_task_called_like_a_measure_has_a_first_answer_that_works(put, capsys):
    text = "model,dataset,fold,acc\n" + "".join(
        f"{a},{d},{r},0.{r}\n" for a in "AB" for d in ("bike", "energy") for r in (1, 2)
    )
    _, commands = refused(capsys, "scan", str(put("t.csv", text)))
    assert [commands[0][-2:], run(commands[0])] == [["--keys", "task"], 0]


GRID = [(a, t, r) for a in ("A", "B") for t in ("jnk3", "drd2") for r in range(2)]


def of_grid(heads: str, rows: list[tuple], score: str = "score") -> str:
    return f"{heads},{score}\n" + "".join(f"{','.join(map(str, row))},{i}.5\n" for i, row in enumerate(rows))


@pytest.mark.parametrize("head", ["oracle", "Site", "deck", "season"])
def test_texts_in_which_alone_rows_of_a_run_differ_are_tasks_with_a_warning(put, head):
    with pytest.warns(
        ro.RunoffWarning, match=f"column '{head}' is taken as the task, because rows of one run differ in it alone"
    ):
        scores = ro.load(put("t.csv", of_grid(f"method,{head},seed", GRID)))
    assert (scores.tasks, scores.n_runs.tolist()) == (("drd2", "jnk3"), [[2, 2], [2, 2]])


@pytest.mark.parametrize("more", ["", ",subset"])
def test_texts_that_alone_tell_rows_of_items_or_runs_apart_are_algorithms(put, more):
    items = [(j, f"q{i}", *(["math"] * bool(more))) for j in ("gpt", "judge-7b") for i in range(4)]
    with pytest.warns(ro.RunoffWarning, match="column 'judge' is taken as the algorithm"):
        assert ro.load(put("t.csv", of_grid(f"judge,item_id{more}", items, "correct"))).algorithms == (
            "gpt",
            "judge-7b",
        )


def test_a_column_of_known_algorithms_is_theirs_whatever_it_is_called(put):
    rows = [(a, t, r) for a in ("PPO", "SAC") for t in ("Schule", "Laden") for r in range(2)]
    assert ro.load(put("t.csv", of_grid("steered_by,level,seed", rows))).to_dict().keys() == {"PPO", "SAC"}


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("method,prompt_style,seed", GRID),
        ("method,network,seed", GRID),
        ("method,oracle,seed", [*GRID, ("A", "qed", 0)]),
        ("method,oracle,seed", [*GRID, ("A", "jnk3", 0)]),
        ("method,oracle,phase,seed", [(a, t, p, r) for a, t, r in GRID for p in ("x", "y")]),
    ],
)
def test_texts_that_may_be_settings_or_are_not_combined_with_all_or_two_of_them_are_asked_about(put, head, rows):
    with pytest.raises(ro.DataError):
        ro.load(put("t.csv", of_grid(head, rows)))


def test_two_columns_of_texts_that_may_be_either_are_asked_about_both_ways(put, capsys):
    _, commands = refused(capsys, "scan", str(put("t.csv", of_grid("placer,design,seed", GRID, "wire"))))
    assert [command[-3:] for command in commands] == [
        ["algorithm=placer", "--columns", "task=design"],
        ["algorithm=design", "--columns", "task=placer"],
    ]


@pytest.mark.parametrize(
    ("name", "score", "warns"),
    [("regret_of_bandits", "value", True), ("mean_cost", "return", False), ("x", "score", False)],
)
def test_the_name_of_a_file_that_says_a_cost_is_warned_of(put, name, score, warns, recwarn):
    ro.load(put(f"{name}.csv", f"algo,seed,{score}\nA,0,1.5\nB,0,2.5\n"))
    assert [str(w.message).startswith("the name of the file says") for w in recwarn.list] == [True] * warns


def test_innermost_objects_with_one_score_are_runs(put):
    tree = {
        a: {t: {f"seed_{r}": {"return": r + 0.5, "steps": 100} for r in range(2)} for t in ("x", "y")}
        for a in ("PPO", "SAC")
    }
    scores = ro.load(put("t.json", json.dumps({"meta": {"date": "today"}, "results": tree})))
    assert (scores.to_dict()["SAC"], scores.algorithms) == ({"x": [0.5, 1.5], "y": [0.5, 1.5]}, ("PPO", "SAC"))
    assert "the score of each run is its 'return'; left out: 'steps'" in scores.provenance.notes


def test_a_column_of_means_and_spreads_beside_seeds_is_left_out(put):
    text = "| Algorithm | Seed 0 | Seed 1 | Mean ± std |\n|--|--|--|--|\n| DQN | 1.5 | 2.5 | 2.0 ± 0.5 |\n| C51 | 3.5 | 4.5 | 4.0 ± 0.5 |\n"
    assert ro.load(put("t.md", text)).to_dict() == {"C51": {"task": [3.5, 4.5]}, "DQN": {"task": [1.5, 2.5]}}


def test_levels_that_are_numbered_in_titles_are_tasks(put):
    assert ro.load(put("t.csv", games(["Level 1", "Level 2"], "Run 1,Run 2", "Agent"))).tasks == ("Level 1", "Level 2")


@pytest.mark.parametrize(
    "text",
    [
        "House,Rep,MPC,PPO\nA,1,5.5,6.5\n,2,5.75,6.75\nB,1,7.5,8.5\n,2,7.75,8.75\n",
        "House,Method,rep 1,rep 2\nA,MPC,5.5,5.75\nA,PPO,6.5,6.75\nB,MPC,7.5,7.75\nB,PPO,8.5,8.75\n",
    ],
)
def test_labels_that_alone_tell_rows_of_a_wide_table_apart_are_tasks_with_a_warning(put, text):
    with pytest.warns(ro.RunoffWarning, match="column 'House' is taken as the task, because it alone tells rows apart"):
        scores = ro.load(put("t.csv", text))
    assert scores.to_dict() == {
        "MPC": {"A": [5.5, 5.75], "B": [7.5, 7.75]},
        "PPO": {"A": [6.5, 6.75], "B": [8.5, 8.75]},
    }


@pytest.mark.parametrize("values", [("return", "length"), ("mean", "max")])
def test_names_of_measures_are_no_tasks(put, values):
    rows = [(a, v, r) for a in ("A", "B") for v in values for r in range(2)]
    with pytest.raises(ro.DataError):
        ro.load(put("t.csv", of_grid("method,which,seed", rows)))


def test_a_place_beside_heads_of_algorithms_is_the_task(put):
    text = "level,seed,PPO,SAC\nmaze-16,0,1.5,2.5\nmaze-16,1,1.25,2.25\nrooms,0,3.5,4.5\nrooms,1,3.25,4.25\n"
    assert ro.load(put("t.csv", text)).tasks == ("maze-16", "rooms")


def test_maps_and_mazes_are_known_tasks(put):
    text = "algo,seed,3s5z,MMM2,corridor\nQMIX,0,0.5,0.25,0.75\nQMIX,1,0.5,0.5,0.25\nVDN,0,0.5,0.25,0.5\nVDN,1,0.25,0.5,0.5\n"
    assert ro.load(put("t.csv", text)).tasks == ("3s5z", "MMM2", "corridor")


def test_scores_at_or_below_0_of_a_file_named_like_a_cost_were_negated_before(put, recwarn):
    ro.load(put("regret.csv", "algo,seed,value\nA,0,-1.5\nB,0,0\n"))
    assert not recwarn.list
