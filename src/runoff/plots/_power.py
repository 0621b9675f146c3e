"""What so many runs can find: power against runs, for normal runs or given a pilot, and the statistics of a sequential design."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from math import copysign, isfinite
from typing import Any, Literal, Unpack

from matplotlib.axes import Axes

from runoff.answer.plan import PlanResult
from runoff.answer.power import RunsNeededResult, RunsNeededRow
from runoff.answer.sequential import SequentialPair, SequentialResult
from runoff.base.validate import check_choice
from runoff.plots._canvas import INK
from runoff.plots._figure import PAGE, Plain, figure, frame_of
from runoff.plots._lines import (
    DASHED,
    DASHES,
    LEGEND,
    draw_marked,
    draw_to_answer,
    dress_against_runs,
    dress_along,
    line_axes,
    name_lines,
)
from runoff.plots._marks import FIRST
from runoff.plots._text import SMALL, labels, width_of
from runoff.words.shorten import isolated

QUANTITIES = {"power": "power", "beta": "β: chance to miss the difference"}
DECISIONS = {
    "a_better": "{a} is better",
    "b_better": "{b} is better",
    "equivalent": "equivalent",
    "inconclusive": "inconclusive",
    "go_on": "goes on",
}
"""The words of the legend for each decision."""
MOST_TICKS = 12
BARS = 280.0
"""The width of the bars of all looks together, in points."""
BOUNDS = ("looks to come, of one pair", "what a pair has to exceed")
LEADS = ("looks to come, at most", "what a pair has to reach")
"""The legend of success counts, to come and made."""
ROOM = 1.15
"""The height of the axes of statistics, as a multiple of the largest statistic."""


@figure(PAGE)
def power(result: RunsNeededResult, *, quantity: Literal["power", "beta"] = "power", **options: Unpack[Plain]) -> Axes:
    """How does power grow with the number of runs?

    Parameters
    ----------
    result : RunsNeededResult
        A line for each effect, with a marker at the number of runs that is needed.
    quantity : "power" or "beta"
        "beta" is 1 − power, the chance to miss the difference, as in Colas 2018, figures 4 and 8.

    Raises
    ------
    OptionError
        There is no such quantity.
    """
    check_choice("quantity", quantity, QUANTITIES)
    frame, effects = frame_of(options), [record.effect for record in result.rows]
    ax = line_axes(frame)
    # As many digits as tell the effects from each other.
    digits = next((d for d in range(4, 17) if len({f"{e:.{d}g}" for e in effects}) == len(effects)), 17)
    for record, mark, dash in zip(result.rows, cycle(FIRST), cycle(DASHES), strict=False):
        points = result.points(record.effect)
        runs, shares = [point.n_runs for point in points], [getattr(point, quantity) for point in points]
        label = f"{record.effect:.{digits}g} ({abs(record.effect_in_std):.3g} σ): {_runs(record)}"
        draw_to_answer(ax, mark, runs, shares, record.n_runs, linestyle=dash, label=label)
    level = result.power if quantity == "power" else 1 - result.power
    required = f"{100 * level:g} % power" if quantity == "power" else f"β = {100 * level:.3g} %"
    if result.std_b is None:
        # Of a single sample there is no second algorithm.
        across = "runs"
    elif all(point.n_runs == point.n_runs_b for point in result.curve):
        across = "runs of each algorithm"
    else:
        across = "runs of the first algorithm, the second in the proportion of the answer"
    _dress_power(ax, across, QUANTITIES[quantity], level, required, new=frame.is_new)
    return frame.entitled(ax)


def _dress_power(ax: Axes, across: str, share: str, level: float, required: str, *, new: bool) -> None:
    ax.axhline(level, color=INK, linewidth=0.8, linestyle=DASHED, label=f"required: {required}")
    dress_against_runs(ax, across, share, decimals=0)
    ax.set_ylim(0.0, 1.0)
    name_lines(ax, new=new)


def _runs(record: RunsNeededRow) -> str:
    if record.n_runs_b is None:
        return f"{record.n_runs} runs"
    equal = record.n_runs == record.n_runs_b
    return f"{record.n_runs} runs each" if equal else f"{record.n_runs} + {record.n_runs_b} runs"


@figure(PAGE)
def plan(result: PlanResult, **options: Unpack[Plain]) -> Axes:
    """How does power grow with the number of runs, given this pilot?

    Parameters
    ----------
    result : PlanResult
        Solid: runs have the spread of the pilot. Dashed: the largest spread that the assurance allows. Bands are the error of the
        simulation; a marker stands at the fewest runs that have the power.
    """
    frame = frame_of(options)
    ax = line_axes(frame)
    lines = {
        "pilot": (result.n_runs_naive, "as the pilot spread", "-"),
        "upper": (result.n_runs, f"with {100 * result.assurance:g} % assurance", "--"),
    }
    for (spread, (needed, words, dash)), mark in zip(lines.items(), FIRST, strict=False):
        points = result.points(spread)
        runs, label = [point.n_runs for point in points], f"{words}: {needed} runs"
        draw_to_answer(ax, mark, runs, [point.power for point in points], needed, linestyle=dash, label=label)
        if any(point.low is not None for point in points):
            ends: Any = [[point.low for point in points], [point.high for point in points]]
            ax.fill_between(runs, *ends, color=mark.color, alpha=0.2, linewidth=0)
    where = " on each task" if result.n_tasks > 1 and not result.shared else ""
    across = f"runs of each algorithm{where}"
    _dress_power(
        ax, across, QUANTITIES["power"], result.required, f"{100 * result.required:g} % power", new=frame.is_new
    )
    return frame.entitled(ax)


@figure(PAGE)
def sequential(result: SequentialResult, **options: Unpack[Plain]) -> Axes:
    """Where are the statistics, and which bounds must they exceed?

    Parameters
    ----------
    result : SequentialResult
        One line for each pair, up to the look of its decision; a bar at each look is the bound that decides there, on the side of its
        statistic. Dashed: the bounds of a normal statistic of a single pair, for later looks, whose own bounds depend on runs still to come.
        Where success counts decide: the lead in successes, and the lead that is enough; dashed, the largest lead that can be required.
    """
    frame, runs = frame_of(options), {look.look: look.n_runs for look in result.looks}
    ax = line_axes(frame)
    # Of looks that were made the pairs have bounds of their own, which decide.
    planned = [(look.n_runs, look.boundary) for look in result.looks[result.look :] if look.boundary is not None]
    to_come, to_pass = LEADS if result.counted else BOUNDS
    sides = ((1.0, to_come), (-1.0, "_"))
    for side, label in sides if planned else ():
        bounds = [side * bound for _, bound in planned]
        ax.plot([n for n, _ in planned], bounds, color=INK, linewidth=0.8, linestyle=DASHED, marker=".", label=label)
    if any(point.critical is not None for point in result.trajectory):
        ax.plot([], [], color=INK, linestyle="", marker="_", markersize=9, label=to_pass)
    heights = [abs(point.statistic) for point in result.trajectory if isfinite(point.statistic)]
    heights += [point.critical for point in result.trajectory if point.critical is not None]
    # Bounds of the first looks may be out of all proportion; they are cut off.
    heights += [bound for _, bound in planned if bound < 10.0 or result.counted]
    top = ROOM * max(heights, default=1.0)
    words = _words(result.pairs)
    bar = min(14.0, BARS / len(runs))
    for pair, mark in zip(result.pairs, cycle(FIRST), strict=False):
        # One line a pair, which ends with its decision: later looks have no statistic of it.
        points = [point for point in result.trajectory if (point.a, point.b) == (pair.a, pair.b)]
        # Samples without spread that differ have an infinite statistic, which stands at the edge.
        statistics = [p.statistic if isfinite(p.statistic) else copysign(top, p.statistic) for p in points]
        at = [runs[point.look] for point in points]
        draw_marked(ax, mark, at, statistics, markersize=4.5, markevery=None, label=words[pair.a, pair.b])
        for point, x in zip(points, at, strict=True):
            if point.critical is not None:
                # The bound on the side of the statistic: the other one is not in question.
                y = copysign(point.critical, point.statistic)
                ax.plot([x], [y], marker="_", markersize=bar, color=mark.color, label="_")
    _dress_looks(ax, list(runs.values()), top, counted=result.counted)
    name_lines(ax, new=frame.is_new)
    return frame.entitled(ax)


def _dress_looks(ax: Axes, runs: list[int], top: float, *, counted: bool) -> None:
    ax.axhline(0.0, color=INK, linewidth=0.5)
    ax.set_ylim(-1.05 * top, 1.05 * top)
    what = "episodes of each algorithm" if counted else "runs of each algorithm on each task"
    dress_along(ax, what, "lead in successes" if counted else "difference over its standard error")
    # Looks after every pair are too many for a tick each; the last has one.
    step = -(-len(runs) // MOST_TICKS)
    ax.set_xticks(runs[::-1][::step][::-1])
    # Bars at the first and the last look are whole.
    beside = 0.08 * runs[-1]
    ax.set_xlim(runs[0] - beside, runs[-1] + beside)


def _words(pairs: Sequence[SequentialPair]) -> dict[tuple[str, str], str]:
    """Return the lines of the legend: which difference, and what was decided."""
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.a, pair.b)))
    claims = {pair.decision: DECISIONS[pair.decision].format(a="", b="") for pair in pairs}
    # A line names two algorithms, and a decision for one of them names it again.
    n_names = 2 + any(decision.endswith("_better") for decision in claims)
    room = (LEGEND - 0.4 - max((width_of(f" − : {words}", SMALL) for words in claims.values()), default=0.0)) / n_names
    called = {name: isolated(label) for name, label in zip(names, labels(names, room, SMALL), strict=True)}
    return {
        (pair.a, pair.b): f"{called[pair.a]} − {called[pair.b]}: "
        + DECISIONS[pair.decision].format(a=called[pair.a], b=called[pair.b])
        for pair in pairs
    }
