"""One comparison of two algorithms, and what is said of it: its verdict, on how many tasks it holds, and by which other measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from runoff.results.base import Advice, less, seen_from_b
from runoff.results.ends import WithInterval
from runoff.words.measures import FOR_IMPROVEMENT, MANY_TASKS, OF_TASKS, differences_words, even_of, lead_of
from runoff.words.names import LOWER_IS_BETTER, measure_words
from runoff.words.nouns import Nouns, nouns_of
from runoff.words.numbers import chances, counted, digits, estimate_parts, estimated, listed, p_equals, percent
from runoff.words.speech import Sentence, call, option, seen_from_there, sided

OutlookName = Literal["ruled_out", "one_side", "both_sides", ""]
PairVerdict = Literal["a_better", "b_better", "no_difference_found", "equivalent", "no_verdict"]
NO_POWER = f"compare does not compute the power of Boschloo's test; {call('plan')} does, for a difference that is named ({option('effect')})"
"""Why a pair of success rates on one task has no detectable difference."""
SIDELESS = frozenset({"mack_skillings"})
"""Tests whose statistic is the same for (a, b) and (b, a); other statistics change sign, or count from the other side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The answer to one question about a lead: whether it holds, None where that cannot be said, and why in a sentence."""

    holds: bool | None
    sentence: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", Sentence(self.sentence))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureReading:
    """The reading of another measure for a pair: a − b (or the probability of improvement), decided with the correction of the comparison.

    `low` and `high` are the ends of the interval at the level at which it was decided; None without a standard error, and where none has
    that level.
    """

    measure: str
    estimate: float
    pvalue_adjusted: float | None
    verdict: PairVerdict
    low: float | None = None
    high: float | None = None

    @property
    def lead(self) -> float:
        """The lead of a over b."""
        return lead_of(self.measure, self.estimate)

    def turned(self) -> MeasureReading:
        return seen_from_b(self, {"estimate": 2 * even_of(self.measure)})


EstimateEnds = tuple[float, float | None, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(WithInterval):
    """One comparison of two algorithms on the tasks they share.

    Attributes
    ----------
    a, b : str
        Algorithms; every difference is a − b.
    n_runs_a, n_runs_b : tuple of (int, int)
        Fewest and most runs of a cell.
    test, method : str
        The test, and how its p-value was computed: "exact", "asymptotic" or "monte_carlo".
    null, alternative : str
        The hypotheses in words.
    pvalue_error : float
        Monte Carlo standard error of the p-value; 0 for exact and closed forms.
    pvalue, pvalue_adjusted : float or None
        Of the null; and adjusted over the family of pairs by the result's `correction`. None where no test was made: the measure has no standard
        error, or both have the same runs.
    measure : str
        What the two were compared by: "mean", "iqm", …, or "improvement".
    estimate : float
        a − b of that measure, or the probability of improvement.
    low, high : float or None
        Its interval that decided, at the level at which the family decided the pair: it leaves out 0 (½ for improvement) where the verdict
        names a winner, and holds it elsewhere. None for tests by another name than "jackknife".
    own_low, own_high : float or None
        Its interval at the result's `confidence_level`, of this pair alone.
    rates : bool
        Whether scores are 0 or 1, so that means are success rates.
    episodes : bool
        Whether a score is of an episode of one policy, not of a run.
    difference : float
        Difference of means, in units of the scores, every task weighted equally.
    difference_low, difference_high : float or None
        Its interval, by the distribution of the measure "mean"; None without spread.
    improvement : float
        Probability that a random run of a beats one of b, ties counting half, averaged over tasks.
    improvement_low, improvement_high : float or None
        Its interval, as `probability_of_improvement` gives it by default; None without spread.
    wins, ties, losses : int
        Tasks on which the mean of a is higher, equal, lower; together all that both have, `left_out` too.
    over : "runs" or "tasks"
        What was the sample.
    predicted_low, predicted_high : float or None
        Over tasks, the lowest and the highest a − b of a task (or probability of improvement): a further task like these lies between them
        with chance (n_tasks − 1)/(n_tasks + 1). None with clusters, and where one attempt each is won, even or lost.
    detectable_difference, detectable_df : float or None
        The smallest difference of the measure that the t distribution of its record finds with 80 % power, and the degrees of freedom of its
        error; None for tests of another difference, and where the test did not find one as large as that.
    planning_margin : float or None
        The smallest difference that matters, by which `needed_runs` is said: `margin`, or where none was named a tenth of the range of the runs:
        by how much an algorithm leads that scores a tenth of the range of both algorithms' runs more on every task; of success rates and of
        the probability of improvement, whose range is 1, 0.1. None where the pair is decided, and over tasks.
    outlook : "ruled_out", "one_side", "both_sides" or ""
        What the deciding interval leaves of leads above that margin: none, those of one algorithm, or those of both, so that more runs may
        show one; "" where `planning_margin` is None or there is no interval.
    needed_runs : int or None
        The runs of each on each task after which the interval is no wider than the margin if runs spread as these do, so that it leaves out
        either no difference or the margin, whatever the true difference is. None where no more are needed, and where no spread is known.
    verdict : "a_better", "b_better", "no_difference_found", "equivalent" or "no_verdict"
    margin : float or None
        The smallest difference of the measure that matters, if one was named.
    pvalue_equivalence, pvalue_equivalence_adjusted : float or None
        Of the null that the difference of the measure is at least the margin (two one-sided tests), and adjusted over the family.
    unjudged : str
        Why no verdict is given: scores are not comparable (R020, R032), both have the same runs (R031), or the measure has no standard
        error, as where on every task one of the two has a single run (R002); "" where one is.
    lead_tasks : tuple of str
        The few tasks that make the lead of the one that is ahead; empty where it is not known to be made by few. Of means, unless the
        measure is the improvement.
    other_readings : tuple of Reading
        What the other measures that such scores can have say.
    over_tasks : Reading or None
        What all tasks that both have say as the sample, by the same measure where it is offered for tasks, from six tasks on, and adjusted
        as in `compare(over="tasks")`. None where no measure is offered for so few.
    won_tasks, lost_tasks : tuple of str
        Of items answered yes or no once: those that only a solved, and those that only b solved; empty elsewhere.
    pvalue_mcnemar : float or None
        Of McNemar's exact test of their numbers, a cross-check that decides nothing; None elsewhere.
    n_clusters : int or None
        Over tasks, the clusters that they were drawn in; None where none were named.
    stratum : str
        Of a line, the stratum whose tasks it is about; "" elsewhere.
    weights : tuple of (stratum, float)
        Of a pair over strata, what each weighs in the mean, 1 together; empty elsewhere.
    deciding_stratum : str
        Of a pair over strata, the sentence on the one that makes most of the width of its interval; "" where none does, and elsewhere.
    left_out : tuple of str
        Tasks on which one of the two has a single run, which shows no spread: no number of the pair is about them.
    """

    a: str
    b: str
    n_tasks: int
    n_runs_a: tuple[int, int]
    n_runs_b: tuple[int, int]
    test: str
    method: str
    null: str
    alternative: str
    statistic: float
    pvalue: float | None
    pvalue_error: float
    df: float | None
    pvalue_adjusted: float | None
    measure: str
    estimate: float
    low: float | None
    high: float | None
    own_low: float | None
    own_high: float | None
    rates: bool
    difference: float
    difference_low: float | None
    difference_high: float | None
    improvement: float
    improvement_low: float | None
    improvement_high: float | None
    wins: int
    ties: int
    losses: int
    detectable_difference: float | None
    detectable_df: float | None
    verdict: PairVerdict
    sentence: str
    advice: tuple[Advice, ...] = ()
    planning_margin: float | None = None
    outlook: OutlookName = ""
    needed_runs: int | None = None
    margin: float | None = None
    pvalue_equivalence: float | None = None
    pvalue_equivalence_adjusted: float | None = None
    unjudged: str = ""
    lead_tasks: tuple[str, ...] = ()
    other_readings: tuple[MeasureReading, ...] = ()
    over_tasks: MeasureReading | None = None
    over: str = "runs"
    episodes: bool = False
    predicted_low: float | None = None
    predicted_high: float | None = None
    left_out: tuple[str, ...] = ()
    won_tasks: tuple[str, ...] = ()
    lost_tasks: tuple[str, ...] = ()
    pvalue_mcnemar: float | None = None
    n_clusters: int | None = None
    stratum: str = ""
    weights: tuple[tuple[str, float], ...] = ()
    deciding_stratum: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", Sentence(self.sentence))

    def turned(self) -> Pair:
        """Return the comparison of b with a: the same test, decision and advice, with differences b − a."""
        # Seen from b an estimate is what is left of this whole: 0 − x of a difference, 1 − x of a chance.
        whole = 2 * even_of(self.measure)
        wholes = {"difference": 0.0, "improvement": 1.0, "estimate": whole, "own": whole, "predicted": whole}
        # Squares and sums of squares know no side, all other statistics change their sign.
        statistic = self.statistic if self.test in SIDELESS else -self.statistic
        if self.test == "mann_whitney":  # U counts wins: those of b are what those of a leave of all n_a n_b
            statistic = self.n_runs_a[0] * self.n_runs_b[0] - self.statistic
        others = tuple(reading.turned() for reading in self.other_readings)
        sample = self.over_tasks and self.over_tasks.turned()
        flips = {"won_tasks": self.lost_tasks, "lost_tasks": self.won_tasks}
        texts = {name: seen_from_there(getattr(self, name)) for name in ("sentence", "null", "alternative")}
        return seen_from_b(
            self, wholes, statistic=statistic, other_readings=others, over_tasks=sample, **flips, **texts
        )

    @property
    def deciding(self) -> tuple[float | None, float | None]:
        """The ends of the interval that decided: at the level of the family where that is known, else, and without a verdict, the pair's own."""
        return (self.own_low, self.own_high) if self.low is None or self.unjudged else (self.low, self.high)

    @property
    def spoken(self) -> tuple[float | None, float | None]:
        """The ends that the sentence gives: those that decided; none where their distribution is not the test's and they point elsewhere."""
        return (
            self.deciding if self.unjudged else agreeing(self.deciding, self.winner is not None, even_of(self.measure))
        )

    @property
    def unit(self) -> str:
        """The unit of a score: "run" or "episode"."""
        return "episode" if self.episodes else "run"

    @property
    def sampled(self) -> str:
        """The units of the sample, inside a sentence: "runs", "episodes", "tasks" or "items"."""
        return self.nouns.runs if self.over == "runs" else self.nouns.tasks

    @property
    def nouns(self) -> Nouns:
        """Words for what the pair is about: algorithms, tasks and runs, or models, items and attempts."""
        return nouns_of(self.unit, items=self.over == "tasks" and self.rates)

    @property
    def winner(self) -> str | None:
        """The algorithm that the test finds ahead."""
        return {"a_better": self.a, "b_better": self.b}.get(self.verdict)

    @property
    def ahead(self) -> Pair:
        """The pair as the winner sees it, or where there is none the one that is ahead by the measure."""
        winner = self.winner or (self.a if lead_of(self.measure, self.estimate) >= 0 else self.b)
        return self if winner == self.a else self.turned()

    @property
    def real(self) -> Finding:
        """Is the lead real? By the measure, of these runs on these tasks."""
        # Equivalence denies a lead; a difference that was not found says nothing, and so neither yes nor no.
        holds = True if self.winner else False if self.verdict == "equivalent" else None
        return Finding(holds=holds, sentence=self.sentence)

    @property
    def across_tasks(self) -> Finding:
        """Does it hold across tasks? By the tasks as the sample, from six on."""
        return across_tasks(self.ahead)

    @property
    def other_measures(self) -> Finding:
        """Does it hold by other measures?"""
        return other_measures([self.ahead])

    @property
    def numbers(self) -> str:
        """The difference and the probability of improvement with their intervals, as a sentence tells them of a and b."""
        return numbers_of(
            differences_words(self.measure, binary=self.rates),
            (self.estimate, *self.spoken),
            (self.improvement, self.improvement_low, self.improvement_high),
            (self.n_tasks, self.predicted_low, self.predicted_high),
            decided=self.spoken != (self.own_low, self.own_high),
        )


