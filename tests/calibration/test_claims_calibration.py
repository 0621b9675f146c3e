"""How often a table of equal algorithms has a supported claim, although its winners are picked by their results."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro

ALPHA = 0.05
LAWS = {
    "normal": lambda rng, shape: rng.normal(100, 10, shape),
    "unequal spreads": lambda rng, shape: 100 + rng.normal(0, 1, shape) * np.linspace(2, 12, shape[0])[:, None, None],
    "zero or one": lambda rng, shape: (rng.random(shape) < 0.5).astype(float),
    "log-normal": lambda rng, shape: 90 + 10 * rng.lognormal(0, 0.7, shape),
}


def table(rng, law, n_algorithms, n_tasks, n):
    """Return a table of equal algorithms as it would be printed, with means, standard deviations and the best in bold."""
    runs = LAWS[law](rng, (n_algorithms, n_tasks, n))
    means, stds = runs.mean(-1), runs.std(-1, ddof=1)
    names = [f"alg{i}" for i in range(n_algorithms)]
    rows = [f"| Task | {' | '.join(names)} |", "|---" * (n_algorithms + 1) + "|"]
    for t in range(n_tasks):
        best = means[:, t].argmax()
        cells = [f"{m:.3f} ± {s:.3f}" for m, s in zip(means[:, t], stds[:, t], strict=True)]
        rows.append(f"| env {t} | " + " | ".join(f"**{c}**" if i == best else c for i, c in enumerate(cells)) + " |")
    return "\n".join(rows) + "\n"


def answered(law, n_algorithms, n_tasks, n, n_repeats, **options):
    """Yield the answer of each table."""
    rng = np.random.default_rng(1000 * n_algorithms + 10 * n_tasks + n)
    for _ in range(n_repeats):
        text = table(rng, law, n_algorithms, n_tasks, n)
        yield ro.claims(text, spread="sd", n_runs=n, rows="tasks", accept_wide=True, **options)


def any_supported(results) -> int:
    return sum(result.count("yes") > 0 for result in results)


def at_most(hits, n, rate):
    """Whether this many hits are plausible at `rate` or less."""
    return stats.binomtest(int(hits), n, rate, alternative="greater").pvalue > 0.001


REPEATS = pytest.mark.parametrize("n_repeats", [100, pytest.param(1_000, marks=pytest.mark.slow)])


@REPEATS
def test_equal_algorithms_of_one_task_are_seldom_told_apart(n_repeats):
    assert at_most(any_supported(answered("normal", 4, 1, 5, n_repeats)), n_repeats, ALPHA)


@pytest.mark.slow
@pytest.mark.parametrize(("n_algorithms", "n_tasks", "n"), [(2, 1, 5), (5, 1, 10), (5, 3, 3), (5, 3, 10), (8, 6, 5)])
@pytest.mark.parametrize("law", ["normal", "unequal spreads"])
def test_a_winner_that_is_picked_by_its_results_is_supported_in_at_most_alpha(law, n_algorithms, n_tasks, n):
    assert at_most(any_supported(answered(law, n_algorithms, n_tasks, n, 2000)), 2000, ALPHA)


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_an_algorithm_that_was_named_beforehand_is_supported_in_at_most_alpha(law):
    assert at_most(any_supported(answered(law, 5, 3, 10, 2000, algorithm="alg0")), 2000, ALPHA)


def of_the_equal_two(result) -> bool:
    """Whether a claim between the two equal algorithms of three is supported."""
    return any(claim.verdict == "yes" and {claim.a, claim.b} == {"alg0", "alg1"} for claim in result.claims)


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 10])
def test_two_equal_algorithms_beside_a_better_one_are_told_apart_in_at_most_alpha(n):
    rng, hits = np.random.default_rng(n), 0
    for _ in range(1000):
        runs = rng.normal([[[100.0]], [[100.0]], [[140.0]]], 10, (3, 4, n))
        heads = "task,alg0,alg1,alg2"
        rows = [",".join(f"{v.mean():.4f} ± {v.std(ddof=1):.4f}" for v in task) for task in runs.swapaxes(0, 1)]
        text = "\n".join([heads, *(f"env {t},{row}" for t, row in enumerate(rows)), ""])
        results = [ro.claims(text, spread="sd", n_runs=n, rows="tasks", algorithm=name) for name in (None, "alg0")]
        hits += any(map(of_the_equal_two, results))
    assert at_most(hits, 1000, ALPHA)


@pytest.mark.slow
def test_a_family_of_the_winners_claims_alone_would_be_wrong_too_often():
    alone = 0
    for result in answered("normal", 5, 3, 10, 2000):
        pvalues = [claim.readings[0].pvalue for claim in result.claims]
        alone += min(pvalues) * len(pvalues) <= ALPHA
    assert stats.binomtest(alone, 2000, ALPHA, alternative="greater").pvalue < 0.001


def of_bootstrap(n, n_repeats, **options):
    """Yield the answer of each table of two equal algorithms, printed with percentile bootstrap intervals of 95 %."""
    rng = np.random.default_rng(n)
    for _ in range(n_repeats):
        runs = rng.normal(100, 10, (2, n))
        draws = np.take_along_axis(runs[:, None, :], rng.integers(0, n, (2, 1000, n)), axis=2).mean(2)
        ends = np.quantile(draws, (0.025, 0.975), axis=1)
        a, b = (f"{m:.3f} [{low:.3f}, {high:.3f}]" for m, low, high in zip(runs.mean(1), *ends, strict=True))
        yield ro.claims(f"| Task | a | b |\n|---|---|---|\n| t | {a} | {b} |\n", n_runs=n, rows="tasks", **options)


@REPEATS
@pytest.mark.parametrize("spread", ["ci95", "ci95_bootstrap"])
def test_bootstrap_intervals_of_equal_algorithms_are_seldom_told_apart(spread, n_repeats):
    results = list(of_bootstrap(5, n_repeats, spread=spread))
    assert at_most(any_supported(results), n_repeats, ALPHA)
    # few of them lie evenly about their means, within the digits that are printed
    assert sum(result.spreads == ("ci95_bootstrap",) for result in results) > 0.9 * n_repeats


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 5, 10])
def test_half_of_a_bootstrap_interval_keeps_alpha_and_would_not_as_half_of_a_t_interval(n):
    results = list(of_bootstrap(n, 2000, spread="ci95"))
    assert at_most(any_supported(results), 2000, ALPHA)
    widths = np.array([[cell.spread for cell in result.table.cells] for result in results])
    means = np.array([[cell.mean for cell in result.table.cells] for result in results])
    sd = widths * np.sqrt(n) / stats.t.ppf(0.975, n - 1)
    p = stats.ttest_ind_from_stats(*(x for i in (0, 1) for x in (means[:, i], sd[:, i], n)), equal_var=False).pvalue
    assert stats.binomtest(int((p <= ALPHA).sum()), 2000, ALPHA, alternative="greater").pvalue < 0.001


@pytest.mark.slow
def test_a_true_difference_of_two_standard_deviations_is_found_with_ten_runs():
    rng, hits = np.random.default_rng(1), 0
    for _ in range(200):
        runs = rng.normal([[100.0], [80.0], [80.0]], 10, (3, 10))
        cells = " | ".join(f"{m:.2f} ± {s:.2f}" for m, s in zip(runs.mean(1), runs.std(1, ddof=1), strict=True))
        result = ro.claims(f"| Task | a | b | c |\n|---|---|---|---|\n| t | {cells} |\n", spread="sd", n_runs=10)
        hits += all(claim.verdict == "yes" for claim in result.claims)
    assert hits > 0.9 * 200
