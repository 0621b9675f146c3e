"""Methods of studies: each a function of a batch of simulated experiments, registered by a decorator.

two_sample   the tests of `two_sample_test`, tasks pooled; the tests of Colas' code
blocked      the tests of `rank_test`, stratified permutation, and the tests of `compare` over tasks
shared       one experiment at a time: both readings of runs scored on all tasks, and protocols of learning curves
coverage     coverage of intervals, and decisions read off intervals
estimates    the true values in a world; bias of metrics, lifts, standard deviations
registry     the batch that every method sees, and CONTENDERS
"""

# Methods register themselves when their file is imported.
from runoff.lab.contenders import blocked, coverage, estimates, shared, two_sample
from runoff.lab.contenders.registry import CONTENDERS, Contender, contender
