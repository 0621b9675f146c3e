"""What `runoff claims` says and leaves behind: JSON, and one row of CSV for each claim."""

from __future__ import annotations

from pathlib import Path

from runoff.report.files.csv import csv_text
from runoff.report.files.folder import write_text
from runoff.report.files.strict import strict_json
from runoff.results.base import Record, plain
from runoff.results.claims import ClaimsResult

SCHEMA = "runoff.claims/1"


def claims_text(found: ClaimsResult) -> str:
    """Return what `--json` prints: how the table was read, the claims, and what cannot be said."""
    table = plain(found.table)
    return strict_json(
        {
            "schema": SCHEMA,
            "answer": str(found),
            "alpha": found.alpha,
            "correction": "holm",
            "family": found.family,
            "n_compared": found.n_compared,
            "spreads": list(found.spreads),
            "claimed_by": found.claimed_by,
            "table": table,
            "claims": found.to_records(),
            "notes": [*found.table.notes, *found.notes],
            "limits": list(found.limits),
        }
    )


def write_claims(found: ClaimsResult, out: Path) -> None:
    """Write one row a claim, in columns that end in what ± was taken for.

    Raises
    ------
    OutputError
        It cannot be written there.
    """
    rows = found.flat_records()
    heads: Record = {name: None for row in rows for name in row}
    write_text(out, csv_text([{**heads, **row} for row in rows]))
