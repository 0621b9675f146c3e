"""What all readers hand on: the table of all runs, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from runoff.base.arrays import Ints
from runoff.data.provenance import Provenance
from runoff.tables.source import SourceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The table of all runs, and its origin; has_step, names_runs: whether rows have steps, and runs names; sign: −1.0 where lower
    is better; failed: rows of failed runs,
    failing: the words for them."""

    table: SourceTable
    provenance: Provenance
    has_step: bool = True
    sign: float = 1.0
    names_runs: bool = True
    failed: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    failing: str = ""
