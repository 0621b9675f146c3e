"""The gate: may a candidate take the place of a baseline?

labels  whose run is whose, under many labellings
family  the statistics of all tasks and of their mean under one relabelling
reach   power, the smallest drop that is called, the runs that it takes
calls   what is said of each unit
words   sentences
"""

from runoff._inference.gate.calls import Asked, Call, calls_of
from runoff._inference.gate.family import alone, family_of, step_down
from runoff._inference.gate.reach import Reach
from runoff._inference.gate.words import CALLS, call_words, gate_words

__all__ = ["CALLS", "Asked", "Call", "Reach", "alone", "call_words", "calls_of", "family_of", "gate_words", "step_down"]
