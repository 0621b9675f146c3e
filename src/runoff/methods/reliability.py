"""How steady is training? Dispersion and risk, over time and over runs."""

from __future__ import annotations

from typing import Unpack

from runoff._inference import advice as rules
from runoff._inference.bootstrap import Mean
from runoff._inference.steps import STEADINESS, Aligned, Steps, align, steadiness
from runoff.answer.curves import ReliabilityResult, ReliabilityRow
from runoff.base.random import RNG, streams
from runoff.base.validate import check_confidence, check_count, check_resamples
from runoff.data.given import DataOptions
from runoff.data.given_curves import CurvesLike, as_curves
from runoff.errors import DesignError
from runoff.words.names import Incomplete

WINDOW = 5


def reliability(
    data: CurvesLike,
    *,
    steps: Steps = None,
    window: int = WINDOW,
    incomplete: Incomplete = "error",
    confidence_level: float = 0.95,
    n_resamples: int = 2_000,
    rng: RNG = 0,
    **of_data: Unpack[DataOptions],
) -> ReliabilityResult:
    """How steady is the training of each algorithm, along time and from run to run?

    Parameters
    ----------
    data : Curves, data frame with a step column, or path
        Normalise first if tasks have different units.
    steps, incomplete
        As in `curves`, but no step is left out of a grid that was not asked for. Measures of changes depend on how far apart steps
        are: compare algorithms on one grid.
    window : int
        Changes in a window of "dispersion_across_time".
    confidence_level : float
    n_resamples : int
        Of whole runs.
    rng : int or numpy.random.Generator
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    ReliabilityResult
        For each algorithm "dispersion_across_time", "short_term_risk", "long_term_risk", "dispersion_across_runs", "risk_across_runs"; every
        task weighs the same.

    Raises
    ------
    DesignError
        Fewer steps than the window needs; what aligning refuses.

    Notes
    -----
    The measures are those of Chan et al. 2020. Of changes from step to step (which removes the trend): the interquartile range in sliding
    windows, averaged, and the mean of the worst 5 % (CVaR). Of falls below the best score so far: the mean of the deepest 5 %. Over runs:
    the interquartile range at each step, averaged, and the mean of the worst 5 % at the last step. The authors divide by the range of the
    curve; here scores are normalised first. Their changes are slopes per step, here changes over a gap of the median width.

    Intervals are t intervals: for dispersion across time as for any mean, for dispersion across runs with the deviation of resamples of whole
    runs (coverage: the guide "Comparing learning curves"). They end at 0, below which no dispersion lies. The three risks have none (advice
    R404).

    References
    ----------
    Chan, Fishman, Canny, Korattikara & Guadarrama 2020, "Measuring the Reliability of Reinforcement Learning Algorithms", §4.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control").select(algorithms=["CEM", "Sarsa(λ)"], tasks=["CartPole-v1"])
    >>> result = ro.reliability(curves)
    >>> [(row.algorithm, round(row.estimate, 1)) for row in result if row.measure == "dispersion_across_time"]
    [('CEM', 15.8), ('Sarsa(λ)', 60.9)]
    """
    curves = as_curves(data, **of_data)
    # All steps are kept: to thin them out would smooth what is measured here.
    aligned = align(curves, steps=steps, incomplete=incomplete, most=None)
    check_count("window", window, 2)
    check_confidence(confidence_level)
    check_resamples(n_resamples)
    if aligned.steps.size <= window:
        raise DesignError(f"a window of {window} changes needs {window + 1} steps, but there are {aligned.steps.size}.")
    family, end = streams(rng), aligned.last
    records = []
    for a in range(end.n_algorithms):
        for name, measure in STEADINESS.items():
            estimates = steadiness(
                measure,
                aligned.steps,
                aligned.cells(a),
                window=window,
                streams=family,
                n_resamples=n_resamples,
                shared=end.sampling.shared and end.n_tasks > 1,
            )
            records.append(_record(aligned, a, name, estimates, confidence_level))
    least = int(end.n_runs[end.n_runs > 0].min())
    return ReliabilityResult(
        rows=tuple(records),
        window=window,
        unit=end.sampling.unit,
        n_resamples=n_resamples,
        seed=family.seed,
        notes=(*aligned.notes, *aligned.treated.notes),
        advice=rules.collected(rules.missing(end), *rules.about_data(end), rules.risks_described(least)),
    ).with_origin(curves)


def _record(aligned: Aligned, a: int, name: str, mean: Mean, level: float) -> ReliabilityRow:
    cells, (low, high) = aligned.cells(a), mean.interval(level) or (None, None)
    if low is not None:
        # Those with an interval are ranges, and no range is below 0: what lies there covers nothing.
        low = max(low, 0.0)
    return ReliabilityRow(
        algorithm=aligned.curves.algorithms[a],
        measure=name,
        words=STEADINESS[name].words,
        lower_is_steadier=STEADINESS[name].lower_is_steadier,
        estimate=mean.estimate,
        low=low,
        high=high,
        confidence_level=level,
        n_tasks=len(cells),
        n_scores=sum(len(cell) for cell in cells),
    )
