"""The answer to "which pairs differ?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.base.lasting import once
from runoff.base.ports import latex
from runoff.results.base import TOLD, Advice, PairRecords, compared_at, printed_lines, withheld
from runoff.results.pair import Finding, Pair, listed, other_measures
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
