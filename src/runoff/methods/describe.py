"""What do the runs of each cell look like, and how much of their spread is due to tasks, runs and episodes?"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from runoff._inference.advice import cells_in_groups, collected, in_groups, not_normal, too_few_to_tell
from runoff._inference.components import Components, nested_components
from runoff._inference.fits import Fitted, best_fit
from runoff._inference.groups import flat
from runoff._inference.shape import shape_of
from runoff.answer.base import filled
from runoff.answer.describe import Component, DescribeResult, DescribeRow, VarianceResult, VarianceRow
from runoff.base.arrays import Episodes, Floats
from runoff.base.ports import reading
from runoff.base.validate import check_alpha, check_count
from runoff.data.curves import Curves
from runoff.data.ends import treat
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.words.speech import option

MOST_BINS = 30


def describe(
    data: ScoresLike, *, alpha: float = 0.05, fit: bool = True, **of_data: Unpack[DataOptions]
) -> DescribeResult:
    """What do the runs of each algorithm on each task look like: normal, skewed, in two groups?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
    alpha : float
        Level of the tests of normality, each on its own.
    fit : bool
        Compare families of distributions where normality is rejected (about 40 ms per cell of 100 runs).
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    DescribeResult
        One record for each cell that has runs; `plots.normality` and `plots.densities` draw it.

    Raises
    ------
    OptionError
        alpha outside (0, 1).

    Notes
    -----
    Normality: D'Agostino and Pearson's K² from 8 runs (SciPy's `normaltest`, except for a skewness of exactly 0, whose score SciPy 1.17 takes
    from a skewness of 1), and Shapiro and Wilk's W from 3 different scores. With few runs they rarely reject: not rejected does not mean
    normal.

    Families: normal, student_t, exponential, lognormal, gamma, beta, double_weibull, pareto, and a mixture of two normals, by maximum
    likelihood, compared by AICc, which charges each parameter; as in Casesa (2024) §2.5.2 (by least squares) the normal is kept where it is not
    rejected. Nothing finer than the mean spacing of the runs is fitted, and the double Weibull has no pole (shape ≥ 1): the likelihoods of
    families with a threshold, and of the mixture, have no maximum.

    `bimodal`: the best split of the sorted runs, with two runs and a tenth of them or more on each side, leaves a smaller share of the sum of
    squares within its sides (Engelman & Hartigan 1969) than in 1 % of samples of normal, uniform, exponential or t₃ runs, whichever is lowest.
    Where 30 % of the runs lie 20 standard deviations below the others, that is seen with a chance of .74 from 8 runs; log-normal runs of one
    group are taken for two in .013 to .147 of cells (σ from 1 to 2). Fewer than 8 runs are too few to judge. Runs on a task where all scores
    are 0 or 1 are successes and failures, not two groups; where all scores are, normality is not judged either.

    Runs that are all equal have no shape: None, never NaN.

    References
    ----------
    D'Agostino & Pearson 1973. Shapiro & Wilk 1965, Royston 1995. Engelman & Hartigan 1969, JASA 64. Hurvich & Tsai 1989.
    Casesa 2024 §2.5.2, Figure 10, Appendix A.

    Examples
    --------
    >>> import runoff as ro
    >>> runs = [0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 9.8, 9.9, 9.7, 9.9, 10.0, 9.8]
    >>> result = ro.describe(ro.Scores.from_dict({"A": runs}))
    >>> result.rows[0].normal, result.rows[0].bimodal
    (False, True)
    """
    scores = as_scores(data, **of_data)
    check_alpha(alpha)
    groups = cells_in_groups(scores)
    records = tuple(
        _record(
            (algorithm, task),
            scores.cell(algorithm, task),
            # Successes and failures are not normal whatever they are.
            None if scores.binary else alpha,
            fit=fit,
            split=(algorithm, task) in groups,
        )
        for algorithm in scores.algorithms
        for task in scores.tasks
        if scores.cell(algorithm, task).size
    )
    return DescribeResult(
        rows=records,
        algorithms=scores.algorithms,
        tasks=scores.tasks,
        alpha=alpha,
        fitted=fit,
        advice=collected(
            not_normal(records, alpha),
            in_groups(groups, scores.n_tasks),
            None if scores.binary else too_few_to_tell(records),
            unit=scores.sampling.unit,
        ),
        unit=scores.sampling.unit,
    ).with_origin(scores)


def _record(place: tuple[str, str], cell: Floats, alpha: float | None, *, fit: bool, split: bool) -> DescribeRow:
    shape = shape_of(cell)
    pvalue = shape.shapiro_pvalue if shape.normality_pvalue is None else shape.normality_pvalue
    normal = None if pvalue is None or alpha is None else pvalue >= alpha
    # A normal that is not rejected is kept, though another family with more parameters may fit these few runs better.
    fitted: Fitted | None = best_fit(cell, normal=normal is not False) if fit else None
    return filled(
        DescribeRow,
        shape,
        algorithm=place[0],
        task=place[1],
        n_runs=cell.size,
        n_distinct=int(np.unique(cell).size),
        mean=float(cell.mean()),
        std=float(cell.std(ddof=1)) if cell.size > 1 else None,
        median=float(np.median(cell)),
        minimum=float(cell.min()),
        maximum=float(cell.max()),
        normal=normal,
        bimodal=None if shape.within_groups is None else split,
        distribution=fitted.family if fitted else None,
        parameters=fitted.parameters if fitted else None,
        aicc=fitted.aicc if fitted else None,
        histogram=histogram(cell),
    )


def histogram(cell: Floats) -> tuple[int, ...]:
    """Return the counts in 2 n^(1/3) equal bins (Rice's rule), at least 5 and at most 30, from the lowest to the highest run."""
    if flat(cell):
        return (cell.size,)
    n_bins = int(np.clip(np.ceil(2 * np.cbrt(cell.size)), 5, MOST_BINS))
    # The largest run lies on the last edge and belongs to the last bin, hence the minimum.
    unit = (cell - cell.min()) / np.ptp(cell)
    return tuple(np.bincount(np.minimum((unit * n_bins).astype(int), n_bins - 1), minlength=n_bins).tolist())


def variance(
    data: Scores | Curves | Any,
    *,
    last: int = 1,
    algorithm: str | None = None,
    task: str | None = None,
    run: str | None = None,
    step: str | None = None,
    score: str | None = None,
) -> VarianceResult:
    """How much of the spread of scores is due to tasks, runs and evaluation episodes?

    Parameters
    ----------
    data : Scores, Curves, a table, a path, or what `Scores.from_dict` takes
        A table has one row per episode: the rows of one algorithm, task and run at its final step (all rows, without a step column) are its
        episodes. For curves, the last evaluations take their place. Normalise first if tasks have different units.
    last : int
        Evaluations at the end of each curve; with 1, evaluation noise cannot be told from the spread of runs.
    algorithm, task, run, step, score : str, optional
        Columns of a table; None recognises the usual names.

    Raises
    ------
    DataError
        A missing or ambiguous column, text, NaN or infinity.
    DesignError
        A curve with fewer than `last` evaluations.
    OptionError
        Columns named for data that are not a table.

    Warns
    -----
    RunoffWarning
        Runs with several scores at their final step: these are episodes, whatever they are called.

    Notes
    -----
    score = mean + task + run within task + episode within run, each with its own variance, estimated from the mean squares of the nested
    analysis of variance (Henderson's method 1). A negative estimate is cut at 0, which `cut` and the sentence say, so that small components
    are too large on average. Where tasks share runs, what a run has on all tasks is part of the runs' variance, and does not hide that of tasks;
    tasks are a sample of a benchmark. `share_of_score` is the share of evaluation noise in a run's score, which
    more episodes reduce. Evaluations of one curve are correlated: their noise is a lower bound.

    References
    ----------
    Searle, Casella & McCulloch 1992, Variance Components, §3.6. Bouthillier et al. 2021, "Accounting for Variance in ML Benchmarks".

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": {"Pong": [18.0, 20.0, 19.0], "Hero": [8.0, 9.0, 10.0]}})
    >>> print(ro.variance(scores).sentence)
    A: 98 % tasks, 2 % runs.
    """
    named = {"algorithm": algorithm, "task": task, "run": run, "step": step, "score": score}
    notes: tuple[str, ...] = ()
    if isinstance(data, Scores | Curves):
        if any(named.values()):
            raise OptionError(f"columns can be named only for a table; {type(data).__name__} have none.")
        if isinstance(data, Scores):
            cells = {(a, t): data.cell(a, t) for a in data.algorithms for t in data.tasks}
            # Scores hold one number a run: the component of episodes then has nothing to be computed of, and is None.
            episodes = {k: {str(i): v[None] for i, v in enumerate(cell)} for k, cell in cells.items() if cell.size}
        else:
            episodes = _of_curves(data, check_count("last", last))
    else:
        if last != 1:
            raise OptionError(
                f"{option('last', str(last))} is of Curves, and a table has the episodes of its last step: give ro.load(data)."
            )
        rows = reading().episode_rows(data, named)
        if rows is None:
            return variance(as_scores(data)).with_origin(data)
        episodes, notes = rows.episodes, rows.notes
    algorithms = tuple(dict.fromkeys(name for name, _ in episodes))
    records: list[VarianceRow] = []
    for name in algorithms:
        nest = [list(runs.values()) for (owner, _), runs in episodes.items() if owner == name]
        records += _records(name, nest, shared=isinstance(data, Scores | Curves) and data.sampling.shared)
    return VarianceResult(rows=tuple(records), algorithms=algorithms, notes=notes).with_origin(data)


def _of_curves(curves: Curves, last: int) -> Episodes:
    curves.final(last)  # refuses shorter curves, by name
    treated = treat(curves.ends(), "carry")
    episodes: Episodes = {}
    for cell, (start, stop) in enumerate(zip(curves.cell_offsets[:-1], curves.cell_offsets[1:], strict=True)):
        a, t = divmod(cell, len(curves.tasks))
        runs = {
            curves.run_labels[i]: treated.part(i, *curves.curve(i))[1][-last:] for i in range(int(start), int(stop))
        }
        if runs:
            episodes[curves.algorithms[a], curves.tasks[t]] = runs
    return episodes


def _records(algorithm: str, nest: list[list[Floats]], *, shared: bool) -> list[VarianceRow]:
    parts = nested_components(nest, shared=shared)
    variances: dict[Component, float | None] = {"task": parts.task, "run": parts.run, "episode": parts.episode}
    counts = {"task": parts.n_tasks, "run": parts.n_runs, "episode": parts.n_episodes}
    total = sum(value or 0.0 for value in variances.values())
    return [
        VarianceRow(
            algorithm=algorithm,
            component=component,
            variance=value,
            share=None if value is None or total == 0 else value / total,
            share_of_score=_of_score(component, parts),
            cut=component in parts.cut,
            n_levels=counts[component],
        )
        for component, value in variances.items()
    ]


def _of_score(component: Component, parts: Components) -> float | None:
    if component == "task" or parts.run is None or parts.episode is None:
        return None
    # A score is the mean of m episodes, so that its variance is σ²_run + σ²_episode / m.
    noise = parts.episode / parts.episodes_per_run
    if parts.run + noise == 0:
        return None
    return (parts.run if component == "run" else noise) / (parts.run + noise)
