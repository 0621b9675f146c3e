from __future__ import annotations

import numpy as np
import pytest

from runoff._kernels import study as kernels
from runoff._kernels.study import sequential_mean, shuffled_hits, strict_hits
from runoff._kernels.two_sample.masks import state_of
from runoff.lab.contenders.resampling import IQM_CUT, _pooled_order, quantiles
from tests.reference import study as slow
from tests.reference.words import draw_words

RNG = np.random.default_rng(3)
N_RESAMPLES = kernels.CHUNK + 30


def words(n_slots: int) -> np.ndarray:
    return RNG.integers(0, 2**32, size=(N_RESAMPLES, n_slots), dtype=np.uint32)


@pytest.mark.slow
@pytest.mark.parametrize(("n_tasks", "n_runs"), [(1, 2), (3, 4), (5, 7)])
def test_pooled_means_are_those_of_each_resample(n_tasks: int, n_runs: int) -> None:
    scores, drawn = RNG.normal(size=(2, n_tasks, n_runs)), words(n_tasks * n_runs)
    flat = scores.reshape(2, -1)
    order = np.argsort(flat, axis=1)
    trimmed, means = np.empty((2, 2, N_RESAMPLES))
    kernels.pooled_means(
        kernels.resample_counts(drawn, n_runs),
        order,
        np.take_along_axis(flat, order, axis=1),
        flat.shape[1],
        IQM_CUT * flat.shape[1],
        trimmed,
        means,
    )
    for b in range(2):
        expected = [slow.resample(row, scores[b]) for row in drawn]
        assert trimmed[b] == pytest.approx([slow.iqm(r) for r in expected])
        assert means[b] == pytest.approx([r.mean() for r in expected])


@pytest.mark.slow
@pytest.mark.parametrize("tied", [False, True])
def test_improvements_are_those_of_each_pair_of_resamples(tied: bool) -> None:
    scores = RNG.normal(size=(2, 2, 3, 4))
    scores = np.round(scores) if tied else scores
    drawn_x, drawn_y = words(12), words(12)
    order, last = _pooled_order(scores)
    out = np.empty((2, N_RESAMPLES))
    kernels.improvements(kernels.resample_counts(drawn_x, 4), kernels.resample_counts(drawn_y, 4), order, last, out)
    some = [*range(40), *range(kernels.CHUNK - 2, N_RESAMPLES)]  # the first, and those on both sides of a chunk's end
    for b in range(2):
        pairs = [(slow.resample(drawn_x[r], scores[b, 1]), slow.resample(drawn_y[r], scores[b, 0])) for r in some]
        assert out[b, some] == pytest.approx([slow.improvement(x, y) for x, y in pairs])


def test_lanes_hold_the_labels_they_were_given() -> None:
    labels = RNG.integers(0, 2, size=(N_RESAMPLES, 6)).astype(np.int8)
    arranged = kernels.lanes(labels)
    assert (arranged.transpose(0, 2, 1).reshape(-1, 6)[:N_RESAMPLES] == labels).all()
    assert arranged[-1, :, 30:].sum() == 0


def test_quantiles_are_numpys() -> None:
    replicated = RNG.normal(size=(4, 101))
    low, high = quantiles(replicated, 0.05)
    assert low == pytest.approx(np.quantile(replicated, 0.025, axis=1))
    assert high == pytest.approx(np.quantile(replicated, 0.975, axis=1))


@pytest.mark.parametrize(
    ("n", "n_draws"), [(2, 800), (3, 800), *(pytest.param(n, 4000, marks=pytest.mark.slow) for n in (2, 3, 5, 7))]
)
def test_few_runs_are_shuffled_and_rounded_as_the_papers_code_does(n: int, n_draws: int) -> None:
    pooled = RNG.normal(size=(12, 2 * n))
    hits = shuffled_hits(pooled, n, n_draws, state_of(np.random.Generator(np.random.SFC64(1))))
    expected = [slow.historic_permutation(row[:n], row[n:], n_draws, RNG) for row in pooled]
    assert np.abs(hits - expected).max() < 5 * np.sqrt(2 * n_draws * 0.25)


@pytest.mark.slow
@pytest.mark.parametrize("n_draws", [400, pytest.param(4000, marks=pytest.mark.slow)])
def test_many_runs_count_strictly_as_the_papers_code_does(n_draws: int) -> None:
    pooled = RNG.normal(size=(12, 20))
    hits = strict_hits(pooled, 10, n_draws, state_of(np.random.Generator(np.random.SFC64(1))))
    expected = [slow.historic_permutation(row[:10], row[10:], n_draws, RNG) for row in pooled]
    assert np.abs(hits - expected).max() < 5 * np.sqrt(2 * n_draws * 0.25)


@pytest.mark.slow
def test_sharing_resamples_widens_a_rate_by_no_more_than_it_says() -> None:
    """Over many studies of 500 nulls the variance of the false positive rate is binomial up to SHARED / n_resamples."""
    from runoff.lab.blocks import run_block
    from tests.lab.makers import normal_world, small_study

    study = small_study(
        worlds=(normal_world(2),), contenders=("stratified_permutation",), n_runs=(4,), n_repeats=100_000
    )
    cell = next(iter(study.cells()))
    rates = np.array([run_block(study, cell, block).total[0] / 500 for block in range(200)])
    binomial = rates.mean() * (1 - rates.mean()) / 500
    assert 0.75 < rates.var(ddof=1) / binomial < 1.2 + 0.3


def test_shuffles_are_those_that_the_generators_words_make_and_leave_the_state_after_them() -> None:
    n, n_resamples, pooled = 2, 7, np.array([[1.0, 2.5, 4.0, 8.5]])
    state = state_of(np.random.Generator(np.random.SFC64(4)))
    counted = shuffled_hits(pooled, n, n_resamples, state)
    generator, values, hits = np.random.Generator(np.random.SFC64(4)), pooled[0].copy(), 0
    for _ in range(n_resamples):
        for i in (3, 2, 1):
            j = (int(generator.bit_generator.random_raw()) & 0xFFFFFFFF) * (i + 1) >> 32
            values[i], values[j] = values[j], values[i]
        hits += abs(values[:n].mean() - values[n:].mean()) > abs(pooled[0, :n].mean() - pooled[0, n:].mean())
    assert counted.tolist() == [hits]
    assert draw_words(state, 2).tolist() == generator.bit_generator.random_raw(2).tolist()


def test_relabellings_that_equal_the_data_do_not_count_as_beyond_it() -> None:
    state = state_of(np.random.Generator(np.random.SFC64(1)))
    assert strict_hits(np.array([[0.1, 0.1, 0.4, 0.4]]), 2, 500, state).tolist() == [0]


def test_the_mean_of_a_part_is_its_sum_over_its_length():
    assert sequential_mean(np.array([1.0, 2.0, 4.0, 9.0]), 1, 4) == 5.0
