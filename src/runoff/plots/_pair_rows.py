"""How do two algorithms differ? One row per pair: the chance to win, an effect size; or one row per task of a pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Unpack

from matplotlib.axes import Axes

from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.plots._canvas import INK, RULE, scale
from runoff.plots._figure import COLUMN, Frame, Marked, figure, frame_of
from runoff.plots._marks import Mark
from runoff.plots._rows import NOBODY, PAIR_ROW, Row, draw_reference, draw_rows, pair_axes, row_axes
from runoff.plots._staircases import MOST_PAIRS, ahead_in, algorithms_of, chance_staircase, effect_staircase
from runoff.plots._text import SMALL, labels, literal, tick_label, width_of
from runoff.results.comparison import ComparisonResult
from runoff.results.effects import EffectRecord, EffectsResult
from runoff.words.names import EFFECTS, EffectName

TASK_LABEL = 0.4
"""The largest share of the width that a task's name takes."""
ALL = "all tasks"
ROUNDING = 1e-12
"""The share of the largest gain below which a gain is rounding: the order of addition made it."""
BELOW, EDGE = -14.0, 0.04
"""Points from the axis to the words under its ticks; inches beside them."""


@figure(COLUMN)
def improvement(comparison: ComparisonResult, **options: Unpack[Marked]) -> Axes:
    """What is the chance that a run of one algorithm beats a run of another?

    Parameters
    ----------
    comparison : ComparisonResult
        Pairs become rows, the better one first: the winner, or where the test found no difference the one with the higher measure, whose bar is
        grey and whose marker is hollow. More than 28 pairs become the cells of a staircase, as in `pvalue_matrix`: how many times in 100 a run
        of the one that stands higher on it beats a run of the other.

    Returns
    -------
    Axes
    """
    frame, pairs = frame_of(options), comparison.standing.pairs
    if len(pairs) > MOST_PAIRS:
        return chance_staircase(comparison, frame)
    (ax, key), colours = pair_axes(frame, [(pair.a, pair.b) for pair in pairs]), frame.marks(algorithms_of(comparison))
    rows = []
    for pair in pairs:
        mark = NOBODY if (better := pair.winner) is None else colours[better]
        rows.append(Row(estimate=pair.improvement, low=pair.improvement_low, high=pair.improvement_high, mark=mark))
    draw_reference(ax, 0.5)
    words = "chance that the first beats the second"
    draw_rows(frame, ax, rows, None, title="Probability of improvement", words=words, key=key)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], labels=[tick_label(t) for t in (0, 0.25, 0.5, 0.75, 1)])
    return ax


@figure(COLUMN, title="None names the effect.")
def effects(result: EffectsResult, *, effect: EffectName | None = None, **options: Unpack[Marked]) -> Axes:
    """How large is one effect size, pair by pair?

    Parameters
    ----------
    result : EffectsResult
    effect : str, optional
        One of the result's effects; the first if None.

    Returns
    -------
    Axes
        A pair whose effect is not defined has an empty row. More than 28 pairs become the cells of a staircase, as in `pvalue_matrix`: the
        effect of the one that stands higher on it relative to the other.

    Raises
    ------
    KeyError
        The result does not have this effect.
    """
    wanted = result.records[0].effect if effect is None else effect
    records = [record for record in result.records if record.effect == wanted and record.task is None]
    if not records:
        raise KeyError(f"no effect {wanted!r}; there are {', '.join(dict.fromkeys(r.effect for r in result.records))}")
    frame = frame_of(options)
    if len(records) > MOST_PAIRS:
        return effect_staircase(records, frame)
    ax, key = pair_axes(frame, [(record.a, record.b) for record in records])
    rows = _rows(ax, records, frame.marks(name for record in records for name in (record.a, record.b)))
    return draw_rows(frame, ax, rows, None, title=EFFECTS[wanted], words="first relative to second", key=key)


