"""Feather files: what pandas and polars write; what is cut off or damaged is refused."""

from __future__ import annotations

import io

import pandas as pd
import pytest

import runoff as ro
from tests.io.formats.examples import EXAMPLES

FRAME = pd.DataFrame({"agent": ["PPO", "PPO", "A2C"], "seed": [0, 1, 0], "return": [18.0, 20.0, 9.0]})


def test_what_pandas_writes_is_read(put):
    buffer = io.BytesIO()
    FRAME.to_feather(buffer)
    scores = ro.read_scores(put("runs.feather", buffer.getvalue()))
    assert scores.cell("PPO", "task").tolist() == [18.0, 20.0]
    assert dict(scores.provenance.columns) == {"algorithm": "agent", "run": "seed", "score": "return"}


@pytest.mark.parametrize("cut", [7, 20, 200])
def test_a_file_that_is_cut_off_is_refused(put, cut):
    with pytest.raises(ro.DataError, match="not a whole Feather file"):
        ro.read_scores(put("runs.feather", EXAMPLES["feather"][:-cut]))


def test_a_damaged_file_is_refused_in_one_sentence(put):
    data = bytearray(EXAMPLES["feather"])
    data[-20:-10] = b"\xff" * 10
    with pytest.raises(ro.DataError, match=r"the Feather file is damaged: .*"):
        ro.read_scores(put("runs.feather", bytes(data)))
