"""How good is each algorithm at each step of training? A metric over all tasks, with its interval."""

from __future__ import annotations

from runoff._inference import advice as rules
from runoff._inference import bootstrap
from runoff._inference.steps import Aligned, Steps, align
from runoff.answer.base import Advice, filled
from runoff.answer.curves import EfficiencyResult, EfficiencyRow
from runoff.base.random import RNG, streams
from runoff.base.validate import check_choice, check_confidence, check_resamples
from runoff.data.given_curves import CurvesLike, as_curves
from runoff.words.names import AxisName, CurveBandName, Incomplete, IntervalName, MetricName


def sample_efficiency(
    data: CurvesLike,
    *,
    measure: MetricName | None,
    steps: Steps,
    along: AxisName,
    incomplete: Incomplete,
    interval: IntervalName,
    band: CurveBandName,
    n_resamples: int,
    confidence_level: float,
    gamma: float,
    rng: RNG,
    threads: int | None,
) -> EfficiencyResult:
    """Return the curve of each algorithm over all its tasks: `curves` without `by`."""
    runs = as_curves(data)
    aligned = align(runs.along(along), steps=steps, incomplete=incomplete)
    end = aligned.last
    kind = bootstrap.check_interval(interval, shared=end.sampling.shared)
    bootstrap.check_band(check_choice("band", band, bootstrap.CURVE_BANDS), kind)
    draws = check_resamples(n_resamples)
    options = bootstrap.AlongSteps(
        metric=bootstrap.parse_metric(measure or "mean"),
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
        least = min(cell.size for cell in cells)
        narrow = bootstrap.INTERVALS[options.interval].narrow
        advice += [
            rules.one_run(rules.single_runs(end, a), who, published=name in end.single_valued),
            rules.few_runs(rules.runs_of(end, name), who),
            rules.bootstrap_runs(least, len(cells))
            if narrow
            else rules.one_task_curves(len(cells), least, options.band)
            or rules.approximate([options.metric.name], least, len(cells)),
        ]
    return rules.collected(*advice)
