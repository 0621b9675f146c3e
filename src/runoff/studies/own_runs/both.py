"""Can these tests and intervals be trusted on runs like mine? Both answers at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runoff.base.random import RNG
from runoff.data.given import ScoresLike, as_scores
from runoff.results.study import CheckResult
from runoff.studies.own_runs.covering import coverage
from runoff.studies.own_runs.false_positives import false_positive_rate
from runoff.words.names import IntervalName, MetricName


def check(
    data: ScoresLike,
    *,
    test: str | Sequence[str] | None = None,
    measure: MetricName | Sequence[MetricName] | None = None,
    interval: IntervalName | Sequence[IntervalName] | None = None,
    n_runs: int | Sequence[int] | None = None,
    n_repeats: int = 1000,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RNG = 0,
    threads: int | None = None,
) -> CheckResult:
    """Can these tests and intervals be trusted on runs like mine?

    Two groups of runs are drawn from all runs of one algorithm, task by task, and put to each test, again and again: there is no difference
    to be found, and how often does a test find one? Groups are drawn, and all runs taken for the truth: how often does the interval of a
    group hold it?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
        Each algorithm is checked by itself, and needs 4 runs or more on each of its tasks; from 10 on they can be judged by, and 20 are better.
    test : str or sequence of str, optional
        Names of `compare` and `rank_test`; "auto" is the test that `compare` takes by itself. None: all that apply.
    measure : str or sequence of str, optional
        Whose intervals, as of `aggregate`. None: IQM, median and mean; on one task the median of task means is the mean, and left out.
    interval : str or sequence of str, optional
        "t", "percentile", "basic", "bca"; "auto" is "t". None: all (of runs that are shared by tasks, those made for them).
    n_runs : int or sequence of int, optional
        Runs of a group, from 2 to half of all. None: some numbers in that range.
    n_repeats : int
        Splits, and groups. Where there are no more splits, each is taken once.
    alpha, confidence_level : float
        Level of the tests, and of the intervals.
    n_resamples : int
        Relabellings and bootstrap resamples of each test and interval.
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only.

    Returns
    -------
    CheckResult
        `false_positives` and `coverage`, each with rows, tables and a figure of its own.

    Raises
    ------
    DesignError
        No algorithm has runs enough, or `n_runs` is more than half of them.
    OptionError
        An unknown test, measure or interval, a test that is not made for so many tasks, or another argument that means nothing.

    Notes
    -----
    **Tests.** The groups share no run and come from all runs (Colas 2018, section 5.1). Over all sets of runs that might have been trained
    they are two independent samples, so that the rate estimates, without bias, that of N new runs against N. Given these runs the groups
    depend on each other, and the variance of their difference of means is 2 s²/N all the same: 2 s²/N (1 − N/M) + 2 s²/M.

    What one set of runs cannot show: repeats share runs, so that their number makes the rate exact for *these* runs only. With N half of
    all, every repeat splits the same runs, and a test that relabels runs (permutation, ranks) then keeps its level *whatever the runs
    are*. `n_disjoint` says how many independent experiments there are. The null is that of equal distributions; unequal ones are another
    question (`runoff.studies.real_world`).

    The jackknife tests the measure that `compare` takes for such runs. Shared runs are drawn, and tested, as a whole: by tests of two samples
    each by its mean over the tasks. Monte Carlo tests use one set of draws for 20 splits (docs/design/studies.md).

    **Intervals.** No run is drawn twice for a group. n of M runs lie nearer to all M than n new ones lie to their truth, by √(1 − n/M) in
    standard deviation, so that their intervals cover too well, more so with larger n; distances from the truth are therefore widened by
    1/√(1 − n/M), their mean by 1/(1 − n/M). The variance of a mean is then exactly that of new runs, and its coverage near theirs, as
    docs/guides/can-i-trust-these-tests.md shows beside known truths and beside drawing with replacement.

    What M runs cannot show: tails that none of them reached, and how the figure would differ with M others; `coverage_error` is that of the
    draws alone. The truth is the measure of all runs; that of a trimmed mean cuts exactly its share.

    References
    ----------
    Colas et al. 2018, "How many random seeds?", section 5.1 and figure 6. Agarwal et al. 2021, "Deep RL at the Edge of the Statistical
    Precipice", section 4, figures 6, A.17, A.18. Cochran 1977, section 2.6 (finite populations).

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.load_example("classic_control").final().select(algorithms=["ARS"], tasks=["Pendulum-v1"])
    >>> result = ro.check(scores, test=["welch", "bootstrap"], measure="mean", interval=["t", "percentile"], n_runs=5)
    >>> for row in result.false_positives:
    ...     print(row.test, row.rate)
    welch 0.041
    bootstrap 0.04
    >>> for row in result.coverage:
    ...     print(row.interval, row.coverage)
    t 0.956
    percentile 0.835
    """
    scores, level = as_scores(data), confidence_level
    both: Any = {"n_runs": n_runs, "n_repeats": n_repeats, "n_resamples": n_resamples, "rng": rng, "threads": threads}
    return CheckResult(
        false_positives=false_positive_rate(scores, test=test, alpha=alpha, **both),
        coverage=coverage(scores, measure=measure, interval=interval, confidence_level=level, **both),
    ).with_origin(scores)
