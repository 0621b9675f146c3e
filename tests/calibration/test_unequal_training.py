"""Algorithms that were trained for unequal lengths: equal ones are not called different, and different ones are found as at the common step."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from docs.make_unequal import APART, DESIGNS, differ, simulated, trained
from tests.amount import examples

N = examples(200)
FAST = {0, 3}
every_design = pytest.mark.parametrize(
    "design",
    [pytest.param(design, marks=() if i in FAST else pytest.mark.slow) for i, design in enumerate(DESIGNS[:5])],
    ids=lambda design: f"{design.words}, {len(design.a)} task(s)",
)
pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


def pairs(design, lead):
    rng, steps = np.random.default_rng([7, len(design.a)]), trained(design)
    return [simulated(steps, rng, lead) for _ in range(N)]


@every_design
def test_two_copies_of_one_law_are_called_different_as_seldom_as_alpha_says(design):
    wrong = sum(differ(curves.final()) for curves in pairs(design, 0.0))
    assert wrong <= stats.binom.ppf(0.999, N, 0.05)


@every_design
def test_different_ones_are_found_as_often_as_at_the_common_step_whatever_the_policy(design):
    data = pairs(design, APART)
    by_default = [differ(curves.final()) for curves in data]
    assert sum(by_default) > N * 0.2
    assert by_default[:10] == [differ(curves.final(incomplete="carry")) for curves in data[:10]]
    if design.common is not None:
        assert by_default == [differ(curves.at(design.common)) for curves in data]
