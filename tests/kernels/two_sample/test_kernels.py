"""Two-sample kernels against their slow twins and against NumPy."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy import stats

from runoff._inference.two_sample import run_two_sample
from runoff._inference.two_sample.relabelling import INTERVALS, relabellings
from runoff._kernels.two_sample import bootstrap, masks, permutation, ranks
from runoff.base.random import streams
from tests.reference import two_sample as slow
from tests.reference.words import draw_words

SIDES = ("greater", "less", "two-sided")
PAIRS = [
    ([1.0, 2.5, 3.0, 7.0], [2.0, 2.5, 6.0]),
    ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 2.0, 5.0]),
    ([5.0, 4.0, 8.0, 9.0, 2.0], [1.0, 3.0, 4.5, 0.5, 2.2]),
    ([3.0, 3.0, 3.0], [1.0, 3.0, 9.0, 4.0]),
]
TWINS = {
    "mann_whitney": slow.centred_u,
    "permutation": slow.mean_difference,
    "studentized_permutation": slow.welch_order,
    "brunner_munzel": slow.brunner_munzel_order,
}


def test_a_kernel_continues_the_stream_of_a_numpy_generator_bit_by_bit() -> None:
    generator = streams(3).block("words", 1)
    state = masks.state_of(generator)
    assert np.array_equal(draw_words(state, 1000), generator.bit_generator.random_raw(1000))
    assert np.array_equal(state, masks.state_of(generator))


@pytest.mark.parametrize(("n", "k"), [(6, 3), (7, 2), (64, 1), (65, 2)])
def test_enumerated_masks_are_all_subsets_once(n: int, k: int) -> None:
    subsets = relabellings(n, k)
    wanted = [sum(1 << i for i in chosen) for chosen in combinations(range(n), k)]
    assert [sum(int(word) << 64 * w for w, word in enumerate(mask)) for mask in subsets] == wanted


@pytest.mark.parametrize(("n", "k"), [(6, 3), (7, 2), (9, 1)])
def test_drawn_masks_are_uniform_over_all_subsets(n: int, k: int) -> None:
    drawn = np.zeros((50_000, 1), dtype=np.uint64)
    masks.draw_masks(masks.state_of(streams(0).block("masks", n)), n, k, drawn)
    counts = np.unique(drawn, return_counts=True)[1]
    assert counts.size == comb(n, k)
    assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize(("n", "k"), [(64, 32), (130, 65), (200, 3)])
def test_drawn_masks_of_many_values_choose_each_value_equally_often(n: int, k: int) -> None:
    drawn = np.zeros((20_000, (n + 63) // 64), dtype=np.uint64)
    masks.draw_masks(masks.state_of(streams(0).block("masks", n)), n, k, drawn)
    bits = np.unpackbits(drawn.view(np.uint8), axis=1, bitorder="little")[:, :n]
    assert (bits.sum(axis=1) == k).all()
    assert stats.chisquare(bits.sum(axis=0)).pvalue > 1e-4


def test_sums_from_byte_tables_are_the_sums() -> None:
    values = np.random.default_rng(0).normal(size=77)
    drawn = np.zeros((5, 2), dtype=np.uint64)
    masks.draw_masks(masks.state_of(streams(0).block("sums", 0)), 77, 30, drawn)
    bits = np.unpackbits(drawn.view(np.uint8), axis=1, bitorder="little")[:, :77]
    table = permutation.byte_sums(values)
    assert [permutation.masked_sum(table, mask) for mask in drawn] == pytest.approx(list(bits @ values))


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("test", TWINS)
def test_exact_permutation_pvalues_are_those_of_the_slow_twin(test: str, pair: tuple[list[float], list[float]]) -> None:
    wanted = slow.relabelled(*pair, TWINS[test])
    x, y = (np.array(sample)[None] for sample in pair)
    for alternative, pvalue in zip(SIDES, wanted, strict=True):
        ours = run_two_sample(test, x, y, alternative=alternative, method="exact")
        assert ours.pvalue[0] == pytest.approx(pvalue, rel=1e-12)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_exact_kolmogorov_smirnov_is_that_of_the_slow_twin(pair: tuple[list[float], list[float]]) -> None:
    outcome = run_two_sample("kolmogorov_smirnov", *(np.array(sample)[None] for sample in pair))
    assert outcome.statistic[0] == pytest.approx(float(slow.ks_gap(*pair)))
    assert outcome.pvalue[0] == pytest.approx(slow.relabelled(*pair, slow.ks_gap)[2], rel=1e-12)


def test_kolmogorov_smirnov_without_ties_agrees_with_scipy() -> None:
    x, y = np.random.default_rng(1).normal(size=(2, 1, 30))
    for method, theirs in (("exact", "exact"), ("asymptotic", "asymp")):
        ours = run_two_sample("kolmogorov_smirnov", x, y[:, :25], method=method)
        wanted = stats.ks_2samp(x[0], y[0, :25], method=theirs)
        assert ours.statistic[0] == pytest.approx(wanted.statistic)
        assert ours.pvalue[0] == pytest.approx(wanted.pvalue, rel=1e-9 if method == "exact" else 0.1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("pair", [PAIRS[0], PAIRS[3]], ids=str)
@pytest.mark.parametrize("interval", INTERVALS)
def test_bootstrap_pvalues_are_within_four_standard_errors_of_all_resamples(
    interval: str, pair: tuple[list[float], list[float]]
) -> None:
    x, y = pair[0][:2], pair[1][:3]
    wanted = (
        slow.studentized_bootstrap_pvalue(x, y) if interval == "studentized" else slow.bootstrap_pvalue(x, y, interval)
    )
    for alternative, pvalue in zip(SIDES, wanted, strict=True):
        ours = run_two_sample(
            "bootstrap", np.array([x]), np.array([y]), alternative=alternative, interval=interval, n_resamples=20_000
        )
        assert abs(ours.pvalue[0] - pvalue) <= 4.0 * ours.pvalue_error[0] + 1e-4


@pytest.mark.parametrize("n", [5, 30, 64, 65])
def test_bootstrap_means_have_the_mean_and_variance_of_the_bootstrap_for_short_and_long_samples(n: int) -> None:
    from runoff._kernels.two_sample.bootstrap import pair_table, resampled_sums

    values, sums = np.random.default_rng(n).normal(size=n), np.empty(40_000)
    resampled_sums(masks.state_of(streams(0).block("sums", n)), pair_table(values), values, sums)
    spread = np.sqrt(n * values.var())
    assert abs(sums.mean() - values.sum()) < 4.0 * spread / 200.0
    assert sums.std() == pytest.approx(spread, rel=0.02)


def test_the_null_distribution_of_u_is_the_count_of_all_relabellings() -> None:
    counts = ranks.u_distribution((1,) * 5, 2, 3) * comb(5, 2)
    assert counts == pytest.approx([1, 1, 2, 2, 2, 1, 1])


@pytest.mark.parametrize("values", [2, 4, 1000])
def test_ranks_and_placements_are_counted_value_by_value(values: int) -> None:
    pooled = np.random.default_rng(values).integers(0, values, (30, 9))
    x, y = pooled[:, :4], pooled[:, 4:]
    is_x, last = ranks.sort_pooled(x.astype(float), y.astype(float))
    sums = ranks.placement_sums(is_x, last)
    placements = [
        [2 * (own < value).sum() + (own == value).sum() for value in of] for own, of in zip(y, x, strict=True)
    ]
    assert sums[:, :2].tolist() == [[sum(row), sum(p * p for p in row)] for row in placements]
    assert ranks.doubled_midranks(last).tolist() == [list(2 * stats.rankdata(np.sort(row))) for row in pooled]
    assert ranks.tie_term(last).tolist() == [
        sum(t**3 - t for t in np.unique(row, return_counts=True)[1]) for row in pooled
    ]


def test_welch_is_the_printed_formula() -> None:
    x, y = PAIRS[2]
    outcome = run_two_sample("welch", np.array([x]), np.array([y]))
    assert outcome.df is not None
    assert (outcome.statistic[0], outcome.df[0]) == pytest.approx(slow.welch_t(x, y), rel=1e-12)


def halves(generator: np.random.Generator, n: int) -> list[int]:
    """Return the low and high halves of the next n words of a generator."""
    return [half for word in generator.bit_generator.random_raw(n).tolist() for half in (word & 0xFFFFFFFF, word >> 32)]


@pytest.mark.parametrize("n", [4, 7])
def test_resampled_moments_are_those_of_the_runs_that_the_generators_words_choose(n):
    values, n_resamples = np.arange(1.0, n + 1) ** 2, 6
    state = masks.state_of(np.random.Generator(np.random.SFC64(8)))
    sums, squares = np.empty((2, n_resamples))
    bootstrap.resampled_moments(state, values, sums, squares)
    generator = np.random.Generator(np.random.SFC64(8))
    for r in range(n_resamples):
        drawn = values[[half * n >> 32 for half in halves(generator, (n + 1) // 2)[:n]]]
        assert (sums[r], squares[r]) == (drawn.sum(), (drawn**2).sum())
    assert draw_words(state, 3).tolist() == generator.bit_generator.random_raw(3).tolist()


@pytest.mark.parametrize("n", [3, 4, 5])
def test_resampled_sums_leave_the_state_after_the_words_that_they_took(n):
    """Small samples are drawn by pairs from a table, so what is chosen is tested by its law elsewhere; here, how many words it took."""
    values, n_resamples = np.arange(1.0, n + 1), 5
    state = masks.state_of(np.random.Generator(np.random.SFC64(8)))
    bootstrap.resampled_sums(state, values, values, np.empty(n_resamples))
    generator = np.random.Generator(np.random.SFC64(8))
    generator.bit_generator.random_raw(n_resamples * ((n + 1) // 2))
    assert draw_words(state, 3).tolist() == generator.bit_generator.random_raw(3).tolist()
