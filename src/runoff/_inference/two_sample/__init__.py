"""The registry of two-sample tests, batched; what `two_sample_test`, `compare` and the studies call.

closed_form   what every test returns and may be asked; tests whose p-value is a formula
mann_whitney  the Mann-Whitney test
relabelling   tests that sort, relabel or resample the pooled sample
boschloo      two success rates
registry      TWO_SAMPLE, run_two_sample, outcome_from_moments
"""

from runoff._inference.two_sample.boschloo import LARGEST, boschloo, boschloo_power, smallest_boschloo
from runoff._inference.two_sample.closed_form import TwoSampleOptions, TwoSampleOutcome, half_width, signed_ratio
from runoff._inference.two_sample.mann_whitney import critical_deviation, deviation_pvalue, u_pvalues
from runoff._inference.two_sample.registry import (
    BOTH,
    TWO_SAMPLE,
    difference_of_means,
    outcome_from_moments,
    run_two_sample,
)
from runoff._inference.two_sample.relabelling import INTERVALS, permutation
