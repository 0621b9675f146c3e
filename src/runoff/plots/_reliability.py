"""How steady is training? One interval per algorithm, one panel per measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from runoff.plots._canvas import Places, places
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._rows import Group, draw_groups
from runoff.plots._scored import SCORE
from runoff.plots._widths import PAGE, page
from runoff.results.curves import ReliabilityRecord, ReliabilityResult
from runoff.words.names import VenueName


def reliability(
    result: ReliabilityResult,
    *,
    ax: Places = None,
    axes: Sequence[Axes] | None = None,
    width: float | VenueName = PAGE,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> tuple[Axes, ...]:
    """How steady is the training of each algorithm, by every measure?

    Parameters
    ----------
    result : ReliabilityResult
        Algorithms become rows, measures panels; an arrow down says that lower is steadier.
    ax : Axes or sequence of Axes, optional
        The same as `axes`; a single one where there is one panel.
    axes : sequence of Axes, optional
        One for each measure; None makes a figure (`axes[0].figure`).
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        Of the figure.

    Returns
    -------
    tuple of Axes

    Raises
    ------
    OptionError
        There are more or fewer `axes` than measures.
    """
    axes = places(ax, axes)
    groups = [
        Group(_head(records[0]), records, records[0].lower_is_steadier)
        for name in dict.fromkeys(record.metric for record in result.records)
        if (records := [record for record in result.records if record.metric == name])
    ]
    known = marks or marks_of(dict.fromkeys(record.algorithm for record in result.records))
    words = f"in units of the {SCORE}"
    return draw_groups(axes, groups, known, width=page(width), what="measure", words=words, title=title)


def _head(record: ReliabilityRecord) -> str:
    return record.metric.replace("_", " ").capitalize() + (" ↓" if record.lower_is_steadier else "")
