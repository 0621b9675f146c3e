"""The three tiles under the headline: each question, its answer in a few words, and two lines of why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from runoff._inference.pairs import IMPROVEMENT, one_unit
from runoff.page.answers.all import Answers, ranked
from runoff.results.aggregate import decimals
from runoff.results.comparison import ComparisonResult
from runoff.results.pair import Pair, contrary, hundredths
from runoff.results.standing import Standing
from runoff.words.measures import FOR_IMPROVEMENT, MANY_TASKS, OF_TASKS, differences_words
from runoff.words.names import measure_words
from runoff.words.numbers import counted, estimated, exactly, listed, p_equals, rounded

Tone = Literal["yes", "no", "open"]
NO_LEAD = "There is no lead to hold"
"""The answer to both other questions where the first is that two are equivalent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A question, the answer to it, whether that is for the lead ("yes"), against it ("no") or neither ("open"), and why."""

    question: str
    answer: str
    tone: Tone
    why: str
    to: str


def tiles(answers: Answers, standing: Standing) -> list[Tile]:
    """Return the three questions about a lead, answered; none where nothing was compared, or it has no verdict (R020, R031, R032)."""
    if not standing.pairs or answers.comparison.nearest.unjudged:
        return []
    return [_real(answers, standing), _across(answers), _measures(answers.comparison)]


def _real(answers: Answers, standing: Standing) -> Tile:
    comparison = answers.comparison
    real, pair = comparison.real, comparison.nearest
    if pair.verdict == "equivalent":
        answer = "They are equivalent"
    elif standing.those("ahead"):
        answer = "Nobody leads"
    elif pair.winner:
        answer = f"Yes{'' if real.holds else ', of those tested'}: {_against(answers, pair)}"
    else:
        answer = f"Not shown: {_against(answers, pair)}"
    tone: Tone = "yes" if real.holds else "open"
    why = _size(comparison, pair, standing)
    return Tile(question="Is the lead real?", answer=answer, tone=tone, why=why, to="measures")


def _against(answers: Answers, pair: Pair) -> str:
    if pair.measure == IMPROVEMENT:
        return f"{100 * pair.estimate:.0f} of 100 against {pair.b}"
    measure = "success rate" if pair.rates and pair.measure == "mean" else measure_words(pair.measure)
    if pair.n_tasks < answers.scores.n_tasks:  # values over the tasks of each would not be those that were compared
        shared = f"on which both have two {pair.unit}s or more" if pair.left_out else "that both have"
        return f"{measure}, on {counted([pair.n_tasks], 'task')} {shared}"
    records = {record.algorithm: record for record in ranked(answers)}
    both = [records[name] for name in (pair.a, pair.b)]
    # The decimals of the table, or more where those would show no difference.
    places = (decimals(list(records.values())), decimals(both))
    texts = [[rounded(record.estimate, n) for record in both] for n in places]
    first, second = next((words for words in texts if words[0] != words[1]), texts[-1])
    return f"{measure} {first} against {second}"


def _size(comparison: ComparisonResult, pair: Pair, standing: Standing) -> str:
    m = len(comparison.pairs)
    several = m > 1 and comparison.correction != "none"
    low, high = pair.deciding
    level = "corrected" if several else f"{100 * comparison.confidence_level:g}\u00a0%"
    if pair.measure == IMPROVEMENT:
        ends = (
            "" if low is None or high is None else f" ({level} interval {hundredths(low)} to {hundredths(high)}\u00a0%)"
        )
        size = f"Take one {pair.unit} of each at random: {pair.a} scores higher {100 * pair.estimate:.0f}\u00a0% of the time{ends}."
    else:
        ends = "" if low is None or high is None else f" ({level} interval)"
        size = f"{pair.a} − {pair.b}: {estimated(pair.estimate, low, high)}{ends}."
    family = f", adjusted for {m} comparisons" if several else ""
    behind = [] if comparison.real.holds else [name for name in standing.those("behind") if name != pair.b]
    above = f" {pair.a} is above {listed(behind)}." if behind else ""
    if pair.verdict == "equivalent" and pair.margin is not None:
        tests = f"Two one-sided tests against a margin of {exactly(pair.margin)}"
        return f"{size} {tests}: {p_equals(pair.pvalue_equivalence_adjusted)}{family}.{above}"
    return f"{size} {p_equals(pair.pvalue_adjusted)}{family}.{above}"


def _across(answers: Answers) -> Tile:
    pair, finding = answers.comparison.nearest.ahead, answers.comparison.across_tasks
    (ahead, ties, by), reading, n = _counts(answers, pair), pair.over_tasks, pair.wins + pair.ties + pair.losses
    of = f"{ahead} of {n}"
    level = f", level on {ties}" if ties else ""
    makes = f"{counted([len(pair.lead_tasks)], 'task')} {'makes' if len(pair.lead_tasks) == 1 else 'make'}"
    lead = "it" if pair.measure in OF_TASKS else "the lead of the mean"
    few = f" {makes} {lead}: {listed(pair.lead_tasks)}." if pair.lead_tasks else ""
    if reading:
        words = differences_words(reading.measure, binary=pair.rates)
        test = f". By the {words}, {p_equals(reading.pvalue_adjusted)}"
    else:
        own = n >= MANY_TASKS or not one_unit(answers.scores)
        test = f"; in units of their own it takes {FOR_IMPROVEMENT}" if own else f"; it takes {MANY_TASKS}"
    why = f"Ahead on {of} tasks{by}{level}, against {pair.b}{test}.{few}"
    tones: dict[bool | None, Tone] = {None: "open", True: "yes", False: "no"}
    tone = tones[finding.holds]
    if n == 1:
        answer, why = "One task only", "Nothing is known of others."
    elif pair.a != answers.comparison.nearest.a:
        answer, tone = f"No: {pair.a} is ahead on {of}", "no"
        why = (
            f"{pair.b} is ahead on {n - ahead - ties} of the tasks that both have{level}{test if reading else ''}.{few}"
        )
    elif finding.holds:
        answer = "Yes, on tasks like these"
    elif reading and reading.verdict == "b_better":
        answer = f"No: {pair.b} is ahead"
    elif finding.holds is False:
        answer = f"No: {makes} it"
    else:
        # Of two that are equivalent no lead was claimed, and so none is missing.
        answer = NO_LEAD if pair.verdict == "equivalent" else "Not shown" if reading else "Too few tasks to tell"
    return Tile(question="Does it hold across tasks?", answer=answer, tone=tone, why=why, to="where")


def _counts(answers: Answers, pair: Pair) -> tuple[int, int, str]:
    """Return on how many tasks the one that is ahead is so, and on how many both are level, as the dots of the page show it if all have one;
    and by what, where the measure does not say it.
    """
    if pair.measure != IMPROVEMENT:
        return pair.wins, pair.ties, ""
    # The dots of the page are chances then, of which some lie on the other side of one half than the means, which
    # the tables of tasks count.
    if not answers.leads or pair.left_out:
        return pair.wins, pair.ties, " by the mean"
    first, even = answers.leads[0], 0.5
    leads = [record.estimate - even if first.a == pair.a else even - record.estimate for record in first.rows]
    return sum(lead > 0 for lead in leads), sum(lead == 0 for lead in leads), " by the chance to win"


def _measures(comparison: ComparisonResult) -> Tile:
    finding, pairs, real = comparison.other_measures, comparison.standing.own, comparison.real.holds
    readings = pairs[0].other_readings
    against = contrary(pairs) if readings else {}
    too = [
        f"the {measure_words(reading.measure)}"
        for place, reading in enumerate(readings)
        if all(pair.other_readings[place].verdict == "a_better" for pair in pairs)
    ]
    if not readings:
        answer = "No other measure"
    elif comparison.nearest.verdict == "equivalent" and not too and not any(leads for _, leads in against):
        answer, against = NO_LEAD, {}
    elif against:
        (rival, leads), measures = next(iter(against.items()))
        answer = f"{'No' if leads else 'Not all'}: {rival} is first by {listed(measures)}"
    elif not real:
        answer = f"Established by {listed(too)}" if too else "Same leader, not established"
    elif finding.holds:
        answer = f"Yes: by all {len(readings) + 1} measures" if len(readings) > 1 else "Yes: by both measures"
    else:
        answer = f"Partly: also by {listed(too)}" if too else "Same leader, not established"
    tone: Tone = "no" if against else "yes" if real and finding.holds else "open"
    return Tile(
        question="Does it hold for other measures?", answer=answer, tone=tone, why=finding.sentence, to="aggregates"
    )
