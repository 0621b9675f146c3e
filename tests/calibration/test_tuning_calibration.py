"""The intervals of the best of 16 hold, and algorithms of equal settings have no winner: slow, as docs/tuning.md has it at length."""

from __future__ import annotations

import numpy as np
import pytest

from docs.make_sweeps import _experiment

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("settings", "kind"), [("none", "normal"), ("steep", "normal"), ("normal", "log-normal")])
def test_intervals_at_equal_tuning_hold_and_equals_seldom_have_a_winner(settings, kind):
    draw = np.random.default_rng(4)
    alone, lead, winner, _ = np.mean([_experiment(settings, kind, 3, draw) for _ in range(300)], axis=0)
    assert min(alone, lead) > 0.88
    assert winner < 0.09
