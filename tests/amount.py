"""How many random examples a law is looked at with: at most twenty in `make test`, all of them in `make test-all`."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("RUNOFF_TESTS") == "all"
MOST = 20


def examples(n: int, most: int = MOST) -> int:
    """Return how many of n examples are looked at; fewer than twenty where a test is repeated for every tool, say."""
    return n if THOROUGH else min(n, most)
