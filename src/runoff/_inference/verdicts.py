"""Pairs that are decided together: each with its test, its intervals at both levels, its equivalence, its advice and its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import family as corrections
from runoff._inference import pairs as pairing
from runoff._inference.about import Levels
from runoff._inference.bootstrap import Ends, parse_metric
from runoff._inference.power import detectable
from runoff.answer.base import Advice, filled
from runoff.answer.pair import Pair, PairVerdict
from runoff.base.random import in_threads
from runoff.data.scores import Scores
from runoff.words.measures import even_of
from runoff.words.speech import neutral

AGREEING = frozenset({*pairing.BY_LAW, "mann_whitney"})
"""Tests whose interval leaves out "no difference" exactly where they reject."""


def verdicts(
    test: str,
    scores: Scores,
    data: Sequence[pairing.PairData],
    correction: str,
    control: str | None,
    *,
    options: pairing.PairOptions,
    alpha: float,
    margin: float | None,
    threads: int | None,
) -> tuple[Sequence[Pair], str, Advice | None]:
    """Return the pairs of a family, decided together, the correction that "auto" is, and the advice on it."""
    outcomes = pairing.run_pairs(test, pairing.place(data), options, threads)
    raw = [outcome.pvalue for outcome in outcomes]
    values = pairing.of_values(options.measure, data, outcomes)
    adjusting = corrections.correction_of(correction, scores, len(data), values=values)
    adjusted = corrections.adjust(raw, adjusting).tolist()
    threads = threads if pairing.relabelled(data, options.measure) else 1  # a t law is sooner there than a thread
    decided = corrections.decided_levels(raw, adjusted, adjusting, alpha)
    ends = _intervals(test, data, outcomes, [(alpha, level) for level in decided], options, threads=threads)
    tell = partial(_record, levels=_levels(alpha, adjusting, outcomes), measure=options.measure)
    answers = in_threads(tell, zip(data, outcomes, adjusted, ends, strict=True), threads)
    bounded = _within(answers, data, margin, adjusting, alpha, levels=decided)
    return bounded, adjusting, _multiple(raw, adjusting, alpha, control)


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
    lead, verdict = law.value - even_of(measure), verdict_of(outcome.direction, adjusted, levels.alpha)
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
        **tally_of(pair),
        **pairing.flips_of(pair),
        weights=pairing.weights_of(pair),
        deciding_stratum=pairing.deciding_stratum(facts),
        predicted_low=further[0],
        predicted_high=further[1],
        verdict="no_verdict" if facts.unjudged else facts.verdict,
        sentence=pairing.pair_sentence(facts),
        advice=_advice(facts),
        lead_tasks=() if isinstance(pair, pairing.StratifiedPair) else pairing.few_tasks(pair, facts.measure),
    )


def tally_of(pair: pairing.PairData) -> dict[str, Any]:
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
    # How many runs decide is said of each stratum, for their mean has no runs of its own.
    return [
        row[0] if isinstance(row[1], pairing.StratifiedPair) else pairing.looked_ahead(*row, margin)
        for row in zip(pairs, data, levels, strict=True)
    ]


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


def verdict_of(direction: float, adjusted: float, alpha: float) -> PairVerdict:
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
    if isinstance(pair, pairing.StratifiedPair):
        return ()  # what there is to know is said of its lines
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
        rules.one_run(pair.lonely, both, others=pair.n_counted if by_spread or facts.ends else None),
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


def _levels(alpha: float, correction: str, outcomes: Sequence[pairing.PairOutcome]) -> Levels:
    return Levels(
        first=corrections.first_level(alpha, len(outcomes), correction),
        best=corrections.best_level(alpha, correction, [outcome.smallest for outcome in outcomes]),
        alpha=alpha,
    )


def _multiple(raw: Sequence[float], correction: str, alpha: float, control: str | None) -> Advice | None:
    together = corrections.adjust(raw, "holm" if correction == "none" else correction).tolist()
    return rules.multiple(raw, together, correction, alpha, control)
