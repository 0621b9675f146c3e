from __future__ import annotations

import json

import pytest

from runoff.cli.app import run

FAST = ["--n-repeats", "100", "--workers", "1"]


def test_list_names_every_study(capsys):
    assert run(["check", "list"]) == 0
    out = capsys.readouterr().out
    assert "colas2019/table02" in out
    assert "casesa2024/figure20" in out


@pytest.mark.slow
def test_a_study_writes_the_table_the_figure_and_the_comparison(tmp_path, capsys):
    out = tmp_path / "out"
    assert run(["check", "colas2019/table02", "-o", str(out), *FAST]) == 0
    printed = capsys.readouterr().out
    assert "of 114 printed cells lie more than 4 standard errors" in printed
    assert {p.name for p in out.iterdir()} == {
        ".runoff-files.json",
        "README.txt",
        "figure.png",
        "figure.svg",
        "printed.csv",
        "study.json",
        "table.csv",
    }
    head = (out / "table.csv").read_text().splitlines()[0]
    assert head == "world,contender,n_runs,effect,rate,rate_error,estimate_std,n_repeats"


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_methods_that_pool_several_tasks_are_named(n_tasks, tmp_path, capsys):
    task = '{distributions = [{family = "normal"}, {family = "normal"}]}'
    world = f"[[worlds]]\nname = 'w'\ntasks = [{', '.join([task] * n_tasks)}]\n"
    (tmp_path / "own.toml").write_text(f"contenders = ['welch', 'stratified_permutation']\nn_runs = [5]\n{world}")
    assert run(["check", str(tmp_path / "own.toml"), *FAST]) == 0
    assert ("pooled for Welch: a low rate" in " ".join(capsys.readouterr().out.split())) == (n_tasks > 1)


def test_json_prints_the_records_and_nothing_else(capsys):
    assert run(["check", "colas2018/figure7", "--json", *FAST]) == 0
    records = json.loads(capsys.readouterr().out)["records"]
    assert {r["contender"] for r in records} == {"sample_sd"}


@pytest.mark.slow
def test_a_store_continues_and_a_budget_stops(tmp_path, capsys):
    store = ["--store", str(tmp_path / "store")]
    assert run(["check", "colas2018/figure8", *FAST, "--time-limit", "0.1s", *store]) == 0
    assert run(["check", "colas2018/figure8", *FAST, *store]) == 0
    assert "100 simulated experiments per situation" in capsys.readouterr().out
    assert run(["check", "colas2018/figure8", *FAST, "--seed", "1", *store]) == 2
    assert "seed was 0 and is 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["colas2019/tabel02"], "Did you mean 'colas2019/table02'?"),
        (["colas2019/table14"], "needs the runs 'sac'"),
        (["none.toml"], "cannot be read"),
        (["colas2018/figure7", "--backend", "dsk"], "Did you mean 'dask'?"),
        (["colas2018/figure7", "--time-limit", "soon"], "time_limit must be a time"),
        (["colas2018/figure7", "--n-repeats", "0"], "n_repeats must be a whole number"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(arguments, sentence, capsys):
    assert run(["check", *arguments]) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert "Traceback" not in err


OF_RUNS = {
    "--test": "welch",
    "--measure": "iqm",
    "--interval": "t",
    "--n-runs": "5",
    "--n-resamples": "100",
    "--alpha": "0.1",
    "--confidence-level": "0.9",
    "--tasks": "x",
    "--algorithms": "A",
    "--columns": "score=r",
    "--last": "2",
}


@pytest.mark.parametrize("option", OF_RUNS)
def test_an_option_of_runs_is_refused_beside_a_study(option, capsys):
    assert run(["check", "colas2018/figure7", *FAST, option, OF_RUNS[option]]) == 2
    assert f"{option} is for a check on runs" in " ".join(capsys.readouterr().err.split())


def test_a_folder_that_is_called_as_a_study_is_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "colas2019").mkdir()
    (tmp_path / "colas2019" / "table02").write_text("algorithm,score\nA,1\nA,2\n")
    assert run(["check", "colas2019/table02", "--format", "csv"]) == 2
    assert "no algorithm has the runs that a check draws two groups from" in capsys.readouterr().err
