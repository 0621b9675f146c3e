"""Paths under relabelling: their values, how many cross, and what they do not depend on."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.sequential.crossings import crossings
from runoff._inference.sequential.design import SEQUENTIAL_TESTS
from runoff._inference.sequential.judge import (
    first_over_second,
    largest,
    null,
    own_words,
    partitions,
    paths,
    pooled_runs,
    second_over_first,
)
from runoff.base.random import Streams
from tests.amount import examples
from tests.reference import blocked as slow_blocked
from tests.reference import sequential as slow

RNG = np.random.default_rng(3)
LOOKS = [{(a, t): RNG.normal(a, 1 + t, 4) for a in range(3) for t in range(2)} for _ in range(3)]
STATISTIC = SEQUENTIAL_TESTS["studentized_permutation"].statistic


def hypothesis(looks=LOOKS, members=(0, 1), reduce=first_over_second, shift=0.0):
    return null(looks, members, 2, statistic=STATISTIC, reduce=reduce, shift=shift)


def drawn(looks=LOOKS, n_resamples=999, **more):
    return paths(looks, [hypothesis(looks, **more)], Streams(0), n_resamples)[0]


def so_far(a, j, looks=LOOKS):
    return [np.concatenate([look[a, t] for look in looks[: j + 1]]) for t in range(2)]


def test_partitions_are_counted_by_the_bell_numbers():
    assert [sum(1 for _ in partitions(list(range(k)))) for k in range(1, 8)] == [1, 2, 5, 15, 52, 203, 877]


def test_the_first_row_is_welchs_statistic_of_all_runs_so_far():
    expected = [slow.welch(so_far(0, j), so_far(1, j)) for j in range(3)]
    assert drawn()[0] == pytest.approx(expected)


def test_of_several_the_largest_pair_counts():
    pairs = [abs(drawn(members=pair)[0]) for pair in ((0, 1), (0, 2), (1, 2))]
    assert drawn(members=(0, 1, 2), reduce=largest)[0] == pytest.approx(np.max(pairs, axis=0))


def test_a_shift_is_added_to_the_first():
    moved = [{at: cell + (0.7 if at[0] == 0 else 0.0) for at, cell in look.items()} for look in LOOKS]
    assert drawn(shift=0.7)[0] == pytest.approx(drawn(moved)[0])


def test_the_drawn_paths_are_those_of_all_relabellings():
    looks = [{at: cell[:2] for at, cell in look.items() if at[0] < 2} for look in LOOKS[:2]]
    statistics = drawn(looks, n_resamples=examples(20_000, 5_000))[1:, 1]
    assert len(np.unique(statistics.round(9))) <= 6**4
    labels = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    every = []
    for _ in range(examples(3_000, 1_000)):
        x, y = [[], []], [[], []]
        for look in looks:
            for t in range(2):
                pooled, chosen = np.concatenate([look[0, t], look[1, t]]), list(labels[RNG.integers(6)])
                x[t].append(pooled[chosen])
                y[t].append(np.delete(pooled, chosen))
        every.append(slow.welch([np.concatenate(c) for c in x], [np.concatenate(c) for c in y]))
    for level in (0.05, 0.25, 0.5, 0.9):
        assert np.quantile(statistics, level) == pytest.approx(np.quantile(every, level), abs=0.12)


def test_nulls_together_have_the_paths_of_each_alone():
    looks = [LOOKS[0], LOOKS[1], {at: cell for at, cell in LOOKS[2].items() if at[0] != 1}]
    several = (
        {"members": (0, 1, 2), "reduce": largest},
        {"members": (0, 2)},
        {"reduce": second_over_first, "shift": 0.3},
    )
    together = paths(looks, [hypothesis(looks, **options) for options in several], Streams(0), 300)
    assert [drawn_paths.shape for drawn_paths in together] == [(301, 2), (301, 3), (301, 2)]
    assert all(np.array_equal(a, drawn(looks, 300, **b)) for a, b in zip(together, several, strict=True))


def test_disjoint_classes_are_relabelled_independently():
    looks = [{(a, t): RNG.normal(size=4) for a in range(4) for t in range(2)}]
    two = paths(looks, [hypothesis(looks, members) for members in ((0, 1), (2, 3))], Streams(0), 20_000)
    assert abs(np.corrcoef(two[0][1:, 0], two[1][1:, 0])[0, 1]) < 4 / np.sqrt(20_000)


def test_the_words_of_the_data_give_each_run_to_its_own():
    look = pooled_runs(LOOKS[0], (0, 1, 2), 2, 0.0)
    words, labels = own_words(look, 3), look.labels.reshape(2, -1)
    for t in range(2):
        of_task = np.concatenate([words[a, t, :, 0] for a in range(3)]).tolist()
        cells = slow_blocked.relabelled(np.arange(12), 4, of_task)
        assert [cell == np.flatnonzero(labels[t] == a).tolist() for a, cell in enumerate(cells)] == [True] * 3


def test_neither_the_order_of_runs_nor_a_later_look_changes_a_path():
    shuffled = [{at: RNG.permutation(cell) for at, cell in look.items()} for look in LOOKS]
    assert np.array_equal(drawn(), drawn(shuffled))
    assert np.array_equal(drawn()[:, :2], drawn(LOOKS[:2]))


def test_a_change_of_unit_changes_no_crossing():
    scaled = [{at: 1e6 + 1e3 * cell for at, cell in look.items()} for look in LOOKS]
    spent = (0.01, 0.03, 0.05)
    own, other = (crossings(drawn(looks, reduce=largest), spent) for looks in (LOOKS, scaled))
    assert (own.look, own.crossed.tolist()) == (other.look, other.crossed.tolist())
    assert own.critical == pytest.approx(other.critical)


def test_as_many_paths_cross_as_are_allowed_and_no_more():
    crossing = crossings(drawn(reduce=largest), (0.01, 0.03, 0.05))
    assert crossing.crossed.tolist() == [10, 30, 50]


@pytest.mark.parametrize("seed", range(4))
def test_crossings_are_those_of_a_loop_with_ties_together(seed):
    values = np.random.default_rng(seed).integers(0, 9, size=(60, 3)).astype(float)
    spent = (0.1, 0.3, 0.5)
    expected = slow.crossed(values.tolist(), spent)
    for i in range(60):
        turned = np.concatenate([values[i:], values[:i]])
        assert crossings(turned, spent).look == expected[i]


def test_what_ties_kept_from_crossing_is_left_for_later_looks():
    values = np.array([[5.0, 1.0], [5.0, 9.0], [5.0, 8.0], [1.0, 2.0], *[[0.0, 0.0]] * 16])
    crossing = crossings(values, (0.1, 0.1))
    assert crossing.crossed.tolist() == [0, 2]
    assert crossing.critical.tolist() == [np.inf, 2.0]  # 5 is what no path exceeds


def test_a_look_that_spends_nothing_lets_no_path_cross():
    crossing = crossings(np.array([[np.inf], *[[0.0]] * 9]), (0.05,))
    assert (crossing.look, crossing.critical.tolist(), crossing.by(0)) == (-1, [np.inf], False)


def test_an_infinite_statistic_crosses_where_it_is_allowed():
    crossing = crossings(np.array([[np.inf], *[[0.0]] * 19]), (0.05,))
    assert (crossing.look, crossing.by(0), crossing.critical.tolist()) == (0, True, [0.0])
