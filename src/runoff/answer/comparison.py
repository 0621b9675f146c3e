"""The answer to "which pairs differ?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.answer.base import Advice, compared_at, withheld
from runoff.answer.pair import Finding, Pair, other_measures, verdict_words
from runoff.answer.pair_rows import PairRows
from runoff.answer.standing import Standing, lead, reservations, standing_of
from runoff.answer.unjudged import SAME_RUNS
from runoff.base.lasting import once
from runoff.cells import Cell, Chance, ColumnsOf, Estimate, Name, Number, PValue, Share, Table, Verdict, VerdictKind
from runoff.words.measures import differences_words, even_of, strata_words
from runoff.words.names import CORRECTIONS, OVER_ALL_RESULTS, TESTS, WITH_PERMUTATIONS, capital
from runoff.words.numbers import counted, exactly, listed, p_equals, percent, some, span
from runoff.words.speech import Sentence, neutral, with_clause

NEGATED_COSTS = "Scores are negated costs, so that higher is better."


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult(PairRows[Pair]):
    """A comparison of all pairs, or of all algorithms with one control.

    Attributes
    ----------
    measure : str
        The measure by which every pair is compared.
    values : tuple of (algorithm, value)
        The measure of each algorithm over its tasks, the best first; it orders tables. For the improvement it is the probability that a run
        of the algorithm beats a run of another, for "hodges_lehmann" its lead, both averaged over the pairs.
    alpha : float
        The false positive rate of the decisions over the whole family (all pairs that are compared).
    confidence_level : float
        1 − alpha: the level of each interval on its own.
    advice : tuple of Advice
        Advice that concerns all pairs or the data as a whole.
    by_stratum : tuple of Pair
        With strata, the pairs within each stratum, with one correction over all of them; empty otherwise.
    costs : bool
        Whether the scores are negated costs in their own units, which sentences say.
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
    by_stratum: tuple[Pair, ...] = ()
    costs: bool = False

    @property
    def over(self) -> str:
        """The sample that the tests are over: "runs" or "tasks"."""
        return self.pairs[0].over if self.pairs else "runs"

    @property
    @once
    def standing(self) -> Standing:
        """The standing of each algorithm relative to the leader: behind it, ahead of it, equivalent, or no difference found."""
        return standing_of([name for name, _ in self.values], self.pairs)

    @property
    def leader(self) -> str | None:
        """The algorithm with the best value of the measure among those that were not found below another. None if all were found below
        another (verdicts by the improvement can form a circle), or if no pair of the first algorithm has a verdict.
        """
        standing = self.standing
        return None if standing.those("ahead") or not standing.judged else standing.leader

    @property
    def incomparable(self) -> str:
        """The reason why no verdict is given at all: scores seem to be in different units (R020), training was too unequal (R032), or both
        algorithms of every pair have the same runs (R031); otherwise "".
        """
        advice = withheld(self.advice)
        if advice is not None:
            return Sentence(f"No leader is named: {neutral(advice.text)}")
        same = self.pairs and all(pair.unjudged == SAME_RUNS for pair in self.pairs)
        return self.pairs[0].sentence if same else ""

    @property
    @once
    def real(self) -> Finding:
        """Is the lead real? The difference between the leader and its nearest rival by the measure, for these runs on these tasks."""
        if not self.pairs:
            return Finding(holds=None, sentence="Nothing was compared.")
        if self.incomparable:
            return Finding(holds=None, sentence=self.incomparable)
        if not self.standing.judged:
            return Finding(holds=None, sentence=self.standing.own[0].sentence)
        # R012: algorithms without some tasks, whose own values are then of other tasks than the pairs. R021 and R027:
        # lines that were left out, so that the leader is that of those tested.
        lacking = {name for advice in self.advice if advice.code == "R012" for name in advice.subjects}
        partly = any(advice.code in ("R021", "R027") for advice in self.advice)
        return lead(self.standing, self.values, lacking=lacking, partly=partly)

    @property
    @once
    def across_tasks(self) -> Finding:
        """Does the lead over the nearest rival, or over the first algorithm from which no difference was found, hold across tasks?"""
        return self.nearest.across_tasks

    @property
    @once
    def other_measures(self) -> Finding:
        """Does the lead over all algorithms that the measure finds behind hold by other measures?"""
        return other_measures(self.standing.own)

    @property
    @once
    def sentence(self) -> str:
        """The strongest sentence that all three answers allow, with the measure and the size of the lead; if training was unequal, it begins
        with the step of the comparison."""
        real = self.real
        if self.incomparable or not self.pairs:
            return real.sentence
        contrary, few = reservations(self.standing, real=real.holds is True)
        words = neutral(with_clause(real.sentence, contrary))
        negated = NEGATED_COSTS if self.costs else ""
        return Sentence(" ".join(part for part in (compared_at(self.advice), words, few, negated) if part))

    @property
    @once
    def nearest(self) -> Pair:
        """The leader's pair that the first two questions are about: with the nearest algorithm below it or, if its lead is not established,
        with the first algorithm from which no difference was found.
        """
        standing = self.standing
        # An established lead is described by the nearest that was beaten; one that is not, by the first that was not,
        # for there the doubt is.
        rivals = () if self.real.holds else standing.rivals
        return next(
            (pair for pair in standing.own if pair.b in rivals or (not rivals and pair.winner)), standing.own[0]
        )

    def tables(self) -> tuple[Table, ...]:
        """Return the table of pairs, with the winner of each first; with strata also their table, and with items the table of those that
        flipped."""
        return (pairs_table(self), *filter(None, [lines_table(self), flips_table(self)]))

    def _decided(self) -> str:
        judged = any(not pair.unjudged for pair in self.pairs)
        words = [f"{pairs_title(self.pairs, self.alpha)}, by {tested_words(self)}.", self.nearest.deciding_stratum]
        return " ".join(filter(None, words)) if judged else ""

    def __repr__(self) -> str:
        return f"ComparisonResult({counted([len(self.pairs)], 'pair')}: {self.sentence})"


