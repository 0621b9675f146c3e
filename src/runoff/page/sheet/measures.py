"""The first picture: a row for each algorithm, the measure that decides first, and the other measures beside it.

The bar of the first column is the interval that decided against the leader, laid at the leader's value: it leaves out the line of the leader
where the test named one of the two, and holds it elsewhere, so that the picture is the verdict. The other columns have each algorithm's own
interval, in the colour of what that measure says of it and the leader, and the stripe of the leader's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from markupsafe import Markup

from runoff._inference.pairs import IMPROVEMENT
from runoff.page.answers.all import Answers, ranked
from runoff.page.sheet.charts import ticks
from runoff.page.sheet.svg import CHANCES, Scale, at, bar
from runoff.plots._measures import MeasurePanel, deciding_panel, other_panel, wins_panel
from runoff.plots._rows import Group, leaders
from runoff.plots._text import tick_label
from runoff.results.aggregate import decimals
from runoff.results.pair import Pair, hundredths
from runoff.results.standing import Place, Standing
from runoff.words.names import LOWER_IS_BETTER, metric_head
from runoff.words.numbers import decimals_of, exactly, interval, number, p_equals, rounded

PLACES: dict[Place, tuple[str, str]] = {
    "leader": ("reference", "leads"),
    "no difference found": ("no difference found", "near"),
    "equivalent": ("equivalent", "near"),
    "behind": ("worse", "off"),
    "ahead": ("better", "over"),
    "no verdict": ("no verdict", "near"),
    "not compared": ("not tested", "off"),
}
"""What the table says of a place, and the class of its colour."""
KEY = {"near": "no difference found", "off": "worse", "over": "better"}
"""The colours of bars and what they say; the key has those that are drawn."""
ABOUT = {
    "mean": "every task weighs the same",
    "iqm": "the middle half of all runs",
    "iqm_whole": "the middle half, in whole runs",
    "median": "the task in the middle",
    "optimality_gap": "shortfall from 1, lower is better",
}
"""What stands under the head of a column."""
ROOM = 0.04
"""The share of the values' range that is left free at both ends of an axis."""
TICKS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureColumn:
    """A measure: its head, what stands under it, a drawing for each algorithm of the order, the same in words, the axis, and what lies under."""

    head: str
    about: str
    cells: Sequence[Markup]
    words: Sequence[str]
    axis: Markup
    ground: Markup


def table(answers: Answers, standing: Standing) -> dict[str, Any]:
    """Return the rows of the first picture and its columns, the deciding measure first."""
    records = ranked(answers)
    groups = dict(zip(standing.order, _groups(standing), strict=True))
    metrics, read = (
        answers.aggregates.measures,
        {reading.measure for pair in standing.own for reading in pair.other_readings},
    )
    # Without pairs no measure decides: all of them stand side by side.
    others = [name for name in metrics[1:] if name in read] if standing.pairs else metrics
    columns = [_deciding(answers, standing)] if standing.pairs else []
    columns += [_other(answers, standing, name, f"g{k}") for k, name in enumerate(others, 1)]
    if wins := answers.comparison.measure != IMPROVEMENT and bool(standing.own):
        columns.append(_wins(answers, standing))
    places = decimals(records)
    rows = [
        {
            "name": record.algorithm,
            "group": groups[record.algorithm],
            "place": PLACES[standing.places[record.algorithm]][0],
            "estimate": rounded(record.estimate, places),
            "gap": _gap(standing.beside(record.algorithm)),
        }
        for record in records
    ]
    # The key has the colours that are on the page, and no others.
    drawn = "".join(cell for column in columns for cell in column.cells)
    means = {"leads": standing.leader, **KEY}
    if standing.those("no verdict"):
        means["near"] += ", or no verdict"
    if standing.pairs and not others:
        del means["leads"]  # without an interval of its own the leader is the line
    key = [(part, words) for part, words in means.items() if f'class="bar {part}"' in drawn]
    return {"rows": rows, "columns": columns, "against": standing.own != (), "key": key, "own": others, "wins": wins}


# ── the measure that decides ──────────


def _deciding(answers: Answers, standing: Standing) -> MeasureColumn:
    measure = answers.comparison.measure
    chance = measure == IMPROVEMENT
    panel = deciding_panel(standing, measure, {record.algorithm: record.estimate for record in ranked(answers)})
    about = f"how often a {answers.scores.sampling.unit} beats one of" if chance else "difference to"
    head = "Wins" if chance else metric_head(measure)
    return _column(panel, standing, _groups(standing), "g0", head=head, about=f"{about} {standing.leader}")


def _gap(pair: Pair | None) -> str:
    """Return the numbers beside a place: how far it lies from the leader, and the adjusted p-value; none without a verdict."""
    if pair is None or pair.unjudged:
        return ""
    p = p_equals(pair.pvalue_adjusted)
    if pair.verdict == "equivalent" and pair.margin is not None:
        p = f"within {exactly(pair.margin)}, {p_equals(pair.pvalue_equivalence_adjusted)}"
    if pair.measure == IMPROVEMENT:
        return f"{100 * (1 - pair.estimate):.0f} of 100 {pair.unit}s win, {p}"
    return p if pair.winner is None else f"by {number(abs(pair.estimate), decimals_of([pair.estimate], 2))}, {p}"


