"""How do two algorithms differ? One row per pair: the chance to win, an effect size; or one row per task of a pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from matplotlib.axes import Axes

from runoff.answer.comparison import ComparisonResult
from runoff.answer.effects import EffectRow, EffectsResult
from runoff.plots._canvas import MOST_PAIRS, scale
from runoff.plots._figure import COLUMN, Marked, figure, frame_of
from runoff.plots._marks import Mark
from runoff.plots._rows import NOBODY, EstimateRow, draw_reference, draw_rows, pair_axes
from runoff.plots._staircases import ahead_in, algorithms_of, chance_of, chance_staircase, effect_staircase
from runoff.words.names import EFFECTS, EffectName


@figure(COLUMN)
def improvement(result: ComparisonResult, **options: Unpack[Marked]) -> Axes:
    """What is the chance that a run of one algorithm beats a run of another?

    Parameters
    ----------
    result : ComparisonResult
        Pairs become rows, with the better algorithm by the measure of the comparison first. A bar is the interval that decides whether the
        chance differs from ½, with the correction over pairs: blue where the first was found ahead, orange where it was found behind, grey
        where no difference was found; dotted, for the pair alone, where the chance was not tested. The marker is that of the algorithm
        ahead, hollow where none is. More than 28 pairs become the cells of a staircase, as in `pvalue_matrix`: how often, in percent, a run
        of the algorithm higher on the staircase beats a run of the other.

    Returns
    -------
    Axes
    """
    frame, pairs = frame_of(options), result.standing.pairs
    if len(pairs) > MOST_PAIRS:
        return chance_staircase(result, frame)
    (ax, key), colors = pair_axes(frame, [(pair.a, pair.b) for pair in pairs]), frame.marks(algorithms_of(result))
    rows = []
    for pair in pairs:
        chance = chance_of(pair)
        better = {"a_better": pair.a, "b_better": pair.b}.get(chance.verdict)
        mark = NOBODY if better is None else colors[better]
        rows.append(
            EstimateRow(estimate=chance.estimate, low=chance.low, high=chance.high, mark=mark, verdict=chance.verdict)
        )
    draw_reference(ax, 0.5)
    words = "chance that the first beats the second"
    draw_rows(frame, ax, rows, None, title="Probability of improvement", words=words, key=key)
    for line in ax.lines:  # a tick at 0 or 1 stands on the edge, which would hide half of it
        line.set_clip_on(False)
    ax.set_xlim(0, 1)
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "25", "50", "75", "100 %"])
    return ax


@figure(COLUMN, title="None names the effect.")
def effect_sizes(result: EffectsResult, *, effect_size: EffectName | None = None, **options: Unpack[Marked]) -> Axes:
    """How large is one effect size, pair by pair?

    Parameters
    ----------
    result : EffectsResult
    effect_size : str, optional
        One of the result's effects; the first if None.

    Returns
    -------
    Axes
        A pair whose effect is not defined has an empty row. More than 28 pairs become the cells of a staircase, as in `pvalue_matrix`: the
        effect of the algorithm higher on the staircase relative to the other.

    Raises
    ------
    KeyError
        The result does not have this effect.
    """
    frame, (wanted, records) = frame_of(options), records_of(result, effect_size)
    if len(records) > MOST_PAIRS:
        return effect_staircase(records, frame)
    ax, key = pair_axes(frame, [(record.a, record.b) for record in records])
    rows = _rows(ax, records, frame.marks(name for record in records for name in (record.a, record.b)))
    return draw_rows(frame, ax, rows, None, title=EFFECTS[wanted], words="first relative to second", key=key)


def records_of(result: EffectsResult, effect: str | None) -> tuple[str, list[EffectRow]]:
    """Return an effect, None being the first, and its records."""
    wanted = result.rows[0].effect_size if effect is None else effect
    records = [record for record in result.rows if record.effect_size == wanted]
    if not records:
        raise KeyError(
            f"no effect {wanted!r}; there are {', '.join(dict.fromkeys(r.effect_size for r in result.rows))}"
        )
    return wanted, records


def _rows(ax: Axes, records: Sequence[EffectRow], marks: Mapping[str, Mark]) -> list[EstimateRow]:
    """Return the rows of effects, each in the colour of what its interval shows; the axis holds them and "no effect"."""
    # 0 of differences, ½ of chances, 1 of ratios: the same in all records of an effect.
    no_effect = records[-1].no_effect
    rows = []
    for record in records:
        ahead = ahead_in(record)
        mark = marks[ahead] if ahead else NOBODY
        verdict = "no_difference_found" if ahead is None else "a_better" if ahead == record.a else "b_better"
        rows.append(EstimateRow(estimate=record.estimate, low=record.low, high=record.high, mark=mark, verdict=verdict))
    draw_reference(ax, no_effect)
    scale(ax, [no_effect, *(end for row in rows for end in row.ends)], ticks=4)
    return rows
