"""Effect sizes as a figure: one row per pair, and the colour of the algorithm ahead only where "no effect" is left out."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff import plots
from runoff.plots import marks
from tests.plots.seen import keys_of, lines_of

BASE = np.random.default_rng(0).normal(5, 1, 8)
RUNS = ro.Scores.from_dict({"A": BASE + 4, "B": BASE, "C": BASE + 0.1})
SIZES = ro.effect_sizes(RUNS)


def test_there_is_one_row_per_pair_and_a_line_at_no_effect():
    for effect, nothing in (("difference", 0.0), ("ratio", 1.0), ("improvement", 0.5)):
        ax = plots.effect_sizes(SIZES, effect_size=effect)
        assert [text.get_text() for text in ax.texts] == ["first", "A", "A", "B", "second", "B", "C", "C"]
        assert list(ax.lines[0].get_xdata()) == [nothing, nothing]
        assert len(lines_of(ax)) == 1 + 3


def test_bars_are_the_intervals_and_points_the_estimates():
    ax = plots.effect_sizes(SIZES, effect_size="hedges_g")
    drawn = [tuple(float(x) for x in bar.get_segments()[0][:, 0]) for bar in ax.collections]
    assert drawn == [(r.low, r.high) for r in SIZES.rows if r.effect_size == "hedges_g"]
    points = [float(line.get_xdata()[0]) for line in lines_of(ax)[1:]]
    assert points == [r.estimate for r in SIZES.rows if r.effect_size == "hedges_g"]


def test_a_marker_is_full_in_the_colour_of_the_algorithm_ahead():
    back = ro.effect_sizes(RUNS, pairs=[("B", "A"), ("A", "B"), ("B", "C")])
    faces = [key.get_markerfacecolor() for key in keys_of(plots.effect_sizes(back))]
    color = marks(["B", "A", "C"])["A"].color
    assert faces == [color, color, "white"]


def test_an_effect_that_is_not_defined_leaves_its_row_empty():
    below = ro.Scores.from_dict({"A": [-1.0, -2.0, -3.0], "B": [1.0, 2.0, 3.0]})
    ax = plots.effect_sizes(ro.effect_sizes(below, effect_size=["ratio"]))
    assert (len(lines_of(ax)), len(ax.collections)) == (1, 0)


def test_an_effect_that_was_not_asked_for_is_refused():
    with pytest.raises(KeyError, match="ratio"):
        plots.effect_sizes(ro.effect_sizes(RUNS, effect_size=["difference"]), effect_size="ratio")


@pytest.mark.parametrize("effect", [None, "ratio", "hedges_g", "cliffs_delta", "improvement"])
def test_the_caption_is_of_the_effect_that_is_drawn_under_its_title(effect):
    text, title = plots.caption(SIZES, effect_size=effect), plots.effect_sizes(SIZES, effect_size=effect).get_title()
    assert title
    assert text.startswith(
        f"{title} of each pair, of the first algorithm relative to the second, over 1 task. Bars: 95"
    )


def test_there_is_no_caption_of_an_effect_that_was_not_asked_for():
    with pytest.raises(KeyError, match="ratio"):
        plots.caption(ro.effect_sizes(RUNS, effect_size=["difference"]), effect_size="ratio")


TITLES = {
    "difference": "Difference of means",
    "iqm_difference": "Difference of IQMs",
    "ratio": "Ratio of means",
    "hedges_g": "Hedges' g",
    "cliffs_delta": "Cliff's δ",
    "improvement": "Probability of improvement",
}


@pytest.mark.parametrize("effect", TITLES)
def test_a_figure_is_titled_by_its_effect_alone(effect):
    assert plots.effect_sizes(SIZES, effect_size=effect).get_title() == TITLES[effect]
    assert {*TITLES} == {record.effect_size for record in SIZES.rows}
