"""The four tiles under the headline: each question, its answer in a few words, and two lines of why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from runoff._inference.pairs import IMPROVEMENT, TASKS_FOR_FEW, one_unit
from runoff.answer.comparison import ComparisonResult
from runoff.answer.pair import Pair, contrary, often
from runoff.answer.standing import Standing
from runoff.page.answers.all import Answers
from runoff.words.measures import FOR_IMPROVEMENT, MANY_TASKS, OF_TASKS, differences_words, even_of
from runoff.words.names import measure_words
from runoff.words.nouns import OF_ITEMS
from runoff.words.numbers import counted, estimated, exactly, listed, p_equals
from runoff.words.speech import call

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
    """Return the four questions about a lead, answered; none where nothing was compared, or it has no verdict (R020, R031, R032)."""
    if not standing.pairs or answers.comparison.nearest.unjudged:
        return []
    pair = answers.comparison.nearest
    # Of items answered yes or no one measure is all there is, no item makes a lead, and the first answer is about items like these.
    if pair.nouns == OF_ITEMS:
        return [_real(answers, standing)]
    return [_real(answers, standing), _across(answers), _measures(answers.comparison), _carried(answers)]


def _real(answers: Answers, standing: Standing) -> Tile:
    comparison = answers.comparison
    real, pair = comparison.real, comparison.nearest
    if pair.verdict == "equivalent":
        answer = "They are equivalent"
    elif standing.those("ahead"):
        answer = "Nobody leads"
    elif pair.winner:
        answer = f"Yes{'' if real.holds else ', of those tested'}, {p_equals(pair.pvalue_adjusted)}"
    else:
        answer = f"Not shown, {p_equals(pair.pvalue_adjusted)}"
    tone: Tone = "yes" if real.holds else "open"
    n = answers.scores.n_tasks
    of = "On this task?" if n == 1 else f"On these {n} tasks?"
    if pair.over == "tasks":
        of = "Is the lead real?"
    return Tile(question=of, answer=answer, tone=tone, why=_size(answers, pair, standing), to="measures")


def _size(answers: Answers, pair: Pair, standing: Standing) -> str:
    comparison = answers.comparison
    m = len(comparison.pairs)
    several = m > 1
    low, high = pair.deciding
    level = "corrected" if several else f"{100 * comparison.confidence_level:g}\u00a0%"
    ends = "" if low is None else f" ({level} interval)"
    size = f"{pair.a} − {pair.b}: {estimated(pair.estimate, low, high)}{ends}."
    if pair.measure == IMPROVEMENT:
        size = (
            f"Take one {pair.unit} of each at random: {pair.a} scores higher {often(pair.estimate, low, high)}{ends}."
        )
    if pair.n_tasks < answers.scores.n_tasks:  # values over the tasks of each would not be those that were compared
        shared = f"on which both have two {pair.unit}s or more" if pair.left_out else "that both have"
        size = f"{size.removesuffix('.')}, on {counted([pair.n_tasks], pair.nouns.task)} {shared}."
    behind = [] if comparison.real.holds else [name for name in standing.those("behind") if name != pair.b]
    above = f" {pair.a} is above {listed(behind)}." if behind else ""
    if pair.verdict == "equivalent" and pair.margin is not None:
        family = f", adjusted for {m} comparisons" if several else ""
        tests = f"Two one-sided tests against a margin of {exactly(pair.margin)}"
        return f"{size} {tests}: {p_equals(pair.pvalue_equivalence_adjusted)}{family}.{above}"
    return f"{size}{f' Adjusted for {m} comparisons.' if several else ''}{above}"


def _across(answers: Answers) -> Tile:
    pair, finding = answers.comparison.nearest.ahead, answers.comparison.across_tasks
    (ahead, ties, by), reading, n = _counts(answers, pair), pair.over_tasks, pair.wins + pair.ties + pair.losses
    of = f"{ahead} of {n}"
    level = f", level on {ties}" if ties else ""
    if reading:
        words = differences_words(reading.measure, binary=pair.rates)
        test = f". By the {words}, {p_equals(reading.pvalue_adjusted)}"
    elif pair.over == "tasks":
        test = f"; {p_equals(pair.pvalue_adjusted)}"
    elif pair.weights:
        test = f"; {call('compare', over='tasks')} with the same strata tests that"
    elif answers.scores.sampling.shared:
        test = "; tasks share their runs, whose luck a test over tasks would take for a lead"
    else:
        own = n >= MANY_TASKS or not one_unit(answers.scores)
        least = (
            f"{FOR_IMPROVEMENT} tasks or more where each has a unit of its own"
            if own
            else f"{MANY_TASKS} tasks or more"
        )
        test = f"; a test of that needs {least}"
    why = f"Ahead on {of} tasks{by}{level}, against {pair.b}{test}."
    tones: dict[bool | None, Tone] = {None: "open", True: "yes", False: "no"}
    tone = tones[finding.holds if reading or pair.over == "tasks" else None]
    if n == 1:
        answer, why = "One task only", "Nothing is known of others."
    elif pair.a != answers.comparison.nearest.a:
        # Who is ahead on more tasks is a tally: without a test it answers nothing.
        shown = reading is not None and reading.verdict == "a_better"
        answer = f"No: {pair.a} is ahead" if shown else "Not shown" if reading else "Cannot be said"
        tone = "no" if shown else "open"
        why = f"{pair.b} is ahead on {n - ahead - ties} of the tasks that both have{level}{test if reading else ''}."
    elif finding.holds:
        answer = "Yes, on tasks like these"
    elif reading and reading.verdict == "b_better":
        answer = f"No: {pair.b} is ahead"
    else:
        # Of two that are equivalent no lead was claimed, and so none is missing.
        answer = NO_LEAD if pair.verdict == "equivalent" else "Not shown" if reading else "Cannot be said"
    return Tile(question="On tasks like these?", answer=answer, tone=tone, why=why, to="where")


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
        answer = "No other is tested"
    elif comparison.nearest.verdict == "equivalent" and not too and not any(leads for _, leads in against):
        answer, against = NO_LEAD, {}
    elif against:
        (rival, leads), measures = next(iter(against.items()))
        answer = f"{'No' if leads else 'Not all'}: {rival} is first by {listed(measures)}"
    elif not real:
        # Each measure errs in its own cases: of several that were tried one finds more than alpha.
        answer = f"Only by {listed(too)}, of {len(readings) + 1} tried" if too else "Same leader, not established"
    elif finding.holds:
        answer = f"Yes: by all {len(readings) + 1} measures" if len(readings) > 1 else "Yes: by both measures"
    else:
        answer = f"Partly: also by {listed(too)}" if too else "Same leader, not established"
    tone: Tone = "no" if any(leads for _, leads in against) else "yes" if real and finding.holds else "open"
    return Tile(question="By other measures?", answer=answer, tone=tone, why=finding.sentence, to="aggregates")


def _carried(answers: Answers) -> Tile:
    """Return whether few tasks make the lead (R026's neighbour: `lead_tasks` of a pair), and whether a task or a run less turns it."""
    pair = answers.comparison.nearest.ahead
    n = pair.n_tasks  # those that were compared, without a task of a single run
    lead = "lead" if pair.measure in OF_TASKS else "lead in the mean"
    tone: Tone = "open"
    why = ""
    if pair.verdict == "equivalent":
        answer = NO_LEAD
    elif pair.lead_tasks:
        of_mean = pair.measure not in OF_TASKS  # an IQM is no sum over tasks, and its lead may need none of these
        answer, tone = f"{'In the mean' if of_mean else 'Yes'}: {listed(pair.lead_tasks)}", "open" if of_mean else "no"
        why = f"{'It makes' if len(pair.lead_tasks) == 1 else 'They make'} the {lead} over {pair.b}."
    elif n == 1:
        answer, why = "One task only", "It carries all."
    elif pair.weights:
        answer, why = "Not tested", f"Each stratum has a line of its own. {pair.deciding_stratum}".strip()
    elif n < TASKS_FOR_FEW:
        answer = "Cannot be said"
        why = f"A test of whether few tasks make a lead needs {TASKS_FOR_FEW} tasks or more, and there are {n}."
    elif pair.measure == IMPROVEMENT and answers.scores.sampling.shared:
        answer, why = "Not tested", f"Chances of {pair.unit}s that tasks share have no test of that."
    elif _nothing_to_make(answers, pair):
        alone = pair.measure in OF_TASKS
        answer = NO_LEAD if alone else "No lead in the mean"
        why = (
            f"{pair.a} and {pair.b} are level."
            if alone
            else f"By the mean, to which tasks add up, {pair.a} is not ahead of {pair.b}."
        )
    else:
        answer = "Not found"
        # On 26 tasks one such lead in five is found (`few_tasks`), so that silence shows little.
        why = f"Tasks that make the {lead} over {pair.b} by themselves were looked for and not found, though such tasks are often missed."
    turns = _turned_by(answers, pair)
    return Tile(question="Does one thing carry it?", answer=answer, tone=tone, why=f"{why} {turns}".strip(), to="where")


def _nothing_to_make(answers: Answers, pair: Pair) -> bool:
    """Return whether the tasks of who is ahead by the measure add up to no lead: to a tie or, where another measure decides, to less."""
    parts = next((lead for lead in answers.leads if (lead.a, lead.b) == (pair.a, pair.b)), None)
    if parts is None or pair.measure == "optimality_gap":  # of which the page has no parts
        return False
    level = all(row.share is None for row in parts.rows)
    return level or sum(row.estimate - even_of(parts.measure) for row in parts.rows) <= 0


def _turned_by(answers: Answers, pair: Pair) -> str:
    """Return how many of the tasks, and of the runs, turn the order of two when they are left out alone; "" where none does."""
    rows = answers.robustness.rows if answers.robustness else ()
    own = {row.kind: row for row in rows if {row.a, row.b} == {pair.a, pair.b} and row.kind in ("task", "run")}
    turning = [
        f"{row.n_variations - row.kept} of the {counted([row.n_variations], pair.unit if kind == 'run' else 'task')}"
        for kind, row in own.items()
        if 0 < row.kept < row.n_variations  # of two that are level nothing is kept, and there is no order to turn
    ]
    return f"Left out alone, {listed(turning)} would turn the order." if turning else ""
