"""The law of the probability of improvement: what its interval and its equivalence say is one thing."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.pairs import improvement_law


@pytest.mark.parametrize("seed", range(12))
def test_on_one_task_equivalence_is_the_interval_at_twice_alpha_inside_the_margin(seed):
    rng, answers = np.random.default_rng(seed), set()
    for shift in (0.0, 0.2, -0.4):
        law = improvement_law([rng.normal(shift, 1, 10)], [rng.normal(0, 1, rng.integers(8, 13))])
        for margin in (0.15, 0.25, 0.35, 0.45):
            for alpha in (0.02, 0.05, 0.1, 0.2):
                low, high = law.interval(1 - 2 * alpha)
                inside = low > 0.5 - margin and high < 0.5 + margin
                assert inside == (law.equivalence_pvalue(margin) <= alpha), (shift, margin, alpha)
                answers.add(inside)
    assert answers == {True, False}


def test_as_many_wins_as_losses_are_even_odds_to_the_last_bit():
    # 18 of 36 pairs are won, which sums of sixths give as 0.49999999999999994.
    x = np.array([4.0, 8.0, 10.0, 6.0, 9.0, 2.0])
    y = np.array([5.0, 7.0, 12.0, 3.0, 11.0, 1.0])

    assert improvement_law([x], [y]).value == 0.5
    assert improvement_law([x, x[:3]], [y, x[:3]]).value == 0.5
