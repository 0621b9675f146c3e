"""The papers' guidelines as rules: each looks at the data, the question or an answer and returns an `Advice`, or nothing.

codes        CODES: what each code is, and how an `Advice` is made and collected
data         R0xx  what is known of the data themselves
pairs        R0xx  any comparison of algorithms
runs         R0xx  whether rows are independent runs
two_sample   R1xx  two samples
rank         R2xx  tests over tasks, and comparisons of mean ranks
shape        R3xx  the shape of the runs
steps        R4xx  learning curves
"""

from runoff._inference.advice.codes import CODES, Code, advise, algorithm, collected, pair, warn_of
from runoff._inference.advice.data import SINGLE, about_data, opponents
from runoff._inference.advice.pairs import (
    approximate,
    beyond_relabelling,
    bootstrap_runs,
    directions,
    few_runs,
    missing,
    multiple,
    narrow_band,
    no_interval_of_improvement,
    no_spread,
    normalisation,
    one_run,
    one_task,
    permutation_runs,
    rarer_than_ranks,
    separation,
    skewed,
    spreads_otherwise,
    ties,
    unattainable,
    unequal_runs,
    unequal_shape,
)
from runoff._inference.advice.rank import joint_ranks, omnibus_disagrees, rank_advice
from runoff._inference.advice.shape import humped_cells, not_normal, too_few_to_tell, two_humps
from runoff._inference.advice.steps import steps_beyond_relabelling, worst_of_few
from runoff._inference.advice.two_sample import Samples, two_sample_advice
