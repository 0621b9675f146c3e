"""Where along training do two algorithms differ? The difference at every step, and the stretches at which one is ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, inf
from typing import Literal

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import steps as stepwise
from runoff._inference.bootstrap import Ends
from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import PairData, pair_data, run_means, tested_pairs
from runoff._inference.steps import Steps
from runoff.base.arrays import Floats
from runoff.base.random import RNG, Drawing, streams
from runoff.base.validate import check_alpha, check_choice, check_confidence, check_resamples
from runoff.errors import DesignError
from runoff.io.given import CurvesLike, as_curves
from runoff.results.base import Advice, filled
from runoff.results.curves import CurveComparisonResult, StepDifference
from runoff.words.names import AxisName, Incomplete, StepCorrectionName, StepTestName


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan(Drawing):
    test: str
    correction: str
    alpha: float


def compare_curves(
    curves: CurvesLike,
    *,
    steps: Steps = None,
    along: AxisName = "step",
    incomplete: Incomplete = "error",
    test: StepTestName = "welch",
    correction: StepCorrectionName = "max_t",
    criterion: float = 0.5,
    pairs: Literal["all"] | Sequence[tuple[str, str]] = "all",
    control: str | None = None,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    rng: RNG = 0,
    threads: int | None = None,
) -> CurveComparisonResult:
    """Where along training do algorithms differ, and which is ahead there?

    Parameters
    ----------
    curves : Curves, data frame with a step column, or path
        Normalise first if tasks have different units.
    steps, along, incomplete
        As in `sample_efficiency`. Fewer steps are no easier to pass with "max_t", which takes into account how steps depend on each other.
    test : "welch" or "permutation"
        p-value of each step: Welch's t, or the share of relabellings of whole runs whose |t| is as large.
    correction : str
        "max_t": the largest of all steps under relabelling of whole runs within tasks, each t on the scale of its degrees of freedom. "holm" and
        the others of `compare`. "colas2019": a pair differs if more than N_crit = criterion · N_c of its N_c steps reject in one direction at
        α · N_crit / N_c (§7.2); it is one claim about the pair, and its rejected steps are no claims of their own.
    criterion : float
        N_crit / N_c of "colas2019".
    pairs, control
        As in `compare`. Several pairs: "max_t" and "colas2019" multiply by their number (Bonferroni), the others count all steps of all pairs.
    alpha : float
        Chance of any wrong claim at any step of any pair, by a family-wise correction.
    confidence_level : float
        Of the pointwise intervals and the simultaneous bands.
    n_resamples : int
        Relabellings; all of them where there are no more.
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only.

    Returns
    -------
    CurveComparisonResult
        `stretches` are the steps at which one is ahead; with "max_t" and alpha = 1 − confidence_level a step is rejected if and only if its
        simultaneous band does not hold 0.

    Raises
    ------
    DesignError
        One algorithm, a pair without a shared task, a cell of a single run; what aligning refuses.
    OptionError
        An unknown test, correction or policy, steps that do not increase.

    Notes
    -----
    Differences are means over shared tasks of (mean of a − mean of b); their error is Welch's, over tasks √(Σ s²/c) / T. max-T relabels
    whole runs and compares the smallest p-value of Welch's t over the steps (min-P; Westfall & Young 1993). It is exact if the two have the
    same distribution of learning curves, and nearly so if only their means agree. It is single-step, so that bands and p-values say the
    same. Where runs are so few that no relabelling is rare enough, nothing is found and bands have no ends. Runs that are shared by tasks
    are relabelled as a whole.

    Colas' criterion bounds the error by Markov's inequality, E[rejections] ≤ α N_crit. Measured error rates of all corrections:
    docs/guides/comparing-learning-curves.md.

    References
    ----------
    Colas, Sigaud & Oudeyer 2019, §5 and §7.2. Westfall & Young 1993.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control").select(algorithms=["CEM", "Sarsa(λ)"], tasks=["CartPole-v1"])
    >>> print(ro.compare_curves(curves, steps=8))
    The mean of Sarsa(λ) is above that of CEM at step 0 (1 of 8 steps); the mean of CEM is above that of Sarsa(λ) from step 3 000 to 21 000 (7 of
    8 steps): Welch's t test, max-T over the steps, α = 0.05.
    """
    aligned = stepwise.align(as_curves(curves).along(along), steps=steps, incomplete=incomplete)
    stepwise.check_step_correction(correction, criterion)
    plan = _Plan(
        test=check_choice("test", test, stepwise.STEP_TESTS),
        correction=correction,
        alpha=check_alpha(alpha),
        confidence_level=check_confidence(confidence_level),
        n_resamples=check_resamples(n_resamples),
        streams=streams(rng),
        threads=threads,
    )
    chosen = tested_pairs(aligned.last, pairs, control)
    by_step = [aligned.scores(s) for s in range(aligned.steps.size)]
    tested = _tested([[pair_data(scores, a, b) for scores in by_step] for a, b in chosen], plan)
    adjusted = stepwise.STEP_CORRECTIONS[correction](tested, criterion)
    names = [(aligned.last.algorithms[a], aligned.last.algorithms[b]) for a, b in chosen]
    rows = [
        _records(pair, aligned.steps, tests, pvalues, plan=plan, n_pairs=len(chosen))
        for pair, tests, pvalues in zip(names, tested, adjusted, strict=True)
    ]
    return _result(aligned, names, tested, rows, plan)


def _tested(every: Sequence[Sequence[PairData]], plan: _Plan) -> list[stepwise.StepTests]:
    """Return the tests of every pair, given the cells of each pair at one step after another."""
    for pair in (cells[0] for cells in every):
        if pair.least < 2:
            raise DesignError(
                f"{pair.a!r} or {pair.b!r} has a single run on task {pair.single_runs[0]!r}, which shows no spread to test a difference against."
            )
    contrasts = [stepwise.differences(cells) for cells in every]
    if plan.test == "welch" and plan.correction != "max_t":
        return [
            stepwise.StepTests(differences=contrast, pvalues=contrast.pvalues, relabelled=None)
            for contrast in contrasts
        ]
    drawn = stepwise.relabelled_together(
        [(_whole_runs(cells, "x"), _whole_runs(cells, "y")) for cells in every],
        by_step=plan.test == "permutation",
        streams=plan.streams,
        n_resamples=plan.n_resamples,
        threads=plan.threads,
    )
    return [
        stepwise.StepTests(
            differences=contrast, pvalues=contrast.pvalues if own.pvalues is None else own.pvalues, relabelled=own
        )
        for contrast, own in zip(contrasts, drawn, strict=True)
    ]


def _whole_runs(cells: Sequence[PairData], side: Literal["x", "y"]) -> list[Floats]:
    """Return the runs (n_runs, n_steps) of one algorithm on each task; of runs that tasks share, their means."""
    by_step = [getattr(pair, side) for pair in cells]
    if cells[0].shared:
        return [np.column_stack([run_means(tasks) for tasks in by_step])]
    return [np.column_stack([tasks[t] for tasks in by_step]) for t in range(len(cells[0].tasks))]


def _records(
    pair: tuple[str, str], steps: Floats, tests: stepwise.StepTests, adjusted: Floats, *, plan: _Plan, n_pairs: int
) -> list[StepDifference]:
    contrast, bands = tests.differences, _bands(tests, plan, steps.size, n_pairs)
    records = []
    for s, (mean, ends) in enumerate(zip(contrast.means, contrast.pointwise(plan.confidence_level), strict=True)):
        (low, high), (least, most) = ends or (None, None), _to_zero(bands[s]) or (None, None)
        records.append(
            StepDifference(
                a=pair[0],
                b=pair[1],
                step=float(steps[s]),
                difference=mean.estimate,
                low=low,
                high=high,
                low_simultaneous=least,
                high_simultaneous=most,
                statistic=mean.estimate / mean.error
                if mean.error
                else copysign(inf, mean.estimate)
                if mean.estimate
                else 0.0,
                pvalue=float(tests.pvalues[s]),
                pvalue_adjusted=float(adjusted[s]),
                rejected=bool(adjusted[s] <= plan.alpha and mean.estimate != 0),
            )
        )
    return records


def _to_zero(ends: Ends | None) -> Ends | None:
    """Return a band whose end at 0 is 0: rounding alone would leave 0 out at a step that is as far out as is just not rejected."""
    if ends is None:
        return None
    least, most = ends
    slack = 1e-9 * (most - least)
    return (0.0 if 0.0 < least < slack else least), (0.0 if -slack < most < 0.0 else most)


def _bands(tests: stepwise.StepTests, plan: _Plan, n_steps: int, n_pairs: int) -> list[Ends | None]:
    """Return the simultaneous bands over all steps of all pairs: by max-T, or by Bonferroni's inequality for other family-wise corrections."""
    tail = 1.0 - plan.confidence_level
    if plan.correction == "max_t":
        assert tests.relabelled is not None
        return tests.differences.band(tests.relabelled.critical(tail / n_pairs), plan.confidence_level)
    if plan.correction in CORRECTIONS and CORRECTIONS[plan.correction].familywise:
        return tests.differences.pointwise(1.0 - tail / (n_pairs * n_steps))
    return [None] * n_steps