def both_words(a: str, b: str) -> str:
    """Return two names in a sentence, the first first from whichever side the pair is seen."""
    return sided(f"{a} and {b}", f"{b} and {a}")


def readings_of(pair: Pair) -> dict[str, MeasureReading]:
    """Return what each measure says of a pair: first the one that decides, with the interval that its sentence gives."""
    low, high = pair.spoken
    equal = pair.verdict == "equivalent"
    deciding = MeasureReading(
        measure=pair.measure,
        estimate=pair.estimate,
        pvalue_adjusted=pair.pvalue_equivalence_adjusted if equal else pair.pvalue_adjusted,
        verdict=pair.verdict,
        low=low,
        high=high,
    )
    return {reading.measure: reading for reading in (deciding, *pair.other_readings)}


def lead_ends(reading: MeasureReading) -> EstimateEnds:
    """Return the lead of the first with its ends: above 0 where it is better, also by what is better when lower; a chance stays a chance."""
    if reading.measure not in LOWER_IS_BETTER:
        return reading.estimate, reading.low, reading.high
    return 0.0 - reading.estimate, less(0.0, reading.high), less(0.0, reading.low)


def agreeing(ends: tuple[float | None, float | None], differs: bool, even: float) -> tuple[float | None, float | None]:
    """Return the ends of an interval; none where it leaves out `even` and no difference was found, or holds it and one was.

    >>> agreeing((0.1, 0.3), True, 0.0), agreeing((0.1, 0.3), False, 0.0)
    ((0.1, 0.3), (None, None))
    """
    low, high = ends
    return ends if low is None or high is None or differs != (low <= even <= high) else (None, None)


