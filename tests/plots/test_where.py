"""Where a lead comes from, as a figure: what adds up to it, and every task."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import runoff as ro
from runoff import plots
from runoff.page.sheet.lead import _Signed
from runoff.plots._marks import AHEAD, BEHIND, OPEN
from runoff.plots._places import STEEP, bend_of, swarm
from runoff.plots._where import NAMED
from tests.plots.seen import lines_of


def result_of(leads, measure="mean"):
    base = np.random.default_rng(4).normal(0, 0.05, (2, 5, len(leads)))
    a = {f"task {k}": base[0, :, k] + lead for k, lead in enumerate(leads)}
    b = {f"task {k}": base[1, :, k] for k in range(len(leads))}
    return ro.where({"A": a, "B": b}, "A", "B", measure=measure, n_resamples=100)


@cache
def many():
    return result_of([30.0, 9.0, 1.0, 0.7, 0.5, 0.4, 0.3, 0.2, -0.1, -0.2, -0.4, -0.6])


@cache
def few():
    return result_of([2.0, 1.0, -0.5])


def bars(ax):
    return [(patch.get_x(), patch.get_width()) for patch in ax.patches]


def names(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def lowest_free(xs, gap):
    """The obvious twin: each dot, from left to right, at the first height at which it touches none of those before it."""
    drawn = {}
    for k in sorted(range(len(xs)), key=lambda k: xs[k]):
        heights = (gap * ((level + 1) // 2) * (1 if level % 2 else -1) for level in range(2 * len(xs)))
        drawn[k] = next(
            y for y in heights if all(np.hypot(xs[k] - xs[j], y - h) > gap - 1e-6 for j, h in drawn.items())
        )
    return [drawn[k] for k in range(len(xs))]


@pytest.mark.parametrize("seed", range(8))
def test_dots_lie_at_the_lowest_height_at_which_they_touch_no_other(seed):
    draw = np.random.default_rng(seed)
    xs = np.where(draw.random(60) < 0.5, draw.integers(0, 12, 60) * 10.4, draw.uniform(0, 120, 60)).tolist()
    assert swarm(xs, 10.4) == pytest.approx(lowest_free(xs, 10.4))
    highest = max(map(abs, swarm(xs, 10.4)))
    assert swarm(xs, 10.4, highest / 4) == pytest.approx([y / 4 for y in swarm(xs, 10.4)])


def test_the_tasks_of_a_few_add_up_to_the_lead_by_name():
    ax, _ = plots.where(few())
    assert names(ax) == ["task 0", "task 1", "task 2", "the lead"]
    *steps, whole = bars(ax)
    assert [start for start, _ in steps] == pytest.approx(np.cumsum([0, *(width for _, width in steps)])[:-1])
    assert whole == pytest.approx((0.0, sum(width for _, width in steps)))
    assert whole[1] == pytest.approx(np.mean([record.estimate for record in few().rows]))


def test_of_many_tasks_the_highest_tenth_have_names_and_the_trimmed_lead_stands_beside_the_whole():
    ax, _ = plots.where(many())
    leads = sorted(record.estimate for record in many().rows)
    assert names(ax) == ["task 0", "task 1", "the other 10, net", "the lead", "without 2 best, 2 worst"]
    assert np.array(bars(ax)[3:]) == pytest.approx(np.array([(0.0, np.mean(leads)), (0.0, np.mean(leads[2:-2]))]))


def test_the_line_to_the_dot_of_a_name_runs_beside_the_name_below_it():
    runs = {f"task {k}": [lead, lead + 1.0] for k, lead in enumerate([2.0, 2.0, 0.5, -2.0, -2.0])}
    _, ax = plots.where(
        ro.where({"A": runs, "B": dict.fromkeys(runs, (0.0, 1.0))}, "A", "B", measure="mean", n_resamples=100)
    )
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text().startswith("task")]
    lines = [
        ax.transData.transform(line.get_xydata())
        for line in ax.lines
        if len({*line.get_xdata()}) == 1 == line.get_linewidth() + 0.6
    ]
    assert (len(boxes), len(lines)) == (4, 4)
    for (x, low), (_, high) in lines:
        assert not any(box.x0 <= x <= box.x1 and low < box.y1 and high > box.y0 for box in boxes)


def test_every_task_is_a_dot_full_where_it_was_called_and_the_outermost_have_names():
    _, ax = plots.where(many())
    dots = [line for line in lines_of(ax) if line.get_marker() == "o"]
    calls = sorted((r.estimate, r.verdict in ("a_better", "b_better")) for r in many().rows)
    assert sorted((line.get_xdata()[0], line.get_markerfacecolor() != "white") for line in dots) == calls
    assert {text.get_text() for text in ax.texts} >= {"task 0", "task 11"}
    assert ax.get_title() == "A ahead on 8, B on 4"
    of_task = {r.estimate: {"a_better": AHEAD, "b_better": BEHIND}.get(r.verdict, OPEN) for r in many().rows}
    assert {line.get_xdata()[0]: line.get_color() for line in dots} == of_task
    assert set(of_task.values()) == {AHEAD, BEHIND}


@pytest.mark.parametrize("n", [4, 12])
def test_no_two_dots_touch_where_there_is_room_for_all(n):
    _, ax = plots.where(result_of([1.0] * n))
    dots = [line for line in lines_of(ax) if line.get_marker() == "o"]
    points = 72 / ax.figure.dpi * ax.transData.transform([line.get_xydata()[0] for line in dots])
    wide = {line.get_markersize() + line.get_markeredgewidth() for line in dots}
    assert min(np.hypot(*(a - b)) for a, b in combinations(points, 2)) >= max(wide)


def test_the_bar_of_a_task_is_grey_where_no_difference_was_found():
    axes = plots.where(noisy())
    colors = [to_hex(patch.get_facecolor()).upper() for patch in axes[0].patches]
    called = sorted(noisy().rows, key=lambda record: -record.estimate)
    assert colors[:-1] == [{"a_better": AHEAD, "b_better": BEHIND}.get(r.verdict, OPEN) for r in called]
    assert set(colors[:-1]) == {AHEAD, OPEN}
    dots = [line for line in lines_of(axes[1]) if line.get_marker() == "o"]
    assert {(dot.get_color(), dot.get_markerfacecolor()) for dot in dots} == {(AHEAD, AHEAD), (OPEN, "white")}


@cache
def noisy():
    runs = np.array([-30.0, -10.0, 10.0, 30.0])
    cells = {"near": (runs / 1e3 + 1, runs / 1e3), "far": (runs + 9, runs)}
    a, b = ({task: both[side] for task, both in cells.items()} for side in (0, 1))
    return ro.where({"A": a, "B": b}, "A", "B", measure="mean", n_resamples=100)


def test_the_axis_is_logarithmic_on_both_sides_of_0_only_where_a_few_leads_are_very_large_and_says_so():
    bent, straight = (plots.where(result)[1] for result in (many(), few()))
    assert [ax.get_xscale() for ax in (bent, straight)] == ["function", "linear"]
    assert bent.get_xlabel() == "difference of means on a task (logarithmic beyond ±0.05)"
    assert "The axis of the dots is logarithmic beyond ±0.05." in plots.caption(many())
    assert "logarithmic" not in straight.get_xlabel() + plots.caption(few())


def test_a_bent_axis_of_the_figure_is_that_of_the_page():
    leads = np.array([record.estimate for record in many().rows])
    axis, ax = _Signed(leads), plots.where(many())[1]
    across = ax.transData.transform([(lead, 0.0) for lead in leads])[:, 0]
    assert np.corrcoef(across, [axis.x(float(lead)) for lead in leads])[0, 1] == pytest.approx(1, abs=1e-12)


def test_chances_are_drawn_from_one_half():
    result = result_of([0.1, 0.0, -0.02], "improvement")
    ax, under = plots.where(result)
    assert bars(ax)[-1][1] == pytest.approx(100 * np.mean([record.estimate for record in result.rows]) - 50)
    assert "50 %" in under.get_xlabel()


@pytest.mark.parametrize("leads", [[1.0], [0.0, 0.0], [1.0] * 60])
def test_one_task_level_tasks_and_sixty_stay_on_their_page(leads):
    axes = plots.where(result_of(leads), width="icml")
    axes[0].figure.draw_without_rendering()
    for text in (*axes[0].get_yticklabels(), *axes[0].texts, *axes[1].texts, axes[0].title):
        box = text.get_window_extent()
        assert -0.5 <= box.x0 <= box.x1 <= axes[0].figure.bbox.x1 + 0.5, text.get_text()


def test_two_axes_are_drawn_into_and_one_is_refused():
    given = Figure().subplots(2)
    assert plots.where(few(), ax=given) == tuple(given)
    with pytest.raises(ro.OptionError, match="axes must be one for each of 2 part"):
        plots.where(few(), ax=given[0])


def test_the_caption_says_what_is_summed_and_how_many_tasks_were_called():
    caption = plots.caption(many())
    assert "averaged over 12 tasks" in caption
    assert "without the 2 tasks at each end" in caption
    assert f"({sum(r.verdict in ('a_better', 'b_better') for r in many().rows)} of 12 tasks; Holm" in caption
    assert "at each end" not in plots.caption(few())


@pytest.mark.parametrize(("n", "named"), [(NAMED, False), (NAMED + 1, True)])
def test_the_caption_speaks_of_the_lead_without_the_tasks_at_each_end_where_its_bar_is_drawn(n, named):
    result = result_of([k / 10 for k in range(n)])
    ax, _ = plots.where(result)
    drawn = any("without" in name for name in names(ax))
    assert (drawn, "at each end" in plots.caption(result)) == (named, named)


def test_tasks_that_are_level_are_won_by_nobody():
    runs = {f"t{k}": [1.0, 2.0, 3.0] for k in range(5)}
    higher = {"t0": [2.0, 3.0, 4.0], "t1": [5.0, 6.0, 7.0], "t2": [0.0, 1.0, 2.0]}
    result = ro.where({"A": runs | higher, "B": runs}, "A", "B", score_unit="shared", n_resamples=100)
    assert plots.where(result)[1].get_title() == "A ahead on 2, B on 1"


def test_the_number_of_a_bar_stands_behind_its_right_end():
    ax, _ = plots.where(few())
    ends = [start + max(width, 0.0) for start, width in bars(ax)]
    numbers = [text for text in ax.texts if text.get_text()]
    assert [text.xy[0] for text in numbers] == pytest.approx(ends)
    shown = [float(text.get_text().replace("−", "-")) for text in numbers]
    assert shown == pytest.approx([width for _, width in bars(ax)], abs=0.01)


def test_an_axis_is_bent_only_where_the_largest_lead_is_steeper_than_a_linear_one_shows():
    leads = np.array([1.0, -1.0, 0.0, 0.0, 0.0, STEEP])
    assert bend_of(leads) is None
    assert bend_of(leads * np.array([1, 1, 1, 1, 1, -1.01])) == 0.5
    assert bend_of(np.zeros(4)) is None
    assert bend_of(np.array([])) is None
