"""Many comparisons at once.

corrections  CORRECTIONS: each name with its record; `adjust` p-values; the levels that a pair has to reach
rank_sets    which places are possible, and groups of algorithms that no decision sets apart, with their letters
"""

from runoff._inference.family.corrections import (
    CORRECTIONS,
    OF_PVALUES,
    adjust,
    best_level,
    correction_of,
    decided_levels,
    first_level,
)
from runoff._inference.family.rank_sets import (
    Sets,
    drawn_shares,
    letters,
    maximal_groups,
    sets_of_pairs,
)
