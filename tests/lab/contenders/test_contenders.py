from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._kernels.study import lanes
from runoff.base.random import Streams
from runoff.compat.rliable import library, metrics
from runoff.lab import CONTENDERS, World, contender, distribution
from runoff.lab.contenders import blocked, coverage, two_sample
from runoff.lab.contenders.coverage import ends
from runoff.lab.contenders.registry import Batch
from runoff.lab.contenders.resampling import improvement_interval, intervals
from tests.lab.makers import curve_batch, normal_world, small_study

TESTS = [
    n
    for n, m in CONTENDERS.items()
    if m.kind == "rejection" and not n.startswith(("lift", "overlap", "inferential", "protocol"))
]


def batch(n_tasks: int = 2, n_runs: int = 6, n_batch: int = 45, shift: float = 0.0, **changes: Any) -> Batch:
    world = normal_world(n_tasks)
    scores = world.draw(np.random.default_rng(5), n_batch, n_runs)
    scores[:, -1] += shift
    settings: dict[str, Any] = {"alpha": 0.05, "n_resamples": 400, "streams": Streams(0), "key": (1, 2), "world": world}
    return Batch(scores=scores, **(settings | changes))


@pytest.mark.parametrize("name", CONTENDERS)
def test_every_method_answers_each_experiment_with_a_finite_number(name: str) -> None:
    simulated = batch(n_batch=23)  # more than one group of 20
    if name.startswith(("coverage", "bias")):
        cell = distribution("w", {"family": "empirical", "values": [0.1, 0.4, 0.9, 1.4]})
        simulated = batch(world=World(name="w", grid=((cell, cell), (cell, cell))))
    if name.startswith("protocol"):
        simulated = curve_batch(n_batch=15)
    answers = CONTENDERS[name].decide(simulated)
    assert answers.shape == (simulated.n_batch,)
    assert np.isfinite(answers).all()
    assert (answers.dtype == np.bool_) == CONTENDERS[name].is_decision


@pytest.mark.parametrize("name", TESTS)
def test_every_test_rejects_what_lies_far_apart(name: str) -> None:
    few_tasks = name in ("friedman", "iman_davenport", "skillings_mack")
    simulated = batch(n_tasks=6 if few_tasks else 2, n_runs=8, shift=20.0)
    assert CONTENDERS[name].decide(simulated).all()


# The default tests go through experiments one after the other, with up to 184,756 relabellings each.
ONE_BY_ONE = [pytest.param(name, marks=pytest.mark.slow) for name in ("default_per_task", "default_shared")]
LEVEL = [n for n in TESTS if n not in ("improvement_interval", "welch_one_sided", "default_per_task", "default_shared")]


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", [*LEVEL, *ONE_BY_ONE])
def test_no_test_rejects_much_more_than_alpha_where_ten_runs_are_normal(name: str) -> None:
    if "bootstrap" in name:
        pytest.skip("Colas 2019 section 4.5: bootstrap tests do, at 10 runs")
    study = small_study(worlds=(normal_world(2),), contenders=(name,), n_runs=(10,), n_repeats=2000, n_resamples=200)
    rate = ro.run_study(study, workers=1).rows[0].rate
    assert rate is not None
    assert rate < 0.05 + 4 * (0.05 * 0.95 / 2000) ** 0.5


@pytest.mark.parametrize(("n_runs", "few"), [(3, True), (6, False)])
def test_few_relabellings_are_all_counted_by_compare_and_of_many_some_are_drawn(n_runs: int, few: bool) -> None:
    simulated = batch(n_runs=n_runs, n_batch=30, shift=1.0)
    counted = blocked.pvalues_of_compare(simulated, "stratified_permutation") <= 0.05
    assert 0 < counted.mean() < 1
    decide = blocked.counted_or("stratified_permutation", lambda _: ~counted)  # marks what is drawn
    assert np.array_equal(decide(simulated), counted if few else ~counted)


