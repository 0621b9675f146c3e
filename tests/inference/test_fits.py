import numpy as np
import pytest
from scipy import integrate, special, stats

from runoff._inference.fits import FAMILIES, best_fit, density, fit, two_normals
from tests.reference import fits as slow
from tests.reference.fits import SHAPES, most_likely

RNG = np.random.default_rng(0)
WORLDS = {
    "normal": RNG.normal(3, 2, 300),
    "student_t": stats.t.rvs(3, size=300, random_state=1),
    "exponential": RNG.exponential(3, 300) - 7,
    "lognormal": RNG.lognormal(0, 0.8, 300) * 5 - 2,
    "gamma": RNG.gamma(3, 2, 300),
    "beta": RNG.beta(0.6, 0.7, 300),
    "double_weibull": stats.dweibull.rvs(3, loc=2, scale=5, size=300, random_state=2),
    "pareto": stats.pareto.rvs(1.5, size=300, random_state=3),
    "normal_mixture": np.concatenate([RNG.normal(-3, 1, 200), RNG.normal(3, 0.5, 100)]),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("world", WORLDS)
def test_the_family_that_the_runs_come_from_fits_best(world):
    assert best_fit(WORLDS[world], normal=False).family == world


@pytest.mark.sampled(4)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_log_likelihood_is_that_of_the_density_told(family):
    for cell in WORLDS.values():
        result = fit(family, cell)
        assert np.log(density(family, result.parameters, cell)).sum() == pytest.approx(result.log_likelihood, rel=1e-9)


@pytest.mark.parametrize("family", SHAPES)
@pytest.mark.parametrize(
    "world", ["gamma", *(pytest.param(w, marks=pytest.mark.slow) for w in ("student_t", "double_weibull"))]
)
def test_no_numerical_search_finds_a_larger_likelihood(family, world):
    cell = WORLDS[world][:60]
    assert fit(family, cell).log_likelihood >= most_likely(family, cell, n_starts=3) - 0.05


@pytest.mark.parametrize("family", FAMILIES)
def test_fitted_densities_integrate_to_one(family):
    result = fit(family, WORLDS["gamma"])
    x = np.linspace(-300, 300, 400_001)
    assert integrate.trapezoid(density(family, result.parameters, x), x) == pytest.approx(1.0, abs=2e-2)


@pytest.mark.parametrize("family", FAMILIES)
def test_units_do_not_matter(family):
    cell = WORLDS["lognormal"][:40]
    plain, scaled = fit(family, cell), fit(family, 1000 * cell - 5)
    assert scaled.aicc == pytest.approx(plain.aicc + 2 * 40 * np.log(1000), rel=1e-6)


def test_aicc_charges_more_for_a_parameter_where_runs_are_few():
    cell = WORLDS["normal"][:12]
    result = fit("gamma", cell)
    assert result.aicc == pytest.approx(-2 * result.log_likelihood + 6 + 2 * 3 * 4 / (12 - 4))


CELLS = [
    [0, 0, 0, 0, 1],
    [0, 0, 1, 1, 1, 1, 1, 0, 0],
    [0] * 50 + [1],
    [1, 2, 3, 4],
    [0, 1e-300, 1, 0],
    [1e200, -1e200, 0, 0, 0, 1e199, 1e198],
    [1e9, 1e9 + 1, 1e9 + 1, 1e9, 1e9, 1e9 + 1, 1e9],
]


@pytest.mark.parametrize("cell", CELLS)
def test_tied_tiny_and_huge_runs_have_finite_fits(cell):
    runs = np.array(cell, dtype=float)
    for family in FAMILIES:
        if runs.size >= FAMILIES[family].n_parameters + 2:
            result = fit(family, runs)
            assert np.all(np.isfinite([result.aicc, *result.parameters.values()]))


@pytest.mark.parametrize("cell", [[1.0, 2.0, 3.0], [2.0] * 9, [5.0]])
def test_too_few_runs_or_no_spread_have_no_family(cell):
    assert best_fit(np.array(cell), normal=False) is None


def test_two_normals_are_those_of_the_slow_twin():
    y = np.sort(np.concatenate([RNG.normal(0.2, 0.1, 14), RNG.normal(0.7, 0.05, 9)]))
    splits = np.array([5, 12, 20])
    for split, result in zip(splits, two_normals(y, splits, 1 / y.size, 40), strict=True):
        assert result == pytest.approx(slow.two_normals(y, split, 40), rel=1e-9)


@pytest.mark.parametrize("shape", [0.3, 1.0, 4.0, 40.0])
def test_the_gamma_fit_solves_the_likelihood_equation(shape):
    cell = np.random.default_rng(3).gamma(shape, 2.0, 40)
    p = fit("gamma", cell).parameters
    u = cell - p["loc"]
    assert np.log(p["a"]) - special.psi(p["a"]) == pytest.approx(np.log(u.mean()) - np.log(u).mean(), rel=1e-6)
