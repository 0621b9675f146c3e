"""What stands above and below the cells is true of them: found by readers who had only the tables."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.answer.rank import RankingResult, RankingRow
from runoff.cells import Estimate, Table
from runoff.errors import RunoffWarning
from runoff.exits.text import rows_of, shared_decimals

RNG = np.random.default_rng(0)


def scores(n_tasks=6, n_runs=4, size=1.0, algorithms="ABC"):
    """Return algorithms that lie apart, in units of `size`."""
    rng = np.random.default_rng(n_tasks)
    cells = {
        name: {f"t{t}": (rng.normal(a, 1, n_runs) * size).tolist() for t in range(n_tasks)}
        for a, name in enumerate(algorithms)
    }
    return ro.Scores.from_dict(cells, score_unit="shared")


def table_of(result, place=0) -> Table:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        return result.tables()[place]


@pytest.mark.parametrize("size", [1e-9, 1e-7])
def test_small_scores_are_no_zeros(size):
    result = ro.aggregate(scores(size=size), by="task")
    texts = [parts for row in rows_of(table_of(result), table_of(result).columns[1:]) for parts in row]
    assert not any(value.strip("−0.") == "" for value, _ in texts)
    assert all("e−" in value for value, _ in texts)


def test_values_that_six_decimals_cannot_tell_apart_have_digits_of_their_own():
    assert shared_decimals([Estimate(1 + 1e-9, 1 - 1e-9, 1 + 3e-9)]) is None
    assert shared_decimals([Estimate(0.5, 0.4, 0.6), Estimate(0.0)]) == 2


def test_differences_of_average_ranks_reach_the_critical_difference_where_two_differ():
    result = ro.critical_difference(scores(n_runs=3))
    ranks, pairs = result.tables()
    of = {cell.text: number.value for cell, number in zip(ranks.columns[0].cells, ranks.columns[1].cells, strict=True)}
    columns = {column.key: column.cells for column in pairs.columns}
    for a, b, gap, differ in zip(columns["a"], columns["b"], columns["difference"], columns["rejected"], strict=True):
        assert gap.value == pytest.approx(of[a.text] - of[b.text])
        assert differ == (abs(gap.value) >= result.critical_average_difference)


def test_means_of_tasks_name_no_leader_of_cells():
    assert ro.aggregate(scores(), by="task").sentence == "The mean of 3 algorithms on 6 tasks, one by one."


def test_a_caption_promises_no_interval_that_no_row_has():
    over = ro.compare(scores(n_tasks=4), over="tasks")
    assert not any(pair.improvement_low is not None for pair in over.pairs)
    assert "interval" not in table_of(over).caption
    assert "its own 95" in table_of(ro.compare(scores())).caption


def test_pairs_without_some_tasks_are_counted_below_the_table():
    cells = {
        "A": {"t": [1.0, 2, 3], "u": [5.0, 6, 7]},
        "B": {"t": [2.0], "u": [9.0, 8, 7]},
        "C": {"t": [2.0, 2.5, 2.2], "u": [1.0, 2, 3]},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        caption = table_of(ro.compare(cells)).caption
    assert caption.endswith("2 pairs are without the tasks on which one of the two has a single run.")


def test_no_interval_of_the_chance_stands_beside_no_verdict():
    flat = ro.Scores.from_dict({"A": {"t": [1.0] * 5, "u": [3.0] * 5}, "B": {"t": [2.0] * 5, "u": [4.0] * 5}})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        result = ro.compare(flat, measure="mean")
    cells = {column.key: column.cells[0] for column in table_of(result).columns}
    assert (cells["verdict"].kind, cells["chance"].low) == ("not_tested", None)


def curves():
    """Return the learning curves of two agents that come with the package."""
    return ro.load_example("classic_control").select(algorithms=["ARS", "CEM"], tasks=["CartPole-v1", "Acrobot-v1"])


@pytest.mark.slow
def test_scores_to_reach_are_those_of_each_task():
    result = ro.time_to_threshold(curves(), {"CartPole-v1": 150.0, "Acrobot-v1": -300.0}, n_resamples=200)
    assert "150 on CartPole-v1" in table_of(result).caption
    assert "−300 on Acrobot-v1" in result.sentence


def test_differences_along_training_have_the_band_that_decides_and_its_p():
    result = ro.compare_curves(curves(), steps=3, n_resamples=200)
    table = table_of(result)
    columns = {column.key: column.cells for column in table.columns}
    assert len(result.rows) > 0
    for row, cell, p in zip(result.rows, columns["difference"], columns["pvalue_adjusted"], strict=True):
        assert (cell.low, cell.high) == (row.low, row.high)
        assert (p.adjusted, p.raw) == (row.pvalue_adjusted, row.pvalue)
    assert any(row.low != row.own_low for row in result.rows)
    assert any(row.pvalue_adjusted != row.pvalue for row in result.rows)
    assert "of a simultaneous band over all steps and pairs" in table.caption


def test_possible_ranks_are_those_of_all_at_once():
    result = ro.rank_intervals(scores())
    first = replace(result.rows[0], low=2, high=2, joint_low=1, joint_high=3)
    (table,) = replace(result, rows=(first,)).tables()
    assert {column.key: column.cells for column in table.columns}["places"] == ["1–3"]


def test_who_differs_from_the_control_is_called_different():
    critical = ro.critical_difference(scores(n_runs=3), control="A")
    rows = [
        RankingRow(algorithm=name, average_rank=r)
        for name, r in zip(critical.algorithms, critical.average_ranks, strict=True)
    ]
    apart_or_not = {pair.a: pair.rejected for pair in critical.pairs}
    table = RankingResult(critical=critical, rows=tuple(rows)).table("")
    words = {column.key: column.cells for column in table.columns}
    names = [cell.text for cell in words["algorithm"]]
    expected = {True: "different", False: "no difference found"}
    assert set(apart_or_not.values()) == {True, False}
    assert {n: w for n, w in zip(names, words["control"], strict=True) if n != "A"} == {
        name: expected[differ] for name, differ in apart_or_not.items()
    }


def test_intervals_that_are_read_by_eye_are_not_called_intervals_of_their_own():
    result = ro.inferential_intervals(scores())
    assert table_of(result).caption == result.sentence
    assert "each on its own" not in table_of(result).caption


@pytest.mark.slow
@pytest.mark.parametrize(
    ("band", "words"), [("simultaneous", "band of each algorithm as a whole"), ("wilson", "at each threshold")]
)
def test_the_band_of_a_profile_is_the_one_that_was_asked_for(band, words):
    assert words in table_of(ro.performance_profile(scores(), band=band, n_resamples=200)).caption


def test_the_spread_of_curves_is_named():
    result = ro.curves(curves(), steps=3, by="task")
    assert result.spread_words in table_of(result).caption
