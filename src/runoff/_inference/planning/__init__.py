"""How many runs, given pilot runs: an experiment is simulated, or its power computed, and run counts are searched.

world     Pilot: the cells of two algorithms, or of one that stands for both; the true difference, and experiments in which it is true
chance    PLAN_TESTS: what the test decides, on many experiments at once; the chance of a rejection; the fewest runs, and the curve about them
allocate  which cells to run next
words     a plan, and what to run next, in sentences
"""

from runoff._inference.planning.allocate import Cells, alike_gain, cheapest_gain, evenly, moderated
from runoff._inference.planning.chance import PLAN_TESTS, Experiments, PlanOptions, Search, beyond, search_of
from runoff._inference.planning.words import (
    RECOMMENDED,
    cost_words,
    effect_words,
    next_notes,
    next_words,
    plan_notes,
    where_words,
)
from runoff._inference.planning.world import (
    AS_SEEN,
    PLAN_UNITS,
    Margin,
    Pilot,
    Term,
    parsed_effect,
    pilot_of,
    upper_factor,
    world_of,
)
