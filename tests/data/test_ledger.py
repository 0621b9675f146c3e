"""The file of a search: whole lines, one call at a time, and no line changed, also by two processes and `kill -9`."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro
from runoff.data.ledger import read_ledger

BASE = np.random.default_rng(0).normal(size=8).tolist()


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "night.jsonl"
    ro.Ledger(place).champion(BASE, name="base")
    return place


def test_a_line_that_a_killed_call_left_is_taken_away_and_the_call_can_be_made_again(path):
    whole = path.read_bytes()
    ro.Ledger(path).propose([9.0], name="a")
    line = path.read_bytes()[len(whole) :]
    for length in (1, len(line) // 2, len(line) - 1):
        path.write_bytes(whole + line[:length])
        assert ro.Ledger(path).record().n_runs == 8
        assert ro.Ledger(path).propose([9.0], name="a").decision == "run_more"
        assert path.read_bytes() == whole + line


@pytest.mark.parametrize("change", ["a score", "a line", "the order"])
def test_a_ledger_that_was_changed_is_refused_with_the_line(path, change):
    ro.Ledger(path).propose([9.0], name="a")
    ro.Ledger(path).propose([8.0], name="b")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if change == "a score":
        lines[2] = lines[2].replace("9.0", "7.0")
    elif change == "a line":
        del lines[2]
    else:
        lines[2], lines[3] = lines[3], lines[2]
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(ro.DataError, match=r"line 3 of the ledger .* was changed"):
        ro.Ledger(path).propose([7.5], name="c")


OTHER_FILES = (
    "{}\n",
    "[1]\n",
    "not json\n",
    '{"schema": "runoff.baseline/2"}\n',
    '{"ours": [1.5]}',
    "algorithm,score\nours,1",
)


@pytest.mark.parametrize("content", OTHER_FILES)
def test_a_file_that_is_no_ledger_is_refused_and_left_alone(tmp_path, content):
    place = tmp_path / "other.jsonl"
    place.write_text(content, encoding="utf-8")
    with pytest.raises(ro.DataError, match=r"other\.jsonl is no ledger"):
        ro.Ledger(place).champion(BASE, name="base")
    assert place.read_text(encoding="utf-8") == content


def test_an_answer_that_does_not_follow_from_the_runs_is_refused(path):
    ro.Ledger(path).propose([9.0], name="a")
    ledger = read_ledger(path)
    *head, last = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(head), encoding="utf-8")
    before = read_ledger(path)
    call = ledger.calls[-1]
    before.add(type(call)(candidate="a", runs=call.runs, decision="keep", reason="shown"), before.settings)
    with pytest.raises(ro.DataError, match=r"the answer on line 3 .* does not follow from its runs"):
        ro.Ledger(path).record()
    assert json.loads(last)["decision"] == "run_more"


def test_nothing_is_written_through_a_link(path, tmp_path):
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    with pytest.raises(ro.OutputError, match="is a link"):
        ro.Ledger(link).propose([9.0], name="a")


def test_one_line_is_the_same_by_what_is_read_and_by_what_was_written(path):
    first = ro.Ledger(path).propose([9.1234567890123456], name="a")
    assert read_ledger(path).calls[-1].runs[0].scores == (9.1234567890123456,)
    assert first.proposals == ro.Ledger(path).record().proposals
