"""Hypothesis runs the same examples everywhere; HYPOTHESIS_PROFILE=explore looks further, by hand."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=False)
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

if "PYTEST_XDIST_WORKER" in os.environ:  # the workers fill the cores already, and more threads only wait for each other
    os.environ.setdefault("RUNOFF_THREADS", "1")
