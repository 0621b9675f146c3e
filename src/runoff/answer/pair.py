"""One comparison of two algorithms and its sentences: the verdict, the number of tasks on which it holds, and the other measures that agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from runoff.answer.base import Advice, less, seen_from_b
from runoff.answer.ends import WithInterval
from runoff.words.measures import FOR_IMPROVEMENT, MANY_TASKS, OF_TASKS, differences_words, even_of, lead_of
from runoff.words.names import LOWER_IS_BETTER, measure_words
from runoff.words.nouns import Nouns, nouns_of
from runoff.words.numbers import chances, counted, digits, estimate_parts, estimated, listed, p_equals, percent
from runoff.words.speech import Sentence, call, option, seen_from_there

OutlookName = Literal["ruled_out", "one_side", "both_sides", ""]
PairVerdict = Literal["a_better", "b_better", "no_difference_found", "equivalent", "no_verdict"]
NO_POWER = f"compare does not compute the power of Boschloo's test; {call('plan')} does, for a difference that is named ({option('effect')})"
"""The reason why a pair of success rates on one task has no detectable difference."""
SIDELESS = frozenset({"mack_skillings"})
"""Tests whose statistic is the same for (a, b) and (b, a); other statistics change sign or are counted from the other side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The answer to one question about a lead: whether it holds (None if that cannot be said), and a sentence with the reason."""

    holds: bool | None
    sentence: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", Sentence(self.sentence))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureReading:
    """The comparison of a pair by another measure: a − b (or the probability of improvement), decided with the correction of the comparison.

    `low` and `high` are the ends of the interval at the level of the decision; None without a standard error, and if no interval has that level.
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
        The fewest and most runs of the algorithm on a task.
    test, method : str
        The test, and how its p-value was computed: "exact", "asymptotic" or "monte_carlo".
    null, alternative : str
        The hypotheses in words.
    pvalue_error : float
        The Monte Carlo standard error of the p-value; 0 for exact and closed forms.
    pvalue, pvalue_adjusted : float or None
        The p-value of the null hypothesis, and that adjusted over the family (all compared pairs) by the result's `correction`. None if no
        test was made because the measure has no standard error or both algorithms have the same runs.
    measure : str
        The measure of the comparison: "mean", "iqm", …, or "improvement".
    estimate : float
        The difference a − b of that measure, or the probability of improvement.
    low, high : float or None
        The deciding (corrected) interval, at the level at which the correction decided this pair: it excludes 0 (½ for improvement) if the
        verdict names a winner, and includes it otherwise. None for tests other than "jackknife".
    own_low, own_high : float or None
        The interval of this pair alone, at the result's `confidence_level`.
    rates : bool
        Whether scores are 0 or 1, so that means are success rates.
    episodes : bool
        Whether a score is that of an episode of one policy, not of a run.
    difference : float
        The difference of means, in units of the scores, with equal weight for every task.
    difference_low, difference_high : float or None
        The interval of the difference of means, by the distribution of the measure "mean"; None without spread.
    improvement : float
        The probability that a random run of a beats a random run of b, ties counting half, averaged over tasks.
    improvement_low, improvement_high : float or None
        The interval of that probability, as `probability_of_improvement` gives it by default; None without spread.
    wins, ties, losses : int
        The number of tasks on which the mean of a is higher, equal, or lower; together all tasks that both have, including `left_out`.
    over : "runs" or "tasks"
        The sample of the test.
    predicted_low, predicted_high : float or None
        Over tasks, the lowest and the highest a − b of a task (or probability of improvement): another task like these lies between them
        with probability (n_tasks − 1)/(n_tasks + 1). None with clusters, and for single attempts that are won, tied or lost.
    detectable_difference, detectable_df : float or None
        The smallest difference of the measure that a t test with this standard error detects with 80 % power, and the degrees of freedom of
        the error. None for tests of another difference, and if the test did not find a difference that large.
    planning_margin : float or None
        The smallest difference that matters, on which `needed_runs` is based: `margin` or, if none was given, the lead of an algorithm that
        scores a tenth of the range of both algorithms' runs more on every task (0.1 for success rates and for the probability of
        improvement, whose range is 1). None if the pair is decided, and over tasks.
    outlook : "ruled_out", "one_side", "both_sides" or ""
        The leads above that margin that the deciding interval does not rule out: none, those of one algorithm, or those of both, in which
        cases more runs may show a lead; "" if `planning_margin` is None or there is no interval.
    needed_runs : int or None
        The runs of each algorithm on each task with which the interval is no wider than the margin if runs spread as these do, so that it
        excludes either no difference or the margin, whatever the true difference is. None if no more are needed, or the spread is unknown.
    verdict : "a_better", "b_better", "no_difference_found", "equivalent" or "no_verdict"
    margin : float or None
        The smallest difference of the measure that matters, if the user gave one.
    pvalue_equivalence, pvalue_equivalence_adjusted : float or None
        The p-value of the two one-sided tests of the null hypothesis that the difference is at least the margin, and that adjusted over the
        family.
    unjudged : str
        The reason why no verdict is given: scores are not comparable (R020, R032), both have the same runs (R031), or the measure has no
        standard error, for example if one of the two has a single run on every task (R002); "" if there is a verdict.
    lead_tasks : tuple of str
        The few tasks that account for the lead (of means, unless the measure is the improvement); empty if it is not known to come from few.
    other_readings : tuple of MeasureReading
        The comparison by the other measures that apply to such scores.
    over_tasks : MeasureReading or None
        The comparison with the tasks that both have as the sample, from six tasks on, by the same measure if it is offered for tasks, and
        adjusted as in `compare(over="tasks")`. None if no measure is offered for so few tasks.
    won_tasks, lost_tasks : tuple of str
        For items attempted once and scored right or wrong: the items that only a solved, and those that only b solved; empty otherwise.
    pvalue_mcnemar : float or None
        The p-value of McNemar's exact test on their numbers, a cross-check that decides nothing; None otherwise.
    n_clusters : int or None
        Over tasks, the number of clusters of tasks; None if no clusters were named.
    stratum : str
        The stratum whose tasks the pair is about; "" for a pair over all tasks.
    weights : tuple of (stratum, float)
        For a pair over strata, the weight of each stratum in the mean, summing to 1; empty otherwise.
    deciding_stratum : str
        For a pair over strata, the sentence on the stratum that accounts for most of the width of the interval; "" if none does.
    left_out : tuple of str
        Tasks on which one of the two has a single run, which shows no spread; no number of the pair includes them.
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
        """The ends of the deciding interval: the corrected interval if it is known, otherwise, and without a verdict, the pair's own."""
        return (self.own_low, self.own_high) if self.low is None or self.unjudged else (self.low, self.high)

    @property
    def spoken(self) -> tuple[float | None, float | None]:
        """The ends that the sentence gives: the deciding ones; none if they come from another distribution than the test and contradict it."""
        return self.deciding if self.unjudged else agreeing(self.deciding, self.verdict, self.measure)

    @property
    def unit(self) -> str:
        """The unit of a score: "run" or "episode"."""
        return "episode" if self.episodes else "run"

    @property
    def sampled(self) -> str:
        """The word for the units of the sample, in a sentence: "runs", "episodes", "tasks" or "items"."""
        return self.nouns.runs if self.over == "runs" else self.nouns.tasks

    @property
    def nouns(self) -> Nouns:
        """The words for the data: algorithms, tasks and runs, or models, items and attempts."""
        return nouns_of(self.unit, items=self.over == "tasks" and self.rates)

    @property
    def winner(self) -> str | None:
        """The algorithm that the test finds ahead."""
        return {"a_better": self.a, "b_better": self.b}.get(self.verdict)

    @property
    def ahead(self) -> Pair:
        """The pair from the side of the winner or, without one, of the algorithm that is ahead by the measure."""
        winner = self.winner or (self.a if lead_of(self.measure, self.estimate) >= 0 else self.b)
        return self if winner == self.a else self.turned()

    @property
    def real(self) -> Finding:
        """Is the lead real, by the measure, for these runs on these tasks?"""
        # Equivalence denies a lead; a difference that was not found says nothing, and so neither yes nor no.
        holds = True if self.winner else False if self.verdict == "equivalent" else None
        return Finding(holds=holds, sentence=self.sentence)

    @property
    def across_tasks(self) -> Finding:
        """Does the lead hold across tasks? From six tasks on, the tasks are the sample."""
        return across_tasks(self.ahead)

    @property
    def other_measures(self) -> Finding:
        """Does the lead hold by other measures?"""
        return other_measures([self.ahead])

    @property
    def numbers(self) -> str:
        """The difference and the probability of improvement of a and b with their intervals, in words."""
        return numbers_of(
            differences_words(self.measure, binary=self.rates),
            (self.estimate, *self.spoken),
            (self.improvement, self.improvement_low, self.improvement_high),
            (self.n_tasks, self.predicted_low, self.predicted_high),
            decided=self.spoken != (self.own_low, self.own_high),
        )


