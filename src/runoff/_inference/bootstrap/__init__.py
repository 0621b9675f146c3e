"""Estimates of one algorithm or one pair, and their intervals.

metrics      METRICS: what an aggregate is, and which way is better; draws as weights, for metrics without a kernel
pool         the stratified bootstrap of one algorithm, prepared once, drawn in fixed blocks; the same draws for any function
record       the record of an estimate, by leaving runs out, and its t law
intervals    formulas of intervals: from replicates, of a stratified mean
success      success rates and their intervals
registry     INTERVALS: each name with its builder; an aggregate with its interval
along        an aggregate at every step of training, from whole runs
profile      performance profiles of one algorithm, their thresholds, the order of two
bands        BANDS: each band of a profile with its builder
"""

from runoff._inference.bootstrap.along import (
    CURVE_BANDS,
    AlongSteps,
    Largest,
    along_steps,
    check_band,
    largest_of,
    steadied,
    wider,
)
from runoff._inference.bootstrap.bands import BANDS, BandWanted, exact_ends
from runoff._inference.bootstrap.intervals import (
    Ends,
    Mean,
    bias_corrected_ends,
    of_two_values,
    stratified_mean,
    usable,
)
from runoff._inference.bootstrap.metrics import (
    ENDLESS,
    METRICS,
    Metric,
    OwnFunction,
    OwnMeasure,
    best_first,
    cited,
    named_measure,
    named_measures,
    parse_metric,
)
from runoff._inference.bootstrap.pool import (
    Array,
    Pool,
    estimate,
    estimates,
    prepare,
    resample_runs,
    resamples,
    source,
)
from runoff._inference.bootstrap.profile import KINDS, Order, Thresholds, ascending_means, order_of, thresholds_of
from runoff._inference.bootstrap.record import (
    CONSTANT,
    Law,
    MetricEstimate,
    estimate_of,
    mean_pvalues,
    moved_by,
    seen,
    t_law,
    value_of,
    without_each,
)
from runoff._inference.bootstrap.registry import (
    AUTO,
    INTERVALS,
    OVER,
    How,
    check_interval,
    described,
    interval_ends,
    interval_kind,
    record_of,
)
from runoff._inference.bootstrap.success import Rate, clopper_pearson, guarded_rate, mean_rate, rate_of, wilson
