"""Locks: one call at a time, whether or not the system has locks, and never for ever."""

from __future__ import annotations

import errno
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import runoff as ro
from runoff.base import locks

BEFORE_NOW = 10_000.0


@pytest.fixture(params=["flock", "no fcntl", "a file system without locks"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of system."""
    if request.param == "no fcntl":
        monkeypatch.setattr(locks, "SYSTEM_LOCKS", False)
    elif request.param != "flock":

        def refuse(*_call: object) -> None:
            raise OSError(errno.ENOLCK, "No locks available")

        monkeypatch.setattr(locks.fcntl, "flock", refuse)


def test_no_addition_of_many_at_once_is_lost(system: None, tmp_path: Path) -> None:
    total = tmp_path / "total"
    total.write_text("0")

    def add(_i: int) -> None:
        with locks.locked(total, "total"):
            before = int(total.read_text())
            time.sleep(0.001)
            total.write_text(str(before + 1))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(24)))
    assert total.read_text() == "24"
    assert os.listdir(tmp_path) == ["total"]


def test_who_waits_too_long_is_told_to_run_again(system: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    place = tmp_path / "s.json"
    message = r"another call .* the state .* run this call again"
    with locks.locked(place, "state"), pytest.raises(ro.OutputError, match=message), locks.locked(place, "state"):
        pass


def test_the_lock_of_a_killed_call_blocks_nobody(system: None, tmp_path: Path) -> None:
    for name in (".s.json.lock", ".s.json.held"):
        left = tmp_path / name
        left.touch()
        os.utime(left, (time.time() - BEFORE_NOW,) * 2)
    with locks.locked(tmp_path / "s.json", "state"):
        pass
    assert not (tmp_path / ".s.json.lock").exists()


def test_a_lock_is_not_made_through_a_link(tmp_path: Path) -> None:
    (tmp_path / ".s.json.lock").symlink_to(tmp_path / "elsewhere")
    message = r"the state .* cannot be written"
    with pytest.raises(ro.OutputError, match=message), locks.locked(tmp_path / "s.json", "state"):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_lock_whose_file_was_taken_away_meanwhile_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, flock = tmp_path / ".s.json.lock", locks.fcntl.flock
    calls = []

    def late(descriptor: int, operation: int) -> None:
        calls.append(operation)
        if len(calls) == 1:  # whoever held the lock ends in this moment
            name.unlink()
        flock(descriptor, operation)

    monkeypatch.setattr(locks.fcntl, "flock", late)
    with locks.locked(tmp_path / "s.json", "state"):
        assert name.exists()


@pytest.mark.parametrize("other", ["linked/s.json", "folder/latest.json", "latest.json"])
def test_two_names_of_one_file_meet_at_one_lock(
    other: str, system: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    file = tmp_path / "folder" / "s.json"
    file.parent.mkdir()
    file.write_text("{}")
    (tmp_path / "linked").symlink_to(file.parent, target_is_directory=True)
    for place in (file.parent, tmp_path):
        (place / "latest.json").symlink_to(file)
    with (
        locks.locked(file, "state"),
        pytest.raises(ro.RunoffError, match="another call of runoff"),
        locks.locked(tmp_path / other, "state"),
    ):
        pass
