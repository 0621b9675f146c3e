"""The best of k configurations beside a plain loop over all sets and all runs that may be set aside."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from runoff._inference.tuning.best import best_of, highest, without
from runoff._inference.tuning.folds import fold_variances

RAGGED = [[1.0, 2.0, 4.0], [2.5, 2.0, 3.0], [0.0, 5.0, 1.0], [2.0, 3.5]]
TIED = [[1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0], [0.0, 1.0]]


def by_every_set(cells: list[list[float]], k: int) -> tuple[float, ...]:
    """Return what is expected of the run set aside and of those that selected, set by set; ties share."""
    of_sets = []
    for chosen in combinations(range(len(cells)), k):
        draws = []
        for aside in product(*(range(len(cells[c])) for c in chosen)):
            means = [np.mean(np.delete(cells[c], j)) for c, j in zip(chosen, aside, strict=True)]
            selecting = [round(m, 9) for m in means]
            best = [i for i, value in enumerate(selecting) if value == max(selecting)]
            draws.append((np.mean([cells[chosen[i]][aside[i]] for i in best]), np.mean([means[i] for i in best])))
        of_sets.append(np.mean(draws, axis=0))
    return tuple(np.mean(of_sets, axis=0))


@pytest.mark.parametrize("cells", [RAGGED, TIED])
def test_the_best_of_k_is_that_of_all_sets_with_ties_and_unequal_runs(cells):
    best = best_of([np.array(cell) for cell in cells])
    every = [by_every_set(cells, k) for k in range(1, len(cells) + 1)]
    assert np.allclose(np.stack([best.judged, best.selecting], axis=1), every, atol=1e-9)


def test_one_configuration_is_taken_out_of_the_chances_as_if_it_was_never_there():
    below = np.random.default_rng(1).random((12, 7)) ** 3
    below[4, 2:4] = 0.0, 1.0
    assert np.allclose(without(highest(below), below[4]), highest(np.delete(below, 4, axis=0)), rtol=1e-9)


def test_what_a_configuration_adds_to_the_error_is_that_of_leaving_its_runs_out():
    cells = [np.array(cell) for cell in ([1.0, 2.0, 4.0], [2.5, 2.2, 3.1], [0.3, 5.0, 1.4, 2.4])]
    left = [best_of([*cells[:2], np.delete(cells[2], j)]).judged for j in range(4)]
    part = 3 / 4 * np.square(left - np.mean(left, axis=0)).sum(axis=0) * (1 + 1 / np.arange(1, 4)) / 2
    best = best_of(cells)
    # At least what folds have: all configurations are raised by one factor, which at k = 1 is none.
    assert (best.parts.sum(axis=0)[1:] >= fold_variances(cells)[1:] - 1e-12).all()
    assert best.parts[2][0] == pytest.approx(part[0])
    assert (best.parts[2] >= part - 1e-12).all()


def test_scores_in_another_unit_and_from_another_zero_have_the_same_answer():
    cells = [np.array(cell) for cell in RAGGED]
    once, moved = best_of(cells), best_of([1e6 + 1e3 * cell for cell in cells])
    assert np.allclose(moved.judged, 1e6 + 1e3 * once.judged)
    assert np.allclose(moved.parts, 1e6 * once.parts)
