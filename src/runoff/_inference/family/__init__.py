"""Many comparisons at once.

corrections  CORRECTIONS: each name with its record; `adjust` p-values
max_t        the pairwise tests adjusted by relabelling the runs
adjusted     p-values adjusted over the family, either way
rank_sets    which places are possible: step-down over directed pairs, and the bootstrap of ranks
"""

from runoff._inference.family.adjusted import (
    adjusted_over_family,
    best_level,
    can_relabel_jointly,
    check_correction,
    decisive_level,
    first_level,
    max_t_test,
)
from runoff._inference.family.corrections import CORRECTIONS, OF_PVALUES, Correction, adjust
from runoff._inference.family.max_t import partitions
from runoff._inference.family.rank_sets import Sets, bootstrap_sets, law_of, step_down
