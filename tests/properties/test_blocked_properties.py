"""Laws of the blocked tests over random ragged designs with ties and missing cells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff._inference.blocked.registry import BLOCKED, run_blocked
from runoff._inference.family import OF_PVALUES, adjust
from runoff._inference.rank_sets import letters, maximal_groups
from runoff.base.random import Streams
from tests.amount import examples
from tests.reference.blocked import flat

SCORES = st.integers(-3, 3).map(float)


@st.composite
def designs(draw, most=4, least=2):
    """Cells [algorithm][task] with 0 to 3 runs; the first task has runs of all."""
    k, n = draw(st.integers(least, most)), draw(st.integers(1, 3))
    first = [[draw(st.lists(SCORES, min_size=1, max_size=3))] for _ in range(k)]
    return [row + [draw(st.lists(SCORES, max_size=3)) for _ in range(n - 1)] for row in first]


def outcome_of(cells, method="asymptotic", **options):
    return run_blocked("mack_skillings", *flat(cells), method=method, **options)


@given(designs(), st.randoms(use_true_random=False))
@settings(max_examples=examples(40), deadline=None)
def test_relabelling_algorithms_relabels_the_result(cells, random):
    order = list(range(len(cells)))
    random.shuffle(order)
    first, second = outcome_of(cells), outcome_of([cells[a] for a in order])
    assert np.isclose(first.statistic, second.statistic, rtol=1e-9, atol=1e-12)
    assert np.allclose([first.mean_ranks[a] for a in order], second.mean_ranks)
    assert first.df == second.df


@given(designs(), st.randoms(use_true_random=False))
@settings(max_examples=examples(40), deadline=None)
def test_shuffling_runs_and_tasks_changes_nothing(cells, random):
    shuffled = [[random.sample(cell, len(cell)) for cell in row[::-1]] for row in cells]
    first, second = outcome_of(cells), outcome_of(shuffled)
    assert np.isclose(first.statistic, second.statistic, rtol=1e-9, atol=1e-12)
    assert np.allclose(first.rank_sums, second.rank_sums)


@pytest.mark.parametrize("test", ["mack_skillings", "skillings_mack", "van_elteren", "stratified_permutation"])
@given(data=st.data(), random=st.randoms(use_true_random=False))
@settings(max_examples=examples(25, 8), deadline=None)
def test_no_order_of_rows_tasks_or_algorithms_changes_a_drawn_p_value(test, data, random):
    """Bit for bit: the draws are made along a canonical arrangement of the runs."""
    cells = data.draw(designs(most=4 if BLOCKED[test].n_algorithms is None else 2))
    algorithms, tasks = list(range(len(cells))), list(range(len(cells[0])))
    random.shuffle(algorithms)
    random.shuffle(tasks)
    other = [[random.sample(cells[a][t], len(cells[a][t])) for t in tasks] for a in algorithms]
    first, second = (run_blocked(test, *flat(c), method="monte_carlo", n_resamples=150) for c in (cells, other))
    assert first.pvalue == second.pvalue
    assert abs(first.direction) == abs(second.direction)
    assert first.mean_ranks == tuple(second.mean_ranks[algorithms.index(a)] for a in range(len(cells)))


@given(designs(), st.lists(st.floats(0.1, 5.0), min_size=3, max_size=3))
@settings(max_examples=examples(40), deadline=None)
def test_increasing_maps_task_by_task_change_nothing(cells, slopes):
    mapped = [[[slopes[t] * x**3 + t for x in cell] for t, cell in enumerate(row)] for row in cells]
    first, second = outcome_of(cells), outcome_of(mapped)
    assert (first.statistic, first.pvalue, first.mean_ranks) == (second.statistic, second.pvalue, second.mean_ranks)


@given(designs(most=3))
@settings(max_examples=examples(25), deadline=None)
def test_exact_and_monte_carlo_p_values_agree(cells):
    exact = outcome_of(cells, method="exact").pvalue
    drawn = outcome_of(cells, method="monte_carlo", n_resamples=2_000)
    assert abs(exact - drawn.pvalue) <= 5 * np.sqrt(exact * (1 - exact) / 2_000) + 1e-3


@given(designs(most=2))
@settings(max_examples=examples(40), deadline=None)
def test_one_sided_exact_p_values_overlap_in_the_observed_value(cells):
    greater, less = (outcome_of(cells, "exact", alternative=side).pvalue for side in ("greater", "less"))
    mirrored = outcome_of(cells[::-1], "exact", alternative="greater").pvalue
    assert greater + less >= 1.0 - 1e-12
    assert np.isclose(mirrored, less, rtol=1e-9)


@given(designs(), st.integers(0, 2**31))
@settings(max_examples=20, deadline=None)
def test_a_seed_fixes_the_numbers(cells, seed):
    first, second = (outcome_of(cells, method="monte_carlo", n_resamples=300, streams=Streams(seed)) for _ in range(2))
    assert first == second


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12), st.sampled_from(sorted(OF_PVALUES)))
@settings(max_examples=examples(100), deadline=None)
def test_adjusted_p_values_are_at_least_raw_and_keep_their_order(pvalues, correction):
    adjusted = adjust(pvalues, correction)
    assert (adjusted >= np.array(pvalues) - 1e-15).all()
    assert (adjusted <= 1.0).all()
    assert (np.diff(adjusted[np.argsort(pvalues, kind="stable")]) >= -1e-15).all()


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=10))
@settings(max_examples=examples(100), deadline=None)
def test_stronger_assumptions_never_adjust_more(pvalues):
    bonferroni, holm, hochberg, hommel = (
        adjust(pvalues, name) for name in ("bonferroni", "holm", "hochberg", "hommel")
    )
    assert (bonferroni >= holm - 1e-12).all()
    assert (holm >= hochberg - 1e-12).all()
    assert (hochberg >= hommel - 1e-12).all()


@given(st.integers(1, 7), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_letters_are_shared_exactly_by_those_not_apart(k, data):
    upper = np.triu(np.array(data.draw(st.lists(st.booleans(), min_size=k * k, max_size=k * k))).reshape(k, k), 1)
    differ = upper | upper.T
    shown = letters(maximal_groups(differ), k)
    shared = np.array([[bool(set(a) & set(b)) for b in shown] for a in shown])
    assert (shared == ~differ).all()
