"""Tests of many algorithms on many tasks, task by task.

design      runs and ranks within tasks, one arrangement of the same runs, runs shared by tasks as rows
statistic   mean ranks, and the quadratic form that ranks make
null        what every blocked test returns; asymptotic, Monte Carlo and exact nulls; the largest difference of ranks
stratified  the permutation test of two algorithms within tasks
registry    BLOCKED: each name with its record; `run_blocked`
batches     many balanced data sets at once
"""

from runoff._inference.blocked.batches import asymptotic_pvalues, exact_pvalues
from runoff._inference.blocked.design import (
    TOLERANCE,
    Blocks,
    blocks_of,
    by_row,
    canonical,
    centred,
    gather,
)
from runoff._inference.blocked.null import (
    BlockedOutcome,
    control_pvalue,
    control_quantile,
    range_pvalue,
    range_quantile,
    smallest_pvalue,
)
from runoff._inference.blocked.registry import (
    BLOCKED,
    N_RESAMPLES,
    Flat,
    run_blocked,
    run_permutations,
)
from runoff._inference.blocked.statistic import average_ranks, mean_ranks
from runoff._inference.blocked.stratified import relabelled_pvalues
