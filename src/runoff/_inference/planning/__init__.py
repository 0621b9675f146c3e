"""How many runs, given pilot runs: an experiment is simulated, or its power computed, and run counts are searched.

pilot      Pilot: the cells of two algorithms, or of one that stands for both
effect     the true difference that is planned for
limits     upper limits of a sum of variances: what a small pilot costs
world      simulated experiments: a smoothed bootstrap of the cells, shifted by the effect
decide     PLAN_TESTS: what the test that will be used decides, on many experiments at once
chance     the chance of a rejection: in closed form, exactly, or simulated
search     the fewest runs, and the curve about them
allocate   which cells to run next
words      a plan in sentences
next_words what to run next, in sentences
"""

from runoff._inference.planning.allocate import Cells, cheapest_gain, evenly
from runoff._inference.planning.chance import Chance, PlanOptions, Route, false_positives, route_of
from runoff._inference.planning.decide import PLAN_TESTS, Experiments, PlannedTest
from runoff._inference.planning.effect import PLAN_UNITS, Effect, stated
from runoff._inference.planning.limits import Term, upper_factor
from runoff._inference.planning.next_words import next_notes, next_words
from runoff._inference.planning.pilot import Pilot, pilot_of
from runoff._inference.planning.search import Search, beyond
from runoff._inference.planning.words import (
    RECOMMENDED,
    cost_words,
    effect_words,
    plan_notes,
    plan_words,
    where_words,
)
from runoff._inference.planning.world import AS_SEEN, Margin, World, world_of
