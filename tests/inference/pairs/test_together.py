"""Pairs that are relabelled together: the same numbers as each by itself, and as the definition."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import runoff as ro
from runoff._inference.blocked import relabelled_pvalues
from runoff._inference.pairs import PairData, PairOptions, run_pair, run_pairs
from runoff._kernels.blocked import permute
from runoff._kernels.blocked.stratified import mean_differences, mean_differences_together
from runoff.base.random import Streams
from tests.reference import blocked as slow

STARTS, COUNTS = np.array([0, 5, 9, 16]), np.array([[2, 3], [2, 2], [4, 3]])


def some(n_pairs: int, levels: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Scores (total, n_pairs), and labels of forty relabellings."""
    rng = np.random.default_rng(n_pairs)
    shape = int(STARTS[-1]), n_pairs
    values = rng.normal(size=shape) if levels is None else rng.integers(levels, size=shape) - 1.0
    words = rng.integers(0, 2**32, size=(40, permute.words_per_draw(COUNTS)), dtype=np.uint32)
    return values, permute.shuffled_labels(STARTS, COUNTS, words)


@pytest.mark.parametrize("levels", [None, 2], ids=["scores", "scores of two values"])
def test_differences_of_many_pairs_are_to_the_bit_those_of_each_alone(levels):
    values, labels = some(7, levels)
    differences = mean_differences_together(values, STARTS, labels, np.abs(values).max(axis=0), True)
    for column, own in zip(differences.T, values.T, strict=True):
        assert column.tolist() == mean_differences(own.copy(), STARTS, labels, True).tolist()


def test_differences_of_many_pairs_are_those_of_the_definition():
    values, labels = some(3)
    differences = mean_differences_together(values, STARTS, labels, np.abs(values).max(axis=0), True)
    for row, who in zip(differences, labels, strict=True):
        for statistic, own in zip(row, values.T, strict=True):
            tasks = [slice(*ends) for ends in pairwise(STARTS)]
            cells = [[own[task][who[task] == side].tolist() for task in tasks] for side in (0, 1)]
            assert statistic == pytest.approx(slow.studentised_difference(cells), rel=1e-9)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["studentized_permutation", "stratified_permutation"])
@pytest.mark.parametrize(("n_tasks", "n_runs"), [(2, 3), (3, 2), (5, 4)])
def test_many_experiments_have_the_pvalues_of_each_alone(name, n_tasks, n_runs):
    rng = np.random.default_rng(n_tasks)
    x, y = (np.round(rng.normal(at, 1, (3, n_tasks, n_runs)), 1) for at in (0.0, 0.8))
    settings = {"streams": Streams(0), "n_resamples": 20_000}
    pvalues = relabelled_pvalues(x, y, studentized=name == "studentized_permutation", **settings)
    for own, a, b in zip(pvalues, x, y, strict=True):
        alone = run_pair(name, PairData.of(ro.Scores.from_dict({"A": a.T, "B": b.T}), 0, 1), PairOptions(**settings))
        assert own == pytest.approx(alone.pvalue, abs=0.015)


def mixed() -> ro.Scores:
    """Algorithms with several numbers of runs: designs that are enumerated, that are drawn, and a pair of single runs."""
    rng = np.random.default_rng(5)
    sizes = {"A": 12, "B": 12, "C": 12, "D": 2, "E": 2, "F": 5, "G": 1}
    return ro.Scores.from_dict({a: {t: rng.normal(size=n).tolist() for t in "tu"} for a, n in sizes.items()})


@pytest.mark.parametrize("test", ["auto", "mack_skillings", "stratified_permutation"])
def test_all_pairs_at_once_are_each_pair_by_itself_on_any_number_of_threads(test):
    scores = mixed()
    pairs = [PairData.of(scores, a, b) for a in range(7) for b in range(a)]
    options = PairOptions(streams=Streams(3), n_resamples=20_000)
    alone = [run_pair(test, pair, options) for pair in pairs]
    assert run_pairs(test, pairs, options, threads=1) == alone
    assert run_pairs(test, pairs, options, threads=3) == alone


def test_studentised_pairs_at_once_are_each_pair_by_itself_on_any_number_of_threads():
    scores = mixed().select(algorithms=["A", "B", "C", "D", "E", "F"])
    pairs = [PairData.of(scores, a, b) for a in range(6) for b in range(a)]
    options = PairOptions(streams=Streams(3), n_resamples=20_000)
    alone = [run_pair("studentized_permutation", pair, options) for pair in pairs]
    for threads in (1, 3):
        assert run_pairs("studentized_permutation", pairs, options, threads=threads) == alone


@pytest.mark.parametrize(
    ("test", "measure", "method"),
    [
        pytest.param("studentized_permutation", "mean", "monte_carlo", marks=pytest.mark.slow),
        *(("auto", m, "asymptotic") for m in ("mean", "improvement")),
    ],
)
def test_a_pair_has_the_same_p_value_with_and_without_other_algorithms(test, measure, method):
    scores, options = (
        mixed().select(algorithms=["A", "B", "C", "F"]),
        {"test": test, "measure": measure, "n_resamples": 2_000},
    )
    whole = ro.compare(scores, correction="none", **options)["A", "B"]
    (alone,) = ro.compare(scores.select(algorithms=["A", "B"]), correction="none", **options).pairs
    assert (whole.statistic, whole.pvalue, whole.method) == (alone.statistic, alone.pvalue, method)


@pytest.mark.parametrize("measure", ["mean", "iqm", "improvement"])
def test_on_one_task_whole_runs_are_runs_like_any_others(measure):
    rng = np.random.default_rng(8)
    runs = {name: {"t": rng.normal(lead, 1, 6)} for name, lead in (("A", 0), ("B", 0.5))}
    pairs = [ro.compare(ro.Scores.from_dict(runs, runs=kind), measure=measure)[0] for kind in ("per_task", "shared")]
    assert pairs[0] == pairs[1]
