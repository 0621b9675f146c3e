"""Power against its slow twins: an integral over the sample deviation, simulated experiments, every allocation."""

from __future__ import annotations

import re

import numpy as np
import pytest

import runoff as ro
from runoff._inference.power import (
    PowerQuestion,
    average_power,
    cheapest_runs,
    design,
    detectable,
    fewest_runs,
    grown,
    likely_errors,
    needed_multiple,
    noncentral,
    power_of,
)
from tests.reference import power as slow


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("shift", [0.3, 2.0, 5.0])
@pytest.mark.parametrize("n", [2, 10, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 60))])
def test_the_noncentral_t_is_the_integral_over_the_sample_deviation(n, shift, alternative):
    power = ro.power(effect=shift / n**0.5, std=1, n_runs=n, test="one_sample", alternative=alternative).power
    assert power == pytest.approx(slow.t_power(shift, n - 1, 0.05, alternative == "two-sided"), abs=1e-8)


@pytest.mark.parametrize(
    ("df", "alpha"),
    [
        (7, 0.05),
        (2, 1e-12),
        *(pytest.param(*rare, marks=pytest.mark.slow) for rare in ((1, 1e-300), (30, 1e-20), (60, 0.01))),
    ],
)
def test_the_detectable_difference_has_its_power_at_levels_of_any_size(df, alpha):
    assert slow.averaged_power(detectable(1.0, df, alpha), df, alpha) == pytest.approx(0.8, abs=1e-5)


@pytest.mark.parametrize("df", [4.0, 49.9, 50.0, 80.0, 1e6])
def test_likely_errors_have_the_moments_of_chi_squared(df):
    """E s²/σ² is 1, its variance 2/df, its third moment (1 + 2/df)(1 + 4/df)."""
    errors, weights = likely_errors(df)
    moments = [float(weights @ errors ** (2 * k)) for k in range(4)]
    assert moments == pytest.approx([1, 1, 1 + 2 / df, (1 + 2 / df) * (1 + 4 / df)], rel=1e-7)


def test_where_no_critical_value_is_known_no_difference_is_detectable(monkeypatch):
    """As with degrees of freedom and a level for which SciPy gives none."""
    monkeypatch.setattr(design, "critical_value", lambda *_, **__: np.inf)
    assert detectable(1.0, 7.0, 1.5e-300) == np.inf


@pytest.mark.parametrize("towards", [1.0, -1.0])
@pytest.mark.parametrize("share", [0.3, 1.0, 3.0])
def test_a_shift_far_out_goes_on_where_near_ones_end(share, towards):
    """A true difference so large that only its ratio to the critical value counts, towards and away from the side that is looked at."""
    below, above = (
        noncentral(towards * shift, 3.0, np.array(shift / share), two_sided=False) for shift in (0.999e4, 1.001e4)
    )
    assert below == pytest.approx(above, rel=1e-6, abs=1e-8)
    assert (above > 0) == (towards > 0)


DESIGNS = [
    ("welch", (1341.0, 990.0), (2, 2), 2000.0, "two-sided"),
    ("welch", (1.0, 4.0), (3, 9), 3.0, "two-sided"),
    ("welch", (4.0, 1.0), (3, 9), 3.0, "greater"),
    ("welch", (1.0, 2.0), (8, 5), -2.0, "less"),
    ("student", (1.0, 1.0), (3, 8), 1.5, "two-sided"),
    ("student", (2.0, 2.0), (4, 4), 2.0, "greater"),
    ("one_sample", (1.0,), (6,), 1.0, "two-sided"),
]


def within(design, formula, n_repeats):
    test, stds, sizes, effect, alternative = design
    rate, error = slow.simulated(test, effect, stds, sizes, 0.05, alternative, n_repeats)
    question = PowerQuestion(test=test, stds=stds, alpha=0.05, alternative=alternative, formula=formula)
    return abs(power_of(question, effect, sizes) - rate) / error


