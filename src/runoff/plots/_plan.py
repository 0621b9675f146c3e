"""Power against runs, given a pilot: as it spread, and as far as the assurance allows; the requirement across."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from runoff.plots._canvas import INK, entitle
from runoff.plots._lines import axes_beside_legend, dress_along, name_lines
from runoff.plots._marks import FIRST
from runoff.plots._widths import PAGE, page
from runoff.results.power import PlanResult
from runoff.words.names import VenueName


def plan(
    result: PlanResult, *, ax: Axes | None = None, width: float | VenueName = PAGE, title: str | None = None
) -> Axes:
    """How does power grow with the number of runs, given this pilot?

    Parameters
    ----------
    result : PlanResult
        Solid: runs spread as in the pilot. Dashed: as far as the assurance allows. Bands are those of the simulation; a marker stands at
        the fewest runs that have the power.
    ax : Axes, optional
        None makes a figure.
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    title : str, optional
        Of the figure.

    Returns
    -------
    Axes
    """
    made = ax is None
    if ax is None:
        ax = axes_beside_legend(page(width), 0)
    lines = {
        "pilot": (result.n_runs_naive, "as the pilot spread", "-"),
        "upper": (result.n_runs, _assured(result), "--"),
    }
    for (spread, (needed, words, dash)), mark in zip(lines.items(), FIRST, strict=False):
        points = result.points(spread)
        runs = [point.n_runs for point in points]
        ax.plot(
            runs,
            [point.power for point in points],
            color=mark.color,
            linestyle=dash,
            linewidth=1.1,
            marker=mark.marker,
            markersize=4.5,
            markevery=[i for i, n in enumerate(runs) if n == needed],
            label=f"{words}: {needed} runs",
        )
        if any(point.low is not None for point in points):
            ends = [[point.low for point in points], [point.high for point in points]]
            ax.fill_between(runs, *ends, color=mark.color, alpha=0.2, linewidth=0)  # type: ignore[arg-type]
    label = f"required: {100 * result.required:g} % power"
    ax.axhline(result.required, color=INK, linewidth=0.8, linestyle=(0, (4, 3)), label=label)
    dress_along(
        ax, "runs of each algorithm" + (" on each task" if result.n_tasks > 1 and not result.shared else ""), "power"
    )
    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    ax.set_ylim(0.0, 1.0)
    name_lines(ax)
    entitle(ax, title, made=made)
    return ax


def _assured(result: PlanResult) -> str:
    return f"with {100 * result.assurance:g} % assurance"
