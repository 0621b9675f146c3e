"""The first picture: the lead of one algorithm over each other, drawn from 0, and what the other measures say of it as signs.

A bar is the interval that decided: it leaves out 0 where a difference was found, so that the picture is the verdict. The page shows the leader
by the measure that decides. What else can be chosen, any algorithm by any measure or with tasks as the sample, is computed here as well, and the
script of the page shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil
from typing import Any

from runoff._inference.pairs import IMPROVEMENT
from runoff.answer.pair import EstimateEnds, MeasureReading, Pair, lead_ends, readings_of
from runoff.answer.standing import Standing
from runoff.cells import Estimate
from runoff.exits.text import shared_decimals
from runoff.page.answers.all import Answers, ranked
from runoff.page.sheet.charts import ticks
from runoff.page.sheet.svg import Scale, at
from runoff.plots._ticks import signed_tick
from runoff.words.measures import even_of
from runoff.words.names import capital, measure_words, metric_head, metric_words
from runoff.words.nouns import Nouns
from runoff.words.numbers import MOST, chance_parts, decimals_of, estimate_parts, interval, number, p_equals

KINDS: Mapping[str, tuple[str, str, str]] = {
    "a_better": ("ahead", "found ahead", "●"),
    "b_better": ("behind", "found behind", "▼"),
    "no_difference_found": ("open", "not found", "○"),
    "equivalent": ("equal", "equivalent", "="),
    "no_verdict": ("none", "no verdict", "–"),
    "": ("none", "not tested", "–"),
}
"""For each verdict the class of its colour, its words and its sign, from the side of the algorithm in the row; "" for pairs that were not
compared."""
KEY = {
    "ahead": "found ahead",
    "behind": "found behind",
    "open": "no difference found",
    "equal": "equivalent",
    "none": "no verdict, or not tested",
}
"""The colours and what they say, on the page as in figures; the key has those that are drawn."""
TASKS = "tasks"
"""The view that takes the tasks for the sample."""
ROOM, TICKS = 0.04, 6
"""The share of the range that is left free at both ends of an axis, and its fewest ticks."""
FAR = 3.0
"""Leads that reach this many times as far as the nearer two thirds do are arrows at the end of the axis: drawn whole, they would leave no room
for the others."""
Readings = Mapping[tuple[str, str], Mapping[str, MeasureReading]]
"""What each measure says of each two algorithms, by both names."""
Text = Callable[[float, float | None, float | None], tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadRow:
    """The lead over one other algorithm: its place in the order, its verdict, where bar and estimate lie (hundredths of the width), and texts.

    `x` and `width` are "" without an interval; `at` is "" where the lead lies beyond the axis, at the end that `beyond` names.
    """

    other: int
    verdict: str
    x: str = ""
    width: str = ""
    at: str = ""
    beyond: str = ""
    lead: str = "–"
    ends: str = ""
    p: str = ""

    def cells(self) -> list[Any]:
        """Return what the script fills a row with."""
        kind = list(KINDS).index(self.verdict)
        return [self.other, kind, self.x, self.width, self.at, self.beyond, self.lead, self.ends, self.p]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadView:
    """One algorithm compared by one measure, or with tasks as the sample: rows in the order of the others, the ticks of their axis and its 0."""

    rows: Sequence[LeadRow]
    ticks: Sequence[tuple[str, str]]
    zero: str


def picture(answers: Answers, standing: Standing) -> dict[str, Any] | None:
    """Return the first picture with all that can be chosen in it; None where nothing was compared."""
    if not standing.pairs:
        return None
    # Each pair from both sides, by both names.
    pairs = {(own.a, own.b): own for pair in standing.pairs for own in (pair, pair.turned())}
    readings, measures = {names: _readings(pair) for names, pair in pairs.items()}, _measures(answers, standing)
    by, order = [measure for measure, _ in measures], standing.order
    views = {
        (name, measure): _view(order, {other: readings.get((name, other), {}).get(measure) for other in order}, name)
        for name in order
        for measure in by
    }
    own = views[standing.leader, by[0]]
    drawn = {KINDS[row.verdict][0] for row in own.rows}
    signs = {KINDS[sign][0] for row in own.rows for sign in _signs(readings, standing.leader, order[row.other], by)}
    return {
        "by": [(_title(measure, answers.nouns), about) for measure, about in measures],
        "view": own,
        "views": [[views[name, measure] for measure in by] for name in order],
        "values": [_values(answers, measure, order, readings) for measure in by],
        "facts": {
            name: [_facts(pairs.get((name, other)), _signs(readings, name, other, by)) for other in order]
            for name in order
        },
        # Chances count wins of runs, the tally means of tasks.
        "tally": f"{capital(answers.nouns.tasks)}{' by mean' if by[0] == IMPROVEMENT else ''}",
        "signs": [
            "Chance to win" if measure == IMPROVEMENT else metric_head(measure, answers.nouns)
            for measure in by[1:]
            if measure != TASKS
        ],
        "key": [(kind, words) for kind, words in KEY.items() if kind in drawn | signs],
        "kinds": list(KINDS.values()),
    }


def block(shown: dict[str, Any] | None, order: Sequence[str]) -> dict[str, Any] | None:
    """Return the picture as the script of the page reads it."""
    if shown is None:
        return None
    views = [
        [[[row.cells() for row in view.rows], view.ticks, view.zero] for view in of_name] for of_name in shown["views"]
    ]
    facts = [shown["facts"][name] for name in order]
    return {key: shown[key] for key in ("by", "values", "kinds", "signs")} | {"views": views, "facts": facts}


def _measures(answers: Answers, standing: Standing) -> list[tuple[str, str]]:
    """Return what can be chosen, what decides first, each with a sentence on its bars."""
    comparison, pairs = answers.comparison, standing.pairs
    several = len(pairs) > 1
    level = f"{100 * comparison.confidence_level:g}\u00a0%" + f", corrected for {len(pairs)} comparisons" * several
    of = measure_words(comparison.measure)
    line = "50\u00a0%" if comparison.measure == IMPROVEMENT else "0"
    words = f"A bar is the interval at the level of the test ({level}): if it excludes {line}, a difference was found."
    if all(pair.unjudged for pair in pairs):
        drawn = any(pair.low is not None for pair in pairs)
        words = "No verdict is given" + (
            ": a bar is the interval of its pair alone." if drawn else ", and no interval drawn."
        )
    rows = [(comparison.measure, words)]
    others = dict.fromkeys(reading.measure for pair in pairs for reading in pair.other_readings)
    for measure in others:
        end = "50\u00a0%" if measure == IMPROVEMENT else "0"
        rows.append(
            (
                measure,
                f"By the {measure_words(measure)}: intervals leave out {end} where it finds a difference ({level}). The {of} decides.",
            )
        )
    sample = next((pair.over_tasks for pair in pairs if pair.over_tasks), None)
    if sample is not None:
        words = measure_words(sample.measure)
        rows.append(
            (
                TASKS,
                f"With the tasks as the sample, by the {words}: do leads hold on tasks like these? For these tasks the {of} decides.",
            )
        )
    return rows


def _title(measure: str, of: Nouns) -> str:
    if measure == TASKS:
        return "tasks like these"
    if measure == "mean":
        return of.mean
    return "chance to win" if measure == IMPROVEMENT else metric_words(measure)


def _readings(pair: Pair) -> dict[str, MeasureReading]:
    """Return what each measure says of a pair, and what the tasks as the sample do; what decides first."""
    return readings_of(pair) | ({TASKS: pair.over_tasks} if pair.over_tasks else {})


def _view(order: Sequence[str], readings: Mapping[str, MeasureReading | None], own: str) -> LeadView:
    leads = {name: lead_ends(reading) for name, reading in readings.items() if reading is not None}
    even = next((even_of(reading.measure) for reading in readings.values() if reading), 0.0)
    scale, write = _scale(list(leads.values()), even), _texts(list(leads.values()), even)
    rows = []
    for place, name in enumerate(order):
        reading = readings[name]
        if name == own:
            continue
        if reading is None:
            rows.append(LeadRow(other=place, verdict=""))
            continue
        value, low, high = leads[name]
        text, ends = write(value, low, high)
        drawn = _bar(scale, low, high)
        inside = scale.holds(value)
        rows.append(
            LeadRow(
                other=place,
                verdict=reading.verdict,
                x=drawn[0],
                width=drawn[1],
                at=at(scale.at(value)) if inside else "",
                beyond="" if inside else "◂" if value < scale.low else "▸",
                lead=text,
                ends=ends,
                p="" if reading.pvalue_adjusted is None else p_equals(reading.pvalue_adjusted),
            )
        )
    marks = [(at(scale.at(value)), _tick(value, even)) for value in _ticks(scale)]
    return LeadView(rows=rows, ticks=marks, zero=at(scale.at(even)))


def _scale(leads: Sequence[EstimateEnds], even: float) -> Scale:
    """Return an axis that holds the line and the nearer two thirds of all leads, and all where the others are not much farther."""
    if even:
        return Scale(low=0.0, high=1.0)
    reach = sorted([(max(abs(end) for end in lead if end is not None), lead) for lead in leads], key=lambda row: row[0])
    near = reach[max(ceil(2 * len(reach) / 3) - 1, 0)][0] if reach else 0.0
    kept = [lead for far, lead in reach if far <= FAR * near]
    ends = [0.0, *(end for lead in kept for end in lead if end is not None)]
    low, high = min(ends), max(ends)
    room = ROOM * (high - low) or 1.0
    return Scale(low=low - room, high=high + room)


def _bar(scale: Scale, low: float | None, high: float | None) -> tuple[str, str]:
    """Return where a bar begins and how wide it is; "" where there is none, or none within the axis."""
    if low is None or high is None or low > scale.high or high < scale.low:
        return "", ""
    start, end = scale.at(low), scale.at(high)
    return at(start), at(max(end - start, 0.3))


def _texts(leads: Sequence[EstimateEnds], even: float) -> Text:
    """Return what writes a lead and its interval: with a sign, and the decimals of the column."""
    if even:
        return chance_parts
    places = shared_decimals([Estimate(*lead) for lead in leads])

    def write(value: float, low: float | None, high: float | None) -> tuple[str, str]:
        text = "" if places is None else number(value, places)
        # Where the decimals of the column would show no lead, or fit none, a lead has its own.
        # An end of 0 that is none would deny the verdict.
        alike = any(end and not number(end, places or 0).strip("−0.") for end in (low, high))
        if places is None or (value and not text.strip("−0.")) or alike:
            own, ends = estimate_parts(value, low, high)
            return _plus(own), ends
        return _plus(text), "" if low is None or high is None else interval(low, high, places)

    return write


def _ticks(scale: Scale) -> list[float]:
    # Asking for more ticks makes the step smaller, until two round values lie within the axis.
    return next(values for most in count(TICKS) if len(values := ticks(scale.low, scale.high, most)) > 1)


def _tick(value: float, even: float) -> str:
    return f"{100 * value:.0f}\u00a0%" if even else signed_tick(value)


def _plus(text: str) -> str:
    """Return a lead with its sign.

    >>> _plus("0.07"), _plus("−0.07"), _plus("0.00")
    ('+0.07', '−0.07', '0.00')
    """
    return text if text.startswith("−") or not text.strip("0.") else f"+{text}"


# ── what stands beside the lead, whatever the measure of the view ──────────


def _values(answers: Answers, measure: str, order: Sequence[str], readings: Readings) -> list[str]:
    """Return the value of each algorithm by a measure, with a digit more than leads have, so that their differences are these; "" of chances."""
    decides = measure == answers.comparison.measure
    # The Hodges-Lehmann difference beside another measure is of pairs alone.
    of_pairs = not decides and measure not in answers.aggregates.measures
    if measure in (IMPROVEMENT, TASKS) or of_pairs:
        return ["" for _ in order]
    if decides:
        values = {record.algorithm: record.estimate for record in ranked(answers)}
    else:
        values = {name: answers.aggregates[name, measure].estimate for name in order}
    leads = [Estimate(*lead_ends(of[measure])) for of in readings.values() if measure in of]
    shared = shared_decimals(leads) if leads else None
    places = decimals_of(values.values(), 4) if shared is None else min(MOST, shared + 1)
    head = metric_head(measure, answers.nouns)
    return [f"{head} {number(values[name], places)}" for name in order]


def _facts(pair: Pair | None, signs: Sequence[str]) -> list[str]:
    """Return of two how often the first wins, on how many of the tasks it is ahead, and the signs of the other measures, by their places."""
    places = "".join(str(list(KINDS).index(sign)) for sign in signs)
    if pair is None:
        return ["–", "–", places]
    n = pair.wins + pair.ties + pair.losses
    return [chance_parts(pair.improvement, None, None)[0], f"{pair.wins}/{n}", places]


def _signs(readings: Readings, name: str, other: str, by: Sequence[str]) -> list[str]:
    of = readings.get((name, other), {})
    return [of[measure].verdict if measure in of else "" for measure in by[1:] if measure != TASKS]