@pytest.mark.parametrize("design", DESIGNS)
def test_exact_power_is_the_rate_of_simulated_rejections(design):
    assert within(design, "exact", 20_000) < 4


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_exact_power_is_the_rate_of_many_simulated_rejections(design):
    assert within(design, "exact", 1_000_000) < 4


@pytest.mark.slow
def test_the_noncentral_t_is_too_high_for_welchs_test_with_two_runs_as_its_note_says():
    assert within(DESIGNS[0], "noncentral", 1_000_000) > 50
    (note,) = ro.power(effect=2000, std=(1341, 990), n_runs=2).notes
    rate, _ = slow.simulated("welch", 2000, (1341, 990), (2, 2), 0.05, "two-sided", 1_000_000)
    assert f"its own power is {100 * rate:.1f}" in note


@pytest.mark.parametrize("seed", range(12))
def test_the_cheapest_allocation_is_the_cheapest_of_all(seed):
    rng = np.random.default_rng(seed)
    stds, cost = tuple(rng.uniform(0.3, 3, 2)), tuple(rng.uniform(0.2, 5, 2))
    formula, alternative = ["noncentral", "exact", "colas2018"][seed % 3], ["two-sided", "greater"][seed % 2]
    question = PowerQuestion(test="welch", stds=stds, alpha=0.05, alternative=alternative, formula=formula)
    effect, power = rng.uniform(1.2, 5) * max(stds) ** 0.5, rng.uniform(0.3, 0.95)
    limit = sum(cost) * fewest_runs(question, effect, power)[0]
    of_all = slow.cheapest(lambda sizes: power_of(question, effect, sizes), power, cost, limit)
    assert cheapest_runs(question, effect, power, cost) == of_all


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_the_cheapest_of_hundreds_of_runs_beats_its_neighbours(alternative):
    question = PowerQuestion(test="welch", stds=(1.0, 2.0), alpha=0.05, alternative=alternative, formula="noncentral")
    n, m = cheapest_runs(question, 0.5, 0.9, (1.0, 3.0))
    assert power_of(question, 0.5, (n, m)) >= 0.9
    others = [(n + i, m + j) for i in range(-12, 13) for j in range(-12, 13) if i + 3 * j < 0]
    assert max(power_of(question, 0.5, sizes) for sizes in others) < 0.9


def test_beyond_a_thousand_runs_the_allocation_is_cheaper_than_equal_runs():
    question = PowerQuestion(test="welch", stds=(1.0, 2.0), alpha=0.05, alternative="two-sided", formula="noncentral")
    n, m = cheapest_runs(question, 0.05, 0.9, (1.0, 3.0))
    equal = fewest_runs(question, 0.05, 0.9)[0]
    assert power_of(question, 0.05, (n, m)) >= 0.9
    # (σ₁√c₁ + σ₂√c₂)² / ((σ₁² + σ₂²)(c₁ + c₂)), by Lagrange
    assert (n + 3 * m) / (4 * equal) == pytest.approx((1 + 2 * 3**0.5) ** 2 / 20, rel=1e-3)


# ── needed_multiple, the inverse of the detectable difference ──────────


@pytest.mark.parametrize(("df", "n"), [(4, 3), (8, 5), (40, 5), (98, 50)])
def test_the_detectable_difference_needs_the_runs_there_are(df, n):
    assert needed_multiple(detectable(1.7, df, 0.05), 1.7, df, n, 0.05) == pytest.approx(1, abs=1e-3)


def test_with_many_runs_half_the_difference_needs_four_times_as_many():
    size = detectable(1.0, 5_000, 0.05)
    assert needed_multiple(size / 2, 1.0, 5_000, 500, 0.05) == pytest.approx(4, rel=0.01)


