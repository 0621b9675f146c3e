"""Parquet: typed columns in, the same runs out."""

from __future__ import annotations

import io

import polars as pl
import pytest

import runoff as ro


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
