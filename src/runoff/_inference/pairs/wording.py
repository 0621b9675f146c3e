"""Verdicts as sentences. Absence of evidence is never worded as equality, and numbers that point another way are explained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from runoff._inference.about import Levels
from runoff._inference.bootstrap import Ends, Improvement
from runoff._inference.pairs.pair import PairData
from runoff._inference.pairs.tests import PairOutcome, least_pvalue
from runoff.results.comparison import Verdict, numbers_of
from runoff.words.numbers import digits, estimated, exactly, p_adjusted, p_equals, percent
from runoff.words.speech import choice

NONE = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """All that a pair's sentence is made of.

    smallest: the difference that would have been found with 80 % power; multiple: of the runs, to find one as large as that seen; untold: why
    there is none; confidence_level: of each interval.
    """

    pair: PairData
    outcome: PairOutcome
    adjusted: float
    verdict: Verdict
    better: Improvement
    smallest: float | None
    multiple: float | None
    levels: Levels
    confidence_level: float
    untold: str = ""


def pair_sentence(told: Told) -> str:
    """Return what was found for a pair, with its numbers, seen from the winner's side where there is one."""
    pair, outcome = told.pair, told.outcome
    where = "" if len(pair.tasks) == 1 else f" over {len(pair.tasks)} tasks"
    seen, (first, second) = _seen(told), _called(pair)
    numbers = (
        f"difference of {'success rates' if pair.binary else 'means'} "
        f"{numbers_of((seen.difference, *(seen.ends or NONE)), (seen.chance, *(seen.chances or NONE)))}; "
        f"{outcome.about.title}{' of whole runs' if pair.shared else ''}, {p_adjusted(outcome.pvalue, told.adjusted)}"
    )
    why = "".join(f" {clause}" for clause in clauses(told))
    if told.verdict in ("a_better", "b_better"):
        winner, loser = (first, second) if told.verdict == "a_better" else (second, first)
        claim = str(outcome.about.claim)
        claim = claim.replace("mean score", "success rate") if pair.binary else claim
        sentence = f"{winner} {claim} {loser}{where} ({numbers}).{why}"
        return sentence[0].upper() + sentence[1:] if pair.episodes else sentence
    return f"No difference was found between {first} and {second}{where} ({numbers}).{why} {_power_words(told)}"


def _called(pair: PairData) -> tuple[str, str]:
    """Return what is compared: algorithms, or the one policy of each whose episodes were seen."""
    return (f"the policy of {pair.a}", f"the policy of {pair.b}") if pair.episodes else (pair.a, pair.b)


def _power_words(told: Told) -> str:
    """Return what the runs could have shown, so that "no difference found" is not taken for "no difference"."""
    least, smallest, levels = least_pvalue(told.pair), told.outcome.smallest, told.levels
    if smallest is not None and smallest > levels.first:
        title = told.outcome.about.title
        level = digits(levels.first, 2) + (
            "" if levels.first == levels.alpha else " that the first pair of the family has to reach"
        )
        if least <= levels.first:
            return (
                f"So few draws could hardly have shown one: the smallest p-value that they can give is {digits(smallest, 2)}, above the "
                f"{level}. Draw "
                f"more ({choice('n_resamples=', '--resamples')})."
            )
        if smallest <= levels.best:
            return (
                f"It could have been shown only after other pairs of the family: the smallest p-value that {title} can give is "
                f"{digits(smallest, 2)}, "
                f"above the {level}. Add runs."
            )
        return (
            f"No runs of this design could have shown one: the smallest p-value that {title} can give is {digits(smallest, 2)}, above the "
            f"{level}. "
            "Add runs."
        )
    if told.smallest is None:
        return f"How large a difference would have been found is not known, for {told.untold}."
    what = "success rates" if told.pair.binary else "means"
    return f"A true difference of {what} of {digits(told.smallest)} would have been found with 80\u00a0% power; smaller ones may exist."


@dataclass(frozen=True, slots=True)
class _Seen:
    """The numbers of a pair, as a minus b, or from the winner's side."""

    difference: float
    ends: Ends | None
    chance: float
    chances: Ends | None


def _seen(told: Told) -> _Seen:
    estimate, ends = told.pair.difference.estimate, told.pair.difference_ends(told.confidence_level)[0]
    chance, chances = told.better.estimate, told.better.ends
    if told.verdict == "b_better":
        return _Seen(-estimate, turned(ends, 0.0), 1 - chance, turned(chances, 1.0))
    return _Seen(estimate, ends, chance, chances)


