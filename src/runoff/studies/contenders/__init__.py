"""Methods of studies: each a function of a batch of simulated experiments, registered by a decorator.

two_sample   the tests of `two_sample_test`, tasks pooled; what Colas' code computes
blocked      the tests of `rank_test`, stratified permutation, and the tests of `compare` over tasks
shared       one experiment after the other: both readings of runs scored on all tasks, and protocols of learning curves
coverage     do intervals hold the truth, and decisions read off intervals
estimates    what is true in a world; bias of metrics, lifts, standard deviations
registry     the batch that every method sees, and CONTENDERS
"""

# Methods register themselves when their file is imported.
from runoff.studies.contenders import blocked, coverage, estimates, shared, two_sample
from runoff.studies.contenders.registry import CONTENDERS, Contender, contender
