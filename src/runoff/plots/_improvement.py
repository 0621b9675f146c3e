"""Does a random run of a beat one of b? One row per pair."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes

from runoff.plots._canvas import COLUMN, INK, dress, panels
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import SIZE, drawable, fit, tick_label, width_of
from runoff.results.comparison import ComparisonResult, Pair

ROW = 0.15


def improvement(
    comparison: ComparisonResult,
    *,
    ax: Axes | None = None,
    width: float = COLUMN,
    marks: Mapping[str, Mark] | None = None,
) -> Axes:
    """What is the chance that a run of one algorithm beats a run of another?

    Parameters
    ----------
    comparison : ComparisonResult
        Pairs become rows. A full marker in the better algorithm's colour: the test found a difference. A hollow one: it found none.
    ax : Axes, optional
        None makes a figure.
    width : float
        Inches, of a figure that is made.
    marks : mapping of algorithm to Mark, optional

    Returns
    -------
    Axes
    """
    pairs = comparison.pairs
    labels = [pair_label(pair.a, pair.b, 0.5 * width) for pair in pairs]
    if ax is None:
        (ax,) = panels(1, labels, row=ROW, width=width, least=1.0, axis_label=True)
    known = marks or marks_of(algorithms(comparison))
    ax.axvline(0.5, color=INK, linewidth=0.7, linestyle=(0, (3, 2)))
    for row, pair in enumerate(pairs):
        _draw(ax, row, pair, known)
    dress(ax, title="Probability of improvement", labels=labels, n_rows=len(pairs))
    ax.set_xlim(-0.02, 1.02)
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], labels=[tick_label(t) for t in (0, 0.25, 0.5, 0.75, 1)])
    ax.set_xlabel("chance that the first beats the second", fontsize=SIZE, color=INK, labelpad=2, loc="right")
    return ax


def algorithms(comparison: ComparisonResult) -> tuple[str, ...]:
    """Return the algorithms of all pairs, in order of appearance."""
    return tuple(dict.fromkeys(name for pair in comparison.pairs for name in (pair.a, pair.b)))


def _draw(ax: Axes, row: int, pair: Pair, marks: Mapping[str, Mark]) -> None:
    better = {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)
    color = marks[better].color if better is not None else INK
    marker = marks[better].marker if better is not None else "o"
    if pair.improvement_low is not None and pair.improvement_high is not None:
        ax.hlines(row, pair.improvement_low, pair.improvement_high, color=color, linewidth=4.4, alpha=0.35)
    face = color if better is not None else "white"
    ax.plot(
        pair.improvement, row, marker, color=color, markerfacecolor=face, markersize=3.4, markeredgewidth=0.7, zorder=3
    )


def pair_label(first: str, second: str, inches: float) -> str:
    """Return "A vs B" in at most `inches`: the names are shortened, the longer one first."""
    a, b = drawable(first[:120]), drawable(second[:120])
    if width_of(f"{a} vs {b}") <= inches:
        return f"{a} vs {b}"
    half = (inches - width_of(" vs ")) / 2
    room = max(half, 2 * half - width_of(a)), max(half, 2 * half - width_of(b))
    return f"{fit(first, room[1])} vs {fit(second, room[0])}"
