"""The chance that a test of means finds a true difference of normal runs: how many runs, how small a difference.

search     the fewest runs that are enough
estimated  what new runs find where the standard error is an estimate
design     POWER_TESTS, POWER_FORMULAS: tests of means and their power; the fewest runs, the smallest difference
question   a question, checked; EFFECT_UNITS: the units of a difference, by name; answers in sentences
"""

from runoff._inference.power.design import (
    POWER_FORMULAS,
    POWER_TESTS,
    PowerQuestion,
    cheapest_runs,
    fewest_runs,
    power_of,
    real_runs,
    smallest_effect,
    whole_sizes,
)
from runoff._inference.power.estimated import (
    average_power,
    critical_value,
    detectable,
    grown,
    likely_errors,
    needed_multiple,
    noncentral,
)
from runoff._inference.power.question import (
    EFFECT_UNITS,
    caveats,
    checked_cost,
    checked_question,
    checked_ratio,
    checked_sizes,
    detectable_words,
    improvement,
    more_runs,
    more_words,
    needed_words,
    percent,
    pooled,
    power_words,
    raw_effect,
    raw_effects,
    required_power,
)
from runoff._inference.power.search import LEAST, MOST_RUNS, fewest, halved