def readings_of(pair: Pair) -> dict[str, MeasureReading]:
    """Return the comparison of a pair by each measure: first the deciding measure, with the interval that its sentence gives."""
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
    """Return the lead of the first algorithm with its ends: above 0 if it is better, also for measures where lower is better; a probability
    is left as it is."""
    if reading.measure not in LOWER_IS_BETTER:
        return reading.estimate, reading.low, reading.high
    return 0.0 - reading.estimate, less(0.0, reading.high), less(0.0, reading.low)


def agreeing(
    ends: tuple[float | None, float | None], verdict: PairVerdict, measure: str
) -> tuple[float | None, float | None]:
    """Return the ends of an interval; none if it does not lie on the side of no difference that a verdict says.

    >>> agreeing((0.1, 0.3), "a_better", "mean"), agreeing((0.1, 0.3), "b_better", "mean")
    ((0.1, 0.3), (None, None))
    """
    (low, high), even = ends, even_of(measure)
    if low is None or high is None:
        return ends
    side = {"a_better": 1, "b_better": -1}.get(verdict, 0) * (-1 if measure in LOWER_IS_BETTER else 1)
    return ends if side == (low > even) - (high < even) else (None, None)


def numbers_of(
    words: str,
    estimate: EstimateEnds,
    improvement: EstimateEnds,
    further: EstimateEnds = (0, None, None),
    *,
    decided: bool = False,
) -> str:
    """Return the estimate of a pair and its probability of improvement, each with its interval, in words; only one if they are the same.

    further: the number of tasks, and the range in which another task lies; decided: whether the ends of the estimate are those of the
    corrected interval.
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
    """Return the words for the few tasks that account for the lead; "" if it does not come from few."""
    if not pair.lead_tasks:
        return ""
    n, own = len(pair.lead_tasks), pair.measure in OF_TASKS
    verb = "makes" if n == 1 else "make"
    return f"{'' if own else 'By the mean, '}{counted([n], 'task')} {verb} {'that' if own else 'the'} lead: {listed(pair.lead_tasks)}."


def verdict_words(pair: Pair) -> str:
    """Return the verdict on a in words, which may be the worse one: "lower mean"."""
    if pair.measure == "improvement":
        return f"{'ahead' if pair.winner == pair.a else 'behind'} more often"
    words = "success rate" if pair.rates and pair.measure == "mean" else measure_words(pair.measure)
    lower = (pair.winner == pair.a) == (pair.measure in LOWER_IS_BETTER)
    return f"{'lower' if lower else 'higher'} {words}"


def lead_words(pair: Pair) -> str:
    """Return the lead of a, or how often it wins, with the deciding interval, in words."""
    low, high = pair.deciding
    if pair.measure == "improvement":
        return often(pair.estimate, low, high)
    below = pair.estimate < 0
    # Told as "0.3 below", a size above 0, whose ends are those of its negative.
    ends_of_lead = (less(0.0, high), less(0.0, low)) if below else (low, high)
    size, ends = estimate_parts(abs(pair.estimate), *ends_of_lead)
    return f", {size} {'below' if below else 'above'} {pair.b}{f' {ends}' if ends else ''}"


def often(chance: float, low: float | None, high: float | None) -> str:
    """Return a probability in percent, with its interval if there is one."""
    return f"{chances(chance, low, high)} of the time"


def across_tasks(pair: Pair) -> Finding:
    """Return whether the lead of a holds across tasks: by the test with all shared tasks as the sample; without that test, no if it comes
    from few tasks."""
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
    """Return the words for the test with tasks as the sample, with its measure, or the reason why there is none."""
    reading, n = pair.over_tasks, pair.wins + pair.ties + pair.losses
    if reading is None and n < MANY_TASKS:
        return f"So few tasks, {n}, cannot tell whether it holds on others like these."
    if reading is None:
        return (
            f"Whether it holds on tasks like these is not tested: in units of their own that takes {FOR_IMPROVEMENT} tasks, in one unit "
            f"({option('normalize')}) {MANY_TASKS}, each with runs of its own."
        )
    by = f"by the {differences_words(reading.measure, binary=pair.rates)} ({digits(reading.estimate)}, {p_equals(reading.pvalue_adjusted)})"
    if reading.verdict == "no_difference_found":
        return f"On tasks like these a lead is not shown {by}."
    return f"On tasks like these {pair.a if reading.verdict == 'a_better' else pair.b} is ahead {by}."


def contrary(pairs: Sequence[Pair]) -> dict[tuple[str, bool], list[str]]:
    """Return the algorithm that is ahead of a (the first of all pairs) by other measures, whether its lead is established, and these
    measures."""
    against: dict[tuple[str, bool], list[str]] = {}
    for place, reading in enumerate(pairs[0].other_readings):
        # The rival that is farthest ahead by that measure; of two that are equally far, the first by name.
        lead, rival = min((pair.other_readings[place].lead, pair.b) for pair in pairs)
        if lead < 0:
            leads = any(pair.other_readings[place].verdict == "b_better" for pair in pairs if pair.b == rival)
            against.setdefault((rival, leads), []).append(f"the {measure_words(reading.measure)}")
    return against


NOT_BY = ", but not by an amount that these {} establish"


def contrary_words(rival: str, leads: bool, measures: Sequence[str], over: str, *, again: bool = False) -> str:
    """Return the words for the algorithm that is ahead by other measures; again: an earlier clause has already called such a lead not
    established."""
    not_by = ", which is not established either" if again else NOT_BY.format(over)
    return f"{rival} {'leads' if leads else 'is ahead'} by {listed(measures)}{'' if leads else not_by}"


def other_measures(pairs: Sequence[Pair]) -> Finding:
    """Return whether the lead of a (the first of all pairs) holds by other measures.

    It holds if each measure finds a above all the others, and does not hold if another algorithm is ahead by one of them.
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