def opposed(told: Told) -> bool:
    """Return whether the intervals of the difference and of the improvement leave out "no difference" on opposite sides."""
    seen = _seen(told)
    if seen.ends is None or seen.chances is None:
        return False
    return (seen.ends[0] > 0 and seen.chances[1] < 0.5) or (seen.ends[1] < 0 and seen.chances[0] > 0.5)


# ── why numbers may point another way ──────────


def clauses(told: Told) -> Iterator[str]:
    """Yield why the difference, the improvement or their intervals point another way than the verdict, or leave it open."""
    seen, about = _seen(told), told.outcome.about
    if told.verdict in ("a_better", "b_better"):
        yield from _of_a_winner(seen, about.by_rank, told)
        return
    apart = [
        name
        for name, ends, equal in (("difference", seen.ends, 0.0), ("improvement", seen.chances, 0.5))
        if ends is not None and not ends[0] <= equal <= ends[1]
    ]
    if not apart:
        return
    which = f"interval of the {apart[0]}" if len(apart) == 1 else "two intervals"
    leaves, it = ("leaves out", "it is") if len(apart) == 1 else ("leave out", "they are")
    if opposed(told):
        yield "Means and ranks point in opposite directions: look at the runs task by task."
    if told.outcome.pvalue <= told.levels.alpha < told.adjusted:
        yield f"The {which} {leaves} “no difference”: {it} not adjusted for the other pairs, the verdict is."
    elif abs(told.confidence_level - (1 - told.levels.alpha)) > 1e-9:
        yield f"The {which} {leaves} “no difference”: {it} at {percent(told.confidence_level)}, the verdict at α = {exactly(told.levels.alpha)}."
    elif told.outcome.pvalue > 2 * told.levels.alpha:
        yield f"The {which} {leaves} “no difference”: {it} made from the spread of few or equal runs, which the test does not trust."
    elif about.by_rank == (apart == ["improvement"]):
        yield f"The {which} {leaves} “no difference”: {it} approximate, and at the margin the test decides."
    else:
        yield f"The {which} {leaves} “no difference”: the test asks {QUESTIONS[about.by_rank]}, which is another question."


QUESTIONS = {
    True: "who tends to be ahead, not by how much",
    False: "whether the means differ, not how often a run is ahead",
}
"""What a test asks, by whether it is one of ranks."""


def _of_a_winner(seen: _Seen, by_rank: bool, told: Told) -> Iterator[str]:
    """Yield why numbers do not show the winner ahead."""
    level = abs(told.confidence_level - (1 - told.levels.alpha)) > 1e-9
    loose = (
        "the interval is at another level than the verdict"
        if level
        else "the interval is approximate, and the test decides"
    )
    for name, estimate, ends, equal, own in (
        ("difference of means", seen.difference, seen.ends, 0.0, not by_rank),
        ("probability of improvement", seen.chance, seen.chances, 0.5, by_rank),
    ):
        if estimate < equal:
            yield f"The {name} points the other way: the test asks {QUESTIONS[by_rank]}."
        elif ends is not None and ends[0] <= equal:
            why = loose if own else f"the test asks {QUESTIONS[by_rank]}"
            yield f"The interval of the {name} does not leave out “no difference”: {why}."


# ── numbers in words ──────────


def turned(ends: Ends | None, about: float) -> Ends | None:
    """Return the interval of `about` minus the quantity: the same pair seen from the other side."""
    return None if ends is None else (about - ends[1], about - ends[0])


def with_ends(estimate: float, ends: Ends | None) -> str:
    """Return "0.52 [0.41, 0.63]", or the estimate alone."""
    return estimated(estimate, *(ends or (None, None)))


def equivalence_words(sentence: str, pair: PairData, verdict: str, margin: float, pvalue: float, alpha: float) -> str:
    """Return the sentence of a pair, with what is known about its margin; `pvalue` is the adjusted one of equivalence."""
    tested = f"two one-sided {'score' if pair.rates else 'Welch'} tests, {p_equals(pvalue)}"
    if verdict == "equivalent":
        first, second = _called(pair)
        first = "The" + first[3:] if pair.episodes else first
        return f"{first} and {second} are equivalent within a margin of {exactly(margin)} ({tested}). {sentence}"
    if verdict != "no_difference_found" and pvalue <= alpha:
        return f"{sentence} The difference is smaller than the margin of {exactly(margin)} ({tested})."
    return (
        f"{sentence} The true difference was not shown to be smaller than the margin of {exactly(margin)} ({tested})."
    )
