"""Many comparisons at once.

corrections  CORRECTIONS: each name with its record; `adjust` p-values
max_t        the pairwise tests adjusted by relabelling the runs
adjusted     p-values adjusted over the family, either way
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

__all__ = [
    "CORRECTIONS",
    "Correction",
    "OF_PVALUES",
    "adjust",
    "adjusted_over_family",
    "best_level",
    "can_relabel_jointly",
    "check_correction",
    "decisive_level",
    "first_level",
    "max_t_test",
]
