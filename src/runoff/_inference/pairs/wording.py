"""Verdicts as sentences.

Absence of evidence is never worded as equality, and the interval of a sentence is the one that decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from runoff._inference.about import CLAIMS, Levels
from runoff._inference.bootstrap import Ends
from runoff._inference.pairs.cells import in_both
from runoff._inference.pairs.chance import EVEN
from runoff._inference.pairs.measure import HODGES_LEHMANN, IMPROVEMENT
from runoff._inference.pairs.over_tasks import TaskPair, flips_of, has_improvement
from runoff._inference.pairs.pair import Measured, PairData
from runoff._inference.pairs.strata import StratifiedPair, weights_of
from runoff._inference.pairs.tests import JACKKNIFE, PairOutcome, chosen_test, least_pvalue
from runoff.answer.base import less
from runoff.answer.pair import NO_POWER, EstimateEnds, PairVerdict, agreeing, numbers_of
from runoff.answer.unjudged import (
    IN_STRATUM,
    WITHOUT_SPREAD,
    few_clusters_words,
    plateau_words,
    repair_of,
    unjudged_words,
)
from runoff.words.measures import LEAST_CLUSTERS, differences_words, even_of, lead_of, strata_words
from runoff.words.names import capital
from runoff.words.numbers import counted, digits, exactly, p_adjusted, p_equals, percent
from runoff.words.speech import both_words, choice, option, sided

NONE = (None, None)
HIGHER_RATE = "has a higher success rate than"
"""What a test of means claims of scores of 0 and 1."""


@dataclass(frozen=True, kw_only=True)
class PairFacts:
    """The facts that a pair's sentence states.

    measure: what is compared; ends: of its interval; decided: at the level at which the family decided; even: the value of two that are alike.
    further: between what a further task lies. untold: why no power is known; the rest is as in `Pair`.
    """

    pair: PairData
    outcome: PairOutcome
    pvalue_adjusted: float
    verdict: PairVerdict
    better: Measured
    detectable_difference: float | None
    detectable_df: float | None
    levels: Levels
    confidence_level: float
    measure: str
    estimate: float
    ends: Ends | None
    decided: Ends | None
    further: Ends | None = None
    untold: str = ""

    @property
    def even(self) -> float:
        return even_of(self.measure)

    @cached_property
    def unjudged(self) -> str:
        """Return why the measure has no standard error, and so the pair no verdict; "" where it has one."""
        if isinstance(self.pair, StratifiedPair):
            return in_stratum_words(self.pair, self.measure)
        return why_unjudged(self.pair, self.measure, by_spread=self.outcome.test == JACKKNIFE)

    @property
    def spoken(self) -> tuple[float | None, float | None]:
        """The ends that the sentence gives, as `Pair.spoken` has them."""
        return agreeing(self.decided or self.ends or NONE, self.verdict, self.measure)


def why_unjudged(pair: PairData, measure: str, *, by_spread: bool) -> str:
    """Return why a pair has no verdict by its law, or by a test of spread; "" where it has one."""
    if isinstance(pair, TaskPair) and (n := pair.n_clusters) is not None and n < LEAST_CLUSTERS:
        return few_clusters_words(n)
    if pair.over == "tasks" or not by_spread:
        return ""
    if not pair.n_counted:
        everywhere = "on every task " if len(pair.tasks) > 1 else ""
        both = all(max(sizes) == 1 for sizes in pair.sizes)
        return f"{everywhere}{'both have' if both else 'one of the two has'} a single {pair.unit}"
    if pair.has_error(measure):
        return ""
    if not pair.law_at("mean").laws:
        return WITHOUT_SPREAD
    return plateau_words(measure, pair.unit)


def in_stratum_words(pair: StratifiedPair, measure: str) -> str:
    """Return in which stratum a pair has no verdict, which leaves all without; "" where there is none."""
    without = (
        name
        for name, part in zip(pair.strata, pair.within, strict=True)
        if why_unjudged(part, measure, by_spread=chosen_test(part, measure) == JACKKNIFE)
    )
    return next((f"{IN_STRATUM} {name}" for name in without), "")


def pair_sentence(facts: PairFacts) -> str:
    """Return the verdict of a pair with its numbers, from the winner's side where there is one."""
    pair, outcome = facts.pair, facts.outcome
    first, second = _called(pair)
    by = f"; {outcome.about.title}{_sampled(pair)}, {p_adjusted(outcome.pvalue, facts.pvalue_adjusted)}"
    if facts.unjudged:
        repair = capital(repair_of(facts.unjudged, facts.measure, pair.unit, len(pair.tasks)))
        return f"{unjudged_words(first, second, facts.unjudged)} ({_on_sides(facts)}). {repair}."
    why = _otherwise(facts)
    if decider := deciding_stratum(facts):
        why += f" {decider}"
    if isinstance(pair, TaskPair) and (flips := pair.flips):
        p = flips_of(pair)["pvalue_mcnemar"]
        why += sided(_flipped(first, second, *flips, p), _flipped(second, first, *flips[::-1], p))
    if pair.over == "tasks" and pair.shared:
        why += " What other training runs would score is not in this claim."
    if facts.verdict in ("a_better", "b_better"):
        own, winner, loser = ("a", first, second) if facts.verdict == "a_better" else ("b", second, first)
        claim = HIGHER_RATE if pair.binary and outcome.about.claim == CLAIMS["means"] else outcome.about.claim
        sentence = f"{winner} {claim} {loser}{_where(pair)} ({_numbers(facts, seen_from=own)}{by}).{why}"
        # "the policy of A" begins the sentence; the name of an algorithm keeps the case that its users write.
        return capital(sentence) if pair.episodes and not pair.items else sentence
    names = both_words(first, second)
    return f"No difference was found between {names}{_where(pair)} ({_on_sides(facts)}{by}).{why} {_power_words(facts)}"


