"""The chance that a test of means finds a true difference of normal runs: how many runs, how small a difference.

formulas   POWER_TESTS, POWER_FORMULAS: tests of means and ways to compute their power, by name
search     the fewest runs, also per cost; the smallest difference, also where the standard error is an estimate
question   a question, checked; EFFECT_UNITS: the units of a difference, by name
words      sentences, and what a formula leaves out
"""

from runoff._inference.power.formulas import POWER_FORMULAS, POWER_TESTS, Question, critical_value, noncentral, power_of
from runoff._inference.power.question import (
    EFFECT_UNITS,
    checked_cost,
    checked_question,
    checked_ratio,
    checked_sizes,
    improvement,
    pooled,
    raw_effect,
    raw_effects,
    required_power,
)
from runoff._inference.power.search import (
    LEAST,
    MOST_RUNS,
    cheapest_runs,
    detectable,
    fewest,
    fewest_runs,
    likely_errors,
    needed_multiple,
    real_runs,
    smallest_effect,
    whole_sizes,
)
from runoff._inference.power.words import (
    caveats,
    detectable_words,
    more_runs,
    more_words,
    needed_words,
    percent,
    power_words,
)
