"""The answers to "which pairs differ?", "are they the same, for practical purposes?" and "does the order survive other choices?"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from runoff.results.base import TOLD, Advice, PairRecords, Records, printed_lines, seen_from_b
from runoff.tables.frames import html_table
from runoff.words.names import CORRECTIONS, metric_words
from runoff.words.numbers import chances, counted, digits, estimated, exactly, percent, pvalue

Verdict = Literal["a_better", "b_better", "no_difference_found", "equivalent"]
SIDELESS = frozenset({"mack_skillings"})
"""Tests whose statistic is the same for (a, b) and (b, a); other statistics change sign, or count from the other side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
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
    pvalue_adjusted : float
        Adjusted over the family of pairs by the result's `correction`.
    measure : str
        What the two were compared by: "mean", "iqm", …, or "improvement".
    estimate : float
        a − b of that measure, or the probability of improvement; `low`, `high`: its interval at the result's `confidence_level`, on its own.
    decided_low, decided_high : float or None
        The same at the level at which the family decided the pair: it leaves out 0 (½ for improvement) where the verdict names a winner, and
        holds it elsewhere. None for tests by another name than "jackknife".
    rates : bool
        Whether scores are 0 or 1, so that means are success rates.
    difference : float
        Difference of means, in units of the scores, every task weighted equally.
    difference_low, difference_high : float or None
        Its Welch-Satterthwaite t interval; None if a cell has one run.
    difference_df : float or None
        Degrees of freedom of that interval.
    improvement : float
        Probability that a random run of a beats one of b, ties counting half, averaged over tasks.
    improvement_low, improvement_high : float or None
        Its interval, as `probability_of_improvement` gives it by default; None if a cell has one run.
    wins, ties, losses : int
        Tasks on which the mean of a is higher, equal, lower; together `n_tasks`.
    task_low, task_high : float or None
        With over="tasks", the lowest and the highest a − b of a task (or probability of improvement): a further task like these lies between
        them with chance (n_tasks − 1)/(n_tasks + 1). None with clusters.
    detectable_difference : float or None
        The smallest difference of means that a two-sided t test with this design's standard error finds with 80 % power.
    needed_multiple : float or None
        How many times as many runs it takes to find a true difference as large as the observed one with 80 % power; None where the
        detectable difference is not known, or nothing was observed.
    verdict : "a_better", "b_better", "no_difference_found" or "equivalent"
    margin : float or None
        The smallest difference of the measure that matters, if one was named.
    pvalue_equivalence, pvalue_equivalence_adjusted : float or None
        Of the null that the difference of the measure is at least the margin (two one-sided tests), and adjusted over the family.
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
    pvalue: float
    pvalue_error: float
    df: float | None
    pvalue_adjusted: float
    measure: str
    estimate: float
    low: float | None
    high: float | None
    decided_low: float | None
    decided_high: float | None
    rates: bool
    difference: float
    difference_low: float | None
    difference_high: float | None
    difference_df: float | None
    improvement: float
    improvement_low: float | None
    improvement_high: float | None
    wins: int
    ties: int
    losses: int
    detectable_difference: float | None
    needed_multiple: float | None
    verdict: Verdict
    sentence: str
    advice: tuple[Advice, ...] = ()
    margin: float | None = None
    pvalue_equivalence: float | None = None
    pvalue_equivalence_adjusted: float | None = None
    task_low: float | None = None
    task_high: float | None = None

    def turned(self) -> Pair:
        """Return the comparison of b with a: the same test, decision and advice, with differences b − a."""
        whole = 1.0 if self.measure == "improvement" else 0.0
        wholes = {"difference": 0.0, "improvement": 1.0, "estimate": whole, "decided": whole, "task": whole}
        statistic = self.statistic if self.test in SIDELESS else -self.statistic
        if self.test == "mann_whitney":  # U counts wins: those of b are what those of a leave of all n_a n_b
            statistic = self.n_runs_a[0] * self.n_runs_b[0] - self.statistic
        turned = replace(seen_from_b(self, wholes), statistic=statistic)
        return replace(turned, sentence=self._turned_sentence(turned))

    def _turned_sentence(self, turned: Pair) -> str:
        """Return the sentence of the turned pair; that of a winner is told from the winner's side already."""
        if self.verdict in ("a_better", "b_better"):
            return self.sentence
        sentence = self.sentence.replace(self.numbers, turned.numbers, 1)
        for two in ("{} and {}", "the policy of {} and the policy of {}"):
            sentence = sentence.replace(
                f"between {two.format(self.a, self.b)} ", f"between {two.format(self.b, self.a)} ", 1
            )
        return sentence

    @property
    def numbers(self) -> str:
        """The difference and the probability of improvement with their intervals, as a sentence tells them of a and b."""
        return numbers_of(
            differences_words(self.measure, binary=self.rates),
            (self.estimate, self.low, self.high),
            (self.improvement, self.improvement_low, self.improvement_high),
            (self.n_tasks, self.task_low, self.task_high),
        )


