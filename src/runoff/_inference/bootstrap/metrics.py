"""Aggregate metrics by name: what is trimmed, which way is better, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, TypeVar

from runoff.errors import OptionError, nearest
from runoff.words.names import metric_title


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric; `trim` is the proportion cut from each end of the pool, None if nothing is pooled.

    `title` heads columns and panels, `cited` stands in a methods paragraph.
    """

    name: str
    title: str
    cited: str
    trim: float | None = None
    higher_is_better: bool = True


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            Metric(name="iqm", title=metric_title("iqm"), cited="the interquartile mean", trim=0.25),
            Metric(name="mean", title=metric_title("mean"), cited="the mean"),
            Metric(name="median", title=metric_title("median"), cited="the median of task means"),
            Metric(
                name="optimality_gap",
                title=metric_title("optimality_gap"),
                cited="the optimality gap",
                higher_is_better=False,
            ),
        )
    }
)
"""The fixed names; "trimmed_mean_10" (any whole per cent below 50) is the pooled mean without the lowest and highest 10 %."""


class Estimated(Protocol):
    """A record with an estimate."""

    @property
    def estimate(self) -> float: ...


R = TypeVar("R", bound=Estimated)


def parse_metric(name: str) -> Metric:
    """Return the metric of a name.

    Raises
    ------
    OptionError
        The name is none of METRICS or trimmed_mean_P.
    """
    if name in METRICS:
        return METRICS[name]
    match = re.fullmatch(r"trimmed_mean_(\d{1,2})", str(name))
    if match and int(match[1]) < 50:
        cut = int(match[1])
        return Metric(name=name, title=metric_title(name), cited=f"the {cut}\u00a0% trimmed mean", trim=cut / 100)
    names = [*METRICS, "trimmed_mean_10"]
    raise OptionError(
        f"metrics are {', '.join(METRICS)} and trimmed_mean_P with P per cent (below 50) cut from each end, not {name!r}.{nearest(name, names)}"
    )


def best_first(records: Iterable[R], metric: str) -> list[R]:
    """Return records of one metric, the best estimate first."""
    sign = -1.0 if parse_metric(metric).higher_is_better else 1.0
    return sorted(records, key=lambda record: sign * record.estimate)
