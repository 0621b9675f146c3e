"""The Python of the pages about studies runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import runoff as ro
from runoff.studies import METHODS

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str) -> list[str]:
    found = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    return [block for block in found if "scheduler:8786" not in block]


@pytest.mark.parametrize("page", ["guides/is-this-test-safe.md", "studies.md"])
def test_the_python_of_a_page_runs(page: str) -> None:
    names: dict[str, object] = {"ro": ro}
    for block in blocks(page):
        exec(block, names)  # the page's own code
    METHODS.pop("sign_of_best", None)
    assert blocks(page)
