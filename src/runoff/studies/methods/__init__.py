"""Methods of studies: each a function of a batch of simulated experiments, registered by a decorator.

two_sample   the tests of `two_sample_test`, tasks pooled                 historic     what Colas' code computes
"""

from runoff.studies.methods import historic as _historic
from runoff.studies.methods import two_sample as _two_sample
from runoff.studies.methods.registry import METHODS, Method, method

__all__ = ["METHODS", "Method", "method"]
_REGISTERED = (_historic, _two_sample)
