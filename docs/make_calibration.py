"""Write docs/tables/atlas.csv from the tables of `runoff/atlas` and `runoff/atlas_power`; `make calibration` runs both studies and this.

What calibration.md and which-test.md say of them is a person's: read it again when the rates change (`tests/docs/test_tables.py` names
the numbers that moved).
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from runoff.lab import CONTENDERS

KEYS = ["world", "contender", "n_runs"]


def atlas(null: pl.DataFrame, power: pl.DataFrame) -> pl.DataFrame:
    """Return one row a scenario, method and number of runs: the rate of false positives, and the power at one standard deviation."""
    found = power.filter(pl.col("effect") == 1.0).select(*KEYS, power="rate")
    return (
        null.join(found, on=KEYS, how="left", maintain_order="left")
        .with_columns(pl.col("contender").replace_strict({name: c.label for name, c in CONTENDERS.items()}))
        .select(scenario="world", method="contender", runs="n_runs", **{"false positives": "rate", "power": "power"})
    )


def main() -> None:
    """Write the table from the two named on the command line."""
    null, power = (pl.read_csv(path) for path in sys.argv[1:])
    atlas(null, power).write_csv(Path(__file__).parent / "tables" / "atlas.csv", float_precision=3)


if __name__ == "__main__":
    main()
