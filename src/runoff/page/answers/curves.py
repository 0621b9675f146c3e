"""The answers about learning curves: a metric against steps, the runs task by task, and where pairs differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runoff._inference.advice import testable
from runoff._inference.pairs import make_one_unit, one_unit
from runoff._inference.steps import align
from runoff.answer.base import Advice, plain
from runoff.answer.curves import (
    CurveComparisonResult,
    CurveSummaryResult,
    EfficiencyResult,
    ReachResult,
    ReliabilityResult,
)
from runoff.data.curves import Curves
from runoff.errors import DesignError
from runoff.words.names import AxisName, CurveBandName, Incomplete, MetricName, StepCorrectionName
from runoff.words.speech import Sentence, fact_of, neutral

OWN_UNITS = Sentence(
    "each task has a unit of its own, and the mean over tasks is of scores as they are, so that tasks with large scores decide; "
    f"{make_one_unit()}"
)
"""The note on means along training over tasks whose scores differ in size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveAnswers:
    """The metric against steps, the runs task by task, and where pairs differ (None where there is nothing to compare).

    `reach` says how long runs take to a score that was named, `steadiness` how steadily they learn; both are None where nobody asked for
    them, and `steadiness` also where there are too few steps. `left_out` has a sentence for each thing that could not be done, `treatments`
    a clause for each that was done to the runs. `run_length` is the median training of a run, in steps and in seconds, None where they do not
    tell.
    """

    efficiency: EfficiencyResult
    summary: CurveSummaryResult
    comparison: CurveComparisonResult | None
    reach: ReachResult | None = None
    steadiness: ReliabilityResult | None = None
    left_out: tuple[str, ...] = ()
    treatments: tuple[str, ...] = ()
    run_length: tuple[float | None, float | None] = (None, None)

    @property
    def advice(self) -> tuple[Advice, ...]:
        results = (self.efficiency, self.comparison, self.reach, self.steadiness)
        return tuple(dict.fromkeys(advice for result in results if result is not None for advice in result.advice))


def answer_curves(
    curves: Curves,
    *,
    measure: MetricName = "mean",
    steps: int | None = None,
    up_to: float | None = None,
    along: AxisName = "step",
    incomplete: Incomplete = "error",
    band: CurveBandName = "pointwise",
    correction: StepCorrectionName = "max_t",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    seed: int = 0,
    threshold: float | None = None,
    steadiness: bool = False,
) -> CurveAnswers:
    """Return all answers about learning curves; means of pairs are compared if all algorithms have two runs on each of their tasks.

    confidence_level: of the bands and intervals of each algorithm; differences of pairs have 1 − alpha.
    """
    from runoff.methods.compare_curves import compare_curves
    from runoff.methods.curves import curves as curves_of
    from runoff.methods.reliability import WINDOW, reliability
    from runoff.methods.time_to_threshold import time_to_threshold

    lasts = curves.run_offsets[1:] - 1
    length = [None if axis is None else float(np.median(axis[lasts])) for axis in (curves.steps, curves.time)]
    curves = curves.along(along) if up_to is None else curves.along(along).up_to(up_to)
    # All answers are on one grid, so that their numbers can be read beside each other.
    aligned = align(curves, steps=steps, incomplete=incomplete)
    grid, unequal = aligned.steps.tolist(), [item for item in aligned.treated.caveats if item.severity == "info"]
    curves = replace(curves, provenance=curves.provenance.warning_of(*unequal))
    level: Any = {"confidence_level": confidence_level}
    policy: Any = {"incomplete": incomplete, "along": along}
    # Published curves of another protocol are drawn beside one's own and not compared with them.
    compared, left_out = None, ""
    if len((tested := testable(curves)).algorithms) > 1:
        try:
            compared = compare_curves(tested, steps=grid, correction=correction, alpha=alpha, rng=seed, **policy)
        except DesignError as refusal:
            left_out = f"Pairs are not compared along training: {neutral(refusal)}"
    # Its measures are of differences within a window of steps, of which a shorter curve has none.
    steady = (
        steadiness and len(grid) > WINDOW and reliability(curves, steps=grid, incomplete=incomplete, rng=seed, **level)
    )
    efficiency = curves_of(curves, measure=measure, steps=grid, band=band, rng=seed, **policy, **level)
    facts = [fact_of(caveat.text).removesuffix(".") for caveat in unequal]
    reach = None if threshold is None else time_to_threshold(curves, threshold, along=along, alpha=alpha, rng=seed)
    looks = reach.notes if reach else ()
    notes = (*([] if one_unit(curves) else [OWN_UNITS]), *aligned.notes, *facts, *efficiency.notes, *looks)
    return CurveAnswers(
        efficiency=replace(efficiency, notes=tuple(dict.fromkeys(notes))).with_origin(curves),
        summary=curves_of(curves, by="task", steps=steps, **policy, **level),
        comparison=compared,
        reach=reach,
        steadiness=steady or None,
        left_out=(Sentence(left_out),) if left_out else (),
        treatments=aligned.provenance.treatments(),
        run_length=(length[0], length[1]),
    )


def record_of_curves(answers: CurveAnswers) -> dict[str, Any]:
    """Return the answers as JSON knows them."""
    compared, reach = answers.comparison, answers.reach
    return {
        "sample_efficiency": answers.efficiency.to_records(),
        "comparison": [] if compared is None else compared.to_records(),
        "stretches": [] if compared is None else plain(compared.stretches),
        "sentences": [] if compared is None else list(compared.sentences),
        **({"time_to_threshold": reach.to_records(), "logrank": plain(reach.pairs)} if reach else {}),
        **({"reliability": answers.steadiness.to_records()} if answers.steadiness else {}),
        "notes": list(answers.efficiency.notes),
        "left_out": list(answers.left_out),
        "advice": plain(answers.advice),
    }
