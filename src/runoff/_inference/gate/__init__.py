"""The gate: may a candidate take the place of a baseline?

family    all tasks and their mean under one joint relabelling: labellings, statistics, p-values, limits
compared  what `compare` says of each unit, which no call denies
below     whether a drop of the margin is ruled out: by relabelling, by exact limits of rates, or not at all
margins   the smallest drop that matters on each task
reach     power, the smallest drop that is called, the runs that it takes
fresh     copies of runs, and second runs that could confirm nothing, refused
calls     CALLS: the five calls, by name; the call of each unit and its sentence
"""

from runoff._inference.gate.calls import (
    CALLS,
    Terms,
    UnitCall,
    call_words,
    calls_of,
    gate_words,
    night_words,
    outcome,
    parts_of,
)
from runoff._inference.gate.family import HALF, adjusted, family_of, n_draws
from runoff._inference.gate.fresh import refuse_lost, refuse_seen, refuse_stale, refuse_unable
from runoff._inference.gate.margins import Margin, margins_of, unlike_words
from runoff._inference.gate.reach import reaches_of
