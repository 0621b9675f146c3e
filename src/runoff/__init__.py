"""runoff: from a handful of reinforcement-learning runs to a claim that survives review.

The table of contents is `__init__.pyi`, for type checkers and for this file alike; each name is loaded when first used.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import version as _version
from pathlib import Path
from typing import Any

_CONTENTS = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOME = {name: home for home, name in re.findall(r"^from (\S+) import (\w+) as", _CONTENTS, flags=re.MULTILINE)}

__all__ = [*_HOME, "__version__"]
__version__ = _version("runoff")


def __getattr__(name: str) -> Any:
    if name in ("read", "load"):
        raise AttributeError(
            f"runoff has no {name!r}: ro.read_scores(path) reads end scores and ro.read_curves(path) learning curves, ro.scan(path) shows "
            "what is there, and ro.load_example('classic_control') the runs that are shipped."
        )
    if name not in _HOME:
        raise AttributeError(f"module 'runoff' has no attribute {name!r}")
    if _HOME[name] == "runoff":  # a room, not a name in one
        return import_module(f"runoff.{name}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