@pytest.mark.parametrize("name", ["jackknife", "welch"])
@pytest.mark.parametrize(("n_tasks", "n_runs"), [(1, 3), (2, 10), (18, 2)])  # so many that relabelling has no say
def test_closed_forms_over_tasks_are_those_of_compare(name: str, n_tasks: int, n_runs: int) -> None:
    simulated = batch(n_tasks=n_tasks, n_runs=n_runs, n_batch=60, shift=0.8)
    simulated.scores[:, :, 0] *= 9
    simulated.scores[:5] = np.arange(2.0)[None, :, None, None]  # without spread
    expected = blocked.pvalues_of_compare(simulated, name) <= 0.05
    assert (CONTENDERS[f"{name}_by_task"].decide(simulated) == expected).all()
    assert 0 < expected.mean() < 1


def test_pooled_tests_are_scipys() -> None:
    simulated = batch(shift=0.7)
    for name, equal in (("student", True), ("welch", False)):
        expected = stats.ttest_ind(simulated.pooled(1), simulated.pooled(0), axis=1, equal_var=equal).pvalue <= 0.05
        assert (CONTENDERS[name].decide(simulated) == expected).all()


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_method_is_added_by_a_decorator(workers: int) -> None:
    @contender("always", label="always")
    def always(simulated: Batch) -> Any:
        return np.ones(simulated.n_batch, np.bool_)

    try:
        assert ro.run_study(small_study(contenders=("always",)), workers=workers).rows[0].rate == 1.0
    finally:
        del CONTENDERS["always"]


def test_inferential_intervals_decide_as_the_test_they_are_made_of() -> None:
    simulated = batch(n_batch=300, shift=0.8)
    expected = CONTENDERS["mack_skillings"].decide(simulated)
    assert 0.2 < expected.mean() < 0.8
    for metric in ("iqm", "mean"):
        assert (CONTENDERS[f"inferential_{metric}"].decide(simulated) == expected).all()


def test_intervals_of_a_batch_are_those_of_aggregate() -> None:
    simulated = batch(n_batch=3, n_runs=10, n_resamples=20_000)
    scores = ro.Scores.from_dict({"A": simulated.scores[0, 0].T})
    for metric in ("iqm", "mean"):
        record = ro.aggregate(scores, measure=[metric], interval="percentile", n_resamples=20_000).rows[0]
        interval = intervals(simulated, 0)[metric]
        assert interval.estimate[0] == pytest.approx(record.estimate)
        assert (interval.low[0], interval.high[0]) == (
            pytest.approx(record.low, abs=0.02),
            pytest.approx(record.high, abs=0.02),
        )


@pytest.mark.parametrize("metric", ["median", "optimality_gap"])
def test_intervals_of_task_metrics_are_those_of_aggregate(metric: str) -> None:
    simulated = batch(n_tasks=3, n_batch=2, n_runs=10, n_resamples=20_000)
    scores = ro.Scores.from_dict({"A": simulated.scores[1, 0].T})
    record = ro.aggregate(scores, measure=[metric], interval="percentile", n_resamples=20_000).rows[0]
    low, high = ends(simulated, metric)
    assert (low[1], high[1]) == (pytest.approx(record.low, abs=0.03), pytest.approx(record.high, abs=0.03))


def test_the_improvement_interval_is_that_of_rliables_bootstrap() -> None:
    simulated = batch(n_batch=1, n_runs=10, n_resamples=5_000, shift=0.5)
    first, last = (simulated.scores[0, i].T for i in (0, 1))
    pair = {"last, first": (last, first)}
    expected = library.get_interval_estimates(pair, metrics.probability_of_improvement, reps=5_000)[1]["last, first"]
    assert np.ravel(improvement_interval(simulated)) == pytest.approx(expected[:, 0], abs=0.02)


