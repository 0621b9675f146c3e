"""Tables of runs exported from Weights & Biases: read by their columns; what runs that did not finish count is asked."""

from __future__ import annotations

import warnings

import pytest

import runoff as ro

HEAD = '"Name","State","Notes","User","Tags","Created","Runtime","Sweep","algo","env_id","seed","eval/return"\n'


def rows(*states: str) -> str:
    lines = [
        f'"run-{i}","{state}","-","u","","2024-01-01T00:00:00.000Z","12","","ppo","Hopper-v4","{i}","{i + 0.5}"\n'
        for i, state in enumerate(states)
    ]
    return HEAD + "".join(lines)


def test_a_table_of_finished_runs_is_read_without_a_word(put):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = ro.read_scores(put("runs.csv", rows("finished", "finished")))
    assert scores.cell("ppo", "Hopper-v4").tolist() == [0.5, 1.5]


def test_runs_that_crashed_or_still_go_on_are_refused_until_it_is_said_what_they_count(put):
    path = put("runs.csv", rows("finished", "crashed", "running", "crashed"))
    sentence = r"3 of 4 rows are runs that did not finish successfully \(column 'State': 'crashed', 'running'\).*incomplete='drop'"
    with pytest.raises(ro.DataError, match=sentence):
        ro.read_scores(path)
    assert ro.read_scores(path, incomplete="drop").cell("ppo", "Hopper-v4").tolist() == [0.5]
    with pytest.raises(ro.DataError, match="2 of 2 rows are runs that did not finish successfully"):
        ro.read_scores(put("all.csv", rows("crashed", "crashed")))