# ── the table of pairs, once: every exit prints these cells ──────────


UNDECIDED: dict[str, tuple[VerdictKind, str]] = {
    "no_difference_found": ("not_found", "no difference found"),
    "equivalent": ("equivalent", "equivalent"),
    "no_verdict": ("not_tested", "no verdict"),
}
"""The words of the table for pairs in which neither algorithm was found ahead."""


def pairs_table(comparison: ComparisonResult, standing: Standing | None = None) -> Table:
    """Return a row for each pair with its winner first; without a winner, the algorithm with the better measure is first.

    `standing` gives the order of algorithms if it contains others than those compared.
    """
    pairs = (standing or comparison.standing).pairs
    needed_head = f"{capital(pairs[0].unit)}s per task to decide"
    by_chance, family, over = comparison.measure == "improvement", adjusted(comparison), comparison.over == "tasks"
    alike = any(pair.verdict == "equivalent" for pair in pairs)
    margin = any(pair.pvalue_equivalence is not None for pair in pairs)

    column = ColumnsOf(pairs)
    columns = (
        column("a", "First", lambda pair: Name(pair.a)),
        column("b", "Second", lambda pair: Name(pair.b)),
        *([] if by_chance else [column("difference", "Difference", lambda p: Estimate(p.estimate, *p.spoken))]),
        column("chance", "Chance", lambda pair: Chance(pair.improvement, *ends_of_chance(pair))),
        column(
            "tally",
            f"{capital(pairs[0].nouns.tasks)} +/=/−",
            lambda p: f"{p.wins}/{p.ties}/{p.losses}",
            numeric=True,
            narrowest="page",
        ),
        *([] if all(p.unjudged for p in pairs) else [column("p_adjusted", f"{'Adjusted ' * family}p", p_of)]),
        *([column("p_equivalence", "p of equivalence", p_of_equivalence)] if margin else []),
        # In a paper p says it; that two are equivalent it does not say.
        column("verdict", "Verdict", verdict_of, narrowest="paper" if alike else "screen"),
        column("detectable", f"Detectable ({percent(0.8)} power)", detectable_of, narrowest="screen", numeric=True),
        *([] if over else [column("needed", needed_head, needed_text, numeric=True, narrowest="page")]),
    )
    return Table(
        role="pairs", title=pairs_title(pairs, comparison.alpha), caption=pairs_caption(comparison), columns=columns
    )


