"""How often do methods err? Rates against the number of runs: on one's own runs, and where the truth is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from math import ceil, sqrt
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from runoff._inference.bootstrap import INTERVALS
from runoff.answer.study import CheckResult, CoverageResult, FalsePositiveResult, StudyResult
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.plots._canvas import INK, RULE, dress_plane, name_panel
from runoff.plots._figure import COLUMN, PAGE, Marked, PanelsOptions, figure, frame_of
from runoff.plots._lines import BESIDE, DASHED, DASHES, WITHIN, dress_against_runs, line_axes
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import SMALL
from runoff.words.names import metric_title

BAND = 1.96
"""Half the length of an error bar, and of the band of an exact test, in standard errors: 95 % of the rates lie within."""
KINDS = {"rejection": "share of rejections", "coverage": "share of intervals that cover", "estimate": "mean estimate"}
"""The words of the vertical axis for each kind of method."""
SIDE = 1.75
"""Height of a panel, inches."""


@figure(PAGE, row="test")
def false_positive_rate(
    result: FalsePositiveResult | CheckResult,
    *,
    algorithm: str | None = None,
    **options: Unpack[Marked],
) -> Axes:
    """How often does each test find a difference between runs of one algorithm?

    Parameters
    ----------
    result : FalsePositiveResult or CheckResult
    algorithm : str, optional
        None takes the first.

    Raises
    ------
    OptionError
        There is no such algorithm.
    """
    result = result.false_positives if isinstance(result, CheckResult) else result
    labels = dict(result.labels)
    chosen = check_choice("algorithm", algorithm or result.algorithms[0], result.algorithms)
    frame = frame_of(options)
    ax, colors = line_axes(frame), frame.marks(labels)
    for name, dash in zip(labels, cycle(DASHES), strict=False):
        records = [r for r in result.rows if (r.algorithm, r.test) == (chosen, name)]
        if records:
            rates = [(r.n_runs, r.rate, r.rate_error) for r in records]
            _draw_rates(ax, rates, colors[name], linestyle=dash, label=labels[name])
    _dress_own(ax, chosen, "false positive rate", result.alpha, f"α = {100 * result.alpha:g} %", new=frame.is_new)
    ax.set_ylim(bottom=0.0)
    return frame.entitled(ax)


@figure(PAGE, row="interval")
def coverage(
    result: CoverageResult | CheckResult,
    *,
    measure: str | None = None,
    algorithm: str | None = None,
    **options: Unpack[Marked],
) -> Axes:
    """How often does each interval hold the metric of all runs?

    Parameters
    ----------
    result : CoverageResult or CheckResult
    measure, algorithm : str, optional
        None takes the first.

    Raises
    ------
    OptionError
        There is no such measure or algorithm.
    """
    result = result.coverage if isinstance(result, CheckResult) else result
    chosen = check_choice("algorithm", algorithm or result.algorithms[0], result.algorithms)
    wanted = check_choice("measure", measure or result.measures[0], result.measures)
    frame = frame_of(options)
    ax, colors = line_axes(frame), frame.marks(result.intervals)
    for name, dash in zip(result.intervals, cycle(DASHES), strict=False):
        records = [r for r in result.rows if (r.algorithm, r.measure, r.interval) == (chosen, wanted, name)]
        rates = [(r.n_runs, r.coverage, r.coverage_error) for r in records]
        _draw_rates(ax, rates, colors[name], linestyle=dash, label=INTERVALS[name].label)
    level = result.confidence_level
    _dress_own(
        ax, f"{chosen}: {metric_title(wanted)}", "coverage", level, f"promised: {100 * level:g} %", new=frame.is_new
    )
    return frame.entitled(ax)


def _draw_rates(ax: Axes, rates: Sequence[tuple[int, float, float]], mark: Mark, **style: Any) -> None:
    runs, shares, errors = (list(column) for column in zip(*rates, strict=True)) if rates else ([], [], [])
    style |= {"linewidth": 1.0, "elinewidth": 0.6, "marker": mark.marker, "markersize": 3.5}
    ax.errorbar(runs, shares, yerr=[BAND * error for error in errors], color=mark.color, **style)


def _dress_own(ax: Axes, title: str, quantity: str, level: float, promise: str, *, new: bool) -> None:
    ax.axhline(level, color=INK, linewidth=0.8, linestyle=DASHED, label=promise)
    dress_against_runs(ax, "runs of each group", quantity)
    name_panel(ax, title)
    ax.legend(fontsize=SMALL, frameon=False, **(BESIDE if new else WITHIN))


@figure(PAGE)
def error_rates(
    result: StudyResult, panels: Sequence[Mapping[str, Any]] = ({},), **options: Unpack[PanelsOptions]
) -> tuple[Axes, ...]:
    """How often does each method reject, by the number of runs?

    Parameters
    ----------
    result : StudyResult
    panels : sequence of mappings
        Each may name a `world`, an `effect` (otherwise the first is drawn), some of the `contenders`, and a `title`; at most three stand side by
        side. Without an effect (0) the nominal level is drawn, with the band in which 95 % of the simulated rates of a test of that level
        lie.

    Raises
    ------
    OptionError
        The study has no such world, effect or contender, or is not finished enough to draw.
    """
    frame = frame_of(options)
    n_columns = min(3, len(panels))
    n_lines = ceil(len(panels) / n_columns)
    # Three panels fill the width; fewer are no wider than they would be there, but never less than a column.
    wide = max(frame.width * n_columns / 3, min(COLUMN, frame.width))
    drawn = dict.fromkeys(name for panel in panels for name in panel.get("contenders") or result.contenders)
    names = [dict(result.labels).get(name, name) for name in drawn]
    n_abreast = max(1, min(3, int(wide / (0.45 + 0.06 * max(map(len, names))))))
    high = SIDE * n_lines + 0.25 + 0.17 * ceil(len(names) / n_abreast)
    figure = Figure(figsize=(wide, high), facecolor="white", layout="constrained")
    axes = tuple(figure.add_subplot(n_lines, n_columns, i + 1) for i in range(len(panels)))
    for i, (ax, panel) in enumerate(zip(axes, panels, strict=True)):
        _draw_rates_of(ax, result, **panel)
        if i % n_columns:
            ax.set_ylabel("")
    lines = {label: line for ax in axes for line, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    style: dict[str, Any] = {"loc": "outside lower center", "fontsize": SMALL, "frameon": False}
    figure.legend([lines[name] for name in names], names, ncols=n_abreast, **style)
    return frame.finished(axes)


def _draw_rates_of(
    ax: Axes,
    result: StudyResult,
    *,
    world: str | None = None,
    effect: float | None = None,
    contenders: Sequence[str] | None = None,
    title: str | None = None,
) -> None:
    world = check_choice("world", world or result.worlds[0], result.worlds)
    effect = result.effects[0] if effect is None else effect
    if effect not in result.effects:
        raise OptionError(f"effect must be one of {', '.join(f'{e:g}' for e in result.effects)}, not {effect!r}.")
    chosen = [check_choice("contender", name, result.contenders) for name in contenders or result.contenders]
    _nominal(ax, result, effect, chosen)
    _lines(ax, result, (world, effect), chosen, marks_of(result.contenders))
    kinds = {result.kind(name) for name in chosen}
    words = KINDS[kinds.pop()] if len(kinds) == 1 else "rate"
    ax.set_ylabel(words, fontsize=SMALL, color=INK, labelpad=2)
    _dress(ax, f"{world}, effect {effect:g}" if title is None else title, result.n_runs)
    if all(result.kind(name) == "rejection" for name in chosen):
        ax.set_ylim(bottom=0.0)


def _nominal(ax: Axes, result: StudyResult, effect: float, contenders: Sequence[str]) -> None:
    kinds = {result.kind(name) for name in contenders}
    if kinds == {"estimate"}:
        ax.axhline(0.0, color=RULE, linewidth=0.8)
        return
    level = 1.0 - result.alpha if kinds == {"coverage"} else result.alpha
    # With a true difference a rate of rejections is power, which has no nominal level.
    if effect != 0.0 and "coverage" not in kinds:
        return
    # The narrowest band that any of the points could be held to.
    n = max(record.n_repeats for record in result.rows) or 1
    half = BAND * sqrt(level * (1.0 - level) / n)
    ax.axhspan(level - half, level + half, color=INK, alpha=0.15, linewidth=0)
    ax.axhline(level, color=INK, linewidth=0.8, linestyle=DASHED)


def _lines(
    ax: Axes, result: StudyResult, cell: tuple[str, float], contenders: Sequence[str], marks: Mapping[str, Mark]
) -> None:
    names, (world, effect) = dict(result.labels), cell
    # Dashes beside colours: lines of two methods often lie on each other.
    for name, dash in zip(contenders, cycle(DASHES), strict=False):
        records = [result[world, name, n, effect] for n in result.n_runs]
        points = [(r.n_runs, r.rate) for r in records if r.rate is not None]
        if not points:
            raise OptionError(f"contender {name!r} has no finished block in world {world!r}; give the study more time.")
        mark = marks[name]
        style: dict[str, Any] = {"linewidth": 1.0, "label": names[name], "linestyle": dash, "clip_on": False}
        ax.plot(*zip(*points, strict=True), color=mark.color, marker=mark.marker, markersize=3, **style)
        spreads = [
            (r.n_runs, r.rate, r.estimate_std) for r in records if r.estimate_std is not None and r.rate is not None
        ]
        if spreads:  # mean ± standard deviation of an estimate
            n, mean, spread = np.array(spreads).T
            ax.fill_between(n, mean - spread, mean + spread, color=marks[name].color, alpha=0.12, linewidth=0)


def _dress(ax: Axes, title: str, n_runs: Sequence[int]) -> None:
    name_panel(ax, title)
    ax.set_xscale("log")
    roomy: list[int] = []  # on a log scale a label has room where it is 1.4 times the last one that has
    for n in sorted(n_runs):
        if not roomy or n >= 1.4 * roomy[-1]:
            roomy.append(n)
    ax.set_xticks(list(n_runs), labels=[str(n) if n in roomy else "" for n in n_runs])
    ax.minorticks_off()
    ax.set_xlabel("runs of each algorithm", fontsize=SMALL, color=INK, labelpad=2)
    dress_plane(ax, grid="y")
