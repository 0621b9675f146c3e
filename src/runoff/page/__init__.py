"""The report: every answer on one page, and the files behind it.

answers   what is reported: the data and the results about them
words     sentences, the methods paragraph, numbers for readers
latex     tables for a paper
page      `build`: one self-contained HTML file, a pure function; its figures
files     `report`: tables, results.json, figures, moved into place; what verbs leave behind
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runoff.page.answers.all import Answers as Answers
    from runoff.page.files.write import report as report
    from runoff.page.sheet.build import build as build

_HOME = {
    "Answers": "runoff.page.answers.all",
    "build": "runoff.page.sheet.build",
    "report": "runoff.page.files.write",
}

__all__ = ["Answers", "build", "report"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'runoff.page' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