def _on_sides(facts: PairFacts) -> str:
    return sided(*(_numbers(facts, seen_from=side) for side in "ab"))


def _flipped(first: str, second: str, won: tuple[str, ...], lost: tuple[str, ...], p: float | None) -> str:
    """Return how many items only one of two solved, and the cross-check."""
    check = "" if p is None else f" (cross-check: McNemar's exact test, {p_equals(p)})"
    return f" Only {first} solved {counted([len(won)], 'item')}, only {second} {len(lost)}{check}."


def _numbers(facts: PairFacts, *, seen_from: str) -> str:
    """Return the estimates of a pair, as a − b, or seen from b, as they stand in its sentence."""
    own = (facts.estimate, *facts.spoken)
    chance = (facts.better.estimate, *(facts.better.ends or NONE))
    low, high = facts.further or NONE
    if seen_from == "b":
        whole = 2 * facts.even
        own, chance = turned(own, whole), turned(chance, 1.0)
        low, high = less(whole, high), less(whole, low)
    words = differences_words(facts.measure, binary=facts.pair.binary)
    if facts.unjudged:
        return numbers_of(words, own, chance)
    decided = facts.spoken != (facts.ends or NONE)
    return numbers_of(words, own, chance, (len(facts.pair.tasks), low, high), decided=decided)


def _where(pair: PairData) -> str:
    """Return the tasks that a verdict is over: all of the data, or those that both have."""
    n, like = len(pair.tasks), f"{pair.nouns.tasks} like " if pair.over == "tasks" else ""
    strata = strata_words(weights_of(pair))
    if pair.n_all:
        return f" over {like}{in_both(pair)}{strata}"
    return f" over {like}these {n}{strata}" if like else "" if n == 1 else f" over {n} tasks{strata}"


MOSTLY = 2 / 3
"""With so much of the squared width of an interval a stratum decides how wide it is."""


def deciding_stratum(facts: PairFacts) -> str:
    """Return the sentence on the stratum that makes most of the width of the interval; "" where none does, or there is none."""
    pair = facts.pair
    if not isinstance(pair, StratifiedPair) or facts.unjudged:
        return ""
    name, n, share = pair.largest(facts.measure, facts.confidence_level)
    if share < MOSTLY:
        return ""
    others = sorted(len(part.tasks) for part in pair.within)[1:]
    smallest = len({*pair.weights}) == 1 and n < others[0]
    stratum = f"{name} ({counted([n], pair.nouns.task)})"
    lead = f"Equal weights let the smallest stratum, {stratum}, decide" if smallest else f"Stratum {stratum} decides"
    return f"{lead}: it makes {percent(share, 2)} of the squared width of the interval."


def _sampled(pair: PairData) -> str:
    """Return what a test takes as a whole, where it is not a run of a task."""
    if isinstance(pair, TaskPair):
        return "" if pair.n_clusters is None else f" of {pair.n_clusters} clusters"
    return " of whole runs" if pair.shared else ""


def _called(pair: PairData) -> tuple[str, str]:
    """Return the names of both sides: algorithms, or the one policy of each whose episodes were scored."""
    return (
        (f"the policy of {pair.a}", f"the policy of {pair.b}") if pair.episodes and not pair.items else (pair.a, pair.b)
    )


