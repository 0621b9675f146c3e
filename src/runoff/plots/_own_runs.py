"""Tests and intervals on one's own runs, against the number of runs: one line per test or interval, the promise across."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TypeVar

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from runoff._inference.bootstrap import INTERVALS
from runoff.base.validate import check_choice
from runoff.plots._canvas import INK, entitle
from runoff.plots._lines import axes_beside_legend, dress_along
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import SIZE, SMALL, literal, metric_title
from runoff.plots._widths import PAGE, page
from runoff.results.check import CoverageRecord, CoverageResult, FalsePositiveRecord, FalsePositiveResult
from runoff.words.names import VenueName

DASHES = ("-", "--", "-.", ":")
BAR = 1.96
"""Half length of an error bar in standard errors."""
R = TypeVar("R", FalsePositiveRecord, CoverageRecord)


def false_positive_rate(
    result: FalsePositiveResult,
    *,
    algorithm: str | None = None,
    tests: Sequence[str] | None = None,
    ax: Axes | None = None,
    marks: Mapping[str, Mark] | None = None,
    width: float | VenueName = PAGE,
    title: str | None = None,
) -> Axes:
    """How often does each test find a difference between runs of one algorithm?

    Parameters
    ----------
    result : FalsePositiveResult
    algorithm : str, optional
        None takes the first.
    tests : sequence of str, optional
        None draws all.
    ax : Axes, optional
        None makes a figure.
    marks : mapping of test to Mark, optional
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    title : str, optional
        Of the figure.

    Returns
    -------
    Axes

    Raises
    ------
    OptionError
        There is no such algorithm or test.
    """
    labels = dict(result.labels)
    chosen = check_choice("algorithm", algorithm or result.algorithms[0], result.algorithms)
    names = [check_choice("tests", name, labels) for name in tests or labels]
    known, made = marks or marks_of(labels), ax is None
    ax = axes_beside_legend(page(width), 0) if ax is None else ax
    for name, dash in zip(names, cycle(DASHES), strict=False):
        records = [r for r in result.of(chosen) if r.test == name]
        if records:
            rates, errors = [r.rate for r in records], [r.rate_error for r in records]
            _line(ax, records, rates, errors, known[name], dash, labels[name])
    _dress(ax, chosen, "false positive rate", result.alpha, f"α = {100 * result.alpha:g} %")
    ax.set_ylim(bottom=0.0)
    entitle(ax, title, made=made)
    return ax


def coverage(
    result: CoverageResult,
    *,
    metric: str | None = None,
    algorithm: str | None = None,
    intervals: Sequence[str] | None = None,
    ax: Axes | None = None,
    marks: Mapping[str, Mark] | None = None,
    width: float | VenueName = PAGE,
    title: str | None = None,
) -> Axes:
    """How often does each interval hold the metric of all runs?

    Parameters
    ----------
    result : CoverageResult
    metric, algorithm : str, optional
        None takes the first.
    intervals : sequence of str, optional
        None draws all.
    ax : Axes, optional
        None makes a figure.
    marks : mapping of interval to Mark, optional
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    title : str, optional
        Of the figure.

    Returns
    -------
    Axes

    Raises
    ------
    OptionError
        There is no such metric, algorithm or interval.
    """
    chosen = check_choice("algorithm", algorithm or result.algorithms[0], result.algorithms)
    wanted = check_choice("metric", metric or result.metrics[0], result.metrics)
    names = [check_choice("intervals", name, result.intervals) for name in intervals or result.intervals]
    known, made = marks or marks_of(result.intervals), ax is None
    ax = axes_beside_legend(page(width), 0) if ax is None else ax
    for name, dash in zip(names, cycle(DASHES), strict=False):
        records = [r for r in result.of(chosen, wanted) if r.interval == name]
        rates, errors = [r.coverage for r in records], [r.coverage_error for r in records]
        _line(ax, records, rates, errors, known[name], dash, INTERVALS[name].label)
    level = result.confidence_level
    _dress(ax, f"{chosen}: {metric_title(wanted)}", "coverage", level, f"promised: {100 * level:g} %")
    entitle(ax, title, made=made)
    return ax


def _line(
    ax: Axes, records: Sequence[R], rates: list[float], errors: list[float], mark: Mark, dash: str, label: str
) -> None:
    ax.errorbar(
        [record.n_runs for record in records],
        rates,
        yerr=[BAR * error for error in errors],
        color=mark.color,
        linestyle=dash,
        linewidth=1.0,
        elinewidth=0.6,
        marker=mark.marker,
        markersize=3.5,
        label=label,
    )


def _dress(ax: Axes, title: str, quantity: str, level: float, promise: str) -> None:
    ax.axhline(level, color=INK, linewidth=0.8, linestyle=(0, (4, 3)), label=promise)
    dress_along(ax, "runs of each group", quantity)
    ax.set_title(title, fontsize=SIZE, color=INK, pad=3, **literal(title))
    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    ax.legend(fontsize=SMALL, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
