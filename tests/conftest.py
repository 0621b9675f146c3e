"""Hypothesis runs the same examples everywhere; HYPOTHESIS_PROFILE=explore looks further, by hand."""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import settings

from tests.amount import examples

pytest_plugins = ["pytester"]  # for the tests of runoff.pytest_plugin

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=False, max_examples=examples(60))
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

if "PYTEST_XDIST_WORKER" in os.environ:  # the workers fill the cores already, and more threads only wait for each other
    os.environ.setdefault("RUNOFF_THREADS", "1")


def pytest_configure() -> None:
    """Collect no garbage while tests are collected: what is made then stays, and is looked through again and again in vain."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave what was collected out of all later searches for garbage, which take a tenth of the time otherwise."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave figures out of a report of which a test reads the words and the records."""
    from tests.report.made import UNDRAWN

    monkeypatch.setattr(*UNDRAWN)
