"""What rliable's own tests of its library ask, seeds, BCa, and the numbers that do not depend on what they should not depend on."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff.base.random import streams
from runoff.compat.rliable import library as rly
from runoff.compat.rliable import metrics
from runoff.compat.rliable._bootstrap import bootstrapped

N_RUNS, N_TASKS = 5, 16
X = np.arange(N_RUNS * N_TASKS).reshape(N_RUNS, N_TASKS)
Y, Z = np.flip(X, axis=0), np.stack([X, 2 * X], axis=-1)
RNG = np.random.default_rng(4)
SKEWED, CURVES = RNG.lognormal(size=(6, 5)), RNG.normal(size=(5, 4, 30)).cumsum(axis=2)
PAIR = RNG.normal(0.8, 1, size=(6, 4)), RNG.normal(size=(4, 4))


def four(x):
    return np.array(
        [
            metrics.aggregate_iqm(x),
            metrics.aggregate_mean(x),
            metrics.aggregate_median(x),
            metrics.aggregate_optimality_gap(x),
        ]
    )


def ends(func, scores, **options):
    """The interval of one algorithm."""
    return rly.get_interval_estimates({"A": scores}, func, **({"reps": 500} | options))[1]["A"]


# ── as rliable's tests have it ──────────


def test_resamples_have_the_shapes_of_the_arrays_and_runs_of_their_own_task():
    for (x, y), named in rly.StratifiedIndependentBootstrap(X, Z[:3]).bootstrap(20):
        assert (x.shape, y.shape, named) == (X.shape, Z[:3].shape, {})
        assert (x % N_TASKS == np.arange(N_TASKS)).all()
        assert (y[..., 1] == 2 * y[..., 0]).all()


@pytest.mark.parametrize(
    ("method", "task_bootstrap"), [("percentile", False), ("basic", True), ("bc", False), ("bca", False)]
)
def test_points_are_those_of_the_function_and_lie_within_their_intervals(method, task_bootstrap):
    scores = {"method": X, "baseline": Y}
    points, intervals = rly.get_interval_estimates(scores, four, method=method, task_bootstrap=task_bootstrap, reps=100)
    for name, matrix in scores.items():
        low, high = intervals[name]
        np.testing.assert_array_equal(points[name], four(matrix))
        np.testing.assert_array_less(low, points[name])
        np.testing.assert_array_less(points[name], high)


@pytest.mark.parametrize("of_runs", [True, False])
def test_profiles_fall_and_have_bands_of_two_rows(of_runs):
    tau = [0.0, 0.25, 0.5, 1.0]
    profiles, bands = rly.create_performance_profile({"x": X, "y": Y}, tau, use_score_distribution=of_runs, reps=100)
    for name in ("x", "y"):
        assert isinstance(profiles[name], np.ndarray)
        assert profiles[name].tolist() == sorted(profiles[name], reverse=True)
        assert bands[name].shape == (2, len(tau))


@pytest.mark.parametrize("pair", [[X, Y], (X, Y)])
def test_the_improvement_of_a_pair_lies_within_its_interval(pair):
    points, intervals = rly.get_interval_estimates({"x,y": pair}, metrics.probability_of_improvement, reps=100)
    assert points["x,y"] == metrics.probability_of_improvement(X, Y)
    assert intervals["x,y"].shape == (2, 1)
    assert intervals["x,y"][0, 0] < points["x,y"] < intervals["x,y"][1, 0]


# ── seeds ──────────

SEEDS = {
    "int": lambda: 3,
    "RandomState": lambda: np.random.RandomState(3),
    "Generator": lambda: np.random.default_rng(3),
    "None": lambda: None,
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS)
@pytest.mark.parametrize(
    ("func", "data"), [(four, SKEWED), (np.std, SKEWED), (metrics.probability_of_improvement, PAIR)]
)
def test_the_same_random_state_gives_the_same_interval(seed, func, data):
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    assert np.array_equal(*(ends(func, data, random_state=seed()) for _ in range(2)))
    assert np.array_equal(state, np.random.get_state()[1])  # noqa: NPY002


@pytest.mark.parametrize("method", ["percentile", "bc"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_another_random_state_gives_another_profile_where_it_is_drawn(seed, method):
    drawn = [
        rly.create_performance_profile(
            {"A": SKEWED}, [1.0], random_state=s, method=method, task_bootstrap=True, reps=57
        )
        for s in (seed, seed + 11)
    ]
    assert not np.array_equal(drawn[0][1]["A"], drawn[1][1]["A"])


def test_a_generator_moves_on_from_call_to_call():
    generator = np.random.default_rng(3)
    assert not np.array_equal(*(ends(np.std, SKEWED, random_state=generator) for _ in range(2)))


def test_an_algorithm_has_the_same_numbers_whoever_stands_beside_it():
    alone, beside = ({"A": SKEWED}, {"B": SKEWED + 1, "A": SKEWED[::-1]})
    for func in (four, np.std):
        results = [rly.get_interval_estimates(scores, func, reps=300)[1]["A"] for scores in (alone, beside)]
        np.testing.assert_allclose(*results, rtol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("over", ["runs", "runs_and_tasks"])
@pytest.mark.parametrize("interval", ["percentile", "basic"])
def test_numbers_are_those_of_runoffs_own_functions(over, interval):
    scores = ro.Scores.from_dict({"A": SKEWED})
    names = ["iqm_whole", "mean", "median", "optimality_gap"]
    own = ro.aggregate(scores, measure=names, interval=interval, over=over, n_resamples=500, rng=7)
    low, high = ends(four, SKEWED, method=interval, task_bootstrap=over == "runs_and_tasks", random_state=7)
    np.testing.assert_allclose([low, high], np.transpose([(r.low, r.high) for r in own.rows]), rtol=1e-12)


def test_an_interval_of_the_class_is_that_of_the_function_with_the_same_seed():
    bootstrap = rly.StratifiedBootstrap(SKEWED, random_state=9)
    first = bootstrap.conf_int(four, reps=300, method="percentile")
    np.testing.assert_array_equal(first, ends(four, SKEWED, reps=300, random_state=9))
    assert not np.array_equal(bootstrap.conf_int(four, reps=300, method="percentile"), first)


# ── whole runs, and tasks of pairs ──────────


def area(x):
    return np.array([np.mean([metrics.aggregate_mean(x[..., s]) for s in range(x.shape[-1])])])


@pytest.mark.slow
def test_the_area_under_curves_has_the_interval_of_the_areas_of_whole_runs():
    np.testing.assert_allclose(ends(area, CURVES), ends(np.mean, np.sort(CURVES.mean(axis=2), axis=0)), atol=0.5)
    step_by_step = np.array([area(CURVES[_anew(seed)]) for seed in range(300)])
    assert np.ptp(ends(area, CURVES)) > 3 * np.ptp(np.quantile(step_by_step, [0.025, 0.975]))


def _anew(seed):
    rng = np.random.default_rng(seed)
    return rng.integers(5, size=CURVES.shape), *np.ogrid[:5, :4, :30][1:]


@pytest.mark.parametrize("bootstrap", [rly.StratifiedBootstrap, rly.StratifiedIndependentBootstrap])
def test_every_step_of_a_resample_is_that_of_one_run(bootstrap):
    runs = np.broadcast_to(np.arange(5.0)[:, None, None], (5, 3, 7))
    for (data,), _ in bootstrap(runs, random_state=1).bootstrap(20):
        assert (data == data[..., :1]).all()


def test_tasks_of_a_pair_are_redrawn_for_both_at_once():
    tasks = np.broadcast_to(np.arange(6.0), (4, 6))
    func = metrics.probability_of_improvement
    alike = ends(
        lambda x, y: np.array([func(x, y), np.abs(x - y[:4]).max()]),
        (tasks, np.vstack([tasks, tasks])),
        task_bootstrap=True,
    )
    np.testing.assert_array_equal(alike, [[0.5, 0.0], [0.5, 0.0]])


def test_intervals_of_pairs_are_wider_where_tasks_are_a_sample():
    far = PAIR[0] + np.array([3.0, -3.0, 3.0, -3.0]), PAIR[1]
    kept, redrawn = (ends(metrics.probability_of_improvement, far, task_bootstrap=also) for also in (False, True))
    assert np.ptp(redrawn) > 2 * np.ptp(kept)


# ── BCa ──────────


def test_the_bca_interval_of_a_value_is_the_same_beside_others():
    alone = ends(metrics.aggregate_mean, SKEWED, method="bca")[:, 0]
    for func in (four, lambda x: four(x) * [1, 1, 1, 1e3]):
        np.testing.assert_allclose(ends(func, SKEWED, method="bca")[:, 1], alone, rtol=1e-9)


def test_the_acceleration_of_a_mean_is_that_of_leaving_runs_out():
    """Davison & Hinkley 1997, eq. 5.31, where leaving a run of c out changes the mean over tasks by its deviation / (c - 1)."""
    influence = (SKEWED - SKEWED.mean(axis=0)) / SKEWED.size
    law = bootstrapped(np.mean, [SKEWED], 10, drawn_by=streams(0), over_tasks=False)
    expected = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    np.testing.assert_allclose(law.acceleration(), [expected], rtol=1e-9)


def test_bca_of_pairs_with_unequal_runs_is_answered():
    low, high = ends(metrics.probability_of_improvement, PAIR, method="bca")[:, 0]
    assert 0 < low < metrics.probability_of_improvement(*PAIR) < high <= 1


def test_bca_does_not_depend_on_the_order_of_the_runs_of_a_task():
    turned = np.column_stack([SKEWED[:, 0], SKEWED[::-1, 1:]])
    for func in (metrics.aggregate_iqm, np.std):
        np.testing.assert_allclose(*(ends(func, data, method="bca") for data in (SKEWED, turned)), rtol=1e-9)


def test_an_interval_whose_method_is_not_named_is_the_basic_one_as_in_arch():
    bare, basic, other = (rly.StratifiedBootstrap(SKEWED, random_state=9) for _ in range(3))
    own = bare.conf_int(four, reps=100)
    np.testing.assert_array_equal(own, basic.conf_int(four, reps=100, method="basic"))
    assert not np.array_equal(own, other.conf_int(four, reps=100, method="percentile"))
