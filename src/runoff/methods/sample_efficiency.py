"""How good is each algorithm after how many steps? A metric over all tasks, with its interval."""

from __future__ import annotations

from runoff._inference import advice as rules
from runoff._inference import bootstrap
from runoff._inference.steps import Aligned, Steps, align
from runoff.base.random import RNG, streams
from runoff.base.validate import check_choice, check_confidence, check_resamples
from runoff.data.given import CurvesLike, as_curves
from runoff.results.base import Advice, filled
from runoff.results.curves import EfficiencyResult, EfficiencyRow
from runoff.words.names import AxisName, CurveBandName, Incomplete, IntervalName, MetricName


def sample_efficiency(
    data: CurvesLike,
    *,
    metric: MetricName | None = None,
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
    data : Curves, data frame with a step column, or path
        Normalise first if tasks have different units.
    metric : str, optional
        "iqm", "iqm_whole", "mean", "median", "optimality_gap", "trimmed_mean_P"; None: the IQM, of scores 0 and 1 the mean, their success rate.
    steps : sequence of float, int or None
        The steps; or how many, evenly spaced over what all runs have; None: those at which all runs were evaluated (200 at most).
    along : "step", "time" or "episodes"
        What the steps count; seconds and episodes where the data have them.
    incomplete : "error", "drop" ("complete"), "carry" ("carry_forward") or "worst"
        Of single runs that ended early: refused, left out, carried forward with their last score, or counted as the lowest run of their
        task. Where all runs of an algorithm did, curves end at the last common step.
    interval : "auto", "t", "percentile", "basic" or "bca"
        "auto" is the t interval that `aggregate` gives at that step.
    band : "pointwise" or "simultaneous"
        Whether the level holds at each step on its own, or for the whole curve of an algorithm.
    n_resamples, confidence_level, gamma, rng, threads
        As in `aggregate`.

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

    At each step a pointwise interval is that of `aggregate`. For the area under the curve: `aggregate(curves.auc())`.

    The simultaneous band is the t interval of each step at the level at which the largest |z| of normal steps, correlated as what whole runs add
    to the error, holds all of them. What the n runs of a cell add to the squared error at a step, v, is max(v, (8 v̄ + (n − 1) v) / (n + 7)), v̄
    its mean over the steps, for few runs often agree at a step at which more would not. The band of success rates is their own interval at
    that level: Wilson's over several tasks, Clopper and Pearson's on one task. Measured coverage, also where it falls short:
    docs/guides/comparing-learning-curves.md.

    References
    ----------
    Agarwal et al. 2021, "Deep RL at the Edge of the Statistical Precipice", §4.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control").normalize("classic_control").select(algorithms=["Sarsa(λ)"])
    >>> result = ro.sample_efficiency(curves, steps=3)
    >>> [(record.step, round(record.estimate, 2)) for record in result.rows]
    [(0.0, -0.0), (7500.0, 0.62), (15000.0, 0.91)]
    """
    runs = as_curves(data)
    aligned = align(runs.along(along), steps=steps, incomplete=incomplete)
    end = aligned.last
    kind = bootstrap.check_interval(interval, shared=end.sampling.shared)
    bootstrap.check_band(check_choice("band", band, bootstrap.CURVE_BANDS), kind)
    draws = check_resamples(n_resamples)
    options = bootstrap.AlongSteps(
        metric=bootstrap.parse_metric(metric or ("mean" if aligned.binary else "iqm")),
        interval=kind,
        band=band,
        confidence_level=check_confidence(confidence_level),
        # A pointwise t interval draws nothing, and the result then says 0; a simultaneous band always draws the
        # largest of all steps.
        n_resamples=bootstrap.INTERVALS[kind].drawn(draws) if band == "pointwise" else draws,
        streams=streams(rng),
        threads=threads,
        gamma=float(gamma),
        shared=end.sampling.shared,
    )
    records = [record for a in range(end.n_algorithms) for record in _one_algorithm(aligned, a, options)]
    advice = _advice(aligned, options)
    rules.warn_of(advice)
    return filled(
        EfficiencyResult,
        options,
        rows=tuple(records),
        tasks=end.tasks,
        along=aligned.curves.axis,
        unit=end.sampling.unit,
        seed=options.streams.seed,
        notes=aligned.remarks,
        advice=advice,
    ).with_origin(runs)


def _one_algorithm(aligned: Aligned, a: int, options: bootstrap.AlongSteps) -> list[EfficiencyRow]:
    cells = aligned.cells(a)
    estimates = bootstrap.along_steps(cells, options)
    records, n_scores = [], sum(len(cell) for cell in cells)
    for step, estimate, ends, kind in zip(
        aligned.steps, estimates.estimates, estimates.ends, estimates.kinds, strict=True
    ):
        low, high = ends or (None, None)
        records.append(
            EfficiencyRow(
                algorithm=aligned.curves.algorithms[a],
                measure=options.metric.name,
                step=float(step),
                estimate=float(estimate),
                low=low,
                high=high,
                interval=kind if ends else None,
                n_tasks=len(cells),
                n_scores=n_scores,
            )
        )
    return records


def _advice(aligned: Aligned, options: bootstrap.AlongSteps) -> tuple[Advice, ...]:
    end = aligned.last
    advice: list[Advice | None] = [rules.missing(end), *rules.about_data(end)]
    for a, name in enumerate(end.algorithms):
        cells, who = [cell for cell in end.cells(a) if cell.size], rules.algorithm(name)
        single = [task for task, cell in zip(end.tasks, end.cells(a), strict=True) if cell.size == 1]
        least = min(cell.size for cell in cells)
        narrow = bootstrap.INTERVALS[options.interval].narrow
        advice += [
            rules.one_run(single, who, published=name in end.single_valued),
            rules.few_runs(rules.runs_of(end, name), who),
            rules.bootstrap_runs(least, len(cells))
            if narrow
            else rules.one_task_curves(len(cells), least, options.band)
            or rules.approximate([options.metric.name], least, len(cells)),
        ]
    return rules.collected(*advice)
