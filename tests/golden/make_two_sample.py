"""two_sample.json: two-sample tests by R, SciPy, statsmodels and all relabellings, for every alternative they have.

A value that the software does not have (NaN, a statistic that is not finite, an error) is left out: what runoff says of
samples without variance is defined in its docstrings and tested by itself.
"""

from __future__ import annotations

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
from tests.golden.tools import Case, Golden, inputs, packages, run_r

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
    asked = [{"name": c["name"], "x": c["x"], "y": c["y"], "draws": DRAWS * c.get("drawn", False)} for c in cases]
    software, by_r = run_r("two_sample.R", asked)
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
        rows = [*by_r, *by_scipy(x, y), *by_statsmodels(x, y)]
    if not case.get("drawn"):
        rows += by_relabelling(case["x"], case["y"])
    return [tidy(row) for row in rows if usable(row) and (case["name"], row["test"], row["alternative"]) not in ROUNDED]


def usable(row: Case) -> bool:
    """Return whether the software had an answer."""
    return isfinite(row["p"]) and (row.get("statistic") is None or isfinite(row["statistic"]))


def tidy(row: Case) -> Case:
    """Leave out what the software does not tell; say of a drawn p-value how many draws there were."""
    known = {key: value for key, value in row.items() if value is not None}
    if row["options"].get("method") == "monte_carlo":
        known["drawn"] = {"p": known.pop("p"), "draws": DRAWS}
    return known


def entry(test: str, options: Case, side: str, source: str, found: Any, **other: Any) -> Case:
    """Return one golden value."""
    numbers = {"p": float(found.pvalue), "statistic": float(found.statistic), "df": other.get("df")}
    return {"test": test, "options": options, "alternative": side, **numbers, "source": source}


def by_scipy(x: np.ndarray, y: np.ndarray) -> Iterator[Case]:
    """Student, Welch, Yuen, t of ranks, Mann-Whitney, Kolmogorov-Smirnov and Brunner-Munzel, whose statistic SciPy has of y - x."""
    ranks = stats.rankdata(np.concatenate([x, y]))
    for side in SIDES:
        for test, a, b, more in t_tests(x, y, ranks):
            found = stats.ttest_ind(a, b, alternative=side, **more)
            options = {key: value for key, value in more.items() if key == "trim"}
            yield entry(test, options, side, "SciPy ttest_ind", found, df=finite(found.df))
        found = stats.mannwhitneyu(x, y, alternative=side, method="asymptotic", use_continuity=True)
        yield entry("mann_whitney", NORMAL, side, "SciPy mannwhitneyu", found)
        if side == "two-sided" and np.unique([*x, *y]).size == x.size + y.size:  # its exact null takes no ties
            found = stats.ks_2samp(x, y, method="exact")
            yield entry("kolmogorov_smirnov", EXACT, side, "SciPy ks_2samp", found)
        if min(x.size, y.size) > 1:
            found = stats.brunnermunzel(x, y, alternative=side, distribution="t")
            row = entry("brunner_munzel", NORMAL, side, "SciPy brunnermunzel", found)
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
        found = compared.test_prob_superior(alternative=LARGER[side])
        yield entry("brunner_munzel", NORMAL, side, "statsmodels rank_compare_2indep", found, df=finite(compared.df))
    for trim in TRIMS:
        found = anova_oneway((x, y), use_var="unequal", trim_frac=trim)
        row = entry("yuen", {"trim": trim}, "two-sided", "statsmodels anova_oneway", found, df=finite(found.df_denom))
        yield row | {
            "statistic": float(np.sign(stats.trim_mean(x, trim) - stats.trim_mean(y, trim)) * np.sqrt(found.statistic))
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
    for test, (found, statistic) in lists.items():
        for side, p in listing.tails(found).items():
            numbers = {"p": float(p), "statistic": None if statistic is None else float(statistic), "df": None}
            yield {"test": test, "options": EXACT, "alternative": side, **numbers, "source": "all relabellings"}
