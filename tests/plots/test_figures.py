"""Figures show every point and name there is, and nothing is parsed, set or shown."""

from __future__ import annotations

import sys
from dataclasses import replace
from io import BytesIO

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import runoff as ro
from runoff import plots
from runoff.plots._runs import MANY
from runoff.plots._text import fit, width_of
from tests.plots.seen import keys_of, lines_of
from tests.report.made import HOSTILE, answers, hostile, scores


def test_aggregates_have_a_panel_a_metric_and_a_point_and_bar_an_algorithm():
    axes = plots.aggregates(ro.aggregate(scores(n_tasks=3), n_resamples=200))
    assert len(axes) == 4
    for ax in axes:
        assert len(lines_of(ax)) == 3
        assert len(ax.collections) == 3


def test_aggregates_stand_in_the_order_of_the_first_metric():
    axes = plots.aggregates(answers().aggregates)
    estimates = [line.get_xdata()[0] for line in lines_of(axes[0])]
    assert estimates == sorted(estimates, reverse=True)
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["SAC", "A2C", "PPO"]


@pytest.mark.parametrize("measures", [("iqm", "mean"), ("mean", "iqm")])
def test_whichever_metric_is_first_orders_the_rows_of_all(measures):
    # A single run far ahead lifts the mean, and not the middle half.
    cells = {"steady": [3.0, 3.1, 2.9, 3.0, 3.0, 3.1, 2.9], "lucky": [2.0, 2.1, 1.9, 2.0, 2.0, 2.1, 99.0]}
    result = ro.aggregate({name: {"t": runs} for name, runs in cells.items()}, measure=measures, n_resamples=100)
    first = plots.aggregates(result)[0]
    order = sorted(result.algorithms, key=lambda name: -result[name, measures[0]].estimate)
    assert [label.get_text() for label in first.get_yticklabels()] == order


def test_a_missing_interval_leaves_the_point_without_a_bar():
    result = answers().aggregates
    bare = replace(result, rows=tuple(replace(r, low=None, high=None, interval=None) for r in result.rows))
    ax = plots.aggregates(bare)[0]
    assert len(lines_of(ax)) == 3
    assert len(ax.collections) == 0
    assert "none" in plots.caption(bare)


def test_improvement_has_a_row_a_pair_with_the_better_one_first_and_a_line_at_one_half():
    ax = plots.improvement(answers().comparison)
    assert [text.get_text() for text in ax.texts] == ["first", "SAC", "SAC", "A2C", "second", "A2C", "PPO", "PPO"]
    assert len(lines_of(ax)) == 1 + 3
    assert list(ax.lines[0].get_xdata()) == [0.5, 0.5]
    assert all(line.get_xdata()[0] > 0.5 for line in lines_of(ax)[1:])


def test_the_axis_of_improvement_goes_from_0_to_1_and_shows_ticks_on_its_ends_whole():
    long = [f"an algorithm of a name that takes most of the width, {i}" for i in range(2)]
    data = {name: 9.0 * i + np.arange(10).reshape(5, 2) / 10 for i, name in enumerate(long)}
    ax = plots.improvement(ro.compare(data))
    assert ax.get_xlim() == (0, 1)
    tick = lines_of(ax)[1]
    assert list(tick.get_xdata()) == [1]
    assert not tick.get_clip_on()


def test_a_marker_is_full_only_where_a_difference_was_found():
    comparison = answers().comparison
    ax = plots.improvement(comparison)
    faces = [key.get_markerfacecolor() for key in keys_of(ax)]
    differs = [pair.verdict != "no_difference_found" for pair in comparison.standing.pairs]
    assert [face != "white" for face in faces] == differs
    assert set(differs) == {True, False}


def test_tasks_show_every_run_and_the_mean():
    data = scores(n_tasks=7)
    axes = plots.tasks(data)
    assert len(axes) == 7
    assert sum(len(line.get_xdata()) for ax in axes for line in ax.lines) == data.values.size
    assert axes[0].collections[0].get_segments()[0][0, 0] == pytest.approx(data.cell(0, 0).mean())


