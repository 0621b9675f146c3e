"""Figures of times to a score and of steadiness: every share, tick, measure and interval there is."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff import plots


def reaching(ends, tasks=("t",), n_steps=10):
    """Runs that reach 1 at the given steps, or never (None)."""
    rows = [
        (name, task, i, s, float(at is not None and s >= at))
        for name, runs in ends.items()
        for task in tasks
        for i, at in enumerate(runs)
        for s in range(n_steps)
    ]
    columns = ("algorithm", "task", "run", "step", "score")
    return ro.Curves.from_frame({c: [row[k] for row in rows] for k, c in enumerate(columns)})


DATA = {"A": [2, 3, 3, 4], "B": [6, 7, None, None], "C": [None, None, None, None]}


def test_a_line_rises_by_each_run_that_reaches_the_score_and_goes_on_to_the_end():
    (ax,) = plots.time_to_threshold(ro.time_to_threshold(reaching(DATA), 1.0))
    lines = {line.get_label(): line for line in ax.get_lines() if line.get_marker() != "None"}
    a, b, c = lines["A (4 of 4 runs)"], lines["B (2 of 4 runs)"], lines["C (0 of 4 runs)"]
    assert a.get_drawstyle() == "steps-post"  # a share stays until the next run reaches the score
    assert a.get_xdata().tolist() == [0, 2, 3, 4, 9]
    assert a.get_ydata().tolist() == [0, 0.25, 0.75, 1, 1]
    assert b.get_ydata().tolist() == [0, 0.25, 0.5, 0.5]
    assert c.get_ydata().tolist() == [0, 0]


def test_runs_that_never_reach_it_are_ticks_at_their_last_evaluation():
    (ax,) = plots.time_to_threshold(ro.time_to_threshold(reaching(DATA), 1.0))
    ticks = [tuple(np.mean(segment, axis=0)) for ticks in ax.collections for segment in ticks.get_segments()]
    assert np.array(ticks) == pytest.approx(np.array([(9, 0.5)] * 2 + [(9, 0.0)] * 4))


def test_a_run_that_ends_where_another_reaches_the_score_is_a_tick_on_the_line():
    short = reaching({"A": [3, None]}).to_pandas()
    curves = ro.Curves.from_frame(short[(short["run"] == "0") | (short["step"] <= 3)])
    (ax,) = plots.time_to_threshold(ro.time_to_threshold(curves, 1.0))
    (ticks,) = (np.mean(line, axis=0) for lines in ax.collections for line in lines.get_segments())
    assert ticks == pytest.approx([3, 0.5])


def test_tasks_are_panels_and_the_legend_names_each_algorithm_once():
    axes = plots.time_to_threshold(ro.time_to_threshold(reaching(DATA, tasks="tu"), {"t": 1.0, "u": 0.5}))
    (legend,) = axes[0].figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["A (4 runs)", "B (4 runs)", "C (4 runs)"]
    caption = plots.caption(ro.time_to_threshold(reaching(DATA, tasks="tu"), {"t": 1.0, "u": 0.5}))
    assert "the score of each task, against steps (4 runs per algorithm and task" in caption


def test_steadiness_has_a_panel_for_each_measure_and_no_bar_without_an_interval():
    rng = np.random.default_rng(0)
    rows = {
        "algorithm": np.repeat(["A", "B"], 60),
        "run": np.tile(np.repeat(np.arange(6), 10), 2),
        "step": np.tile(np.arange(10), 12),
        "score": rng.normal(size=120),
    }
    result = ro.reliability(ro.Curves.from_frame(rows))
    axes = plots.reliability(result)
    assert [ax.get_title() for ax in axes][::4] == ["Dispersion across time ↓", "Risk across runs"]
    assert [len(ax.collections) for ax in axes] == [2, 0, 0, 2, 0]
    assert axes[1].lines[0].get_xdata()[0] == result.rows[1].estimate
    assert "6 runs per algorithm" in plots.caption(result)
    with pytest.raises(ro.OptionError, match="one for each of 5 measure"):
        plots.reliability(result, axes=axes[:2])
