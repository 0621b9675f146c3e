"""Two algorithms on the tasks they share.

cells        BothCells: the cells of two algorithms; which pairs a question is about
law          PairLaw: what is known of a measure of a pair
pair         PairData: these with the laws of their measures
tests        PAIR_TESTS: the tests of `compare`, by name
outcome      what a test says of a pair
rate_tests   tests of success rates
measure      the measure that a design is judged by
chance       the probability of improvement and its law
over_tasks   tasks or items as the sample, not runs
signed_rank  the law of the centre of differences over tasks
effects      EFFECTS: effect sizes with intervals, by name
where        the tasks that make a lead
single_tasks one task at a time, and how much tasks differ
varied       the difference under other choices: what a lead survives
inversion    the intervals of tests by name
rates        the law of success rates
score        a law by a score, whose interval inverts its tails
accuracy     the success rate of one model on items, pass@k
items        the law of two models on the same items
mover        several laws as one: their weighted mean, and an interval made of theirs
strata       benchmarks or suites, each a pair of its own
small        the law of few runs
whole        the chance of whole runs
outlook      how many more runs an undecided pair needs
wording      verdicts in sentences
profiles     how performance profiles lie, in sentences
"""

from runoff._inference.pairs.accuracy import item_rows, weighted_rows
from runoff._inference.pairs.cells import (
    BothCells,
    chosen_pairs,
    counted_tasks,
    in_both,
    means_of,
    refuse_constant,
    run_means,
    shared_tasks,
    tested_pairs,
)
from runoff._inference.pairs.chance import (
    EVEN,
    chance_law,
    guarded,
    improvement_law,
    law_of_chances,
    rarest_order,
)
from runoff._inference.pairs.effects import EFFECTS
from runoff._inference.pairs.inversion import INVERTED, inverted
from runoff._inference.pairs.items import ItemLaw, codes_of, item_law
from runoff._inference.pairs.law import PairLaw
from runoff._inference.pairs.measure import (
    HODGES_LEHMANN,
    IMPROVEMENT,
    OF_PAIRS,
    check_margin,
    check_margin_of,
    in_one_unit,
    make_one_unit,
    measure_of,
    metrics_of,
    one_unit,
    other_measures,
    refuse_other_than_means,
    unit_words,
)
from runoff._inference.pairs.mover import MoverLaw, end_of
from runoff._inference.pairs.outcome import PairOptions, PairOutcome
from runoff._inference.pairs.outlook import looked_ahead, margin_of_range, outlook_of
from runoff._inference.pairs.over_tasks import (
    OVER,
    TaskPair,
    flips_of,
    measure_over_tasks,
    sample_beside,
    sample_of,
    sample_over,
    t_over_tasks,
    tasks_as_sample,
)
from runoff._inference.pairs.pair import (
    Book,
    Measured,
    PairData,
    all_pairs,
    check_pair_margin,
    place,
    t_law_of,
    values_of,
    widest,
    with_book,
)
from runoff._inference.pairs.profiles import profile_orders
from runoff._inference.pairs.rate_tests import MIETTINEN_NURMINEN
from runoff._inference.pairs.rates import RateLaw, least_level, rates_apart, rates_power
from runoff._inference.pairs.single_tasks import fewest_to_call, spread_of_leads, task_law
from runoff._inference.pairs.small import DRAWS, NEVER, Relabelling, may_relabel
from runoff._inference.pairs.strata import (
    WEIGHTS,
    OfStratum,
    Strata,
    StratifiedPair,
    common_measure,
    in_strata,
    split,
    weights_of,
)
from runoff._inference.pairs.tests import (
    BY_LAW,
    BY_SPREAD,
    JACKKNIFE,
    PAIR_TESTS,
    about_measure,
    about_test,
    chosen_test,
    least_pvalue,
    measure_by,
    of_values,
    power_law,
    relabelled,
    run_pair,
    run_pairs,
)
from runoff._inference.pairs.varied import (
    Kept,
    Varied,
    VariedCells,
    aggregate,
    kept,
    robustness_words,
    size_of,
    varied,
    varied_chances,
)
from runoff._inference.pairs.where import TASKS_FOR_FEW, few_tasks, task_leads
from runoff._inference.pairs.whole import whole_law, whole_pvalues
from runoff._inference.pairs.wording import (
    PairFacts,
    deciding_stratum,
    equivalence_words,
    pair_sentence,
    why_unjudged,
)
