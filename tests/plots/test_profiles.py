"""Profiles as a figure: the lines are the estimates, the shades the bands, and what is read off stands where the legend says."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff import plots
from runoff.plots import marks

RNG = np.random.default_rng(1)
RUNS = ro.Scores.from_dict({name: np.exp(RNG.normal(m, 0.6, (6, 5))) for name, m in (("A", 0.0), ("B", 0.4))})
GRID = np.linspace(0.2, 5, 25)
FOUND = ro.performance_profile(RUNS, thresholds=GRID, band="wilson")
LOG = ro.performance_profile(RUNS, thresholds="log")
READ = ("iqm", "median", "mean", "optimality_gap")


def lines(ax):
    """The profiles that are drawn, by their colour."""
    return {line.get_color(): line for line in ax.lines if not line.get_label().startswith("_")}


def test_lines_are_the_estimates_in_the_colours_of_their_names():
    drawn = lines(plots.profiles(FOUND))
    for name, mark in marks(["A", "B"]).items():
        assert list(drawn[mark.color].get_xdata()) == [r.threshold for r in FOUND.of(name)]
        assert list(drawn[mark.color].get_ydata()) == [r.estimate for r in FOUND.of(name)]


def test_a_profile_steps_down_at_every_score():
    scores = ro.Scores.from_dict({"A": [0.1, 0.4, 0.4, 0.9], "B": [0.2, 0.5, 0.7, 0.8]})
    result = ro.performance_profile(scores)
    ax = plots.profiles(result)
    assert set(result.thresholds[1:]) == set(scores.values.tolist())
    assert result.of("A")[0].estimate == result.of("B")[0].estimate == 1.0
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
    shares = [record.estimate for record in result.of("A")]
    assert min(np.diff(shares)) >= -0.02


def test_shades_are_the_bands():
    ax = plots.profiles(FOUND, algorithms=["B"])
    (band,) = [c for c in ax.collections if c.get_label() == "_child0" or len(c.get_paths()) == 1]
    heights = band.get_paths()[0].vertices[:, 1]
    ends = [end for r in FOUND.of("B") for end in (r.low, r.high)]
    assert set(ends) <= set(heights.tolist())


def test_the_legend_has_the_names_and_is_headed_by_the_numbers_of_runs():
    legend = plots.profiles(FOUND, algorithms=["B", "A"]).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["B", "A"]
    assert legend.get_title().get_text() == "N = 6 runs × 5 tasks"


def test_algorithms_with_other_numbers_of_runs_have_them_beside_their_names():
    ragged = {"A": {"s": [1.0, 2.0], "t": [1.0, 2.0, 3.0]}, "B": {"s": [1.0, 3.0], "t": [2.0, 3.0]}}
    legend = plots.profiles(ro.performance_profile(ragged)).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["A (2 to 3 runs × 2 tasks)", "B (2 runs × 2 tasks)"]
    assert legend.get_title().get_text() == ""


@pytest.mark.parametrize("area", READ)
def test_what_is_read_off_stands_in_the_legend(area):
    texts = [text.get_text() for text in plots.profiles(FOUND, area=area).get_legend().get_texts()]
    for name, text in zip("AB", texts, strict=True):
        assert text.startswith(name)
        assert text.endswith(f" {getattr(FOUND.summary(name), area):.3g}")


@pytest.mark.parametrize(("area", "ends"), [("iqm", [0.25, 0.75]), ("median", [0.0, 0.5]), ("mean", [0.0, 1.0])])
@pytest.mark.parametrize("expected", [FOUND, LOG], ids=["linear", "log"])
def test_an_upright_line_stands_at_the_value_between_the_shares_that_it_is_of(expected, area, ends):
    upright = [line for line in plots.profiles(expected, area=area).lines if line.get_linestyle() == "--"]
    at = [(list(line.get_xdata()), list(line.get_ydata())) for line in upright]
    assert at == [([getattr(expected.summary(name), area)] * 2, ends) for name in "AB"]


@pytest.mark.parametrize(("area", "shaded"), [("iqm", 1), ("mean", 1), ("optimality_gap", 1), ("median", 0), (None, 0)])
def test_one_algorithm_has_its_area_shaded_on_a_linear_axis_only(area, shaded):
    alone = len(plots.profiles(FOUND, algorithms=["A"], area=area).collections)
    assert alone == 1 + shaded
    assert len(plots.profiles(LOG, algorithms=["A"], area=area).collections) == 1
    assert len(plots.profiles(FOUND, area=area).collections) == 2


def test_the_shaded_area_of_the_gap_is_the_gap_but_for_the_grid():
    fine = ro.performance_profile(RUNS, thresholds=np.linspace(0, 6, 2_000))
    ax = plots.profiles(fine, algorithms=["A"], area="optimality_gap")
    outline = ax.collections[-1].get_paths()[0].vertices
    x, y = outline[:, 0], outline[:, 1]
    area = abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2
    assert area == pytest.approx(fine.summary("A").optimality_gap, abs=0.005)


def test_twice_the_shaded_area_of_the_iqm_is_the_iqm_but_for_the_grid():
    fine = ro.performance_profile(RUNS, thresholds=np.linspace(0, 6, 2_000))
    outline = plots.profiles(fine, algorithms=["A"], area="iqm").collections[-1].get_paths()[0].vertices
    x, y = outline[:, 0], outline[:, 1]
    area = abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2
    assert 2 * area == pytest.approx(fine.summary("A").iqm, rel=0.02)


def test_the_axis_is_that_of_the_thresholds_unless_another_is_asked_for():
    assert plots.profiles(LOG).get_xscale() == "log"
    assert plots.profiles(FOUND).get_xscale() == "linear"
    assert plots.profiles(FOUND, xscale="log").get_xscale() == "log"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"area": "variance"}, "area must be one of iqm, median, mean, optimality_gap"),
        ({"algorithms": ["C"]}, "algorithm must be one of A, B"),
        ({"xscale": "sqrt"}, "xscale must be one of linear, log"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(ro.OptionError, match=message):
        plots.profiles(FOUND, **options)


def test_thresholds_that_are_not_positive_have_no_log_axis():
    with pytest.raises(ro.OptionError, match="needs thresholds above 0, and the lowest is 0"):
        plots.profiles(ro.performance_profile(RUNS, thresholds=[0.0, 1.0]), xscale="log")


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


@pytest.mark.parametrize("band", ["exact", "wilson", "bootstrap", "simultaneous"])
def test_the_caption_names_band_level_and_numbers(band):
    caption = plots.caption(ro.performance_profile(RUNS, band=band, confidence_level=0.9, n_resamples=500))
    assert "5 tasks, 6 scores per task" in caption
    assert "90\u00a0%" in caption
    assert ("500 resamples" in caption) == (band in ("bootstrap", "simultaneous"))
    assert ("for all τ of one algorithm together" in caption) == (band == "simultaneous")
    assert ("Clopper-Pearson" in caption) == (band in ("exact", "bootstrap"))


def test_the_caption_of_single_runs_says_that_there_are_no_bands():
    with pytest.warns(ro.RunoffWarning, match="R002"):
        result = ro.performance_profile({"A": [[1.0, 2.0]]})
    assert "No bands: a cell of one score" in plots.caption(result)
