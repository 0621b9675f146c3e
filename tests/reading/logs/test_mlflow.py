"""Runs of MLflow, in files and in its database: names, values, what was deleted, and a database that is being written."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff as ro
from tests.places import LOGS
from tests.reading.logs.test_fuzz import DAMAGE, QUICK, assert_sound, damaged
from tests.reading.logs.test_samples import assert_same, curves_of, oracle_of

TOOLS = ("mlflow", "mlflow_database")
DATABASE = LOGS / "mlflow_database" / "mlflow.db"
FILES = sorted((LOGS / "mlflow").rglob("*"))
RUN = next(path.parent for path in FILES if path.name == "params")


@pytest.fixture
def database(tmp_path):
    return shutil.copy(DATABASE, tmp_path / "mlflow.db")


@pytest.mark.parametrize("tool", TOOLS)
def test_runs_of_mlflow_have_the_names_of_their_parameters_and_the_values_of_its_client(tool):
    curves = curves_of(tool)
    assert set(curves) == {(a, "Hopper-v4", seed) for a in ("ppo", "sac") for seed in ("0", "1")}
    for key, points in oracle_of(tool).items():
        algorithm, seed = key.split("/")
        finite = [point for point in points if point[2] == point[2]]
        assert_same(curves[algorithm, "Hopper-v4", seed], [p[0] for p in finite], [p[2] for p in finite])
    assert ro.read_curves(LOGS / tool).time[:5].tolist() == [1.5, 3.0, 4.5, 6.0, 7.5]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_first_value_that_is_nan_is_no_zero_and_infinity_is_no_large_number(tool):
    assert any("begin with NaN" in note for note in ro.read_curves(LOGS / tool).provenance.notes)
    with pytest.raises(ro.DataError, match="score is inf"):
        ro.read_curves(LOGS / tool, series="loss")


@pytest.mark.parametrize("tool", TOOLS)
def test_deleted_runs_are_told_and_left_out(tool):
    curves = ro.read_curves(LOGS / tool)
    assert any("2 run(s) were deleted" in note for note in curves.provenance.notes)
    assert curves.values.max() < 99


def test_the_name_of_an_experiment_is_a_folder_for_patterns():
    records = ro.scan(DATABASE, pattern="{algorithm}/*").rows
    assert {record.algorithm for record in records} == {"ppo tuned", "sac tuned"}
    assert {record.algorithm for record in ro.scan(LOGS / "mlflow", pattern="mlruns/{algorithm}/*").rows} == {
        "ppo tuned",
        "sac tuned",
    }


def test_what_is_not_committed_is_not_read_and_leaves_no_trace(database):
    before = ro.read_curves(database)
    with closing(sqlite3.connect(database)) as base:
        base.executescript("PRAGMA cache_size = 1; BEGIN EXCLUSIVE; UPDATE metrics SET value = value + 1000;")
        base.execute("UPDATE params SET value = value || hex(zeroblob(900))")
        assert ro.read_curves(database).values.tolist() == before.values.tolist()
        base.rollback()
    assert [path.name for path in database.parent.iterdir()] == ["mlflow.db"]


def test_what_lies_in_the_log_of_a_database_is_read(database):
    before = ro.read_curves(database).values
    with closing(sqlite3.connect(database)) as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("UPDATE metrics SET value = value + 1000")
        base.commit()
        assert ro.read_curves(database).values.tolist() == (before + 1000).tolist()


def test_a_database_that_changes_while_it_is_read_is_refused(database, monkeypatch):
    from runoff.reading.logs.wire import sqlite

    states = iter([(1, n, b"") for n in range(20)])
    monkeypatch.setattr(sqlite, "_state", lambda path: next(states))
    with pytest.raises(ro.DataError, match="changed while it was read"):
        ro.read_curves(database)


def test_a_database_of_something_else_is_refused(tmp_path):
    with closing(sqlite3.connect(tmp_path / "mlflow.db")) as base:
        base.execute("CREATE TABLE runs (x)")
    with pytest.raises(ro.DataError, match="no database of MLflow: it has no table 'experiments'"):
        ro.read_curves(tmp_path)


def test_a_line_of_a_metric_without_step_or_with_more_behind_it_is_read(tmp_path):
    shutil.copytree(RUN, tmp_path / "1" / "a")
    metric = tmp_path / "1" / "a" / "metrics" / "eval" / "mean_return"
    metric.write_text("1700000000000 1.5 10 data abc123\n1700000001000 2.5 20\nbroken\n1700000002000 3 30\n17000")
    with pytest.warns(ro.RunoffWarning, match="cut off|malformed"):
        curves = ro.read_curves(tmp_path, series="eval/mean_return")
    assert (curves.steps.tolist(), curves.values.tolist()) == ([10.0, 20.0, 30.0], [1.5, 2.5, 3.0])
    metric.write_text("\n1700000000000 1.5\n\n")
    assert ro.read_curves(tmp_path, series="eval/mean_return").steps.tolist() == [0.0]


def test_a_run_whose_folder_is_called_as_parts_of_runs_are_is_a_run(tmp_path):
    folder = shutil.copytree(LOGS / "mlflow", tmp_path / "mlflow")
    run = folder / RUN.relative_to(LOGS / "mlflow")
    run.rename(run.with_name("train"))
    assert ro.read_scores(folder) == ro.read_scores(LOGS / "mlflow")


def test_a_model_that_was_logged_with_a_run_is_no_run(tmp_path):
    shutil.copytree(RUN, tmp_path / "1" / RUN.name)
    model = tmp_path / "1" / "models" / "m-1"
    shutil.copytree(RUN / "metrics", model / "metrics")
    (model / "meta.yaml").write_text(f"lifecycle_stage: active\nmodel_id: m-1\nsource_run_id: {RUN.name}\n")
    assert [record.path for record in ro.scan(tmp_path).rows] == [str(tmp_path / "1" / RUN.name)]


def test_the_experiment_that_mlflow_makes_by_default_is_no_run_that_crashed(tmp_path, recwarn):
    shutil.copytree(RUN, tmp_path / "123456" / RUN.name)
    for name, meta in (("0", "experiment_id: '0'\nname: Default\n"), ("1", "run_id: abc\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "meta.yaml").write_text(meta)
    ro.scan(tmp_path)
    ro.read_curves(tmp_path)
    (warned,) = {str(warning.message) for warning in recwarn if "crashed" in str(warning.message)}
    assert warned.endswith("runs that crashed (1)")


@settings(QUICK, max_examples=16)
@given(st.sampled_from(["meta.yaml", "metrics/eval/mean_return", "params/seed", "tags/mlflow.runName"]), DAMAGE)
def test_a_damaged_file_of_a_run_is_read_as_far_as_it_goes_or_refused(tmp_path, name, damage):
    run = tmp_path / name.replace("/", "-") / "mlruns" / "1" / RUN.name
    if not run.exists():
        shutil.copytree(RUN, run)
    (run / name).write_bytes(damaged((RUN / name).read_bytes(), damage))
    assert_sound(run.parents[2])


def drawn(number: int) -> str:
    return hashlib.md5(bytes([number])).hexdigest()


@pytest.fixture
def run_of(put):
    """Write a run of the file store: what its meta.yaml says, its parameters and tags, and the lines of its metric."""

    def write(number: int, meta: str, lines: str = "0 1.5 10\n1 2.5 20\n", **texts: str) -> None:
        folder = f"mlruns/7/{drawn(number)}"
        put(f"{folder}/meta.yaml", f"run_id: a\nlifecycle_stage: active\nstart_time: 0\n{meta}\n")
        put(f"{folder}/metrics/eval_return", lines)
        for name, text in texts.items():
            put(f"{folder}/{name.replace('__', '/')}", text)

    return write


def test_names_of_runs_are_in_meta_or_in_a_tag_and_parameters_count_before_tags(run_of, tmp_path):
    run_of(1, "status: 3\nrun_name: sac_seed1", tags__lr="0.5", params__lr="0.1")
    run_of(2, "status: 3", tags__lr="0.5", params__lr="0.2", **{"tags__mlflow.runName": "sac_seed2"})
    assert [(row.algorithm, row.run) for row in ro.scan(tmp_path).rows] == [("sac", "1"), ("sac", "2")]
    assert ro.read_curves(tmp_path).variants().algorithms == ("sac (lr 0.1)", "sac (lr 0.2)")


@pytest.mark.parametrize("status", ["4", "5"])
def test_a_run_of_files_that_failed_or_was_killed_did_not_finish(run_of, tmp_path, status):
    for seed, own in ((1, status), (2, "3")):
        run_of(seed, f"status: {own}\nrun_name: sac_seed{seed}")
    assert any("1 run(s) did not finish successfully" in note for note in ro.scan(tmp_path).notes)


def test_a_last_line_without_its_step_is_cut_off_and_an_older_identifier_is_one(run_of, put, tmp_path):
    run_of(1, "status: 3\nrun_name: sac_seed1", lines="0 1.5 10\n1 2.5 20\n2 3")
    meta = tmp_path / f"mlruns/7/{drawn(1)}/meta.yaml"
    meta.write_text(meta.read_text().replace("run_id", "run_uuid"))
    with pytest.warns(ro.RunoffWarning, match="eval_return, the last line is cut off"):
        assert ro.read_curves(tmp_path).steps.tolist() == [10, 20]


def test_runs_of_a_deleted_experiment_are_deleted_and_a_survey_has_the_last_step(database):
    files, own = ({row.steps for row in ro.scan(path).rows} for path in (LOGS / "mlflow", database))
    assert own == files
    with closing(sqlite3.connect(database)) as base, base:
        base.execute("UPDATE experiments SET lifecycle_stage = 'deleted'")
    with pytest.raises(ro.DataError, match=r"the database holds no run of MLflow \(\d+ deleted\)"):
        ro.read_curves(database)


@pytest.mark.parametrize("called", ["{m}_{d}_{s}", "run {s}", "lucky-{s}"])
def test_configured_models_are_compared_whatever_runs_of_one_experiment_are_called(run_of, put, tmp_path, called):
    put("mlruns/7/meta.yaml", "experiment_id: '7'\nname: slate-recsys\nlifecycle_stage: active\n")
    cells = [
        (m, d, s) for m in ("SlateQ", "GRU4Rec-REINFORCE") for d in ("Yoochoose", "MovieLens-20M") for s in (11, 22)
    ]
    for number, (m, d, s) in enumerate(cells):
        name = called.format(m=m, d=d, s=s)
        run_of(number, f"status: 3\nrun_name: {name}", params__model=m, params__dataset=d, params__seed=str(s))
    survey = [(row.algorithm, row.task, row.run) for row in ro.scan(tmp_path).rows]
    assert sorted(survey) == sorted((m, d, str(s)) for m, d, s in cells)


def test_known_algorithms_in_names_of_runs_are_not_replaced_by_their_models(run_of, put, tmp_path):
    put("mlruns/7/meta.yaml", "experiment_id: '7'\nname: bench\nlifecycle_stage: active\n")
    cells = [(a, m, s) for a in ("ppo", "sac") for m in ("mlp", "cnn") for s in (1, 2)]
    for number, (a, m, s) in enumerate(cells):
        run_of(number, f"status: 3\nrun_name: {a}_{m}_seed{s}", params__model=m, params__seed=str(s))
    assert all("ppo" in row.algorithm or "sac" in row.algorithm for row in ro.scan(tmp_path).rows)