Estimate = tuple[float, float | None, float | None]


def differences_words(measure: str, *, binary: bool = False) -> str:
    """Return what a pair is compared by, inside a sentence: "difference of IQMs", "probability of improvement"."""
    if measure == "improvement":
        return "probability of improvement"
    if measure == "hodges_lehmann":
        return metric_words(measure)
    words = "success rate" if binary and measure == "mean" else metric_words(measure)
    head, space, share = words.partition(" (")  # of a trimmed mean
    return f"difference of {head}s{space}{share}"


def numbers_of(words: str, estimate: Estimate, improvement: Estimate, further: Estimate = (0, None, None)) -> str:
    """Return the estimate of a pair and its probability of improvement, each with its ends, as they stand in a sentence; one, if they are.

    further: the number of tasks, and between what a further task lies.
    """
    n, low, high = further
    task = (
        ""
        if low is None
        else f", {digits(low)} to {digits(high)} on a further task (chance {percent((n - 1) / (n + 1))})"
    )
    chance = f"probability of improvement {chances(*improvement)}"
    return f"{chance}{task}" if chance.startswith(words) else f"{words} {estimated(*estimate)}{task}, {chance}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult(PairRecords[Pair]):
    """All pairs, or all algorithms against one control.

    Attributes
    ----------
    measure : str
        What every pair is compared by.
    over : "runs" or "tasks"
        What was the sample.
    values : tuple of (algorithm, value)
        The measure of each algorithm over its tasks, the best first: it orders tables. Of the improvement the chance that a run of it beats
        one of the others, of "hodges_lehmann" its lead, averaged over the pairs.
    alpha : float
        Error rate of the decisions, over the family.
    confidence_level : float
        Level of the intervals, each on its own.
    advice : tuple of Advice
        What concerns the family or the data as a whole.
    """

    pairs: tuple[Pair, ...]
    measure: str
    values: tuple[tuple[str, float], ...]
    alpha: float
    confidence_level: float
    correction: str
    control: str | None
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()
    over: str = "runs"

    @property
    def leader(self) -> str:
        """The algorithm with the best value of the measure."""
        return self.values[0][0]

    def _repr_html_(self) -> str:
        rows = [
            {
                "a": pair.a,
                "b": pair.b,
                **(
                    {}
                    if self.measure == "improvement"
                    else {"difference": estimated(pair.estimate, pair.low, pair.high)}
                ),
                "improvement": chances(pair.improvement, pair.improvement_low, pair.improvement_high),
                "p adjusted": pvalue(pair.pvalue_adjusted),
                "verdict": pair.verdict.replace("_", " "),
            }
            for pair in self.pairs
        ]
        return html_table(rows, caption=[self._head()], more=": to_frame() has all of them")

    def __str__(self) -> str:
        first = sorted(self.pairs, key=lambda pair: pair.verdict == "no_difference_found")
        ordered = self.pairs if len(self.pairs) <= TOLD else first
        return printed_lines(self._head(), more=[pair.sentence for pair in ordered], noun="pair")

    def _head(self) -> str:
        findings = [pair for pair in self.pairs if pair.verdict != "no_difference_found"]
        alike = sum(pair.verdict == "equivalent" for pair in findings)
        also = f", {alike} equivalent" if alike else ""
        pairs, verb = counted([len(self.pairs)], "pair"), "differs" if len(self.pairs) == 1 else "differ"
        return f"{len(findings) - alike} of {pairs} {verb}{also}, at α = {exactly(self.alpha)} ({CORRECTIONS[self.correction]} correction)."


