"""What do the runs of each cell look like?"""

from __future__ import annotations

import numpy as np

from runoff._inference.advice import collected, not_normal, too_few_to_tell, two_humps
from runoff._inference.fits import Fitted, best_fit, two_humped
from runoff._inference.shape import Shape, flat, shape_of
from runoff.base.arrays import Floats
from runoff.base.validate import check_alpha
from runoff.io.given import ScoresLike, as_scores
from runoff.results.describe import CellRecord, DescribeResult

MOST_BINS = 30


def describe(scores: ScoresLike, *, alpha: float = 0.05, fit: bool = True) -> DescribeResult:
    """What do the runs of each algorithm on each task look like: normal, skewed, in two groups?

    Parameters
    ----------
    scores : Scores
        Or a data frame, a dictionary or a path of which `Scores` can be made.
    alpha : float
        Level of the tests of normality, each on its own.
    fit : bool
        Compare families of distributions where normality is rejected (about 20 ms per cell of 100 runs).

    Returns
    -------
    DescribeResult
        One record for each cell that has runs; `plots.heatmap` and `plots.densities` draw it.

    Raises
    ------
    OptionError
        alpha outside (0, 1).

    Notes
    -----
    Normality: D'Agostino and Pearson's K² from 8 runs (SciPy's `normaltest`, except for a skewness of exactly 0, whose score SciPy 1.17 takes
    from a skewness of 1), and Shapiro and Wilk's W from 3. With few runs they rarely reject: not rejected does not mean normal.

    Families: normal, student_t, exponential, lognormal, gamma, beta, double_weibull, pareto, and a mixture of two normals, by maximum
    likelihood, compared by AICc, which charges each parameter. As in Casesa (2024) §2.5.2 the normal is kept where it is not rejected. The
    thesis uses the distfit package, which compares histograms by least squares, without a charge for parameters.

    The likelihoods of families with a threshold, and of the mixture, have no maximum: they grow without bound as a parameter nears a run.
    Nothing finer than the mean spacing of the runs is allowed here, and the double Weibull has no pole (shape ≥ 1).

    `bimodal`: Sarle's coefficient above 5/9; two normals that hold a tenth of the runs or more each, are apart by Ashman's D > 2, and beat
    every family of one hump by AICc; and a density between them below half of the lower peak.

    Runs that are all equal have no shape: None, never NaN.

    References
    ----------
    D'Agostino & Pearson 1973. Shapiro & Wilk 1965, Royston 1995. Pfister et al. 2013. Ashman, Bird & Zepf 1994. Hurvich & Tsai 1989.
    Casesa 2024 §2.5.2, Figure 10, Appendix A.

    Examples
    --------
    >>> import runoff as ro
    >>> runs = [0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 9.8, 9.9, 9.7, 9.9, 10.0, 9.8]
    >>> result = ro.describe(ro.Scores.from_dict({"A": runs}))
    >>> result.records[0].normal, result.records[0].bimodal
    (False, True)
    """
    scores = as_scores(scores)
    check_alpha(alpha)
    records = tuple(
        _record(algorithm, task, scores.cell(algorithm, task), alpha, fit)
        for algorithm in scores.algorithms
        for task in scores.tasks
        if scores.cell(algorithm, task).size
    )
    humped = [(r.algorithm, r.task) for r in records if r.bimodal]
    return DescribeResult(
        records=records,
        algorithms=scores.algorithms,
        tasks=scores.tasks,
        alpha=alpha,
        fitted=fit,
        advice=collected(not_normal(records, alpha), two_humps(humped), too_few_to_tell(records)),
    )


def _record(algorithm: str, task: str, cell: Floats, alpha: float, fit: bool) -> CellRecord:
    shape = shape_of(cell)
    normal = _normal(shape, alpha)
    found: Fitted | None = best_fit(cell, normal=normal is not False) if fit else None
    return CellRecord(
        algorithm=algorithm,
        task=task,
        n_runs=cell.size,
        n_distinct=int(np.unique(cell).size),
        mean=float(cell.mean()),
        std=float(cell.std(ddof=1)) if cell.size > 1 else None,
        median=float(np.median(cell)),
        minimum=float(cell.min()),
        maximum=float(cell.max()),
        skewness=shape.skewness,
        kurtosis=shape.kurtosis,
        normality_pvalue=shape.normality_pvalue,
        shapiro_pvalue=shape.shapiro_pvalue,
        normal=normal,
        bimodality=shape.bimodality,
        bimodal=two_humped(cell),
        family=found.family if found else None,
        parameters=found.parameters if found else None,
        aicc=found.aicc if found else None,
        histogram=histogram(cell),
    )


def _normal(shape: Shape, alpha: float) -> bool | None:
    pvalue = shape.shapiro_pvalue if shape.normality_pvalue is None else shape.normality_pvalue
    return None if pvalue is None else pvalue >= alpha


def histogram(cell: Floats) -> tuple[int, ...]:
    """Return counts in 2 n^(1/3) equal bins from the lowest to the highest run (Rice), at least 5 and at most 30; one bin without spread."""
    if flat(cell):
        return (cell.size,)
    n_bins = int(np.clip(np.ceil(2 * np.cbrt(cell.size)), 5, MOST_BINS))
    unit = (cell - cell.min()) / np.ptp(cell)
    return tuple(np.bincount(np.minimum((unit * n_bins).astype(int), n_bins - 1), minlength=n_bins).tolist())