def test_it_is_the_multiple_at_which_simulated_experiments_find_it():
    """Runs of two algorithms with a known spread: the pilot's error is drawn, then the multiple it asks for is tried."""
    rng, n, true, hits = np.random.default_rng(0), 6, 1.0, []
    for _ in range(120):
        pilot = rng.normal(size=(2, n))
        error = np.sqrt(pilot.var(axis=1, ddof=1).sum() / n)
        multiple = needed_multiple(true, error, 2 * (n - 1), n, 0.05)
        runs = max(2, round(n * min(multiple, 50)))
        x, y = rng.normal(true, 1, (40, runs)), rng.normal(0, 1, (40, runs))
        t = (x.mean(1) - y.mean(1)) / np.sqrt((x.var(1, ddof=1) + y.var(1, ddof=1)) / runs)
        hits.append((np.abs(t) > 2.0).mean())
    assert 0.74 <= np.mean(hits) <= 0.86


def test_no_difference_is_never_found():
    assert needed_multiple(0.0, 1.0, 8, 5, 0.05) == np.inf
    assert needed_multiple(1e-9, 1.0, 8, 5, 0.05) == np.inf


@pytest.mark.parametrize("error", [1e-300, 1.0, 1e300])
def test_a_lead_of_any_size_needs_a_number_of_runs(error):
    """1e-600 is 0 for a float."""
    expected = needed_multiple(1.0, 1.0, 3, 5, 0.05) if error < 1 else np.inf
    assert needed_multiple(1e-300, error, 3, 5, 0.05) == expected


@pytest.mark.parametrize(("lead", "df", "n", "alpha"), [(1e3, 4, 5, 1e-4), (1e4, 2, 3, 1e-4), (1e6, 4, 5, 1e-8)])
def test_the_search_for_runs_ends_where_the_degrees_of_freedom_have_a_kink(lead, df, n, alpha):
    """Below 2 runs' worth of freedom there is 1 degree; secants over that kink went in circles."""
    root = np.sqrt(needed_multiple(lead, 1.0, df, n, alpha))
    assert average_power(lead * root, df, grown(df, n, n * root**2), alpha) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize(("n", "n_cells", "ratio"), [(3, 2, 1.5), pytest.param(10, 4, 1.0, marks=pytest.mark.slow)])
def test_as_many_runs_as_are_needed_have_the_power_with_the_degrees_of_freedom_of_their_own(n, n_cells, ratio):
    """Each of the cells has n − 1 degrees of freedom now, and one less than its runs then."""
    multiple = needed_multiple(ratio, 1.0, n_cells * (n - 1), n, 0.05)
    shift, freedom = ratio * multiple**0.5, n_cells * (multiple * n - 1)
    power = slow.averaged_power(shift, n_cells * (n - 1), 0.05, freedom=freedom)
    assert multiple > 1
    assert power == pytest.approx(0.8, abs=1e-3)


@pytest.mark.parametrize("stds", [(1.0, 2.0), (2.0, 1.0), (0.5, 0.25), (3.0, 3.0)])
def test_the_standard_deviations_are_told_in_the_order_of_the_algorithms(stds):
    sentence = ro.runs_needed(effect=1.0, std=stds, test="welch").sentence
    both = [
        float(number)
        for number in re.findall(r"standard deviations? of (\d[\d.]*)(?: and (\d[\d.]*))?", sentence)[0]
        if number
    ]
    assert both == (list(stds) if stds[0] != stds[1] else [stds[0]])


@pytest.mark.parametrize("alpha", [0.05, 1e-5])
def test_the_detectable_difference_has_the_power_at_any_degrees_of_freedom(alpha):
    """The power at the difference itself, sought by no interpolation; at 2 an octave begins, and below every root is sought."""
    for df in (1.0, 1.999, 2.0, 2.7, 3.999999, 4.0, 11.3, 49.9, 50.1, 63.9, 700.0, 1e5):
        assert average_power(detectable(1.0, df, alpha), df, df, alpha) == pytest.approx(0.8, abs=1e-7)
    assert average_power(detectable(1.0, np.inf, alpha), np.inf, np.inf, alpha) == pytest.approx(0.8, abs=1e-7)
