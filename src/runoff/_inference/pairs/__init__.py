"""Two algorithms on the tasks they share.

pair         PairData: the cells of two algorithms
data         which pairs
tests        PAIR_TESTS: the tests of `compare`, by name
aggregates   the difference of aggregates
effects      EFFECTS: effect sizes with intervals, by name
equivalence  are they the same within a margin
varied       aggregates under other choices: what a lead survives
varied_words what it survives, in one sentence
wording      verdicts as sentences
profiles     how the profiles of each pair lie, in words
"""

from runoff._inference.pairs.aggregates import aggregate_difference
from runoff._inference.pairs.data import chosen_pairs, pair_data, refuse_constant, shared_tasks, tested_pairs
from runoff._inference.pairs.effects import EFFECTS, Effect, Setting
from runoff._inference.pairs.equivalence import (
    Likeness,
    TryonReading,
    bootstrap_likeness,
    check_margin,
    least_level,
    pair_likeness,
    pair_tost,
    pooled_level,
    student_likeness,
    tost_pvalue,
    tryon,
    welch_likeness,
)
from runoff._inference.pairs.pair import PairData, run_means
from runoff._inference.pairs.profiles import profile_orders
from runoff._inference.pairs.tests import (
    PAIR_TESTS,
    PairOptions,
    PairOutcome,
    about_test,
    chosen_test,
    least_pvalue,
    run_pair,
    run_pairs,
)
from runoff._inference.pairs.varied import Cells, Kept, Varied, aggregate, kept, varied
from runoff._inference.pairs.varied_words import robustness_words
from runoff._inference.pairs.wording import (
    PairFacts,
    equivalence_words,
    opposed,
    pair_sentence,
    with_ends,
)
