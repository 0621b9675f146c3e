"""When to stop: planned looks at the runs so far, with one error rate over all of them.

design       SequentialDesign: what is decided before the first run
design_file  designs as TOML
spending     SPENDING: how much of the error rate is spent by which look, by name
boundaries   chances to leave bounds at the looks, by numerical integration
statistics   SEQUENTIAL_TESTS: the statistics of all pairs, by name
paths        the statistic of all looks under many labellings, and which paths cross
closed       which pairs differ: closed testing over the looks
futility     the chance that a pair is still told apart
judge        what is decided at each look
state        what was seen and said so far, as a file
feed         the runs of the next look, checked
words        sentences
betting      evidence that holds at any time, without planned looks
batches      batches of runs, checked
"""

from runoff._inference.sequential.batches import cells_of, refuse_unlike
from runoff._inference.sequential.betting import Ends, batch, ends, log_e
from runoff._inference.sequential.boundaries import exits
from runoff._inference.sequential.design import SequentialDesign
from runoff._inference.sequential.design_file import read_design, write_design
from runoff._inference.sequential.feed import fed
from runoff._inference.sequential.judge import Finding, Judged, finite_bound, judge
from runoff._inference.sequential.spending import SPENDING, bounds_of, spent_by
from runoff._inference.sequential.state import State, read_state
from runoff._inference.sequential.statistics import SEQUENTIAL_TESTS
from runoff._inference.sequential.words import answer_words, pair_words
