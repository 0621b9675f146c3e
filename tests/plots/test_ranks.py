"""The critical difference diagram: ranks where they are, best on the right, bars over what is not apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

import runoff as ro
from runoff import plots
from tests.report.made import HOSTILE, scores

NAMES = tuple("ABCDEF")


@pytest.fixture(scope="module")
def result():
    return ro.critical_difference(scores(NAMES, n_runs=5))


def bars(ax):
    return [line for line in ax.collections if line.get_linewidth()[0] > 2]


def places(ax):
    """Where on the axis the lines of the names begin."""
    return [line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 3]


def test_lower_average_ranks_lie_further_right(result):
    ax = plots.critical_difference(result)
    assert ax.xaxis_inverted()
    assert places(ax) == pytest.approx(sorted(result.average_ranks))
    assert all(1 <= place <= len(NAMES) for place in places(ax))


@pytest.mark.parametrize(("spread", "width"), [(0.0, 2.4), (0.05, 3.3), (5.0, 3.3), (5.0, 6.8)])
def test_the_axis_is_named_where_the_ruler_leaves_it_no_room_too(spread, width):
    draw = np.random.default_rng(0)
    runs = {name: {"t": draw.normal(spread * k, 1, 6).tolist()} for k, name in enumerate("ABCDE")}
    ax = plots.critical_difference(ro.critical_difference(runs), width=width)
    assert "average rank" in " ".join(text.get_text() for text in ax.texts)


def test_each_group_that_is_not_apart_is_joined_by_a_bar_that_covers_it(result):
    ranks = dict(zip(result.algorithms, result.average_ranks, strict=True))
    ax = plots.critical_difference(result)
    joined = [group for group in result.groups if len(group) > 1]
    assert joined
    for bar, group in zip(bars(ax), joined, strict=True):
        low, high = sorted(bar.get_segments()[0][:, 0])
        assert low <= min(ranks[name] for name in group)
        assert high >= max(ranks[name] for name in group)


def test_overlapping_bars_lie_on_different_levels(result):
    overlapping = replace(result, groups=(("A", "B", "C"), ("B", "C", "D"), ("C", "D", "E")))
    levels = [bar.get_segments()[0][0, 1] for bar in bars(plots.critical_difference(overlapping))]
    assert len(set(levels)) == 3


@pytest.mark.parametrize(
    ("n", "n_tasks", "seed"),
    [(12, 3, 0), (14, 6, 1), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((20, 6, 1), (30, 5, 2)))],
)
def test_no_bar_is_longer_than_the_critical_difference_and_bars_on_a_level_keep_a_gap(n, n_tasks, seed):
    rng = np.random.default_rng(seed)
    runs = {f"algorithm {i}": rng.normal(0.25 * i, 1, (5, n_tasks)) for i in range(n)}
    result = ro.critical_difference(ro.Scores.from_dict(runs))
    ax = plots.critical_difference(result, width=6.8)
    inch = abs(np.subtract(*ax.get_xlim())) / 6.8
    drawn = [(*sorted(bar.get_segments()[0][:, 0]), bar.get_segments()[0][0, 1]) for bar in bars(ax)]
    assert len(drawn) > 2
    assert max(high - low for low, high, _ in drawn) <= result.critical_average_difference * (1 + 1e-9)
    for i, (low, high, level) in enumerate(drawn):
        beside = [other for other in drawn[:i] if other[2] == level]
        assert all(low - other[1] > 0.06 * inch or other[0] - high > 0.06 * inch for other in beside)


def test_the_ruler_is_as_long_as_the_critical_difference_of_average_ranks(result):
    ax = plots.critical_difference(result)
    ruler = next(line.get_segments()[0] for line in ax.collections if line.get_segments()[0][0, 1] == -0.3)
    assert abs(ruler[1, 0] - ruler[0, 0]) == pytest.approx(result.critical_average_difference)


def test_a_control_has_one_bar_around_itself():
    result = ro.critical_difference(scores(NAMES, n_runs=5), control="C")
    ax = plots.critical_difference(result)
    (bar,) = bars(ax)
    low, high = sorted(bar.get_segments()[0][:, 0])
    assert low <= result.average_ranks[2] <= high
    assert "control, C" in plots.caption(result)


def test_algorithms_of_equal_rank_keep_a_marker_each():
    same = ro.Scores.from_dict({name: {"t": [1.0, 2.0, 3.0]} for name in "ABC"})
    ax = plots.critical_difference(ro.critical_difference(same))
    keys = {(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if len(line.get_xdata()) == 1}
    assert len(keys) == 3


@pytest.mark.parametrize("names", [("A", "B"), NAMES[:3], tuple(f"algorithm {i}" for i in range(15)), HOSTILE])
def test_every_name_is_written_inside_the_figure(names):
    ax = plots.critical_difference(ro.critical_difference(scores(names, n_runs=3)))
    figure = ax.figure
    figure.draw_without_rendering()
    page = figure.bbox
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) >= len(names) + 1
    assert all(box.x0 >= -1 and box.x1 <= page.x1 + 1 and box.y0 >= -1 and box.y1 <= page.y1 + 1 for box in boxes)


def test_all_ties_are_drawn_without_a_ruler():
    data = ro.Scores.from_dict({name: {"t": [1.0, 1.0]} for name in "ABC"})
    ax = plots.critical_difference(ro.critical_difference(data))
    assert not [text for text in ax.texts if text.get_text().startswith("CD")]
    assert len(set(places(ax))) == 1


def test_given_axes_are_drawn_into(result):
    ax = Figure().add_subplot()
    assert plots.critical_difference(result, ax=ax) is ax


def test_the_caption_says_level_tasks_and_what_it_rests_on(result):
    caption = plots.caption(result)
    for part in ("over 2 tasks", "α = 0.05", "lower ranks are better", "when all algorithms are equal"):
        assert part in caption
