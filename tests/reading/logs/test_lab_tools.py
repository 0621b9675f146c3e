"""Loggers of laboratories' code: names, steps and values of their samples (tests/reading/logs/make_lab_logs.py), and what is refused."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from contextlib import closing
from datetime import datetime

import numpy as np
import polars as pl
import pytest

import runoff as ro
from tests.places import LOGS
from tests.reading.logs.test_samples import assert_same, curves_of, oracle_of

# ── Dreamer ──────────


def test_dreamer_folders_give_scores_of_episodes_by_steps_and_names_of_the_configuration():
    curves = curves_of("dreamer")
    assert set(curves) == {("dreamerv3", "dmc_walker_walk", seed) for seed in "01"}
    for seed, series in oracle_of("dreamer").items():
        assert_same(curves["dreamerv3", "dmc_walker_walk", seed], *series)


@pytest.mark.parametrize("name", ["metrics.jsonl", "scores.jsonl"])
def test_one_of_the_two_files_of_dreamer_is_enough(name, tmp_path):
    source = LOGS / "dreamer" / "dreamerv3" / "20240130T102030"
    (tmp_path / name).write_bytes((source / name).read_bytes())
    assert_same(ro.read_curves(tmp_path).curve(0), *oracle_of("dreamer")["0"])


def test_returns_that_the_model_imagines_are_no_score_unless_asked_for(tmp_path):
    (record, _) = ro.scan(LOGS / "dreamer").rows
    assert record.series == "episode/score"
    assert "model/train/ret" in record.all_series
    imagined = ro.read_curves(LOGS / "dreamer", series="train/ret").curve(0)[1]
    assert imagined == pytest.approx([value / 9 for value in oracle_of("dreamer")["0"][1]])
    for name in ("train/ret", "report/ret", "report/rew", "eval/ret", "eval/rew_mean"):
        (tmp_path / "metrics.jsonl").write_text(f'{{"step": 1, "{name}": 0.5}}\n')
        assert ro.scan(tmp_path).rows == ()


# ── score archives ──────────


def test_every_run_of_every_score_archive_is_a_run():
    curves = curves_of("score_archive")
    assert {"/".join(key) for key in curves} == set(oracle_of("score_archive"))
    for key, series in oracle_of("score_archive").items():
        assert_same(curves[tuple(key.split("/"))], *series)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"xs": [1, 2], "ys": [1.0]}, r"run 1: xs has 2 number\(s\), ys has 1"),
        ({"xs": [1], "ys": ["high"]}, "'ys' has 'high', which is not a number"),
        ({"xs": [1], "ys": [1.0], "seed": None}, "'seed' is 'None'; each run"),
        ({"xs": [1], "ys": [1.0], "seed": True}, "'seed' is 'True'; each run"),
        ({"xs": [1], "ys": [1.0], "task": " "}, "'task' is ' '; each run"),
    ],
)
def test_a_run_of_an_archive_that_does_not_fit_is_refused_with_its_number(entry, message, tmp_path):
    content = [{"task": "a", "method": "m", "seed": 0, **entry}]
    (tmp_path / "runs.json").write_text(json.dumps(content))
    with pytest.raises(ro.DataError, match=message):
        ro.read_curves(tmp_path)


def test_blanks_around_a_name_of_an_archive_make_no_other_name(tmp_path):
    runs = [{"task": task, "method": "m", "seed": i, "xs": [1], "ys": [i]} for i, task in enumerate(("a", " a"))]
    (tmp_path / "runs.json").write_text(json.dumps(runs))
    assert ro.read_curves(tmp_path).tasks == ("a",)


# ── d3rlpy, Acme, bsuite, baselines ──────────


def test_files_of_d3rlpy_are_series_and_its_evaluations_are_the_score():
    curves = curves_of("d3rlpy")
    assert set(curves) == {(name[:3], "task", name) for name in oracle_of("d3rlpy")}
    for name, series in oracle_of("d3rlpy").items():
        assert_same(curves[name[:3], "task", name], *series)
    assert ro.read_curves(LOGS / "d3rlpy", series="environment").values.size == 24


def test_the_evaluator_of_acme_is_read_against_the_steps_of_the_actor():
    curves = curves_of("acme")
    for seed, series in oracle_of("acme").items():
        assert_same(curves["d4pg", "task", seed], *series)
    (record, _) = ro.scan(LOGS / "acme").rows
    assert (record.series, "learner/critic_loss" in record.all_series) == ("evaluator/episode_return", True)


def test_an_index_of_bsuite_is_a_run_only_where_it_is_but_a_seed():
    curves = curves_of("bsuite")
    for key, series in oracle_of("bsuite").items():
        agent, name, index = key.split("/")
        named = (agent, name, index) if name == "catch" else (agent, f"{name}/{index}", agent)
        assert_same(curves[named], *series)
    assert len(curves) == len(oracle_of("bsuite"))


@pytest.mark.parametrize(("tool", "last"), [("mushroom_rl", 6), ("elegantrl", 6000)])
def test_arrays_of_a_logger_are_runs_whose_score_is_the_return(tool, last):
    curves = curves_of(tool)
    assert {key[:2] for key in curves} == {({"mushroom_rl": "sac"}.get(tool, "SAC"), "Hopper-v4")}
    for seed, series in oracle_of(tool).items():
        assert_same(next(curve for key, curve in curves.items() if key[2] == seed), *series)
        assert series[0][-1] == last


@pytest.mark.parametrize(
    ("name", "array"), [("R-0.npy", np.ones((3, 2))), ("recorder.npy", np.ones((3, 2))), ("recorder.npy", np.ones(3))]
)
def test_an_array_of_another_shape_is_left_out_and_named(put, tmp_path, name, array):
    with io.BytesIO() as stream:
        np.save(stream, array)
        put(f"sac_Hopper-v4/{name}", stream.getvalue())
    with pytest.raises(ro.DataError, match=f"{name}: .*(are needed|a recorder has)"):
        ro.read_curves(tmp_path)


def test_the_mean_of_the_evaluations_of_pfrl_is_the_score_and_its_arguments_name_the_run():
    curves = curves_of("pfrl")
    assert set(curves) == {("td3", "Hopper-v2", seed) for seed in "01"}
    for seed, series in oracle_of("pfrl").items():
        assert_same(curves["td3", "Hopper-v2", seed], *series)
    assert dict(ro.read_curves(LOGS / "pfrl").provenance.columns) == {"score": "eval/return/mean", "step": "steps"}


def test_progress_of_baselines_is_read_and_its_monitors_belong_to_the_run():
    curves = curves_of("baselines")
    assert len(curves) == 2
    for seed, series in oracle_of("baselines").items():
        assert_same(curves["ppo2", "Hopper-v2", seed], *series)
    monitors = curves_of("baselines", series="monitor/reward")
    assert monitors["ppo2", "Hopper-v2", "1"][0].tolist() == [1000.0 * i for i in range(1, 7)]


def test_the_words_of_older_algorithms_of_baselines_are_known(tmp_path):
    (tmp_path / "progress.csv").write_text("EpRewMean,TimestepsSoFar,EpThisIter\n1.5,1024,3\n2.5,2048,3\n")
    assert [part.tolist() for part in ro.read_curves(tmp_path).curve(0)] == [[1024.0, 2048.0], [1.5, 2.5]]


# ── databases ──────────


def test_every_run_of_a_trackio_database_is_a_run():
    curves = curves_of("trackio")
    for key, series in oracle_of("trackio").items():
        algorithm, seed = key.split("/")
        assert_same(curves[algorithm, "Walker2d-v4", seed], *series)
    assert len(curves) == len(oracle_of("trackio"))


def test_a_database_of_older_trackio_names_runs_without_numbers_and_tells_seconds(tmp_path):
    with closing(sqlite3.connect(tmp_path / "walker.db")) as connection:
        connection.execute(
            "CREATE TABLE metrics (id INTEGER PRIMARY KEY, timestamp TEXT, run_name TEXT, step INTEGER, metrics TEXT)"
        )
        for i in range(3):
            row = (f"2025-01-31T10:20:{30 + 10 * i}", "ppo_seed3", 5 * i, json.dumps({"reward": i / 2}))
            connection.execute("INSERT INTO metrics (timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?)", row)
        connection.execute("INSERT INTO metrics (timestamp, run_name, step, metrics) VALUES ('', 'ppo_seed3', 15, '{')")
        connection.commit()
    with pytest.warns(ro.RunoffWarning, match="1 record"):
        curves = ro.read_curves(tmp_path)
    assert (curves.algorithms, curves.run_labels) == (("ppo",), ("3",))
    assert [part.tolist() for part in curves.curve(0)] == [[0.0, 5.0, 10.0], [0.0, 0.5, 1.0]]
    assert curves.time.tolist() == [0.0, 10.0, 20.0]


def test_numbers_of_trackio_tell_runs_of_one_name_and_repeat_no_name(tmp_path):
    with closing(sqlite3.connect(tmp_path / "walker.db")) as connection:
        connection.execute(
            "CREATE TABLE metrics (timestamp TEXT, run_name TEXT, run_id TEXT, step INTEGER, metrics TEXT)"
        )
        for name, number in (("ppo_seed3", "ppo_seed3"), ("sac_seed3", "u1"), ("sac_seed3", "u2")):
            row = ("2025-01-31T10:20:30", name, number, 5, '{"reward": 1}')
            connection.execute("INSERT INTO metrics VALUES (?, ?, ?, ?, ?)", row)
        connection.commit()
    rows = ro.scan(tmp_path).rows
    assert [row.path.rpartition(", ")[2] for row in rows] == ["ppo_seed3", "sac_seed3 (u1)", "sac_seed3 (u2)"]


def test_changes_that_may_be_withdrawn_are_no_rows(tmp_path):
    path = tmp_path / "walker.db"
    shutil.copyfile(LOGS / "trackio" / "walker.db", path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.execute("UPDATE metrics SET metrics = replace(metrics, 'mean_return', 'final_return')")
        assert (tmp_path / "walker.db-journal").stat().st_size > 0
        assert {record.series for record in ro.scan(path).rows} == {"eval/mean_return"}


def test_rows_that_are_only_in_the_log_of_a_database_are_read_and_nothing_is_written(tmp_path):
    path = tmp_path / "walker.db"
    shutil.copyfile(LOGS / "trackio" / "walker.db", path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE metrics SET metrics = replace(metrics, 'mean_return', 'final_return')")
        connection.commit()
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        (record, *_) = ro.scan(path).rows
        assert record.series == "eval/final_return"
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_database_that_is_being_written_is_read_as_it_was(tmp_path):
    path = tmp_path / "walker.db"
    shutil.copyfile(LOGS / "trackio" / "walker.db", path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        assert len(ro.scan(path).rows) == 4


def test_a_database_that_keeps_its_reader_waiting_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("runoff.reading.logs.wire.sqlite.MOST_WORK", 20)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'a' run_name, i step, '' timestamp, '{}' metrics FROM n"
    with closing(sqlite3.connect(tmp_path / "walker.db")) as connection:
        connection.execute(f"CREATE VIEW metrics AS {endless}")
        connection.commit()
    with pytest.raises(ro.DataError, match="this SQLite database cannot be read"):
        ro.read_curves(tmp_path)


def test_an_offline_store_of_neptune_names_the_way_out(tmp_path):
    (tmp_path / ".neptune" / "offline").mkdir(parents=True)
    (tmp_path / "notes.md").write_text("x")
    with pytest.raises(ro.DataError, match=r"store of Neptune: sync it and export .*neptune\.md"):
        ro.read_scores(tmp_path)


def test_stores_of_aim_are_refused_with_the_way_out(tmp_path):
    (tmp_path / "store" / ".aim" / "meta").mkdir(parents=True)
    for given in (tmp_path / "store", tmp_path / "store" / ".aim"):
        with pytest.raises(ro.DataError, match=r"a store of Aim: write .*trackio-aim\.md"):
            ro.read_scores(given)


def test_a_damaged_export_of_neptune_is_left_out_and_named(tmp_path):
    shutil.copytree(LOGS / "neptune", tmp_path / "runs")
    path = sorted((tmp_path / "runs").rglob("*.parquet"))[0]
    content = path.read_bytes()
    path.write_bytes(content[:-40] + b"attribute_path\xff\xff" + content[-8:])
    with pytest.warns(ro.RunoffWarning, match=r"1 log.* cannot be read.* the Parquet file is damaged"):
        ro.read_curves(tmp_path / "runs")


# ── published results that are tables ──────────


def test_dopamine_results_are_tables_whose_runs_begin_where_the_iterations_begin_again(tmp_path):
    rows = [
        {"Iteration": i, "Value": 10.0 * s + i, "Agent": a} for a in ("DQN", "C51") for s in range(3) for i in range(5)
    ]
    for game in ("alien", "pong"):
        (tmp_path / f"{game}.json").write_text(json.dumps(rows))
    curves = ro.read_curves(tmp_path)
    assert (curves.algorithms, curves.tasks, len(set(curves.run_labels))) == (("C51", "DQN"), ("alien", "pong"), 6)
    assert [part.tolist() for part in curves.curve(1)] == [[0.0, 1.0, 2.0, 3.0, 4.0], [10.0, 11.0, 12.0, 13.0, 14.0]]


def test_dqn_zoo_results_are_tables_that_name_task_and_seed(tmp_path):
    head = (
        "environment_name,seed,iteration,frame,eval_episode_return,train_episode_return,normalized_return,human_gap\n"
    )
    for agent in ("dqn", "c51"):
        rows = [
            f"{game},{seed},{i},{i * 1000000},{i + seed},0.5,0.1,0.9\n"
            for game in ("alien", "pong")
            for seed in (1, 2)
            for i in range(4)
        ]
        (tmp_path / f"{agent}.csv").write_text(head + "".join(rows))
    curves = ro.read_curves(tmp_path)
    assert (curves.algorithms, curves.tasks, curves.run_labels[:2]) == (("c51", "dqn"), ("alien", "pong"), ("1", "2"))
    assert [part.tolist() for part in curves.curve(1)] == [[0.0, 1e6, 2e6, 3e6], [2.0, 3.0, 4.0, 5.0]]


def test_what_trackio_notes_itself_is_no_setting_and_its_times_are_no_series(tmp_path):
    with closing(sqlite3.connect(tmp_path / "walker.db")) as connection, connection:
        connection.execute("CREATE TABLE metrics (timestamp TEXT, run_name TEXT, step INTEGER, metrics TEXT)")
        connection.execute("CREATE TABLE configs (run_name TEXT, config TEXT)")
        for seed in range(4):
            row = ("2025-01-31T10:20:30", f"ppo_seed{seed}", 5, '{"reward": 1}')
            connection.execute("INSERT INTO metrics VALUES (?, ?, ?, ?)", row)
            config = json.dumps({"lr": 0.1, "_Username": f"u{seed % 2}"})
            connection.execute("INSERT INTO configs VALUES (?, ?)", (f"ppo_seed{seed}", config))
    assert {row.all_series for row in ro.scan(tmp_path).rows} == {("reward",)}
    assert ro.read_curves(tmp_path).variants().algorithms == ("ppo",)


def test_points_of_an_export_of_neptune_are_sorted_by_step_and_its_name_names_the_run(tmp_path):
    for seed in (1, 2):
        rows = [("sys/name", "string", None, f"sac_seed{seed}", None)]
        rows += [("eval/return", "float_series", step, None, step / 8) for step in (30.0, 10.0, 20.0)]
        columns = dict(
            zip(
                ("attribute_path", "attribute_type", "step", "string_value", "float_value"),
                zip(*rows, strict=True),
                strict=True,
            )
        )
        empty = {"int_value": [None] * 4, "bool_value": [None] * 4, "timestamp": [datetime(2025, 1, 1)] * 4}
        pl.DataFrame({**columns, **empty}).write_parquet(tmp_path / f"RUN-{seed + 40}_part_0.parquet")
    assert [(row.algorithm, row.run, row.steps) for row in ro.scan(tmp_path).rows] == [
        ("sac", "1", 30.0),
        ("sac", "2", 30.0),
    ]
    assert ro.read_curves(tmp_path).steps.tolist() == [10, 20, 30] * 2
