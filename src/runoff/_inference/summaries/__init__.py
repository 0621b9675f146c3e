"""Two means of which only a spread and a number of runs are known.

contrast  a pair of algorithms on one task or over several; SPREADS: what ± may be
tests     Welch's test of contrasts, Holm over all of them, and the smallest n
words     claims in sentences
"""

from runoff._inference.summaries.contrast import READ_AS, REFUSED, SPREADS, Contrast, all_pairs, contrasts, pairs_with
from runoff._inference.summaries.tests import MOST_RUNS, answers, smallest_runs
from runoff._inference.summaries.words import family_words, limits, sentence