def test_apart_means_no_common_point() -> None:
    def interval(low: float, high: float) -> coverage.BatchInterval:
        return coverage.BatchInterval(low=np.array([low]), high=np.array([high]), estimate=np.array([(low + high) / 2]))

    assert coverage.disjoint(interval(0, 1), interval(1.5, 2)).all()
    assert coverage.disjoint(interval(1.5, 2), interval(0, 1)).all()
    assert not coverage.disjoint(interval(0, 1), interval(1, 2)).any()


def test_the_historic_permutation_rejects_a_third_of_two_run_nulls() -> None:
    simulated = batch(n_tasks=1, n_runs=2, n_batch=3000)
    assert two_sample.colas_permutation(simulated).mean() == pytest.approx(1 / 3, abs=0.03)


def test_the_historic_bootstrap_rejects_a_third_of_two_run_nulls() -> None:
    simulated = batch(n_tasks=1, n_runs=2, n_batch=3000)
    assert two_sample.colas_bootstrap(simulated).mean() == pytest.approx(1 / 3, abs=0.03)


def test_a_lower_last_algorithm_is_rejected_as_often_as_a_higher_one() -> None:
    simulated = batch(shift=0.9)
    mirrored = Batch(scores=-simulated.scores, alpha=0.05, n_resamples=400, streams=Streams(0), key=(1, 2))
    for name in ("improvement_interval", "overlap_mean"):
        there, back = (CONTENDERS[name].decide(scores) for scores in (simulated, mirrored))
        assert 0.2 < there.mean() < 0.8
        assert there.mean() == pytest.approx(back.mean(), abs=0.03)


def test_iqms_of_relabelled_runs_are_trimmed_means_of_the_runs_that_a_label_marks() -> None:
    slots = blocked.slots_of(batch(n_runs=5, n_batch=2).scores)
    labels = np.random.default_rng(1).permuted(np.repeat([[0, 1]], 10, axis=1).repeat(6, axis=0), axis=1)
    order = np.argsort(slots, axis=1)
    iqms = blocked._iqms(lanes(labels.astype(np.int8)), order, np.take_along_axis(slots, order, axis=1), 6)
    for experiment, row in zip(slots, iqms, strict=True):
        fourfold = [np.repeat(experiment[label == 1], 4) for label in labels]  # of which a quarter is a whole number
        assert row == pytest.approx([stats.trim_mean(runs, 0.25) for runs in fourfold])


@pytest.mark.parametrize("n_tasks", [1, 2, 5])
def test_relabelled_statistics_are_differences_of_means_over_welchs_error(n_tasks, monkeypatch):
    n, rng, statistics_of = 4, np.random.default_rng(n_tasks), []
    monkeypatch.setattr(
        blocked, "permutation_pvalues", lambda batch, _, of: statistics_of.append(of) or np.ones(batch.n_batch)
    )
    drawn_batch = batch(n_tasks, n, 3)
    scores = drawn_batch.scores
    blocked._studentized(drawn_batch)
    own = np.repeat([0, 1], n)
    labels = np.array([np.concatenate([rng.permutation(own) for _ in range(n_tasks)]) for _ in range(20)], np.int8)
    slots = scores.transpose(0, 2, 1, 3).reshape(3, n_tasks, 2 * n)
    for row, statistics in enumerate(statistics_of[0](labels, slice(0, 3))):
        for drawn, statistic in zip(labels.reshape(-1, n_tasks, 2 * n) == 1, statistics, strict=True):
            sides = [(slots[row, t][drawn[t]], slots[row, t][~drawn[t]]) for t in range(n_tasks)]
            lead = sum(last.mean() - first.mean() for last, first in sides)
            error = sum(side.var(ddof=1) / n for both in sides for side in both) ** 0.5
            # Sums instead of means: half the ratio, with n − 1 in place of n.
            assert statistic == pytest.approx(lead / error / 2 * (n / (n - 1)) ** 0.5)
