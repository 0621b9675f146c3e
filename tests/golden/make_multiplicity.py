"""multiplicity.json: adjusted p-values of R's p.adjust, once statsmodels has found the same.

A p-value that is missing (null) leaves R's family, and its adjusted value is missing; statsmodels is not asked about it.
"""

from __future__ import annotations

from statsmodels.stats.multitest import multipletests

from tests.golden.tools import Case, Golden, agree, inputs, packages, run_r

STATSMODELS = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "BH": "fdr_bh",
    "BY": "fdr_by",
}


def make() -> Golden:
    """Return multiplicity.json."""
    cases = inputs("multiplicity")
    software, answers = run_r("multiplicity.R", cases)
    for case, adjusted in zip(cases, answers, strict=True):
        compare(case, adjusted)
    adjusted_cases = [case | {"adjusted": adjusted} for case, adjusted in zip(cases, answers, strict=True)]
    return Golden([*software, *packages("statsmodels")], adjusted_cases)


def compare(case: Case, adjusted: dict[str, list[float]]) -> None:
    """Stop where statsmodels differs; p-values that the family has beyond those given are 1."""
    if None in case["p"]:
        return
    family = case["p"] + [1.0] * (case.get("n", len(case["p"])) - len(case["p"]))
    for method, values in adjusted.items():
        theirs = multipletests(family, method=STATSMODELS[method])[1]
        for ours, other in zip(values, theirs[: len(values)], strict=True):
            agree(f"{case['name']}: {method}", ours, float(other))
