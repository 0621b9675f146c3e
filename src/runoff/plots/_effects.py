"""How large is the difference? One effect size, one row per pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from runoff.plots._canvas import COLUMN, INK, dress, panels, scale
from runoff.plots._improvement import pair_label
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.results.effects import EffectRecord, EffectsResult

ROW = 0.15
TITLES = {
    "difference": "Difference of means",
    "ratio": "Ratio of means",
    "hedges_g": "Hedges' g",
    "cliffs_delta": "Cliff's δ",
    "improvement": "Probability of improvement",
}


def effects(
    result: EffectsResult,
    *,
    effect: str | None = None,
    ax: Axes | None = None,
    width: float = COLUMN,
    marks: Mapping[str, Mark] | None = None,
) -> Axes:
    """How large is one effect size, pair by pair?

    Parameters
    ----------
    result : EffectsResult
    effect : str, optional
        One of the result's effects; the first if None.
    ax : Axes, optional
        None makes a figure.
    width : float
        Inches, of a figure that is made.
    marks : mapping of algorithm to Mark, optional

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
    records = [record for record in result.records if record.effect == wanted]
    if not records:
        raise KeyError(f"no effect {wanted!r}; there are {', '.join(dict.fromkeys(r.effect for r in result.records))}")
    labels = [pair_label(record.a, record.b, 0.5 * width) for record in records]
    if ax is None:
        (ax,) = panels(1, labels, row=ROW, width=width, least=1.0)
    known = marks or marks_of(dict.fromkeys(name for record in records for name in (record.a, record.b)))
    ax.axvline(records[0].no_effect, color=INK, linewidth=0.7, linestyle=(0, (3, 2)))
    for row, record in enumerate(records):
        _draw(ax, row, record, known)
    scale(ax, _ends(records), ticks=4)
    dress(ax, title=TITLES[wanted], labels=labels, n_rows=len(records))
    return ax


def _draw(ax: Axes, row: int, record: EffectRecord, marks: Mapping[str, Mark]) -> None:
    """Draw one pair, in the colour of the first where the interval leaves "no effect" on its lower side, of the second on its upper."""
    if record.estimate is None:
        return
    ahead = None
    if record.low is not None and record.high is not None:
        ahead = record.a if record.low > record.no_effect else record.b if record.high < record.no_effect else None
        color = marks[ahead].color if ahead else INK
        ax.hlines(row, record.low, record.high, color=color, linewidth=4.4, alpha=0.35)
    color, face = (marks[ahead].color,) * 2 if ahead else (INK, "white")
    marker = marks[ahead].marker if ahead else "o"
    ax.plot(
        record.estimate, row, marker, color=color, markerfacecolor=face, markersize=3.4, markeredgewidth=0.7, zorder=3
    )


def _ends(records: Sequence[EffectRecord]) -> list[float]:
    found = [(r.no_effect, r.low, r.estimate, r.high) for r in records]
    return [end for ends in found for end in ends if end is not None]
