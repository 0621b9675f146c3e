"""Golden values of blocked tests: statistics by R (coin, base), exact null distributions by counting and by listing.

Statistics and asymptotic p-values are those of R, and the plain formula in `counting` agrees to 1e-9 or nothing is
written. Exact p-values are counted in integers; with two algorithms coin's own exact distribution agrees, in ragged
designs a list of all arrangements. Where counting is out of reach (`drawn` in the inputs) coin draws 200,000 arrangements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import inf, lcm, sqrt
from statistics import mean

from scipy import stats

from tests.golden import counting, listing
from tests.golden.counting import Cells, Design, Sums
from tests.golden.tools import Case, Golden, agree, inputs, packages, run_r

DRAWS = 200_000
SIDES = ("two-sided", "greater", "less")
SMALL = 10_000
"""Scores are made whole for coin's exact distribution up to this common multiple of the tasks' sizes."""


# ── what R is asked ──────────


def question(test: str, case: Case) -> Case:
    """Return a case as R wants it: one row per run."""
    rows = [(y, t, a) for a, row in enumerate(case["cells"]) for t, cell in enumerate(row) for y in cell]
    y, block, treatment = ([*column] for column in zip(*rows, strict=True))
    draws, scale = (DRAWS, 0) if case.get("drawn") else (0, whole_scale(test, case["cells"]))
    return {"test": test, "y": y, "block": block, "treatment": treatment, "draws": draws, "scale": scale}


def whole_scale(test: str, cells: Cells) -> int:
    """What makes the weighted ranks of a task whole, 0 where that is too large."""
    shift = int(test == "van_elteren")
    scale = 2 * lcm(*(task.size + shift for task in counting.tasks_of(cells)))
    return scale if scale <= SMALL else 0


def answered(test: str, cases: list[Case], design: Callable[[Cells], Design]) -> tuple[list[str], Iterator[Case]]:
    """Return R's software and, case by case, R's answers after a look at the plain formula."""
    software, answers = run_r("blocked.R", [question(test, case) for case in cases])
    return software, (checked(case, answer, design) for case, answer in zip(cases, answers, strict=True))


def checked(case: Case, answer: Case, design: Callable[[Cells], Design]) -> Case:
    """Return what R found, once the formula has found the same."""
    plain = design(case["cells"])
    for key, value in (("statistic", plain.statistic), ("z", plain.z)):
        if answer.get(key) is not None:
            agree(f"{case['name']}: {key}", answer[key], value())
    return answer


def shown(case: Case, expected: Case) -> Case:
    """Return a golden case: name, note and cells of the input, and what is expected."""
    return {key: case[key] for key in ("name", "note", "cells") if key in case} | {"expected": expected}


def exact(p: Fraction, key: str = "exact_p") -> Case:
    """Return an exact p-value as a number and as a fraction."""
    return {key: float(p), f"{key}_fraction": str(p)}


# ── Mack-Skillings and van Elteren ──────────


def mack_skillings() -> Golden:
    """Return mack_skillings.json."""
    cases = inputs("mack_skillings") + inputs("ragged")
    software, answers = answered("mack_skillings", cases, counting.mack_skillings)
    cases_out = [shown(case, mack_skillings_of(case, answer)) for case, answer in zip(cases, answers, strict=True)]
    return Golden(software, cases_out)


def mack_skillings_of(case: Case, answer: Case) -> Case:
    """Add the exact p-values, in both directions where there are two algorithms."""
    if case.get("drawn"):
        return answer
    design, totals = counting.mack_skillings(case["cells"]), listed(case, shift=0)
    p = design.pvalue()
    if totals:
        same(case, p, listing.tails(listing.forms(totals))["two-sided"])
    return directed(case, answer, design, totals) | exact(p)


def van_elteren() -> Golden:
    """Return van_elteren.json."""
    cases = inputs("van_elteren") + [case for case in inputs("ragged") if len(case["cells"]) == 2]
    software, answers = answered("van_elteren", cases, counting.van_elteren)
    cases_out = []
    for case, answer in zip(cases, answers, strict=True):
        if not case.get("drawn"):
            answer = directed(case, answer, counting.van_elteren(case["cells"]), listed(case, shift=1))
        cases_out.append(shown(case, answer))
    return Golden(software, cases_out)


def listed(case: Case, shift: int) -> list[list[Fraction]]:
    """Totals of all arrangements of a ragged case, one after the other; none for other cases."""
    return listing.weighted_totals(case["cells"], shift) if case["name"].startswith("ragged") else []


def directed(case: Case, answer: Case, design: Design, totals: list[list[Fraction]]) -> Case:
    """Put counted p-values of the three alternatives in the place of coin's, which are the same."""
    if len(case["cells"]) > 2:
        return answer
    counted = {side: design.tail(side) for side in SIDES}
    for side, p in answer.get("exact", {}).items():
        agree(f"{case['name']}: exact p, {side}", p, float(counted[side]))
    if totals:
        by_list = listing.tails([total[0] for total in totals])
        for side in SIDES:
            same(case, counted[side], by_list[side])
    fractions = {side: str(p) for side, p in counted.items()}
    return answer | {"exact": {side: float(p) for side, p in counted.items()}, "exact_fractions": fractions}


