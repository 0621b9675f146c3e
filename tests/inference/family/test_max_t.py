"""The max-T correction: the closure is a closure, its classes are relabelled on their own, its p-values are valid."""

import numpy as np
import pytest

from runoff._inference.blocked.design import gather
from runoff._inference.blocked.registry import run_blocked
from runoff._inference.family.corrections import adjust
from runoff._inference.family.max_t import COMPARISONS, Null, max_t, partitions
from runoff.base.random import Streams
from runoff.errors import DesignError, OptionError
from tests.reference import blocked as slow
from tests.reference import family


def storage(k, n, c, seed=0, shifts=(), levels=None):
    data = np.random.default_rng(seed).normal(size=(k, n, c))
    data[: len(shifts)] += np.reshape(shifts, (-1, 1, 1))
    if levels:
        data = np.round(data * levels) / levels
    return data.ravel(), np.arange(k * n + 1) * c, k, n


def test_partitions_are_counted_by_the_bell_numbers():
    assert [sum(1 for _ in partitions(list(range(k)))) for k in range(1, 8)] == [1, 2, 5, 15, 52, 203, 877]


def test_closure_over_partitions_is_closure_over_all_intersections_of_pairs():
    data = storage(4, 5, 4, shifts=(0.0, 0.4, 0.8, 1.0))
    family = COMPARISONS["rank"](gather(*data), None)
    null = Null(family, Streams(3), 400)
    expected = slow.adjusted_by_closure(family.observed, null.joint, list(family.pairs))
    result = max_t(*data, streams=Streams(3), n_resamples=400)
    assert result.procedure == "closure"
    assert result.adjusted == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("levels", [None, 2])
def test_raw_p_values_are_the_exact_ones_of_the_pair_alone_within_error(levels):
    values, offsets, k, n = storage(3, 3, 4, seed=2, shifts=(0.0, 0.0, 3.0), levels=levels)
    result = max_t(values, offsets, k, n, streams=Streams(1), n_resamples=4_000)
    for (a, b), p in zip(result.pairs, result.pvalues, strict=True):
        pair = np.concatenate([values[offsets[i * n] : offsets[(i + 1) * n]] for i in (a, b)])
        exact = run_blocked("mack_skillings", pair, offsets[: 2 * n + 1], 2, n, method="exact").pvalue
        assert abs(p - exact) <= 4 * np.sqrt(exact * (1 - exact) / 4_000) + 1e-3


def test_two_algorithms_need_no_adjustment():
    result = max_t(*storage(2, 4, 3), streams=Streams(0), n_resamples=200)
    assert result.adjusted.tolist() == result.pvalues.tolist()


def test_adjusted_p_values_are_at_least_the_raw_ones_and_at_most_holms():
    result = max_t(*storage(5, 6, 4, shifts=(0, 0.2, 0.6, 1.0, 1.0), levels=3), streams=Streams(0), n_resamples=500)
    assert (result.adjusted >= result.pvalues).all()
    assert (result.adjusted <= np.minimum(10 * result.pvalues, 1) + 0.05).all()


def test_against_a_control_only_its_pairs_are_adjusted():
    data = storage(4, 5, 4, shifts=(0.0, 0.0, 1.0, 1.0))
    result = max_t(*data, control=1, streams=Streams(0), n_resamples=1_000)
    everything = max_t(*data, streams=Streams(0), n_resamples=1_000)
    assert result.pairs == ((0, 1), (2, 1), (3, 1))
    assert result.z.tolist() == pytest.approx([everything.z[0], -everything.z[3], -everything.z[4]])
    assert (result.adjusted <= everything.adjusted[[0, 3, 4]] + 0.01).all()


def test_many_algorithms_without_ties_are_stepped_down_and_with_ties_fall_back_to_holm():
    untied = max_t(*storage(8, 2, 2), streams=Streams(0), n_resamples=50)
    tied = max_t(*storage(8, 2, 2, levels=1), streams=Streams(0), n_resamples=50)
    assert (untied.procedure, tied.procedure) == ("step_down", "holm")
    assert (untied.adjusted >= untied.pvalues).all()