def test_the_points_of_very_many_runs_are_one_image_behind_all_panels():
    data = scores(("A", "B"), n_tasks=6, n_runs=MANY // 12 + 1)
    axes = plots.tasks(data)
    figure, buffer = axes[0].figure, BytesIO()
    figure.savefig(buffer, format="svg")
    assert buffer.getvalue().count(b"<image") == 1
    assert sum(len(line.get_xdata()) for line in figure.artists) == data.values.size
    assert [line.get_transform() for line in figure.artists[:2]] == [axes[0].transData] * 2


def test_a_cell_without_runs_says_so():
    data = ro.Scores.from_dict({"A": {"t": [1.0, 2.0], "u": [1.0]}, "B": {"t": [2.0, 3.0]}})
    texts = [text.get_text() for text in plots.tasks(data)[1].texts]
    assert texts == ["no runs"]


def test_the_place_of_a_cell_without_runs_is_inside_its_panel():
    data = ro.Scores.from_dict({"A": {"t": [1.0, 2.0], "u": [1.0]}, "B": {"t": [2.0, 3.0]}})
    axes = plots.tasks(data)
    axes[0].figure.draw_without_rendering()
    (text,) = axes[1].texts
    assert axes[1].bbox.contains(text.get_window_extent().x0, text.get_window_extent().y0)


@pytest.mark.parametrize("score", [0.0, 7.0, -200.0])
def test_constant_scores_and_one_algorithm_can_be_drawn(score):
    data = ro.Scores.from_dict({"A": {"t": [score, score]}})
    low, high = plots.tasks(data)[0].get_xlim()
    assert low < score < high


@pytest.mark.parametrize(("n", "n_tasks"), [(2, 9), pytest.param(7, 17, marks=pytest.mark.slow)])
def test_many_tasks_wrap_into_a_page_wide_grid(n, n_tasks):
    data = scores(tuple(f"algorithm {i}" for i in range(n)), n_tasks=n_tasks, n_runs=2)
    axes = plots.tasks(data)
    assert len(axes) == n_tasks
    assert axes[0].figure.get_figwidth() == pytest.approx(6.8)
    assert len({round(ax.get_position().x0, 6) for ax in axes}) >= 4


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_is_parsed_as_mathematics_or_leaves_its_margin(name: str):
    shown = fit(name, 1.0)
    assert width_of(shown) <= 1.0
    assert shown[:2] == name.replace("🚀", "▯")[:2]


def test_all_text_is_literal_and_readable():
    figure = plots.aggregates(hostile().aggregates)[0].figure
    for text in figure.findobj(Text):
        if text.get_text() and not text.get_text().isnumeric():
            assert "$x_1$" not in text.get_text() or not text.get_parse_math()
            assert text.get_fontsize() >= 6.5 or text.get_text() == ""


def test_drawing_sets_nothing_globally_and_loads_no_pyplot():
    before = dict(matplotlib.rcParams)
    loaded = "matplotlib.pyplot" in sys.modules
    plots.tasks(scores())
    plots.improvement(answers().comparison)
    assert dict(matplotlib.rcParams) == before
    assert ("matplotlib.pyplot" in sys.modules) == loaded


def test_given_axes_are_drawn_into_and_must_be_as_many_as_panels():
    figure = Figure()
    ax = figure.add_subplot()
    assert plots.improvement(answers().comparison, ax=ax) is ax
    assert plots.improvement(answers().comparison, ax=figure.add_subplot()).figure is figure
    with pytest.raises(ro.OptionError, match="one for each of 4"):
        plots.aggregates(answers().aggregates, axes=[ax])
    with pytest.raises(ro.OptionError, match="one for each of 2"):
        plots.tasks(scores(), axes=[ax])


def test_captions_say_level_kind_and_n():
    assert "95\u00a0% t intervals" in plots.caption(answers().aggregates)
    assert "6 runs per cell" in plots.caption(answers().comparison)
    assert "6 runs per cell" in plots.caption(scores())
    with pytest.raises(TypeError, match="no figure of a int"):
        plots.caption(3)


def test_runs_are_spread_evenly_within_their_row():
    heights = plots._runs.spread(50)
    assert np.all(np.abs(heights) <= 0.28)
    assert np.histogram(heights, bins=5)[0].min() >= 9
