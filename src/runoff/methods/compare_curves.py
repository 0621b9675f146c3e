"""Where along training do two algorithms differ? The difference at every step, and the stretches at which one is ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Unpack

from runoff._inference import advice as rules
from runoff._inference import steps as stepwise
from runoff._inference.bootstrap import Ends
from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import PairData, tested_pairs
from runoff._inference.steps import Steps
from runoff.answer.base import filled
from runoff.answer.curves import CurveComparisonResult, StepDifference
from runoff.base.arrays import Floats
from runoff.base.random import RNG, IntervalOptions, streams
from runoff.base.validate import check_alpha, check_resamples
from runoff.data.given import DataOptions
from runoff.data.given_curves import CurvesLike, as_curves
from runoff.errors import DesignError
from runoff.words.names import AxisName, Incomplete, StepCorrectionName


@dataclass(frozen=True, slots=True, kw_only=True)
class _CurvesPlan(IntervalOptions):
    correction: str
    alpha: float


def compare_curves(
    data: CurvesLike,
    *,
    steps: Steps = None,
    along: AxisName = "step",
    incomplete: Incomplete = "error",
    correction: StepCorrectionName = "max_t",
    criterion: float = 0.5,
    pairs: Literal["all"] | Sequence[tuple[str, str]] = "all",
    control: str | None = None,
    alpha: float = 0.05,
    n_resamples: int = 10_000,
    rng: RNG = 0,
    **of_data: Unpack[DataOptions],
) -> CurveComparisonResult:
    """Where along training do algorithms differ, and which is ahead there?

    Parameters
    ----------
    data : Curves, data frame with a step column, or path
        Normalise first if tasks have different units.
    steps, along, incomplete
        As in `curves`. Fewer steps are no easier to pass with "max_t", which takes into account how steps depend on each other.
    correction : str
        "max_t": the largest of all steps, normal and correlated from step to step as the runs are. "holm" and the others of `compare`.
        "colas2019": a pair differs if more than N_crit = criterion · N_c of its N_c steps reject in one direction at α · N_crit / N_c (§7.2);
        it is one claim about the pair, and its rejected steps are no claims of their own.
    criterion : float
        N_crit / N_c of "colas2019".
    pairs, control
        As in `compare`. Several pairs: "max_t" and "colas2019" multiply by their number (Bonferroni), the others count all steps of all pairs.
    alpha : float
        False positive rate over all steps and pairs, by a family-wise correction. Pointwise intervals and simultaneous bands are at 1 − alpha.
    n_resamples, rng
        Of the draws of the largest of all steps.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    CurveComparisonResult
        `stretches` are the steps at which one is ahead; with "max_t" a step is rejected if and only if its
        simultaneous band does not hold 0.

    Raises
    ------
    DesignError
        One algorithm, published runs that may not be tested, a pair without a shared task, no pair with two runs each on a task; what aligning
        refuses.
    OptionError
        An unknown correction or policy, steps that do not increase.

    Notes
    -----
    Differences are means over shared tasks of (mean of a − mean of b). As in `compare`, a task on which one of the two has a single run is left
    out of the pair, and a pair that has no other task is not compared; advice (R002) names both. The p-value and the interval of a step are
    those of the measure "mean" of `compare`: t with leave-one-run-out errors, the wider of Welch's and Student's. All steps together ("max_t")
    are judged by p-values of variances steadied as in `curves`. The smallest of these p-values is as rare as the largest |z| of
    normal steps with the correlation (1 − 1/N) R + I/N, R that of what all N runs add to the error; or by Bonferroni's inequality, if that is
    less. No p-value is below its step's own. Runs that are shared by tasks count as a whole. Scores 0 and 1 have the p-values and intervals of
    success rates (Miettinen and Nurminen's) at every step, and at the level of all steps their bands.

    Colas' criterion bounds the error by Markov's inequality, E[rejections] ≤ α N_crit. Measured error rates of all corrections:
    docs/guides/comparing-learning-curves.md.

    References
    ----------
    Colas, Sigaud & Oudeyer 2019, §5 and §7.2. Westfall & Young 1993, §2.3. Smyth 2004, eq. 3 (Statistical Applications in Genetics and Molecular
    Biology 3): variances.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control").select(algorithms=["CEM", "Sarsa(λ)"], tasks=["CartPole-v1"])
    >>> print(ro.compare_curves(curves, steps=8).sentence)
    The mean of CEM is above that of Sarsa(λ) from step 3 000 to 21 000 (7 of 8 steps).
    """
    both = as_curves(data, **of_data)
    runs = rules.without_untested(both, control if isinstance(pairs, str) else pairs)
    aligned = stepwise.align(runs.along(along), steps=steps, incomplete=incomplete)
    stepwise.check_step_correction(correction, criterion)
    plan = _CurvesPlan(
        correction=correction,
        alpha=check_alpha(alpha),
        confidence_level=1 - alpha,
        n_resamples=check_resamples(n_resamples),
        streams=streams(rng),
    )
    every, spreadless = _with_spread(stepwise.pairs_along(aligned, tested_pairs(aligned.last, pairs, control)))
    tested = stepwise.differences(every, plan)
    adjusted = stepwise.STEP_CORRECTIONS[correction](tested, criterion)
    names = [(cells[0].a, cells[0].b) for cells in every]
    rows = [
        _records(pair, aligned.steps, tests, pvalues, plan=plan, n_pairs=len(names))
        for pair, tests, pvalues in zip(names, tested, adjusted, strict=True)
    ]
    return _result(aligned, [cells[0] for cells in every], rows, plan, spreadless).with_origin(both)


def _with_spread(every: Sequence[list[PairData]]) -> tuple[list[list[PairData]], list[PairData]]:
    """Return the pairs of which both have two runs or more of each task that counts, and at their first step the others; refuse if none has."""
    # The runs are the same at all steps, so that what holds at the first holds at all.
    spreadless = [cells[0] for cells in every if cells[0].least < 2]
    if len(spreadless) == len(every):
        pair = spreadless[0]
        raise DesignError(
            f"{pair.a!r} or {pair.b!r} has a single run on task {pair.single_runs[0]!r}, which shows no spread to test a difference against."
        )
    return [cells for cells in every if cells[0].least > 1], spreadless


def _records(
    pair: tuple[str, str],
    steps: Floats,
    tests: stepwise.StepTests,
    adjusted: Floats,
    *,
    plan: _CurvesPlan,
    n_pairs: int,
) -> list[StepDifference]:
    records = []
    for step, difference, statistic, pvalue, over_all, ends, band in zip(
        steps.tolist(),
        tests.estimates.tolist(),
        tests.statistics,
        tests.pvalues.tolist(),
        adjusted.tolist(),
        tests.pointwise(plan.confidence_level),
        _bands(tests, plan, steps.size, n_pairs),
        strict=True,
    ):
        (low, high), (least, most) = ends or (None, None), _to_zero(band) or (None, None)
        records.append(
            StepDifference(
                a=pair[0],
                b=pair[1],
                step=step,
                difference=difference,
                own_low=low,
                own_high=high,
                low=least,
                high=most,
                statistic=statistic,
                pvalue=pvalue,
                pvalue_adjusted=over_all,
                # Without a direction nobody is ahead, whatever the p-value is.
                rejected=over_all <= plan.alpha and difference != 0,
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


def _bands(tests: stepwise.StepTests, plan: _CurvesPlan, n_steps: int, n_pairs: int) -> list[Ends | None]:
    """Return the simultaneous bands over all steps of all pairs: by max-T, or by Bonferroni's inequality for other family-wise corrections."""
    if plan.correction == "max_t":
        return tests.band(plan.confidence_level, n_pairs)
    if plan.correction in CORRECTIONS and CORRECTIONS[plan.correction].familywise:
        # Bonferroni: holm, hochberg and hommel decide step by step at levels that depend on the p-values, and have no
        # band of their own.
        return tests.pointwise(1.0 - plan.alpha / (n_pairs * n_steps))
    # "colas2019", "none" and the false-discovery corrections do not bound the chance that any step is wrong, which a
    # band promises.
    return [None] * n_steps


def _result(
    aligned: stepwise.Aligned,
    pairs: Sequence[PairData],
    rows: Sequence[Sequence[StepDifference]],
    plan: _CurvesPlan,
    spreadless: Sequence[PairData],
) -> CurveComparisonResult:
    """Return the answer about pairs that were compared, and the advice about those that could not be, or not on all tasks."""
    end, axis = aligned.last, aligned.curves.axis
    by_pair = [
        stepwise.stretches(
            pair.a, pair.b, aligned.steps, [row.difference for row in own], [row.rejected for row in own]
        )
        for pair, own in zip(pairs, rows, strict=True)
    ]
    sentences = tuple(
        stepwise.pair_words(pair, own, n_steps=aligned.steps.size, axis=axis, correction=plan.correction)
        for pair, own in zip(pairs, by_pair, strict=True)
    )
    counts = {name: end.n_runs[a][end.n_runs[a] > 0] for a, name in enumerate(end.algorithms)}
    few = [rules.few_runs([*rules.runs_of(end, p.a), *rules.runs_of(end, p.b)], rules.pair(p.a, p.b)) for p in pairs]
    few += [rules.one_run(p.left_out, rules.pair(p.a, p.b), others=len(p.tasks)) for p in pairs]
    few += [rules.one_run(p.single_runs, rules.pair(p.a, p.b), others=0) for p in spreadless]
    return filled(
        CurveComparisonResult,
        plan,
        rows=tuple(row for own in rows for row in own),
        stretches=tuple(tests for own in by_pair for tests in own),
        sentences=sentences,
        how=stepwise.how_words(pairs, plan.correction, plan.alpha),
        along=axis,
        n_runs=tuple((name, int(n.min()), int(n.max())) for name, n in counts.items()),
        tasks=end.tasks,
        seed=plan.streams.seed,
        notes=aligned.remarks,
        advice=rules.collected(rules.missing(end), *rules.about_data(end), *few),
    )