def numbers_of(
    words: str,
    estimate: EstimateEnds,
    improvement: EstimateEnds,
    further: EstimateEnds = (0, None, None),
    *,
    decided: bool = False,
) -> str:
    """Return the estimate of a pair and its probability of improvement, each with its ends, as they stand in a sentence; one, if they are.

    further: the number of tasks, and between what a further task lies; decided: whether the ends of the estimate are at the level of the family.
    """
    which = "corrected interval" if decided else ""
    # Of n + 1 tasks from one population each is as likely the lowest or the highest as any other, so that a further
    # one lies between the ends of n with chance (n − 1)/(n + 1), whatever the distribution is.
    n, low, high = further
    span = f"{digits(low)} to {digits(high)} on a further task (chance {percent((n - 1) / (n + 1))})"
    task = "" if low is None else f", {span}"
    chance = differences_words("improvement")
    # Where the chance is the measure itself, it is not said twice.
    if words == chance:
        return f"{chance} {chances(*estimate, name=which)}{task}"
    return f"{words} {estimated(*estimate, name=which)}{task}, {chance} {chances(*improvement)}"


# ── the two other questions about a lead, in words ──────────


def few_words(pair: Pair) -> str:
    """Return which few tasks make the lead, "" where few do not."""
    if not pair.lead_tasks:
        return ""
    n, own = len(pair.lead_tasks), pair.measure in OF_TASKS
    verb = "makes" if n == 1 else "make"
    return f"{'' if own else 'By the mean, '}{counted([n], 'task')} {verb} {'that' if own else 'the'} lead: {listed(pair.lead_tasks)}."


