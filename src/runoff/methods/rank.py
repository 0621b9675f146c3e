"""Do several algorithms differ at all, task by task, and which average ranks differ?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import sqrt
from typing import Unpack

import numpy as np

from runoff._inference import blocked
from runoff._inference.advice import (
    about_data,
    collected,
    comparable,
    joint_ranks,
    missing,
    omnibus_disagrees,
    opponents,
    rank_advice,
)
from runoff._inference.rank_sets import letters, maximal_groups
from runoff.answer.base import filled
from runoff.answer.rank import CriticalDifferenceResult, RankPair, RankResult
from runoff.base.arrays import Bools, Floats, Ints
from runoff.base.random import RNG, streams
from runoff.base.validate import check_alpha, check_choice
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.names import Alternative, BlockedTestName, NullMethod, SingleValue
from runoff.words.speech import call, choice, option

CLAIMS = {
    "two-sided": "some algorithm tends to have higher scores than another, in the same direction across tasks",
    "greater": "the first algorithm tends to have higher scores",
    "less": "the first algorithm tends to have lower scores",
}
"""The claim of a rejection by ranks, for each alternative."""
CLAIMS_OF_MEANS = {
    "two-sided": "one of the two has a higher mean score over tasks than the other",
    "greater": "the first algorithm has the higher mean score over tasks",
    "less": "the first algorithm has the lower mean score over tasks",
}
"""The claim of a rejection by means, for each alternative."""


def rank_test(
    data: ScoresLike,
    *,
    test: BlockedTestName = "mack_skillings",
    method: NullMethod = "auto",
    alternative: Alternative = "two-sided",
    single_value: SingleValue = "line",
    n_resamples: int = blocked.N_RESAMPLES,
    rng: RNG = 0,
    **of_data: Unpack[DataOptions],
) -> RankResult:
    """Do these algorithms differ at all, when runs are compared only within tasks?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
        At least two algorithms. Cells may differ in runs; "mack_skillings", "skillings_mack", "van_elteren" and
        "stratified_permutation" allow missing cells.
    test : str
        "mack_skillings" (all runs), "skillings_mack" (one mean per cell, incomplete tasks), "friedman" and "iman_davenport" (one mean per
        cell, complete tasks), "van_elteren" and "stratified_permutation" (two algorithms).
    method : "auto", "exact", "monte_carlo" or "asymptotic"
        How the null distribution is computed, always given the observed ties. "auto" takes the first that is affordable; the exact one may
        take 256 MiB and about a second.
    alternative : "two-sided", "greater" or "less"
        One-sided for two algorithms only; "greater": the first one in `scores.algorithms` tends to have higher scores.
    single_value, n_resamples, rng
        As in `compare`; only the Monte Carlo method draws.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Raises
    ------
    DesignError
        There are fewer than two algorithms, no two of them share a task, or the test or method cannot handle the design.
    OptionError
        The test, method or alternative is unknown.

    Notes
    -----
    Within task i the q_i runs of all algorithms are ranked (mid-ranks for ties). With R_ij the rank sum of the c_ij runs of algorithm j, S_j
    = Σ_i R_ij / q_i, and the statistic is (S − E S)ᵀ Σ⁻ (S − E S), where Σ is the permutation covariance given the ties and Σ⁻ a generalised
    inverse; it is asymptotically χ² with rank(Σ) degrees of freedom (Casesa 2024, eqs. 2.13-2.18; eqs. 2.19-2.22 if balanced). "van_elteren"
    weights tasks by 1 / (q_i + 1) and reports the normal deviate; "skillings_mack" by (12 / (q_i + 1))^½.

    The exact null has independent tasks, each with q_i! / Π_j c_ij! equally likely assignments; the distribution of the rank sums is a
    convolution over tasks. With all runs tied on every task the statistic is 0 and p = 1 (advice R201). Where all tasks rank alike the F
    ratio of "iman_davenport" is infinite and p is the probability of such agreement; with one task the ratio has no F distribution and p =
    1.

    Errata and disagreements: Casesa (2024) calls the test Skillings-Mack; the test of the equations is Mack & Skillings (1980), eq. 2.21
    lacks 1/c, and `compare` discusses its "exact" method. R's NSM3 and asbio do not correct for ties (niacin data: 12.927), coin and muStat
    do (12.973), and so does this. coin's wilcox_test with a block ranks the pooled data and is not van Elteren's test.

    Checked against R (NSM3, coin, muStat, Skillings.Mack, PMCMRplus), SciPy, and brute force.

    References
    ----------
    Mack & Skillings 1980, JASA 75. Skillings & Mack 1981, Technometrics 23. Friedman 1937. Iman & Davenport 1980. van Elteren 1960.
    Casesa 2024, sections 2.3.1-2.3.3.

    Examples
    --------
    >>> import runoff as ro
    >>> from runoff.methods.rank import rank_test
    >>> scores = ro.Scores.from_dict({"A": {"Pong": [3, 5, 4], "Hero": [8, 9, 7]}, "B": {"Pong": [1, 2, 6], "Hero": [5, 4, 6]}})
    >>> result = rank_test(scores)
    >>> result.method, round(result.pvalue, 4), result.mean_ranks, [round(rank, 2) for rank in result.average_ranks]
    ('exact', 0.09, (2.5, 4.5), [1.17, 1.83])
    """
    scores = as_scores(data, **of_data)
    family = streams(rng)
    advice = about_data(scores)
    scores, left_out = opponents(scores, single_value)
    # A task of one algorithm alone ranks nothing.
    gaps = missing(scores, "average ranks", (scores.n_runs > 0).sum(axis=0) > 1)
    storage = scores.values, scores.offsets, len(scores.algorithms), len(scores.tasks)
    check_choice("test", test, blocked.BLOCKED)
    if blocked.BLOCKED[test].complete:
        _need_all_cells(test, scores, blocked.gather(*storage))
    outcome = blocked.run_blocked(
        test,
        *storage,
        method=method,
        streams=family,
        n_resamples=n_resamples,
        alternative=alternative,
        shared=scores.sampling.shared,
    )
    drawn = outcome.method == "monte_carlo"
    about = blocked.BLOCKED[test].about
    # Of what the test ranks: where it is the mean of a cell, ranks of runs could name another algorithm as best.
    ranked = blocked.BLOCKED[test].prepare(blocked.gather(*storage))
    own = rank_advice(test, about, outcome, scores, two_sided=alternative == "two-sided")
    return filled(
        RankResult,
        outcome,
        test=test,
        algorithms=scores.algorithms,
        average_ranks=tuple(rank or None for rank in blocked.average_ranks(ranked).tolist()),
        null=blocked.BLOCKED[test].null,
        alternative=alternative,
        claim=(CLAIMS_OF_MEANS if about.compares == "means" else CLAIMS)[alternative],
        n_resamples=outcome.n_resamples if drawn else None,
        seed=family.seed if drawn else None,
        advice=collected(*own, gaps, left_out, *advice, unit=scores.sampling.unit),
    ).with_origin(scores)


def critical_difference(
    data: ScoresLike, *, alpha: float = 0.05, control: str | None = None, **of_data: Unpack[DataOptions]
) -> CriticalDifferenceResult:
    """How far apart must two rank sums be, and which pairs are?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
        At least two algorithms; within every task all must have equally many runs (tasks may differ).
    alpha : float
        Probability that any pair is found different when all algorithms are equal, in (0, 1).
    control : str, optional
        Compare the other algorithms with this one only: k − 1 comparisons instead of k (k − 1) / 2.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Raises
    ------
    DesignError
        There are fewer than two algorithms, or a task has unequal numbers of runs.
    OptionError
        alpha is outside (0, 1), or the control is unknown.

    Notes
    -----
    S_j sums over tasks the mean rank of the algorithm's runs. Two algorithms differ if |S_j − S_j'| ≥ q_α (k V)^½, where
    V = Σ_i SS_i / (q_i (q_i − 1)) with SS_i the sum of squared deviations of the mid-ranks of task i; without ties
    k V = k (C + n) / 12 and this is Casesa (2024) eq. 2.23, which also holds when tasks differ in their number of runs. q_α is
    the upper quantile of the range of k independent normals. With one run per cell this is Nemenyi's test. With a control it is
    the upper quantile of max_j |Z_j − Z_0| (Dunnett 1955 with infinite degrees of freedom), which is below the Bonferroni-Dunn
    value of Demšar (2006). If all runs tie on every task the critical difference is 0 and nothing differs.

    All algorithms are ranked together, so this controls the false positive rate only when all are equal; advice R206 names a pair whose
    difference a third algorithm creates or hides.

    Checked against scikit-posthocs, PMCMRplus and quantiles by mpmath; R's qtukey is good to 3e-7 only.

    References
    ----------
    Casesa 2024, eq. 2.23. Nemenyi 1963. Demšar 2006, JMLR 7, section 3.2.2. Dunnett 1955. Piepho 2004 (letters).

    Examples
    --------
    >>> import runoff as ro
    >>> from runoff.methods.rank import critical_difference
    >>> scores = ro.Scores.from_dict({"A": {"Pong": [9, 8, 7, 6]}, "B": {"Pong": [5, 4, 3, 2]}, "C": {"Pong": [5.5, 6.5, 1, 0]}})
    >>> result = critical_difference(scores)
    >>> round(result.critical_difference, 3), result.groups
    (5.975, (('A', 'C', 'B'),))
    """
    check_alpha(alpha)
    return critical_beside(as_scores(data, **of_data), None, alpha, control)


def critical_beside(
    scores: Scores, omnibus: RankResult | None, alpha: float, control: str | None
) -> CriticalDifferenceResult:
    """Return the critical difference of scores beside their Mack-Skillings test, which is made where it is not given."""
    scores = comparable(scores)
    if control is not None:
        check_choice("control", control, scores.algorithms)
    k = len(scores.algorithms)
    storage = scores.values, scores.offsets, k, len(scores.tasks)
    shared = scores.sampling.shared
    # Where the p-value is known only its statistic is computed again, without drawing.
    outcome = blocked.run_blocked("mack_skillings", *storage, shared=shared, method="asymptotic" if omnibus else "auto")
    outcome = replace(outcome, pvalue=omnibus.pvalue, method=omnibus.method) if omnibus else outcome
    blocks = blocked.gather(*storage)
    _need_equal_counts(scores, blocks)
    average_ranks = tuple(blocked.average_ranks(blocks).tolist())
    value = _critical_value(alpha, k, control)
    scale, sums = _together(blocks, shared=shared)
    pairs = _pairs(scores.algorithms, control, sums, scale, alpha=alpha, k=k)
    groups, display = _display(scores.algorithms, pairs, outcome.rank_sums) if control is None else ((), ())
    further = (
        joint_ranks(_differ(pairs), _without_a_third(scores, control, alpha, pairs)),
        omnibus_disagrees(outcome.pvalue, alpha, sum(p.rejected for p in pairs)),
    )
    return filled(
        CriticalDifferenceResult,
        outcome,
        algorithms=scores.algorithms,
        alpha=alpha,
        control=control,
        critical_difference=value * scale,
        critical_value=value,
        average_ranks=average_ranks,
        pairs=pairs,
        groups=groups,
        letters=display,
        omnibus_statistic=outcome.statistic,
        omnibus_pvalue=outcome.pvalue,
        null=blocked.BLOCKED["mack_skillings"].null,
        advice=rank_advice("mack_skillings", blocked.BLOCKED["mack_skillings"].about, outcome, scores)
        + tuple(filter(None, further)),
    ).with_origin(scores)


def _critical_value(alpha: float, k: int, control: str | None) -> float:
    return blocked.range_quantile(alpha, k) if control is None else blocked.control_quantile(alpha, k)


def _together(blocks: blocked.Blocks, *, shared: bool) -> tuple[float, tuple[float, ...]]:
    """Return (k V)^½, the standard deviation of S_j − S_j' over √2, and the sums of mean ranks of the k algorithms of these blocks."""
    sums, _ = blocked.mean_ranks(blocks)
    k = sums.size
    if shared and blocks.tasks.size > 1:
        # A shared run is one unit: its ranks are added up over tasks before units are compared.
        blocks = blocked.by_row(blocks, by_rank=True)
    sizes = blocks.sizes.astype(np.float64)
    # The 4: `squares` are those of doubled ranks.
    scale = sqrt(float((blocks.squares / (4.0 * sizes * (sizes - 1.0))).sum()) * k)
    return scale, tuple(sums.tolist())