def same(case: Case, counted: Fraction, by_list: Fraction) -> None:
    """Stop where counting and listing differ."""
    if counted != by_list:
        raise SystemExit(f"{case['name']}: counted {counted}, listed {by_list}")


# ── one value a cell ──────────


def averaged(cells: Cells) -> Cells:
    """Return cells of one value, the mean of the runs."""
    return [[[mean(listing.fractions(cell))] if cell else [] for cell in row] for row in cells]


def skillings_mack() -> Golden:
    """Return skillings_mack.json."""
    cases = inputs("skillings_mack") + inputs("ragged")
    software, answers = answered("skillings_mack", cases, lambda cells: counting.skillings_mack(averaged(cells)))
    cases_out = []
    for case, answer in zip(cases, answers, strict=True):
        counted = {} if case.get("drawn") else exact(counting.skillings_mack(averaged(case["cells"])).pvalue())
        cases_out.append(shown(case, answer | counted))
    return Golden(software, cases_out)


def friedman() -> Golden:
    """Return friedman.json: coin and friedman.test agree; Iman and Davenport's F is the analysis of variance of ranks."""
    cases = inputs("friedman")
    software, answers = answered("friedman", cases, counting.mack_skillings)
    cases_out = [shown(case, friedman_of(case, answer)) for case, answer in zip(cases, answers, strict=True)]
    return Golden(software + packages("scipy"), cases_out)


def friedman_of(case: Case, answer: Case) -> Case:
    """Compare friedman.test with coin; add exact p-values, Nemenyi's critical differences and the uncorrected statistic."""
    base = answer.pop("friedman_test")
    for key in ("statistic", "p_chi2"):
        if base[key] is not None:
            agree(f"{case['name']}: {key}", base[key], answer[key])
    k, n = len(case["cells"]), len(case["cells"][0])
    counted = {} if case.get("drawn") else exact(counting.mack_skillings(case["cells"]).pvalue())
    return (
        {"mean_ranks": [ranks / n for ranks in answer.pop("rank_sums")]}
        | answer
        | counted
        | {"statistic_uncorrected": uncorrected(case["cells"]), "nemenyi_cd": nemenyi(k, n)}
    )


def uncorrected(cells: Cells) -> float:
    """Friedman's χ² as in his paper, 12 / (n k (k+1)) Σ (R_j - n (k+1) / 2)², whatever the ties."""
    tasks = counting.tasks_of(cells)
    doubled = [sum(column) for column in zip(*(task.observed() for task in tasks), strict=True)]
    k, n = len(cells), len(tasks)
    return float(Fraction(3 * sum(d * d for d in doubled), n * k * (k + 1)))


def nemenyi(k: int, n: int) -> Case:
    """Critical differences of mean ranks, q √(k (k+1) / 12 n), by level (Demšar 2006, with q not divided by √2)."""
    quantile = {alpha: stats.studentized_range.ppf(1 - float(alpha), k, inf) for alpha in ("0.01", "0.05", "0.1")}
    return {alpha: float(q * sqrt(k * (k + 1) / (12 * n))) for alpha, q in quantile.items()}


# ── the stratified permutation test ──────────


def stratified() -> Golden:
    """Return stratified.json: all relabellings within tasks, one after the other, in fractions."""
    cases = [case for case in inputs("ragged") if len(case["cells"]) == 2]
    return Golden(["Python fractions: tests/golden/listing.py"], [shown(case, stratified_of(case)) for case in cases])


def stratified_of(case: Case) -> Case:
    """The difference of means and its p-values."""
    values = [difference_of_means(way) for way in listing.arrangements(listing.literal(case["cells"]))]
    p = {side: str(share) for side, share in listing.tails(values).items()}
    return {"statistic": float(values[0]), "exact_fractions": p}


def difference_of_means(arrangement: listing.Arrangement) -> Fraction:
    """Mean over tasks of the difference of the cells' means."""
    return mean(mean(x) - mean(y) for x, y in arrangement)


# ── whole null distributions ──────────


def exact_null() -> Golden:
    """Return exact_null.json: the uncorrected Mack-Skillings statistic of untied balanced designs, in fractions."""
    cases_out = []
    for case in inputs("exact_null"):
        k, n, c = (case[key] for key in "knc")
        distribution = counting.assigned(tuple(range(2, 2 * k * c + 1, 2)), (c,) * k)
        whole = distribution
        for _ in range(n - 1):
            whole = counting.convolved(whole, distribution)
        cases_out.append(case | {"distribution": [[str(value), str(share)] for value, share in law(whole, k, n, c)]})
    return Golden(["Python fractions: tests/golden/counting.py"], cases_out)


def law(totals: Counter[Sums], k: int, n: int, c: int) -> list[tuple[Fraction, Fraction]]:
    """Values 12 / (c² k n (k c + 1)) Σ (rank sum - its mean)² in ascending order, and their probabilities."""
    ways: Counter[Fraction] = Counter()
    for sums, count in totals.items():
        ways[Fraction(3 * sum(s * s for s in sums), c * c * k * n * (k * c + 1))] += count
    return [(value, Fraction(count, ways.total())) for value, count in sorted(ways.items())]
