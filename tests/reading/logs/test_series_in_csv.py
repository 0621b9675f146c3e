"""A file of two numbers a line, without a head, is a series where its place or its name says so, and its steps rise."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import runoff as ro
from runoff.reading.logs.tools.tables import SCALAR_CSV_FOLDER, _is_series


@pytest.mark.parametrize("place", ["logs", SCALAR_CSV_FOLDER])
@pytest.mark.parametrize("name", ["notes.csv", "eval_reward.csv"])
@pytest.mark.parametrize(
    "lines", [b"0,5\n10,7\n20,6\n", b"20,5\n10,7\n0,6\n", b"0,5,1\n10,7,1\n", b"step,score\n0,5\n"]
)
def test_two_numbers_a_line_are_a_series_if_steps_rise_and_the_place_or_the_name_says_so(place, name, lines):
    says_so = place == SCALAR_CSV_FOLDER or "reward" in name
    assert _is_series(SimpleNamespace(parts=("ppo", place)), name, lines) == (says_so and lines.startswith(b"0,5\n"))


def test_a_table_of_runs_in_a_folder_called_as_those_of_dvclive_is_a_table(put):
    rows = "".join(f"{name}\tPong\t{seed}\t{seed}\n" for name in ("ppo", "sac") for seed in range(2))
    file = put("plots/metrics/returns.tsv", f"algorithm\ttask\tseed\tscore\n{rows}")
    assert ro.read_scores(file.parents[2]).algorithms == ("ppo", "sac")
