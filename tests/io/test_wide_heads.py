"""Wide tables: heads that name runs as well, and columns beside algorithms that are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import runoff as ro
from runoff.words.speech import in_shell

ROWS = "x,1,2,3,4\ny,5,6,7,8\n"


def read(tmp_path: Path, text: str, **how: Any) -> Any:
    file = tmp_path / "results.csv"
    file.write_text(text, encoding="utf-8")
    return ro.load(file, **how)


def cells(scores: Any) -> dict[str, dict[str, list[float]]]:
    return {a: {t: sorted(scores.cell(a, t)) for t in scores.tasks} for a in scores.algorithms}


PPO_AND_A2C = {"PPO": {"x": [1, 2], "y": [5, 6]}, "A2C": {"x": [3, 4], "y": [7, 8]}}


# ── heads that name runs as well ──────────


@pytest.mark.parametrize("head", ["{}_seed{}", "{}-s{}", "{}_s{}", "{}_run{}", "{} (seed {})", "s{1}_{0}"])
def test_heads_of_algorithms_with_their_runs_are_both_beside_a_column_of_tasks(tmp_path, head):
    heads = [head.format(name, run) for name in ("PPO", "A2C") for run in (1, 2)]
    assert cells(read(tmp_path, f"task,{','.join(heads)}\n{ROWS}")) == PPO_AND_A2C


def test_a_frame_with_such_heads_is_read_as_the_same_file():
    frame = {"task": ["x", "y"], "PPO_seed1": [1, 5], "PPO_seed2": [2, 6], "A2C_seed1": [3, 7], "A2C_seed2": [4, 8]}
    assert cells(ro.load(pd.DataFrame(frame))) == PPO_AND_A2C


@pytest.mark.parametrize("keys", [None, "run", "task/run"])
def test_heads_of_tasks_with_their_runs_are_both_beside_a_column_of_algorithms(tmp_path, keys):
    text = "algorithm,Pong_seed1,Pong_seed2,Breakout_seed1,Breakout_seed2\nA,1,2,30,40\nB,5,6,70,80\n"
    expected = {"A": {"Pong": [1, 2], "Breakout": [30, 40]}, "B": {"Pong": [5, 6], "Breakout": [70, 80]}}
    assert cells(read(tmp_path, text, keys=keys)) == expected


def test_a_second_column_of_what_the_heads_name_is_refused_with_a_repair_that_works(tmp_path):
    text = "task,algorithm,PPO_seed1,PPO_seed2,A2C_seed1,A2C_seed2\nx,q,1,2,3,4\ny,q,5,6,7,8\n"
    with pytest.raises(ro.DataError, match="column 'algorithm' names the algorithms already") as refusal:
        read(tmp_path, text)
    assert "--columns unused=algorithm" in in_shell(refusal.value.args[0])
    assert cells(read(tmp_path, text, columns={"unused": "algorithm"})) == PPO_AND_A2C
