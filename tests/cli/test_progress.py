"""What is told while files are read: shares to whoever listens, a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import io
import sys

import pytest
from rich.progress import Progress

import runoff as ro
from runoff.base.waiting import listening, ticking
from runoff.cli.app import run
from tests.places import LOGS


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def tables(tmp_path):
    for i in range(6):
        (tmp_path / f"{'PPO' if i % 2 else 'A2C'}_seed{i}.csv").write_text(f"task,score\nx,{i}\n")
    return tmp_path


def test_files_and_logs_are_counted_off_to_whoever_listens(tables):
    for place in (tables, LOGS / "stable_baselines3"):
        heard = []
        with listening(lambda what, share: heard.append((what, share))):  # noqa: B023
            ro.load(place)
        shares = [share for _, share in heard]
        assert (min(shares) > 0, max(shares), heard[-1][0].startswith("reading")) == (True, 1.0, True)
    quiet = len(heard)
    ro.load(tables)
    assert len(heard) == quiet


def test_a_hundred_thousand_files_are_told_of_a_few_hundred_times():
    heard = []
    with listening(lambda what, share: heard.append(what)):
        tick = ticking("reading files", 100_000)
        for _ in range(100_000):
            tick()
    assert (len(heard), heard[-1]) == (200, "reading files, 100000 of 100000")


GATE = ["gate", "--algorithm", "PPO", "--margin", "1sd", "--force", "--save", "baseline.json"]


@pytest.mark.parametrize("verb", [["aggregate"], ["scan"], GATE])
def test_a_terminal_sees_what_is_read_and_a_file_does_not(tables, tmp_path_factory, monkeypatch, verb):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    drawn = []
    monkeypatch.setattr(Progress, "update", lambda *_, description, completed: drawn.append(description))
    for stream in (io.StringIO(), Terminal()):
        assert not any("reading files" in what for what in drawn)
        monkeypatch.setattr(sys, "stderr", stream)
        assert run([*verb, str(tables)]) == 0
    assert "reading files, 6 of 6" in drawn