def lines_table(comparison: ComparisonResult) -> Table | None:
    """Return a row for each stratum and pair, in the direction of the pair over all strata; None without strata."""
    if not comparison.by_stratum:
        return None
    seen = {(pair.a, pair.b) for pair in comparison.standing.pairs}
    lines = [line if (line.a, line.b) in seen else line.turned() for line in comparison.by_stratum]
    weights = dict(comparison.pairs[0].weights)
    column, by_chance = ColumnsOf(lines), comparison.measure == "improvement"
    columns = (
        column("stratum", "Stratum", lambda line: Name(line.stratum, "other")),
        column("a", "First", lambda line: Name(line.a)),
        column("b", "Second", lambda line: Name(line.b)),
        column("weight", "Weight", lambda line: Share(weights[line.stratum])),
        column("n_tasks", capital(lines[0].nouns.tasks)),
        *([] if by_chance else [column("difference", "Difference", lambda p: Estimate(p.estimate, *p.spoken))]),
        column(
            "chance",
            "Chance",
            lambda p: Chance(p.improvement, *ends_of_chance(p)),
            narrowest="paper" if by_chance else "screen",
        ),
        column("p_adjusted", "Adjusted p", p_of),
        column("verdict", "Verdict", verdict_of, narrowest="screen"),
    )
    decided = ", with the interval at the level of the test" if by_family(lines) else ""
    difference = differences_words(comparison.measure, binary=any(line.rates for line in lines))
    reasons = dict.fromkeys(f"{line.stratum}: {line.unjudged}" for line in lines if line.unjudged)
    without = f" Without a verdict: {'; '.join(reasons)}." if reasons else ""
    run = lines[0].nouns.run
    caption = (
        f"Strata, each by itself: {'' if by_chance else f'{difference}{decided}, and '}chance that a random {run} of the first scores "
        f"higher{decided if by_chance else f', with its own {percent(comparison.confidence_level)} interval'}; "
        f"{decided_words(comparison, lines, 'lines')}. "
        f"Their weighted mean is the comparison over all.{without}"
    )
    return Table(role="lines", title=pairs_title(lines, comparison.alpha, "line"), caption=caption, columns=columns)


SOME_ITEMS = 10
"""The largest number of items that a cell names."""


def flips_table(comparison: ComparisonResult) -> Table | None:
    """Return a row for each pair with the items that only one of the two solved; None if no item can flip, or none did."""
    # In strata items are those of the lines.
    # Beside published runs that may not be tested there is no pair, and nobody stands.
    every = comparison.by_stratum or (comparison.standing.pairs if comparison.pairs else ())
    pairs = [pair for pair in every if pair.won_tasks or pair.lost_tasks]
    if not pairs:
        return None
    column = ColumnsOf(pairs)
    checked = any(pair.pvalue_mcnemar is not None for pair in pairs)
    columns = (
        *([column("stratum", "Stratum", lambda pair: Name(pair.stratum, "other"))] if comparison.by_stratum else []),
        column("a", "First", lambda pair: Name(pair.a)),
        column("b", "Second", lambda pair: Name(pair.b)),
        column("n_won", "Only first solved", lambda pair: len(pair.won_tasks)),
        column("n_lost", "Only second solved", lambda pair: len(pair.lost_tasks)),
        *([column("p", "McNemar's p", lambda pair: PValue(pair.pvalue_mcnemar))] if checked else []),
        column("won_tasks", "Items of first", lambda pair: some(pair.won_tasks, SOME_ITEMS), narrowest="screen"),
        column("lost_tasks", "Items of second", lambda pair: some(pair.lost_tasks, SOME_ITEMS), narrowest="screen"),
    )
    check = " McNemar's exact test of their numbers is a cross-check, and decides nothing." if checked else ""
    caption = f"Items that only one of the two solved, of {span([pair.n_tasks for pair in pairs])}.{check}"
    return Table(role="flips", title="Items that flipped", caption=caption, columns=columns)


def p_of(pair: Pair) -> PValue:
    """Return the p-values of pairs; none for a pair without a verdict."""
    return PValue(None) if pair.unjudged else PValue(pair.pvalue_adjusted, pair.pvalue)


def p_of_equivalence(pair: Pair) -> PValue:
    """Return the p-values of the equivalence tests (two one-sided tests against the margin)."""
    return PValue(pair.pvalue_equivalence_adjusted, pair.pvalue_equivalence)


def verdict_of(pair: Pair) -> Verdict:
    """Return the verdict from the side of a: "higher IQM", "lower IQM", "no difference found"."""
    if pair.winner is None:
        return Verdict(*UNDECIDED[pair.verdict])
    return Verdict("higher" if pair.winner == pair.a else "lower", verdict_words(pair))


def ends_of_chance(pair: Pair) -> tuple[float | None, float | None]:
    """Return the interval shown for the probability of improvement: the deciding one if it is the measure."""
    if pair.measure == "improvement":
        return pair.spoken
    # Too few clusters give no verdict, and an interval all the same.
    hidden = pair.unjudged and pair.n_clusters is None
    return (None, None) if hidden else (pair.improvement_low, pair.improvement_high)