# ── the others ──────────


def _other(answers: Answers, standing: Standing, measure: str, key: str) -> MeasureColumn:
    panel = other_panel(standing, measure, answers.aggregates)
    records = [answers.aggregates[name, measure] for name in standing.order]
    places = decimals(records)
    words = [f"{number(r.estimate, places)} {interval(r.low, r.high, places)}".removesuffix(" –") for r in records]
    if not standing.pairs:  # nobody leads, so nobody's interval lies under the others
        panel = replace(panel, stripe=None)
    groups, about = _groups(standing, panel), ABOUT.get(measure, "")
    return _column(panel, standing, groups, key, head=metric_head(measure), about=about, words=words)


def _groups(standing: Standing, panel: MeasurePanel | None = None) -> list[str]:
    """Return the colour of each algorithm by what the measure that decides, or another, says of it and the leader; none without a verdict."""
    if not standing.judged:
        return ["off" for _ in standing.order]
    if panel is None:
        return [PLACES[standing.places[name]][1] for name in standing.order]
    colors = [
        "near" if a is None else "over" if a == name else "off"
        for name, a in zip(standing.order, panel.ahead, strict=True)
    ]
    return ["leads" if name == standing.leader else colour for name, colour in zip(standing.order, colors, strict=True)]


def _wins(answers: Answers, standing: Standing) -> MeasureColumn:
    """Return how often a run of each beats one of the leader."""
    panel, words = wins_panel(standing), []
    for name, row in zip(standing.order, panel.rows, strict=True):
        ends = "" if row.low is None or row.high is None else f" [{100 * row.low:.0f}, {100 * row.high:.0f}]"
        beside = row.estimate is not None and name != standing.leader
        words.append(f"{100 * (row.estimate or 0.0):.0f} of 100{ends}" if beside else "")
    about = f"of 100 {answers.scores.sampling.unit}s against {standing.leader}"
    return _column(panel, standing, _groups(standing, panel), "gw", head="Wins", about=about, words=words)


# ── the parts of a column ──────────


def _column(
    panel: MeasurePanel,
    standing: Standing,
    groups: Sequence[str],
    key: str,
    *,
    head: str,
    about: str,
    words: Sequence[str] = (),
) -> MeasureColumn:
    # Chances to beat the leader have the whole of their axis, and the leader none against itself.
    wins = panel.measure == IMPROVEMENT and panel.line is not None
    scale = CHANCES if wins else _scale(panel)
    empty = Markup(f'<svg class="bar"><use href="#{key}"/></svg>')
    cells = [
        empty
        if row.estimate is None or (wins and name == standing.leader)
        else bar((row.low, row.estimate, row.high), scale, group, ground=key)
        for name, row, group in zip(standing.order, panel.rows, groups, strict=True)
    ]
    return MeasureColumn(
        head=head,
        about=about,
        cells=cells,
        words=words or ["" for _ in standing.order],
        axis=_axis(scale, hundredths if wins else tick_label),
        ground=_ground(key, scale, panel),
    )


def _scale(panel: MeasurePanel) -> Scale:
    """Return a scale that holds the better two thirds at least, and all where the rest leaves them room."""
    # The same rule as in the figure of aggregates, so that page and figure cut off the same algorithms.
    kept = leaders(Group(title="", rows=panel.rows, lower=panel.measure in LOWER_IS_BETTER))
    ends = [end for row in kept for end in row.ends]
    low, high = min(ends), max(ends)
    # All values equal: the axis still needs a width, and a tick on either side.
    room = ROOM * (high - low) or 0.5 * max(abs(high), 1.0)
    return Scale(low=low - room, high=high + room)


def _ground(key: str, scale: Scale, panel: MeasurePanel) -> Markup:
    """Return what lies under all bars of a column: round ticks, the stripe of the leader's interval, or the line of its value."""
    parts = []
    if panel.stripe is not None:
        start, end = map(scale.at, panel.stripe)
        parts.append(f'<rect class="s" x="{at(start)}%" width="{at(max(end - start, 0.3))}%" height="100%"/>')
    places = [at(scale.at(value)) for value in _ticks(scale)]
    parts += [f'<line class="g" x1="{x}%" x2="{x}%" y2="100%"/>' for x in places]
    if panel.line is not None:
        x = at(scale.at(panel.line))
        parts.append(f'<line class="z" x1="{x}%" x2="{x}%" y2="100%"/>')
    return Markup(f'<g id="{key}">{"".join(parts)}</g>')


def _axis(scale: Scale, label: Callable[[float], str] = tick_label) -> Markup:
    texts = "".join(f'<text x="{at(scale.at(value))}%" y="16">{label(value)}</text>' for value in _ticks(scale))
    return Markup(f'<svg class="axis">{texts}</svg>')


def _ticks(scale: Scale) -> list[float]:
    """Return two round values at least, for one alone says nothing of a distance."""
    # Asking for more ticks makes the step smaller, until two round values lie within the axis.
    return next(values for most in count(TICKS) if len(values := ticks(scale.low, scale.high, most)) > 1)