def _without_a_third(
    scores: Scores, control: str | None, alpha: float, pairs: Sequence[RankPair]
) -> dict[str, dict[tuple[str, str], bool]]:
    """Return whether each other pair differs where an algorithm is left out; of two there is none to be left out."""
    k, names = scores.n_algorithms, scores.algorithms
    if k < 3:
        return {}
    # What differs without a third one has to by the critical value of all k, and what does not not even by that of fewer pairs: it is
    # never the number of pairs that turned it.
    strict, own = (_critical_value(alpha, family, control) for family in (k, k - 1))
    without = {}
    for i, third in enumerate(names):
        if third == control:
            continue
        blocks = blocked.gather(*_storage_without(scores, i))
        scale, sums = _together(blocks, shared=scores.sampling.shared)
        rest = dict(zip((name for name in names if name != third), sums, strict=True))
        without[third] = {
            (pair.a, pair.b): abs(rest[pair.b] - rest[pair.a]) >= (own if pair.rejected else strict) * scale > 0.0
            for pair in pairs
            if third not in (pair.a, pair.b)
        }
    return without


def _storage_without(scores: Scores, algorithm: int) -> tuple[Floats, Ints, int, int]:
    """Return values, offsets and the numbers of algorithms and tasks as `gather` takes them, without one algorithm."""
    first, last = algorithm * scores.n_tasks, (algorithm + 1) * scores.n_tasks
    start, end = scores.offsets[first], scores.offsets[last]
    offsets = np.concatenate([scores.offsets[:first], scores.offsets[last:] - (end - start)])
    return np.delete(scores.values, slice(start, end)), offsets, scores.n_algorithms - 1, scores.n_tasks


