"""What all readers hand on: the table of all runs, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from runoff.base.arrays import Ints
from runoff.data.provenance import Provenance
from runoff.errors import OptionError, warn
from runoff.reading._rows import FAILED_COUNT, counted_as, refuse_failed
from runoff.tables.source import SourceTable
from runoff.words.names import Incomplete
from runoff.words.speech import option


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


def with_failed(gathered: Gathered, with_step: bool | None, incomplete: Incomplete | None, sign: float) -> Gathered:
    """Return the table with failed runs treated as requested; without a request, refuse them, except in learning curves, which stay."""
    table, rows = gathered.table, gathered.failed
    if not rows.size:
        if incomplete is not None and not gathered.has_step:
            raise OptionError(
                f"{option('incomplete')} is for learning curves and failed runs, but {table.place} holds one score per run."
            )
        return gathered
    if incomplete in (None, "auto", "error"):
        if not with_step:
            raise refuse_failed(gathered.failing)
        note = f"{gathered.failing}: their learning curves are read as logged"
        warn(note)
        table = counted_as(table, rows[np.isnan(np.asarray(table.columns["score"])[rows])], "drop", sign=sign)
    else:
        note = f"{gathered.failing}: {FAILED_COUNT[incomplete]}, by request"
        table = counted_as(table, rows, incomplete, sign=sign)
    origin = gathered.provenance.noting(note).treating(note.removeprefix(f"{table.place}: "))
    return replace(gathered, table=table, provenance=origin)
