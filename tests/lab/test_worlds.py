from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import runoff as ro
from runoff.errors import OptionError
from runoff.lab import FAMILIES, World, distribution, real_curve_world
from runoff.lab.contenders.estimates import truth
from tests.lab.makers import normal_world

SHAPES: dict[str, tuple[dict[str, float], Any]] = {
    "normal": ({}, stats.norm()),
    "student_t": ({"df": 5.0}, stats.t(5.0)),
    "exponential": ({}, stats.expon()),
    "lognormal": ({"s": 0.691}, stats.lognorm(0.691)),
    "gamma": ({"a": 2.0}, stats.gamma(2.0)),
    "beta": ({"a": 2.0, "b": 5.0}, stats.beta(2.0, 5.0)),
    "double_weibull": ({"c": 2.0}, stats.dweibull(2.0)),
    "pareto": ({"b": 5.0}, stats.pareto(5.0)),
    "normal_mixture": (
        {"separation": 1.8, "sd_low": 0.45, "sd_high": 0.9, "weight": 0.3},
        None,
    ),
    "empirical": ({"values": [1.0, 2.0, 2.0, 7.0]}, None),
    "learning_curve": ({"evaluations": 3, "unsteadiness": 0.5, "memory": 0.2}, None),
}
SCIPY = [name for name, (_, frozen) in SHAPES.items() if frozen is not None]


def shaped(name: str, mean: float = 3.0, variance: float = 2.5) -> Any:
    return distribution("test", {"family": name, **SHAPES[name][0], "mean": mean, "variance": variance})


def test_every_family_is_tested() -> None:
    assert set(SHAPES) == set(FAMILIES)


@pytest.mark.parametrize("name", SCIPY)
def test_mean_variance_and_median_are_enforced_to_four_digits_by_quadrature(name: str) -> None:
    made_one, frozen = shaped(name), SHAPES[name][1]

    # Both tails to e-19: the trapezoid over the normal score of a quantile.
    z = np.linspace(-9.0, 0.0, 6001)
    quantiles = np.concatenate([frozen.ppf(stats.norm.cdf(z)), frozen.isf(stats.norm.cdf(z))])

    def moment(power: int, centre: float) -> float:
        heights = (made_one.place(quantiles) - centre) ** power * stats.norm.pdf(np.tile(z, 2))
        return float(sum(integrate.trapezoid(half, z) for half in np.split(heights, 2)))

    assert moment(1, 0.0) == pytest.approx(3.0, rel=1e-4)
    assert moment(2, 3.0) == pytest.approx(2.5, rel=1e-4)
    assert made_one.true_median == pytest.approx(made_one.place(frozen.ppf(0.5)), abs=1e-9)


def test_the_mixture_has_its_moments_by_quadrature() -> None:
    mixture = shaped("normal_mixture", mean=3.0, variance=2.5)

    def density(x: float) -> float:
        return float(0.7 * stats.norm.pdf(x, 0.0, 0.45) + 0.3 * stats.norm.pdf(x, 1.8, 0.9))

    def moment(power: int) -> float:
        return float(
            integrate.quad(lambda x: density(x) * (mixture.place(np.float64(x)) - 3.0) ** power, -9, 12, limit=400)[0]
        )

    assert moment(1) == pytest.approx(0.0, abs=1e-6)
    assert moment(2) == pytest.approx(2.5, rel=1e-4)
    middle = (mixture.true_median - mixture.location) / mixture.scale
    assert integrate.quad(density, -9, middle)[0] == pytest.approx(0.5, abs=1e-7)


@pytest.mark.parametrize("name", SHAPES)
def test_draws_have_the_enforced_mean_variance_and_median(name: str) -> None:
    drawn = shaped(name).draw(np.random.default_rng(1), (400_000,))
    assert drawn.mean() == pytest.approx(3.0, abs=0.02)
    assert drawn.var() == pytest.approx(2.5, rel=0.05)
    assert np.mean(drawn <= shaped(name).true_median + 1e-9) >= 0.5 - 0.005


@pytest.mark.parametrize("name", SCIPY)
def test_raw_draws_follow_the_family(name: str) -> None:
    raw = shaped(name).family.draw(np.random.default_rng(2), (20_000,))
    assert stats.kstest(raw, SHAPES[name][1].cdf).pvalue > 1e-3


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"family": "normal", "variance": 0.0}, "variance must be a finite number above 0"),
        ({"family": "pareto", "b": 2.0}, "b must be a finite number above 2"),
        ({"family": "student_t", "df": 2.0}, "df must be a finite number above 2"),
        ({"family": "lognromal", "s": 1.0}, "Did you mean 'lognormal'?"),
        ({"family": "gamma", "shape": 1.0}, "has no parameter 'shape'"),
        ({"family": "gamma"}, "needs a"),
        ({"family": "empirical", "values": [1.0, 1.0]}, "a variance of 0 cannot be scaled"),
        ({"family": "normal", "mean": "zero"}, "mean must be a number"),
        ({"mean": 0.0}, "names no family"),
        ({"family": "learning_curve", "evaluations": 0, "unsteadiness": 1.0}, "evaluations must be a whole number"),
        (
            {"family": "learning_curve", "evaluations": 9, "unsteadiness": -1.0},
            "unsteadiness must be a finite number of at least 0",
        ),
        (
            {"family": "learning_curve", "evaluations": 9, "unsteadiness": 1.0, "learning_time": 0.0},
            "learning_time must be a finite",
        ),
    ],
)
def test_impossible_distributions_are_refused(declared: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("?", r"\?")):
        distribution("world 1", declared)


def test_an_empirical_world_keeps_its_own_mean_and_variance_unless_told() -> None:
    kept = distribution("w", {"family": "empirical", "values": [1.0, 2.0, 6.0]})
    assert (kept.true_mean, kept.true_variance, kept.true_median) == (3.0, pytest.approx(14 / 3), 2.0)


def test_pooled_sd_is_the_root_of_the_mean_variance() -> None:
    cells = [distribution("w", {"family": "normal", "variance": v}) for v in (1.0, 4.0)]
    assert World(name="w", grid=((cells[0],), (cells[1],))).pooled_sd == pytest.approx([2.5**0.5])


def test_a_split_world_uses_no_run_twice() -> None:
    cell = distribution("w", {"family": "empirical", "values": list(range(10))})
    scores = World(name="w", grid=((cell,), (cell,)), split=True).draw(np.random.default_rng(0), 50, 5)
    assert all(len(set(row.ravel().tolist())) == 10 for row in scores)


def test_the_truth_of_a_metric_that_is_not_known_is_refused():
    with pytest.raises(OptionError, match="the true iqmm of a world is not known; known are mean, median, iqm"):
        truth(normal_world(), "iqmm")


def test_a_world_of_curves_refuses_the_runs_that_final_scores_refuse():
    ends = {0: (0, 10, 20), 1: (0, 10, 20), 2: (0, 5)}
    rows = [("A", "X", run, step, run + step / 10) for run, steps in ends.items() for step in steps]
    table = dict(zip(("algorithm", "task", "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True))
    curves = ro.Curves.from_frame(table)
    with pytest.raises(ro.DesignError) as refusal:
        curves.final()
    with pytest.raises(ro.DesignError, match=re.escape(str(refusal.value))):
        real_curve_world(curves)
