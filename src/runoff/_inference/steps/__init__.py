"""Along training: what is asked of whole learning curves.

align        learning curves on one grid of steps
differences  two algorithms at every step: differences by the law of the pair, all steps together, corrections over steps, sentences
reach        when runs first reach a score
steadiness   STEADINESS: dispersion and risk along training
summary      CENTRES and SPREADS: what is drawn of the runs at every step
"""

from runoff._inference.steps.align import Aligned, Steps, align
from runoff._inference.steps.differences import (
    STEP_CORRECTIONS,
    StepTests,
    check_step_correction,
    differences,
    how_words,
    pair_words,
    pairs_along,
    stretches,
)
from runoff._inference.steps.reach import (
    REACH_TESTS,
    Logrank,
    Times,
    logrank,
    looks_of,
    looks_words,
    reach_words,
    times_of,
)
from runoff._inference.steps.steadiness import STEADINESS, steadiness
from runoff._inference.steps.summary import CENTRES, CONTENT, SPREADS
