"""How many runs, given pilot runs: an experiment is simulated, or its power computed, and run counts are searched.

pilot     Pilot: the cells of two algorithms, or of one that stands for both, and what a small pilot costs
world     the true difference that is planned for; simulated experiments, a smoothed bootstrap of the cells shifted by it
decide    PLAN_TESTS: what the test that will be used decides, on many experiments at once
chance    the chance of a rejection, in closed form, exactly, or simulated; the fewest runs, and the curve about them
allocate  which cells to run next
words     a plan, and what to run next, in sentences
"""

from runoff._inference.planning.allocate import Cells, cheapest_gain, evenly
from runoff._inference.planning.chance import Chance, PlanOptions, Route, Search, beyond, false_positives, route_of
from runoff._inference.planning.decide import PLAN_TESTS, Experiments, PlannedTest
from runoff._inference.planning.pilot import Pilot, Term, pilot_of, upper_factor
from runoff._inference.planning.words import (
    RECOMMENDED,
    cost_words,
    effect_words,
    next_notes,
    next_words,
    plan_notes,
    plan_words,
    where_words,
)
from runoff._inference.planning.world import AS_SEEN, PLAN_UNITS, Effect, Margin, World, parsed_effect, world_of
