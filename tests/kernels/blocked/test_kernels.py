"""Blocked kernels against their slow twins, and the three methods against each other."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from runoff._inference.blocked import Flat, asymptotic_pvalues, exact_pvalues, run_blocked, run_permutations, stratified
from runoff._inference.rank_sets import letters, maximal_groups
from runoff._kernels.blocked import exact as exact_blocked
from runoff._kernels.blocked import permute, ranks
from runoff._kernels.blocked import ranks as kernels
from runoff._kernels.blocked.exact import lower_tail, upper_tail
from runoff._kernels.blocked.stratified import add_relabelled, pair_t
from runoff.base.random import Streams
from tests.reference import blocked as slow


def ragged(seed, counts, levels=None):
    """Cells [algorithm][task] with the given counts, rounded to `levels` values when given."""
    rng = np.random.default_rng(seed)
    draw = rng.normal if levels is None else (lambda size: rng.integers(levels, size=size).astype(float))
    return [[draw(size=c).tolist() for c in row] for row in counts]


DESIGNS = {
    "two algorithms, unequal": ([[2, 3, 1], [3, 1, 2]], None),
    "two algorithms, ties": ([[2, 3, 2], [3, 1, 2]], 3),
    "three algorithms, a missing cell": ([[2, 0, 1], [1, 2, 2], [2, 2, 1]], None),
    "three algorithms, ties": ([[2, 2], [2, 2], [2, 2]], 3),
    "four algorithms, one run": ([[1, 1]] * 4, None),
    "disconnected": ([[2, 0], [2, 0], [0, 2], [0, 2]], None),
}


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_statistic_is_that_of_the_definition_with_a_pseudo_inverse(design):
    cells = ragged(1, *DESIGNS[design])
    outcome = run_blocked("mack_skillings", *slow.flat(cells), method="asymptotic")
    expected, sigma = slow.mack_skillings(cells)
    assert outcome.statistic == pytest.approx(expected, rel=1e-10, abs=1e-12)
    assert outcome.df == np.linalg.matrix_rank(sigma, tol=1e-9)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_exact_p_is_that_of_full_enumeration(design):
    cells = ragged(2, *DESIGNS[design])
    outcome = run_blocked("mack_skillings", *slow.flat(cells), method="exact")
    assert outcome.pvalue == pytest.approx(slow.exact_pvalue(cells), rel=1e-9)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_exact_and_monte_carlo_agree_within_four_standard_errors(design):
    storage = slow.flat(ragged(3, *DESIGNS[design]))
    exact = run_blocked("mack_skillings", *storage, method="exact")
    drawn = run_blocked("mack_skillings", *storage, method="monte_carlo", n_resamples=20_000)
    assert abs(exact.pvalue - drawn.pvalue) <= 4 * drawn.pvalue_error + 1e-4


def test_midranks_are_those_of_scipy():
    values = np.round(np.random.default_rng(0).normal(size=40), 1)
    starts = np.array([0, 15, 40])
    midranks = ranks.centred_ranks(values, starts)
    for a, b in ((0, 15), (15, 40)):
        assert midranks[a:b].tolist() == (2 * stats.rankdata(values[a:b]) - (b - a + 1)).tolist()


@pytest.mark.slow
def test_tasks_with_ties_and_without_share_the_exact_null():
    cells = ragged(4, [[3, 3, 3], [3, 3, 3]], None)
    cells[0][0][0] = cells[1][0][1]
    outcome = run_blocked("mack_skillings", *slow.flat(cells), method="exact")
    assert outcome.pvalue == pytest.approx(slow.exact_pvalue(cells), rel=1e-9)


@pytest.mark.parametrize("shift", [0, 3, 12])
def test_tilted_transforms_give_tails_with_relative_accuracy(shift):
    rng = np.random.default_rng(shift)
    parts = [(np.arange(6), rng.dirichlet(np.ones(6)), 3), (np.array([0, 2, 7]), rng.dirichlet(np.ones(3)), 2)]
    dense = np.ones(1)
    for keys, probabilities, times in parts:
        for _ in range(times):
            dense = np.convolve(dense, np.bincount(keys, probabilities))
    for threshold in (dense.size // 2, dense.size - 1 - shift):
        assert upper_tail(parts, threshold) == pytest.approx(dense[threshold:].sum(), rel=1e-10)
        assert lower_tail(parts, shift) == pytest.approx(dense[: shift + 1].sum(), rel=1e-10)


@pytest.mark.parametrize("n", range(1, 17))
def test_the_largest_sum_keeps_its_probability_whatever_the_length_of_the_transform(n):
    """A transform as long as the range less one would wrap it round to 0."""
    parts = [(np.array([0, 1]), np.array([0.75, 0.25]), n)]
    assert (upper_tail(parts, n), lower_tail(parts, 0)) == pytest.approx((0.25**n, 0.75**n), rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_tails_of_a_directed_test_both_hold_the_data_though_no_integers_are_its_weights(seed):
    """Sizes without a common multiple of 40 bits have rounded weights, and successes few sums."""
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
    cells = ragged(seed, [[1] * len(primes), [q - 1 for q in primes]], 2)
    tails = [run_blocked("mack_skillings", *slow.flat(cells), alternative=side) for side in ("greater", "less")]
    assert {tail.method for tail in tails} == {"exact"}
    assert sum(tail.pvalue for tail in tails) > 1


def test_large_designs_of_two_algorithms_have_an_exact_p_however_small():
    data = np.random.default_rng(5).normal(size=(2, 30, 20)) + np.array([0.0, 1.2])[:, None, None]
    outcome = run_blocked("mack_skillings", data.ravel(), np.arange(61) * 20, 2, 30)
    assert outcome.method == "exact"
    assert 0.0 < outcome.pvalue < 1e-30


def test_complete_separation_has_the_smallest_exact_p_two_over_all_assignments():
    values = np.arange(2 * 40 * 6, dtype=float)
    outcome = run_blocked("mack_skillings", values, np.arange(81) * 6, 2, 40)
    assert outcome.pvalue == pytest.approx(2.0 / 924.0**40, rel=1e-9)


def test_batched_statistics_and_p_values_are_those_of_one_data_set_at_a_time():
    data = np.random.default_rng(6).normal(size=(12, 2, 4, 3))
    data[6:] = np.round(data[6:] * 2)
    offsets = np.arange(9) * 3
    for method, batched in (("asymptotic", asymptotic_pvalues(data)), ("exact", exact_pvalues(data))):
        single = [
            run_blocked("mack_skillings", experiment.ravel(), offsets, 2, 4, method=method).pvalue
            for experiment in data
        ]
        assert batched == pytest.approx(np.array(single), rel=1e-9)


def test_batched_statistics_of_more_algorithms_follow_the_definition():
    data = np.random.default_rng(7).integers(6, size=(5, 4, 3, 2)).astype(float)
    expected = [slow.mack_skillings(experiment.tolist())[0] for experiment in data]
    assert kernels.balanced_statistics(data) == pytest.approx(np.array(expected), rel=1e-9)


def test_every_arrangement_of_labels_is_equally_likely():
    starts, counts = np.array([0, 4, 7]), np.array([[2, 2], [1, 2]])
    words = np.random.default_rng(8).integers(0, 2**32, size=(18_000, 3), dtype=np.uint32)
    labels = permute.shuffled_labels(starts, counts, words)
    times = np.unique(labels, axis=0, return_counts=True)[1]
    assert times.size == 18
    assert stats.chisquare(times).pvalue > 1e-4


def test_of_more_algorithms_than_a_byte_counts_each_has_one_of_the_scores():
    k = 140
    scores, starts, counts = 2 * np.arange(k) - k + 1, np.array([0, k]), np.ones((1, k), np.int64)
    sums = permute.permuted_sums(np.random.default_rng(9), scores, starts, counts, 50)
    assert (np.sort(sums, axis=1) == scores).all()
    assert len(np.unique(sums, axis=0)) == 50


def test_sums_over_tasks_are_those_of_all_arrangements_as_often_and_an_algorithm_without_runs_has_none():
    scores, starts = np.array([1, 2, 4, 8, 16]), np.array([0, 3, 5])
    counts = np.array([[0, 1, 2, 0], [1, 0, 1, 0]])
    sums = permute.permuted_sums(np.random.default_rng(3), scores, starts, counts, 6_000)
    expected = {(a, b, 7 - b + 24 - a, 0) for a in (8, 16) for b in (1, 2, 4)}
    rows, times = np.unique(sums, axis=0, return_counts=True)
    assert set(map(tuple, rows.tolist())) == expected
    assert stats.chisquare(times).pvalue > 1e-4


def test_tasks_of_one_size_are_shuffled_independently():
    scores, starts, counts = np.array([0, 1, 2, 0, 3, 6]), np.array([0, 3, 6]), np.array([[1, 2], [1, 2]])
    sums = permute.permuted_sums(np.random.default_rng(4), scores, starts, counts, 900)
    times = np.bincount(sums[:, 0], minlength=9)
    assert times.size == 9
    assert stats.chisquare(times).pvalue > 1e-4


def test_all_labels_are_all_different_arrangements():
    labels = permute.all_labels(np.array([[2, 2], [1, 2]]))
    assert np.unique(labels, axis=0).shape == (18, 7)
    assert (labels[:, :4].sum(axis=1) == 2).all()


def test_stratified_permutation_is_that_of_full_enumeration():
    cells = ragged(9, [[3, 2, 2], [2, 3, 2]], 5)
    outcome = run_blocked("stratified_permutation", *slow.flat(cells))
    assert outcome.method == "exact"
    assert outcome.statistic == pytest.approx(slow.mean_difference(cells), rel=1e-12)
    assert outcome.pvalue == pytest.approx(slow.stratified_pvalue(cells, slow.mean_difference), rel=1e-12)


def studentised(cells, **options):
    """The permutation test of two algorithms by the difference of means over its standard error."""
    values, offsets, _, n_tasks = slow.flat(cells)
    flat = Flat(values=values, offsets=offsets, n_tasks=n_tasks, shared=False)
    settings = {"streams": Streams(0), "n_resamples": 10_000} | options
    return run_permutations([flat], **settings)[0]


def plain(cells):
    return run_blocked("stratified_permutation", *slow.flat(cells))


@pytest.mark.parametrize("test", [plain, studentised])
@pytest.mark.parametrize(("unit", "zero"), [(0.1, 0.0), (3e-7, 0.0), (1.0, 2.0**30), (1.0, 2.0**50), (0.1, -7.3)])
def test_the_unit_and_the_zero_of_the_scores_do_not_change_the_p_value(test, unit, zero):
    """Ties of the statistic stay ties though 0.3 − 0.1 is not 0.2, and relabellings without spread stay without."""
    for levels in (2, 5):
        cells = ragged(12, [[3, 3, 2], [2, 3, 3]], levels)
        moved = [[[unit * score + zero for score in cell] for cell in row] for row in cells]
        here, other = test(cells), test(moved)
        assert other.pvalue == here.pvalue
        assert other.statistic == pytest.approx(here.statistic * (1 if test is studentised else unit), rel=1e-6)


@pytest.mark.parametrize("unit", [0.1, 1.0, 1e9])
def test_tasks_that_cancel_without_spread_differ_by_nothing(unit):
    cells = [[[unit] * 3, [0.0] * 2], [[0.0] * 3, [unit] * 2]]  # 0.1 + 0.1 + 0.1 is not 0.3
    outcome = studentised(cells)
    assert (outcome.statistic, outcome.pvalue) == (0.0, 1.0)


def test_stratified_draws_agree_with_enumeration():
    storage = slow.flat(ragged(10, [[4, 3], [3, 3]]))
    exact = run_blocked("stratified_permutation", *storage)
    drawn = run_blocked("stratified_permutation", *storage, method="monte_carlo")
    assert abs(exact.pvalue - drawn.pvalue) <= 4 * drawn.pvalue_error + 1e-4


def test_studentised_draws_agree_with_enumeration(monkeypatch):
    cells = ragged(10, [[4, 3], [3, 3]])
    exact = studentised(cells)
    monkeypatch.setattr(stratified, "MAX_RELABELLINGS", 10)
    drawn = studentised(cells, n_resamples=50_000)
    assert (exact.method, drawn.method) == ("exact", "monte_carlo")
    assert abs(exact.pvalue - drawn.pvalue) <= 4 * drawn.pvalue_error + 1e-4


def test_one_task_studentised_means_are_welch():
    rng = np.random.default_rng(11)
    x, y = rng.normal(size=7), rng.normal(size=9) * 2
    welch = studentised([[x.tolist()], [y.tolist()]]).statistic
    assert welch == pytest.approx(stats.ttest_ind(x, y, equal_var=False).statistic, rel=1e-10)


def test_many_relabellings_side_by_side_are_those_of_a_loop_with_the_statistics_of_each_pair_alone():
    rng = np.random.default_rng(12)
    words = rng.integers(0, 2**32, size=(4, 2, 3, 7), dtype=np.uint32)
    values, members, moments = rng.normal(size=(2, 9)), np.array([0, 2, 3]), np.zeros((2, 3, 2, 7))
    add_relabelled(values, members, words, moments)
    together = pair_t(moments, 3, 1.0)
    for draw in range(7):
        own = np.concatenate([words[a, :, :, draw] for a in members], axis=1)
        cells = [slow.relabelled(task, 3, of_task.tolist()) for task, of_task in zip(values, own, strict=True)]
        for pair, (a, b) in enumerate(combinations(range(3), 2)):
            expected = slow.studentised_difference([[task[a] for task in cells], [task[b] for task in cells]])
            assert together[pair, draw] == pytest.approx(expected)


def test_words_give_every_arrangement_of_three_algorithms_alike_often():
    words = np.random.default_rng(3).integers(0, 2**32, size=(3, 1, 2, 18_000), dtype=np.uint32)
    moments = np.zeros((1, 3, 2, 18_000))
    add_relabelled(2.0 ** np.arange(6)[None, :], np.arange(3), words, moments)  # a sum says which runs are in it
    times = np.unique(moments[0, :, 0], axis=1, return_counts=True)[1]
    assert times.size == 90
    assert stats.chisquare(times).pvalue > 1e-4


@pytest.mark.parametrize("seed", range(6))
def test_groups_and_letters_show_exactly_the_pairs_that_are_not_apart(seed):
    upper = np.triu(np.random.default_rng(seed).random((6, 6)) < 0.4, 1)
    differ = upper | upper.T
    groups = maximal_groups(differ)
    assert groups == slow.maximal_groups(differ.tolist())
    shown = letters(groups, 6)
    for a, b in combinations(range(6), 2):
        assert bool(set(shown[a]) & set(shown[b])) == (not differ[a, b])


@pytest.mark.parametrize("count", range(1, 7))
@pytest.mark.parametrize("scores", [[0, 1, 2, 3, 4, 5, 6], [0, 0, 0, 3, 3, 9, 9], [0, 0, 0, 0, 0, 0, 0]])
def test_choices_of_a_line_are_counted_as_by_listing_them(scores, count):
    ways = exact_blocked.line_counts(np.array(scores), count)
    listed = np.bincount([sum(choice) for choice in combinations(scores, count)], minlength=ways.size)
    assert np.array_equal(ways, listed)


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_the_quadratic_form_is_that_of_linear_algebra(kind):
    totals, matrix = np.array([3, -1, 2]), np.array([[2, 1, 0], [1, 5, -3], [0, -3, 7]], kind)
    assert exact_blocked.quadratic(totals, matrix) == totals @ matrix @ totals
