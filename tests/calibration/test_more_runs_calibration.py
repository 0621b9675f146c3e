"""The advice on more runs is right: no lead above the margin is ruled out, most pairs get a number, and so many runs decide."""

from __future__ import annotations

import pytest

from docs import make_more_runs


def row(world, effect, undecided):
    cells = make_more_runs.row(make_more_runs.worlds()[world], effect, undecided).strip("| ").split(" | ")
    return [None if cell == "–" else float(cell) for cell in cells[2:]]


@pytest.mark.slow
@pytest.mark.parametrize("effect", make_more_runs.EFFECTS)
@pytest.mark.parametrize("world", [1, 4])
def test_advice_on_more_runs_is_wrong_in_at_most_5_percent_and_following_it_decides(world, effect):
    undecided, number, _, wrong, _, decided = row(world, effect, 40)
    if undecided:
        assert wrong <= 5
        assert number >= 80
    if undecided >= 20:
        assert decided >= 75


@pytest.mark.slow
def test_a_larger_lead_is_ruled_out_where_there_is_none_and_runs_are_many():
    undecided, _, ruled_out, wrong, *_ = row(8, 0.0, 20)
    assert (undecided, ruled_out, wrong) == (20, 100, 0)
