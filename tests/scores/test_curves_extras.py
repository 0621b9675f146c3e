"""Time and episodes of learning curves: kept where they are numbers, NaN where a point has none, absent where nobody tells them."""

from __future__ import annotations

import numpy as np
import polars as pl

import runoff as ro

POINTS = {"algorithm": ["A"] * 3, "run": ["1", "0", "0"], "step": [1.0, 2.0, 1.0], "score": [5.0, 6.0, 7.0]}


def test_time_and_episodes_follow_their_points_into_the_order_of_curves():
    curves = ro.Curves.from_frame(pl.DataFrame({**POINTS, "time": [10.0, None, 30.0], "episodes": [1, 2, 3]}))
    assert curves.values.tolist() == [7.0, 6.0, 5.0]
    assert np.array_equal(curves.time, [30.0, np.nan, 10.0], equal_nan=True)
    assert curves.episodes.tolist() == [3.0, 2.0, 1.0]
    assert curves.to_frame().columns == ["algorithm", "task", "run", "step", "score", "time", "episodes"]


def test_a_time_of_day_is_no_number_of_seconds():
    curves = ro.Curves.from_frame({**POINTS, "time": ["10:30", "10:31", "10:32"], "episodes": [None, None, None]})
    assert (curves.time, curves.episodes) == (None, None)
    assert curves.to_frame().columns == ["algorithm", "task", "run", "step", "score"]


def test_files_without_times_give_nan_beside_files_with_them(tmp_path):
    (tmp_path / "A.csv").write_text("algorithm,run,step,score,time\nA,0,1,5,2.5\n")
    (tmp_path / "B.csv").write_text("algorithm,run,step,score\nB,0,1,5\n")
    curves = ro.read_curves(tmp_path)
    assert np.array_equal(curves.time, [2.5, np.nan], equal_nan=True)
    assert curves.episodes is None
    assert not any("columns not used" in note for note in curves.provenance.notes)
