"""How long a study may take: "10m", "90s", "1.5h" or a number of seconds."""

from __future__ import annotations

import re
import time
from math import inf, isfinite

from runoff.errors import OptionError

SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(budget: str | float | None) -> float:
    """Return a budget in seconds, infinity for None."""
    if budget is None:
        return inf
    if isinstance(budget, int | float) and isfinite(budget) and budget > 0.0:
        return float(budget)
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([smh]?)\s*", str(budget))
    value = float(match[1]) * SECONDS[match[2]] if match else 0.0
    if not (isfinite(value) and value > 0.0):
        raise OptionError(f"budget must be a time such as '90s', '10m' or '1.5h', not {budget!r}.")
    return value


class Clock:
    """Says when a budget is spent."""

    __slots__ = ("_end",)

    def __init__(self, budget: str | float | None) -> None:
        self._end = time.monotonic() + seconds(budget)

    @property
    def spent(self) -> bool:
        return time.monotonic() >= self._end