EquivalenceVerdict = Literal["equivalent", "different", "undetermined"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalencePair:
    """One pair of algorithms on the tasks they share.

    Attributes
    ----------
    difference : float
        a − b, of the result's measure; of the improvement its distance from ½.
    low, high : float or None
        Interval of level 1 − 2 alpha; "tryon": the Welch interval of level 1 − alpha. None where there is no spread to judge by.
    pvalue, pvalue_adjusted : float or None
        Of the null that the difference is at least the margin; None for "tryon", 1 where there is no spread to judge by.
    pvalue_difference, pvalue_difference_adjusted : float or None
        Of the null that there is no difference.
    differs : bool
        Whether a difference from 0 was found, however small.
    smallest_margin : float or None
        These runs show equivalence for every larger margin (after the correction).
    verdict : "equivalent", "different" or "undetermined"
        "equivalent" wins over "different" where the difference is found and shown to be below the margin.
    """

    a: str
    b: str
    n_tasks: int
    difference: float
    low: float | None
    high: float | None
    margin: float
    pvalue: float | None
    pvalue_adjusted: float | None
    pvalue_difference: float | None
    pvalue_difference_adjusted: float | None
    differs: bool
    smallest_margin: float | None
    verdict: EquivalenceVerdict
    sentence: str
    advice: tuple[Advice, ...] = ()

    def turned(self) -> EquivalencePair:
        """Return the pair as b and a, its difference as b − a."""
        turned = seen_from_b(self, {"difference": 0.0})
        sentence = self.sentence.replace(f"{self.a} and {self.b} ", f"{self.b} and {self.a} ", 1)
        before, after = (estimated(pair.difference, pair.low, pair.high) for pair in (self, turned))
        return replace(turned, sentence=sentence.replace(f"difference {before};", f"difference {after};", 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceResult(PairRecords[EquivalencePair]):
    """Pairs that are equivalent within a margin, different, or neither.

    Attributes
    ----------
    method : "jackknife", "bootstrap" or "tryon"
    n_resamples : int
        0 where nothing was drawn.
    """

    pairs: tuple[EquivalencePair, ...]
    measure: str
    method: str
    margin: float
    alpha: float
    correction: str
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()

    def __str__(self) -> str:
        counts = {
            word: sum(p.verdict == word for p in self.pairs) for word in ("equivalent", "different", "undetermined")
        }
        verdicts = ", ".join(f"{n} {word}" for word, n in counts.items())
        head = (
            f"{counted([len(self.pairs)], 'pair')}, margin {exactly(self.margin)} of the {differences_words(self.measure)}: {verdicts} "
            f"(α = {exactly(self.alpha)}, {CORRECTIONS[self.correction]} correction)."
        )
        return printed_lines(head, more=[pair.sentence for pair in self.pairs], noun="pair")


# ── does the order survive other choices? ──────────


KINDS = ("metric", "reference", "window", "task", "run")
"""What is varied, in the order in which it is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessRecord:
    """One pair and one kind of variation.

    Attributes
    ----------
    ahead : str or None
        The one with the better estimate as it was asked for; None where both are level.
    difference : float
        That estimate of a minus that of b, in units of the scores; of a metric where lower is better, b's minus a's.
    kind : "metric", "reference", "window", "task" or "run"
        Another aggregate, other reference scores, another final window, one task left out, one run left out.
    n, kept : int
        Variations, and those in which the same one is ahead.
    against : tuple of str
        The variations in which it is not, the clearest first.
    smallest, at : float and str, or None
        Its smallest lead (negative: it is behind), in units of that variation, and where.
    """

    a: str
    b: str
    ahead: str | None
    difference: float
    kind: str
    n: int
    kept: int
    against: tuple[str, ...]
    smallest: float | None
    at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessResult(Records):
    """One grid: pairs by kinds of variations.

    Attributes
    ----------
    records : tuple of RobustnessRecord
        In the order of pairs, then kinds.
    metric : str
        By which the order was asked for.
    variations : tuple of (str, tuple of str)
        Of each kind that is not a task or a run left out, what was tried.
    """

    records: tuple[RobustnessRecord, ...]
    metric: str
    variations: tuple[tuple[str, tuple[str, ...]], ...]
    sentence: str
    advice: tuple[Advice, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs, in order."""
        return tuple(dict.fromkeys((record.a, record.b) for record in self.records))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of variations that were tried for any pair."""
        return tuple(kind for kind in KINDS if any(r.kind == kind and r.n for r in self.records))

    def record(self, a: str, b: str, kind: str) -> RobustnessRecord:
        """Return one cell of the grid."""
        missing = f"no {kind!r} of ({a!r}, {b!r}); there are {', '.join(self.kinds)} of {self.pairs}"
        return self._row(RobustnessRecord, missing, a=a, b=b, kind=kind)