def adjusted(comparison: ComparisonResult) -> bool:
    """Return whether p-values are adjusted over a family."""
    return len(comparison.pairs) > 1 and comparison.correction != "none"


def detectable_of(pair: Pair) -> Cell:
    """Return the difference that new runs like these detect with 80 % power, with a ceiling for probabilities and success rates."""
    size, even = pair.detectable_difference, even_of(pair.measure)
    # A chance lies at most ½ above its ½, a rate at most 1 above another: a larger detectable difference says that no
    # number of these runs is enough.
    most = 1.0 - even
    out = size is not None and (pair.rates or most < 1.0) and size >= most
    if even:
        return Share(None) if size is None else f"> {percent(1.0)}" if out else Share(even + size, 3)
    return Number(None if size is None else most if out else size, above=out)


def needed_text(pair: Pair) -> str:
    """Return the number of runs per task that would distinguish the lead that matters from no lead, as "23", or that such a lead is ruled
    out; "" if the pair is decided or nothing is known.
    """
    if pair.outlook == "ruled_out":
        return "ruled out"
    return "" if pair.needed_runs is None else f"{pair.needed_runs}"


# ── what is said above and below the rows ──────────


def pairs_title(pairs: Sequence[Pair], alpha: float, noun: str = "pair") -> str:
    """Return the number of pairs by verdict: "4 of 6 pairs differ, 2 of them by less than the margin of 3"."""
    of = counted([len(pairs)], noun)
    differ, alike, unjudged = (
        sum(pair.verdict in verdicts for pair in pairs)
        for verdicts in (("a_better", "b_better"), ("equivalent",), ("no_verdict",))
    )
    # A difference that was found may be shown to be a small one: the pair is not called equivalent then, and its equivalence is shown.
    small = sum((q := pair.pvalue_equivalence_adjusted) is not None and q <= alpha for pair in pairs) - alike
    p = f" ({p_equals(pairs[0].pvalue_equivalence_adjusted)})" if len(pairs) == 1 else ""
    by = (
        f", {f'{small} of them' if differ > 1 else 'though'} by less than the margin of {exactly(pairs[0].margin)}{p}"
        if small
        else ""
    )
    clauses = (
        [f"{differ} of {of} {'differs' if differ == 1 or len(pairs) == 1 else 'differ'}{by}"]
        if unjudged < len(pairs)
        else []
    )
    if alike:
        clauses.append(f"{alike} {'is' if alike == 1 else 'are'} equivalent within the margin")
    elif not small and pairs[0].margin is not None and any(pair.pvalue_equivalence is not None for pair in pairs):
        clauses.append(f"equivalence within the margin of {exactly(pairs[0].margin)} is not shown{p}")
    if unjudged:
        clauses.append(f"no verdict is given for {unjudged if clauses else of}")
    return capital("; ".join(clauses))


def pairs_caption(comparison: ComparisonResult) -> str:
    """Return the caption: what the columns are, the test that decided the pairs, and the number of runs."""
    pairs = comparison.standing.pairs
    by_chance = comparison.measure == "improvement"
    of_rows = pairs[0].nouns
    own = f", with its own {percent(comparison.confidence_level)} interval"
    agreeing = (
        f"{own}, given where it agrees with the verdict" if any(pair.own_low is not None for pair in pairs) else ""
    )
    decided = ", with the interval at the level of the test" if by_family(pairs) else agreeing
    chance = decided if by_chance else own if any(pair.improvement_low is not None for pair in pairs) else ""
    difference = differences_words(comparison.measure, binary=any(pair.rates for pair in pairs))
    of = "" if by_chance else f"{difference}{decided}, and "
    runs = counted([n for pair in pairs for n in (*pair.n_runs_a, *pair.n_runs_b)], of_rows.run)
    clusters = [pair.n_clusters for pair in pairs if pair.n_clusters is not None]
    drawn = f" in {counted(clusters, 'cluster')}" if clusters else ""
    sample = (
        f", over {of_rows.tasks} like these {span([pair.n_tasks for pair in pairs])}{drawn}"
        if comparison.over == "tasks"
        else ""
    )
    sample += strata_words(pairs[0].weights)
    tested = f"; {tested_words(comparison)}{sample}" if any(not pair.unjudged for pair in pairs) else ""
    first = f"Pairs: {of}chance that a random {of_rows.run} of the first scores higher (ties count half){chance}."
    further = f"{_margin_words(pairs, comparison.alpha)}{_left_out_words(pairs)}"
    return (
        f"{first} {_p_words(comparison)} {capital(runs)} per {of_rows.algorithm} and {of_rows.task}{tested}.{further}"
    )


