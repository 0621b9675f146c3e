"""The answers to "which pairs differ?", "are they the same, for practical purposes?" and "does the order survive other choices?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from runoff.base.lasting import once
from runoff.base.ports import latex
from runoff.results.base import (
    TOLD,
    Advice,
    PairRecords,
    Records,
    compared_at,
    printed_lines,
    seen_from_b,
    withheld,
)
from runoff.results.pair import Finding, Pair, differences_words, listed, other_measures
from runoff.results.standing import Standing, lead, reservations, standing_of
from runoff.results.unjudged import SAME_RUNS
from runoff.tables.frames import html_table
from runoff.words.names import CORRECTIONS, TESTS, WITH_RELABELLING, LatexLayout
from runoff.words.numbers import chances, counted, estimated, exactly, pvalue


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult(PairRecords[Pair]):
    """All pairs, or all algorithms against one control.

    Attributes
    ----------
    measure : str
        What every pair is compared by.
    values : tuple of (algorithm, value)
        The measure of each algorithm over its tasks, the best first: it orders tables. Of the improvement the chance that a run of it beats
        one of the others, of "hodges_lehmann" its lead, averaged over the pairs.
    alpha : float
        False positive rate of the decisions, over the family.
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

    @property
    def over(self) -> str:
        """What was the sample: "runs" or "tasks"."""
        return self.pairs[0].over

    @property
    @once
    def standing(self) -> Standing:
        """How each algorithm stands to the leader: behind it, ahead of it, equivalent, or no difference found."""
        return standing_of([name for name, _ in self.values], self.pairs)

    @property
    def leader(self) -> str | None:
        """The algorithm with the best value of the measure of those that were not found below another; None where all were: verdicts of the
        improvement can form a circle, and where no pair of the first has a verdict nobody leads.
        """
        standing = self.standing
        return None if standing.those("ahead") or not standing.judged else standing.leader

    @property
    def incomparable(self) -> str:
        """That nobody is judged, and why: scores seem to be in different units (R020), training was too unequal (R032), or in all pairs both
        have the same runs (R031); else "".
        """
        advice = withheld(self.advice)
        if advice is not None:
            return f"No leader is named: {advice.text}"
        same = self.pairs and all(pair.unjudged == SAME_RUNS for pair in self.pairs)
        return self.pairs[0].sentence if same else ""

    @property
    @once
    def real(self) -> Finding:
        """Is the lead real? The measure's difference to the nearest, of these runs on these tasks."""
        if not self.pairs:
            return Finding(holds=None, sentence="Nothing was compared.")
        if self.incomparable:
            return Finding(holds=None, sentence=self.incomparable)
        if not self.standing.judged:
            return Finding(holds=None, sentence=self.standing.own[0].sentence)
        lacking = {name for advice in self.advice if advice.code == "R012" for name in advice.subjects}
        partly = any(advice.code in ("R021", "R027") for advice in self.advice)
        return lead(self.standing, self.values, lacking=lacking, partly=partly)

    @property
    @once
    def across_tasks(self) -> Finding:
        """Does the lead hold across tasks, over the nearest, or over the first beside which no difference was found?"""
        return self.nearest.across_tasks

    @property
    @once
    def other_measures(self) -> Finding:
        """Does the lead hold by other measures, over all that the measure finds behind?"""
        return other_measures(self.standing.own)

    @property
    @once
    def sentence(self) -> str:
        """The strongest sentence that all three allow, with the measure and its size, after the step where training was unequal."""
        real = self.real
        if self.incomparable or not self.pairs:
            return real.sentence
        contrary, few = reservations(self.standing, real=real.holds is True)
        words = f"{real.sentence[:-1]}; {contrary}." if contrary else real.sentence
        return f"{compared_at(self.advice)} {words} {few}".strip()

    @property
    @once
    def nearest(self) -> Pair:
        """The leader's pair that the first two questions are about: with the nearest that it was found above, or where its lead is not
        established with the first beside which no difference was found.
        """
        standing = self.standing
        rivals = () if self.real.holds else standing.those("no difference found", "equivalent", "ahead")
        return next(
            (pair for pair in standing.own if pair.b in rivals or (not rivals and pair.winner)), standing.own[0]
        )

    def _repr_html_(self) -> str:
        rows = [
            {
                "a": pair.a,
                "b": pair.b,
                **({} if self.measure == "improvement" else {"difference": estimated(pair.estimate, *pair.deciding)}),
                "improvement": chances(pair.improvement, *ends_of_chance(pair)),
                "p adjusted": pvalue(pair.pvalue_adjusted),
                "verdict": pair.verdict.replace("_", " "),
            }
            for pair in self.pairs
        ]
        return html_table(rows, caption=[self.sentence], more=": to_frame() has all of them")

    def to_latex(self, *, layout: LatexLayout = "wide") -> str:
        r"""Return the table of all pairs for a paper, in LaTeX that needs booktabs (and longtable for several pages).

        Parameters
        ----------
        layout : "wide", "column" or "long"
            As wide as the text, as a column of a two-column page, or over several pages.

        Raises
        ------
        OptionError
            An unknown layout.

        Examples
        --------
        >>> import runoff as ro
        >>> result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
        >>> print(result.to_latex().splitlines()[-4])
        B -- A & 5.0 {[}2.8, 7.2{]} & 1.00 {[}0.50, 1.00{]} & 0.002 \\
        """
        return latex().of_pairs(self, layout)

    def __repr__(self) -> str:
        return f"ComparisonResult({counted([len(self.pairs)], 'pair')}: {self.sentence})"

    def __str__(self) -> str:
        first = sorted(self.pairs, key=lambda pair: pair.verdict in ("no_difference_found", "no_verdict"))
        ordered = self.pairs if len(self.pairs) <= TOLD else first
        head = self._head() if len(self.pairs) > 1 else ""
        return printed_lines(self.sentence, head, more=[pair.sentence for pair in ordered], noun="pair")

    def _head(self) -> str:
        if self.incomparable:
            return ""
        differ = sum(pair.winner is not None for pair in self.pairs)
        alike = sum(pair.verdict == "equivalent" for pair in self.pairs)
        also = f", {alike} equivalent" if alike else ""
        pairs, verb = counted([len(self.pairs)], "pair"), "differs" if len(self.pairs) == 1 else "differ"
        return f"{differ} of {pairs} {verb}{also}, at α = {exactly(self.alpha)} ({CORRECTIONS[self.correction]} correction)."


