"""How many threads compute: as said in the call, in the environment, or as many as there are cores."""

from __future__ import annotations

import pytest

from runoff.base.random import n_threads
from runoff.errors import OptionError


@pytest.mark.parametrize("setting", ["1", "3", "17"])
def test_a_positive_number_in_the_environment_is_the_number_of_threads(monkeypatch, setting):
    monkeypatch.setenv("RUNOFF_THREADS", setting)
    assert n_threads() == int(setting)
    assert n_threads(2) == 2


@pytest.mark.parametrize("setting", ["0", "00", "-1", "", " ", "two", "1.5"])
def test_what_is_no_positive_number_in_the_environment_leaves_the_cores(monkeypatch, setting):
    monkeypatch.delenv("RUNOFF_THREADS", raising=False)
    cores = n_threads()
    monkeypatch.setenv("RUNOFF_THREADS", setting)
    assert n_threads() == cores >= 1


def test_no_threads_cannot_be_asked_for():
    with pytest.raises(OptionError, match="threads"):
        n_threads(0)


def test_python_in_a_browser_starts_no_thread_whatever_was_set(monkeypatch):
    monkeypatch.setenv("RUNOFF_THREADS", "4")
    assert n_threads() == 4
    monkeypatch.setattr("sys.platform", "emscripten")
    assert n_threads() == 1
