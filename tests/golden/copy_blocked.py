"""Copy what the tests of blocked designs need from files of independently computed values, values untouched.

    python tests/golden/copy_blocked.py FOLDER

Those files are no part of the project: the copies beside this script are what the tests read.

Each case keeps its `source`: the software and version that computed it, independently of runoff.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

KEPT = {
    "mack_skillings": ("name", "kind", "n_blocks", "k_treatments", "data", "y", "block", "treatment", "source"),
    "exact_null": ("name", "k", "n", "c", "n_arrangements", "source"),
    "skillings_mack": ("name", "data", "source"),
    "friedman": ("name", "data", "source"),
    "van_elteren": ("name", "strata", "source"),
    "nemenyi_q": ("alpha", "k", "q_inf", "bonferroni_dunn_z", "source"),
    "multiplicity": ("name", "p", "adjusted", "note", "source"),
}
DROPPED = ("r", "matlab_mackskill_octave_WRONG_for_unequal_c", "unit", "ranks_within_block")


def trimmed(name: str, case: dict[str, Any]) -> dict[str, Any]:
    """Keep inputs, expected values and the source of one case."""
    kept = {key: case[key] for key in KEPT[name] if key in case}
    if name == "exact_null":
        kept["distribution"] = [[row["value_fraction"], row["probability_fraction"]] for row in case["distribution"]]
    if "expected" in case:
        kept["expected"] = {key: value for key, value in case["expected"].items() if key not in DROPPED}
    return kept


if __name__ == "__main__":
    origin, here = Path(sys.argv[1]), Path(__file__).parent
    for name in KEPT:
        cases = json.loads((origin / f"{name}.json").read_text())
        lines = ",\n".join(json.dumps(trimmed(name, case)) for case in cases)
        (here / f"{name}.json").write_text(f"[\n{lines}\n]\n")
