"""`two_sample_test` and `test_from_summary`: what a user asks and reads."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from runoff._inference.two_sample import TWO_SAMPLE
from runoff.errors import DataError, DesignError, OptionError
from runoff.methods.two_sample import test_from_summary as from_summary
from runoff.methods.two_sample import two_sample_test

X, Y = [1.0, 4.0, 2.0, 8.0, 5.0], [3.0, 9.0, 7.0, 6.5, 10.0, 12.0]


def codes(x: list[float], y: list[float], **options: Any) -> list[str]:
    return [advice.code for advice in two_sample_test(x, y, **options).advice]


@pytest.mark.parametrize("test", TWO_SAMPLE)
def test_every_registered_test_answers_through_the_public_call(test: str) -> None:
    result = two_sample_test(X, Y, test=test, n_resamples=500)
    assert 0.0 < result.pvalue <= 1.0
    assert (result.n_x, result.n_y, result.test) == (5, 6, test)
    assert result.null == TWO_SAMPLE[test].null.format(both="x and y")
    assert result.method in ("exact", "asymptotic", "monte_carlo")
    assert f"n = {result.n_x} and {result.n_y}" in result.sentence


def test_a_result_has_one_record_that_json_can_hold() -> None:
    (record,) = two_sample_test(X, Y, test="kolmogorov_smirnov").to_records()
    assert record["advice"][0]["code"] == "R105"
    assert json.loads(json.dumps(record))["n_x"] == 5
    assert two_sample_test(X, Y).to_frame().height == 1


def test_the_seed_is_told_only_where_something_was_drawn() -> None:
    assert two_sample_test(X, Y, test="bootstrap", rng=7).seed == 7
    assert two_sample_test(X, Y, test="permutation", rng=7).seed is None
    assert two_sample_test(X, Y, test="permutation", method="monte_carlo", rng=7).n_resamples == 50_000


@pytest.mark.parametrize("test", sorted(name for name, test in TWO_SAMPLE.items() if "less" in test.claims))
def test_the_direction_is_the_users(test: str) -> None:
    low, high = [1.0, 2.0, 3.0, 4.5], [11.0, 14.0, 12.0, 19.0]
    assert two_sample_test(high, low, test=test, alternative="greater", n_resamples=2000).pvalue < 0.05
    assert two_sample_test(low, high, test=test, alternative="greater", n_resamples=2000).pvalue > 0.9
    assert two_sample_test(low, high, test=test, alternative="less", n_resamples=2000).pvalue < 0.05


@pytest.mark.parametrize("test", ["welch", "student"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_from_summary_says_what_the_runs_say(test: str, alternative: str) -> None:
    summary = {"mean_x": np.mean(X), "std_x": np.std(X, ddof=1), "mean_y": np.mean(Y), "std_y": np.std(Y, ddof=1)}
    ours = from_summary(**summary, n_x=5, n_y=6, test=test, alternative=alternative)
    runs = two_sample_test(X, Y, test=test, alternative=alternative)
    assert (ours.statistic, ours.df, ours.pvalue) == pytest.approx((runs.statistic, runs.df, runs.pvalue), rel=1e-12)


def test_the_printed_pvalue_of_colas_2018_example_2_does_not_follow_from_its_printed_summary() -> None:
    # Section 4.3 prints 0.0037; one-sided as in the paper's section 3.1 it is 0.0057
    result = from_summary(mean_x=3690, std_x=1086, n_x=10, mean_y=5323, std_y=1454, n_y=10, alternative="less")
    assert result.pvalue == pytest.approx(0.005673, abs=1e-6)


def test_summaries_without_spread_have_the_answer_of_constant_samples() -> None:
    result = from_summary(mean_x=1.0, std_x=0.0, n_x=3, mean_y=2.0, std_y=0.0, n_y=3)
    assert result.pvalue == pytest.approx(0.1)
    assert result.statistic == -np.inf
    assert [advice.code for advice in result.advice] == ["R101"]


@pytest.mark.parametrize(
    ("x", "y", "options", "code"),
    [
        ([1.0, 1.0, 1.0], [2.0, 2.0, 2.0], {}, "R101"),
        ([1.0, 1.0, 1.0], [2.0, 3.0, 4.0], {}, "R102"),
        ([1.0, 2.0, 3.0], [3.0, 1.0, 2.0], {}, "R103"),
        ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], {"test": "mann_whitney"}, "R104"),
        (X, Y, {"test": "kolmogorov_smirnov"}, "R105"),
        (X, Y, {"test": "yuen"}, "R107"),
        ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], {"test": "brunner_munzel", "method": "asymptotic"}, "R108"),
    ],
)
def test_each_reservation_is_told_with_its_code(
    x: list[float], y: list[float], options: dict[str, Any], code: str
) -> None:
    assert code in codes(x, y, **options)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [([1.0, 1.0, 1.0], [2.0, 4.0], "3 values of x"), ([2.0, 4.0], [1.0, 1.0, 1.0], "3 values of y")],
)
def test_the_sample_that_does_not_vary_is_named_with_its_size(x: list[float], y: list[float], words: str) -> None:
    (advice,) = [advice for advice in two_sample_test(x, y).advice if advice.code == "R102"]
    assert f"all {words} are equal" in advice.text


def test_sound_samples_get_no_advice() -> None:
    assert codes(X, Y) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "wilch"}, r"test must be one of student, welch.*Did you mean 'welch'"),
        ({"alternative": "bigger"}, "alternative must be one of greater, less, two-sided"),
        ({"test": "welch", "method": "exact"}, "method of welch must be one of auto, asymptotic"),
        ({"test": "kolmogorov_smirnov", "alternative": "less"}, "no one-sided alternative"),
        ({"test": "bootstrap", "interval": "bca"}, "interval must be one of studentized, basic, percentile"),
        ({"test": "yuen", "trim": 0.5}, "trim must be at least 0 and below 0.5"),
        ({"test": "bootstrap", "n_resamples": 0}, "n_resamples must be a whole number"),
        ({"rng": -1}, "rng must be"),
    ],
)
def test_options_that_mean_nothing_are_refused_in_one_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        two_sample_test(X, Y, **options)


@pytest.mark.parametrize(("x", "message"), [([1.0, np.nan], "not finite"), ([[1.0, 2.0]], "one-dimensional")])
def test_samples_that_are_not_finite_vectors_are_refused(x: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        two_sample_test(x, Y)


def test_an_empty_sample_is_refused() -> None:
    with pytest.raises(DesignError, match="x has 0 value"):
        two_sample_test([], Y)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"std_x": -1.0}, DataError, "std_x must be a finite number of at least 0"),
        ({"mean_y": np.inf}, DataError, "mean_y must be a finite number"),
        ({"n_x": 1}, DesignError, "welch needs at least 2"),
        ({"n_y": 2.5}, OptionError, "n_y must be a whole number"),
        ({"test": "mann_whitney"}, OptionError, "mean, std and n are enough for student, welch"),
    ],
)
def test_summaries_that_cannot_be_are_refused(change: dict[str, Any], error: type[Exception], message: str) -> None:
    summary = {"mean_x": 1.0, "std_x": 1.0, "n_x": 5, "mean_y": 2.0, "std_y": 1.0, "n_y": 5}
    with pytest.raises(error, match=message):
        from_summary(**(summary | change))


PINNED = {"studentized": 0.13986013986013987, "basic": 0.05194805194805195, "permutation": 0.013119737605247895}


@pytest.mark.parametrize("unit", [1.0, 1e-200, 1e200])
def test_the_difference_is_the_first_mean_less_the_second_in_the_unit_of_the_scores(unit):
    x, y = np.array([5.0, 7.0, 9.0]) * unit, np.array([1.0, 2.0]) * unit
    assert two_sample_test(x, y).difference == pytest.approx(5.5 * unit)
    assert two_sample_test(y, x).difference == pytest.approx(-5.5 * unit)


@pytest.mark.parametrize("test", ["welch", "yuen", "brunner_munzel", "studentized_permutation", "bootstrap"])
def test_a_test_that_estimates_a_spread_refuses_a_sample_of_one(test):
    with pytest.raises(DesignError, match="needs at least 2 value"):
        two_sample_test([1.0], [1.0, 2.0, 3.0], test=test)


def test_the_stream_of_a_bootstrap_test_is_part_of_what_is_promised():
    """The same seed gives the same bits on every machine and in every version; a change belongs into the changelog."""
    x, y = [0.1, 1.7, 0.4, 2.2, 0.9], [1.5, 2.8, 1.1, 3.0]
    assert two_sample_test(x, y, test="bootstrap", n_resamples=1000, rng=5).pvalue == PINNED["studentized"]
    basic = two_sample_test(x, y, test="bootstrap", interval="basic", n_resamples=1000, rng=5)
    assert basic.pvalue == PINNED["basic"]
    longer = [*x, 1.2, 0.3, 2.9, 1.1, 0.8, 1.9, 0.2]
    drawn = two_sample_test(longer, [*y, 2.2, 1.4, 3.1, 2.7, 1.8], test="permutation", method="monte_carlo", rng=5)
    assert drawn.pvalue == PINNED["permutation"]


def test_a_drawn_p_value_counts_the_data_themselves_and_is_never_0():
    x, y = np.arange(30.0), np.arange(100.0, 130.0)
    for test in ("permutation", "studentized_permutation"):
        assert two_sample_test(x, y, test=test, n_resamples=99).pvalue == 1 / 100
    assert two_sample_test(x, y, test="bootstrap", interval="basic", n_resamples=99).pvalue == 2 / 100


@pytest.mark.parametrize(
    ("test", "n_x", "n_y", "ties", "method"),
    [
        ("mann_whitney", 100, 100, False, "exact"),
        ("mann_whitney", 101, 100, False, "asymptotic"),
        ("mann_whitney", 50, 50, True, "exact"),
        ("mann_whitney", 51, 50, True, "asymptotic"),
        ("kolmogorov_smirnov", 1000, 1000, False, "exact"),
        ("kolmogorov_smirnov", 1001, 1000, False, "asymptotic"),
    ],
)
def test_an_exact_null_is_used_up_to_the_sizes_that_the_docstring_tells(test, n_x, n_y, ties, method):
    pooled = np.random.default_rng(0).permutation(n_x + n_y).astype(float)
    pooled[1] = pooled[0] if ties else pooled[1]
    assert two_sample_test(pooled[:n_x], pooled[n_x:], test=test).method == method


@pytest.mark.parametrize(
    ("y", "verdict"), [([2.0, 2.0], "they are equal, so p = 1"), ([3.0, 3.0], "complete separation")]
)
def test_two_constant_samples_are_told_to_be_equal_or_apart(y, verdict):
    (note,) = [note for note in two_sample_test([2.0, 2.0, 2.0], y).advice if note.code == "R101"]
    assert verdict in note.text


@pytest.mark.parametrize(
    ("test", "alternative", "smallest"),
    [
        ("permutation", "two-sided", 0.1),
        ("permutation", "greater", 0.1),
        ("mann_whitney", "two-sided", 0.1),
        ("mann_whitney", "less", 0.1),
    ],
)
def test_the_smallest_p_value_of_two_and_three_runs_is_told_and_is_attained(test, alternative, smallest):
    """Of the ten relabellings one is the most extreme; the opposite one is not as extreme, as 2 ≠ 3: by ranks where runs tie."""
    x, y = ([1.0, 2.0], [10.0, 11.0, 30.0]) if alternative == "less" else ([11.0, 30.0], [1.0, 1.0, 1.0])
    result = two_sample_test(x, y, test=test, alternative=alternative)
    assert result.pvalue == pytest.approx(smallest)
    (note,) = [note for note in result.advice if note.code == "R104"]
    assert f"the smallest p-value of this test is {smallest:.3g}," in note.text


@pytest.mark.parametrize("side", ["less", "greater"])
def test_a_one_sided_claim_says_which_is_which(side):
    result = two_sample_test([1.0, 2.0, 4.0], [2.0, 3.0, 5.0], alternative=side)
    assert result.claim == f"the mean of x is {'smaller' if side == 'less' else 'larger'}"


def test_a_t_law_on_the_ranks_of_three_and_three_runs_is_warned_of():
    """D10: the statistic of complete separation has p = 0.02 by the law, and probability 0.1."""
    result = two_sample_test([4.0, 5.0, 6.0], [1.0, 2.0, 3.0], test="ranked_t")
    (warning,) = [a for a in result.advice if a.code == "R109"]
    assert "no arrangement of ranks is rarer than 0.1," in warning.text
    assert not [
        a for a in two_sample_test([4.0, 5, 6, 7], [1.0, 2, 3, 3.5], test="ranked_t").advice if a.code == "R109"
    ]


@pytest.mark.parametrize("interval", ["basic", "percentile"])
def test_the_statistic_of_a_bootstrap_of_differences_is_the_difference(interval):
    result = two_sample_test([1.0, 2.0, 6.0], [0.0, 1.0, 3.0], test="bootstrap", interval=interval, n_resamples=200)
    assert result.statistic == pytest.approx(5 / 3)
