"""JSON that every parser reads: JSON has no infinity, so an infinite number is the string "Infinity" or "-Infinity".

A statistic is infinite where samples have no spread and differ. Python's `float` and JavaScript's `Number` read both strings back.
"""

from __future__ import annotations

import json
from math import isfinite, isnan
from typing import Any


def strict_json(value: Any) -> str:
    """Return plain values (dicts, lists, texts, numbers) as JSON text with a line end."""
    return json.dumps(_finite(value), indent=1, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
