from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from threading import get_ident
from types import SimpleNamespace
from typing import Any

import pytest
from scipy import stats

import runoff as ro
from runoff.lab import World, backends, distribution, run
from tests.amount import examples
from tests.lab.makers import normal_world, small_study


def table(**options: Any) -> list[dict[str, Any]]:
    return ro.run_study(small_study(), **options).to_records()


@pytest.fixture(scope="module")
def alone() -> list[dict[str, Any]]:
    return table(workers=1)


def test_the_table_has_a_row_for_every_method_run_count_and_effect() -> None:
    result = ro.run_study(small_study(effects=(0.0, 1.0)), workers=1)
    assert [(r.effect, r.n_runs, r.contender) for r in result.rows] == [
        (effect, n, method) for effect in (0.0, 1.0) for n in (3, 10) for method in ("welch", "permutation")
    ]
    assert {record.n_repeats for record in result.rows} == {1200}


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"workers": 2}, marks=pytest.mark.slow),
        {"workers": 2, "backend": "threads"},
        pytest.param({"workers": 3, "backend": "threads"}, marks=pytest.mark.slow),
    ],
)
def test_workers_and_backends_do_not_change_a_bit(alone: list[dict[str, Any]], options: dict[str, Any]) -> None:
    assert table(**options) == alone


@pytest.mark.slow
def test_estimates_too_are_the_same_to_the_last_bit() -> None:
    cell = distribution("runs", {"family": "empirical", "values": [0.1, 0.4, 0.45, 0.9, 1.7]})
    methods = ("coverage_median_percentile", "overlap_iqm", "bias_optimality_gap", "stratified_permutation")
    study = small_study(worlds=(World(name="w", grid=((cell,) * 5,) * 2),), contenders=methods, n_runs=(7,))
    assert (
        ro.run_study(study, workers=1)
        == ro.run_study(study, workers=2)
        == ro.run_study(study, workers=2, backend="threads")
    )


