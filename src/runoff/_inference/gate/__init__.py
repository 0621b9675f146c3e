"""The gate: may a candidate take the place of a baseline?

labels    whose run is whose, under many labellings
family    the statistics of all tasks and of their mean under one relabelling
together  p-values and limits of all of them together
rates     tasks that reach one of two scores: exact limits
below     is a drop of the margin ruled out: by relabelling, of rates, or not at all
reach     power, the smallest drop that is called, the runs that it takes
calls     what is said of each unit
words     CALLS: the five calls, by name; sentences
"""

from runoff._inference.gate.calls import Call, Terms, calls_of, outcome, parts_of, reaches_of
from runoff._inference.gate.family import family_of
from runoff._inference.gate.together import adjusted
from runoff._inference.gate.words import CALLS, call_words, gate_words
