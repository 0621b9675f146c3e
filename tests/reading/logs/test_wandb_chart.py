"""Charts exported from Weights & Biases: runs by column, sampled values told, groups refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import runoff as ro
from tests.reading.logs.test_samples import assert_same, curves_of, oracle_of


def chart(*names: str, rows: str) -> str:
    head = [f'"{name} - return{end}"' for name in names for end in ("", "__MIN", "__MAX")]
    return ",".join(['"Step"', *head]) + "\n" + rows


def test_columns_of_a_chart_are_runs_named_as_their_scripts_named_them():
    curves = curves_of("wandb_chart")
    assert set(curves) == {(a, "Hopper-v4", run) for a in ("ppo", "sac") for run in ("1", "2")}
    for name, (steps, values) in oracle_of("wandb_chart").items():
        _, algorithm, run, _ = name.split("__")
        assert_same(curves[algorithm, "Hopper-v4", run], steps, values)


def test_values_that_stand_for_several_points_are_told(put):
    path = put("chart.csv", chart("ppo_s1", "sac_s1", rows="0,1,1,1,2,2,2\n5,1.5,1,2,3,3,3\n9,4,4,4,6,5,7\n"))
    with pytest.warns(ro.RunoffWarning, match=r"2 value\(s\) of 2 run\(s\) of an exported chart summarise several"):
        curves = ro.read_curves(path)
    assert curves.values.tolist() == [1.0, 1.5, 4.0, 2.0, 3.0, 6.0]


@pytest.mark.parametrize(
    "names", [("algo: PPO", "algo: SAC"), ("env_id: Hopper-v4, exp_name: ppo",), ("Grouped runs",)]
)
def test_a_chart_of_groups_is_refused_even_where_each_row_has_one_run(put, names):
    rows = "0" + ",1,1,1" * len(names) + "\n"
    with pytest.raises(ro.DataError, match=r"exported by Weights & Biases that shows groups.*export the chart again"):
        ro.read_curves(put("chart.csv", chart(*names, rows=rows)))


def test_two_runs_with_one_name_are_two_runs(put):
    path = put("ppo/chart.csv", chart("ppo", "ppo", rows="0,1,1,1,2,2,2\n5,3,3,3,4,4,4\n"))
    curves = ro.read_curves(path)
    assert (curves.algorithms, len(curves.run_labels), curves.values.tolist()) == (("ppo",), 2, [1.0, 3.0, 2.0, 4.0])


def test_a_column_that_is_of_no_run_is_refused(put):
    path = put("chart.csv", '"Step","a - r","a - r__MIN","a - r__MAX","odd"\n0,1,1,1,1\n')
    with pytest.raises(ro.DataError, match=r"column 'odd' of this exported chart is not named 'RUN - SERIES'"):
        ro.read_curves(path)


def test_a_history_of_one_run_is_read_as_a_table_of_a_logger(put):
    path = put(
        "history.csv", "_step,_runtime,global_step,eval/mean_return\n0,1.5,1000,2.5\n1,3.0,2000,\n2,4.5,3000,7.5\n"
    )
    curves = ro.read_curves(path)
    assert (curves.steps.tolist(), curves.values.tolist()) == ([1000.0, 3000.0], [2.5, 7.5])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("panel_export_grouped", "shows groups"),
        pytest.param("runs_table_export", "no column is", marks=pytest.mark.slow),
    ],
)
def test_real_exports_that_hold_no_runs_are_refused(shared: Path, name, message):
    with pytest.raises(ro.DataError, match=message):
        ro.read_scores(shared / "formats" / "wandb_csv" / f"{name}.csv")


def test_the_ends_of_sampled_values_are_no_series_of_their_own(put):
    path = put("chart.csv", chart("ppo_s1", "sac_s1", rows="0,1,1,1,2,2,2\n5,3,3,3,5,5,5\n"))
    assert ro.read_curves(path, series="return").values.tolist() == [1.0, 3.0, 2.0, 5.0]
    for end in ("__MIN", "__MAX"):
        with pytest.raises(ro.RunoffError, match="return"):
            ro.read_curves(path, series=f"return{end}")


@pytest.mark.parametrize("algorithm", ["a2c", "td3", "ppo"])
def test_a_number_behind_a_known_algorithm_is_its_run_also_where_its_name_has_digits(put, algorithm):
    path = put("chart.csv", chart("sac-1", "sac-2", f"{algorithm}-1", f"{algorithm}-2", rows="0" + ",1" * 12 + "\n"))
    frame = ro.read_curves(path).to_frame()
    runs = set(frame.select("algorithm", "run").unique().iter_rows())
    assert runs == {(name, run) for name in ("sac", algorithm) for run in ("1", "2")}
