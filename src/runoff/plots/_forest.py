"""Where is the gain? One effect size of a pair on every task, one row per task, the tasks with the largest gain on top."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from matplotlib.axes import Axes

from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.plots._canvas import INK, RULE, dress, panels, scale
from runoff.plots._effects import draw_effect, ends_of
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import SMALL, labels, literal, width_of
from runoff.plots._widths import COLUMN, column
from runoff.results.effects import EffectRecord, EffectsResult
from runoff.words.names import EFFECTS, EffectName, VenueName
from runoff.words.shorten import isolated

ROW, LABEL = 0.15, 0.4
"""Inches of a row; the most of the width that a task's name takes."""
ALL = "all tasks"
ROUNDING = 1e-12
"""Gains below this share of the largest are none: the order of addition made them."""
BELOW, EDGE = -14.0, 0.04
"""Points from the axis to the words under its ticks; inches beside them."""


def forest(
    result: EffectsResult,
    *,
    pair: tuple[str, str] | None = None,
    effect: EffectName | None = None,
    ax: Axes | None = None,
    width: float | VenueName = COLUMN,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """On which tasks is one algorithm ahead of another, and by how much?

    Parameters
    ----------
    result : EffectsResult
        Made with `by_task=True`. Tasks become rows, the largest effect on top; the last row is the effect over all tasks. A full marker in the
        colour of the one ahead: the interval leaves out "no effect"; a hollow one: it does not. An effect that is not defined has an empty row.
    pair : (a, b), optional
        None takes the first.
    effect : str, optional
        One of the result's effects; None takes the first.
    ax : Axes, optional
        None makes a figure.
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        None names the effect.

    Returns
    -------
    Axes

    Raises
    ------
    OptionError
        The result has no effects by task, or not this pair or effect.
    """
    records, over = rows_of(result, pair, effect)
    rows, made, width = [*records, over], ax is None, column(width)
    tasks = labels([str(record.task) for record in records], LABEL * width if made else inf)
    called = [*tasks, ALL]
    if ax is None:
        (ax,) = panels(1, called, row=ROW, width=width, least=1.0)
    known = marks or marks_of(name for record in result.records for name in (record.a, record.b))
    ax.axvline(over.no_effect, color=INK, linewidth=0.7, linestyle=(0, (3, 2)))
    ax.axhline(len(records) - 0.5, color=RULE, linewidth=0.8)
    for place, record in enumerate(rows):
        draw_effect(ax, place, record, known)
    scale(ax, [over.no_effect, *ends_of(rows)], ticks=4)
    dress(ax, title=EFFECTS[over.effect] if title is None else title, labels=called, n_rows=len(rows))
    _sides(ax, result, over, made=made, width=width)
    return ax


def rows_of(
    result: EffectsResult, pair: tuple[str, str] | None, effect: str | None
) -> tuple[list[EffectRecord], EffectRecord]:
    """Return the records of a pair by task, the largest effect first, and that of all tasks."""
    pairs = list(dict.fromkeys((record.a, record.b) for record in result.records))
    chosen = pairs[0] if pair is None else tuple(pair)
    if chosen not in pairs:
        raise OptionError(f"pair must be one of {', '.join(map(repr, pairs))}, not {pair!r}.")
    effects = list(dict.fromkeys(record.effect for record in result.records))
    wanted = check_choice("effect", effects[0] if effect is None else effect, effects)
    found = [r for r in result.records if (r.a, r.b) == chosen and r.effect == wanted]
    records = [record for record in found if record.task is not None]
    if not records:
        raise OptionError("these effects are not by task; make them with ro.effect_sizes(scores, by_task=True).")
    over = next(record for record in found if record.task is None)
    return sorted(records, key=lambda r: -inf if r.estimate is None else r.estimate, reverse=True), over


def won(result: EffectsResult, pair: tuple[str, str] | None = None, effect: str | None = None) -> tuple[int, int, int]:
    """Return on how many tasks the first of a pair is ahead, even and behind."""
    records, over = rows_of(result, pair, effect)
    gains = [record.estimate - over.no_effect for record in records if record.estimate is not None]
    even = ROUNDING * max(map(abs, gains), default=0.0)
    ahead, behind = sum(gain > even for gain in gains), sum(gain < -even for gain in gains)
    return ahead, len(gains) - ahead - behind, behind


def _sides(ax: Axes, result: EffectsResult, over: EffectRecord, *, made: bool, width: float) -> None:
    """Say under the axis on which side which of the two is ahead, and on how many tasks."""
    ahead, _, behind = won(result, (over.a, over.b), over.effect)
    room = 0.5 * width - width_of("◂  ahead on 000", SMALL)
    first, second = map(isolated, labels([over.a, over.b], room, SMALL))
    left = ax.get_position().x0 * width if made else 0.0
    for x, at, side, words in (
        (0, EDGE - left, "left", f"◂ {second} ahead on {behind}"),
        (1, 0.0, "right", f"{first} ahead on {ahead} ▸"),
    ):
        style: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": side, "va": "top", **literal(words)}
        ax.annotate(words, (x, 0), (72 * at, BELOW), xycoords="axes fraction", textcoords="offset points", **style)
