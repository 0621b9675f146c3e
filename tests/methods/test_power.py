"""Power, runs that are needed, differences that are seen: each answer is the others' inverse, and each option has its refusal."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import runoff as ro

COLAS = {"effect": 1382, "std": (1341, 990)}
FORMULAS = ("noncentral", "exact", "colas2018")


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("target", [0.3, 0.8, 0.99])
def test_one_run_fewer_has_not_the_power(formula, alternative, target):
    options = {**COLAS, "formula": formula, "alternative": alternative}
    n = ro.runs_needed(**options, power=target).n_runs
    assert ro.power(**options, n_runs=n - 1).power < target <= ro.power(**options, n_runs=n).power


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("test", ["welch", "student", "one_sample"])
def test_the_detectable_effect_has_the_power(test, alternative, formula):
    shared = {"std": 2.0, "n_runs": 6, "test": test, "alternative": alternative, "formula": formula}
    result = ro.detectable_effect(**shared, power=0.9)
    assert result.power == pytest.approx(0.9, abs=1e-10)
    assert ro.power(effect=result.effect, **shared).power == pytest.approx(0.9, abs=1e-10)
    assert (result.effect < 0) == (alternative == "less")


def test_an_effect_is_the_same_in_every_unit():
    raw = ro.power(effect=3.0, std=(2.0, 4.0), n_runs=7)
    in_std = ro.power(effect=3.0 / 10**0.5, effect_unit="sd", std=(2.0, 4.0), n_runs=7)
    wins = ro.power(effect=float(special.ndtr(3.0 / 20**0.5)), effect_unit="improvement", std=(2.0, 4.0), n_runs=7)
    assert in_std.power == pytest.approx(raw.power, rel=1e-12)
    assert wins.power == pytest.approx(raw.power, rel=1e-12)
    assert (raw.effect_in_std, raw.improvement) == pytest.approx((3.0 / 10**0.5, special.ndtr(3.0 / 20**0.5)))


def test_the_probability_of_improvement_is_that_of_simulated_runs():
    rng = np.random.default_rng(0)
    wins = (rng.normal(3, 2, 100_000) > rng.normal(0, 4, 100_000)).mean()
    assert ro.power(effect=3.0, std=(2.0, 4.0), n_runs=7).improvement == pytest.approx(wins, abs=0.006)


def test_equal_spreads_make_the_improvement_of_the_difference_over_root_two():
    assert ro.power(effect=1.0, std=1.0, n_runs=5).improvement == pytest.approx(special.ndtr(1 / 2**0.5))
    assert ro.power(effect=1.0, std=1.0, n_runs=5, test="one_sample").improvement == pytest.approx(special.ndtr(1.0))


def test_a_scale_of_the_scores_changes_nothing():
    first, other = (ro.power(effect=3 * s, std=(2 * s, 1 * s), n_runs=(4, 9)) for s in (1.0, 1e-170))
    assert other.power == pytest.approx(first.power, rel=1e-12)


def test_sides_are_mirrored_and_the_wrong_one_is_told():
    right = ro.power(effect=-1.0, std=1.0, n_runs=8, alternative="less")
    assert right.power == ro.power(effect=1.0, std=1.0, n_runs=8, alternative="greater").power
    wrong = ro.power(effect=1.0, std=1.0, n_runs=8, alternative="less")
    assert wrong.power < 0.05
    assert "does not look at the side" in wrong.notes[0]


def test_exchanging_the_algorithms_exchanges_their_runs():
    first, other = ro.power(**COLAS, n_runs=(4, 9)), ro.power(effect=-1382, std=(990, 1341), n_runs=(9, 4))
    assert other.power == pytest.approx(first.power, rel=1e-12)


def test_a_ratio_gives_so_many_runs_of_the_second_for_each_of_the_first():
    record = ro.runs_needed(**COLAS, ratio=2.5).rows[0]
    assert record.n_runs_b == int(np.ceil(2.5 * record.n_runs))
    fewer = (record.n_runs - 1, int(np.ceil(2.5 * (record.n_runs - 1))))
    assert ro.power(**COLAS, n_runs=fewer).power < 0.8 <= record.power
    assert record.n_runs < 13


def test_one_cost_prices_equal_runs_and_two_find_the_cheapest():
    priced, cheapest = (
        ro.runs_needed(**COLAS, cost_per_run=2).rows[0],
        ro.runs_needed(**COLAS, cost_per_run=(1, 5)).rows[0],
    )
    assert (priced.n_runs, priced.n_runs_b, priced.cost) == (13, 13, 52.0)
    assert cheapest.cost == cheapest.n_runs + 5 * cheapest.n_runs_b < 13 * 6
    assert ro.runs_needed(effect=1, std=1, test="one_sample", cost_per_run=3).rows[0].cost == 30.0
    dear, cheap = (ro.runs_needed(**COLAS, cost_per_run=(unit, 1000 * unit)).rows[0] for unit in (1000.0, 1.0))
    assert (dear.n_runs, dear.cost) == (cheap.n_runs, 1000 * cheap.cost)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_a_record_and_its_answer_miss_the_difference_as_often(alternative):
    (record,) = ro.runs_needed(**COLAS, alternative=alternative).rows
    answer = ro.power(**COLAS, alternative=alternative, n_runs=record.n_runs)
    assert (record.power, record.beta) == (answer.power, answer.beta)
    assert record.power + record.beta == pytest.approx(1.0)


def test_several_effects_have_a_record_and_a_curve_each():
    result = ro.runs_needed(effect=[1.0, 2.0], std=1.0, curve_to=40)
    assert [record.n_runs for record in result.rows] == [17, 6]
    assert [point.n_runs for point in result.points(2.0)] == list(range(2, 41))
    for point in result.points(1.0)[::7]:
        assert point.power == ro.power(effect=1.0, std=1.0, n_runs=point.n_runs).power
        assert point.power + point.beta == pytest.approx(1.0)
    with pytest.raises(ro.OptionError, match="2 effects: read `rows`"):
        _ = result.n_runs


def test_a_curve_of_thousands_of_runs_is_thinned_and_has_the_answer():
    result = ro.runs_needed(effect=0.05, std=1.0)
    assert len(result.curve) < 220
    assert result.n_runs in {point.n_runs for point in result.curve}
    assert result.curve[-1].n_runs > result.n_runs


def test_the_sentence_says_runs_difference_test_and_power():
    assert ro.runs_needed(**COLAS).sentence.startswith(
        "It takes 13 runs of each to find a true difference of 1\u202f382 (1.17 σ"
    )
    sentence = ro.power(**COLAS, n_runs=(10, 20)).sentence
    assert "With 10 runs of the first and 20 of the second, Welch's t test (two-sided, α = 0.05)" in sentence
    assert f"{100 * ro.power(**COLAS, n_runs=(10, 20)).power:.1f}\u00a0% power" in sentence
    assert "over 99.9\u00a0% power and misses it with under 0.1\u00a0%" in ro.power(effect=3, std=1, n_runs=20).sentence


def test_what_the_noncentral_t_leaves_out_is_told_where_it_matters():
    (note,) = ro.power(**COLAS, n_runs=3).notes
    assert f"{100 * ro.power(**COLAS, n_runs=3, formula='exact').power:.1f}\u00a0%" in note
    assert ro.power(**COLAS, n_runs=20).notes == ro.power(effect=1, std=1, n_runs=3, test="student").notes == ()
    assert "one-sided" in ro.power(**COLAS, n_runs=10, formula="colas2018").notes[-1]


def test_runs_that_are_too_few_for_welchs_test_itself_are_told():
    options = {"effect": 6.0, "std": 1.0}
    few, itself = ro.runs_needed(**options), ro.runs_needed(**options, formula="exact").n_runs
    assert few.n_runs < itself
    assert f"with {itself} runs of each (the formula called exact)" in few.notes[-1]


def test_power_goes_from_alpha_to_one():
    assert ro.power(effect=1e-12, std=1.0, n_runs=5).power == pytest.approx(0.05, abs=1e-9)
    assert ro.power(effect=1e12, std=1.0, n_runs=2).power == 1.0
    assert ro.runs_needed(effect=1e12, std=1.0).n_runs == 2


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"std": 0}, "std must be greater than 0, not 0"),
        ({"std": -1.0}, "std must be greater than 0"),
        ({"std": float("nan")}, "std must be a finite number or a pair"),
        ({"std": (1, 2, 3)}, "std must be a finite number or a pair"),
        ({"std": "wide"}, "std must be a finite number or a pair"),
        ({"std": None}, "std= is needed"),
        ({"std": (1, 2), "test": "student"}, "assumes one standard deviation"),
        ({"std": (1, 1), "test": "one_sample"}, "which has one sample"),
        ({"effect": 0}, "effect must not be 0"),
        ({"effect": True}, "effect must be a finite number"),
        ({"effect": float("inf")}, "effect must be a finite number"),
        ({"effect": 0.5, "effect_unit": "improvement"}, "effect must not be 0.5"),
        ({"effect": 1.0, "effect_unit": "improvement"}, "between 0 and 1"),
        ({"effect_unit": "sigma"}, "effect_unit must be one of raw, sd, improvement"),
        ({"test": "mann_whitney"}, "test must be one of welch, student, one_sample"),
        ({"alternative": "bigger"}, "alternative must be one of"),
        ({"formula": "normal"}, "formula must be one of noncentral, exact, colas2018"),
        ({"alpha": 0}, "alpha must lie strictly between 0 and 1"),
        ({"alpha": 1.5}, "alpha must lie strictly between 0 and 1"),
    ],
)
def test_what_means_nothing_is_refused_by_both(changed, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.power(**{"effect": 1.0, "std": 1.0, "n_runs": 5, **changed})
    with pytest.raises(ro.OptionError, match=words):
        ro.runs_needed(**{"effect": 1.0, "std": 1.0, **changed})


@pytest.mark.parametrize("n_runs", [1, 0, 2.5, "5", True, (5, 1), (5, 5, 5), 10**9, None])
def test_runs_that_are_no_numbers_of_two_or_more_are_refused(n_runs):
    with pytest.raises(ro.OptionError, match="n_runs must be"):
        ro.power(effect=1.0, std=1.0, n_runs=n_runs)
    with pytest.raises(ro.OptionError, match="n_runs must be"):
        ro.detectable_effect(std=1.0, n_runs=n_runs)


def test_a_pair_of_runs_is_refused_for_one_sample():
    with pytest.raises(ro.OptionError, match="n_runs must be one number"):
        ro.power(effect=1.0, std=1.0, n_runs=(5, 5), test="one_sample")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"power": 0.05}, "power must be greater than alpha"),
        ({"power": 0.01}, "power must be greater than alpha"),
        ({"power": 1.0}, "power must lie strictly between 0 and 1"),
        ({"effect": []}, "at least one true difference"),
        ({"effect": [1.0, 1.0]}, "each true difference once"),
        ({"effect": -1.0, "alternative": "greater"}, "does not look at the side"),
        ({"ratio": 0}, "ratio must lie between"),
        ({"ratio": 2, "test": "one_sample"}, "ratio means nothing"),
        ({"cost_per_run": 0}, "cost_per_run must be greater than 0"),
        ({"cost_per_run": (1, 2), "test": "one_sample"}, "cost_per_run must be one number"),
        ({"cost_per_run": (1, 1e9)}, "factor of a million"),
        ({"curve_to": 2}, "curve_to must be a whole number of at least 3"),
    ],
)
def test_what_means_nothing_for_numbers_of_runs_is_refused(changed, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.runs_needed(**{"effect": 1.0, "std": 1.0, **changed})


def test_more_runs_than_anyone_has_are_refused():
    with pytest.raises(ro.DesignError, match="more than 10,000,000 runs"):
        ro.runs_needed(effect=1e-6, std=1.0)


def test_a_power_that_chance_has_is_no_question_of_a_difference():
    with pytest.raises(ro.OptionError, match="power must be greater than alpha"):
        ro.detectable_effect(n_runs=5, std=1.0, power=0.04)