def verdict_words(pair: Pair) -> str:
    """Return what a verdict says of a, who may be the one behind: "lower mean"."""
    if pair.measure == "improvement":
        return f"{'ahead' if pair.winner == pair.a else 'behind'} more often"
    words = "success rate" if pair.rates and pair.measure == "mean" else measure_words(pair.measure)
    lower = (pair.winner == pair.a) == (pair.measure in LOWER_IS_BETTER)
    return f"{'lower' if lower else 'higher'} {words}"


def lead_words(pair: Pair) -> str:
    """Return by how much a leads, or how often it wins, with the interval that decided."""
    low, high = pair.deciding
    if pair.measure == "improvement":
        return often(pair.estimate, low, high)
    below = pair.estimate < 0
    # Told as "0.3 below", a size above 0, whose ends are those of its negative.
    ends_of_lead = (less(0.0, high), less(0.0, low)) if below else (low, high)
    size, ends = estimate_parts(abs(pair.estimate), *ends_of_lead)
    return f", {size} {'below' if below else 'above'} {pair.b}{f' {ends}' if ends else ''}"


def often(chance: float, low: float | None, high: float | None) -> str:
    """Return how often, in percent, with its interval if there is one."""
    return f"{chances(chance, low, high)} of the time"


def across_tasks(pair: Pair) -> Finding:
    """Return whether the lead of a holds across tasks: what all that both have say as the sample; else not, where few tasks make it."""
    if pair.unjudged and pair.over_tasks is None:
        return Finding(holds=None, sentence=pair.sentence)
    n = pair.wins + pair.ties + pair.losses
    if n == 1:
        return Finding(holds=None, sentence="There is one task, so nothing is known of others.")
    ties = f" and level on {pair.ties}" if pair.ties else ""
    of = pair.nouns
    counts = f"The {of.mean} of {pair.a} is higher than that of {pair.b} on {pair.wins} of {n} {of.tasks}{ties}."
    if pair.over == "tasks":
        verdict: PairVerdict | None = pair.verdict
        sample = f"The {of.tasks} are the sample: the verdict is about {of.tasks} like these."
    else:
        verdict, sample = pair.over_tasks.verdict if pair.over_tasks else None, sample_words(pair)
    # Where tasks are not tested, few that make the lead still deny that it holds across them; their absence shows
    # nothing.
    few = False if pair.lead_tasks and pair.measure in OF_TASKS else None
    holds = {"a_better": True, "b_better": False}.get(verdict or "", few)
    return Finding(holds=holds, sentence=" ".join(filter(None, (sample, counts, few_words(pair)))))