def _differ(pairs: Sequence[RankPair]) -> dict[tuple[str, str], bool]:
    return {(pair.a, pair.b): pair.rejected for pair in pairs}


def _need_all_cells(test: str, scores: Scores, blocks: blocked.Blocks) -> None:
    for task, counts in zip(blocks.tasks, blocks.counts, strict=True):
        if not counts.all():
            raise DesignError(
                f"{test} needs runs of every algorithm on every task, but {scores.algorithms[int(counts.argmin())]!r} has none on "
                f"{scores.tasks[task]!r}; use {option('test', 'skillings_mack')}, or mack_skillings."
            )


def _need_equal_counts(scores: Scores, blocks: blocked.Blocks) -> None:
    if not blocks.balanced:
        row = int(np.argmax((blocks.counts != blocks.counts[:, :1]).any(axis=1)))
        counts = blocks.counts[row]
        few, many = (scores.algorithms[int(i)] for i in (counts.argmin(), counts.argmax()))
        raise DesignError(
            "a critical difference needs equally many runs of all algorithms within a task, but task "
            f"{scores.tasks[blocks.tasks[row]]!r} has {counts.min()} of {few!r} and {counts.max()} of {many!r}; use "
            f"{choice('scores.subsample(n), scores.select(...)', '--algorithms or --tasks')}, or {call('compare', test='mack_skillings')}."
        )


