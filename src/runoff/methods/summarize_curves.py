"""What did the runs of each algorithm achieve along training? Centre and spread, task by task."""

from __future__ import annotations

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import bootstrap
from runoff._inference.steps import CENTRES, CONTENT, SPREADS, Aligned, Steps, align
from runoff.answer.curves import CurveSummaryResult, CurveSummaryRow, RunCurve
from runoff.base.validate import check_choice, check_confidence
from runoff.data.given_curves import CurvesLike, as_curves
from runoff.errors import OptionError
from runoff.words.names import AxisName, CentreName, Incomplete, SpreadName, metric_words
from runoff.words.speech import option

FEW = 10
"""Cells of fewer runs than this show each of them (Colas et al. 2019 §5)."""


def summarize_curves(
    data: CurvesLike,
    *,
    measure: CentreName,
    errorbar: SpreadName,
    steps: Steps,
    along: AxisName,
    incomplete: Incomplete,
    confidence_level: float,
) -> CurveSummaryResult:
    """Return the curves of each algorithm on each task: `curves(by="task")`."""
    curves = as_curves(data).along(along)
    law = SPREADS[check_choice("errorbar", errorbar, SPREADS)]
    if check_choice("measure", measure, CENTRES) not in law.centres:
        raise OptionError(
            f"{option('errorbar', errorbar)} is made about the mean, not the {metric_words(measure)}; use "
            f"{option('errorbar', 'percentiles')}, or {option('measure', 'mean')}."
        )
    check_confidence(confidence_level)
    by_task = []
    for task, counts in zip(curves.tasks, curves.n_runs.T, strict=True):
        # Each task is aligned by itself: one with longer training than others would else be cut to their common
        # steps.
        present = [name for name, n in zip(curves.algorithms, counts, strict=True) if n]
        by_task.append(align(curves.select(tasks=[task], algorithms=present), steps=steps, incomplete=incomplete))
    rates = errorbar == "interval" and all(aligned.binary for aligned in by_task)
    words = law.of_rates if rates and law.of_rates else law.words
    return CurveSummaryResult(
        rows=tuple(record for aligned in by_task for record in _records(aligned, measure, errorbar, confidence_level)),
        run_curves=tuple(run for aligned in by_task for run in _runs(aligned)),
        along=curves.axis,
        measure=measure,
        errorbar=errorbar,
        spread_words=words.format(level=100 * confidence_level, content=100 * CONTENT),
        unit=curves.sampling.unit,
        notes=tuple(dict.fromkeys(note for aligned in by_task for note in (*aligned.notes, *aligned.treated.notes))),
        advice=rules.collected(*(advice for aligned in by_task for advice in rules.about_data(aligned.last))),
    ).with_origin(curves)


def _records(aligned: Aligned, centre: str, spread: str, level: float) -> list[CurveSummaryRow]:
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
                CurveSummaryRow(
                    algorithm=name,
                    task=aligned.curves.tasks[0],
                    step=step,
                    estimate=value,
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
                    run=curves.run_labels[i],
                    steps=tuple(steps.tolist()),
                    scores=tuple(scores.tolist()),
                )
            )
    return runs
