"""Tests of many algorithms on many tasks, task by task.

design      ranks within tasks and the quadratic form made of them
outcome     what every blocked test returns
rows        runs that are scored on all tasks, each as one row
canonical   one arrangement of the same runs, so that no order of the input shows
null        asymptotic and Monte Carlo nulls
exact       the exact null of rank sums
stratified  the permutation test of two algorithms within tasks
registry    BLOCKED: each name with its record; `run_blocked`
batch       short forms for the batches of a study
ranges      critical values of the largest difference of ranks
"""

from runoff._inference.blocked.batch import asymptotic_pvalues, exact_pvalues
from runoff._inference.blocked.design import TOLERANCE, Blocks, average_ranks, blocks_of, centred, gather
from runoff._inference.blocked.null import in_blocks, smallest_pvalue
from runoff._inference.blocked.outcome import BlockedOutcome
from runoff._inference.blocked.ranges import control_pvalue, control_quantile, range_pvalue, range_quantile
from runoff._inference.blocked.registry import BLOCKED, N_RESAMPLES, BlockedTest, Flat, run_blocked, run_permutations
from runoff._inference.blocked.rows import by_row
