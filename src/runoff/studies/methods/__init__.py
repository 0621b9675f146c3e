"""Methods of studies: each a function of a batch of simulated experiments, registered by a decorator.

two_sample   the tests of `two_sample_test`, tasks pooled       historic     what Colas' code computes
blocked      the tests of `rank_test`, stratified permutation   overlap      decisions read off intervals
coverage     do intervals hold the truth                        estimates    bias of metrics, lifts, standard deviations
"""

from runoff.studies.methods import blocked as _blocked
from runoff.studies.methods import coverage as _coverage
from runoff.studies.methods import estimates as _estimates
from runoff.studies.methods import historic as _historic
from runoff.studies.methods import overlap as _overlap
from runoff.studies.methods import two_sample as _two_sample
from runoff.studies.methods.registry import METHODS, Method, method

__all__ = ["METHODS", "Method", "method"]
_REGISTERED = (_blocked, _coverage, _estimates, _historic, _overlap, _two_sample)
