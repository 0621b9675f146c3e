"""Times to a score: the share of runs that have reached it, against steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from runoff.plots._canvas import RULE, Places, entitle, places
from runoff.plots._lines import AXES, dress_tasks, labelled, task_axes
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._widths import PAGE, page
from runoff.results.curves import ReachCurve, ReachRecord, ReachResult
from runoff.words.names import VenueName


def time_to_threshold(
    result: ReachResult,
    *,
    ax: Places = None,
    axes: Sequence[Axes] | None = None,
    width: float | VenueName = PAGE,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> tuple[Axes, ...]:
    """Which share of the runs has reached the score after how many steps?

    Parameters
    ----------
    result : ReachResult
        Tasks become panels; a line is the share of runs that have reached the score (one minus Kaplan-Meier), ticks on it are the last
        evaluations of runs that never do. The line at a half is crossed at the median.
    ax : Axes or sequence of Axes, optional
        The same as `axes`; a single one where there is one panel.
    axes : sequence of Axes, optional
        One for each task; None makes a figure (`axes[0].figure`).
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
        There are more or fewer `axes` than tasks.
    """
    axes = places(ax, axes)
    known, tasks, width = marks or marks_of(result.algorithms), result.tasks, page(width)
    made = task_axes(axes, tasks, len(known), width, 0)
    for task, ax in zip(tasks, made, strict=True):
        ax.axhline(0.5, color=RULE, linewidth=0.8, linestyle=(0, (3, 3)), zorder=0)
        cells = [pair for pair in zip(result.records, result.curves, strict=True) if pair[0].task == task]
        last = max(step for _, curve in cells for step in (*curve.steps, *curve.ended))
        called = labelled(result.algorithms, {record.algorithm: _counts(record, result) for record, _ in cells})
        for record, curve in cells:
            _draw(ax, curve, known[record.algorithm], called[record.algorithm], last)
        ax.set_ylim(-0.03, 1.03)
    share = f"share of {result.unit}s that reached it"
    dress_tasks(made, tasks, AXES[result.axis], share, legend_under=axes is None and len(tasks) > 1, width=width)
    entitle(made[0], title, made=axes is None)
    return made


def _counts(record: ReachRecord, result: ReachResult) -> str:
    """Return the line's words: how many reached it where there is one task, how many there are where there are several."""
    reached = f"{record.n_reached} of " if len(result.tasks) == 1 else ""
    return f" ({reached}{record.n_runs} {result.unit}{'' if record.n_runs == 1 else 's'})"


def _draw(ax: Axes, curve: ReachCurve, mark: Mark, label: str, last: float) -> None:
    steps = np.array([min(0.0, last), *curve.steps, last])
    shares = np.array([0.0, *curve.shares, curve.shares[-1] if curve.shares else 0.0])
    ax.plot(
        steps,
        shares,
        drawstyle="steps-post",
        color=mark.color,
        linewidth=1.1,
        marker=mark.marker,
        markersize=3,
        markevery=max(1, len(steps) // 8),
        label=label,
    )
    at = shares[np.searchsorted(steps[:-1], curve.ended, side="right") - 1]
    ax.vlines(curve.ended, at - 0.025, at + 0.025, color=mark.color, linewidth=0.8)
