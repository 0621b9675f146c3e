"""Profiles as a figure: the lines are the estimates, the shades the bands."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff import plots
from runoff.plots import marks
from runoff.plots._marks import FIRST, GREY

RNG = np.random.default_rng(1)
RUNS = ro.Scores.from_dict({name: np.exp(RNG.normal(m, 0.6, (6, 5))) for name, m in (("A", 0.0), ("B", 0.4))})
GRID = np.linspace(0.2, 5, 25)
FOUND = ro.performance_profile(RUNS, thresholds=GRID, band="wilson")
LOG = ro.performance_profile(RUNS, thresholds="log")


def lines(ax):
    """The profiles that are drawn, by their colour."""
    return {line.get_color(): line for line in ax.lines if not line.get_label().startswith("_")}


def test_lines_are_the_estimates_in_the_colours_of_their_names():
    drawn = lines(plots.profiles(FOUND))
    for name, mark in marks(["A", "B"]).items():
        assert list(drawn[mark.color].get_xdata()) == [r.threshold for r in FOUND[name]]
        assert list(drawn[mark.color].get_ydata()) == [r.estimate for r in FOUND[name]]


def test_a_profile_steps_down_at_every_score():
    scores = ro.Scores.from_dict({"A": [0.1, 0.4, 0.4, 0.9], "B": [0.2, 0.5, 0.7, 0.8]})
    result = ro.performance_profile(scores)
    ax = plots.profiles(result)
    assert set(result.thresholds[1:]) == set(scores.values.tolist())
    assert result["A"][0].estimate == result["B"][0].estimate == 1.0
    assert {line.get_drawstyle() for line in lines(ax).values()} == {"steps-post"}


def test_few_thresholds_are_ticks_inside_the_axis_and_many_are_not():
    few = ro.performance_profile(RUNS, thresholds=[0.5, 1.0, 2.0])
    ticks = [[line for line in plots.profiles(result).lines if line.get_marker() == "|"] for result in (few, FOUND)]
    assert [[list(line.get_xdata()) for line in rug] for rug in ticks] == [[[0.5, 1.0, 2.0]], []]


def test_the_axis_ends_at_the_97th_percentile_of_the_furthest_and_the_caption_says_what_lies_beyond():
    far = ro.Scores.from_dict({"A": np.append(np.linspace(0, 1, 99), 50.0), "B": np.linspace(0, 0.5, 100)})
    result = ro.performance_profile(far)
    assert result.thresholds[-1] < 1.0
    assert plots.profiles(result).get_xlim()[1] < 1.0
    assert "above which an algorithm has at most 2\u00a0% of them" in plots.caption(result)
    assert "The axis ends" not in plots.caption(ro.performance_profile(far, thresholds=[0.0, 60.0]))


def test_many_scores_are_thinned_out_by_rank():
    result = ro.performance_profile({"A": RNG.normal(size=900)})
    assert len(result.thresholds) == 201
    shares = [record.estimate for record in result["A"]]
    assert min(np.diff(shares)) >= -0.02


def test_shades_are_the_bands():
    ax = plots.profiles(FOUND, algorithms=["B"])
    (band,) = [c for c in ax.collections if c.get_label() == "_child0" or len(c.get_paths()) == 1]
    heights = band.get_paths()[0].vertices[:, 1]
    ends = [end for r in FOUND["B"] for end in (r.low, r.high)]
    assert set(ends) <= set(heights.tolist())


def test_the_legend_has_the_names_and_is_headed_by_the_numbers_of_runs():
    legend = plots.profiles(FOUND, algorithms=["B", "A"]).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["B", "A"]
    assert legend.get_title().get_text() == "N = 6 runs × 5 tasks"


def test_algorithms_with_other_numbers_of_runs_have_them_beside_their_names():
    ragged = {"A": {"s": [1.0, 2.0], "t": [1.0, 2.0, 3.0]}, "B": {"s": [1.0, 3.0], "t": [2.0, 3.0]}}
    legend = plots.profiles(ro.performance_profile(ragged)).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["B (2 runs × 2 tasks)", "A (2 to 3 runs × 2 tasks)"]
    assert legend.get_title().get_text() == ""


def test_the_axis_is_that_of_the_thresholds():
    assert [plots.profiles(result).get_xscale() for result in (LOG, FOUND)] == ["log", "linear"]


def test_an_unknown_algorithm_is_refused():
    with pytest.raises(ro.OptionError, match="algorithm must be one of A, B"):
        plots.profiles(FOUND, algorithms=["C"])


def test_the_legend_begins_with_the_highest_iqm():
    assert [text.get_text() for text in plots.profiles(FOUND).get_legend().get_texts()] == ["B", "A"]


def test_an_axes_that_is_given_is_drawn_on():
    first = plots.profiles(FOUND)
    assert plots.profiles(LOG, ax=first) is first


def test_twelve_long_names_and_one_threshold_are_drawn():
    many = {f"an algorithm of the name 算法 {i} " * 6: RNG.normal(size=(2, 2)) for i in range(12)}
    ax = plots.profiles(ro.performance_profile(many, thresholds=[0.0]))
    ax.figure.draw_without_rendering()
    box = ax.get_legend().get_window_extent()
    assert len(ax.get_legend().get_texts()) == 12
    assert 0 <= box.x0 < box.x1 <= ax.figure.bbox.width


def test_of_more_than_twelve_eight_have_colours_and_names_and_the_others_are_grey():
    many = {f"algorithm {i}": RNG.normal(i, size=(2, 2)) for i in range(13)}
    profiles = ro.performance_profile(many)
    ax = plots.profiles(profiles)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == [*(f"algorithm {i}" for i in range(12, 4, -1)), "the other 5"]
    lines_of = [line for line in ax.lines if len(line.get_xdata()) == len(profiles.thresholds)]
    assert sum(line.get_color() == GREY and line.get_marker() == "None" for line in lines_of) == 5
    assert len(ax.collections) == 8
    assert "Grey lines" in plots.caption(profiles)
    assert "Grey lines" not in plots.caption(FOUND)


def test_lines_of_the_ninth_colour_and_beyond_are_dashed():
    twelve = {f"algorithm {i}": RNG.normal(i, size=(2, 2)) for i in range(12)}
    drawn = lines(plots.profiles(ro.performance_profile(twelve)))
    first = {mark.color for mark in FIRST}
    assert {color: line.get_linestyle() for color, line in drawn.items()} == {
        c: "-" if c in first else "--" for c in drawn
    }
    assert len(drawn) == 12


@pytest.mark.parametrize("band", ["exact", "wilson", "simultaneous"])
def test_the_caption_names_band_level_and_numbers(band):
    caption = plots.caption(ro.performance_profile(RUNS, band=band, confidence_level=0.9, n_resamples=500))
    assert "5 tasks, 6 scores per task" in caption
    assert "90\u00a0%" in caption
    assert ("500 resamples" in caption) == (band == "simultaneous")
    assert ("for all τ of one algorithm together" in caption) == (band == "simultaneous")
    assert ("Clopper-Pearson" in caption) == (band == "exact")


def test_the_caption_of_single_runs_says_that_there_are_no_bands():
    with pytest.warns(ro.RunoffWarning, match="R002"):
        result = ro.performance_profile({"A": [[1.0, 2.0]]})
    assert "No bands: a cell of one score" in plots.caption(result)