def _result(
    aligned: stepwise.Aligned,
    names: Sequence[tuple[str, str]],
    tested: Sequence[stepwise.StepTests],
    rows: Sequence[Sequence[StepDifference]],
    plan: _Plan,
) -> CurveComparisonResult:
    end, axis = aligned.last, aligned.curves.axis
    by_pair = [
        stepwise.stretches(
            *pair, aligned.steps, np.array([row.difference for row in own]), [row.rejected for row in own]
        )
        for pair, own in zip(names, rows, strict=True)
    ]
    sentences = tuple(
        stepwise.pair_words(
            *pair,
            own,
            n_steps=aligned.steps.size,
            axis=axis,
            test=plan.test,
            correction=plan.correction,
            alpha=plan.alpha,
        )
        for pair, own in zip(names, by_pair, strict=True)
    )
    exact = {tests.relabelled.exact for tests in tested if tests.relabelled is not None}
    counts = {name: end.n_runs[a][end.n_runs[a] > 0] for a, name in enumerate(end.algorithms)}
    return filled(
        CurveComparisonResult,
        plan,
        records=tuple(row for own in rows for row in own),
        stretches=tuple(tests for own in by_pair for tests in own),
        sentences=sentences,
        axis=axis,
        method="asymptotic" if not exact else "exact" if all(exact) else "monte_carlo",
        n_runs=tuple((name, int(n.min()), int(n.max())) for name, n in counts.items()),
        tasks=end.tasks,
        seed=plan.streams.seed,
        notes=(*aligned.notes, *aligned.treated.notes),
        advice=_advice(aligned, names, tested, plan),
    )


def _advice(
    aligned: stepwise.Aligned, names: Sequence[tuple[str, str]], tested: Sequence[stepwise.StepTests], plan: _Plan
) -> tuple[Advice, ...]:
    end, advice = aligned.last, []
    for (a, b), tests in zip(names, tested, strict=True):
        both = rules.pair(a, b)
        advice.append(
            rules.few_runs(
                min(int(end.n_runs[i][end.n_runs[i] > 0].min()) for i in map(end.algorithms.index, (a, b))), both
            )
        )
        if plan.correction == "max_t" and tests.relabelled is not None:
            advice.append(rules.steps_beyond_relabelling(tests.relabelled.critical(plan.alpha / len(names)) == 0, both))
    return rules.collected(rules.missing(end), rules.unequal_runs(end.n_runs), *rules.about_data(end), *advice)
