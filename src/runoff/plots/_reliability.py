"""How steady is training? One interval per algorithm, one panel per measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from runoff.plots._canvas import PAGE
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._rows import draw_groups
from runoff.results.reliability import ReliabilityRecord, ReliabilityResult


def reliability(
    result: ReliabilityResult,
    *,
    axes: Sequence[Axes] | None = None,
    width: float = PAGE,
    marks: Mapping[str, Mark] | None = None,
) -> tuple[Axes, ...]:
    """How steady is the training of each algorithm, by every measure?

    Parameters
    ----------
    result : ReliabilityResult
        Algorithms become rows, measures panels; an arrow down says that lower is steadier.
    axes : sequence of Axes, optional
        One for each measure; None makes a figure (`axes[0].figure`).
    width : float
        Inches, of a figure that is made.
    marks : mapping of algorithm to Mark, optional

    Returns
    -------
    tuple of Axes

    Raises
    ------
    OptionError
        There are more or fewer `axes` than measures.
    """
    groups = {
        _head(records[0]): records
        for name in dict.fromkeys(record.metric for record in result.records)
        if (records := [record for record in result.records if record.metric == name])
    }
    known = marks or marks_of(dict.fromkeys(record.algorithm for record in result.records))
    return draw_groups(axes, groups, known, width=width, what="measure")


def _head(record: ReliabilityRecord) -> str:
    return record.metric.replace("_", " ").capitalize() + (" ↓" if record.lower_is_steadier else "")
