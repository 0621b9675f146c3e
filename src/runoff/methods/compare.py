"""Which algorithms differ? Every pair with its difference, its test and one plain sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from runoff._inference import advice as rules
from runoff._inference import family as corrections
from runoff._inference import pairs as pairing
from runoff._inference.about import Levels
from runoff._inference.bootstrap import Ends, OwnFunction, named_measure, parse_metric
from runoff._inference.power import detectable
from runoff.base.random import RNG, in_threads, streams
from runoff.base.validate import check_alpha, check_choice, check_resamples
from runoff.data.given import ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.results.base import Advice, filled, withheld
from runoff.results.comparison import ComparisonResult
from runoff.results.pair import MeasureReading, Pair, PairVerdict
from runoff.results.standing import in_order
from runoff.results.unjudged import of_same_runs, unread, untested, without_verdict
from runoff.tables.naming import natural
from runoff.words.measures import MANY_TASKS, even_of, lead_of
from runoff.words.names import LOWER_IS_BETTER, CorrectionName, MeasureName, OverName, PairTestName, SingleValue
from runoff.words.speech import neutral

AGREEING = frozenset({*pairing.BY_LAW, "mann_whitney"})
"""Tests whose interval leaves out "no difference" exactly where they reject."""


def compare(
    data: ScoresLike,
    y: ArrayLike | None = None,
    *,
    measure: MeasureName | OwnFunction = "auto",
    over: OverName = "auto",
    cluster: Mapping[str, str] | None = None,
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
) -> ComparisonResult:
    """Which algorithms differ, in which direction, and how sure are we?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
    y : array, optional
        `data` and `y` are then runs, (n_runs,) or (n_runs, n_tasks), of "x" and of "y".
    measure : str or function
        A function is as in `aggregate`, and is compared over runs by the jackknife t test, without relabelling. By name:
        "mean", "iqm", "iqm_whole" (cut as rliable does), "median", "trimmed_mean_P", "optimality_gap" (what normalised
        scores lack of 1), or "improvement", the probability that a run of a beats one of b, which needs no common unit. "auto" goes by the
        design: the mean on one task and for rates; the IQM of tasks in one unit (normalised, or within 0.05 of [0, 1]) from four tasks on,
        of two or three the mean; the probability of improvement of tasks in units of their own. Tests by name have their own measure. Over
        tasks: the mean, "hodges_lehmann" or the improvement (Notes).
    over : "auto", "runs" or "tasks"
        What is the sample: the runs, so that claims are about these tasks, or the tasks (items, questions, episodes of a suite), so that claims
        are about tasks like these; then one run a cell is enough, and `test` and `single` have nothing to choose. "auto": the tasks where they
        are six items or more that each algorithm attempted once, and where clusters are named; else the runs.
    cluster : {task: cluster}, optional
        With over="tasks": tasks of one cluster were drawn together (questions about one text), so clusters are what is counted. Fewer than
        five cannot tell which is ahead: no verdict is given, and the interval is shown.
    test : str
        "auto" is "jackknife", a t test of the measure whose error is that of leaving each run out, of few runs with relabelling beside it; of
        scores 0 and 1 it is "miettinen_nurminen"; for the improvement on one task "mann_whitney". From these a task is left out of a pair
        where one of the two has a single run (`left_out`, advice R002), but not of success rates; where no task is left no verdict is given.
        Or name one of these, "welch", or of ranks, which take single runs, "mack_skillings", "van_elteren", "stratified_permutation"; on one
        task "boschloo", or any two-sample test that names a winner.
    correction : str
        "auto" is Holm's; with exactly three algorithms compared on the same tasks, Shaffer's (1986), which is more powerful because the three
        null hypotheses are logically linked (levels α/3, α, α). Or name one of the family-wise
        ("holm", "shaffer", "bonferroni", "hochberg", "hommel") or false-discovery ("bh", "by") corrections; "none".
    pairs : "all" or sequence of (a, b)
    control : str, optional
        Compare each other algorithm (a) with this one (b): k − 1 comparisons instead of k(k − 1)/2.
    margin : float, optional
        The smallest difference of the measure that matters, above 0, in its units (of the improvement below ½). Pairs that are not different
        and are shown to differ by less are "equivalent" (see `equivalence`). With None, no pair is.
    single_value : "line" or "tested"
        How an algorithm with one value on every task is treated, where all others have several runs: as a published value, which is left
        out (advice R021), or as an opponent with one run. An algorithm that `pairs` or `control` names is an opponent.
    variants : bool
        Compare the configurations of a sweep as algorithms (`data.variants()`), which is refused otherwise: `tuning` compares at equal tuning.
    alpha : float
        False positive rate of the verdicts, over the family. All intervals are at 1 − alpha: `alpha=0.1` has 90 % intervals.
    n_resamples : int
        Of resampling tests; the studentised permutation test draws at least 20,000.
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only.

    Returns
    -------
    ComparisonResult
        One `Pair` for each pair. The direction of a verdict is that of the measure: of the rank sums for a rank test by name.

    Raises
    ------
    DesignError
        A sweep, one algorithm, a pair without a shared task, scores that are all equal, a test that the design does not allow; published runs of
        another protocol, or of one that is not known to be the same.
    OptionError
        An unknown measure, test or correction, one of runs with over="tasks", a measure that the scores cannot have or that another test than
        "jackknife" has not, alpha outside (0, 1), a margin that is not above 0.

    Notes
    -----
    Jackknife: with θ the measure, the runs of task t add v_t = (n − 1)/n Σ (θ₍ⱼ₎ − θ̄)² to the squared error, each run left out in turn; of a
    mean that is s²/(n T²). Of Welch's t distribution with V = Σ v_t and Student's with variances pooled within tasks the wider interval and the
    larger p-value count, so p ≤ alpha exactly where the interval at 1 − alpha leaves 0 out. There are V² / Σ (v²/(d + c)) − c degrees of
    freedom, c = 1 for means of ten tasks and more (Welch 1947), else 0. Few runs (two tasks or more, at most 32 degrees of freedom, and
    relabellings rare enough for the family's first level): of the mean, IQM and optimality gap the larger p-value of that law with c = 2 and of
    relabelling runs within tasks, whose statistic is the difference over its error (Janssen 1997; Chung & Romano 2013), all of up to 20,000
    relabellings or 9,999 drawn; what the law without relabelling finds at a tenth of the level is found. The interval is what this leaves.
    Improvement: variances of placements (DeLong et al. 1988; Hanley & McNeil 1982); one task: Mann-Whitney's exact test. Rates: the score
    of their difference (Miettinen & Nurminen 1985), of one task with its tail summed over all results. docs/estimates.md has the details,
    docs/calibration.md the error rates.

    `difference` and its interval are of means whatever the measure is: the mean over shared tasks of (mean of a − mean of b).
    Mack-Skillings: see `rank_test`. Casesa 2024 prints a null that permutes across tasks, which is wrong (true size 10.9 % at 5 %). Runs that
    are shared by tasks (`scores.sampling`) are relabelled as a whole.

    Over tasks (Miller 2024): d_t is the mean of a's runs on task t minus that of b's. Of items answered yes or no, one attempt each, Tango's
    score (1998) with its tail summed over all results, and the interval that inverts it; of several attempts, and of clusters, the same score
    with its variance scaled to theirs (docs/estimates.md). Other scores in [0, 1], from ten tasks on: the paired t test of the mean d. Else, in
    one unit, "hodges_lehmann", the median of (d_s + d_t)/2 (Hodges & Lehmann 1963), by Wilcoxon's exact signed-rank test and its inversion. In
    units of their own the improvement, averaged over tasks, by t from 26 tasks on. A mean of unbounded scores is refused: it misses too often.

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
    scores, measure = as_scores(data, y, variants=variants), named_measure(measure)
    check_choice("correction", correction, ("auto", *corrections.CORRECTIONS))
    over = pairing.sample_over(scores, over, check_choice("test", test, pairing.PAIR_TESTS), cluster)
    named, advice, given = control if isinstance(pairs, str) else pairs, rules.about_data(scores), scores  # of all data
    scores, left_out = rules.opponents(given, single_value if over == "runs" else "tested", named=named, judged=False)
    chosen = pairing.tested_pairs(scores, pairs, control)
    first = corrections.first_level(check_alpha(alpha), len(chosen), correction)
    how = pairing.Relabelling(level=first, streams=streams(rng))
    of = partial(pairing.sample_of, tasks=over == "tasks", cluster=cluster, relabelling=how)
    both, kind, others = of(scores, chosen, measure, test)
    pairing.check_margin_of(kind, margin)
    options = pairing.PairOptions(streams=how.streams, n_resamples=check_resamples(n_resamples), measure=kind)
    outcomes = pairing.run_pairs(test, both, options, threads)
    raw = [outcome.pvalue for outcome in outcomes]
    values = pairing.of_values(kind, both, outcomes)
    adjusting = corrections.correction_of(correction, scores, len(both), values=values)
    adjusted = corrections.adjust(raw, adjusting).tolist()
    threads = threads if pairing.relabelled(both, kind) else 1  # a t law is sooner there than a thread
    decided = corrections.decided_levels(raw, adjusted, adjusting, alpha)
    ends = _intervals(test, both, outcomes, [(alpha, level) for level in decided], options, threads=threads)
    tell = partial(_record, levels=_levels(alpha, adjusting, outcomes), measure=kind)
    answers = in_threads(tell, zip(both, outcomes, adjusted, ends, strict=True), threads)
    bounded = _within(answers, both, margin, adjusting, alpha, levels=decided)
    if over == "runs":
        sample, _ = rules.opponents(given, "tested", named=named, judged=False)
        bounded = _over_tasks_too(bounded, sample, pairing.tested_pairs(sample, pairs, control), correction, alpha)
    notes = _notes_on(scores, over, kind, by_unit=measure == "auto" and test in pairing.BY_SPREAD)
    return ComparisonResult(
        pairs=_judged(_read_otherwise(bounded, both, others, adjusting, alpha, threads=threads), scores, advice),
        measure=kind,
        values=_values(scores, kind, both, bounded),
        alpha=alpha,
        confidence_level=1 - alpha,
        correction=adjusting,
        control=control,
        n_resamples=n_resamples,
        seed=options.streams.seed,
        advice=rules.collected(_multiple(raw, adjusting, alpha, control), *notes, left_out, *advice),
    ).with_origin(scores)


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
    families = {measure: _family_read(data, measure, correction, alpha, threads) for measure in measures}

    def read(at: int, measure: str) -> MeasureReading:
        without = pairs[at].unjudged and not data[at].law(measure).laws
        return unread(families[measure][at]) if without else families[measure][at]

    return tuple(replace(pair, other_readings=tuple(read(at, m) for m in measures)) for at, pair in enumerate(pairs))


def _over_tasks_too(
    pairs: Sequence[Pair], scores: Scores, chosen: Sequence[tuple[int, int]], correction: str, alpha: float
) -> list[Pair]:
    """Return the pairs with what all tasks that both have say as the sample, where a run is enough: on how many each is ahead, and of those
    with tasks enough the verdict over the family of `compare(over="tasks")`.
    """
    several = [(a, b) for a, b in chosen if (scores.n_runs[[a, b]] > 0).all(axis=0).sum() > 1]
    whole = {(pair.a, pair.b): pair for pair in pairing.all_pairs(scores, several)}
    # Where tasks were left out for single runs, wins are counted over all that both have: each shows who is ahead.
    counted = [replace(pair, **_tally(whole[pair.a, pair.b])) if pair.left_out else pair for pair in pairs]
    enough = {(pair.a, pair.b) for pair in counted if pair.wins + pair.ties + pair.losses >= MANY_TASKS}
    if not enough:
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
    return tuple(of_same_runs(pair) if {pair.a, pair.b} in same else pair for pair in pairs)


def _reading(measure: str, estimate: float, adjusted: float | None, ends: Ends | None, alpha: float) -> MeasureReading:
    """Return what a measure says of a pair; adjusted: None where it has no standard error."""
    verdict = "no_verdict" if adjusted is None else _verdict(lead_of(measure, estimate), adjusted, alpha)
    low, high = ends if ends and adjusted is not None else (None, None)
    return MeasureReading(
        measure=measure, estimate=estimate, pvalue_adjusted=adjusted, verdict=verdict, low=low, high=high
    )


def _values(
    scores: Scores, measure: str, data: Sequence[pairing.PairData], pairs: Sequence[Pair]
) -> tuple[tuple[str, float], ...]:
    """Return the measure of each algorithm that was compared, in the order of `in_order`."""
    values = pairing.values_of(scores, data, measure)
    # By the value, but nobody stands before one that was found above it: pairs may be of fewer tasks.
    findings = {(pair.winner, pair.b if pair.winner == pair.a else pair.a) for pair in pairs if pair.winner}
    best = -1 if measure in LOWER_IS_BETTER else 1
    order = sorted(values, key=lambda name: (-best * values[name], natural(name)))
    return tuple((name, values[name]) for name in in_order(order, findings))


def _multiple(raw: Sequence[float], correction: str, alpha: float, control: str | None) -> Advice | None:
    together = corrections.adjust(raw, "holm" if correction == "none" else correction).tolist()
    return rules.multiple(raw, together, correction, alpha, control)


def _levels(alpha: float, correction: str, outcomes: Sequence[pairing.PairOutcome]) -> Levels:
    return Levels(
        first=corrections.first_level(alpha, len(outcomes), correction),
        best=corrections.best_level(alpha, correction, [outcome.smallest for outcome in outcomes]),
        alpha=alpha,
    )


def _notes_on(scores: Scores, over: str, measure: str, *, by_unit: bool) -> tuple[Advice, ...]:
    """Return advice on the data; by_unit: whether the unit of the scores chose the measure."""
    unit, of_pairs = scores.sampling.unit, measure in pairing.OF_PAIRS
    about_unit = rules.asked_unit if by_unit and of_pairs else None if of_pairs else rules.unlike_tasks
    units = None if about_unit is None or pairing.one_unit(scores) else about_unit(scores, pairing.make_one_unit())
    groups = None if over == "tasks" else rules.in_groups(rules.cells_in_groups(scores), scores.n_tasks)
    return rules.collected(units, rules.missing(scores), groups, unit=unit)


def _intervals(
    test: str,
    data: Sequence[pairing.PairData],
    outcomes: Sequence[pairing.PairOutcome],
    alphas: Sequence[tuple[float, float]],
    options: pairing.PairOptions,
    *,
    threads: int | None,
) -> Sequence[Sequence[Ends | None]]:
    """Return the interval of each pair at its own level, and at that of the family where it is known to agree with the verdict."""
    if test in pairing.INVERTED:
        return pairing.inverted(test, data, outcomes, alphas, options, threads=threads)

    def both(at: int) -> tuple[Ends | None, Ends | None]:
        law, (own, decided) = data[at].law(options.measure), alphas[at]
        return law.interval(1 - own), law.interval(1 - decided) if outcomes[at].test in AGREEING else None

    return in_threads(both, range(len(data)), threads)


def _facts(
    pair: pairing.PairData,
    outcome: pairing.PairOutcome,
    adjusted: float,
    ends: Sequence[Ends | None],
    levels: Levels,
    *,
    measure: str,
) -> pairing.PairFacts:
    """Return the facts that a record and its sentence are made of; the detectable difference is that of the family's first step."""
    law = pair.law(measure)
    power, untold = pairing.power_law(pair, outcome.test, outcome.about, levels.first, measure)
    lead, verdict = law.value - even_of(measure), _verdict(outcome.direction, adjusted, levels.alpha)
    error, df = pairing.widest(power, 1 - levels.first) if power else (0.0, None)
    smallest = None if df is None else detectable(error, df, levels.first)
    # Beside a larger difference that was not found, the t law's detectable one would contradict the verdict.
    if smallest is not None and verdict == "no_difference_found" and smallest <= abs(lead):
        smallest, df, untold = None, None, "this test did not find one that a t test would have found"
    return pairing.PairFacts(
        measure=measure,
        estimate=law.value,
        ends=ends[0],
        decided=ends[1],
        pair=pair,
        outcome=outcome,
        pvalue_adjusted=adjusted,
        verdict=verdict,
        better=pair.measured(pairing.IMPROVEMENT, 1 - levels.alpha),
        further=pair.further(measure) if isinstance(pair, pairing.TaskPair) else None,
        detectable_difference=smallest,
        detectable_df=df,
        untold=untold,
        levels=levels,
        confidence_level=1 - levels.alpha,
    )


def _record(
    row: tuple[pairing.PairData, pairing.PairOutcome, float, Sequence[Ends | None]],
    *,
    levels: Levels,
    measure: str,
) -> Pair:
    facts = _facts(*row, levels, measure=measure)
    pair, outcome, better = facts.pair, facts.outcome, facts.better
    mean = pair.measured("mean", facts.confidence_level)
    ends, own, decided, improved, further = (
        ends or (None, None) for ends in (mean.ends, facts.ends, facts.decided, better.ends, facts.further)
    )
    return filled(
        Pair,
        facts,
        pair,
        outcome,
        n_tasks=len(pair.tasks),
        own_low=own[0],
        own_high=own[1],
        low=decided[0],
        high=decided[1],
        rates=pair.binary,
        difference=mean.estimate,
        difference_low=ends[0],
        difference_high=ends[1],
        improvement=better.estimate,
        improvement_low=improved[0],
        improvement_high=improved[1],
        **_tally(pair),
        **pairing.flips_of(pair),
        predicted_low=further[0],
        predicted_high=further[1],
        verdict="no_verdict" if facts.unjudged else facts.verdict,
        sentence=pairing.pair_sentence(facts),
        advice=_advice(facts),
        lead_tasks=pairing.few_tasks(pair, facts.measure),
    )


def _tally(pair: pairing.PairData) -> dict[str, Any]:
    return dict(zip(("wins", "ties", "losses"), pair.tally, strict=True))


def _within(
    pairs: Sequence[Pair],
    data: Sequence[pairing.PairData],
    margin: float | None,
    correction: str,
    alpha: float,
    *,
    levels: Sequence[float],
) -> Sequence[Pair]:
    """Return the pairs with what more runs would say and, if there is a margin, the p-values and, where it holds, the verdict of equivalence."""
    pairs = pairs if margin is None else _equivalent(pairs, data, margin, correction, alpha)
    return [pairing.looked_ahead(*row, margin) for row in zip(pairs, data, levels, strict=True)]


def _equivalent(
    pairs: Sequence[Pair], data: Sequence[pairing.PairData], margin: float, correction: str, alpha: float
) -> list[Pair]:
    measure = pairs[0].measure
    raw = [pair.law(measure).equivalence_pvalue(margin, even_of(measure)) for pair in data]
    # Shaffer's correction is of equality, which is no null of equivalence.
    adjusted = corrections.adjust(raw, correction if correction in corrections.OF_PVALUES else "holm").tolist()
    bounded_pairs = []
    for pair, cells, p, q in zip(pairs, data, raw, adjusted, strict=True):
        # A small sure difference is found and equivalent at once: it is the verdict, the sentence has both.
        verdict: PairVerdict = "equivalent" if q <= alpha and pair.verdict == "no_difference_found" else pair.verdict
        words = {"margin": margin, "pvalue": q, "alpha": alpha}
        sentence = pairing.equivalence_words(neutral(pair.sentence), cells, verdict, **words)
        pvalues = {"pvalue_equivalence": p, "pvalue_equivalence_adjusted": q}
        bounded_pairs.append(replace(pair, verdict=verdict, sentence=sentence, margin=margin, **pvalues))
    return bounded_pairs


def _verdict(direction: float, adjusted: float, alpha: float) -> PairVerdict:
    # Without a direction there is nobody to name, whatever the p-value is.
    if adjusted > alpha or direction == 0:
        return "no_difference_found"
    return "a_better" if direction > 0 else "b_better"


def _one_task(facts: pairing.PairFacts, both: rules.Subject) -> Advice | None:
    pair = facts.pair
    if pair.shared or pair.least < 2:
        return None
    records = pair.records(parse_metric("mean"))
    leads = pairing.task_leads(pair, "mean") if facts.verdict in ("a_better", "b_better") else None
    # Welch-Satterthwaite, each task by itself: v = v_a + v_b has v² / Σ v_i²/(n_i − 1) degrees of freedom.
    parts = np.sum([record.parts for record in records], axis=0)
    inverse = np.sum([record.parts**2 / (record.n_runs - 1) for record in records], axis=0)
    df = np.divide(parts**2, inverse, out=np.ones_like(parts), where=inverse > 0)
    return rules.one_task_decides(both, pair.tasks, leads, parts, df)


def _advice(facts: pairing.PairFacts) -> tuple[Advice, ...]:
    pair, outcome, better = facts.pair, facts.outcome, facts.better
    both, about = rules.pair(pair.a, pair.b), outcome.about
    if isinstance(pair, pairing.TaskPair):
        return rules.collected(rules.few_clusters(pair.n_clusters, both))
    least = pair.least
    differs, single = facts.verdict != "no_difference_found", pair.single_runs
    by_spread = about.name in pairing.BY_SPREAD
    return rules.collected(
        rules.few_runs(chain.from_iterable(pair.sizes), both),
        _one_task(facts, both) if facts.measure == "mean" else None,
        rules.iqm_of_few(facts.measure, len(pair.tasks), both),
        rules.moved_by_few(facts.measure, pair.moved_by(facts.measure), severity="caution") if facts.ends else None,
        rules.few_of_one_task(least, len(pair.tasks), both)
        if facts.measure == "mean" and facts.ends and better.ends and not pair.rates
        else None,
        rules.one_run(pair.lonely, both, others=pair.n_counted if by_spread else None),
        rules.bootstrap_runs(least, len(pair.tasks), decides=True) if outcome.test == "bootstrap" else None,
        rules.permutation_runs(least, about),
        rules.unequal_shape(pair.x, pair.y, pair.tasks, about, both),
        rules.skewed(pair.x, pair.tasks, rules.algorithm(pair.a), facts.pvalue_adjusted, facts.levels.alpha),
        rules.skewed(pair.y, pair.tasks, rules.algorithm(pair.b), facts.pvalue_adjusted, facts.levels.alpha),
        rules.separation(better.estimate) if better.ends and facts.measure == pairing.IMPROVEMENT else None,
        None if single or pair.law(facts.measure).interval(0.95) else rules.no_spread(["the difference"], both),
        rules.unattainable(outcome.about, outcome.smallest, pairing.least_pvalue(pair), facts.levels, both)
        if not differs
        else None,
        rules.rarer_than_ranks(outcome.test, pair.sizes, both),
        unit=pair.unit,
    )
