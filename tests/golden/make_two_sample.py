"""two_sample.json: two-sample tests by R, SciPy, statsmodels and all relabellings, for every alternative they have.

A value that the software does not have (NaN, a statistic that is not finite, an error) is left out: what runoff says of
samples without variance is defined in its docstrings and tested by itself.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from fractions import Fraction
from math import copysign, isfinite, sqrt
from typing import Any

import numpy as np
from scipy import stats
from statsmodels.stats.nonparametric import rank_compare_2indep
from statsmodels.stats.oneway import anova_oneway

from tests.golden import listing
from tests.golden.tools import HERE, Case, Golden, inputs, packages, run_r

SIDES = ("two-sided", "greater", "less")
LARGER = {"two-sided": "two-sided", "greater": "larger", "less": "smaller"}
TRIMS = (0.1, 0.2, 0.25)
DRAWS = 1_000_000
NORMAL, EXACT = {"method": "asymptotic"}, {"method": "exact"}
ROUNDED = {("float_ties", test, "greater") for test in ("permutation", "studentized_permutation")}
"""The sums of these differ by rounding only: runoff takes them as ties, arithmetic on the literals does not."""


def make() -> Golden:
    """Return two_sample.json."""
    cases = inputs("two_sample")
    questions = [{"name": c["name"], "x": c["x"], "y": c["y"], "draws": DRAWS * c.get("drawn", False)} for c in cases]
    software, answers = run_r("two_sample.R", questions)
    rows = [[tidy(row) for row in of_case if usable(row)] for of_case in answers]
    return golden_of(cases, software, rows)


def make_without_r() -> Golden:
    """Return two_sample.json with the values of R that are committed; a new case has none."""
    cases = inputs("two_sample")
    committed = json.loads((HERE / "two_sample.json").read_text(encoding="utf-8"))
    by_name = {case["name"]: case["values"] for case in committed["cases"]}
    rows = [[row for row in by_name.get(case["name"], []) if row["source"].startswith("R ")] for case in cases]
    return golden_of(cases, [name for name in committed["software"] if name.startswith(("R ", "coin "))], rows)


def golden_of(cases: list[Case], software: list[str], by_r: list[list[Case]]) -> Golden:
    """Return the file of R's values and those of Python."""
    return Golden(
        [*software, *packages("numpy", "scipy", "statsmodels")],
        [{**sample(case), "values": values(case, rows)} for case, rows in zip(cases, by_r, strict=True)],
    )


def sample(case: Case) -> Case:
    """Return what a golden case says of its input."""
    return {key: case[key] for key in ("name", "note", "x", "y") if key in case}


def values(case: Case, by_r: list[Case]) -> list[Case]:
    """Return all values of a case that can be compared."""
    x, y = np.array(case["x"], float), np.array(case["y"], float)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        rows = [*by_scipy(x, y), *by_statsmodels(x, y)]
    if not case.get("drawn"):
        rows += by_relabelling(case["x"], case["y"])
    rows = [*by_r, *(tidy(row) for row in rows if usable(row))]
    return [row for row in rows if (case["name"], row["test"], row["alternative"]) not in ROUNDED]


def usable(row: Case) -> bool:
    """Return whether the software had an answer."""
    return isfinite(row["p"]) and (row.get("statistic") is None or isfinite(row["statistic"]))


def tidy(row: Case) -> Case:
    """Leave out what the software does not tell; say of a drawn p-value how many draws there were."""
    told_row = {key: value for key, value in row.items() if value is not None}
    if row["options"].get("method") == "monte_carlo":
        told_row["drawn"] = {"p": told_row.pop("p"), "draws": DRAWS}
    return told_row


def entry(test: str, options: Case, side: str, source: str, outcome: Any, **other: Any) -> Case:
    """Return one golden value."""
    numbers = {"p": float(outcome.pvalue), "statistic": float(outcome.statistic), "df": other.get("df")}
    return {"test": test, "options": options, "alternative": side, **numbers, "source": source}


