"""Upper limits of sums of variances: by their formulas, and whether they hold."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from runoff._inference.planning import VarianceTerm, limit_factor
from tests.amount import amounts
from tests.reference.planning import two_variances_limit


def terms(variances, runs):
    return [VarianceTerm(variance=v, df=n - 1.0) for v, n in zip(variances, runs, strict=True)]


@pytest.mark.parametrize("assurance", [0.5, 0.8, 0.9, 0.99])
def test_one_variance_has_the_limit_of_chi_square(assurance):
    expected = 4 / stats.chi2.ppf(1 - assurance, 4)
    assert limit_factor(terms([7.0], [5]), assurance) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("variances", "runs"), [((1.0, 3.0), (5, 5)), ((4.0, 1.0), (3, 10)), ((1.0, 0.0), (4, 9))])
def test_two_variances_have_the_limit_of_graybill_and_wang(variances, runs):
    df = tuple(n - 1.0 for n in runs)
    expected = two_variances_limit(variances, df, 0.9) / sum(variances)
    assert limit_factor(terms(variances, runs), 0.9) == pytest.approx(expected, rel=1e-12)


def test_variances_of_zero_are_multiplied_by_one():
    assert limit_factor(terms([0.0, 0.0], [4, 4]), 0.9) == 1.0


def test_more_runs_more_cells_and_less_assurance_bring_the_limit_closer():
    few, many = limit_factor(terms([1, 1], [5, 5]), 0.9), limit_factor(terms([1, 1], [20, 20]), 0.9)
    assert few > many > limit_factor(terms([1] * 52, [20] * 52), 0.9) > 1
    assert few > limit_factor(terms([1, 1], [5, 5]), 0.8)


SPREAD = np.exp(np.random.default_rng(1).normal(0, 1.5, 52))
WORLDS = [
    ([1, 1], [5, 5]),
    ([1, 0.05], [5, 5]),
    ([4, 1], [3, 10]),
    ([1, 4], [3, 10]),
    ([1, 1], [20, 20]),
    (SPREAD[:10] ** 2, [3, 10] * 5),
    (SPREAD, [5] * 52),
    (SPREAD, [20] * 52),
    (SPREAD, [3] * 26 + [10] * 26),
    ([1] * 12, [5] * 12),
]


def coverage(variances, runs, n_repeats, assurance=0.9):
    """How often the truth is below the upper limit, or above the lower one."""
    rng, true = np.random.default_rng(0), float(np.sum(variances))
    df = np.array(runs) - 1
    drawn = np.array(variances) * rng.chisquare(df, size=(n_repeats, df.size)) / df
    limits = np.array([limit_factor(terms(row, runs), assurance) * row.sum() for row in drawn])
    return float(np.mean(limits >= true if assurance > 0.5 else limits <= true))


@pytest.mark.parametrize("n_pilots", amounts(500, 10_000, 100_000))
@pytest.mark.parametrize(("variances", "runs"), WORLDS)
def test_the_limit_holds_at_least_as_often_as_it_says(variances, runs, n_pilots):
    assert coverage(variances, runs, n_pilots) > 0.9 - 3 * sqrt(0.09 / n_pilots)


@pytest.mark.parametrize("n_pilots", amounts(500, 10_000, 100_000))
@pytest.mark.parametrize(("variances", "runs"), WORLDS)
def test_the_lower_limit_holds_nearly_as_often_as_it_says(variances, runs, n_pilots):
    # The limit that is exact for one variance holds in .87 and more of mixtures.
    assert coverage(variances, runs, n_pilots, 0.1) > 0.87 - 3 * sqrt(0.11 / n_pilots)
