"""When to stop: planned looks at the runs so far, with one error rate over all of them.

design      SequentialDesign: what is decided before the first run; its file; SEQUENTIAL_TESTS
boundaries  SPENDING: how the error rate is spent over the looks, by name; chances to leave bounds at the looks
counts      the boundary on success counts of a pair, by enumeration, and its stage-wise interval
rates       which success rates of one task differ, by these counts
futility    the chance that a pair which goes on is found different by the last look
crossings   which paths of a statistic cross where, so that no more do than may
judge       which pairs differ, by closed testing over the looks and by the law of `compare`; what is decided at each look
wording     what was decided, in sentences
state       what was seen and decided so far, as a file; the runs of the next look, and batches of runs, checked
units       the unit of the scores that are judged by their means
betting     evidence that holds at any time, without planned looks
"""

from runoff._inference.sequential.betting import (
    MOST_BATCHES,
    BatchEvidence,
    ShiftEnds,
    batch,
    batches_left,
    ends,
    ends_of_few,
    log_e,
)
from runoff._inference.sequential.boundaries import SPENDING, bounds_of, exits, spent_by
from runoff._inference.sequential.design import (
    DEFAULT,
    MOST_LOOKS,
    SEQUENTIAL_TESTS,
    SequentialDesign,
    budget_notes,
    may_count,
    read_design,
    write_design,
)
from runoff._inference.sequential.judge import FEW, Closed, Judged, LookFinding, finite_bound, judge
from runoff._inference.sequential.rates import CountedClosed, blind_notes, widest_leads
from runoff._inference.sequential.state import (
    State,
    cells_of,
    fed,
    read_state,
    refuse_unlike,
)
from runoff._inference.sequential.units import refuse_unlike_tasks, unit_notes
from runoff._inference.sequential.wording import answer_words, pair_words
