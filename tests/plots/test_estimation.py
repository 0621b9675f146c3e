"""Every run of two algorithms on one task, with the difference of their means beside them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import runoff as ro
from runoff import plots
from runoff.answer.pair import readings_of
from runoff.plots._marks import AHEAD, OPEN
from runoff.plots._rows import LINE
from tests.plots.seen import lines_of

SCORES = ro.Scores.from_dict({"A": [1.0, 2.0, 3.0, 2.5], "B": [6.0, 7.0, 8.0], "C": [6.1, 6.9, 8.2]})


@cache
def compared():
    return ro.compare(SCORES)


def test_every_run_is_a_point_and_the_difference_stands_above_the_lower_mean():
    ax = plots.runs(SCORES, compared(), pair=("A", "B"))
    points = [sorted(line.get_ydata()) for line in lines_of(ax)[:2]]
    assert points == [[6.0, 7.0, 8.0], [1.0, 2.0, 2.5, 3.0]]
    pair = compared()["B", "A"]
    low = SCORES.cell("A", 0).mean()
    bar = ax.collections[-1].get_segments()[0][:, 1]
    assert bar == pytest.approx([low + pair.low, low + pair.high])
    assert to_hex(ax.collections[-1].get_colors()[0]).upper() == AHEAD
    assert lines_of(ax)[2].get_ydata()[0] == pytest.approx(low + pair.difference)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["B", "A", "difference"]


@pytest.mark.parametrize("pair", [("A", "B"), ("C", "A")])
def test_runs_have_the_colour_and_marker_of_their_algorithm(pair):
    ax, marks = plots.runs(SCORES, compared(), pair=pair), plots.marks(SCORES.algorithms)
    first, second = (label.get_text() for label in ax.get_xticklabels()[:2])
    assert {first, second} == {*pair}
    drawn = [(line.get_color(), line.get_marker()) for line in lines_of(ax)[:2]]
    assert drawn == [(marks[name].color, marks[name].marker) for name in (first, second)]


def test_means_that_were_not_tested_have_a_dotted_line_and_no_colour_of_a_verdict():
    ranks = ro.compare(SCORES, test="mann_whitney")
    bare = replace(ranks, pairs=tuple(replace(pair, other_readings=()) for pair in ranks.pairs))
    bar = plots.runs(SCORES, bare, pair=("A", "B")).collections[-1]
    assert bar.get_linewidths()[0] == LINE
    assert to_hex(bar.get_colors()[0]).upper() == OPEN
    caption = plots.caption(SCORES, figure="runs", comparison=bare, pair=("A", "B"))
    assert "of this pair alone; the means were not tested" in caption


def test_the_axis_on_the_right_is_of_differences():
    ax = plots.runs(SCORES, compared(), pair=("A", "B"))
    ax.figure.draw_without_rendering()
    (right,) = ax.child_axes
    shift = np.array(ax.get_ylim()) - np.array(right.get_ylim())
    assert shift == pytest.approx(np.full(2, SCORES.cell("A", 0).mean()))


def test_the_pair_is_the_nearest_of_the_leader_unless_named():
    ax = plots.runs(SCORES, compared(), title="Runs", ax=Figure().add_subplot())
    assert [label.get_text() for label in ax.get_xticklabels()][:2] == ["C", "B"]
    assert ax.get_title() == "Runs"


def test_several_tasks_and_another_pair_are_refused():
    two = ro.Scores.from_dict({a: {"x": [1.0, 2.0], "y": [2.0, 3.0]} for a in "AB"})
    with pytest.raises(ro.OptionError, match=r"there are 2; take one, data\.select\(tasks=\['x'\]\)"):
        plots.runs(two, compared())
    with pytest.raises(KeyError, match="D"):
        plots.runs(SCORES, compared(), pair=("A", "D"))


def test_the_caption_names_the_pair_and_the_verdict():
    caption = plots.caption(SCORES, figure="runs", comparison=compared(), pair=("A", "B"))
    assert caption.startswith("Every run of B and A on")
    assert "3 to 4 runs of each" in caption
    assert "a difference was found" in caption
    with pytest.raises(ro.OptionError, match="give comparison="):
        plots.caption(SCORES, figure="runs")


@pytest.mark.parametrize("margin", [None, 0.1, 5.0])
@pytest.mark.parametrize("lead", [0.0, 3.0])
@pytest.mark.parametrize("measure", ["mean", "improvement"])
def test_the_caption_says_of_every_verdict_what_it_is_and_only_what_was_not_tested_is_dotted(margin, lead, measure):
    draw = np.random.default_rng(4)
    data = ro.Scores.from_dict({"A": {"x": draw.normal(0, 1, 12)}, "B": {"x": draw.normal(lead, 1, 12)}})
    result = ro.compare(data, measure=measure, margin=margin if measure == "mean" else None)
    caption, ax = plots.caption(data, figure="runs", comparison=result), plots.runs(data, result)
    by_means = readings_of(result.pairs[0]).get("mean")
    words = {
        "a_better": "a difference was found",
        "b_better": "a difference was found",
        "no_difference_found": "no difference was found",
        "equivalent": "equivalent within the margin",
        "no_verdict": "not tested",
    }
    assert words["no_verdict" if by_means is None else by_means.verdict] in caption
    assert ("not tested" in caption) == ("of this pair alone" in caption) == (by_means is None)
    (bar,) = [line for line in ax.collections if line.get_segments()[0][0, 0] == line.get_segments()[0][1, 0] == 2]
    assert (bar.get_linestyle()[0][1] is not None) == (by_means is None)
