"""The gate: may a candidate take the place of a baseline?

family    all tasks and their mean under one joint relabelling: labellings, statistics, p-values, limits
compared  what `compare` says of each unit, which no call denies
below     whether a drop of the margin is ruled out: by relabelling, by exact limits of rates, or not at all
laws      items, clusters, rollouts, benchmarks: units that are judged by the law that `compare` has of them
policy    a release decision: a rule for each benchmark, and all of them for a pass
margins   the smallest drop that matters on each task
reach     power, the smallest drop that is called, the runs that it takes
confirm   a second run of what has regressed
fresh     copies of runs, and second runs that could confirm nothing, refused
sides     both as one set of scores, and the answer of their calls
unit      what is asked of a task or of the mean, its tests, the call that follows
calls     CALLS: the five calls, by name; the call of each unit and its sentence
"""

from runoff._inference.gate.calls import (
    CALLS,
    call_words,
    calls_of,
    gate_words,
    night_words,
    nights_of_items,
    outcome,
    parts_of,
    refuse_few_draws,
)
from runoff._inference.gate.confirm import confirmed
from runoff._inference.gate.family import adjusted, family_of, n_draws
from runoff._inference.gate.laws import calls_by_law
from runoff._inference.gate.margins import Margin, margins_of, unlike_words
from runoff._inference.gate.policy import Ruling, policy_words, rulings_of
from runoff._inference.gate.reach import reaches_of
from runoff._inference.gate.sides import SIDES, Sides, refuse_single_runs, row_of
from runoff._inference.gate.unit import Terms, UnitCall
