"""How large is the difference? One effect size, one row per pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from runoff.plots._canvas import INK, dress, name_axis, scale
from runoff.plots._interval import bar, point
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._pair_rows import pair_axes
from runoff.plots._widths import COLUMN, column
from runoff.results.effects import EffectRecord, EffectsResult
from runoff.words.names import EFFECTS, EffectName, VenueName

AXIS_WORDS = "first relative to second"


def effects(
    result: EffectsResult,
    *,
    effect: EffectName | None = None,
    ax: Axes | None = None,
    width: float | VenueName = COLUMN,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """How large is one effect size, pair by pair?

    Parameters
    ----------
    result : EffectsResult
    effect : str, optional
        One of the result's effects; the first if None.
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
        A pair whose effect is not defined has an empty row.

    Raises
    ------
    KeyError
        The result does not have this effect.
    """
    wanted = result.records[0].effect if effect is None else effect
    records = [record for record in result.records if record.effect == wanted and record.task is None]
    if not records:
        raise KeyError(f"no effect {wanted!r}; there are {', '.join(dict.fromkeys(r.effect for r in result.records))}")
    made = ax is None
    ax = pair_axes(ax, [(record.a, record.b) for record in records], column(width))
    known = marks or marks_of(dict.fromkeys(name for record in records for name in (record.a, record.b)))
    ax.axvline(records[0].no_effect, color=INK, linewidth=0.7, linestyle=(0, (3, 2)))
    for row, record in enumerate(records):
        draw_effect(ax, row, record, known)
    scale(ax, ends_of(records), ticks=4)
    dress(ax, title=EFFECTS[wanted] if title is None else title, labels=None, n_rows=len(records))
    name_axis([ax], AXIS_WORDS, made=made)
    return ax


def draw_effect(ax: Axes, row: int, record: EffectRecord, marks: Mapping[str, Mark]) -> None:
    """Draw an effect in the colour of the one that its interval shows ahead, or as a hollow marker where it holds "no effect"."""
    if record.estimate is None:
        return
    ahead = None
    if record.low is not None and record.high is not None:
        ahead = record.a if record.low > record.no_effect else record.b if record.high < record.no_effect else None
    color, marker = (marks[ahead].color, marks[ahead].marker) if ahead else (INK, "o")
    bar(ax, row, record.low, record.high, color)
    point(ax, record.estimate, row, marker, color, full=ahead is not None)


def ends_of(records: Sequence[EffectRecord]) -> list[float]:
    """Return all that an axis has to hold."""
    found = [(r.no_effect, r.low, r.estimate, r.high) for r in records]
    return [end for ends in found for end in ends if end is not None]
