"""The answer to "can these tests and intervals be trusted on runs like mine?", for tests and intervals together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from runoff.answer.study import CheckResult
from runoff.base.random import RNG
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.lab.own_runs.covering import coverage
from runoff.lab.own_runs.false_positives import false_positive_rate
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
    **of_data: Unpack[DataOptions],
) -> CheckResult:
    """Can these tests and intervals be trusted on runs like mine?

    For tests, two groups of runs are drawn repeatedly from all runs of one algorithm, task by task. There is no true difference between
    them; the answer is how often each test finds one. For intervals, groups of runs are drawn and all runs are taken as the truth; the
    answer is how often the interval of a group contains it.

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
        Each algorithm is checked on its own, and needs 4 runs or more on each of its tasks; 10 are enough for a judgement, and 20 are better.
    test : str or sequence of str, optional
        Names of tests in `compare` and `rank_test`; "auto" is the default test of `compare`. None: all that apply.
    measure : str or sequence of str, optional
        The measures, as in `aggregate`, whose intervals are checked. None: IQM, median and mean; on one task the median of task means equals
        the mean and is left out.
    interval : str or sequence of str, optional
        "t", "percentile", "basic", "bca"; "auto" is "t". None: all (for runs that are shared by tasks, those made for such runs).
    n_runs : int or sequence of int, optional
        The number of runs in a group, from 2 to half of all. None: some numbers in that range.
    n_repeats : int
        The number of splits, and of groups. If there are fewer different splits, each is taken once.
    alpha, confidence_level : float
        The level of the tests, and that of the intervals.
    n_resamples : int
        The number of permutations and bootstrap resamples of each test and interval.
    rng : int or numpy.random.Generator
    threads : int, optional
        The number of threads; it changes only the time.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    CheckResult
        `false_positives` and `coverage`, each with rows, tables and a figure of its own.

    Raises
    ------
    DesignError
        No algorithm has enough runs, or `n_runs` is more than half of them.
    OptionError
        An unknown test, measure or interval, a test that does not apply to this number of tasks, or another invalid argument.

    Notes ----- **Tests.** The groups share no run and come from all M runs (Colas 2018, section 5.1). Over all sets of runs that might have
    been trained they are two independent samples, so that the rate is an unbiased estimate of that for N new runs against N. Given these
    runs the groups depend on each other, and yet the variance of their difference of means is 2 s²/N: 2 s²/N (1 − N/M) + 2 s²/M.

    One set of runs has limits. Repeats share runs, so that more repeats make the rate precise for *these* runs only. With N half of all,
    every repeat splits the same runs, and a permutation or rank test then keeps its level *whatever the runs are*. `n_disjoint` is the
    number of independent experiments. The null hypothesis is that of equal distributions; unequal distributions are another question
    (`runoff.lab.real_world`).

    The jackknife tests the measure that `compare` takes for such runs. Shared runs are drawn, and tested, as a whole: two-sample tests use
    the mean of each run over the tasks. Monte Carlo tests use one set of draws for 20 splits (docs/design/studies.md).

    **Intervals.** No run is drawn twice for a group. n of M runs are closer to all M than n new runs are to their truth, by a factor of √(1
    − n/M) in standard deviation, so that their intervals would cover too often, the more so the larger n is; distances from the truth are
    therefore widened by 1/√(1 − n/M), their mean by 1/(1 − n/M). The variance of a mean is then exactly that of new runs, and the coverage
    is close to theirs, as docs/guides/can-i-trust-these-tests.md shows in comparison with known truths and with drawing with replacement.

    M runs cannot show tails that none of them reached, or how the figure would differ with M other runs; `coverage_error` is that of the
    draws only. The truth is the measure of all runs; a trimmed mean cuts exactly its share.

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
    scores, level = as_scores(data, **of_data), confidence_level
    both: Any = {"n_runs": n_runs, "n_repeats": n_repeats, "n_resamples": n_resamples, "rng": rng, "threads": threads}
    return CheckResult(
        false_positives=false_positive_rate(scores, test=test, alpha=alpha, **both),
        coverage=coverage(scores, measure=measure, interval=interval, confidence_level=level, **both),
    ).with_origin(scores)
