"""The papers' guidelines as rules: each looks at the data, the question or an answer and returns an `Advice`, or nothing.

codes        CODES: what each code is, and how an `Advice` is made and collected
data         R015, R019 to R021, R027 to R029, R032, R033, R302 to R304: the data themselves, the shape of runs
rows         R022 to R024, R030, R031: the independence of rows
pairs        other R0xx: any comparison of algorithms
tests        R1xx: two samples; R2xx: tests over tasks and comparisons of mean ranks; R4xx: learning curves
"""

from runoff._inference.advice.codes import APPLIES, CODES, Subject, advise, algorithm, collected, pair, warn_of
from runoff._inference.advice.data import (
    SINGLE,
    about_data,
    asked_unit,
    cells_in_groups,
    comparable,
    comparable_in_all,
    in_groups,
    not_normal,
    opponents,
    refuse_untested,
    testable,
    too_few_to_tell,
    unlike_tasks,
    without_untested,
)
from runoff._inference.advice.pairs import (
    approximate,
    bootstrap_runs,
    few_runs,
    fewer_runs,
    iqm_of_few,
    missing,
    multiple,
    narrow_band,
    no_spread,
    one_run,
    one_task,
    one_task_decides,
    permutation_runs,
    rarer_than_ranks,
    runs_of,
    separation,
    skewed,
    spreads_otherwise,
    unattainable,
    unequal_runs,
    unequal_shape,
)
from runoff._inference.advice.rows import of_same_runs
from runoff._inference.advice.tests import (
    Samples,
    joint_ranks,
    omnibus_disagrees,
    one_task_curves,
    rank_advice,
    risks_described,
    two_sample_advice,
)