def by_scipy(x: np.ndarray, y: np.ndarray) -> Iterator[Case]:
    """Student, Welch, Yuen, t of ranks, Mann-Whitney, Kolmogorov-Smirnov and Brunner-Munzel, whose statistic SciPy has of y - x."""
    ranks = stats.rankdata(np.concatenate([x, y]))
    for side in SIDES:
        for test, a, b, more in t_tests(x, y, ranks):
            outcome = stats.ttest_ind(a, b, alternative=side, **more)
            options = {key: value for key, value in more.items() if key == "trim"}
            yield entry(test, options, side, "SciPy ttest_ind", outcome, df=finite(outcome.df))
        outcome = stats.mannwhitneyu(x, y, alternative=side, method="asymptotic", use_continuity=True)
        yield entry("mann_whitney", NORMAL, side, "SciPy mannwhitneyu", outcome)
        if side == "two-sided" and np.unique([*x, *y]).size == x.size + y.size:  # its exact null takes no ties
            outcome = stats.ks_2samp(x, y, method="exact")
            yield entry("kolmogorov_smirnov", EXACT, side, "SciPy ks_2samp", outcome)
        if min(x.size, y.size) > 1:
            outcome = stats.brunnermunzel(x, y, alternative=side, distribution="t")
            row = entry("brunner_munzel", NORMAL, side, "SciPy brunnermunzel", outcome)
            yield row | {"statistic": -row["statistic"]}


def t_tests(x: np.ndarray, y: np.ndarray, ranks: np.ndarray) -> Iterator[tuple[str, np.ndarray, np.ndarray, Case]]:
    """Name, samples and SciPy's options of the t tests."""
    yield "student", x, y, {"equal_var": True}
    yield "welch", x, y, {"equal_var": False}
    yield "ranked_t", ranks[: x.size], ranks[x.size :], {"equal_var": True}
    for trim in TRIMS:
        yield "yuen", x, y, {"equal_var": False, "trim": trim}


def by_statsmodels(x: np.ndarray, y: np.ndarray) -> Iterator[Case]:
    """Brunner-Munzel, and Yuen's test as the trimmed Welch analysis of variance of two groups."""
    if min(x.size, y.size) < 2:
        return
    compared = rank_compare_2indep(x, y, use_t=True)
    for side in SIDES:
        outcome = compared.test_prob_superior(alternative=LARGER[side])
        yield entry("brunner_munzel", NORMAL, side, "statsmodels rank_compare_2indep", outcome, df=finite(compared.df))
    for trim in TRIMS:
        outcome = anova_oneway((x, y), use_var="unequal", trim_frac=trim)
        row = entry(
            "yuen", {"trim": trim}, "two-sided", "statsmodels anova_oneway", outcome, df=finite(outcome.df_denom)
        )
        yield row | {
            "statistic": float(
                np.sign(stats.trim_mean(x, trim) - stats.trim_mean(y, trim)) * np.sqrt(outcome.statistic)
            )
        }


def finite(value: float) -> float | None:
    """Return degrees of freedom that exist."""
    return float(value) if isfinite(value) else None


def by_relabelling(x: list[float], y: list[float]) -> Iterator[Case]:
    """Permutation of the difference of means and of Welch's t, Mann-Whitney and Brunner-Munzel: all relabellings, in fractions."""
    n_pairs = len(x) * len(y)
    mean = sum(listing.fractions(x)) / len(x) - sum(listing.fractions(y)) / len(y)
    ranks = listing.rank_sums(x, y)
    lists = {"permutation": (listing.differences_of_means(x, y), mean)}
    lists["mann_whitney"] = ranks, Fraction(int(ranks[0]) + n_pairs, 2)
    if min(len(x), len(y)) > 1:
        lists["brunner_munzel"] = listing.brunner_munzel(x, y), None
        squares = listing.welch(x, y)
        lists["studentized_permutation"] = squares, copysign(sqrt(abs(squares[0])), squares[0])
    for test, (share, statistic) in lists.items():
        for side, p in listing.tails(share).items():
            numbers = {"p": float(p), "statistic": None if statistic is None else float(statistic), "df": None}
            yield {"test": test, "options": EXACT, "alternative": side, **numbers, "source": "all relabellings"}
