"""How good is each algorithm at each step of training, over all tasks or task by task?"""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

from runoff._inference.steps import Steps
from runoff.answer.curves import CurveSummaryResult, EfficiencyResult
from runoff.base.random import RNG
from runoff.data.given import DataOptions, task_named
from runoff.data.given_curves import CurvesLike, as_curves
from runoff.errors import OptionError
from runoff.methods.sample_efficiency import sample_efficiency
from runoff.methods.summarize_curves import summarize_curves
from runoff.words.names import AxisName, CentreName, CurveBandName, Incomplete, IntervalName, MetricName, SpreadName
from runoff.words.speech import option


@overload
def curves(
    data: CurvesLike,
    *,
    by: None = None,
    measure: MetricName | None = None,
    steps: Steps = None,
    along: AxisName = "step",
    incomplete: Incomplete = "error",
    confidence_level: float = 0.95,
    interval: IntervalName = "auto",
    band: CurveBandName = "pointwise",
    n_resamples: int = 50_000,
    gamma: float = 1.0,
    rng: RNG = 0,
    threads: int | None = None,
    **of_data: Unpack[DataOptions],
) -> EfficiencyResult: ...
@overload
def curves(
    data: CurvesLike,
    *,
    by: Literal["task"],
    measure: CentreName | None = None,
    errorbar: SpreadName | None = None,
    steps: Steps = None,
    along: AxisName = "step",
    incomplete: Incomplete = "error",
    confidence_level: float = 0.95,
    **of_data: Unpack[DataOptions],
) -> CurveSummaryResult: ...
def curves(
    data: CurvesLike,
    *,
    by: Literal["task"] | None = None,
    measure: Any = None,
    errorbar: SpreadName | None = None,
    steps: Steps = None,
    along: AxisName = "step",
    incomplete: Incomplete = "error",
    confidence_level: float = 0.95,
    interval: IntervalName = "auto",
    band: CurveBandName = "pointwise",
    n_resamples: int = 50_000,
    gamma: float = 1.0,
    rng: RNG = 0,
    threads: int | None = None,
    **of_data: Unpack[DataOptions],
) -> EfficiencyResult | CurveSummaryResult:
    """How good is each algorithm at each step of training?

    Parameters
    ----------
    data : Curves, data frame with a step column, or path
        Normalise first if tasks have different units; `by="task"` needs no normalisation.
    by : "task", optional
        A curve for each algorithm on each task, which describes the runs at hand and claims nothing; None: a single curve over all tasks.
    measure : str, optional
        "iqm", "iqm_whole", "mean", "median", "optimality_gap", "trimmed_mean_P"; None: the mean, which is what `compare_curves` and the
        command line compare. By task: "mean" (None), "median", "iqm" or "iqm_whole" of the runs at a step.
    errorbar : str, optional
        By task: "sd", standard deviation; "se", standard error; "interval" (None), t interval of the mean (Wilson's for a success rate);
        "percentiles", the middle 90 % of the runs; "tolerance", an interval that holds 90 % of normal runs with this confidence (Howe 1969).
        The median and the IQM go with percentiles.
    steps : sequence of float, int or None
        The steps; or their number, evenly spaced over the range that all runs cover; None: the steps at which all runs were evaluated (200
        at most). By task, each task has its own grid.
    along : "step", "time" or "episodes"
        What the steps count; the data must have seconds or episodes for the last two.
    incomplete : "error", "drop" ("complete"), "carry" ("carry_forward") or "worst"
        What happens to single runs that ended early: they are an error, left out, carried forward with their last score, or counted as the
        lowest run of their task. Where all runs of an algorithm ended early, curves end at the last common step.
    confidence_level : float
    interval : "auto", "t", "percentile", "basic" or "bca"
        "auto" is the t interval that `aggregate` gives at that step.
    band : "pointwise" or "simultaneous"
        Whether the level holds at each step on its own, or for the whole curve of an algorithm.
    n_resamples, gamma, rng, threads
        As in `aggregate`.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    EfficiencyResult
        Rows by algorithm, then by step. `compare_curves` has the differences of pairs.
    CurveSummaryResult
        By task: rows by task, algorithm and step; cells with fewer than ten runs have the single runs too.

    Raises
    ------
    DesignError
        Curves do not overlap in step, have a single evaluation, or end too early for the policy.
    OptionError
        Steps do not increase, an option is unknown, the interval has no band, the measure has no such error bar, or an option belongs to the
        other kind of curves.

    Notes
    -----
    Scores are interpolated linearly between evaluations, by step and run, and never beyond a run's first or last evaluation.

    At each step a pointwise interval is that of `aggregate`. For the area under the curve: `aggregate(curves.auc())`.

    The simultaneous band is the t interval of each step at the level at which all steps are covered at once, from the largest |z| of normal
    steps that are correlated like the contributions of whole runs to the error. What the n runs of a cell add to the squared error at a
    step, v, is raised to max(v, (8 v̄ + (n − 1) v) / (n + 7)), with v̄ the mean of v over the steps, because few runs often agree at a step
    at which more runs would not. Success rates have their own interval at that level: Wilson's over several tasks, Clopper and Pearson's on
    one task. Measured coverage, also where it falls short: docs/guides/comparing-learning-curves.md.

    References
    ----------
    Agarwal et al. 2021, "Deep RL at the Edge of the Statistical Precipice", §4; by task: Colas, Sigaud & Oudeyer 2019, §5.

    Examples
    --------
    >>> import runoff as ro
    >>> runs = ro.load_example("classic_control").normalize("classic_control").select(algorithms=["Sarsa(λ)"])
    >>> [(row.step, round(row.estimate, 2)) for row in ro.curves(runs, steps=3)]
    [(0.0, -0.04), (7500.0, 0.57), (15000.0, 0.84)]
    >>> one = ro.load_example("classic_control").select(algorithms=["CEM"], tasks=["CartPole-v1"])
    >>> print(ro.curves(one, by="task", measure="median", errorbar="percentiles", steps=4).sentence)
    Median of the runs of 1 algorithm on 1 task; spread: the middle 90 % of the runs.
    """
    data = as_curves(data, **of_data)
    shared: dict[str, Any] = {"steps": steps, "along": along, "incomplete": incomplete}
    own: dict[str, Any] = {"interval": interval, "band": band, "n_resamples": n_resamples, "gamma": gamma}
    own |= {"rng": rng, "threads": threads}
    if by is None:
        if errorbar is not None:
            raise OptionError(f"{option('errorbar')} is of the curves of a task: give {option('by', 'task')} too.")
        return sample_efficiency(data, measure=measure, confidence_level=confidence_level, **shared, **own)
    task_named(by, data)
    usual: Any = curves.__kwdefaults__
    if idle := [name for name, value in own.items() if value != usual[name]]:
        raise OptionError(
            f"{option(idle[0])} is of the curves over all tasks: leave it out, or {option('by', 'task')}."
        )
    shared |= {"measure": measure or "mean", "errorbar": errorbar or "interval"}
    return summarize_curves(data, confidence_level=confidence_level, **shared)