def sample_words(pair: Pair) -> str:
    """Return what the tasks say as the sample of a pair over runs, with the measure that they are tested by, or why they are not tested."""
    reading, n = pair.over_tasks, pair.wins + pair.ties + pair.losses
    if reading is None and n < MANY_TASKS:
        return f"So few tasks, {n}, cannot tell whether it holds on others like these."
    if reading is None:
        return (
            f"Whether it holds on tasks like these is not tested: in units of their own that takes {FOR_IMPROVEMENT} tasks, in one unit "
            f"({option('normalize')}) {MANY_TASKS}."
        )
    by = f"by the {differences_words(reading.measure, binary=pair.rates)} ({digits(reading.estimate)}, {p_equals(reading.pvalue_adjusted)})"
    if reading.verdict == "no_difference_found":
        return f"On tasks like these a lead is not shown {by}."
    return f"On tasks like these {pair.a if reading.verdict == 'a_better' else pair.b} is ahead {by}."


def contrary(pairs: Sequence[Pair]) -> dict[tuple[str, bool], list[str]]:
    """Return who is ahead of a, the first of all pairs, by other measures, whether it leads by them, and which they are."""
    against: dict[tuple[str, bool], list[str]] = {}
    for place, reading in enumerate(pairs[0].other_readings):
        # The rival that is farthest ahead by that measure; of two that are equally far, the first by name.
        lead, rival = min(
            (pair.other_readings[place].lead, pair.b) for pair in pairs if len(pair.other_readings) > place
        )
        if lead < 0:
            leads = any(pair.other_readings[place].verdict == "b_better" for pair in pairs if pair.b == rival)
            against.setdefault((rival, leads), []).append(f"the {measure_words(reading.measure)}")
    return against


NOT_BY = ", but not by an amount that these {} establish"


def contrary_words(rival: str, leads: bool, measures: Sequence[str], over: str, *, again: bool = False) -> str:
    """Return who is ahead by other measures; again: another clause has said that such a lead is not established."""
    not_by = ", which is not established either" if again else NOT_BY.format(over)
    return f"{rival} {'leads' if leads else 'is ahead'} by {listed(measures)}{'' if leads else not_by}"


def other_measures(pairs: Sequence[Pair]) -> Finding:
    """Return whether the lead of a, the first of all these pairs, holds by other measures.

    It does where each of them finds it above all the others, and does not where by one of them another is ahead.
    """
    first = pairs[0]
    if not first.other_readings:
        what = "Pairs over strata" if first.weights else "Such scores"
        return Finding(holds=None, sentence=f"{what} are compared by this measure alone.")
    against = contrary(pairs)
    turned = {measure for measures in against.values() for measure in measures}
    too: dict[bool, list[str]] = {True: [], False: []}
    level: dict[tuple[str, ...], list[str]] = {}
    for place, reading in enumerate(first.other_readings):
        if (name := f"the {measure_words(reading.measure)}") in turned:
            continue
        equal = tuple(pair.b for pair in pairs if not pair.other_readings[place].lead)
        # Level with all, as gaps of scores that all reach 1: such a measure says nothing.
        if 0 < len(equal) < len(pairs):
            level.setdefault(equal, []).append(name)
        elif not equal:
            too[all(pair.other_readings[place].verdict == "a_better" for pair in pairs)].append(name)
    clauses = [f"{first.a} also leads by {listed(too[True])}"] if too[True] else []
    if too[False]:
        who = "it is" if clauses else f"{first.a} is also"
        clauses.append(f"{who} ahead by {listed(too[False])}{NOT_BY.format(first.sampled)}")
    again = bool(too[False])
    for (rival, leads), measures in against.items():
        clauses.append(contrary_words(rival, leads, measures, first.sampled, again=again))
        again = again or not leads
    for equal, measures in level.items():
        who = "it is" if clauses else f"{first.a} is"
        clauses.append(f"{who} level with {listed(equal)} by {listed(measures)}")
    clauses = clauses or ["By the other measures the algorithms are level"]
    holds = False if against else True if too[True] and not too[False] else None
    return Finding(holds=holds, sentence=f"{'; '.join(clauses)}.")
