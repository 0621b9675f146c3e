"""The examples of a search: the loop runs as it stands, and the lake is Gymnasium's."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import runoff as ro
from examples.search.compare import START, changed, changes
from examples.search.lake import GOAL, MAP, NEXT, success, train
from tests.places import ROOT


@pytest.mark.slow
def test_the_loop_of_twenty_lines_judges_twenty_changes(tmp_path):
    path = tmp_path / "night.jsonl"
    call = [sys.executable, "-m", "examples.search.loop", str(path)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    result = ro.Ledger(path).record()
    assert len({row.candidate for row in result}) == 20
    assert {row.decision for row in result} <= {"keep", "discard"}
    assert done.stdout.splitlines()[-1] == result.record_sentence


def test_the_lake_slips_to_either_side_and_keeps_what_has_fallen_in():
    assert NEXT.shape == (16, 4, 3)
    # Right from the start: up the bank (stays), right, or down.
    assert sorted(NEXT[0, 2].tolist()) == [0, 1, 4]
    ends = [state for state in range(16) if MAP[state] in "HG"]
    assert (NEXT[ends] == np.array(ends)[:, None, None]).all()


def test_the_best_policy_of_the_lake_reaches_the_goal_as_often_as_is_known():
    # Value iteration of the undiscounted chance within 100 steps; 0.74 is what is known of this map.
    value = np.zeros(16)
    value[GOAL] = 1.0
    for _ in range(2000):
        value = np.where([letter in "HG" for letter in MAP], value, value[NEXT].mean(axis=2).max(axis=1))
    policy = value[NEXT].mean(axis=2).argmax(axis=1)
    assert success(policy.tolist()) == pytest.approx(0.74, abs=0.02)


def test_a_run_is_that_of_its_seed():
    assert train(dict(START), 3) == train(dict(START), 3)
    assert len({train(dict(START), seed) for seed in range(6)}) > 1


def test_changes_stay_within_the_ranges_of_their_settings():
    settings = START
    for change in changes(0):
        settings = changed(settings, change)
    values = dict(settings)
    assert 0.0125 <= values["alpha"] <= 0.8
    assert 0.01 <= values["epsilon"] <= 0.6
    assert 0.0 <= values["initial"] <= 1.0
