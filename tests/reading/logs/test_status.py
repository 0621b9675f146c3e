"""Runs that did not finish successfully by their own status, or have no score but NaN: refused until it is said what they count."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing

import numpy as np
import polars as pl
import pytest

import runoff as ro
from tests.places import LOGS
from tests.reference import logs as twin

STEPS = (100, 200)
RUNS = [("td3", 1, 5), ("td3", 2, 6), ("td3", 3, 9), ("sac", 1, 3), ("sac", 2, 4), ("sac", 3, 5)]
"""Algorithm, seed, score; the third failed."""


def sacred(put, algorithm, seed, value, failed):
    series = {"return": {"steps": STEPS, "values": [0, value], "timestamps": []}}
    put(f"{algorithm}{seed}/metrics.json", json.dumps(series))
    put(f"{algorithm}{seed}/run.json", json.dumps({"status": "INTERRUPTED" if failed else "COMPLETED"}))
    put(f"{algorithm}{seed}/config.json", json.dumps({"algo": algorithm, "seed": seed}))


def wandb(put, algorithm, seed, value, failed):
    rows = [
        twin.history(i, {"global_step": str(step), "return": str(score)})
        for i, (step, score) in enumerate(zip(STEPS, (0, value), strict=True))
    ]
    exit_code = twin.chunk(18, b"\x08\x01" if failed else b"")
    config = twin.run_record({"algo": json.dumps(algorithm), "seed": str(seed)})
    put(f"wandb/run-2024_{seed}-{algorithm}/run-{algorithm}{seed}.wandb", twin.wandb_file(config, *rows, exit_code))


def mlflow(put, algorithm, seed, value, failed):
    run = f"mlruns/1/{algorithm}{seed}"
    put(f"{run}/meta.yaml", f"run_id: a\nlifecycle_stage: active\nstart_time: 0\nstatus: {4 if failed else 3}\n")
    put(f"{run}/metrics/return", "".join(f"0 {v} {s}\n" for s, v in zip(STEPS, (0, value), strict=True)))
    put(f"{run}/params/algo", algorithm)
    put(f"{run}/params/seed", str(seed))


def ray(put, algorithm, seed, value, failed):
    rows = [{"training_iteration": s, "timesteps_total": s, "episode_reward_mean": v, "done": not failed and s == 200}
            for s, v in zip(STEPS, (0, value), strict=True)]  # fmt: skip
    put(f"{algorithm}/seed_{seed}/result.json", "".join(json.dumps(row) + "\n" for row in rows))
    if failed or seed == 2:  # a trial that was tried again and came to its end failed only once
        put(f"{algorithm}/seed_{seed}/error.txt", "Traceback")


def nan(put, algorithm, seed, value, failed):
    scores = [float("nan")] * 2 if failed else [0, value]
    rows = [twin.event(step, {"return": score}) for step, score in zip(STEPS, scores, strict=True)]
    put(f"{algorithm}/seed_{seed}/events.out.tfevents.1.host", twin.event_file(*rows))


def export(put, algorithm, seed, value, failed):
    """A line each of one table of Weights & Biases, whose steps are those of the last reports."""
    first = "State,algo,seed,_step,eval/return\n" if (algorithm, seed) == ("td3", 1) else ""
    path = put("more.csv", "").parent / "runs.csv"
    before = path.read_text() if path.is_file() else ""
    put("more.csv", "").unlink()
    put("runs.csv", f"{before}{first}{'crashed' if failed else 'finished'},{algorithm},{seed},200,{value}\n")


WITH_STATUS = [sacred, wandb, mlflow, ray, export]


def write(maker, put, tmp_path):
    for algorithm, seed, value in RUNS:
        maker(put, algorithm, seed, value, (algorithm, seed) == ("td3", 3))
    return tmp_path


@pytest.mark.parametrize("maker", [*WITH_STATUS, nan])
def test_a_run_that_failed_is_refused_until_it_is_said_what_it_counts(maker, put, tmp_path):
    folder = write(maker, put, tmp_path)
    for incomplete in (None, "auto", "error"):
        with pytest.raises(ro.DataError, match=r"incomplete='drop'.*incomplete='worst'.*incomplete='carry'"):
            ro.read_scores(folder, incomplete=incomplete)


@pytest.mark.parametrize("maker", [*WITH_STATUS, nan])
@pytest.mark.parametrize(("incomplete", "counted"), [("drop", [5, 6]), ("worst", [3, 5, 6]), ("carry", [5, 6, 9])])
def test_a_run_that_failed_counts_as_is_said(maker, incomplete, counted, put, tmp_path):
    folder = write(maker, put, tmp_path)
    if (maker, incomplete) == (nan, "carry"):
        with pytest.raises(ro.DataError, match="no score that could count; use incomplete='drop'"):
            ro.read_scores(folder, incomplete=incomplete)
        return
    scores = ro.read_scores(folder, incomplete=incomplete)
    assert sorted(scores.cell("td3", "task")) == counted
    assert scores.cell("sac", "task").tolist() == [3, 4, 5]
    (note,) = [note for note in scores.provenance.notes if "by request" in note]
    words = {"drop": "left out", "worst": "the worst run of their task", "carry": "the score that they have"}
    assert f"{words[incomplete]}, by request" in note


@pytest.mark.parametrize("maker", [*WITH_STATUS, nan])
def test_learning_curves_alone_are_as_they_were_logged(maker, put, tmp_path):
    with pytest.warns(ro.RunoffWarning, match="as logged"):
        curves = ro.read_curves(write(maker, put, tmp_path))
    assert curves.n_runs.sum() == (5 if maker is nan else 6)


def test_the_worst_of_costs_at_each_step_is_the_largest(put, tmp_path):
    scores = ro.read_scores(write(nan, put, tmp_path), incomplete="worst", lower_is_better=True)
    assert sorted(scores.cell("td3", "task")) == [-6, -6, -5]


@pytest.mark.parametrize("maker", WITH_STATUS[:-1])
def test_a_survey_names_the_runs_that_failed(maker, put, tmp_path):
    assert any("1 run(s) did not finish successfully" in note for note in ro.scan(write(maker, put, tmp_path)).notes)


def test_a_task_of_which_no_run_finished_has_no_worst_score(put, tmp_path):
    sacred(put, "td3", 1, 5, True)
    with pytest.raises(ro.DataError, match="no run of task 'task' finished"):
        ro.read_scores(tmp_path, incomplete="worst")


def test_databases_tell_the_status_of_their_runs(tmp_path):
    with closing(sqlite3.connect(shutil.copy(LOGS / "mlflow_database" / "mlflow.db", tmp_path))) as database:
        database.execute("UPDATE runs SET status = 'KILLED' WHERE lifecycle_stage = 'active'")
        database.commit()
    assert any("4 run(s) did not finish successfully" in note for note in ro.scan(tmp_path).notes)


def test_a_run_that_failed_in_neptune_says_so(tmp_path):
    for part in sorted((LOGS / "neptune").rglob("*.parquet")):
        frame = pl.read_parquet(part)
        path, kind, value = (pl.lit(entry) for entry in ("sys/failed", "bool", True))
        failed = frame.head(1).with_columns(attribute_path=path, attribute_type=kind, bool_value=value)
        pl.concat([frame, failed]).write_parquet(tmp_path / part.name)
    assert any("did not finish successfully" in note for note in ro.scan(tmp_path).notes)


@pytest.mark.parametrize("gap", [None, "soon"])
def test_a_report_of_sacred_without_a_time_leaves_the_others_theirs(put, tmp_path, gap):
    times = ["2024-01-01T00:00:10", gap, "2024-01-01T00:00:40"]
    early = {"steps": [1], "values": [0.0], "timestamps": ["2024-01-01T00:00:00"]}
    series = {"return": {"steps": [1, 2, 3], "values": [1.0, 2.0, 3.0], "timestamps": times}, "loss": early}
    put("ppo1/metrics.json", json.dumps(series))
    put("ppo1/config.json", json.dumps({"algo": "ppo", "seed": 1}))
    curves = ro.read_curves(tmp_path, series="return")
    assert curves.time.tolist() == pytest.approx([10.0, np.nan, 40.0], nan_ok=True)
