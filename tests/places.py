"""Where things lie, told once: a test may move to another folder."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "runoff"
LOGS = ROOT / "tests" / "data" / "logs"
"""Training logs that the tools wrote themselves (`tests/io/logs/make_logs.py`)."""
SHARED = ROOT.parent / "shared" / "data"
"""Real runs that are not part of the project: a test that needs them skips where they are absent."""
