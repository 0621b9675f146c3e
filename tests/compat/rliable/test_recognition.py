"""A function is recognised only if it is made of the metrics; whether it is or not changes no number beyond rounding."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from runoff._inference.bootstrap import source
from runoff.base.random import streams
from runoff.compat.rliable import library as rly
from runoff.compat.rliable import metrics
from runoff.compat.rliable._recognise import recognise
from runoff.compat.rliable._tracing import Token, Traced, trace

RNG = np.random.default_rng(8)
MATRIX, CURVES = RNG.lognormal(size=(6, 5)), RNG.normal(size=(5, 4, 3)).cumsum(axis=2)
PAIR = RNG.normal(size=(6, 4)), RNG.normal(size=(3, 4))


def four(x):
    return np.array([metric(x) for metric in ALL])


ALL = (metrics.aggregate_mean, metrics.aggregate_median, metrics.aggregate_optimality_gap, metrics.aggregate_iqm)
KNOWN = {
    "one number": (metrics.aggregate_iqm, MATRIX),
    "a vector": (four, MATRIX),
    "another gamma": (lambda x: np.array([metrics.aggregate_optimality_gap(x, gamma=0.5), four(x)[2]]), MATRIX),
    "each task": (lambda x: np.array([metrics.aggregate_iqm(x[:, t]) for t in range(x.shape[1])]), MATRIX),
    "some tasks": (lambda x: np.array([metrics.aggregate_mean(x[:, [3, 0]]), metrics.aggregate_median(x)]), MATRIX),
    "each step": (lambda x: np.array([metrics.aggregate_median(x[..., s]) for s in range(x.shape[-1])]), CURVES),
    "each step, an axis more": (lambda x: np.array([metrics.aggregate_iqm(x[..., [s]]) for s in range(3)]), CURVES),
    "the last steps": (lambda x: np.array([metrics.aggregate_iqm(x[..., -2:])]), CURVES),
    "a pair": (metrics.probability_of_improvement, PAIR),
    "a pair, twice": (lambda x, y: np.array([metrics.probability_of_improvement(x, y)] * 2), PAIR),
}
UNKNOWN = {
    "a sum": lambda x: metrics.aggregate_mean(x) + metrics.aggregate_iqm(x),
    "a comparison": lambda x: np.array([max(metrics.aggregate_mean(x), metrics.aggregate_iqm(x))]),
    "a branch on the data": lambda x: metrics.aggregate_mean(x) if x[0, 0] > 1 else metrics.aggregate_iqm(x),
    "a branch on a metric": lambda x: metrics.aggregate_mean(x) if metrics.aggregate_iqm(x) else 0.0,
    "equality": lambda x: metrics.aggregate_mean(x) if metrics.aggregate_iqm(x) == 0 else metrics.aggregate_iqm(x),
    "numpy": lambda x: np.mean(x),
    "a method": lambda x: x.mean(),
    "a transform": lambda x: metrics.aggregate_mean(np.log(x)),
    "some runs": lambda x: metrics.aggregate_mean(x[1:]),
    "sorted runs": lambda x: metrics.aggregate_mean(np.sort(x, axis=0)[:3]),
    "runs as tasks": lambda x: metrics.aggregate_median(x[[0, 0, 1, 2, 3, 4]]),
    "a constant beside it": lambda x: np.array([metrics.aggregate_mean(x), 1.0]),
    "a caught refusal": lambda x: metrics.aggregate_mean(x) if isinstance(x, Traced) else metrics.aggregate_iqm(x),
    "clipping": lambda x: np.clip(np.array([metrics.aggregate_mean(x)]), 0, 1),
    "rounding": lambda x: np.round(np.array([metrics.aggregate_mean(x)]), 1),
    "a list": lambda x: [metrics.aggregate_mean(x), metrics.aggregate_iqm(x)],
}


def given(data):
    return source(list(data) if isinstance(data, tuple) else [data], streams(0))


def as_called(func):
    """The same function, computing with its result, so that it is called."""
    return lambda *arrays: func(*arrays) + 0.0


@pytest.mark.parametrize(("func", "data"), KNOWN.values(), ids=KNOWN)
def test_metrics_of_cells_are_recognised(func, data):
    assert recognise(func, given(data)) is not None
    assert recognise(as_called(func), given(data)) is None


@pytest.mark.parametrize("func", UNKNOWN.values(), ids=UNKNOWN)
def test_whatever_else_a_function_does_it_is_not_recognised(func):
    assert recognise(func, given(MATRIX)) is None


@pytest.mark.parametrize("method", ["percentile", "basic", "bc", "norm"])
@pytest.mark.parametrize(("func", "data"), KNOWN.values(), ids=KNOWN)
def test_kernels_and_calls_give_the_same_interval(func, data, method):
    ends = [
        rly.get_interval_estimates({"A": data}, one, method=method, reps=400, random_state=5)[1]["A"]
        for one in (func, as_called(func))
    ]
    np.testing.assert_allclose(*ends, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("func", UNKNOWN.values(), ids=UNKNOWN)
def test_a_function_that_is_not_recognised_has_its_own_percentiles(func):
    point, ends = rly.get_interval_estimates({"A": MATRIX}, func, reps=300)
    assert np.array_equal(point["A"], func(MATRIX))
    values = [np.atleast_1d(func(*data)) for data, _ in rly.StratifiedBootstrap(MATRIX).bootstrap(300)]
    assert ends["A"].shape == (2, len(values[0]))
    assert (np.min(values, axis=0) <= ends["A"][0]).all()
    assert (ends["A"][1] <= np.max(values, axis=0)).all()


@pytest.mark.parametrize("name", ["a vector", "some tasks", "each step", "a pair"])
def test_kernels_and_calls_redraw_the_same_tasks(name):
    func, data = KNOWN[name]
    ends = [
        rly.get_interval_estimates({"A": data}, one, reps=400, task_bootstrap=True)[1]["A"]
        for one in (func, as_called(func))
    ]
    np.testing.assert_allclose(*ends, rtol=1e-11, atol=1e-11)


def test_a_function_that_changes_its_mind_is_called():
    calls = count()

    def fickle(x):
        return metrics.aggregate_mean(x) if next(calls) < 3 else metrics.aggregate_iqm(x)

    assert recognise(fickle, given(MATRIX)) is None


@pytest.mark.parametrize("scores", [MATRIX * 1e200, np.where(MATRIX > 3, np.inf, MATRIX)])
def test_scores_that_a_sum_cannot_hold_are_not_given_to_kernels(scores):
    assert recognise(metrics.aggregate_iqm, given(scores)) is None


STAND_INS = {"a token": Token("iqm"), "an array": Traced(np.arange(6).reshape(3, 2), 0, (3, 2))}


@pytest.mark.parametrize("which", STAND_INS)
@pytest.mark.parametrize("use", [bool, float, hash, abs, np.isnan, lambda o: o == o, lambda o: o < 1, lambda o: 2 * o])
def test_nothing_can_be_asked_of_a_stand_in(which, use):
    with pytest.raises(TypeError):
        use(STAND_INS[which])


@pytest.mark.parametrize(("name", "kernels"), [("a vector", True), ("some tasks", False), ("a pair", True)])
def test_kernels_redraw_tasks_of_metrics_of_all_tasks(name, kernels):
    func, data = KNOWN[name]
    arrays = list(data) if isinstance(data, tuple) else [data]
    assert (recognise(func, source(arrays, streams(0), over_tasks=True)) is not None) == kernels


def test_tiny_scores_are_held_to_their_own_size():
    calls = count()

    def fickle(x):
        return metrics.aggregate_mean(x) if next(calls) < 1 else metrics.aggregate_median(x)

    assert recognise(metrics.aggregate_mean, given(MATRIX * 1e-20)) is not None
    assert recognise(fickle, given(MATRIX * 1e-20)) is None


def test_a_trace_names_the_cells_of_every_metric():
    found = trace(KNOWN["each step"][0], [(5, 4, 3)])
    assert [(token.metric, token.cells) for token in found.tokens] == [
        ("median", (s, s + 3, s + 6, s + 9)) for s in range(3)
    ]


def test_scores_of_single_precision_are_redrawn_in_double():
    single = MATRIX.astype(np.float32)
    point, ends = rly.get_interval_estimates({"A": single}, four, reps=500)
    np.testing.assert_array_equal(point["A"], four(single))
    np.testing.assert_array_equal(
        ends["A"], rly.get_interval_estimates({"A": single.astype(np.float64)}, four, reps=500)[1]["A"]
    )


@pytest.mark.parametrize(
    "rarely",
    [
        lambda x: hasattr(x, "mean") and x[:, 0].std() < 0.08,
        lambda x: isinstance(x, np.ndarray) and x[:, 0].std() < 0.08,
    ],
)
def test_a_function_that_asks_what_its_scores_are_is_called(rarely):
    calls = []

    def func(x):
        calls.append(x)
        return np.array([-100.0 if rarely(x) else metrics.aggregate_mean(x)])

    rly.get_interval_estimates({"A": np.random.default_rng(0).random((10, 5))}, func, reps=50)
    assert len(calls) >= 50
