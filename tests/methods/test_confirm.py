"""Fresh runs that confirm what a sweep chose: which settings, how many of each, and what they buy."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff.cli.app import run
from tests.methods.test_sweep_views import LIKE, SETTINGS, UNLIKE, sweep


def test_the_settings_are_those_that_one_setting_for_all_tasks_chooses():
    both = sweep({"like": LIKE, "unlike": UNLIKE})
    result = ro.next_runs(both, budget=30)
    chosen = {row.algorithm: row.config for row in ro.tuning(both, view="one_setting").rows}
    assert {row.algorithm: row.config for row in result.rows} == chosen
    assert (result.total, result.spent) == (30, 30.0)
    assert result.sentence.startswith(f"Train like ({SETTINGS[5]}), unlike ({SETTINGS[5]}) again, ")


def test_the_error_that_is_promised_is_that_of_the_fresh_runs_of_many_experiments():
    result = ro.next_runs(sweep({"A": LIKE, "B": LIKE}, n_runs=40, noise=0.5), budget=24, measure="mean")
    counts = np.array([row.more for row in result.rows]).reshape(2, 3)
    draw, leads = np.random.default_rng(1), []
    for _ in range(4000):
        means = [[0.5 * draw.normal(size=n).mean() for n in own] for own in counts.tolist()]
        leads.append(np.mean(means[0]) - np.mean(means[1]))
    assert result.error_after == pytest.approx(np.std(leads), rel=0.06)


def test_in_other_units_all_that_is_promised_is_as_much_more():
    runs = sweep({"A": LIKE, "B": LIKE}, n_runs=40, noise=0.5).to_frame()
    plain, larger = (
        ro.next_runs(
            ro.Scores.from_frame(runs.with_columns(score=runs["score"] * unit), score_unit="shared"), budget=24
        )
        for unit in (1.0, 10.0)
    )
    for name in ("error", "error_after", "error_even", "detectable", "detectable_after"):
        assert getattr(larger, name) == pytest.approx(10 * getattr(plain, name)), name
    # 80 % power at 5 %: by the normal law at least.
    assert plain.detectable_after > 2.8 * plain.error_after


def test_fresh_runs_go_where_runs_spread_and_each_cell_has_two():
    noisy = sweep({"A": LIKE, "B": LIKE}, n_runs=20).to_frame()
    spread = noisy.with_columns(score=noisy["score"] * np.where(noisy["task"] == "t0", 5.0, 1.0))
    result = ro.next_runs(ro.Scores.from_frame(spread, score_unit="shared"), budget=40)
    of_task = {t: [row.more for row in result.rows if row.task == t] for t in ("t0", "t1")}
    assert min(of_task["t0"]) > 3 * max(of_task["t1"]) >= 6
    assert result.error_after < result.error_even


def test_a_budget_that_leaves_a_setting_unconfirmed_is_refused_with_the_least():
    with pytest.raises(ro.OptionError, match=r"which cost 12 \(budget=12\), not 11"):
        ro.next_runs(sweep({"A": LIKE, "B": LIKE}), budget=11)
    with pytest.raises(ro.OptionError, match="leave out measure= and control="):
        ro.next_runs(sweep({"A": LIKE, "B": LIKE}), budget=40, control="A")
    with pytest.raises(ro.DesignError, match="there is only one algorithm"):
        ro.next_runs(sweep({"A": LIKE}), budget=40)


def test_a_price_of_each_task_is_paid():
    result = ro.next_runs(sweep({"A": LIKE, "B": LIKE}), budget=60, cost_per_run={"t0": 1, "t1": 2, "t2": 4})
    assert result.spent <= 60
    assert {row.task: row.cost / row.more for row in result.rows} == {"t0": 1, "t1": 2, "t2": 4}


def test_the_commands_of_the_next_runs_name_the_settings(tmp_path, capsys):
    sweep({"A": LIKE, "B": LIKE}).to_frame().write_csv(tmp_path / "runs.csv")
    named = ["--budget", "12", "--template", "train {algorithm} {task} seed={run} {config}"]
    assert run(["plan", "--next-runs", str(tmp_path / "runs.csv"), *named]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("train ")]
    assert len(lines) == 12
    assert all(line.endswith(" lr=0.3 width=16") for line in lines)


def test_pairs_whose_runs_are_all_equal_have_no_error_and_count_in_none():
    noisy = sweep({"noisy": LIKE}).to_frame()
    still = sweep({"still": LIKE, "other": LIKE}, noise=0.0).to_frame()
    result = ro.next_runs(ro.Scores.from_frame(pl.concat([noisy, still]), score_unit="shared"), budget=60)
    alone = ro.next_runs(
        ro.Scores.from_frame(pl.concat([noisy, still.filter(algorithm="still")]), score_unit="shared"), budget=60
    )
    assert result.error == pytest.approx(alone.error)
