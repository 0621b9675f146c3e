"""Tables of runs exported from Weights & Biases: read by their columns, and runs that did not finish are told."""

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


def test_runs_that_crashed_or_still_go_on_are_told(put):
    path = put("runs.csv", rows("finished", "crashed", "running", "crashed"))
    sentence = r"3 of 4 rows .* did not finish \(2 'crashed', 1 'running'\)"
    with pytest.warns(ro.RunoffWarning, match=sentence):
        scores = ro.read_scores(path)
    assert any("did not finish" in note for note in scores.provenance.notes)


def test_a_column_called_state_is_no_sign_of_an_export(put):
    path = put("plain.csv", "State,algorithm,score\ncrashed,a,1\ncrashed,a,2\n")
    assert ro.read_scores(path).cell("a", "task").tolist() == [1.0, 2.0]
