"""Which algorithms differ? Every pair with its difference, its test and one plain sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, Literal, Unpack

from numpy.typing import ArrayLike

from runoff._inference import advice as rules
from runoff._inference import family as corrections
from runoff._inference import pairs as pairing
from runoff._inference.bootstrap import Ends, OwnFunction, named_measure
from runoff._inference.verdicts import tally_of, verdict_of, verdicts
from runoff.answer.base import Advice, withheld
from runoff.answer.comparison import NEGATED_COSTS, ComparisonResult
from runoff.answer.pair import MeasureReading, Pair
from runoff.answer.standing import in_order
from runoff.answer.unjudged import of_same_runs, unread, untested, without_verdict
from runoff.base.random import RNG, in_threads, streams
from runoff.base.validate import check_alpha, check_choice, check_resamples
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.tables.naming import natural
from runoff.words.measures import MANY_TASKS, even_of, lead_of
from runoff.words.names import (
    LOWER_IS_BETTER,
    CorrectionName,
    MeasureName,
    OverName,
    PairTestName,
    SingleValue,
    StratumWeights,
)
from runoff.words.speech import Sentence

Sampled = tuple[Sequence[pairing.PairData], str, Sequence[str], pairing.Strata | None]
"""The pairs, the measure that they are compared by, the others that are read, and the strata."""


def compare(
    data: ScoresLike,
    y: ArrayLike | None = None,
    *,
    measure: MeasureName | OwnFunction = "auto",
    over: OverName = "auto",
    cluster: Mapping[str, str] | None = None,
    strata: Mapping[str, str] | None = None,
    weights: StratumWeights | Mapping[str, float] = "equal",
    test: PairTestName = "auto",
    correction: CorrectionName = "auto",
    pairs: Literal["all"] | Sequence[tuple[str, str]] = "all",
    control: str | None = None,
    margin: float | None = None,
    single_value: SingleValue = "line",
    variants: bool = False,
    alpha: float = 0.05,
    n_resamples: int = 50_000,
    rng: RNG = 0,
    threads: int | None = None,
    **of_data: Unpack[DataOptions],
) -> ComparisonResult:
    """Which algorithms differ, in which direction, and how sure are we?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
    y : array, optional
        `data` and `y` are then the runs, (n_runs,) or (n_runs, n_tasks), of two algorithms "x" and "y".
    measure : str or function
        A function is called as in `aggregate`; over runs it is compared by the jackknife t test, without permutations. By name:
        "mean", "iqm", "iqm_whole" (cut as rliable does), "median", "trimmed_mean_P", "optimality_gap" (by how much normalised
        scores fall short of 1), or "improvement", the probability that a run of a beats one of b, which needs no common unit. "auto" depends
        on the design: the mean on one task and for rates; for tasks in one unit (normalised, or within 0.05 of [0, 1]) the IQM from four tasks
        on, and the mean for two or three; the probability of improvement if each task has its own unit. Tests by name have their own measure.
        Over tasks: the mean, "hodges_lehmann" or the improvement (Notes).
    over : "auto", "runs" or "tasks"
        The sample: the runs, so that claims are about these tasks, or the tasks (items, questions, episodes of a suite), so that claims
        are about tasks like these; then one run of each algorithm on each task is enough, and `test` and `single` do not apply. "auto": the
        tasks if there are six items or more that each algorithm attempted once, or if clusters are named; else the runs.
    cluster : {task: cluster}, optional
        With over="tasks": tasks of one cluster were drawn together (questions about one text), so clusters are counted, not tasks. Fewer than
        five clusters cannot tell which is ahead: no verdict is given, but the interval is shown.
    strata : {task: stratum}, optional
        The benchmark, or suite, of each task. Every stratum is compared separately (`by_stratum`, with Holm's correction over all of them), and
        the pairs are the weighted means of their strata. Without it all tasks have the same weight, whatever their benchmark.
    weights : "equal", "tasks" or {stratum: weight}
        The weights of the strata in the mean: "equal" weights let the smallest stratum determine how wide the interval is; "tasks" weighs a
        stratum by its number of tasks.
    test : str
        "auto" is "jackknife", a t test of the measure with the jackknife standard error, for few runs with a permutation test beside it;
        for scores 0 and 1 it is "miettinen_nurminen"; for the improvement on one task "mann_whitney". These tests leave a task out of a pair
        if one of the two has a single run on it (`left_out`, advice R002), except for success rates; if no task remains, no verdict is given.
        Or name one of these, "welch", or a rank test, which accepts single runs: "mack_skillings", "van_elteren", "stratified_permutation"; on
        one task "boschloo", or any two-sample test that names a winner.
    correction : str
        "auto" is Holm's; with exactly three algorithms compared on the same tasks, Shaffer's (1986), which is more powerful because the three
        null hypotheses are logically linked (levels α/3, α, α). Or name one of the family-wise
        ("holm", "shaffer", "bonferroni", "hochberg", "hommel") or false-discovery ("bh", "by") corrections; "none".
    pairs : "all" or sequence of (a, b)
    control : str, optional
        Compare each other algorithm (a) with this one (b): k − 1 comparisons instead of k(k − 1)/2.
    margin : float, optional
        The smallest difference of the measure that matters, above 0, in its units (for the improvement below ½, for success rates below 1).
        Pairs that are not found different and are shown to differ by less are "equivalent" (see `equivalence`). With None, no pair is.
    single_value : "line" or "tested"
        Treatment of an algorithm with one value on every task if all others have several runs: as a published value, which is not
        tested (advice R021), or as an algorithm with one run. An algorithm that `pairs` or `control` names is tested.
    variants : bool
        Compare the configurations of a sweep as algorithms (`data.variants()`), which is refused otherwise: `tuning` compares at equal tuning.
    alpha : float
        False positive rate of the verdicts, over the family. All intervals are at 1 − alpha: `alpha=0.1` has 90 % intervals.
    n_resamples : int
        Number of resamples of resampling tests; the studentised permutation test draws at least 20,000.
    rng : int or numpy.random.Generator
    threads : int, optional
        Number of threads; it changes the time only.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    ComparisonResult
        One `Pair` for each pair; `by_stratum` has one for each stratum and pair. The direction of a verdict is that of the measure: of the
        rank sums for a rank test by name.

    Raises
    ------
    DesignError
        A sweep, one algorithm, a pair without a shared task, scores that are all equal, a test that the design does not allow; published runs of
        another protocol, or of one that is not known to be the same.
    OptionError
        An unknown measure, test or correction, one of runs with over="tasks", a measure that the scores cannot have or that another test than
        "jackknife" has not, alpha outside (0, 1), a margin that is not above 0; a test by name with strata, weights that are none.

    Notes
    -----
    Jackknife: with θ the measure, the runs of task t add v_t = (n − 1)/n Σ (θ₍ⱼ₎ − θ̄)² to the squared error, each run left out in turn; for a
    mean that is s²/(n T²). Two t distributions judge the difference, Welch's with V = Σ v_t and Student's with variances pooled within tasks;
    the wider interval and the larger p-value count, so p ≤ alpha exactly if the interval at 1 − alpha excludes 0. There are
    V² / Σ (v²/(d + c)) − c degrees of freedom, c = 1 for means of ten tasks and more (Welch 1947), else 0. With few runs (two tasks or more, at
    most 32 degrees of freedom, and enough permutations for the family's first level) the mean, IQM and optimality gap have the larger of two
    p-values: that of the t distributions with c = 2, and that of permuting runs within tasks, whose statistic is the difference over its error
    (Janssen 1997; Chung & Romano 2013), with all of up to 20,000 permutations or 9,999 drawn; a difference that the t distributions alone find
    at a tenth of the level is found. The interval contains the differences that this test does not reject.
    Improvement: variances of placements (DeLong et al. 1988; Hanley & McNeil 1982); one task: Mann-Whitney's exact test. Rates: the score
    of their difference (Miettinen & Nurminen 1985), of one task with its tail summed over all results. docs/estimates.md has the details,
    docs/calibration.md the error rates.

    `difference` and its interval are of means whatever the measure is: the mean over shared tasks of (mean of a − mean of b).
    Mack-Skillings: see `rank_test`. Casesa 2024 prints a null that permutes across tasks, which is wrong (true size 10.9 % at 5 %). Runs that
    are shared by tasks (`scores.sampling`) are permuted as a whole.

    Over tasks (Miller 2024): d_t is the mean of a's runs on task t minus that of b's. Of items answered yes or no, one attempt each, Tango's
    score (1998) with its tail summed over all results, and the interval that inverts it; of several attempts, and of clusters, the same score
    with its variance scaled to theirs (docs/estimates.md). Other scores in [0, 1], from ten tasks on: the paired t test of the mean d. Else, in
    one unit, "hodges_lehmann", the median of (d_s + d_t)/2 (Hodges & Lehmann 1963), by Wilcoxon's exact signed-rank test and its inversion. In
    units of their own, and of ratings, whose d are often equal and cancel, the improvement, averaged over tasks: by t from 26 tasks on, of one
    attempt each by Tango's score from ten. A mean of unbounded scores is refused: it misses too often.

    Strata: with d, l and u the estimate and the interval of each and w its weight, Σ w d − √Σ w² (d − l)² and Σ w d + √Σ w² (u − d)² (MOVER: Zou
    & Donner 2008), by the measure that all strata can have; p is the level at which that leaves no difference out.

    "No difference found" is never a claim of equality: `detectable_difference` is the true difference that new runs of this design find with
    80 % power, at the level of the family's first step. With a `margin`, two one-sided tests (Schuirmann 1987) by the same distribution,
    adjusted by the same correction (Holm's for Shaffer's), can show that the difference is smaller than the margin.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [5.0, 6.0, 7.0, 6.5, 5.5], "B": [1.0, 2.0, 3.0, 2.5, 1.5]})
    >>> pair = ro.compare(scores).pairs[0]
    >>> pair.verdict, pair.difference
    ('a_better', 4.0)
    """
    scores, measure = as_scores(data, y, **of_data, variants=variants), named_measure(measure)
    check_choice("correction", correction, ("auto", *corrections.CORRECTIONS))
    check_choice("test", test, pairing.PAIR_TESTS)
    over = pairing.sample_over(scores, over, test, cluster=cluster, strata=strata, weights=weights)
    named, advice, given = control if isinstance(pairs, str) else pairs, rules.about_data(scores), scores  # of all data
    scores, left_out = rules.opponents(given, single_value if over == "runs" else "tested", named=named, judged=False)
    chosen = pairing.tested_pairs(scores, pairs, control)
    first = corrections.first_level(check_alpha(alpha), len(chosen), correction)
    how = pairing.Relabelling(level=first, streams=streams(rng))
    of = partial(pairing.sample_of, tasks=over == "tasks", cluster=cluster, relabelling=how, test=test, margin=margin)
    sampled = partial(_sampled, of, scores, strata=(strata, weights))
    both, kind, others, parted = sampled(chosen, measure)
    pairing.check_pair_margin(scores, both, kind, margin, control)
    options = pairing.PairOptions(streams=how.streams, n_resamples=check_resamples(n_resamples), measure=kind)
    decide = partial(verdicts, test, scores, options=options, alpha=alpha, margin=margin, threads=threads)
    bounded, adjusting, multiple = decide(both, correction, control)
    lines = () if parted is None else _lines(parted, decide, correction, scores, advice)
    if over == "runs" and parted is None:
        sample, _ = rules.opponents(given, "tested", named=named, judged=False)
        bounded = _over_tasks_too(bounded, sample, pairing.tested_pairs(sample, pairs, control), correction, alpha)
    by_unit = measure == "auto" and test in pairing.BY_SPREAD
    notes = _notes_on(scores, over, kind, by_unit=by_unit, strata=parted is not None)
    return ComparisonResult(
        pairs=_judged(_read_otherwise(bounded, both, others, adjusting, alpha, threads=threads), scores, advice),
        measure=kind,
        values=_ordered(_values(sampled, scores, (both, kind, others, parted)), kind, bounded),
        alpha=alpha,
        confidence_level=1 - alpha,
        correction=adjusting,
        control=control,
        n_resamples=n_resamples,
        seed=options.streams.seed,
        advice=rules.collected(multiple, *notes, left_out, *advice),
        by_stratum=lines,
        costs=_in_costs(scores),
    ).with_origin(scores)


def _sampled(
    pairs_of: Callable[..., tuple[Sequence[pairing.PairData], str, Sequence[str]]],
    scores: Scores,
    chosen: Sequence[tuple[int, int]],
    measure: str,
    *,
    strata: tuple[Mapping[str, str] | None, StratumWeights | Mapping[str, float]],
) -> Sampled:
    """Return the pairs, the measure that they are compared by, and the others; with strata the pairs over these, and the strata."""
    if strata[0] is None:
        return *pairs_of(scores, chosen=chosen, measure=measure), None
    parted = pairing.in_strata(
        scores,
        strata[0],
        strata[1],
        measure=measure,
        chosen=chosen,
        pairs_of=lambda own, name: pairs_of(own, chosen=chosen, measure=name)[:2],
    )
    return parted.pairs, parted.measure, [], parted


def _lines(
    parted: pairing.Strata, decide: Callable[..., Any], correction: str, scores: Scores, advice: Sequence[Advice]
) -> tuple[Pair, ...]:
    """Return the pairs within each stratum, decided over all of these."""
    # Shaffer's steps are of three algorithms on the same tasks.
    steps = "holm" if correction in ("auto", "shaffer") else correction
    lines, _, _ = decide([pair for _, pair in parted.lines], steps, None)
    named = [replace(line, stratum=name) for (name, _), line in zip(parted.lines, lines, strict=True)]
    return _judged(named, scores, advice)


def _read_otherwise(
    pairs: Sequence[Pair],
    data: Sequence[pairing.PairData],
    measures: Sequence[str],
    correction: str,
    alpha: float,
    *,
    threads: int | None,
) -> tuple[Pair, ...]:
    """Return the pairs with what the other measures say of them, each decided over the family."""
    if not measures:
        return tuple(pairs)
    families = {measure: _family_read(data, measure, correction, alpha, threads) for measure in measures}

    def read(at: int, measure: str) -> MeasureReading:
        without = pairs[at].unjudged and not data[at].law(measure).laws
        return unread(families[measure][at]) if without else families[measure][at]

    return tuple(replace(pair, other_readings=tuple(read(at, m) for m in measures)) for at, pair in enumerate(pairs))


def _over_tasks_too(
    pairs: Sequence[Pair], scores: Scores, chosen: Sequence[tuple[int, int]], correction: str, alpha: float
) -> list[Pair]:
    """Return the pairs with what all tasks that both have say as the sample, where a run is enough: on how many each is ahead, and of those
    with tasks enough the verdict over the family of `compare(over="tasks")`. Where tasks share runs, all leads have the luck of the same runs,
    which would pass for a lead on tasks like these: there is no such verdict.
    """
    several = [(a, b) for a, b in chosen if (scores.n_runs[[a, b]] > 0).all(axis=0).sum() > 1]
    whole = {(pair.a, pair.b): pair for pair in pairing.all_pairs(scores, several)}
    # Where tasks were left out for single runs, wins are counted over all that both have: each shows who is ahead.
    counted = [replace(pair, **tally_of(whole[pair.a, pair.b])) if pair.left_out else pair for pair in pairs]
    enough = {(pair.a, pair.b) for pair in counted if pair.wins + pair.ties + pair.losses >= MANY_TASKS}
    if not enough or scores.sampling.shared:
        return counted
    sample, kind = pairing.sample_beside(scores, list(whole.values()), pairs[0].measure)
    if kind is None:
        return counted
    # Shaffer's steps need one value of each algorithm, which not every measure over tasks has: chosen anew.
    wanted = "auto" if correction == "shaffer" else correction
    adjusting = corrections.correction_of(wanted, scores, len(sample), values=kind not in pairing.OF_PAIRS)
    readings = dict(zip(whole, _family_read(sample, kind, adjusting, alpha, 1), strict=True))
    return [
        replace(pair, over_tasks=readings[pair.a, pair.b]) if (pair.a, pair.b) in enough else pair for pair in counted
    ]


def _family_read(
    data: Sequence[pairing.PairData], measure: str, correction: str, alpha: float, threads: int | None
) -> list[MeasureReading]:
    """Return what a measure says of each pair, decided over the family."""
    laws = [pair.law(measure) for pair in data]
    even = even_of(measure)
    raw = in_threads(lambda law: law.pvalue(even), laws, threads)
    # Verdicts of pairs alone need no order, so that Shaffer's steps are not theirs.
    steps = "holm" if correction == "shaffer" and measure in pairing.OF_PAIRS else correction
    adjusted = corrections.adjust(raw, steps).tolist()
    levels = corrections.decided_levels(raw, adjusted, steps, alpha)
    ends = in_threads(lambda at: laws[at].interval(1 - levels[at]), range(len(laws)), threads)
    return [
        _reading(measure, law.value, p if pair.has_error(measure) else None, own, alpha)
        for pair, law, p, own in zip(data, laws, adjusted, ends, strict=True)
    ]


def _judged(pairs: Sequence[Pair], scores: Scores, advice: Sequence[Advice]) -> tuple[Pair, ...]:
    """Return the pairs, without a verdict where scores are not comparable or all runs are the same, without a test of single runs."""
    pairs = [untested(pair) if pair.unjudged else pair for pair in pairs]
    if (why := withheld(advice)) is not None:
        return tuple(without_verdict(pair, why.code) for pair in pairs)
    same = rules.of_same_runs(scores)
    judged = (of_same_runs(pair) if {pair.a, pair.b} in same else pair for pair in pairs)
    if not _in_costs(scores):
        return tuple(judged)
    # A sentence is copied alone, and says "higher" of the smaller cost.
    return tuple(replace(pair, sentence=Sentence(f"{pair.sentence} {NEGATED_COSTS}")) for pair in judged)


def _in_costs(scores: Scores) -> bool:
    """Return whether scores are negated costs in units of their own; normalised they have a scale on which higher is better by itself."""
    return scores.provenance.of_costs and scores.provenance.reference is None


def _reading(measure: str, estimate: float, adjusted: float | None, ends: Ends | None, alpha: float) -> MeasureReading:
    """Return what a measure says of a pair; adjusted: None where it has no standard error."""
    verdict = "no_verdict" if adjusted is None else verdict_of(lead_of(measure, estimate), adjusted, alpha)
    low, high = ends if ends and adjusted is not None else (None, None)
    return MeasureReading(
        measure=measure, estimate=estimate, pvalue_adjusted=adjusted, verdict=verdict, low=low, high=high
    )


def _values(sampled: Callable[..., Sampled], scores: Scores, tested: Sampled) -> dict[str, float]:
    """Return the measure of each algorithm that was compared."""
    both, kind, _, parted = tested
    if kind not in pairing.OF_PAIRS:
        return parted.values(kind) if parted else pairing.values_of(scores, both, kind)
    # A chance is the average over all others, where a control is tested against all, and another against the control alone.
    at = {name: i for i, name in enumerate(scores.algorithms)}
    done = {frozenset((at[pair.a], at[pair.b])) for pair in both}
    others = [
        pair for pair in combinations(sorted({i for pair in done for i in pair}), 2) if frozenset(pair) not in done
    ]
    more = list(_comparable(sampled, others, kind))
    if parted is None:
        return pairing.values_of(scores, [*both, *(pair for pairs, _ in more for pair in pairs)], kind)
    strata = (own for _, own in more if own is not None)
    return replace(parted, pairs=[*parted.pairs, *(pair for own in strata for pair in own.pairs)]).values(kind)


def _comparable(
    sampled: Callable[..., Sampled], pairs: Sequence[tuple[int, int]], kind: str
) -> Iterator[tuple[Sequence[pairing.PairData], pairing.Strata | None]]:
    """Yield the data of pairs that nobody tests, without those that cannot be compared: two may share no task, none of a stratum, or
    too few to be a sample."""
    if not pairs:
        return
    try:
        both, _, _, parted = sampled(pairs, kind)
    except (DesignError, OptionError):
        # One after the other only where all at once are refused, for each looks at all the scores.
        for pair in pairs if len(pairs) > 1 else ():
            yield from _comparable(sampled, [pair], kind)
    else:
        yield both, parted


def _ordered(values: Mapping[str, float], measure: str, pairs: Sequence[Pair]) -> tuple[tuple[str, float], ...]:
    """Return the measure of each algorithm that was compared, in the order of `in_order`."""
    # By the value, but nobody stands before one that was found above it: pairs may be of fewer tasks.
    findings = {(pair.winner, pair.b if pair.winner == pair.a else pair.a) for pair in pairs if pair.winner}
    best = -1 if measure in LOWER_IS_BETTER else 1
    order = sorted(values, key=lambda name: (-best * values[name], natural(name)))
    return tuple((name, values[name]) for name in in_order(order, findings))


def _notes_on(scores: Scores, over: str, measure: str, *, by_unit: bool, strata: bool) -> tuple[Advice, ...]:
    """Return advice on the data; by_unit: whether the unit of the scores chose the measure."""
    unit, of_pairs = scores.sampling.unit, measure in pairing.OF_PAIRS
    about_unit = rules.asked_unit if by_unit and of_pairs else None if of_pairs else rules.unlike_tasks
    units = None if about_unit is None or pairing.one_unit(scores) else about_unit(scores, pairing.make_one_unit())
    groups = None if over == "tasks" else rules.in_groups(rules.cells_in_groups(scores), scores.n_tasks)
    pooled = rules.benchmarks_as_one(scores) if over == "tasks" and not strata else None
    return rules.collected(units, rules.missing(scores), groups, pooled, unit=unit)
