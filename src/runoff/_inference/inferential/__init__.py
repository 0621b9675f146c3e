"""Intervals that may be read by eye: they overlap if and only if the test does not reject.

decide   the factors of two algorithms, by formula
factors  the factors of many algorithms, by linear programming
reading  records, and the pairs that must not be read by eye
"""

from runoff._inference.inferential.decide import FORMULAS, Decision
from runoff._inference.inferential.reading import Reading, disagreements_of, pair_of, read_factors, record_of