def _power_words(facts: PairFacts) -> str:
    """Return what the runs could have shown, so that "no difference found" is not taken for "no difference"."""
    least, smallest, levels = least_pvalue(facts.pair), facts.outcome.smallest, facts.levels
    # Over tasks few runs are not what is lacking, so it has words of its own.
    if isinstance(facts.pair, TaskPair):
        k = facts.pair.n_differing(facts.measure)
        if not k or (smallest or 0.0) > levels.first:
            return _too_few_tasks(facts, facts.pair, k)
    if smallest is not None and smallest > levels.first:
        title = facts.outcome.about.title
        who, repair = title, "Add runs"
        if least <= levels.first:
            cause = "So few draws could hardly have shown one"
            who, repair = "they", f"Draw more ({choice('n_resamples=', '--n-resamples')})"
        elif smallest <= levels.best:
            cause = "It could have been shown only after other pairs of the family"
        else:
            cause = "No runs of this design could have shown one"
        least_words = f"the smallest p-value that {who} can give is {digits(smallest, 2)}"
        return f"{cause}: {least_words}, above the {digits(levels.first, 2)}{_bound(levels)}. {repair}."
    if (lead := facts.detectable_difference) is None:
        why = f": {NO_POWER}" if facts.outcome.test == "boschloo" else f", for {facts.untold}"
        return f"The detectable difference is not known{why}."
    if facts.pair.binary and not facts.even and lead >= 1.0:
        return "With the spread of these runs, no true difference of success rates is detectable (80\u00a0% power)."
    if not facts.even:
        what = differences_words(facts.measure, binary=facts.pair.binary)
        return f"The detectable {what} is {digits(lead)} (80\u00a0% power); smaller true differences may exist."
    if lead < EVEN:
        return f"The detectable probability is {percent(EVEN + lead)} (80\u00a0% power); smaller leads may exist."
    return "With the spread of these runs, no true probability of improvement is detectable (80\u00a0% power)."


def _too_few_tasks(facts: PairFacts, pair: TaskPair, k: int) -> str:
    """Return what tasks that hardly differ cannot say; that all n are equal has chance (1 − q)^n where a share q differs."""
    n, level = len(pair.tasks), facts.levels.first
    smallest = facts.outcome.smallest or 1.0
    noun = "task" if pair.clusters is None else "cluster"
    if not k:
        share = (
            f": with {percent(1 - level)} confidence fewer than {percent(1 - level ** (1 / n))} of such tasks differ"
        )
        return f"The two are level on every {noun}{share if pair.clusters is None else ''}, and which is ahead there cannot be said."
    few = "too few to say which is ahead"
    few, way = few if smallest > facts.levels.best else "enough only after other pairs of the family", "Add tasks"
    if facts.measure == HODGES_LEHMANN and has_improvement([pair]):
        few = "by amounts that are often equal and count for neither side where they cancel"
        way = f"Compare by the improvement, which counts them ({option('measure', IMPROVEMENT)})"
    return (
        f"They differ on {counted([k], noun)}, {few}: the smallest p-value that {facts.outcome.about.title} can give is "
        f"{digits(smallest, 2)}, above the {digits(level, 2)}{_bound(facts.levels)}. {way}."
    )


def _bound(levels: Levels) -> str:
    return "" if levels.first == levels.alpha else " that the first pair of the family has to reach"


def _otherwise(facts: PairFacts) -> str:
    """Return that the measure points another way than the verdict of a test that weighs tasks otherwise, "" where it does not."""
    # A rank test weighs a task by its runs, the measure all tasks alike: both can be right, and the reader has to know that they differ.
    differs = facts.verdict in ("a_better", "b_better")
    if not differs or (lead_of(facts.measure, facts.estimate) > 0) == (facts.verdict == "a_better"):
        return ""
    name = differences_words(facts.measure, binary=facts.pair.binary)
    return f" The {name} points the other way: the test weighs tasks by their runs."


# ── numbers in words ──────────


def turned(estimate: EstimateEnds, whole: float) -> EstimateEnds:
    """Return `whole` minus an estimate, and its ends: the same pair seen from the other side."""
    value, low, high = estimate
    return whole - value, less(whole, high), less(whole, low)


def equivalence_words(
    sentence: str, pair: PairData, verdict: str, *, margin: float, pvalue: float, alpha: float
) -> str:
    """Return the sentence of a pair with the result of its margin; `pvalue` is the adjusted one of equivalence."""
    tested = f"two one-sided tests, {p_equals(pvalue)}"
    if verdict == "no_verdict":
        return sentence
    if verdict == "equivalent":
        both = [f"{first} and {second}" for first, second in (_called(pair), _called(pair)[::-1])]
        names = sided(*map(capital, both)) if pair.episodes else sided(*both)
        return f"{names} are equivalent within a margin of {exactly(margin)} ({tested}). {sentence}"
    if verdict != "no_difference_found" and pvalue <= alpha:
        return f"{sentence} The difference is smaller than the margin of {exactly(margin)} ({tested})."
    return (
        f"{sentence} The true difference was not shown to be smaller than the margin of {exactly(margin)} ({tested})."
    )
