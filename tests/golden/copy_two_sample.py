"""Copy independently computed values of the two-sample tests into two_sample.json (run from anywhere: `python copy_two_sample.py`).

The files it reads are no part of the project: the copy is what the tests read. Values that other software does not have (NaN, errors) or has
wrong where the samples are degenerate are left out; what runoff says there is defined in its docstring and tested by itself.
"""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ORACLES = HERE.parents[2] / "shared" / "oracles"

# oracle section, key, our test, our options
BY_SIDE: list[tuple[str, str, str, dict[str, Any]]] = [
    ("scipy", "t", "student", {}),
    ("scipy", "welch", "welch", {}),
    ("scipy", "ranked_t", "ranked_t", {}),
    ("scipy", "bm_t", "brunner_munzel", {"method": "asymptotic"}),
    ("scipy", "mwu_asymptotic_correct", "mann_whitney", {"method": "asymptotic"}),
    ("r", "t", "student", {}),
    ("r", "welch", "welch", {}),
    ("r", "ranked_t", "ranked_t", {}),
    ("r", "brunnermunzel", "brunner_munzel", {"method": "asymptotic"}),
    ("r", "brunnermunzel_perm", "brunner_munzel", {"method": "exact"}),
    ("r", "wilcox_asymptotic_correct", "mann_whitney", {"method": "asymptotic"}),
    ("r", "coin_wilcox_exact", "mann_whitney", {"method": "exact"}),
    ("r", "coin_oneway_exact", "permutation", {"method": "exact"}),
]
TRIMMED = [(s, f"yuen_{t}", "yuen", {"trim": t}) for s in ("scipy", "r") for t in (0.1, 0.2, 0.25)]
REFERENCE = [
    ("rank_sum_exact", "mann_whitney", "p_two_sided_abs_deviation"),
    ("permutation_mean_exact", "permutation", "p_two_sided_abs"),
]
NO_VARIANCE = ("zero_var_both_different", "zero_var_both_equal")
SEPARATED = ("n2_vs_n2", "n5_vs_n5_separated")
LITERALS = ("float_ties", "permutation", "greater")


def left_out(case: str, test: str, options: dict[str, Any], side: str) -> bool:
    """Return whether our definition stands in for the oracle."""
    exact = options.get("method") == "exact"
    no_error = case in NO_VARIANCE and not exact and test != "mann_whitney"
    brunner_munzel = test == "brunner_munzel" and (case == NO_VARIANCE[1] or (case in SEPARATED and not exact))
    return no_error or brunner_munzel or (case, test, side) == LITERALS


def rows_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row per finite oracle value of a case."""
    rows = []
    for side in ("two-sided", "greater", "less"):
        found = [(s, case[s].get(f"{k}_{side.replace('-', '.')}"), t, o, s) for s, k, t, o in BY_SIDE]
        if side == "two-sided":
            found += [(s, case[s].get(k), t, o, s) for s, k, t, o in TRIMMED]
        for name, test, both in REFERENCE:
            if name in case["reference"]:
                key = both if side == "two-sided" else f"p_{side}"
                found.append((name, {"p": case["reference"][name][key]}, test, {"method": "exact"}, "own enumeration"))
        for _, answer, test, options, source in found:
            value = answer.get("p") if isinstance(answer, dict) else None
            usable = isinstance(value, int | float) and isfinite(value)
            if usable and not left_out(case["name"], test, options, side):
                rows.append(row(case["name"], test, options, side, answer, source))
    return rows


def row(
    case: str, test: str, options: dict[str, Any], side: str, answer: dict[str, Any], source: str
) -> dict[str, Any]:
    """Return one golden value; Brunner-Munzel's statistic is turned to x - y."""
    numbers = {k: answer.get(k) if isinstance(answer.get(k), int | float) else None for k in ("statistic", "df")}
    if test == "brunner_munzel" and numbers["statistic"] is not None:
        numbers["statistic"] = -numbers["statistic"]
    return {
        "case": case,
        "test": test,
        "options": options,
        "alternative": side,
        "p": answer["p"],
        **numbers,
        "source": source,
    }


def main() -> None:
    """Write two_sample.json beside this file."""
    cases = json.loads((ORACLES / "two_sample.json").read_text())
    golden = {
        "source": cases[0]["source"] + "; copied from oracles/two_sample.json",
        "samples": {case["name"]: {"x": case["x"], "y": case["y"], "note": case["note"]} for case in cases},
        "values": [row for case in cases for row in rows_of(case)],
        "monte_carlo": [
            {"case": case["name"], **case["reference"]["permutation_mean_mc"]}
            for case in cases
            if "permutation_mean_mc" in case["reference"]
        ],
    }
    lines = [json.dumps(value) for value in golden.pop("values")]
    head = json.dumps(golden, indent=1)
    (HERE / "two_sample.json").write_text(head[:-2] + ',\n "values": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n")


if __name__ == "__main__":
    main()
