"""How many random examples a law is looked at with: at most twenty in `make test`, more in `make test-all`, all of them in `make test-long`."""

from __future__ import annotations

import os
from typing import Any

import pytest

THOROUGH = os.environ.get("RUNOFF_TESTS") == "all"
MOST = 20


def examples(n: int, most: int = MOST) -> int:
    """Return how many of n examples are looked at; fewer than twenty where a test is repeated for every tool, say."""
    return n if THOROUGH else min(n, most)


LONG = (pytest.mark.slow, pytest.mark.long)
"""The marks of a test that takes more than a minute."""


def amounts(few: int, many: int, full: int) -> list[Any]:
    """Return a parameter's values: a few designs in `make test`, many in `make test-all`, and all of them in `make test-long`."""
    return [few, pytest.param(many, marks=pytest.mark.slow), pytest.param(full, marks=LONG)]
