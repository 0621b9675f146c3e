"""Power: it grows with the drop, inverts to the smallest drop and the runs needed, and knows when nothing can be called."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from scipy import stats

from runoff._inference.gate.reach import Reach, needed_errors, reaches_of
from tests.inference.gate.pairs import drawn

KNOWN = Reach(error=0.5, df=1e9, variance=2.5, sizes=(10, 10), n_tasks=1, n_together=1, alpha=0.05)
"""As if the standard error were known."""


def test_power_of_many_labellings_is_that_of_a_one_sided_t_test():
    shift, critical = 1.2 / 0.5, stats.t.ppf(0.95, 18)
    assert KNOWN.power(1.2) == pytest.approx(stats.nct.sf(critical, 18, shift), abs=1e-6)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("sizes", [(3, 3), (5, 5), (10, 3), (10, 10)])
@pytest.mark.parametrize("together", [1, 4])
def test_the_smallest_drop_has_the_power_that_was_asked_for(sizes, together):
    reach = replace(KNOWN, sizes=sizes, n_together=together, df=6.0, alpha=0.06)
    assert reach.power(reach.detectable(0.8)) == pytest.approx(0.8, abs=0.01)


def test_power_grows_with_the_drop_and_falls_with_the_tasks_that_share():
    reaches = [replace(KNOWN, sizes=(5, 5), n_together=n) for n in (1, 3, 10)]
    assert np.all(np.diff([KNOWN.power(d) for d in (0.2, 0.5, 1.0, 2.0)]) > 0)
    assert np.all(np.diff([reach.detectable(0.8) for reach in reaches]) > 0)


@pytest.mark.parametrize(("sizes", "together", "alpha"), [((2, 2), 1, 0.05), ((3, 3), 1, 0.025), ((3, 3), 5, 0.05)])
def test_nothing_is_called_where_no_labelling_is_rare_enough(sizes, together, alpha):
    reach = replace(KNOWN, sizes=sizes, n_together=together, alpha=alpha)
    assert reach.detectable(0.8) == inf
    assert reach.power(1e6) == 0.0


def test_three_runs_beside_three_need_to_be_apart_altogether():
    needed = needed_errors(3, 3, 1, 0.05)
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 20_000, 3))
    share = (x.min(axis=1) > y.max(axis=1) - 3.0 * np.sqrt(2 / 3)).mean()
    assert np.searchsorted(needed, 3.0) / needed.size == pytest.approx(share, abs=0.05)


def test_the_runs_needed_are_the_fewest_that_have_the_power():
    reach = replace(KNOWN, variance=2.0, df=9.0)
    n = reach.runs_needed(1.0, 0.8)
    powers = [replace(reach, error=np.sqrt(2.0 / k), sizes=(k, k)).power(1.0) for k in (n - 1, n)]
    assert powers[0] < 0.8 <= powers[1]


def test_more_runs_than_anyone_has_are_not_named():
    assert KNOWN.runs_needed(1e-6, 0.8) is None


def test_tasks_share_the_half_of_the_error_that_their_mean_leaves():
    parts = [drawn((8, 8), [0.0])] * 3
    *tasks, mean = reaches_of(parts, 0.05)
    assert [(reach.alpha, reach.n_together) for reach in tasks] == [(0.025, 2), (0.025, 2)]
    assert (mean.alpha, mean.n_together) == (0.025, 1)
    assert [(reach.alpha, reach.n_together) for reach in reaches_of(parts[:1], 0.05)] == [(0.05, 1)]
