"""N = 2 and 3, ties, no variance, equal samples: a defined answer, no NaN, no warning (pytest makes warnings errors)."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.two_sample import TWO_SAMPLE, run_two_sample
from runoff._inference.two_sample.registry import ALTERNATIVES_OF
from runoff.errors import DesignError

PARAMETRIC = [name for name, test in TWO_SAMPLE.items() if test.methods == ("auto", "asymptotic")]
SAMPLES = {
    "two runs": ([1.0, 2.0], [3.0, 4.5]),
    "two equal pairs": ([1.0, 2.0], [2.0, 1.0]),
    "three runs with ties": ([1.0, 1.0, 2.0], [1.0, 2.0, 2.0]),
    "one constant": ([1.0, 1.0, 1.0], [0.0, 3.0, 4.0]),
    "constant and equal": ([0.1, 0.1, 0.1], [0.1, 0.1, 0.1]),
    "constant and different": ([0.1, 0.1, 0.1], [0.3, 0.3]),
    "constant after trimming": ([1.0] * 9 + [5.0], [2.0] * 9 + [0.0]),
    "separated": ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]),
    "huge": ([1e308, -1.5e308, 3.0], [1.7e308, 1e308, 2.0]),
    "tiny": ([1e-310, 2e-310, 4e-310], [3e-310, 5e-310, 9e-310]),
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("test", TWO_SAMPLE)
def test_degenerate_samples_have_a_defined_answer(test: str, name: str) -> None:
    x, y = (np.array(sample)[None] for sample in SAMPLES[name])
    for alternative in TWO_SAMPLE[test].claims:
        outcome = run_two_sample(test, x, y, alternative=alternative, n_resamples=500)
        assert 0.0 < outcome.pvalue[0] <= 1.0
        assert not np.isnan(outcome.statistic[0])
        assert np.isfinite(outcome.pvalue_error[0])
        assert outcome.df is None or np.isfinite(outcome.df[0])


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("test", sorted(name for name, test in TWO_SAMPLE.items() if "less" in test.claims))
def test_constant_and_equal_samples_have_pvalue_one(test: str, alternative: str) -> None:
    same = np.full((1, 3), 0.1)
    outcome = run_two_sample(test, same, same[:, :2], alternative=alternative, n_resamples=200)
    assert outcome.pvalue[0] == 1.0
    assert outcome.statistic[0] == (3.0 if test == "mann_whitney" else 0.0)


@pytest.mark.parametrize("test", [*PARAMETRIC, "bootstrap", "brunner_munzel", "permutation", "mann_whitney"])
def test_constant_and_different_samples_have_the_pvalue_of_complete_separation(test: str) -> None:
    x, y = np.full((1, 4), 0.1), np.full((1, 4), 0.7)
    assert run_two_sample(test, x, y).pvalue[0] == pytest.approx(2 / 70)
    assert run_two_sample(test, x, y, alternative="less").pvalue[0] == pytest.approx(1 / 70)
    assert run_two_sample(test, x, y, alternative="greater").pvalue[0] == 1.0


def test_brunner_munzel_at_complete_separation_is_the_permutation_pvalue_by_either_method() -> None:
    x, y = np.array([[1.0, 2.0, 3.0]]), np.array([[4.0, 5.0, 6.0]])
    by_t, by_permutation = (run_two_sample("brunner_munzel", x, y, method=m) for m in ("asymptotic", "exact"))
    assert by_t.pvalue[0] == by_permutation.pvalue[0] == pytest.approx(0.1)
    assert by_t.statistic[0] == -np.inf
    assert by_t.method[0] == "exact"


def test_yuen_without_variance_after_trimming_permutes_what_is_left() -> None:
    x, y = (np.array(sample)[None] for sample in SAMPLES["constant after trimming"])
    assert run_two_sample("yuen", x, y).pvalue[0] == pytest.approx(2 / 12870)  # C(8 + 8, 8)


def test_many_constant_runs_do_not_underflow_to_zero() -> None:
    x, y = np.zeros((1, 2000)), np.ones((1, 2000))
    assert run_two_sample("welch", x, y).pvalue[0] > 0.0


@pytest.mark.parametrize(("test", "sizes"), [("welch", (1, 5)), ("student", (1, 1)), ("bootstrap", (3, 1))])
def test_samples_too_small_for_a_test_are_refused(test: str, sizes: tuple[int, int]) -> None:
    with pytest.raises(DesignError, match=f"{test} needs at least"):
        run_two_sample(test, np.ones((1, sizes[0])), np.ones((1, sizes[1])))


def test_trimming_that_leaves_one_value_is_refused() -> None:
    with pytest.raises(DesignError, match=r"trim=0\.4 leaves 1 value"):
        run_two_sample("yuen", np.ones((1, 5)), np.ones((1, 8)), trim=0.4)


def test_exact_methods_beyond_what_is_affordable_are_refused_and_name_the_alternative() -> None:
    long = np.arange(300.0)[None]
    with pytest.raises(DesignError, match="monte_carlo"):
        run_two_sample("permutation", long, long + 0.5, method="exact")
    with pytest.raises(DesignError, match="asymptotic"):
        run_two_sample("mann_whitney", long, long + 0.5, method="exact")


def test_a_batch_mixes_regular_and_degenerate_pairs() -> None:
    x = np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 4.0], [2.0, 2.0, 2.0]])
    y = np.array([[1.0, 1.0, 1.0], [2.0, 7.0, 5.0], [3.0, 3.0, 3.0]])
    outcome = run_two_sample("welch", x, y)
    assert outcome.method.tolist() == ["exact", "asymptotic", "exact"]
    assert outcome.pvalue[[0, 2]].tolist() == [1.0, pytest.approx(0.1)]


@pytest.mark.parametrize("interval", ["studentized", "percentile"])
@pytest.mark.parametrize("name", TWO_SAMPLE)
def test_a_statistic_has_no_unit_or_that_of_the_scores_however_large_these_are(name, interval):
    x, y = np.array([[1.0, 2.0, 4.0, 7.0, 3.0]]), np.array([[2.0, 5.0, 9.0, 6.0, 8.0]])
    in_units = TWO_SAMPLE[name].in_units and (name != "bootstrap" or interval == "percentile")
    (own,) = run_two_sample(name, x, y, n_resamples=200, interval=interval).statistic
    if name in ("permutation", "bootstrap") and in_units:
        assert own == pytest.approx(x.mean() - y.mean())
    for power in (3, 900, -900):
        scale = 2.0**power
        (scaled,) = run_two_sample(name, x * scale, y * scale, n_resamples=200, interval=interval).statistic
        assert scaled == pytest.approx(own * (scale if in_units else 1.0))


def test_tests_in_units_are_those_of_a_difference_of_means():
    assert {name for name, test in TWO_SAMPLE.items() if test.in_units} == {"permutation", "bootstrap"}


@pytest.mark.parametrize("compared", ALTERNATIVES_OF)
def test_what_is_smaller_by_one_alternative_is_larger_by_the_other(compared):
    words = ALTERNATIVES_OF[compared]
    if "greater" in words:
        assert "larger" in words["greater"]
        assert words["less"] == words["greater"].replace("larger", "smaller")
        assert words["less"] != words["greater"]
