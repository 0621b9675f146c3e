"""Short forms decide as the procedures of `compare` do."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.planning import PLAN_TESTS, Experiments
from runoff._inference.planning.chance import one_by_one
from runoff.base.random import Streams
from runoff.errors import DesignError


def experiments(n_tasks, n_runs, n_batch=60, shift=0.8, alpha=0.05, seed=0, **more):
    rng = np.random.default_rng(seed)
    x, y = (rng.normal(m / n_tasks**0.5, 1, (n_batch, n_tasks, n_runs)) for m in (shift, 0))
    return Experiments(x=x, y=2 * y, alpha=alpha, n_resamples=2_000, streams=Streams(seed), key=(n_runs, 0), **more)


DESIGNS = [(1, 2), (1, 6), (4, 2), (4, 9), (12, 5)]
FORMS = [(name, design) for name in ("welch", "mack_skillings", "van_elteren") for design in DESIGNS]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "design"), FORMS)
def test_a_short_form_decides_as_the_test_itself(name, design):
    drawn = experiments(*design, n_batch=25, shift=2.0)
    decisions = PLAN_TESTS[name].decide(drawn)
    assert np.array_equal(decisions, one_by_one(name, drawn))
    assert max(design) < 5 or 0 < decisions.mean() < 1


@pytest.mark.parametrize(
    "name", ["student", "mann_whitney", "permutation", "brunner_munzel", "studentized_permutation"]
)
def test_a_test_of_two_samples_decides_as_the_test_itself(name):
    drawn = experiments(1, 5, shift=2.0)
    assert np.array_equal(PLAN_TESTS[name].decide(drawn), one_by_one(name, drawn))


@pytest.mark.parametrize("design", [(1, 6), (4, 3), (12, 5)])
def test_success_rates_are_decided_as_by_the_test_itself(design):
    drawn = experiments(*design, n_batch=40, shift=2.0, rates=True)
    drawn.x[:], drawn.y[:] = drawn.x > 0.5, drawn.y > 0.5
    decisions = PLAN_TESTS["miettinen_nurminen"].decide(drawn)
    assert np.array_equal(decisions, one_by_one("miettinen_nurminen", drawn))
    assert 0 < decisions.mean() < 1


def test_a_task_without_spread_does_not_stop_a_test():
    drawn = experiments(3, 8, n_batch=20, shift=2.0)
    drawn.x[:, 0] = drawn.y[:, 0] = 7.0
    for name in ("welch", "mack_skillings"):
        assert 0 < PLAN_TESTS[name].decide(drawn).mean() <= 1


def test_experiments_without_any_spread_decide_as_the_test_itself():
    drawn = experiments(2, 9, n_batch=4)
    drawn.x[:], drawn.y[:] = 1.0, np.array([0.0, 1.0])[:, None]
    assert np.array_equal(PLAN_TESTS["welch"].decide(drawn), one_by_one("welch", drawn))


@pytest.mark.parametrize("name", ["welch", "mack_skillings"])
def test_shared_runs_are_relabelled_whole(name):
    drawn = experiments(3, 6, n_batch=8, shared=True)
    assert np.array_equal(PLAN_TESTS[name].decide(drawn), one_by_one(name, drawn))


def test_a_test_of_rates_is_refused_of_other_scores():
    with pytest.raises(DesignError, match="scores of 0 and 1"):
        PLAN_TESTS["miettinen_nurminen"].decide(experiments(2, 5, n_batch=2))
