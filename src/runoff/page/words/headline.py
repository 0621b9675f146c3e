"""The first screen in words: the leader, the algorithms over which its lead is established, how sure that is, the main caution, and what to
do next."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from runoff._inference.family import CORRECTIONS
from runoff.answer.base import Advice, withheld
from runoff.answer.pair import lead_words, often
from runoff.answer.standing import Standing
from runoff.page.answers.all import Answers, leaders_first, standing_of, untested_words
from runoff.page.words.next_steps import NextStep, next_steps
from runoff.page.words.tiles import tiles
from runoff.words.measures import EVEN
from runoff.words.names import capital
from runoff.words.numbers import indefinite, listed
from runoff.words.speech import Sentence, in_both, in_python, neutral

UNSURE = frozenset(
    ["R001", "R004", "R005", "R006", "R018", "R019", "R020", "R022", "R023", "R024", "R030", "R031", "R032", "R303"]
)
"""Codes of cautions by which tests may err more often than alpha: few runs, skewed runs or runs in groups, rows that are not independent, runs
that count with less training than others."""
HARMLESS = frozenset({"R018", "R019", "R030", "R303"})
"""Those of them that take nothing from a test where they are an info: an interval beside it is approximate; all are read at one step; each task
has runs of its own; there are many tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The answer, the algorithms that the leader beats, how sure that is, the caution that concerns the leaders ("" if there is none), and
    the next step."""

    answer: str
    beaten: str
    sure: str
    caution: str
    steps: tuple[NextStep, ...]


def sentences(answers: Answers) -> tuple[str, ...]:
    """Return the answer in sentences, the same on the page, on the terminal and in results.json."""
    standing = standing_of(answers)
    parts = headline(answers, standing)
    # On one task the tile says that nothing is known of others, which the first sentence has not claimed.
    several = bool(standing.pairs) and answers.comparison.nearest.n_tasks > 1
    # What carries a lead is said where few tasks were found to; the page says too that none were.
    questions = tiles(answers, standing) if several else []
    across = [tile for tile in questions if tile.to == "where" and (tile is questions[1] or tile.tone == "no")]
    words = [
        parts.answer,
        parts.beaten,
        parts.sure,
        *(f"{tile.question} {tile.answer}. {neutral(tile.why)}" for tile in across),
        parts.caution,
        *(f"{step.act} {step.why}" for step in parts.steps),
    ]
    return tuple(Sentence(text) for text in words if text)


def headline(answers: Answers, standing: Standing) -> Headline:
    return Headline(
        answer=answers.comparison.sentence if standing.pairs else _without_verdict(answers),
        beaten=_beaten(answers, standing) if standing.pairs else "",
        sure=_sure(answers),
        caution=Sentence(_caution(answers, standing))
        if standing.pairs
        else next((in_both(capital, advice.text) for advice in answers.reservations if advice.code == "R027"), ""),
        steps=next_steps(answers, standing),
    )


def _without_verdict(answers: Answers) -> str:
    """Return the answer of a report in which no pair may be tested: one's own algorithm beside published ones."""
    shown = [name for name, why in answers.scores.provenance.published if why]
    own = [name for name in answers.scores.algorithms if name not in shown]
    return f"No verdict: {listed(own)} stands beside {listed(shown)}, and no pair is tested."


def _beaten(answers: Answers, standing: Standing) -> str:
    behind = standing.those("behind")
    pairs = [pair for name in behind if (pair := standing.beside(name)) is not None]
    lines = standing.those("not compared")
    read = " ".join(f"{listed(names)} {words}." for names, words in untested_words(answers, lines))
    if (
        answers.comparison.incomparable
        or not pairs
        or answers.scores.of_items
        or (answers.comparison.measure == "improvement" and len(behind) == len(standing.places) - 1 - len(lines))
    ):
        return read
    # Of the pairs one is told in chances: one in which the better by the measure loses more often than it wins,
    # if there is any, for that is what nobody would expect.
    shown = next((pair for pair in pairs if pair.improvement < EVEN), pairs[0])
    only = "only " if shown.improvement < EVEN else ""
    cells = zip(*(answers.scores.cells(name) for name in (shown.a, shown.b)), strict=True)
    # Without equal scores the words would be noise.
    ties = ", ties counting half" if any(bool(np.isin(a, b).any()) for a, b in cells) else ""
    # Where the chance decides, its interval is that which decided.
    ends = shown.deciding if shown.measure == "improvement" else (shown.improvement_low, shown.improvement_high)
    times = only + often(shown.improvement, *ends) + ties
    beats = f"{indefinite(answers.nouns.run)} of it beats one of {shown.b} {times}"
    all_found = len(behind) == len(standing.places) - 1
    if all_found:
        return f"{'Yet' if only else 'In these data'} {beats}. {read}".rstrip()
    by = "" if shown.measure == "improvement" else lead_words(shown)[1:] + (", yet" if only else ", and")
    joined = f"It was found above {listed(behind)}:{by} {beats}"
    return f"{joined}. {read}".rstrip()


def _sure(answers: Answers) -> str:
    comparison = answers.comparison
    share, m = f"{100 * comparison.alpha:g}\u00a0%", len(comparison.pairs)
    # A false positive rate is promised only where no caution takes the promise back.
    if all(pair.unjudged for pair in comparison.pairs) or any(
        item.code in UNSURE and not (item.code in HARMLESS and item.severity == "info") for item in answers.reservations
    ):
        return ""
    kind = CORRECTIONS[comparison.correction]
    if m == 1:
        return f"Where two {answers.nouns.algorithms} are alike, this test finds a difference in about {share} of experiments."
    return (
        f"Over all {m} pairs, the chance of even one false positive is about {share} at most ({kind.label} correction)."
    )


def _caution(answers: Answers, standing: Standing) -> str:
    rivals = standing.those("no difference found", "equivalent", "ahead") or standing.those("behind")[:1]
    leaders = {standing.leader, *rivals}
    given = leaders_first(answers.reservations, standing)
    here, answer = withheld(answers.comparison.advice), in_python(answers.comparison.sentence)
    # What the headline has said, a reason or a repair, is no further caution.
    fresh = [a for a in given if a != here and in_python(a.text).partition(":")[0].casefold() not in answer.casefold()]
    serious = [a for a in fresh if a.severity != "info" and _concerns(a, leaders)]
    if not serious:
        return ""
    worst = serious[0]
    clause = _first(worst)
    # Where the first clause names others only, the first of the leaders that it concerns stands in brackets.
    concerned = [name for name in standing.leading if name in standing.best and name in worst.subjects]
    unnamed = concerned and not any(repr(name) in clause for name in concerned)
    return f"{worst.code}: {clause}{f' (this concerns {concerned[0]} too)' if unnamed else ''}."


def _concerns(advice: Advice, leaders: set[str]) -> bool:
    """Return whether advice is about the leaders alone, or about all, or a warning that takes in one of them."""
    named = set(advice.subjects)
    return named <= leaders or (advice.severity == "warning" and bool(named & leaders))


def _first(advice: Advice) -> str:
    head = in_both(lambda text: re.split(r"[.;] ", text)[0].rstrip("."), advice.text)
    return neutral(in_both(lambda text: text[:1].upper() + text[1:], head))
