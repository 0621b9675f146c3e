"""Sweeps: some runs choose among configurations, and other runs judge what they chose.

sweep        the runs of each configuration, in one unit; the levels of their settings
fresh        whether fresh runs are of what was chosen, or of the sweep, and what they do not say
folds        the runs in orders, one of each cell set aside at a time; what the others choose, for each task or for all
best         the best of k configurations, and its errors
surfaces     draws of what settings are worth on tasks: sensitivity and dimension
importance   the share of each setting in the spread of performance
"""

from runoff._inference.tuning.best import BestOf, best_of, pooled_error
from runoff._inference.tuning.folds import chosen_for_all, chosen_per_task, cross_fitted, orders_of
from runoff._inference.tuning.fresh import refuse_own_runs, refuse_unchosen, unsaid
from runoff._inference.tuning.importance import SettingShare, is_grid, shares
from runoff._inference.tuning.surfaces import CellMeans, dimensions, region, smallest_set, surfaces, tuned, with_one
from runoff._inference.tuning.sweep import ConfiguredRuns, SweepRuns, in_unit_of, levels_of, read_sweep

__all__ = [
    "BestOf",
    "CellMeans",
    "ConfiguredRuns",
    "SettingShare",
    "SweepRuns",
    "best_of",
    "chosen_for_all",
    "chosen_per_task",
    "cross_fitted",
    "dimensions",
    "in_unit_of",
    "is_grid",
    "levels_of",
    "refuse_own_runs",
    "refuse_unchosen",
    "unsaid",
    "orders_of",
    "pooled_error",
    "read_sweep",
    "region",
    "shares",
    "smallest_set",
    "surfaces",
    "tuned",
    "with_one",
]