def tested_words(result: ComparisonResult) -> str:
    """Return by what the pairs were decided: "Welch's t test, Holm correction over 3 pairs, α = 0.05"."""
    n, correction = len(result.pairs), CORRECTIONS[result.correction]
    over = f", {n} pairs, not corrected" if result.correction == "none" else f", {correction} correction over {n} pairs"
    return (
        f"{listed([*dict.fromkeys(map(_tested_by, result.pairs))])}{over if n > 1 else ''}, α = {exactly(result.alpha)}"
    )


def _tested_by(pair: Pair) -> str:
    """Return the test of a pair, inside a sentence; the jackknife has a closed form unless relabelling has a say."""
    return TESTS[pair.test] + (WITH_RELABELLING if pair.test == "jackknife" and pair.method != "asymptotic" else "")


def by_family(pairs: Sequence[Pair]) -> bool:
    """Return whether the intervals of these pairs are those at the level of the family, which agree with the verdicts."""
    return any(pair.decided_low is not None and not pair.unjudged for pair in pairs)


def ends_of_chance(pair: Pair) -> tuple[float | None, float | None]:
    """Return the interval that is shown of the probability of improvement: that which decided, where it is the measure."""
    return pair.deciding if pair.measure == "improvement" else (pair.improvement_low, pair.improvement_high)


EquivalenceVerdict = Literal["equivalent", "different", "undetermined"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalencePair:
    """One pair of algorithms on the tasks they share.

    Attributes
    ----------
    difference : float
        a − b, of the result's measure; of the improvement its distance from ½.
    low, high : float or None
        Interval of level 1 − 2 alpha; None where there is no spread to judge by.
    pvalue, pvalue_adjusted : float
        Of the null that the difference is at least the margin; 1 where there is no spread to judge by.
    pvalue_difference, pvalue_difference_adjusted : float
        Of the null that there is no difference.
    differs : bool
        Whether a difference from 0 was found, however small.
    smallest_margin : float or None
        These runs show equivalence for every larger margin (after the correction).
    verdict : "equivalent", "different" or "undetermined"
        "equivalent" wins over "different" where the difference is found and shown to be below the margin.
    left_out : tuple of str
        As for `Pair`.
    """

    a: str
    b: str
    n_tasks: int
    difference: float
    low: float | None
    high: float | None
    margin: float
    pvalue: float
    pvalue_adjusted: float
    pvalue_difference: float
    pvalue_difference_adjusted: float
    differs: bool
    smallest_margin: float | None
    verdict: EquivalenceVerdict
    sentence: str
    advice: tuple[Advice, ...] = ()
    left_out: tuple[str, ...] = ()

    def turned(self) -> EquivalencePair:
        """Return the pair as b and a, its difference as b − a."""
        turned = seen_from_b(self, {"difference": 0.0})
        sentence = self.sentence.replace(f"{self.a} and {self.b} ", f"{self.b} and {self.a} ", 1)
        before, after = (estimated(pair.difference, pair.low, pair.high) for pair in (self, turned))
        return replace(turned, sentence=sentence.replace(f"difference {before};", f"difference {after};", 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceResult(PairRecords[EquivalencePair]):
    """Pairs that are equivalent within a margin, different, or neither."""

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
        That estimate of a minus that of b, in units of the scores; of a metric where lower is better, b's minus a's; of the probability of
        improvement how far it is from ½.
    kind : "metric", "reference", "window", "task" or "run"
        Another measure, other reference scores, another final window, one task left out, one run left out.
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
    measure : str
        What the order is by.
    variations : tuple of (str, tuple of str)
        Of each kind that is not a task or a run left out, what was tried.
    """

    records: tuple[RobustnessRecord, ...]
    measure: str
    variations: tuple[tuple[str, tuple[str, ...]], ...]
    sentence: str
    advice: tuple[Advice, ...] = ()

    @property
    @once
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs, in order."""
        return tuple(dict.fromkeys((record.a, record.b) for record in self.records))

    @property
    @once
    def kinds(self) -> tuple[str, ...]:
        """The kinds of variations that were tried for any pair."""
        return tuple(kind for kind in KINDS if any(r.kind == kind and r.n for r in self.records))

    def record(self, a: str, b: str, kind: str) -> RobustnessRecord:
        """Return one cell of the grid."""
        missing = f"no {kind!r} of ({a!r}, {b!r}); there are {', '.join(self.kinds)} of {self.pairs}"
        return self._row(RobustnessRecord, missing, a=a, b=b, kind=kind)
