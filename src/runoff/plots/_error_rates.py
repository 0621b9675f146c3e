"""How often does each method reject? Rate against the number of runs, one line per method, with the nominal level and its binomial band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from math import ceil, sqrt
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.plots._canvas import INK, RULE, entitle
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import LITERAL, SIZE, SMALL
from runoff.plots._widths import COLUMN, PAGE, page
from runoff.results.study import StudyRecord, StudyResult
from runoff.words.names import VenueName

DASHES = ("-", "--", "-.", ":")
BAND = 1.96
"""Half width of the band in standard errors: 95 % of the rates of an exact test lie in it."""
KINDS = {"rejection": "share of rejections", "coverage": "share of intervals that cover", "estimate": "mean estimate"}
"""What is drawn of each kind of method."""
SIDE = 1.75
"""Height of a panel, inches."""


def error_rates(
    result: StudyResult,
    *,
    world: str | None = None,
    effect: float | None = None,
    methods: Sequence[str] | None = None,
    ax: Axes | None = None,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """How often does each method reject, by the number of runs?

    Parameters
    ----------
    result : StudyResult
    world : str, optional
        None takes the first.
    effect : float, optional
        None takes the first. Without an effect (0) the nominal level is drawn, with the band in which 95 % of the simulated rates of a test of
        exactly that level lie.
    methods : sequence of str, optional
        None draws all.
    ax : Axes, optional
        None makes a figure.
    marks : mapping of method to Mark, optional
    title : str, optional
        None names the world and the effect.
    legend : bool

    Returns
    -------
    Axes

    Raises
    ------
    OptionError
        The study has no such world, effect or method, or is not finished enough to draw.
    """
    world = check_choice("world", world or result.worlds[0], result.worlds)
    effect = result.effects[0] if effect is None else effect
    if effect not in result.effects:
        raise OptionError(f"effect must be one of {', '.join(f'{e:g}' for e in result.effects)}, not {effect!r}.")
    chosen = [check_choice("method", name, result.methods) for name in methods or result.methods]
    if ax is None:
        figure = Figure(figsize=(COLUMN * 1.3, SIDE * 1.4), facecolor="white", layout="constrained")
        ax = figure.add_subplot()
    _nominal(ax, result, effect, chosen)
    _lines(ax, result, world, effect, chosen, marks or marks_of(result.methods))
    ax.set_ylabel(_words({result.kind(name) for name in chosen}), fontsize=SMALL, color=INK, labelpad=2)
    _dress(ax, f"{world}, effect {effect:g}" if title is None else title, result.n_runs)
    if all(result.kind(name) == "rejection" for name in chosen):
        ax.set_ylim(bottom=0.0)
    if legend:
        ax.legend(fontsize=SMALL, frameon=False, loc="best")
    return ax


def error_rate_panels(
    result: StudyResult,
    panels: Sequence[Mapping[str, Any]],
    *,
    width: float | VenueName = PAGE,
    title: str | None = None,
) -> tuple[Axes, ...]:
    """How often does each method reject, panel by panel in the layout of the source?

    Parameters
    ----------
    result : StudyResult
    panels : sequence of mappings
        Each with `effect`, and if wanted `world`, `title` and `methods`; at most three stand side by side.
    width : float or "neurips", "icml", "jmlr", …
        Inches, `mm(88)`, or a venue of `WIDTHS`.
    title : str, optional
        Of the figure.

    Returns
    -------
    tuple of Axes
    """
    n_columns = min(3, len(panels))
    n_lines = ceil(len(panels) / n_columns)
    width = page(width)
    wide = max(width * n_columns / 3, min(COLUMN, width))
    drawn = dict.fromkeys(name for panel in panels for name in panel.get("methods") or result.methods)
    names = [dict(result.labels)[name] for name in drawn]
    n_abreast = max(1, min(3, int(wide / (0.45 + 0.06 * max(map(len, names))))))
    high = SIDE * n_lines + 0.25 + 0.17 * ceil(len(names) / n_abreast)
    figure = Figure(figsize=(wide, high), facecolor="white", layout="constrained")
    axes = []
    for i, panel in enumerate(panels):
        axes.append(error_rates(result, **panel, ax=figure.add_subplot(n_lines, n_columns, i + 1), legend=False))
        if i % n_columns:
            axes[-1].set_ylabel("")
    lines = {label: line for ax in axes for line, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(
        [lines[name] for name in names],
        names,
        loc="outside lower center",
        ncols=n_abreast,
        fontsize=SMALL,
        frameon=False,
    )
    entitle(axes[0], title, made=True)
    return tuple(axes)


def _nominal(ax: Axes, result: StudyResult, effect: float, methods: Sequence[str]) -> None:
    kinds = {result.kind(name) for name in methods}
    if kinds == {"estimate"}:
        ax.axhline(0.0, color=RULE, linewidth=0.8)
        return
    level = 1.0 - result.alpha if kinds == {"coverage"} else result.alpha
    if effect != 0.0 and "coverage" not in kinds:
        return
    n = max(record.n_repeats for record in result.records) or 1
    half = BAND * sqrt(level * (1.0 - level) / n)
    ax.axhspan(level - half, level + half, color=INK, alpha=0.15, linewidth=0)
    ax.axhline(level, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))


def _lines(
    ax: Axes, result: StudyResult, world: str, effect: float, methods: Sequence[str], marks: Mapping[str, Mark]
) -> None:
    names = dict(result.labels)
    for name, dash in zip(methods, cycle(DASHES), strict=False):
        found = [result.record(world, name, n, effect) for n in result.n_runs]
        points = [(r.n_runs, r.rate) for r in found if r.rate is not None]
        if not points:
            raise OptionError(f"method {name!r} has no finished block in world {world!r}; give the study more time.")
        style: dict[str, Any] = {"color": marks[name].color, "linewidth": 1.0, "label": names[name], "linestyle": dash}
        ax.plot(
            [n for n, _ in points],
            [rate for _, rate in points],
            marker=marks[name].marker,
            markersize=3,
            clip_on=False,
            **style,
        )
        _spread(ax, found, marks[name])


def _spread(ax: Axes, points: Sequence[StudyRecord], mark: Mark) -> None:
    """Shade mean ± standard deviation of an estimate."""
    found = [(p.n_runs, p.rate, p.spread) for p in points if p.spread is not None and p.rate is not None]
    if found:
        n, rates, spreads = (list(column) for column in zip(*found, strict=True))
        low = [rate - spread for rate, spread in zip(rates, spreads, strict=True)]
        high = [rate + spread for rate, spread in zip(rates, spreads, strict=True)]
        ax.fill_between(n, low, high, color=mark.color, alpha=0.12, linewidth=0)


def _words(kinds: set[str]) -> str:
    """Return what the rates of such methods are."""
    return KINDS[kinds.pop()] if len(kinds) == 1 else "rate"


def _dress(ax: Axes, title: str, n_runs: Sequence[int]) -> None:
    ax.set_title(title, fontsize=SIZE, color=INK, pad=3, **LITERAL)
    ax.set_xscale("log")
    ax.set_xticks(list(n_runs), labels=[str(n) if _labelled(n, n_runs) else "" for n in n_runs])
    ax.minorticks_off()
    ax.set_xlabel("runs of each algorithm", fontsize=SMALL, color=INK, labelpad=2)
    ax.tick_params(labelsize=SMALL, length=2, width=0.5, pad=2, color=INK, labelcolor=INK)
    ax.grid(axis="y", color=RULE, linewidth=0.5)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("bottom", "left"))
        spine.set(color=INK, linewidth=0.5)


def _labelled(n: int, n_runs: Sequence[int]) -> bool:
    """Return whether a tick has room: a label is kept if it is 1.4 times the last one kept."""
    kept = 0.0
    for other in sorted(n_runs):
        if other >= 1.4 * kept:
            kept = other
            if other == n:
                return True
    return False
