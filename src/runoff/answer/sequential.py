"""The answers to "may we stop now?" and "who is better, however often we look?"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from runoff.answer.base import Advice, Record, Result, bounded_above_or_below, plain, seen_from_b
from runoff.answer.ends import WithInterval
from runoff.answer.pair_rows import PairRows
from runoff.cells import Column, ColumnsOf, Estimate, Name, Number, PValue, Share, Table, Verdict, VerdictKind
from runoff.words.numbers import digits, exactly, p_equals, percent

Decision = Literal["a_better", "b_better", "equivalent", "go_on", "inconclusive"]
Reason = Literal["futility", "last_look", "budget"]
COUNTS = "success_counts"
"""The name of the test on success counts."""
DECISIONS: dict[Decision, tuple[VerdictKind, str]] = {
    "a_better": ("higher", "higher mean"),
    "b_better": ("lower", "lower mean"),
    "equivalent": ("equivalent", "equivalent"),
    "go_on": ("not_found", "not decided yet"),
    "inconclusive": ("not_found", "no difference found"),
}
"""The words of the tables, from the side of a."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialPair:
    """The decision about a pair.

    Attributes
    ----------
    decision : "a_better", "b_better", "equivalent", "go_on" or "inconclusive"
        All but "go_on" are final.
    reason : "futility", "last_look", "budget" or None
        The reason for "inconclusive"; None for other decisions.
    look : int
        The look (interim analysis) of the decision, or the last look so far, counted from 1.
    n_runs : int
        The runs of each algorithm on each task, up to that look.
    statistic : float
        The difference of means over its standard error; infinite if no run varies. With success counts: successes of a minus those of b.
    critical : float or None
        The bound that |statistic| has to exceed (success counts: reach) for a difference at this look. Other pairs that differ lower it
        (closed testing), to 0 where nothing is left to exceed. None if no permutation of these runs is rare enough at this look, and in
        a design of a single look, whose test is that of `compare`.
    difference, standard_error : float
        The difference a − b of mean scores, averaged over tasks, and its standard error. The difference of a pair that stopped early is too
        large on average.
    low, high : float or None
        The stage-wise interval of the difference at 1 − alpha for success counts of two algorithms after the end: it excludes 0 exactly if a
        difference is claimed. None for other scores, for a pair that goes on, and for one that ended by futility.
    pvalue_adjusted : float
        The p-value of `compare` by the means of all runs up to that look; if it is above alpha, no difference is claimed.
    conditional_power : float or None
        The probability that the last look, or one before it, finds a difference of the size worth detecting.
    """

    a: str
    b: str
    decision: Decision
    reason: Reason | None
    look: int
    n_runs: int
    statistic: float
    critical: float | None
    difference: float
    standard_error: float
    low: float | None
    high: float | None
    pvalue_adjusted: float
    conditional_power: float | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialPoint:
    """The statistic of a pair at one look and its bound, as in `SequentialPair`."""

    a: str
    b: str
    look: int
    statistic: float
    critical: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialLook:
    """A look of the design.

    Attributes
    ----------
    look, n_runs : int
        The number of the look, from 1, and the runs of each algorithm on each task by then.
    alpha_spent : float
        The part of the error rate that may have been spent by then.
    boundary : float or None
        The bound for a normal statistic of a single pair that spends exactly this error; None if almost nothing may be spent. With success
        counts: the largest lead that any total of successes requires; None if no lead is enough.
    """

    look: int
    n_runs: int
    alpha_spent: float
    boundary: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialResult(Result):
    """One record for each pair.

    Attributes
    ----------
    trajectory : tuple of SequentialPoint
        Each pair at all looks at which it was open.
    looks : tuple of SequentialLook
        The looks of the design.
    look : int
        The number of looks so far; 0 before the first.
    alpha, alpha_spent : float
        The false positive rate of the design, and the part that may have been spent so far.
    next_look : int or None
        The runs of each algorithm on each task at the next look; None if the experiment has ended.
    next_runs : int
        Runs that each of `next_algorithms` needs on each task until then.
    cost, next_cost : float
        The cost of all runs so far, and of those that the next look needs.
    test : str
        The test of the design; "success_counts" if scores are successes and failures on one task.
    """

    pairs: tuple[SequentialPair, ...]
    trajectory: tuple[SequentialPoint, ...]
    looks: tuple[SequentialLook, ...]
    look: int
    alpha: float
    alpha_spent: float
    next_look: int | None
    next_runs: int
    next_algorithms: tuple[str, ...]
    cost: float
    next_cost: float
    budget: float | None
    spending: str
    test: str
    design_sha256: str
    sentence: str
    notes: tuple[str, ...]
    _table: ClassVar[str | None] = "pairs"

    @property
    def counted(self) -> bool:
        """Whether the test is on success counts."""
        return self.test == COUNTS

    @property
    def single(self) -> bool:
        """Whether the design has a single look, which is decided as in `compare`."""
        return len(self.looks) == 1

    def to_records(self) -> list[Record]:
        """Return the pairs, each with the fields of its look."""
        # Rows of several looks can then be stacked: each says of which state of the experiment it is.
        now = {key: plain(getattr(self, key)) for key in ("alpha_spent", "next_look", "next_runs", "cost", "next_cost")}
        return [plain(pair) | now for pair in self.pairs]

    def tables(self) -> tuple[Table, ...]:
        """Return the table of pairs, unless there was no look yet, and that of the looks."""
        return (*([self._pairs_table()] if self.pairs else []), self._looks_table())

    def _pairs_table(self) -> Table:
        pairs = self.pairs
        chances = [Share(pair.conditional_power) for pair in pairs]
        chances = chances if any(chance.value is not None for chance in chances) else []
        column, heads = ColumnsOf(pairs), ("Lead", "Enough") if self.counted else ("Statistic", "Bound")
        bounds = (
            column("statistic", heads[0], lambda pair: Number(pair.statistic)),
            column("critical", heads[1], lambda pair: Number(pair.critical)),
        )
        columns = (
            column("a", "First", lambda pair: Name(pair.a)),
            column("b", "Second", lambda pair: Name(pair.b)),
            column("difference", "Difference", lambda pair: Estimate(pair.difference, pair.low, pair.high)),
            column("standard_error", "Standard error", lambda pair: Number(pair.standard_error)),
            *(() if self.single else bounds),
            column("pvalue_adjusted", "Adjusted p", lambda pair: PValue(pair.pvalue_adjusted)),
            *([Column(key="conditional_power", head="Chance", cells=chances)] if chances else []),
            column("decision", "Verdict", lambda pair: Verdict(*DECISIONS[pair.decision])),
            column("n_runs", "Episodes" if self.counted else "Runs"),
        )
        return Table(role="pairs", title="Pairs", caption=self._pairs_caption(bool(chances)), columns=columns)

    def _pairs_caption(self, chances: bool) -> str:
        chance = (
            ", the chance that a later look finds a difference of the size that is worth finding" if chances else ""
        )
        what, runs = (
            "Difference of mean scores, first − second, with its standard error; the statistic is their ratio, which has to exceed the bound in "
            "size",
            "runs per task",
        )
        if self.single:
            what = "Difference of mean scores, first − second, with the interval of compare at the level of the test, and the standard error"
        if self.counted:
            what, runs = (
                "Difference of success rates, first − second, with its standard error, and with the stage-wise interval at "
                f"{percent(1 - self.alpha)} where two have ended; lead in successes, and the lead that is enough with so many successes of both",
                "episodes of each",
            )
        if len(self.pairs) > 1 and not self.single:
            what += ", lower where other pairs differ (closed testing)"
        return (
            f"{what}; p of compare in these runs, adjusted{chance}; what was decided, with so many {runs}, α = "
            f"{exactly(self.alpha)} over all {'' if self.single else 'looks and '}pairs."
        )

    def _looks_table(self) -> Table:
        looks = self.looks
        column, head = ColumnsOf(looks), "Widest lead" if self.counted else "Normal bound"
        columns = (
            column("look", "Look"),
            column("n_runs", "Episodes of each" if self.counted else "Runs per task"),
            column("alpha_spent", "α spent", lambda look: Number(look.alpha_spent, 4)),
            *([] if self.single else [column("boundary", head, lambda look: Number(look.boundary))]),
            column("done", "Done", lambda look: "yes" if look.look <= self.look else "no"),
        )
        how = (
            "permutation, not by the interval of compare. Normal bound: what the statistic of a single pair would have to exceed in size if "
            "runs were normal."
        )
        if self.single:
            how = "compare, for a single look is one comparison."
        elif self.counted:
            how = "success counts. Widest lead: the most that any number of successes asks for, of a single pair; mostly fewer are enough."
        caption = f"α = {exactly(self.alpha)}, spent so far {digits(self.alpha_spent, 4)}; decided by {how}"
        return Table(role="looks", title="Looks", caption=caption, columns=columns)