def why_means(comparison: ComparisonResult, measure: str | None = "auto") -> str:
    """Return the reason, as a part of a sentence, why a design of few tasks in one unit is compared by means; "" if the user chose the
    measure or it is another."""
    pairs = comparison.pairs
    n_tasks = max((pair.n_tasks for pair in pairs), default=0)
    # A test by name has a measure of its own, and of one task and of rates the mean is what everybody takes.
    by_design = measure in (None, "auto") and all(pair.test == "jackknife" and not pair.rates for pair in pairs)
    if not by_design or comparison.measure != "mean" or n_tasks < 2:
        return ""
    return "an interquartile mean takes four tasks or more: of fewer, leaving runs out does not show its error"


def _margin_words(pairs: Sequence[Pair], alpha: float) -> str:
    """Return the words for the margin that the user named and for pairs within it."""
    if (margin := pairs[0].margin) is None:
        return ""
    alike = any(pair.verdict == "equivalent" for pair in pairs)
    within = [pair for pair in pairs if (p := pair.pvalue_equivalence_adjusted) is not None and p <= alpha]
    n = sum(pair.verdict != "equivalent" for pair in within)
    which = "those whose p of equivalence is at most α are equivalent" if alike else "no pair was found equivalent"
    # A difference that was found may be a small one: the pair is not called equivalent then, and its sentence says both.
    which += (
        f"; {counted([n], 'difference')} that {'was found is' if n == 1 else 'were found are'} smaller" if n else ""
    )
    near = "chance is nearer to 50\u00a0%" if pairs[0].measure == "improvement" else "difference is smaller"
    return f" Two one-sided tests ask whether the {near} than the margin of {exactly(margin)}: {which}."


def _left_out_words(pairs: Sequence[Pair]) -> str:
    """Return the words for the number of pairs that leave out tasks with a single run."""
    n = sum(bool(pair.left_out) for pair in pairs)
    if not n:
        return ""
    pair_words = "1 pair is" if n == 1 else f"{n} pairs are"
    return f" {pair_words} without the tasks on which one of the two has a single run."


def _p_words(comparison: ComparisonResult) -> str:
    pairs = comparison.standing.pairs
    reasons = dict.fromkeys(pair.unjudged for pair in pairs)
    if all(reasons):
        return f"No verdict is given: {' or '.join(reasons)}."
    open_pairs = any(pair.verdict == "no_difference_found" for pair in pairs)
    equal = "; elsewhere two need not be equal" if open_pairs else ""
    some = f" For pairs without a verdict: {' or '.join(filter(None, reasons))}." if any(reasons) else ""
    p = "p is adjusted, and at most α" if adjusted(comparison) else "p is at most α"
    step = compared_at(comparison.advice)
    return f"{p} where the first was found better{equal}.{some}{f' {step}' if step else ''}"


def tested_words(result: ComparisonResult) -> str:
    """Return the words for the test that decided the pairs: "Welch's t test, Holm correction over 3 pairs, α = 0.05"."""
    return decided_words(result, result.pairs, "pairs")


def decided_words(result: ComparisonResult, pairs: Sequence[Pair], noun: str) -> str:
    """Return the words for the test that decided pairs, or rows of strata."""
    # Shaffer's steps, of three algorithms on the same tasks, are none of lines.
    name = "holm" if noun == "lines" and result.correction == "shaffer" else result.correction
    n, correction = len(pairs), CORRECTIONS[name]
    over = f", {n} {noun}, not corrected" if name == "none" else f", {correction} correction over {n} {noun}"
    # Both have a closed form, unless permutations have a say, or all results are summed over.
    asides = {"jackknife": WITH_PERMUTATIONS, "miettinen_nurminen": OVER_ALL_RESULTS}
    tests = dict.fromkeys(
        TESTS[pair.test] + asides.get(pair.test, "") * (pair.method != "asymptotic") for pair in pairs
    )
    return f"{listed([*tests])}{over if n > 1 else ''}, α = {exactly(result.alpha)}"


def by_family(pairs: Sequence[Pair]) -> bool:
    """Return whether the intervals of these pairs are corrected intervals, at the level of the family of pairs, which agree with the
    verdicts."""
    return any(pair.low is not None and not pair.unjudged for pair in pairs)
