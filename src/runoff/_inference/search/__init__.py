"""The judge inside a search: keep a change, discard it, or run it again?

trial    what both laws share: running moments, a trial of a candidate, what to do next
strict   any false keep in at most alpha of searches; screening, confirmation on fresh runs, one budget of error
gain     the highest level at equal runs, by a distribution of gains that is learnt on the way
search   a search as recorded in the ledger, run by run: trials of several candidates, one champion, its record
"""

from runoff._inference.search.gain import Gain
from runoff._inference.search.search import LAWS, Ended, Reign, RunScale, SearchState, new_runs
from runoff._inference.search.strict import Strict, level_of, lowest_correlation
from runoff._inference.search.trial import UNLIMITED, Moments, RecordClaim, Step, Trial