AnytimeDecision = Literal["a_better", "b_better", "equivalent", "go_on"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimePair(WithInterval):
    """The state of a pair after the last batch with runs of both.

    Attributes
    ----------
    decision : "a_better", "b_better", "equivalent" or "go_on"
    margin : float or None
        Mean scores that differ by less than this are equivalent.
    n_batches : int
        The number of batches with runs of both.
    n_runs_a, n_runs_b : int
        The runs per task in these batches, on the task with the fewest.
    difference : float
        The difference a − b of the mean scores of these runs, averaged over tasks.
    low, high : float or None
        The confidence sequence, simultaneous over all times and all pairs; a pair that differs may have an end of 0, which does not belong
        to the interval. An end is None if there is none yet, or with at most two different scores on a task, other than 0 and 1; both are
        None if `empty`.
    empty : bool
        Whether the batches contradict each other, so that no single difference fits them all.
    e_value : float
        The largest evidence (e-value) so far for a difference in either direction; 1 is no evidence.
    pvalue, pvalue_adjusted : float
        P-values that are valid whenever the experiment stops: 2 over the largest evidence of a direction, and this times the number of pairs.
    more_batches : int or None
        The number of further batches after which an undecided pair would differ, if each brings as much evidence as those so far. None if
        decided, or if more than 100.
    """

    a: str
    b: str
    decision: AnytimeDecision
    margin: float | None
    n_batches: int
    n_runs_a: int
    n_runs_b: int
    difference: float
    low: float | None
    high: float | None
    empty: bool
    e_value: float
    pvalue: float
    pvalue_adjusted: float
    more_batches: int | None
    sentence: str

    def with_sentence(self) -> AnytimePair:
        """Return the pair with its sentence."""
        return replace(self, sentence=_pair_words(self))

    def turned(self) -> AnytimePair:
        """Return the same pair from the side of b: the same decision and evidence, with differences b − a."""
        return seen_from_b(self, {"difference": 0.0}).with_sentence()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimePoint:
    """The state of a pair after one batch, counted from 1: the evidence at that time, and the smallest p-value so far, as in `AnytimePair`."""

    a: str
    b: str
    batch: int
    e_value: float
    pvalue: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeResult(PairRows[AnytimePair]):
    """One record for each pair.

    Attributes
    ----------
    alpha : float
        The probability that any claim or interval is ever wrong.
    notes : tuple of str
        The cost of the freedom to look at any time, if a pair is undecided.
    """

    pairs: tuple[AnytimePair, ...]
    trajectory: tuple[AnytimePoint, ...]
    n_batches: int
    alpha: float
    margin: float | None
    n_resamples: int
    advice: tuple[Advice, ...]
    sentence: str
    notes: tuple[str, ...] = ()

    def tables(self) -> tuple[Table, ...]:
        """Return the table of pairs."""
        pairs = self.pairs
        column = ColumnsOf(pairs)
        columns = (
            column("a", "First", lambda pair: Name(pair.a)),
            column("b", "Second", lambda pair: Name(pair.b)),
            column("difference", "Difference", lambda p: bounded_above_or_below(p.difference, p.low, p.high)),
            column("pvalue_adjusted", "Adjusted p", lambda p: PValue(p.pvalue_adjusted, p.pvalue)),
            column("decision", "Verdict", lambda pair: Verdict(*DECISIONS[pair.decision])),
            column("n_runs", "Runs", _runs_words, numeric=True),
            column("n_batches", "Batches"),
            column("more_batches", "More batches"),
        )
        margin = (
            "" if self.margin is None else f" Means that differ by less than {exactly(self.margin)} are equivalent."
        )
        alpha, level = exactly(self.alpha), percent(1 - self.alpha)
        caption = (
            f"Difference of mean scores, first − second, with a {level} interval that holds at any time and for all pairs together; adjusted p "
            f"holds at any time too (α = {alpha}). Runs per task, in batches with both; more batches: after which an open pair would differ, "
            f"if they are like those so far.{margin}"
        )
        return (Table(role="pairs", title="Pairs", caption=caption, columns=columns),)


def _runs_words(pair: AnytimePair) -> str:
    return f"{pair.n_runs_a}" if pair.n_runs_a == pair.n_runs_b else f"{pair.n_runs_a} and {pair.n_runs_b}"


def _pair_words(pair: AnytimePair) -> str:
    first, second = (pair.b, pair.a) if pair.decision == "b_better" else (pair.a, pair.b)
    claims = {
        "equivalent": f"{first} and {second} are equivalent within a margin of {exactly(pair.margin)}",
        "go_on": f"{first} and {second}: not decided yet",
    }
    claim = claims.get(pair.decision, f"{first} has a higher mean score than {second}")
    batches = "1 batch" if pair.n_batches == 1 else f"{pair.n_batches} batches"
    evidence = f"{_runs_words(pair)} runs per task in {batches}, adjusted {p_equals(pair.pvalue_adjusted)}"
    return f"{claim} (difference {first} − {second} {_size(pair)}; {evidence})."


def _size(pair: AnytimePair) -> str:
    # The winner is named first, so that its lead is above 0.
    sign = -1 if pair.decision == "b_better" else 1
    low, high = (pair.low, pair.high) if sign > 0 else (pair.high, pair.low)
    ends = [None if end is None else sign * end for end in (low, high)]
    estimate = digits(sign * pair.difference)
    # Every shift was excluded at some batch: the batches contradict each other, which no stable difference explains.
    if pair.empty:
        return f"{estimate}, but no one difference fits all batches: did conditions change?"
    if ends == [None, None]:
        return f"{estimate}, no bound yet"
    low_text, high_text = (word if end is None else digits(end) for end, word in zip(ends, ("−∞", "∞"), strict=True))
    return f"{estimate}, at any time between {low_text} and {high_text}"
