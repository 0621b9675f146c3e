"""Two means of which only a spread and a number of runs are known.

spreads   SPREADS: what ± may be, and the standard error that follows
contrast  a pair of algorithms on one task or over several; which pairs are the family
tests     Welch's test of contrasts, Holm over all of them, and the smallest n
words     what is found, in sentences
"""

from runoff._inference.summaries.contrast import Contrast, all_pairs, contrasts, pairs_with
from runoff._inference.summaries.spreads import READ_AS, REFUSED, SPREADS, Spread
from runoff._inference.summaries.tests import MOST_RUNS, Answer, answers, smallest_runs
from runoff._inference.summaries.words import family_words, limits, sentence
