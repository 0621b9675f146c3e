"""How many runs, given pilot runs: an experiment is simulated, or its power computed, and run counts are searched.

pilot     Pilot: the cells of two algorithms, or of one that stands for both; a run that makes most of their spread
world     the true difference, and experiments in which it is true
chance    PLAN_TESTS: what the test decides, on many experiments at once; the chance of a rejection; the fewest runs, and the curve about them
needed    how many runs one difference takes; what such a pilot's runs find
table     the differences that a reader of a pilot would ask about
allocate  which cells to run next
nested    items × attempts, trainings × rollouts
words     a plan, and what to run next, in sentences
"""

from runoff._inference.planning.allocate import AllocationCells, alike_gain, cheapest_gain, evenly, moderated
from runoff._inference.planning.chance import PLAN_TESTS, Experiments, PlanOptions, beyond
from runoff._inference.planning.needed import Needed, NeededRuns, after_more, runs_of
from runoff._inference.planning.nested import Nested, NestedCosts, NestedQuestion, of_items, of_trainings
from runoff._inference.planning.pilot import (
    Pilot,
    VarianceTerm,
    leading,
    limit_factor,
    outlying,
    pilot_between,
    pilot_of,
    pooled,
)
from runoff._inference.planning.table import (
    as_planned,
    budget_words,
    default_table,
    family_level,
    family_notes,
    margin_effect,
    table_of,
)
from runoff._inference.planning.words import (
    cost_words,
    effect_words,
    next_notes,
    next_words,
    plan_notes,
    pooled_words,
    unassured_words,
    where_words,
)
from runoff._inference.planning.world import (
    AS_SEEN,
    PLAN_UNITS,
    SpreadLimit,
    parsed_effect,
    world_of,
)
