"""`false_positive_rate`: the share over all splits is that of a plain loop, known truths are found, nonsense is refused."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff import lab
from runoff._inference.pairs import Relabelling, improvement_law
from runoff._inference.pairs.small import SmallLaw
from runoff.base.random import Streams
from runoff.lab.contenders.registry import Batch
from runoff.lab.own_runs.false_positives import improvement_pvalues, jackknife_decision
from runoff.lab.own_runs.runs import OwnRuns, all_splits, halves, n_splits, own_runs
from tests.inference.pairs.test_small import pair_of

RNG = np.random.default_rng(3)
SIX = ro.Scores.from_dict({"A": {"Pong": RNG.normal(size=6)}})
TWO_TASKS = ro.Scores.from_dict({"A": {"Pong": RNG.normal(size=4), "Qbert": RNG.exponential(size=4)}})
NORMAL = ro.Scores.from_dict({"A": {"Pong": RNG.normal(size=2000)}})
THOUSAND = {"n_repeats": 1000, "n_resamples": 400}


def splits_of(size, n):
    """Return every pair of disjoint groups, both ways round."""
    return [(a, b) for a in combinations(range(size), n) for b in combinations(set(range(size)) - set(a), n)]


def splits_over_tasks(cells, n):
    """Return every choice of a pair of groups on each task; turned on all of them, it is the same."""
    first, *others = (splits_of(cell.size, n) for cell in cells)
    return product([(a, b) for a, b in first if a < b], *others)


def rate_by_loop(scores, n, test):
    """Return the share of splits that `compare` rejects, one after the other, by the public function."""
    cells = {task: scores.cell("A", task) for task in scores.tasks}
    rejected = []
    for choice in splits_over_tasks(cells.values(), n):
        sides = [
            {task: cell[list(pair[side])] for (task, cell), pair in zip(cells.items(), choice, strict=True)}
            for side in (0, 1)
        ]
        result = ro.compare(ro.Scores.from_dict({"a": sides[0], "b": sides[1]}), test=test, alpha=0.4, n_resamples=2000)
        rejected.append(result.pairs[0].pvalue <= 0.4)
    return np.mean(rejected)


ONE_TASK_TESTS = ["auto", "welch", "student", "yuen", "mann_whitney", "permutation", "studentized_permutation"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("test", ONE_TASK_TESTS)
def test_few_splits_are_all_counted_and_give_the_share_of_a_loop(test):
    record = lab.false_positive_rate(SIX, test=test, n_runs=3, alpha=0.4).rows[0]
    assert (record.n_repeats, record.counted, record.rate_error) == (10, True, 0.0)
    assert record.rate == pytest.approx(rate_by_loop(SIX, 3, test), abs=1e-12)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "test", ["auto", "welch", "studentized_permutation", "stratified_permutation", "mack_skillings"]
)
def test_over_tasks_each_test_is_that_of_compare(test):
    record = lab.false_positive_rate(TWO_TASKS, test=test, n_runs=2, alpha=0.4).rows[0]
    assert record.n_repeats == 18
    assert record.rate == pytest.approx(rate_by_loop(TWO_TASKS, 2, test), abs=1e-12)


IN_ONE_UNIT = ro.Scores.from_dict({"A": {t: np.random.default_rng(9).beta(1, 2, 4) for t in ("u", "v", "w")}})
RATES = ro.Scores.from_dict({"A": {"u": [0.0, 1.0, 1.0, 0.0], "v": [1.0, 1.0, 0.0, 1.0]}})


@pytest.mark.parametrize(
    ("runs", "test"),
    [
        pytest.param(IN_ONE_UNIT, "jackknife", id="IQM", marks=pytest.mark.slow),
        pytest.param(RATES, "miettinen_nurminen", id="rates"),
    ],
)
def test_the_default_is_that_of_compare_whatever_the_measure_is(runs, test):
    record = lab.false_positive_rate(runs, test="auto", n_runs=2, alpha=0.4).rows[0]
    assert record.actual_test == test
    assert record.rate == pytest.approx(rate_by_loop(runs, 2, "auto"), abs=1e-12)


def test_of_tasks_that_vary_in_some_splits_alone_each_split_has_its_own_test():
    scores = np.random.default_rng(4).exponential(size=(40, 2, 18, 2))
    scores[1::2, :, 3:] = 0.0
    tasks = tuple(f"t{t}" for t in range(18))
    runs = OwnRuns(algorithm="A", tasks=tasks, cells=tuple(np.zeros(4) for _ in tasks))
    batch = Batch(scores=scores, alpha=0.1, n_resamples=10, streams=Streams(0), key=(0,))
    pairs = [pair_of(x, y, relabelling=Relabelling(level=0.1)) for x, y in scores]
    assert [isinstance(pair.law("mean"), SmallLaw) for pair in pairs] == [False, True] * 20
    decisions = [pair.law("mean").pvalue() <= 0.1 for pair in pairs]
    assert jackknife_decision(runs, batch).tolist() == decisions
    assert decisions != [pair.law_at("mean").pvalue() <= 0.1 for pair in pairs]


@pytest.mark.parametrize("test", ["auto", "welch"])
def test_whole_runs_are_split_and_put_to_the_test_of_compare(test):
    rows = np.random.default_rng(5).normal(size=(5, 3)) + np.arange(5)[:, None] / 4
    record = lab.false_positive_rate(
        ro.Scores.from_dict({"A": rows}, runs="shared"), test=test, n_runs=2, alpha=0.4
    ).rows[0]
    pvalues = [
        ro.compare(ro.Scores.from_dict({"a": rows[list(x)], "b": rows[list(y)]}, runs="shared"), test=test).pairs[0]
        for x, y in splits_of(5, 2)
        if x < y
    ]
    assert (record.n_repeats, record.counted, record.n_tasks) == (15, True, 3)
    assert record.rate == pytest.approx(np.mean([pair.pvalue <= 0.4 for pair in pvalues]), abs=1e-12)


def test_all_splits_are_there_once_and_drawn_ones_share_no_run():
    (runs,), _ = own_runs(TWO_TASKS)
    counted = {tuple(sorted(map(str, split.tolist()))) for split in all_splits(runs, 2)}
    assert len(counted) == n_splits(runs, 2) == 18
    for drawn in halves(runs, 2, 50, np.random.default_rng(0)):
        assert [sorted(task.ravel()) for task in drawn.swapaxes(0, 1)] == [sorted(cell) for cell in runs.cells]


@pytest.mark.parametrize("test", ["welch", "student", "studentized_permutation", "mann_whitney"])
def test_normal_runs_without_end_are_told_apart_as_often_as_promised(test):
    record = lab.false_positive_rate(NORMAL, test=test, n_runs=20, n_repeats=2000, n_resamples=400).rows[0]
    assert abs(record.rate - 0.05) < 4 * (0.05 * 0.95 / 2000) ** 0.5
    assert record.rate_error == pytest.approx((record.rate * (1 - record.rate) / 2000) ** 0.5)


def test_the_percentile_bootstrap_of_colas_is_not_offered_but_ranked_t_errs_as_known_with_three_runs():
    result = lab.false_positive_rate(NORMAL, test=["ranked_t", "auto"], n_runs=3, **THOUSAND)
    ranked, default = result.rows
    assert 0.06 < ranked.rate < 0.14
    assert default.actual_test == "jackknife"
    assert (
        "With 3 runs, the test that compare takes (jackknife t) finds a difference that is not there" in result.sentence
    )
    assert "Too often do: ranked t test" in result.sentence


def test_over_all_sets_of_runs_the_rate_is_that_of_new_runs():
    shape, sets = (150, 10), np.random.default_rng(8)
    rates = [
        lab.false_positive_rate({"A": {"Pong": runs}}, test="welch", n_runs=2, n_repeats=200).rows[0].rate
        for runs in sets.lognormal(size=shape)
    ]
    new = stats.ttest_ind(*sets.lognormal(size=(2, 2, 8000)), equal_var=False).pvalue <= 0.05
    error = (np.var(rates) / len(rates) + np.var(new) / new.size) ** 0.5
    assert abs(np.mean(rates) - np.mean(new)) < 4 * error


def test_a_relabelling_test_of_half_the_runs_keeps_its_level_whatever_they_are():
    wild = {"A": {"Pong": np.random.default_rng(1).pareto(0.7, size=8)}}
    for name in ("permutation", "mann_whitney", "studentized_permutation"):
        assert lab.false_positive_rate(wild, test=name, n_runs=4).rows[0].rate <= 0.05


def test_threads_other_sizes_other_tests_and_other_algorithms_change_no_number():
    many = ro.Scores.from_dict({name: RNG.normal(size=(24, 2)) for name in "AB"})
    whole = lab.false_positive_rate(many, n_runs=[3, 6, 12], n_repeats=600, n_resamples=200, threads=2)
    alone = lab.false_positive_rate(
        many.select(algorithms=["B"]), test="welch", n_runs=6, n_repeats=600, n_resamples=200, threads=1
    )
    assert alone.rows[0] in whole.rows


def test_shared_runs_are_split_and_tested_as_a_whole():
    rows = np.random.default_rng(5).normal(size=(16, 1)) + 0.01 * np.random.default_rng(6).normal(size=(16, 4))
    shared = ro.Scores.from_dict({"A": rows}, runs="shared")
    means = ro.Scores.from_dict({"A": {"mean": rows.mean(axis=1)}})
    record, expected = (lab.false_positive_rate(s, test="welch", n_runs=5).rows[0] for s in (shared, means))
    assert abs(record.rate - expected.rate) < 0.03
    with pytest.raises(ro.OptionError, match="mann_whitney is not made for the means of runs"):
        lab.false_positive_rate(shared, test="mann_whitney")


def test_success_rates_are_put_to_the_score_and_to_boschloos_test():
    ones = {"A": {"Pong": np.random.default_rng(2).integers(0, 2, 40)}}
    result = lab.false_positive_rate(ones, test=["auto", "boschloo"], n_runs=10)
    assert [record.actual_test for record in result.rows] == ["miettinen_nurminen", "boschloo"]
    assert result.rows[0].rate < 0.07


def test_few_runs_are_not_judged_and_the_sentence_says_what_can_be_drawn():
    result = lab.false_positive_rate(SIX)
    assert "too few to judge" in result.sentence
    assert "groups of 2 or 3 runs can be drawn" in result.sentence
    assert {record.n_runs for record in result.rows} == {2, 3}


def test_who_has_too_few_runs_is_named_and_left_out():
    both = {"A": {"Pong": RNG.normal(size=12)}, "B": {"Pong": [1.0, 2.0, 3.0]}}
    result = lab.false_positive_rate(both, test="welch")
    assert result.algorithms == ("A",)
    assert result.notes == ("B is left out: 'B' has 3 runs on 'Pong'",)


REFUSED = [
    ({"data": {"A": {"Pong": [1.0, 2.0, 3.0]}}}, ro.DesignError, "4 or more on every task.*'A' has 3 runs on 'Pong'"),
    ({"data": {"A": {"Pong": [1.0] * 9}}}, ro.DesignError, "all runs of 'A' have one score"),
    ({"data": {"A": {"Pong": [1.0, float("nan"), 2.0, 3.0]}}}, ro.DataError, "finite"),
    ({"n_runs": 4}, ro.DesignError, "groups of up to 3 can be drawn"),
    ({"n_runs": 1}, ro.OptionError, "at least 2"),
    ({"n_runs": []}, ro.OptionError, "n_runs is empty"),
    ({"n_runs": 2.5}, ro.OptionError, "n_runs must be a whole number"),
    ({"test": "welchh"}, ro.OptionError, "Did you mean 'welch'"),
    ({"test": []}, ro.OptionError, "test is empty"),
    ({"test": "friedman"}, ro.OptionError, "friedman is not made for scores that are not only 0 and 1 on one task"),
    ({"data": TWO_TASKS, "test": "yuen"}, ro.OptionError, "on 2 tasks.*or select one task"),
    ({"alpha": 0.0}, ro.OptionError, "alpha must lie strictly between 0 and 1"),
    ({"n_repeats": 0}, ro.OptionError, "n_repeats"),
]


@pytest.mark.parametrize(("options", "kind", "sentence"), REFUSED)
def test_what_cannot_be_answered_is_refused_in_a_sentence(options, kind, sentence):
    with pytest.raises(kind, match=sentence):
        lab.false_positive_rate(**({"data": SIX} | options))


@pytest.mark.parametrize("shape", [(2, 2), (3, 5), (57, 3)])
def test_the_pvalues_of_many_experiments_are_those_of_their_laws(shape):
    rng = np.random.default_rng(shape[0])
    x, y = rng.integers(0, 9, (2, 30, *shape)).astype(float)
    x += 2.0 * (np.arange(30) % 3)[:, None, None]
    laws = [improvement_law(list(a), list(b)) for a, b in zip(x, y, strict=True)]
    assert improvement_pvalues(x, y) == pytest.approx([law.pvalue(0.5) for law in laws], rel=1e-9)
