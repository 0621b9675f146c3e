"""The chance that a test of means finds a true difference of normal runs: how many runs, how small a difference.

asked      what is asked, checked
design     Design: the test, its spreads, its runs; POWER_TESTS, by name
formulas   POWER_FORMULAS: how the chance is computed, by name
welch      Welch's test itself, whose degrees of freedom are estimated
tails      tails of the noncentral and of a shifted central t
search     the fewest runs, also per cost; the smallest difference
units      differences in units of the scores, in standard deviations, as a probability of improvement
words      sentences, and what a formula leaves out
estimated  the smallest difference that a design detects whose standard error is an estimate
"""

from runoff._inference.power.asked import (
    checked_cost,
    checked_question,
    checked_ratio,
    checked_sizes,
    raw_effect,
    raw_effects,
    required_power,
)
from runoff._inference.power.design import POWER_TESTS, Design, PowerTest
from runoff._inference.power.estimated import detectable, likely_errors, needed_multiple
from runoff._inference.power.formulas import POWER_FORMULAS, PowerFormula, Question, power_of
from runoff._inference.power.search import (
    LEAST,
    MOST_RUNS,
    cheapest_runs,
    fewest,
    fewest_runs,
    real_runs,
    smallest_effect,
    whole_sizes,
)
from runoff._inference.power.tails import critical_value, noncentral
from runoff._inference.power.units import EFFECT_UNITS, improvement, pooled
from runoff._inference.power.words import (
    caveats,
    detectable_words,
    more_runs,
    more_words,
    needed_words,
    percent,
    power_words,
)
