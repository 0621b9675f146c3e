"""Methods of studies: each a function of a batch of simulated experiments, registered by a decorator.

two_sample   the tests of `two_sample_test`, tasks pooled       historic     what Colas' code computes
blocked      the tests of `rank_test`, stratified permutation   overlap      decisions read off intervals
by_task      the tests of `compare` over tasks
shared       both readings of runs scored on all tasks
protocols    final score, last evaluations or best so far of learning curves
coverage     do intervals hold the truth                        estimates    bias of metrics, lifts, standard deviations
"""

from runoff.studies.contenders import blocked as _blocked
from runoff.studies.contenders import by_task as _by_task
from runoff.studies.contenders import coverage as _coverage
from runoff.studies.contenders import estimates as _estimates
from runoff.studies.contenders import historic as _historic
from runoff.studies.contenders import overlap as _overlap
from runoff.studies.contenders import protocols as _protocols
from runoff.studies.contenders import shared as _shared
from runoff.studies.contenders import two_sample as _two_sample
from runoff.studies.contenders.registry import CONTENDERS, Contender, contender

_REGISTERED = (_blocked, _by_task, _coverage, _estimates, _historic, _overlap, _protocols, _shared, _two_sample)
