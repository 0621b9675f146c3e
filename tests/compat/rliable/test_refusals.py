"""What the drop-in refuses, in one sentence, and what it answers at the edges."""

from __future__ import annotations

import numpy as np
import pytest

from runoff.compat.rliable import library as rly
from runoff.compat.rliable import metrics, plot_utils
from runoff.errors import OptionError, RunoffError

RNG = np.random.default_rng(2)
SCORES = RNG.normal(size=(4, 3))
HOLED = np.where(np.arange(12).reshape(4, 3) == 7, np.nan, SCORES)
INTERVAL, PROFILE = rly.get_interval_estimates, rly.create_performance_profile


def one_or_two(x):
    return x[0, :2] if x[0, 0] == SCORES[0, 0] else x[0, :1]


REFUSED = {
    "what is masked": (
        lambda: INTERVAL({"A": np.ma.masked_greater(SCORES, 0.5)}, np.mean),
        "'A' are a masked array, and what is masked has no score",
    ),
    "a list": (
        lambda: INTERVAL({"A": SCORES.tolist()}, np.mean),
        "array 0 of the scores of 'A' must be an array .* not list",
    ),
    "text": (lambda: INTERVAL({"A": "scores"}, np.mean), "'A' must be an array .* not str"),
    "words": (lambda: INTERVAL({"A": np.array([["x"]])}, np.mean), "must hold numbers"),
    "one axis": (lambda: INTERVAL({"A": SCORES[:, 0]}, np.mean), r"reshape\(-1, 1\)"),
    "no run": (lambda: INTERVAL({"A": SCORES[:0]}, np.mean), "no run, or no task"),
    "NaN": (
        lambda: INTERVAL({"A": HOLED}, metrics.aggregate_iqm),
        "'A', whose score of run 2, task 1 is nan; if this run failed",
    ),
    "NaN of a pair": (
        lambda: INTERVAL({"A,B": (SCORES, HOLED)}, metrics.probability_of_improvement),
        "score of run 2, task 1 is nan",
    ),
    "NaN in a profile": (lambda: PROFILE({"A": HOLED}, [0.0]), "run 2 on task 1 of 'A' is NaN"),
    "a NaN of the function": (lambda: INTERVAL({"A": SCORES}, lambda x: np.nan), "though all its scores are finite"),
    "NaN of some resamples": (
        lambda: INTERVAL({"A": SCORES}, lambda x: np.nan if (x[0] == x[1]).all() else 1.0, reps=500),
        "no finite number on .* of 500 resamples",
    ),
    "infinity of some resamples": (
        lambda: INTERVAL({"A": SCORES}, lambda x: np.inf if (x[0] == x[1]).all() else 1.0, reps=500),
        "no finite number on .* of 500 resamples",
    ),
    "minus infinity of some resamples": (
        lambda: INTERVAL({"A": SCORES}, lambda x: -np.inf if (x[0] == x[1]).all() else 1.0, reps=500),
        "no finite number on .* of 500 resamples",
    ),
    "a matrix": (lambda: INTERVAL({"A": SCORES}, lambda x: x), r"not an array of shape \(4, 3\)"),
    "another length": (lambda: INTERVAL({"A": SCORES}, one_or_two, reps=50), "as many values for every resample"),
    "no number": (lambda: INTERVAL({"A": SCORES}, lambda x: "high"), "a number or a one-dimensional array"),
    "the method": (lambda: INTERVAL({"A": SCORES}, np.mean, method="bcaa"), "Did you mean 'bca'"),
    "reps": (lambda: INTERVAL({"A": SCORES}, np.mean, reps=0), "reps must be a whole number"),
    "the level": (lambda: INTERVAL({"A": SCORES}, np.mean, confidence_interval_size=95), "strictly between 0 and 1"),
    "the seed": (lambda: INTERVAL({"A": SCORES}, np.mean, random_state="7"), "random_state must be a whole number"),
    "a negative seed": (lambda: INTERVAL({"A": SCORES}, np.mean, random_state=-1), "of at least 0, .* not -1"),
    "thresholds": (lambda: PROFILE({"A": SCORES}, []), r"tau_list must be a list .* of shape \(0,\)"),
    "a NaN threshold": (lambda: PROFILE({"A": SCORES}, [0.0, np.nan]), "but it is NaN"),
    "one threshold": (lambda: PROFILE({"A": SCORES}, 0.5), r"of shape \(\)"),
    "tasks of a pair": (
        lambda: INTERVAL({"A": (SCORES, SCORES[:, :2])}, lambda x, y: x.mean(), task_bootstrap=True),
        "3 and 2 tasks|2 and 3 tasks",
    ),
    "no array": (rly.StratifiedIndependentBootstrap, "needs an array"),
    "one side": (
        lambda: INTERVAL({"A": SCORES}, lambda x: float(np.unique(x).size), method="bc", reps=50),
        "resamples lie on one side of the estimate, or .* use method='percentile'",
    ),
    "a palette": (
        lambda: plot_utils.plot_performance_profiles({"A": [1.0]}, [0], color_palette="colourblind"),
        "color",
    ),
    "no colour": (lambda: plot_utils.plot_performance_profiles({"A": [1.0]}, [0], colors={}), "no colour for 'A'"),
    "a pair's name": (
        lambda: plot_utils.plot_probability_of_improvement({"A vs B": 0.5}, {"A vs B": [0.4, 0.6]}),
        "must name two algorithms, X,Y",
    ),
    "titles": (
        lambda: plot_utils.plot_interval_estimates({"A": [1.0]}, {"A": [[0.0], [2.0]]}, ["IQM", "Mean"]),
        "must name the 1 metrics of 'A'",
    ),
    "a tick": (
        lambda: plot_utils.plot_performance_profiles({"A": [1.0]}, [0.0], use_non_linear_scaling=True, xticks=[3.0]),
        "xticks are some of the thresholds",
    ),
    "nothing": (lambda: plot_utils.plot_sample_efficiency_curve([1], {}, {}), "nothing to draw"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_what_means_nothing_is_refused_in_a_sentence(call, message):
    with pytest.raises(RunoffError, match=message) as refused:
        call()
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("method", ["percentile", "basic", "bc", "bca"])
@pytest.mark.parametrize("scores", [np.full((4, 3), 0.3), SCORES[:1]])
def test_scores_that_do_not_vary_have_an_interval_without_width(scores, method):
    for func in (metrics.aggregate_iqm, np.mean):
        points, ends = INTERVAL({"A": scores}, func, method=method, reps=50)
        np.testing.assert_allclose(ends["A"].ravel(), [points["A"]] * 2, rtol=1e-12)


def test_no_algorithm_gives_empty_dictionaries():
    assert INTERVAL({}, np.mean) == PROFILE({}, [0.0]) == ({}, {})


def test_an_infinite_score_is_left_to_the_function():
    scores = np.where(SCORES.max() == SCORES, np.inf, SCORES)
    points, ends = INTERVAL({"A": scores}, lambda x: np.mean(x > 0), reps=200)
    assert 0 <= ends["A"][0, 0] <= points["A"] <= ends["A"][1, 0] <= 1


def test_thresholds_may_come_in_any_order_and_twice():
    tau = np.array([0.5, -1.0, 0.0, 0.5])
    profiles, bands = PROFILE({"A": SCORES}, tau)
    ordered = PROFILE({"A": SCORES}, np.sort(tau))
    at = np.searchsorted(np.sort(tau), tau)
    np.testing.assert_array_equal(profiles["A"], ordered[0]["A"][at])
    np.testing.assert_array_equal(bands["A"], ordered[1]["A"][:, at])


def test_a_profile_of_ones_own_takes_scores_and_thresholds():
    results = PROFILE(
        {"A": SCORES}, [0.0, 1.0], custom_profile_func=lambda x, tau: np.array([(x < t).mean() for t in tau])
    )
    np.testing.assert_allclose(results[0]["A"], [(SCORES < 0).mean(), (SCORES < 1).mean()])
    assert results[1]["A"].shape == (2, 2)


def shifted(x):
    """A function that changes its argument."""
    x -= 5
    return x.mean()


def test_inputs_are_left_as_they_were_even_by_a_function_that_changes_them():
    before = SCORES.copy()
    for func in (metrics.aggregate_iqm, shifted):
        _, ends = INTERVAL({"A": SCORES}, func, reps=50, method="bca")
    np.testing.assert_allclose(ends["A"], INTERVAL({"A": SCORES}, np.mean, reps=50, method="bca")[1]["A"] - 5)
    PROFILE({"A": SCORES}, [0.0])
    np.testing.assert_array_equal(SCORES, before)


@pytest.mark.parametrize("place", [0, 2])
def test_the_value_of_a_function_that_is_no_number_is_named_by_its_place(place):
    def holed(x):
        return np.where((np.arange(4) == place) & (x[0] == x[1]).all(), np.nan, 1.0)

    with pytest.raises(OptionError, match=f"of 500 resamples, the first being value {place};"):
        INTERVAL({"A": SCORES}, holed, reps=500)
