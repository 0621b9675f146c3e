"""Parquet and Feather, also as pandas writes it: typed columns in, the same runs out; what is cut off or damaged is refused."""

from __future__ import annotations

import io

import pandas as pd
import polars as pl
import pytest

import runoff as ro
from tests.io.formats.examples import EXAMPLES


def parquet(**columns: object) -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(columns, strict=False).write_parquet(buffer)
    return buffer.getvalue()


def test_typed_columns_are_read(put):
    content = parquet(algo=["PPO", "PPO"], env_id=["Pong", "Pong"], seed=[1.0, 2.0], reward=[3, 4])
    scores = ro.read_scores(put("runs.parquet", content))
    assert scores.to_dict() == {"PPO": {"Pong": [3.0, 4.0]}}
    assert scores.runs == ("1", "2")


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