def _pairs(
    algorithms: tuple[str, ...], control: str | None, sums: tuple[float, ...], scale: float, *, alpha: float, k: int
) -> tuple[RankPair, ...]:
    # All pairs: the studentised range of k normals (Nemenyi); against a control: the largest of k − 1 differences
    # (Dunnett's problem).
    tail = blocked.range_pvalue if control is None else blocked.control_pvalue
    wanted = (
        list(combinations(range(len(algorithms)), 2))
        if control is None
        else [(a, algorithms.index(control)) for a in range(len(algorithms)) if algorithms[a] != control]
    )
    pairs = []
    for a, b in wanted:
        # Rank 1 is best, so a smaller sum is better: b − a is above 0 where a is ahead.
        gap = sums[b] - sums[a]
        # All scores of every task are equal: no rank differs, so nothing can be found.
        p = tail(abs(gap) / scale, k) if scale > 0.0 else 1.0
        pairs.append(RankPair(a=algorithms[a], b=algorithms[b], difference=gap, pvalue_adjusted=p, rejected=p <= alpha))
    return tuple(pairs)


def _display(
    algorithms: tuple[str, ...], pairs: tuple[RankPair, ...], sums: tuple[float, ...]
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Return groups, best first, and letters in the order of the algorithms."""
    # By rank sums, so that the best come first; equal sums keep the order of the data.
    order = np.argsort(sums, kind="stable")
    place = {algorithms[a]: at for at, a in enumerate(order.tolist())}
    separate: Bools = np.zeros((len(sums), len(sums)), np.bool_)
    for pair in pairs:
        separate[place[pair.a], place[pair.b]] = separate[place[pair.b], place[pair.a]] = pair.rejected
    groups = maximal_groups(separate)
    shown = letters(groups, len(sums))
    named = tuple(tuple(algorithms[order[member]] for member in group) for group in groups)
    return named, tuple(shown[place[name]] for name in algorithms)
