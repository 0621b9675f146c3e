"""Hypothesis runs the same examples everywhere; HYPOTHESIS_PROFILE=explore looks further, by hand."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

pytest_plugins = ["pytester"]  # for the tests of runoff.pytest_plugin

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=False, max_examples=60)
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

if "PYTEST_XDIST_WORKER" in os.environ:  # the workers fill the cores already, and more threads only wait for each other
    os.environ.setdefault("RUNOFF_THREADS", "1")


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave figures out of a report of which a test reads the words and the records."""
    from tests.report.made import UNDRAWN

    monkeypatch.setattr(*UNDRAWN)
