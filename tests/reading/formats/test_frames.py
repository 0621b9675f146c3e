"""Parquet and Feather, also as pandas writes it: typed columns in, the same runs out; what is cut off or damaged is refused."""

from __future__ import annotations

import io

import pandas as pd
import polars as pl
import pytest

import runoff as ro
from runoff.reading.formats import frames
from tests.reading.formats.examples import EXAMPLES


def parquet(**columns: object) -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(columns, strict=False).write_parquet(buffer)
    return buffer.getvalue()


def test_typed_columns_are_read(put):
    content = parquet(algo=["PPO", "PPO"], env_id=["Pong", "Pong"], seed=[1.0, 2.0], reward=[3, 4])
    scores = ro.read_scores(put("runs.parquet", content))
    assert scores.to_dict() == {"PPO": {"Pong": [3.0, 4.0]}}
    assert scores.run_labels == ("1", "2")


def test_one_column_an_algorithm_is_read(put):
    assert ro.read_scores(put("wide.parquet", parquet(PPO=[1, 2], A2C=[3, None]))).n_runs.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (parquet(algo=["PPO"], score=[1.0])[:-20], "not a whole Parquet file"),
        (b"PAR1", "not a whole Parquet file"),
        (b"PAR1" + b"\x00" * 40 + b"PAR1", "damaged"),
        (parquet(algo=["PPO", "A2C"], score=[1.0, None]), "row 2: the score .* is missing"),
        (parquet(algo=["PPO", "A2C"], score=[1.0, float("nan")]), "row 2: the score .* is nan"),
        (parquet(algo=["PPO", None], score=[1.0, 2.0]), "row 2: the algorithm .* is empty"),
        (parquet(algo=[["PPO"]], score=[1.0]), "row 1: the algorithm .* not a name"),
        (parquet(algo=[], score=[]), "no rows of data"),
    ],
)
def test_bad_parquet_is_refused_in_one_sentence(put, content, sentence):
    with pytest.raises(ro.DataError, match=sentence) as refusal:
        ro.read_scores(put("runs.parquet", content))
    assert "\n" not in str(refusal.value)


FRAME = pd.DataFrame({"agent": ["PPO", "PPO", "A2C"], "seed": [0, 1, 0], "return": [18.0, 20.0, 9.0]})


def test_what_pandas_writes_is_read(put):
    buffer = io.BytesIO()
    FRAME.to_feather(buffer)
    scores = ro.read_scores(put("runs.feather", buffer.getvalue()))
    assert scores.cell("PPO", "task").tolist() == [18.0, 20.0]
    assert dict(scores.provenance.columns) == {"algorithm": "agent", "run": "seed", "score": "return"}


@pytest.mark.parametrize("cut", [7, 20, 200])
def test_a_feather_file_that_is_cut_off_is_refused(put, cut):
    with pytest.raises(ro.DataError, match="not a whole Feather file"):
        ro.read_scores(put("runs.feather", EXAMPLES["feather"][:-cut]))


def test_a_damaged_feather_file_is_refused_in_one_sentence(put):
    data = bytearray(EXAMPLES["feather"])
    data[-20:-10] = b"\xff" * 10
    with pytest.raises(ro.DataError, match=r"the Feather file is damaged: .*"):
        ro.read_scores(put("runs.feather", bytes(data)))


def test_a_file_that_stops_the_library_is_refused_and_the_next_is_read(put, monkeypatch, request):
    child = frames.Child()
    request.addfinalizer(child.close)
    monkeypatch.setattr(frames, "CHILD", child)
    good = put("good.parquet", parquet(PPO=[1, 2]))
    assert ro.read_scores(good).n_runs.tolist() == [[2]]
    child.process.kill()
    child.process.wait()
    assert ro.read_scores(good).n_runs.tolist() == [[2]]
    monkeypatch.setattr(frames, "SCRIPT", put("dies.py", "import os, sys; sys.stdin.buffer.readline(); os.abort()"))
    child.process.kill()
    child.process.wait()
    with pytest.raises(ro.DataError, match="the Parquet file is damaged: the library that reads it stopped"):
        ro.read_scores(good)


def test_a_table_beyond_the_bounds_is_refused_before_it_is_unpacked(put, monkeypatch):
    monkeypatch.setenv("RUNOFF_MAX_FIELDS", "3")
    with pytest.raises(ro.DataError, match="2 rows of 2 columns"):
        ro.read_scores(put("runs.parquet", parquet(PPO=[1, 2], A2C=[3, 4])))