def test_third_algorithms_do_not_enter_a_pair_s_own_p_value():
    values, offsets, k, n = storage(3, 4, 3, levels=2)
    moved = values.copy()
    moved[offsets[2 * n] :] += 100.0
    first, second = (max_t(v, offsets, k, n, streams=Streams(0), n_resamples=300) for v in (values, moved))
    assert first.z[0] == second.z[0]
    assert abs(first.pvalues[0] - second.pvalues[0]) < 0.12


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others():
    data = storage(3, 4, 3, levels=2)
    first, same, other = (max_t(*data, streams=Streams(s), n_resamples=300).adjusted.tolist() for s in (0, 0, 1))
    assert first == same
    assert first != other


def test_pairs_without_a_shared_task_are_not_different():
    counts = [[2, 0], [2, 2], [0, 2]]
    cells = [[list(range(a, a + c)) for c in row] for a, row in enumerate(counts)]
    result = max_t(*slow.flat(cells), streams=Streams(0), n_resamples=100)
    assert result.pairs[1] == (0, 2)
    assert (result.z[1], result.pvalues[1], result.adjusted[1]) == (0.0, 1.0, 1.0)


def test_one_algorithm_is_refused():
    with pytest.raises(DesignError, match="at least two algorithms"):
        max_t(*storage(1, 2, 2), streams=Streams(0))


@pytest.mark.parametrize(
    ("k", "control", "procedure"),
    [(7, None, "closure"), (8, None, "step_down"), (9, 0, "closure"), (10, 0, "step_down")],
)
def test_families_are_closed_up_to_seven_algorithms_or_nine_with_a_control(k, control, procedure):
    assert max_t(*storage(k, 1, 2), control=control, streams=Streams(0), n_resamples=20).procedure == procedure


def test_each_step_down_compares_with_the_largest_of_the_pairs_that_are_left():
    data = storage(8, 3, 3, shifts=np.linspace(0.0, 1.5, 8))
    result = max_t(*data, streams=Streams(0), n_resamples=400)
    family = COMPARISONS["rank"](gather(*data), None)
    drawn = np.abs(Null(family, Streams(0), 400).joint[:, *np.transpose(family.pairs)])
    order, expected, before = np.argsort(-np.abs(result.z)), np.empty(result.z.size), 0.0
    for step, at in enumerate(order):
        hits = (drawn[:, order[step:]].max(axis=1) >= abs(result.z[at]) * (1 - 1e-9)).sum()
        before = expected[at] = max(before, (1 + hits) / 401)
    assert result.adjusted == pytest.approx(expected)


def test_with_a_control_the_other_pairs_do_not_enter():
    data = storage(3, 4, 3, shifts=(0.0, 0.8, -0.8))
    result = max_t(*data, control=0, streams=Streams(0), n_resamples=500)
    family = COMPARISONS["rank"](gather(*data), 0)
    drawn = np.abs(Null(family, Streams(0), 500).joint[:, [1, 2], [0, 0]])
    observed = np.abs(result.z)
    both = (1 + (drawn.max(axis=1) >= observed.max() * (1 - 1e-9)).sum()) / 501
    single = (1 + (drawn >= observed * (1 - 1e-9)).sum(axis=0)) / 501
    assert result.adjusted == pytest.approx(np.maximum(both, single))


@pytest.mark.parametrize("pvalues", [[0.5, 1.5], [-0.1, 0.5], [float("nan"), 0.5]])
def test_what_is_no_p_value_is_not_adjusted(pvalues):
    with pytest.raises(OptionError):
        adjust(pvalues, "holm")


@pytest.mark.parametrize(("name", "statistic"), [("rank", family.steel_dwass), ("mean", slow.studentised_difference)])
def test_the_statistics_of_all_pairs_are_those_of_each_pair_alone(name, statistic):
    rng = np.random.default_rng(2)
    cells = [[rng.normal(size=c).tolist() for c in row] for row in ([3, 2, 4], [2, 5, 3], [4, 3, 2])]
    observed = COMPARISONS[name](gather(*slow.flat(cells)), None).observed
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert observed[a, b] == pytest.approx(statistic([cells[a], cells[b]]))
        assert observed[b, a] == -observed[a, b]
