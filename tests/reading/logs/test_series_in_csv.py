"""A file of two numbers a line, without a head, is a series where its place or its name says so, and its steps rise."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from runoff.reading.logs.tools.tables import SCALAR_CSV_FOLDER, _is_series


@pytest.mark.parametrize("place", ["logs", SCALAR_CSV_FOLDER])
@pytest.mark.parametrize("name", ["notes.csv", "eval_reward.csv"])
@pytest.mark.parametrize(
    "lines", [b"0,5\n10,7\n20,6\n", b"20,5\n10,7\n0,6\n", b"0,5,1\n10,7,1\n", b"step,score\n0,5\n"]
)
def test_two_numbers_a_line_are_a_series_if_steps_rise_and_the_place_or_the_name_says_so(place, name, lines):
    says_so = place == SCALAR_CSV_FOLDER or "reward" in name
    assert _is_series(SimpleNamespace(parts=("ppo", place)), name, lines) == (says_so and lines.startswith(b"0,5\n"))