@figure(COLUMN, title="None names the effect.")
def forest(
    result: EffectsResult,
    *,
    pair: tuple[str, str] | None = None,
    effect: EffectName | None = None,
    **options: Unpack[Marked],
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

    Raises
    ------
    OptionError
        The result has no effects by task, or not this pair or effect.
    """
    frame = frame_of(options)
    records, over = rows_of(result, pair, effect)
    called = [*labels([str(record.task) for record in records], frame.room(TASK_LABEL)), ALL]
    ax = row_axes(frame, called, height=PAIR_ROW)
    colours = frame.marks(name for record in result.records for name in (record.a, record.b))
    rows = _rows(ax, [*records, over], colours)
    ax.axhline(len(records) - 0.5, color=RULE, linewidth=0.8)
    draw_rows(frame, ax, rows, called, title=EFFECTS[over.effect], words="")
    _sides(ax, result, over, frame)
    return ax


def _rows(ax: Axes, records: Sequence[EffectRecord], marks: Mapping[str, Mark]) -> list[Row]:
    """Return the rows of effects, in the colour of the one that its interval shows ahead; the axis holds them and "no effect"."""
    no_effect = records[-1].no_effect
    rows = []
    for record in records:
        mark = marks[ahead] if (ahead := ahead_in(record)) else NOBODY
        rows.append(Row(estimate=record.estimate, low=record.low, high=record.high, mark=mark))
    draw_reference(ax, no_effect)
    scale(ax, [no_effect, *(end for row in rows for end in row.ends)], ticks=4)
    return rows


def rows_of(
    result: EffectsResult, pair: tuple[str, str] | None, effect: str | None
) -> tuple[list[EffectRecord], EffectRecord]:
    """Return the records of a pair by task, the largest effect first, and that of all tasks."""
    pairs = list(dict.fromkeys((record.a, record.b) for record in result.records))
    chosen = pairs[0] if pair is None else tuple(pair)
    if chosen not in pairs:
        raise OptionError(f"pair must be one of {', '.join(map(repr, pairs))}, not {pair!r}.")
    there = list(dict.fromkeys(record.effect for record in result.records))
    wanted = check_choice("effect", there[0] if effect is None else effect, there)
    both = [r for r in result.records if (r.a, r.b) == chosen and r.effect == wanted]
    records = [record for record in both if record.task is not None]
    if not records:
        raise OptionError("these effects are not by task; make them with ro.effect_sizes(scores, by_task=True).")
    over = next(record for record in both if record.task is None)
    return sorted(records, key=lambda r: -inf if r.estimate is None else r.estimate, reverse=True), over


def won(result: EffectsResult, pair: tuple[str, str] | None = None, effect: str | None = None) -> tuple[int, int, int]:
    """Return on how many tasks the first of a pair is ahead, even and behind."""
    records, over = rows_of(result, pair, effect)
    gains = [record.estimate - over.no_effect for record in records if record.estimate is not None]
    even = ROUNDING * max(map(abs, gains), default=0.0)
    ahead, behind = sum(gain > even for gain in gains), sum(gain < -even for gain in gains)
    return ahead, len(gains) - ahead - behind, behind


def _sides(ax: Axes, result: EffectsResult, over: EffectRecord, frame: Frame) -> None:
    ahead, _, behind = won(result, (over.a, over.b), over.effect)
    room = 0.5 * frame.width - width_of("◂  ahead on 000", SMALL)
    first, second = labels([over.a, over.b], room, SMALL)
    left = ax.get_position().x0 * frame.width if frame.is_new else 0.0
    for x, at, side, words in (
        (0, EDGE - left, "left", f"◂ {second} ahead on {behind}"),
        (1, 0.0, "right", f"{first} ahead on {ahead} ▸"),
    ):
        style: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": side, "va": "top", **literal(words)}
        ax.annotate(words, (x, 0), (72 * at, BELOW), xycoords="axes fraction", textcoords="offset points", **style)
