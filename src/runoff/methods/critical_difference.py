"""Which rank sums are apart?"""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np

from runoff._inference.advice import joint_ranks, omnibus_disagrees, rank_advice
from runoff._inference.blocked import (
    BLOCKED,
    Blocks,
    average_ranks,
    by_row,
    control_pvalue,
    control_quantile,
    gather,
    range_pvalue,
    range_quantile,
    run_blocked,
)
from runoff._inference.family import letters, maximal_groups
from runoff.base.arrays import Bools
from runoff.base.validate import check_alpha, check_choice
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.io.given import ScoresLike, as_scores
from runoff.results.rank import CriticalDifferenceResult, RankPair
from runoff.words.speech import call, choice


def critical_difference(
    scores: ScoresLike, *, alpha: float = 0.05, control: str | None = None
) -> CriticalDifferenceResult:
    """How far apart must two rank sums be, and which are?

    Parameters
    ----------
    scores : Scores
        Or a data frame, a dictionary or a path of which `Scores` can be made.
        At least two algorithms; within every task all must have equally many runs (tasks may differ).
    alpha : float
        Probability that any pair is set apart when all algorithms are equal, in (0, 1).
    control : str, optional
        Compare the other algorithms with this one only: k − 1 comparisons instead of k (k − 1) / 2.

    Returns
    -------
    CriticalDifferenceResult

    Raises
    ------
    DesignError
        Fewer than two algorithms, or unequal numbers of runs within a task.
    OptionError
        alpha outside (0, 1), or an unknown control.

    Notes
    -----
    S_j sums over tasks the mean rank of the algorithm's runs. Two algorithms are apart if |S_j − S_j'| ≥ q_α (k V)^½, where
    V = Σ_i SS_i / (q_i (q_i − 1)) with SS_i the sum of squared deviations of the mid-ranks of task i; without ties
    k V = k (C + n) / 12 and this is Casesa (2024) eq. 2.23, which also holds when tasks differ in their number of runs. q_α is
    the upper quantile of the range of k independent normals. With one run per cell this is Nemenyi's test. With a control it is
    the upper quantile of max_j |Z_j − Z_0| (Dunnett 1955 with infinite degrees of freedom), which is below the Bonferroni-Dunn
    value of Demšar (2006). If all runs tie on every task the critical difference is 0 and nothing is apart.

    All algorithms are ranked together, so this controls the error rate only when all are equal (advice R206).

    Checked against scikit-posthocs, PMCMRplus and quantiles by mpmath; R's qtukey is good to 3e-7 only.

    References
    ----------
    Casesa 2024, eq. 2.23. Nemenyi 1963. Demšar 2006, JMLR 7, section 3.2.2. Dunnett 1955. Piepho 2004 (letters).

    Examples
    --------
    >>> import runoff as ro
    >>> from runoff.methods.critical_difference import critical_difference
    >>> scores = ro.Scores.from_dict({"A": {"Pong": [9, 8, 7, 6]}, "B": {"Pong": [5, 4, 3, 2]}, "C": {"Pong": [5.5, 6.5, 1, 0]}})
    >>> result = critical_difference(scores)
    >>> round(result.critical_difference, 3), result.groups
    (5.975, (('A', 'C', 'B'),))
    """
    scores = as_scores(scores)
    check_alpha(alpha)
    if control is not None:
        check_choice("control", control, scores.algorithms)
    k = len(scores.algorithms)
    storage = scores.values, scores.offsets, k, len(scores.tasks)
    shared = scores.sampling.shared
    outcome = run_blocked("mack_skillings", *storage, shared=shared)
    blocks = gather(*storage)
    _need_equal_counts(scores, blocks)
    if shared and blocks.tasks.size > 1:
        blocks = by_row(blocks, by_rank=True)
    scale = _unit(blocks)
    value = range_quantile(alpha, k) if control is None else control_quantile(alpha, k)
    pairs = _pairs(scores.algorithms, control, outcome.rank_sums, scale, alpha)
    groups, display = _display(scores.algorithms, pairs, outcome.rank_sums) if control is None else ((), ())
    found = (
        joint_ranks(k, control, shared=shared),
        omnibus_disagrees(outcome.pvalue, alpha, sum(pair.apart for pair in pairs)),
    )
    return CriticalDifferenceResult(
        algorithms=scores.algorithms,
        alpha=alpha,
        control=control,
        critical_difference=value * scale,
        critical_value=value,
        rank_sums=outcome.rank_sums,
        mean_ranks=outcome.mean_ranks,
        average_ranks=tuple(average_ranks(gather(*storage)).tolist()),
        pairs=pairs,
        groups=groups,
        letters=display,
        omnibus_statistic=outcome.statistic,
        omnibus_pvalue=outcome.pvalue,
        n_tasks=outcome.n_tasks,
        n_runs=outcome.n_runs,
        null=BLOCKED["mack_skillings"].null,
        advice=rank_advice("mack_skillings", BLOCKED["mack_skillings"].about, outcome, scores)
        + tuple(advice for advice in found if advice is not None),
    )


def _need_equal_counts(scores: Scores, blocks: Blocks) -> None:
    if not blocks.balanced:
        row = int(np.argmax((blocks.counts != blocks.counts[:, :1]).any(axis=1)))
        counts = blocks.counts[row]
        few, many = (scores.algorithms[int(i)] for i in (counts.argmin(), counts.argmax()))
        raise DesignError(
            "a critical difference needs equally many runs of all algorithms within a task, but task "
            f"{scores.tasks[blocks.tasks[row]]!r} has {counts.min()} of {few!r} and {counts.max()} of {many!r}; use "
            f"{choice('scores.subsample(n), scores.select(...)', '--algorithms or --tasks')}, or {call('compare', correction='max_t')}."
        )


def _unit(blocks: Blocks) -> float:
    """Return the standard deviation of S_j − S_j' over √2: (k V)^½; `squares` are of doubled ranks, hence the 4."""
    sizes = blocks.sizes.astype(np.float64)
    return sqrt(float((blocks.squares / (4.0 * sizes * (sizes - 1.0))).sum()) * blocks.counts.shape[1])


def _pairs(
    algorithms: tuple[str, ...], control: str | None, sums: tuple[float, ...], scale: float, alpha: float
) -> tuple[RankPair, ...]:
    k = len(algorithms)
    tail = range_pvalue if control is None else control_pvalue
    wanted = (
        list(combinations(range(k), 2))
        if control is None
        else [(a, algorithms.index(control)) for a in range(k) if algorithms[a] != control]
    )
    pairs = []
    for a, b in wanted:
        difference = sums[b] - sums[a]
        pvalue = tail(abs(difference) / scale, k) if scale > 0.0 else 1.0
        pairs.append(
            RankPair(
                a=algorithms[a], b=algorithms[b], difference=difference, pvalue_adjusted=pvalue, apart=pvalue <= alpha
            )
        )
    return tuple(pairs)


def _display(
    algorithms: tuple[str, ...], pairs: tuple[RankPair, ...], sums: tuple[float, ...]
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Return groups, best first, and letters in the order of the algorithms."""
    order = np.argsort(sums, kind="stable")
    place = {algorithms[a]: at for at, a in enumerate(order.tolist())}
    apart: Bools = np.zeros((len(sums), len(sums)), np.bool_)
    for pair in pairs:
        apart[place[pair.a], place[pair.b]] = apart[place[pair.b], place[pair.a]] = pair.apart
    groups = maximal_groups(apart)
    shown = letters(groups, len(sums))
    named = tuple(tuple(algorithms[order[member]] for member in group) for group in groups)
    return named, tuple(shown[place[name]] for name in algorithms)
