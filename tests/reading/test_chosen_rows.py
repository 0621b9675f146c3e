"""Rows that the user chooses by the values of columns, `rows="split=test"`: never some of the runs of an algorithm."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff.cli.app import run

ROWS = [
    (algorithm, split, rate, seed, score)
    for score, (algorithm, split, rate, seed) in enumerate(
        (a, s, r, k) for a in ("PPO", "SAC") for s in ("train", "test") for r in (0.1, 0.01, 1.0) for k in range(3)
    )
]
HEADS = ("algorithm", "split", "lr", "seed", "score")


def scores(**where: object) -> dict[str, list[float]]:
    """The slow twin: the scores by algorithm of the rows that have these values."""
    kept = [row for row in ROWS if all(row[HEADS.index(name)] in np.atleast_1d(value) for name, value in where.items())]
    return {name: [float(row[-1]) for row in kept if row[0] == name] for name in ("PPO", "SAC")}


def as_file(put) -> object:
    return put("runs.csv", "\n".join([",".join(HEADS), *(",".join(map(str, row)) for row in ROWS)]) + "\n")


def as_frame(put) -> object:
    return pl.DataFrame(ROWS, schema=list(HEADS), orient="row")


@pytest.mark.parametrize("given", [as_file, as_frame])
@pytest.mark.parametrize(
    ("chosen", "where"),
    [
        ("split=test,lr=0.1", {"split": "test", "lr": 0.1}),
        ({"split": "test", "lr": 0.1}, {"split": "test", "lr": 0.1}),
        ("lr = .10, split = train", {"split": "train", "lr": 0.1}),  # a number is one, however it is written
        ("split=train,lr=1", {"split": "train", "lr": 1.0}),
        ("algorithm=PPO,algorithm=SAC,split=test,lr=0.01", {"split": "test", "lr": 0.01}),
    ],
)
def test_the_rows_are_those_in_which_all_columns_have_their_values(put, given, chosen, where):
    read = ro.load(given(put), columns={"rows": chosen})
    assert {name: sorted(read.cell(name, read.tasks[0])) for name in read.algorithms} == scores(**where)


@pytest.mark.parametrize("given", [as_file, as_frame])
def test_a_note_counts_the_rows_that_remain_of_those_before(put, given):
    notes = ro.load(given(put), columns={"rows": "split=test,lr=0.1"}).provenance.notes
    assert "only rows with split = test, by request: 18 of 36" in notes
    assert "only rows with lr = 0.1, by request: 6 of 18" in notes


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"rows": "seed=1"}, "column 'seed' is the run, by which no rows are chosen"),
        ({"rows": "score=3"}, "column 'score' is the score, by which no rows are chosen"),
        ({"rows": "lr=0.1", "run": "lr"}, "column 'lr' is the run, by which no rows are chosen"),
        ({"rows": "split=dev"}, "column 'split' has no row with 'dev'; it holds 'train', 'test'"),
        ({"rows": "splt=test"}, "there is no column 'splt' to choose rows by; .*Did you mean 'split'"),
        ({"rows": "split"}, "column 'split' has no row with ''"),
    ],
)
@pytest.mark.parametrize("given", [as_file, as_frame])
def test_runs_are_never_chosen_and_what_is_not_there_is_refused(put, given, chosen, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.load(given(put), columns=chosen)


@pytest.mark.parametrize("name", ["status", "state", "finished", "Crashed", "error", "valid"])
def test_how_runs_ended_chooses_no_rows(put, name):
    rows = [f"{a},{run},{run + 0.5},{'yes' if run else 'no'}" for a in "AB" for run in range(3)]
    file = put("runs.csv", "\n".join([f"algorithm,seed,score,{name}", *rows, ""]))
    for chosen in (f"{name}=yes", f"{name}!=no"):
        with pytest.raises(ro.OptionError, match=r"says how runs ended, .*incomplete='drop' leaves failed runs out"):
            ro.load(file, columns={"rows": chosen})


def test_files_without_columns_have_no_rows_to_choose(tmp_path):
    np.savez(tmp_path / "runs.npz", A=np.ones((3, 2)), B=np.zeros((3, 2)))
    with pytest.raises(ro.OptionError, match=r"'rows': 'x=1'.* has no named columns: leave it out"):
        ro.load(tmp_path / "runs.npz", columns={"rows": "x=1"})


def test_training_logs_have_no_rows_to_choose(tmp_path):
    for seed in (1, 2):
        run = tmp_path / f"Hopper-v4__ppo__{seed}__170000000{seed}"
        run.mkdir()
        (run / "progress.csv").write_text("time/total_timesteps,eval/mean_reward\n100,1\n200,2\n")
    with pytest.raises(ro.OptionError, match="these are training logs: leave it out"):
        ro.load(tmp_path, columns={"rows": "x=1"})


@pytest.mark.parametrize("given", [as_file, as_frame])
def test_rows_without_a_value_are_the_others(put, given):
    chosen, others = (
        ro.load(given(put), columns={"rows": text}) for text in ("split=test,lr=0.1", "split != train,lr!=0.01,lr!=1")
    )
    assert chosen.to_dict() == others.to_dict()
    assert "only rows with lr ≠ 0.01 or 1, by request: 6 of 18" in others.provenance.notes
    for text, words in (
        ("seed!=1", "is the run"),
        ("split!=dev", "has no row with 'dev'"),
        ("split!=test,split!=train", "no row is left without"),
    ):
        with pytest.raises(ro.OptionError, match=words):
            ro.load(given(put), columns={"rows": text})


RESULTS = {
    "id": range(10),
    "logdir": [f"/x/run{k}" for k in range(10)],
    "best": [k % 5 == 3 for k in range(10)],
    "rank": [k % 5 + 1 for k in range(10)],
    "exit_code": [k % 2 for k in range(10)],
    "loss": [k % 2 / 2 for k in range(10)],
    "wall_time": [k % 3 for k in range(10)],
    "date": [f"2024-01-0{k % 5 + 1}" for k in range(10)],
    "lucky": ["yes" if k % 2 else "no" for k in range(10)],
}


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("seeds", [True, False])
def test_results_of_runs_and_what_numbers_them_choose_no_rows(put, name, seeds):
    if name in ("exit_code", "lucky") and not seeds:
        pytest.skip("without seeds a column of two values may be one of conditions, and its name says so or not")
    rows = [f"{'AB'[k // 5]},{f'{k % 5},' * seeds}{k}.5,{value}" for k, value in enumerate(RESULTS[name])]
    file = put("runs.csv", "\n".join([f"algorithm,{'seed,' * seeds}score,{name}", *rows, ""]))
    for sign in ("=", "!="):
        with pytest.raises(ro.OptionError, match="by which no rows are chosen"):
            ro.load(file, columns={"score": "score", "rows": f"{name}{sign}{RESULTS[name][3]}"})


def test_a_metric_of_which_each_cell_has_one_row_chooses_rows(put):
    lines = [f"{m},{t},{k},{i}{j}.5" for i, m in enumerate("AB") for j, t in enumerate("xyz") for k in ("acc", "f1")]
    file = put("runs.csv", "\n".join(["model,task,metric,value", *lines, ""]))
    read = ro.load(file, columns={"score": "value", "rows": "metric=acc"})
    assert {name: [read.cell(name, task).tolist() for task in "xyz"] for name in "AB"} == {
        "A": [[0.5], [1.5], [2.5]],
        "B": [[10.5], [11.5], [12.5]],
    }


def test_scores_below_names_choose_no_rows_and_a_split_beside_them_does(put):
    lines = [f"A,{k},{s},{k % 2},{k}.5" for k in range(4) for s in ("train", "test")]
    file = put("wide.csv", "\n".join(["algorithm,seed,split,Hopper,Ant", *lines, ""]))
    with pytest.raises(ro.OptionError, match="'Hopper' is no setting by its name"):
        ro.load(file, columns={"rows": "Hopper=1"})
    assert ro.load(file, columns={"rows": "split=test"}).cell("A", "Ant").tolist() == [0.5, 1.5, 2.5, 3.5]


@pytest.mark.parametrize("given", ["rows=split=test", {"rows": ["split=test", 1]}, {"score": {"a": 1}}, {"rows": len}])
def test_what_is_no_text_is_refused_in_one_sentence(put, given):
    listed = ro.load(as_file(put), columns={"rows": ["split=test"]})
    assert listed == ro.load(as_file(put), columns={"rows": "split=test"})
    with pytest.raises(ro.OptionError, match=r"takes a (dictionary|text)"):
        ro.load(as_file(put), columns=given)


def test_a_refusal_names_the_line_of_the_file_though_rows_above_it_are_left_out(put):
    rows = [f"{a},{split},{s},{s}.5" for split in ("train", "test") for a in ("A", "B") for s in (0, 1)]
    rows[6] = rows[6].replace("0.5", "oops")
    path = put("t.csv", "\n".join(["algo,split,seed,return", *rows, ""]))
    with pytest.raises(ro.DataError, match="line 8"):
        ro.read_scores(path, columns={"rows": "split=test"})


@pytest.mark.parametrize("head", ["rank", "place", "best", "exit_code", "selected", "winner"])
def test_words_for_how_a_run_did_among_others_choose_no_rows_even_where_tasks_tell_them(put, head):
    rows = [(a, t, s, f"{s}.5", f"{head}{t}") for a in "AB" for t in "xy" for s in range(3)]
    path = put("r.csv", f"algo,task,seed,score,{head}\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    with pytest.raises(ro.OptionError, match=f"column '{head}' is no setting by its name"):
        ro.load(path, columns={"rows": f"{head}={head}x"})


def test_a_column_whose_name_has_a_comma_is_left_out_by_it_and_a_column_that_is_there_twice_is_one(put):
    rows = "".join(f"{a},{s},{s % 2},{s}.5,{s}.5\n" for a in "AB" for s in range(4))
    path = put("r.csv", f'algo,seed,"a, b",score,score.1\n{rows}')
    notes = ro.load(path, columns={"unused": "a, b"}).provenance.notes
    assert not any("columns not used: " in note for note in notes)
    assert notes[:2] == (
        "columns not used, by request: 'a, b'",
        "left out: columns 'score.1', which repeat other columns",
    )


def test_a_variant_that_is_named_keeps_the_runs_of_its_algorithm_where_a_row_of_another_is_refused(put, capsys):
    rows = [(a, s, "mlp" if s < 3 and a == "A" else "cnn", f"{s}.5") for a in "AB" for s in range(6)]
    rows.append(("C", 0, "cnn", "bad"))
    path = put("r.csv", "algo,seed,arch,score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    assert run(["compare", str(path), "--algorithms", "A (arch cnn)", "B"]) == 0
    assert "A (arch cnn)" in capsys.readouterr().out
