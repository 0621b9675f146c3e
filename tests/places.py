"""Where things lie, told once: a test may move to another folder."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "runoff"
LOGS = ROOT / "tests" / "data" / "logs"
"""Training logs that the tools wrote themselves (`tests/reading/logs/make_logs.py`)."""
SHARED = ROOT.parent / "shared" / "data"
"""Real runs that are not part of the project: a test that needs them skips where they are absent."""


def tracked() -> list[str]:
    """Return the files that git knows, by their path from the root; a test in what is no checkout skips."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode:
        pytest.skip("this is no checkout")
    return [name for name in listing.stdout.decode().split("\0") if (ROOT / name).is_file()]
