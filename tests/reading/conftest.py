"""Files to read: small ones written here, and real ones, which are no part of the project, where they lie beside the checkout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.places import SHARED


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file into a fresh folder and return its path."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the shared data do not lie beside this checkout")
    return SHARED
