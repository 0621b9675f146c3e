"""Aggregate metrics by name: what is trimmed, and which column of the bootstrap kernel holds it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from runoff.errors import OptionError, nearest

METRICS = ("iqm", "mean", "median", "optimality_gap")
"""The fixed names; "trimmed_mean_10" (any whole per cent below 50) is the pooled mean without the lowest and highest 10 %."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric by name; `trim` is the proportion cut from each end of the pool, None if nothing is pooled."""

    name: str
    trim: float | None = None

    @property
    def higher_is_better(self) -> bool:
        return self.name != "optimality_gap"


def parse_metric(name: str) -> Metric:
    """Return the metric of a name.

    Raises
    ------
    OptionError
        The name is none of METRICS or trimmed_mean_P.
    """
    if name == "iqm":
        return Metric(name, 0.25)
    if name in METRICS:
        return Metric(name)
    match = re.fullmatch(r"trimmed_mean_(\d{1,2})", name)
    if match and int(match[1]) < 50:
        return Metric(name, int(match[1]) / 100)
    known = [*METRICS, "trimmed_mean_10"]
    raise OptionError(
        f"metrics are {', '.join(METRICS)} and trimmed_mean_P with P per cent (below 50) cut from each end, not {name!r}.{nearest(name, known)}"
    )
