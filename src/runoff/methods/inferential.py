"""Intervals that may be read by eye: they overlap if and only if the test does not reject."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal, Unpack

from runoff._inference import advice as rules
from runoff._inference import pairs as pairing
from runoff._inference.bootstrap import INTERVALS, Ends, How, Metric, check_interval, described, parse_metric, prepare
from runoff._inference.family import OF_PVALUES, adjust, correction_of, first_level
from runoff._inference.inferential import FORMULAS, PairFinding, disagreements_of, pair_of, read_factors, record_of
from runoff.answer.aggregate import InferentialResult
from runoff.answer.base import Advice, filled
from runoff.answer.unjudged import SAME_RUNS
from runoff.base.random import RNG, streams
from runoff.base.validate import check_alpha, check_choice, check_confidence, check_resamples
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import DesignError, warn
from runoff.words.names import FormulaName, IntervalName, MeasureName, PairTestName, PvalueCorrection, SingleValue
from runoff.words.speech import choice, option


def inferential_intervals(
    data: ScoresLike,
    *,
    measure: MeasureName = "auto",
    test: PairTestName = "auto",
    formula: FormulaName = "modified",
    interval: IntervalName = "auto",
    correction: Literal["auto", "shaffer"] | PvalueCorrection = "auto",
    single_value: SingleValue = "line",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    n_resamples: int = 50_000,
    rng: RNG = 0,
    threads: int | None = None,
    **of_data: Unpack[DataOptions],
) -> InferentialResult:
    """Which intervals may be compared by eye?

    Two of these intervals overlap (share a point) if and only if the test of the two does not reject at `alpha`.

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
        At least two algorithms with a common task. Estimates and tests use the tasks that all of them have.
    measure : str
        "auto", "mean", "iqm", "iqm_whole", "median", "optimality_gap" or "trimmed_mean_P", as for `compare`.
    test : str
        Any test of `compare`; "auto" is that of the measure.
    formula : "modified", "marasini" or "goldstein_healy"
        Which factor is aimed at; see Notes.
    interval : "auto", "t", "percentile", "basic" or "bca"
        The descriptive interval that is scaled, as in `aggregate`; `confidence_level` is its level.
    correction, single_value, alpha, n_resamples, rng, threads
        As in `compare`.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    InferentialResult
        One record per algorithm; `disagreements` names the pairs that must not be read by eye, and why.

    Raises
    ------
    DesignError
        Fewer than two algorithms, no task that all have, all scores equal, or a test that the design does not allow; tasks in units of
        their own, so that an algorithm has no value but its chance to beat others.
    OptionError
        An unknown measure, test, formula, interval or correction; alpha or level outside (0, 1).

    Warns
    -----
    RunoffWarning
        Tasks that some algorithm lacks are left out, or an algorithm has no interval.

    Notes
    -----
    [t − b, t + u] becomes [t − ε b, t + ε u] (Casesa 2024 eq. 2.24). For two algorithms, t₁ ≤ t₂, both have the same ε:

    - "modified": 1 where the descriptive intervals already agree with the test, else (1 + P − α)(t₂ − t₁) / (u₁ + b₂) (eq. 2.28);
    - "marasini": (t₂ − t₁ + P − α) / (u₁ + b₂) (eq. 2.27), which adds a p-value to scores and so depends on their unit; eq. 2.28 where it
      is not positive;
    - "goldstein_healy": √(u₁² + b₂²) / (u₁ + b₂), which agrees with a normal test of the difference, whatever `test` is.

    If a formula's factor contradicts the test, the nearest that agrees is taken (within a thousandth of touching, as in the thesis's code).

    Errata: with d = P − α, eq. 2.26 has − P + α where eq. 2.27 has + P − α; the gap meant is d = α − P. For intervals that are apart though
    the test does not reject, the thesis's text keeps ε = 1; its code widens them until they touch, and only that keeps the rule.

    For more than two algorithms no paper offers a factor. Here each has its own, by linear programming: all pairs agree with their
    adjusted decisions; no interval is shrunk more than it must be, and then none is widened more (leximin). Where intervals must change, the gap
    or overlap is alpha times the difference, as in eq. 2.28 for a small p-value, so that it can be seen. If not all pairs can agree, as few as
    possible are given up, preferring to show an overlap where the test rejects to showing a gap where it does not.

    No factor can separate equal estimates or widen an interval without reach; such pairs are in `disagreements`, as are pairs whose intervals
    are apart but whose test favours the lower estimate ("direction"), and pairs in which one has no interval.

    The descriptive level is not the level of the comparison: read the thick intervals against each other, the thin ones alone.

    References
    ----------
    Casesa 2024, §2.4, eqs. 2.24-2.28 and appendix code. Marasini, Quatto & Ripamonti 2017. Goldstein & Healy 1995. Tryon 2001.

    Examples
    --------
    >>> import runoff as ro
    >>> cells = [[0.0, 1.0, 2.0, 3.0, 4.0], [2.5, 3.5, 4.5, 5.5, 3.0]]
    >>> scores = ro.Scores.from_dict({"A": {"Pong": cells[0], "Hero": cells[0]}, "B": {"Pong": cells[1], "Hero": cells[1]}})
    >>> result = ro.inferential_intervals(scores, measure="mean")
    >>> result.pairs[0].rejected, result.pairs[0].overlap, round(result.rows[0].factor, 2)
    (True, False, 0.85)
    """
    scores = as_scores(data, **of_data)
    check_choice("test", test, pairing.PAIR_TESTS)
    check_choice("formula", formula, FORMULAS)
    chosen = check_interval(interval, shared=scores.sampling.shared)
    check_choice("correction", correction, ("auto", "shaffer", *OF_PVALUES))
    how = How(
        interval=chosen,
        confidence_level=check_confidence(confidence_level),
        n_resamples=check_resamples(n_resamples),
        streams=streams(rng),
        threads=threads,
    )
    tested, left_out = rules.opponents(scores, single_value)
    kept = _on_common_tasks(tested)
    wanted = _metric(kept, measure)
    pairing.refuse_constant(kept)
    cells = (kept.cells(a) for a in range(kept.n_algorithms))
    pools = (prepare(own, [wanted], shared=kept.sampling.shared, rates=kept.rates) for own in cells)
    estimates, ends = zip(*(described(pool, [wanted], how)[wanted] for pool in pools), strict=True)
    decisions, tests, pvalues, adjusting, whys = _decisions(kept, how, test, correction, alpha, measure=wanted.name)
    advice = rules.collected(left_out, *_advice(scores, kept, ends, chosen, wanted.name))
    rules.warn_of(advice, besides=["R012"])  # tasks left out are reported by _on_common_tasks
    reading = read_factors(estimates, ends, decisions, formula, alpha)
    return filled(
        InferentialResult,
        how,
        how.streams,
        kept,
        rows=tuple(record_of(name, reading, a) for a, name in enumerate(kept.algorithms)),
        pairs=tuple(pair_of(kept.algorithms, reading, *of_pair) for of_pair in zip(decisions, pvalues, strict=True)),
        disagreements=disagreements_of(kept.algorithms, reading, decisions, wanted, tests, unjudged=whys),
        measure=wanted.name,
        test=tests[0],
        formula=formula,
        correction=adjusting,
        alpha=alpha,
        advice=advice,
        reference=kept.provenance.reference,
    ).with_origin(scores)


def _metric(scores: Scores, measure: str) -> Metric:
    name = pairing.measure_of(scores, measure)
    if name == pairing.IMPROVEMENT:
        repair = f", or {pairing.make_one_unit()}" if measure == "auto" else ""
        raise DesignError(
            "the chance to beat others is of pairs, so no interval of one algorithm can be read against another's: name another measure "
            f"({option('measure', 'mean')}){repair}."
        )
    return parse_metric(name)


def _decisions(
    kept: Scores, how: How, test: PairTestName, correction: str, alpha: float, *, measure: str
) -> tuple[list[PairFinding], list[str], list[float | None], str, list[str]]:
    """Return the decisions, their tests and p-values, the correction, and why a pair has no verdict ("" where it has one)."""
    positions = list(combinations(range(kept.n_algorithms), 2))
    check_alpha(alpha)
    options = pairing.PairOptions(streams=how.streams, n_resamples=how.n_resamples, measure=measure)
    first = first_level(alpha, len(positions), correction)
    # Tests by spread leave tasks of single runs out of a pair; tests of ranks take them.
    of_runs = measure if test in pairing.BY_SPREAD else None
    pairs = pairing.all_pairs(kept, positions, of_runs, pairing.Relabelling(level=first, streams=how.streams))
    outcomes = pairing.run_pairs(test, pairs, options, how.threads)
    adjusting = correction_of(correction, kept, len(positions), values=pairing.of_values(measure, pairs, outcomes))
    adjusted = adjust([outcome.pvalue for outcome in outcomes], adjusting).tolist()
    judged = zip(positions, adjusted, outcomes, strict=True)
    findings = [PairFinding(a, b, p, p <= alpha, outcome.direction) for (a, b), p, outcome in judged]
    same, by_spread = rules.of_same_runs(kept), outcomes[0].test == pairing.JACKKNIFE
    whys = [
        SAME_RUNS if {pair.a, pair.b} in same else pairing.why_unjudged(pair, measure, by_spread=by_spread)
        for pair in pairs
    ]
    pvalues = [None if why else outcome.pvalue for outcome, why in zip(outcomes, whys, strict=True)]
    return findings, [outcome.test for outcome in outcomes], pvalues, adjusting, whys


def _on_common_tasks(scores: Scores) -> Scores:
    if scores.n_algorithms < 2:
        message = f"a comparison of intervals needs two algorithms; the data have one, {scores.algorithms[0]!r}."
        raise DesignError(message)
    # Intervals are of each algorithm alone, and can be read against each other only if they are of the same tasks.
    common = [task for task, counts in zip(scores.tasks, scores.n_runs.T, strict=True) if (counts > 0).all()]
    if not common:
        fewer = f": compare fewer of them ({choice('scores.select(algorithms=…)', '--algorithms')})"
        raise DesignError(
            f"the {scores.n_algorithms} algorithms have no task in common{fewer if scores.n_algorithms > 2 else ''}."
        )
    if len(common) < scores.n_tasks:
        left = [task for task in scores.tasks if task not in common]
        words = f"{len(left)} of {scores.n_tasks} tasks, which some algorithm lacks, are left out (for example {left[0]!r})."
        warn(words)
    return scores.select(tasks=common)


def _advice(
    given: Scores, kept: Scores, ends: Sequence[Ends | None], interval: str, measure: str
) -> tuple[Advice, ...]:
    counts = kept.n_runs
    advice: list[Advice | None] = [rules.missing(given)]
    for a, name in enumerate(kept.algorithms):
        who, least = rules.algorithm(name), int(counts[a].min())
        single = rules.single_runs(kept, a)
        flat = [] if single or ends[a] else [measure]
        advice += [
            rules.one_run(single, who),
            rules.no_spread(flat, who),
            rules.few_runs(rules.runs_of(kept, name), who),
        ]
        advice.append(rules.bootstrap_runs(least, kept.n_tasks, interval) if INTERVALS[interval].narrow else None)
    return rules.collected(*advice, *rules.about_data(given), unit=given.sampling.unit)
