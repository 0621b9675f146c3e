"""How good is each algorithm after how many steps: a metric with its interval over all tasks, or centre and spread task by task?"""

from __future__ import annotations

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import bootstrap
from runoff._inference.steps import CENTRES, CONTENT, SPREADS, Aligned, Steps, align
from runoff.base.random import RNG, streams
from runoff.base.validate import check_choice, check_confidence, check_resamples
from runoff.data.given import CurvesLike, as_curves
from runoff.errors import OptionError
from runoff.results.base import Advice, filled
from runoff.results.curves import CurveSummaryResult, EfficiencyRecord, EfficiencyResult, RunCurve, SummaryRecord
from runoff.words.names import AxisName, CentreName, CurveBandName, Incomplete, IntervalName, MetricName, SpreadName
from runoff.words.speech import option


def sample_efficiency(
    curves: CurvesLike,
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
    curves : Curves, data frame with a step column, or path
        Normalise first if tasks have different units.
    metric : str, optional
        "iqm", "mean", "median", "optimality_gap", "trimmed_mean_P"; None: the IQM, of scores 0 and 1 the mean, which is the success rate.
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
    >>> [(record.step, round(record.estimate, 2)) for record in result.records]
    [(0.0, -0.0), (7500.0, 0.62), (15000.0, 0.91)]
    """
    runs = as_curves(curves)
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
        records=tuple(records),
        tasks=end.tasks,
        axis=aligned.curves.axis,
        unit=end.sampling.unit,
        seed=options.streams.seed,
        notes=aligned.remarks,
        advice=advice,
    ).with_origin(runs)


def _one_algorithm(aligned: Aligned, a: int, options: bootstrap.AlongSteps) -> list[EfficiencyRecord]:
    cells = aligned.cells(a)
    estimates = bootstrap.along_steps(cells, options)
    records, n_scores = [], sum(len(cell) for cell in cells)
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


FEW = 10
"""Cells of fewer runs than this show each of them (Colas et al. 2019 §5)."""


def summarize_curves(
    curves: CurvesLike,
    *,
    centre: CentreName = "mean",
    spread: SpreadName = "interval",
    steps: Steps = None,
    along: AxisName = "step",
    incomplete: Incomplete = "error",
    confidence_level: float = 0.95,
) -> CurveSummaryResult:
    """What did the runs of each algorithm achieve along training, on each task?

    Parameters
    ----------
    curves : Curves, data frame with a step column, or path
    centre : "mean", "median" or "iqm"
        Of the runs at a step.
    spread : "sd", "se", "interval", "percentiles" or "tolerance"
        Standard deviation; standard error; t interval of the mean (Wilson's of a success rate); the middle 90 % of the runs; an interval that
        holds 90 % of normal runs with this confidence (Howe 1969). The median and the IQM go with percentiles.
    steps, along, incomplete
        As in `sample_efficiency`; each task has a grid of its own.
    confidence_level : float

    Returns
    -------
    CurveSummaryResult
        Records by task, algorithm and step; single runs of cells of fewer than ten. It describes the runs at hand, and claims nothing.

    Raises
    ------
    OptionError
        An unknown centre or spread, or a spread that is not made about this centre.
    DesignError
        What aligning refuses.

    References
    ----------
    Colas, Sigaud & Oudeyer 2019, §5.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control").select(algorithms=["CEM"], tasks=["CartPole-v1"])
    >>> print(ro.summarize_curves(curves, centre="median", spread="percentiles", steps=4))
    Median of the runs of 1 algorithm on 1 task; spread: the middle 90 % of the runs.
    """
    curves = as_curves(curves).along(along)
    law = SPREADS[check_choice("spread", spread, SPREADS)]
    if check_choice("centre", centre, CENTRES) not in law.centres:
        raise OptionError(
            f"spread={spread!r} is made about the mean, not the {centre}; use {option('spread', 'percentiles')}, or {option('centre', 'mean')}."
        )
    check_confidence(confidence_level)
    by_task = []
    for task, counts in zip(curves.tasks, curves.n_runs.T, strict=True):
        # Each task is aligned by itself: one with longer training than others would else be cut to their common
        # steps.
        present = [name for name, n in zip(curves.algorithms, counts, strict=True) if n]
        by_task.append(align(curves.select(tasks=[task], algorithms=present), steps=steps, incomplete=incomplete))
    rates = spread == "interval" and all(aligned.binary for aligned in by_task)
    words = law.of_rates if rates and law.of_rates else law.words
    return CurveSummaryResult(
        records=tuple(record for aligned in by_task for record in _records(aligned, centre, spread, confidence_level)),
        runs=tuple(run for aligned in by_task for run in _runs(aligned)),
        axis=curves.axis,
        centre=centre,
        spread=spread,
        spread_words=words.format(level=100 * confidence_level, content=100 * CONTENT),
        unit=curves.sampling.unit,
        notes=tuple(dict.fromkeys(note for aligned in by_task for note in (*aligned.notes, *aligned.treated.notes))),
        advice=rules.collected(*(advice for aligned in by_task for advice in rules.about_data(aligned.last))),
    ).with_origin(curves)


def _records(aligned: Aligned, centre: str, spread: str, level: float) -> list[SummaryRecord]:
    records = []
    for a, name in enumerate(aligned.curves.algorithms):
        rows, law = aligned.rows(a, 0), SPREADS[spread]
        middle = CENTRES[centre](rows)
        ends = np.full((middle.size, 2), np.nan)
        if len(rows) > 1 and spread == "interval" and aligned.binary:
            rate = bootstrap.mean_rate(rows.sum(axis=0)[:, None], np.array([float(len(rows))]))
            ends = np.column_stack(rate.interval(1 - level))
        elif len(rows) > 1:
            ends = np.column_stack(law.ends(rows, level))
        for step, value, (low, high) in zip(aligned.steps.tolist(), middle.tolist(), ends.tolist(), strict=True):
            flat = not high > low  # also where an end is NaN
            records.append(
                SummaryRecord(
                    algorithm=name,
                    task=aligned.curves.tasks[0],
                    step=step,
                    centre=value,
                    low=None if flat else low,
                    high=None if flat else high,
                    n_runs=len(rows),
                )
            )
    return records


def _runs(aligned: Aligned) -> list[RunCurve]:
    curves, runs = aligned.curves, []
    for i, cell in enumerate(curves.cells().tolist()):
        if curves.n_runs.ravel()[cell] < FEW and aligned.treated.kept[i]:
            steps, scores = curves.curve(i)
            name = curves.algorithms[cell]
            runs.append(
                RunCurve(
                    algorithm=name,
                    task=curves.tasks[0],
                    run=curves.runs[i],
                    steps=tuple(steps.tolist()),
                    scores=tuple(scores.tolist()),
                )
            )
    return runs