def test_the_order_of_blocks_does_not_change_a_bit(
    alone: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def shuffled(function: Any, tasks: Iterable[Any], **_: Any) -> Iterator[Any]:
        order = list(tasks)
        random.Random(7).shuffle(order)
        return ((task, function(task)) for task in order)

    monkeypatch.setattr(run, "fan_out", shuffled)
    assert table() == alone


def test_another_seed_gives_another_table(alone: list[dict[str, Any]]) -> None:
    other = ro.run_study(small_study(seed=1), workers=1).to_records()
    assert [r["rate"] for r in other] != [r["rate"] for r in alone]


def test_methods_added_or_taken_away_leave_the_others_as_they_are(alone: list[dict[str, Any]]) -> None:
    fewer = ro.run_study(small_study(contenders=("permutation",), n_runs=(10,)), workers=1)
    assert fewer.rows[0].rate == alone[3]["rate"]


def test_the_standard_error_is_that_of_a_share(alone: list[dict[str, Any]]) -> None:
    for row in alone:
        assert row["rate_error"] == pytest.approx((row["rate"] * (1 - row["rate"]) / 1200) ** 0.5)


def test_the_false_positive_rate_of_students_t_is_alpha_on_normal_runs() -> None:
    n = examples(20_000, 5_000)
    study = small_study(contenders=("student",), n_runs=(2, 5, 30), n_repeats=n)
    for record in ro.run_study(study, workers=1).rows:
        hits = round((record.rate or 0.0) * n)
        assert stats.binomtest(hits, n, 0.05).pvalue > 1e-4


def test_the_power_of_students_t_is_that_of_the_noncentral_t() -> None:
    study = small_study(contenders=("student",), n_runs=(10,), effects=(1.0,), n_repeats=20_000, right_sign=True)
    scale, df = 5.0**0.5, 18
    exact = stats.nct.sf(stats.t.ppf(0.975, df), df, scale)
    record = ro.run_study(study, workers=1).rows[0]
    assert abs((record.rate or 0.0) - exact) < 4 * (record.rate_error or 0.0)


def test_a_rejection_with_the_wrong_sign_is_not_power() -> None:
    settings: dict[str, Any] = {"contenders": ("student",), "n_runs": (2,), "effects": (0.1,), "n_repeats": 5000}
    both = ro.run_study(small_study(**settings), workers=1).rows[0]
    right = ro.run_study(small_study(**settings, right_sign=True), workers=1).rows[0]
    assert 0.3 < (right.rate or 0.0) / (both.rate or 1.0) < 0.8


def test_rank_tests_see_equal_medians_where_the_study_says_target() -> None:
    from tests.lab.makers import world

    skewed = world({"family": "normal"}, {"family": "exponential"}, name="skewed")
    study = small_study(worlds=(skewed,), contenders=("mann_whitney",), n_runs=(50,), n_repeats=2000)
    by_mean = ro.run_study(study, workers=1).rows[0].rate
    by_median = (
        ro.run_study(
            small_study(worlds=(skewed,), contenders=("mann_whitney",), n_runs=(50,), n_repeats=2000, center="target"),
            workers=1,
        )
        .rows[0]
        .rate
    )
    assert by_mean is not None
    assert by_median is not None
    assert abs(by_median - by_mean) > 0.02


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second passes whenever the time is looked at: a busy machine changes nothing."""
    monkeypatch.setattr("runoff.lab.run.time", SimpleNamespace(monotonic=itertools.count().__next__))


@pytest.mark.usefixtures("slow_clock")
def test_a_budget_stops_at_a_block_boundary_and_says_how_far_it_got() -> None:
    study = small_study(n_repeats=1_000_000, contenders=("welch",))
    result = ro.run_study(study, workers=1, time_limit="9s")
    assert not result.complete
    assert all(record.n_repeats % 500 == 0 for record in result.rows)
    assert "stopped by its budget" in result.sentence
    assert "the widest standard error" in result.sentence


@pytest.mark.usefixtures("slow_clock")
def test_a_budgeted_study_is_level_over_its_cells() -> None:
    result = ro.run_study(small_study(n_repeats=1_000_000), workers=1, time_limit=9)
    done = [record.n_repeats for record in result.rows]
    assert max(done) - min(done) <= 500


def test_a_budget_is_the_same_time_in_every_unit() -> None:
    assert {run.seconds(budget) for budget in ("1.5h", "90 m", "5400s", "5400", 5400, 5400.0)} == {5400.0}


@pytest.mark.parametrize("budget", ["ten minutes", "0s", "-1", "nan"])
def test_a_budget_that_is_no_time_is_refused(budget: str) -> None:
    with pytest.raises(ro.OptionError, match="time_limit must be a time"):
        ro.run_study(small_study(), time_limit=budget)


@pytest.mark.parametrize("workers", [1, 2])
def test_one_worker_alone_is_the_process_itself(workers: int) -> None:
    replies = backends.fan_out(lambda _: get_ident(), range(4), workers=workers, backend="threads")
    assert (get_ident() in {reply for _, reply in replies}) == (workers == 1)


def test_an_unknown_backend_is_refused_with_the_nearest() -> None:
    with pytest.raises(ro.OptionError, match="Did you mean 'threads'"):
        ro.run_study(small_study(), backend="thread")


def test_a_backend_that_is_not_installed_names_its_package() -> None:
    with pytest.raises(ro.OptionError, match="pip install"):
        backends._imported("no_such_module", "dask")


def test_a_study_leaves_numpys_global_state_alone() -> None:
    import numpy as np

    before = np.random.get_state()[1].copy()  # type: ignore[index,union-attr]  # noqa: NPY002
    ro.run_study(small_study(), workers=1)
    assert (np.random.get_state()[1] == before).all()  # type: ignore[index]  # noqa: NPY002


def test_tasks_are_pooled_for_two_sample_tests() -> None:
    study = small_study(worlds=(normal_world(n_tasks=3),), contenders=("student",), n_runs=(4,))
    assert 0.02 < (ro.run_study(study, workers=1).rows[0].rate or 0.0) < 0.08
