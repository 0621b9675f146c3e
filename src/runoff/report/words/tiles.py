"""The three tiles under the headline: each question, its answer in a few words, and two lines of why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from runoff.report.answers.all import Answers, ranked
from runoff.report.words.ranks import decimals
from runoff.results.comparison import ComparisonResult
from runoff.results.pair import Finding, Pair, contrary, listed
from runoff.results.standing import Standing
from runoff.words.names import measure_words
from runoff.words.numbers import counted, estimated, number, pvalue

Tone = Literal["yes", "no", "open"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A question, the answer to it, whether that is for the lead ("yes"), against it ("no") or neither ("open"), and why."""

    question: str
    answer: str
    tone: Tone
    why: str
    to: str


def tiles(answers: Answers, standing: Standing) -> list[Tile]:
    """Return the three questions about a lead, answered; none where nothing was compared."""
    if not standing.pairs:
        return []
    return [_real(answers, standing), _across(answers), _measures(answers.comparison)]


def _tone(finding: Finding) -> Tone:
    return "open" if finding.holds is None else "yes" if finding.holds else "no"


def _real(answers: Answers, standing: Standing) -> Tile:
    comparison = answers.comparison
    real, pair = comparison.real, comparison.nearest
    if pair.verdict == "equivalent":
        answer = "They are equivalent"
    elif standing.those("ahead"):
        answer = "Nobody leads"
    else:
        answer = f"{'Yes' if real.holds else 'Not shown'}: {_against(answers, pair)}"
    tone: Tone = "yes" if real.holds else "open"
    return Tile(
        question="Is the lead real?", answer=answer, tone=tone, why=_size(comparison, pair, standing), to="measures"
    )


def _against(answers: Answers, pair: Pair) -> str:
    if pair.measure == "improvement":
        return f"{100 * pair.estimate:.0f} of 100 against {pair.b}"
    records = {record.algorithm: record for record in ranked(answers)}
    both = [records[name] for name in (pair.a, pair.b)]
    # The decimals of the table, or more where those would show no difference.
    texts = [
        [number(record.estimate, places) for record in both]
        for places in (decimals(list(records.values())), decimals(both))
    ]
    first, second = next((words for words in texts if words[0] != words[1]), texts[-1])
    return f"{measure_words(pair.measure)} {first} against {second}"


def _size(comparison: ComparisonResult, pair: Pair, standing: Standing) -> str:
    m = len(comparison.pairs)
    several = m > 1 and comparison.correction != "none"
    # Where nothing was found, the interval is the one that decided: the pair's own may leave out what the family does not.
    by_family = several and pair.winner is None and pair.decided_low is not None
    low, high = (pair.decided_low, pair.decided_high) if by_family else (pair.low, pair.high)
    level = "corrected" if by_family else f"{100 * comparison.confidence_level:g}\u00a0%"
    if pair.measure == "improvement":
        ends = "" if low is None or high is None else f" ({level} interval {100 * low:.0f} to {100 * high:.0f}\u00a0%)"
        size = f"Take one {pair.unit} of each at random: {pair.a} scores higher {100 * pair.estimate:.0f}\u00a0% of the time{ends}."
    else:
        size = f"Lead over {pair.b}: {estimated(pair.estimate, low, high)} ({level} interval)."
    family = f", adjusted for {m} comparisons" if several else ""
    behind = [] if comparison.real.holds else list(standing.those("behind"))
    above = f" {pair.a} is above {listed(behind)}." if behind else ""
    return f"{size} p = {pvalue(pair.pvalue_adjusted)}{family}.{above}".replace("p = <", "p <")


def _across(answers: Answers) -> Tile:
    comparison = answers.comparison
    pair, finding = comparison.nearest.ahead, comparison.across_tasks
    n, (ahead, ties) = len(pair.few), _counts(answers, pair)
    makes = f"{counted([n], 'task')} {'makes' if n == 1 else 'make'} it"
    level = f", level on {ties}" if ties else ""
    counts = f"head on {ahead} of {pair.n_tasks} tasks{level}"
    how = "its chance to win" if pair.measure == "improvement" else "the mean"
    why = f"A{counts}, against {pair.b}." if pair.few else f"{pair.a} against {pair.b}, by {how} on each task."
    if pair.n_tasks == 1:
        answer, why = "One task only", "Nothing is known of others."
    elif pair.few:
        answer = f"No: {makes}" if finding.holds is False else f"By the mean, {makes}"
        why += f" They are {listed(pair.few)}." if n > 1 else f" It is {pair.few[0]}."
    else:
        answer = f"{'Yes: a' if finding.holds else 'A'}{counts}"
    tone: Tone = "no" if pair.few else _tone(finding)
    return Tile(question="Does it hold across tasks?", answer=answer, tone=tone, why=why, to="where")


def _counts(answers: Answers, pair: Pair) -> tuple[int, int]:
    """Return on how many tasks the one that is ahead is so, and on how many both are level, as the dots of the page show it."""
    if pair.measure != "improvement" or not answers.leads:
        return pair.wins, pair.ties
    first, even = answers.leads[0], 0.5
    leads = [record.estimate - even if first.a == pair.a else even - record.estimate for record in first.records]
    return sum(lead > 0 for lead in leads), sum(lead == 0 for lead in leads)


def _measures(comparison: ComparisonResult) -> Tile:
    finding, pairs = comparison.other_measures, comparison.standing.own
    readings = pairs[0].others
    against = contrary(pairs) if readings else {}
    if not readings:
        answer = "No other measure"
    elif finding.holds:
        yes = "Yes: by" if comparison.real.holds else "The same leader by"
        answer = f"{yes} all {len(readings) + 1} measures" if len(readings) > 1 else f"{yes} both measures"
    elif against:
        (rival, leads), measures = next(iter(against.items()))
        answer = f"{'No' if leads else 'Not all'}: {rival} is first by {listed(measures)}"
    else:
        answer = "Same order, not established"
    return Tile(
        question="Does it hold for other measures?",
        answer=answer,
        tone=_tone(finding),
        why=finding.sentence,
        to="measures",
    )
