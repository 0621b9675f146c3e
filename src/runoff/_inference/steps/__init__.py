"""Along training: what is asked of whole learning curves.

align        learning curves on one grid of steps
differences  two algorithms at every step: differences, and the law of the largest under relabelling of whole runs
steadiness   STEADINESS: dispersion and risk along training
reach        when runs first reach a score
summary      CENTRES and SPREADS: what is drawn of the runs at every step
stretches    at which steps a difference is found, under each correction, and in words
"""

from runoff._inference.steps.align import MOST, UP_TO, Aligned, Steps, align
from runoff._inference.steps.differences import (
    STEP_TESTS,
    Differences,
    Relabelled,
    differences,
    relabelled,
    relabelled_together,
)
from runoff._inference.steps.reach import REACH_TESTS, Logrank, Times, logrank, reach_words, times_of
from runoff._inference.steps.steadiness import LEAST_RUNS_AT_RISK, STEADINESS, steadiness
from runoff._inference.steps.stretches import (
    STEP_CORRECTIONS,
    StepTests,
    adjusted_steps,
    check_step_correction,
    pair_words,
    stretches,
)
from runoff._inference.steps.summary import CENTRES, CONTENT, SPREADS
