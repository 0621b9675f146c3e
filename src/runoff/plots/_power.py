"""Power, or the chance to miss, against the number of runs: one line per true difference, the requirement across."""

from __future__ import annotations

from itertools import cycle
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from runoff.base.validate import check_choice
from runoff.plots._canvas import INK, entitle
from runoff.plots._lines import axes_beside_legend, dress_along, name_lines
from runoff.plots._marks import FIRST
from runoff.plots._widths import PAGE, page
from runoff.results.power import RunsNeededRecord, RunsNeededResult
from runoff.words.names import VenueName

DASHES = ("-", "--", "-.", ":")
QUANTITIES = {"power": "power", "beta": "β: chance to miss the difference"}


def power(
    result: RunsNeededResult,
    *,
    quantity: Literal["power", "beta"] = "power",
    ax: Axes | None = None,
    width: float | VenueName = PAGE,
    title: str | None = None,
) -> Axes:
    """How does power grow with the number of runs?

    Parameters
    ----------
    result : RunsNeededResult
        One line for each effect; its marker stands at the runs that are needed.
    quantity : "power" or "beta"
        "beta" is 1 − power, the chance to miss the difference, as in Colas 2018, figures 4 and 8.
    ax : Axes, optional
        None makes a figure.
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
        There is no such quantity.
    """
    check_choice("quantity", quantity, QUANTITIES)
    made = ax is None
    if ax is None:
        ax = axes_beside_legend(page(width), 0)
    for record, mark, dash in zip(result.records, cycle(FIRST), cycle(DASHES), strict=False):
        points = result.points(record.effect)
        ax.plot(
            [point.n_runs for point in points],
            [getattr(point, quantity) for point in points],
            color=mark.color,
            linestyle=dash,
            linewidth=1.1,
            marker=mark.marker,
            markersize=4.5,
            markevery=[i for i, point in enumerate(points) if point.n_runs == record.n_runs],
            label=_legend(record, [other.effect for other in result.records]),
        )
    _require(ax, result, quantity)
    dress_along(ax, _runs_words(result), QUANTITIES[quantity])
    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    ax.set_ylim(0.0, 1.0)
    name_lines(ax)
    entitle(ax, title, made=made)
    return ax


def _require(ax: Axes, result: RunsNeededResult, quantity: str) -> None:
    asked = f"{100 * result.power:g} % power" if quantity == "power" else f"β = {100 * (1 - result.power):.3g} %"
    level = result.power if quantity == "power" else 1 - result.power
    ax.axhline(level, color=INK, linewidth=0.8, linestyle=(0, (4, 3)), label=f"required: {asked}")


def _legend(record: RunsNeededRecord, effects: list[float]) -> str:
    digits = next((d for d in range(4, 17) if len({f"{e:.{d}g}" for e in effects}) == len(effects)), 17)
    return f"{record.effect:.{digits}g} ({abs(record.effect_in_std):.3g} σ): {_runs(record)}"


def _runs(record: RunsNeededRecord) -> str:
    if record.n_runs_b is None:
        return f"{record.n_runs} runs"
    equal = record.n_runs == record.n_runs_b
    return f"{record.n_runs} runs each" if equal else f"{record.n_runs} + {record.n_runs_b} runs"


def _runs_words(result: RunsNeededResult) -> str:
    if result.std_b is None:
        return "runs"
    if all(point.n_runs == point.n_runs_b for point in result.curve):
        return "runs of each algorithm"
    return "runs of the first algorithm, the second in the proportion of the answer"
