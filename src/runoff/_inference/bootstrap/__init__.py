"""Estimates of one algorithm or one pair, and their intervals.

metrics      METRICS: what an aggregate is and which way is better
pool         the stratified bootstrap of one algorithm: prepared once, drawn in fixed blocks
intervals    intervals from replicates, and the t interval of a stratified mean
student      t intervals about closed and Rao-Wu errors
registry     INTERVALS: each name with its builder
descriptive  an aggregate with its interval
along        an aggregate at every step of training, from whole runs
placements   the probability of improvement of a pair, with its t interval
improvement  the same with its percentile interval
rates        scores of 0 and 1: success rates with score intervals
profile      performance profiles of one algorithm
thresholds   where profiles are looked at
bands        BANDS: each band of a profile with its builder
order        two profiles: which lies above, and where they cross
redrawn      resamples of rectangular arrays for any function
"""

from runoff._inference.bootstrap.along import CURVE_BANDS, AlongSteps, Curve, along_steps, check_band
from runoff._inference.bootstrap.bands import BANDS, Band, BandWanted, clopper_pearson, exact_ends
from runoff._inference.bootstrap.descriptive import aggregate_with_error, described, interval_ends, interval_kind
from runoff._inference.bootstrap.improvement import resampled_improvements
from runoff._inference.bootstrap.intervals import Ends, Mean, both_errors, stratified_mean, usable
from runoff._inference.bootstrap.metrics import METRICS, Metric, best_first, parse_metric
from runoff._inference.bootstrap.order import Lead, Order, order_of
from runoff._inference.bootstrap.placements import Improvement, improvement_of, improvement_over_tasks
from runoff._inference.bootstrap.pool import Pool, estimates, prepare, resample_runs, without_each_run
from runoff._inference.bootstrap.profile import KINDS, ascending_means
from runoff._inference.bootstrap.rates import guarded_rate, newcombe, of_two_values, wilson
from runoff._inference.bootstrap.redrawn import Array, resamples, source
from runoff._inference.bootstrap.registry import AUTO, INTERVALS, OVER, Interval, check_interval, interval_title
from runoff._inference.bootstrap.thresholds import GRIDS, Thresholds, thresholds_of
