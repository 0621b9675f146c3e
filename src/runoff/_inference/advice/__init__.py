"""The papers' guidelines as rules: each looks at the data, the question or an answer and returns an `Advice`, or nothing.

codes        CODES: what each code is, and how an `Advice` is made and collected
data         R015, R019, R020, R028, R029, R032, R033, R401: the data themselves
tested       R021, R027: which algorithms are tested, and what has no verdict
rows         R022 to R024, R030, R031: the independence of rows
runs         R001 to R003, R010 to R012, R018, R034, R035, R037: how many runs and tasks there are, and what estimates rest on
pairs        other R0xx: any comparison of algorithms; R302 to R304: the shape of runs
samples      R1xx: two samples
tasks        R2xx: tests over tasks, comparisons of mean ranks
curves       R404, R405: learning curves
"""

from runoff._inference.advice.codes import APPLIES, CODES, Subject, advise, algorithm, collected, pair, warn_of
from runoff._inference.advice.curves import one_task_curves, risks_described
from runoff._inference.advice.data import about_data, asked_unit, other_units, profile_of_units, unlike_tasks
from runoff._inference.advice.pairs import (
    cells_in_groups,
    fewer_runs,
    in_groups,
    multiple,
    not_normal,
    one_task_decides,
    permutation_runs,
    rarer_than_ranks,
    separation,
    skewed,
    spreads_otherwise,
    too_few_to_tell,
    unattainable,
    unequal_shape,
)
from runoff._inference.advice.rows import of_same_runs
from runoff._inference.advice.runs import (
    approximate,
    benchmarks_as_one,
    bootstrap_runs,
    few_clusters,
    few_of_one_task,
    few_runs,
    iqm_of_few,
    missing,
    moved_by_few,
    narrow_band,
    no_spread,
    one_run,
    one_task,
    runs_of,
    single_runs,
)
from runoff._inference.advice.samples import Samples, two_sample_advice
from runoff._inference.advice.tasks import joint_ranks, omnibus_disagrees, rank_advice
from runoff._inference.advice.tested import (
    SINGLE,
    comparable,
    comparable_in_all,
    opponents,
    refuse_untested,
    single_values,
    testable,
    without_untested,
)
