"""How good is each algorithm after how many steps? A metric against steps, with its uncertainty; whole runs are resampled."""

from __future__ import annotations

from runoff._inference import advice as rules
from runoff._inference.bootstrap import (
    CURVE_BANDS,
    INTERVALS,
    AlongSteps,
    along_steps,
    check_band,
    check_interval,
    parse_metric,
)
from runoff._inference.steps import Aligned, Steps, align
from runoff.base.random import RNG, streams
from runoff.base.validate import check_choice, check_confidence, check_resamples
from runoff.io.given import CurvesLike, as_curves
from runoff.results.advice import Advice
from runoff.results.curves import EfficiencyRecord, EfficiencyResult
from runoff.words.names import AxisName, CurveBandName, Incomplete, IntervalName, MetricName


def sample_efficiency(
    curves: CurvesLike,
    *,
    metric: MetricName = "iqm",
    steps: Steps = None,
    along: AxisName = "step",
    incomplete: Incomplete = "error",
    interval: IntervalName = "auto",
    band: CurveBandName = "pointwise",
    n_resamples: int = 50_000,
    confidence_level: float = 0.95,
    gamma: float = 1.0,
    rng: RNG = 0,
    threads: int | None = None,
) -> EfficiencyResult:
    """How good is each algorithm, over all its tasks, after how many steps?

    Parameters
    ----------
    curves : Curves
        Or a data frame with a step column, or a path of which `Curves` can be made. Normalise first if tasks have different units.
    metric : str
        As in `aggregate`: "iqm", "mean", "median", "optimality_gap", "trimmed_mean_P".
    steps : sequence of float, int or None
        The steps; or how many, evenly spaced over what all runs have; None: those at which all runs were evaluated (200 at most).
    along : "step", "time" or "episodes"
        What the steps count; seconds and episodes where the data have them.
    incomplete : "error", "drop" ("complete"), "carry" ("carry_forward") or "worst"
        Of runs that ended early: refused, left out, carried forward with their last score, or counted as the lowest run of their task.
    interval : "auto", "t", "percentile", "basic", "bca" or "studentized"
        "auto" is the t interval that `aggregate` gives at that step.
    band : "pointwise" or "simultaneous"
        Whether the level holds at each step on its own, or for the whole curve of an algorithm.
    n_resamples : int
    confidence_level : float
    gamma : float
        Threshold of the optimality gap.
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only.

    Returns
    -------
    EfficiencyResult
        Records in the order of the algorithms, then of the steps.

    Raises
    ------
    DesignError
        Curves that do not overlap in step, have one evaluation only, or end too early for the policy.
    OptionError
        Steps that do not increase, an unknown option, a band of an interval that has none.

    Notes
    -----
    Scores are interpolated linearly between evaluations, by step and run, and never beyond a run's first or last evaluation.

    The bootstrap draws whole runs within tasks, once for all steps. At each step a t or BCa interval is that of `aggregate`, and what joins
    steps (the simultaneous band) has the dependence that runs have. rliable draws anew at every step, so its draws cannot be joined: an
    area under them has an interval several times too narrow. For the area itself: `aggregate(curves.auc())`.

    The simultaneous band is estimate ± u · error, u the quantile of the largest of normal variables that are correlated from step to step as
    resamples of whole runs are, and for t intervals the quantile of t with u's tail. Measured coverage:
    docs/guides/comparing-learning-curves.md.

    Cost: linear in steps; 32 steps of all resamples are in memory at a time.

    References
    ----------
    Agarwal et al. 2021, "Deep RL at the Edge of the Statistical Precipice", §4.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control").normalize("classic_control").select(algorithms=["Sarsa(λ)"])
    >>> found = ro.sample_efficiency(curves, steps=3)
    >>> [(record.step, round(record.estimate, 2)) for record in found.records]
    [(0.0, -0.0), (7500.0, 0.62), (15000.0, 0.91)]
    """
    aligned = align(as_curves(curves).along(along), steps=steps, incomplete=incomplete)
    end = aligned.last
    kind = check_interval(interval, shared=end.sampling.shared)
    check_band(check_choice("band", band, CURVE_BANDS), kind)
    options = AlongSteps(
        metric=parse_metric(metric),
        interval=kind,
        band=band,
        confidence_level=check_confidence(confidence_level),
        n_resamples=INTERVALS[kind].drawn(check_resamples(n_resamples))
        if band == "pointwise"
        else check_resamples(n_resamples),
        streams=streams(rng),
        threads=threads,
        gamma=float(gamma),
        shared=end.sampling.shared,
    )
    records = [record for a in range(end.n_algorithms) for record in _one_algorithm(aligned, a, options)]
    advice = _advice(aligned, options)
    rules.warn_of(advice)
    return EfficiencyResult(
        records=tuple(records),
        axis=aligned.curves.axis,
        band=band,
        confidence_level=options.confidence_level,
        n_resamples=options.n_resamples,
        unit=end.sampling.unit,
        seed=options.streams.seed,
        notes=(*aligned.notes, *aligned.treated.notes),
        advice=advice,
    )


def _one_algorithm(aligned: Aligned, a: int, options: AlongSteps) -> list[EfficiencyRecord]:
    cells = aligned.cells(a)
    estimates = along_steps(cells, options)
    records = []
    for step, estimate, ends, kind in zip(
        aligned.steps, estimates.estimates, estimates.ends, estimates.kinds, strict=True
    ):
        low, high = ends or (None, None)
        records.append(
            EfficiencyRecord(
                algorithm=aligned.curves.algorithms[a],
                metric=options.metric.name,
                step=float(step),
                estimate=float(estimate),
                low=low,
                high=high,
                interval=kind if ends else None,
                n_tasks=len(cells),
                n_scores=sum(len(cell) for cell in cells),
            )
        )
    return records


def _advice(aligned: Aligned, options: AlongSteps) -> tuple[Advice, ...]:
    """Return what `aggregate` says at the last step, and what is said of curves."""
    end = aligned.last
    advice: list[Advice | None] = [rules.missing(end), rules.normalisation(end), *rules.about_data(end)]
    for a, name in enumerate(end.algorithms):
        cells, who = [cell for cell in end.cells(a) if cell.size], rules.algorithm(name)
        single = [task for task, cell in zip(end.tasks, end.cells(a), strict=True) if cell.size == 1]
        least = min(cell.size for cell in cells)
        narrow = INTERVALS[options.interval].narrow
        advice += [
            rules.one_run(single, who, published=name in end.single_valued),
            rules.few_runs(least, who),
            rules.bootstrap_runs(least, len(cells))
            if narrow
            else rules.approximate([options.metric.name], least, len(cells)),
        ]
    return rules.collected(*advice)
