"""The figures of the drop-in: what is drawn, in which colours, and what they return."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from runoff.compat.rliable import plot_utils
from runoff.compat.rliable.plot_utils import COLORBLIND, colors_of

TAU = [0.0, 0.5, 1.0]
PROFILES = {"A": np.array([1.0, 0.6, 0.1]), "B": np.array([0.8, 0.4, 0.0])}
BANDS = {name: np.array([profile - 0.1, profile + 0.1]) for name, profile in PROFILES.items()}
POINTS, ENDS = {"A": [0.5], "B": [0.7]}, {"A": np.array([[0.4], [0.6]]), "B": np.array([[0.6], [0.9]])}


def many(n):
    return {f"algorithm {i} Ümläute $x_{{{i}}}$": [0.1 * i, 0.5] for i in range(n)}


def test_profiles_are_lines_with_bands_of_one_width_and_the_styles_asked_for():
    ax = plot_utils.plot_performance_profiles(
        PROFILES, TAU, BANDS, ax=Figure().subplots(), linewidth=5, linestyles={"A": "-", "B": ":"}, alpha=0.3
    )
    assert [list(line.get_ydata()) for line in ax.lines] == [list(profile) for profile in PROFILES.values()]
    assert [(line.get_linewidth(), line.get_linestyle()) for line in ax.lines] == [(5, "-"), (5, ":")]
    assert [to_hex(line.get_color()).upper() for line in ax.lines] == list(COLORBLIND[:2])
    assert [band.get_alpha() for band in ax.collections] == [0.3, 0.3]
    assert ax.get_yticks().tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_on_a_scale_of_runs_a_threshold_stands_at_the_mean_share_of_runs_below_it():
    ax = plot_utils.plot_performance_profiles(PROFILES, TAU, use_non_linear_scaling=True, xticks=[0.5])
    np.testing.assert_allclose(ax.lines[0].get_xdata(), [0.1, 0.5, 0.95])
    assert ax.get_xticks().tolist() == [0.5]
    assert len(plot_utils._non_linear_scaling(PROFILES, TAU)[2]) == 5


def test_one_metric_has_one_axes_and_several_an_array():
    figure, ax = plot_utils.plot_interval_estimates(POINTS, ENDS, ["IQM"], xlabel=None)
    assert isinstance(figure, Figure)
    bars = [(bar.get_x(), bar.get_width()) for bar in ax.patches]
    np.testing.assert_allclose(bars, [(0.4, 0.2), (0.6, 0.3)])
    both = {name: np.repeat(ends, 2, axis=1) for name, ends in ENDS.items()}
    _, axes = plot_utils.plot_interval_estimates({"A": [0.5, 0.5], "B": [0.7, 0.7]}, both, {"IQM": 0, "Mean": 1}.keys())
    assert [len(panel.patches) for panel in axes] == [2, 2]


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 4, 12])
def test_the_label_below_intervals_meets_no_tick(n):
    ends = {name: np.array([[0.0, 0.4], [1.0, 0.6]]) for name in many(n)}
    figure, axes = plot_utils.plot_interval_estimates(many(n), ends, ["Median", "IQM"])
    figure.canvas.draw()
    ticks = [label.get_window_extent() for ax in axes for label in ax.get_xticklabels()]
    assert figure.texts[0].get_window_extent().y1 < min(tick.y0 for tick in ticks)


def test_pairs_have_a_name_on_either_side():
    ax = plot_utils.plot_probability_of_improvement(
        {"A;B": 0.7, "C, D;E": np.array([0.2])},
        {"A;B": [0.6, 0.8], "C, D;E": np.array([[0.1], [0.3]])},
        pair_separator=";",
    )
    right = next(other for other in ax.figure.axes if other is not ax)
    assert [[label.get_text() for label in panel.get_yticklabels()] for panel in (ax, right)] == [
        ["A", "C, D"],
        ["B", "E"],
    ]
    np.testing.assert_allclose([bar.get_width() for bar in ax.patches], [0.2, 0.2])


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "ends", [[(0, 0)], [(1, 1)], [(0, 0.2)], [(0.86, 1)], [(0, 0), (1, 1)], [(0.1, 0.3), (0.4, 0.99)]]
)
def test_the_axis_of_probabilities_ends_at_0_and_1_and_holds_every_interval(ends):
    pairs = {f"{name};another algorithm, of a name that is long": end for name, end in zip(many(2), ends, strict=False)}
    points = {pair: np.mean(end) for pair, end in pairs.items()}
    ax = plot_utils.plot_probability_of_improvement(points, pairs, pair_separator=";")
    for _ in range(2):
        ax.figure.canvas.draw()
        left, right = ax.get_xlim()
        assert 0 <= left <= np.min(ends) <= np.max(ends) <= right <= 1
        assert left < right
        ax.axvline(0.5)


def test_an_axis_of_probabilities_that_has_limits_keeps_them():
    ax = Figure().subplots()
    ax.set_xlim(-0.5, 2)
    plot_utils.plot_probability_of_improvement({"A,B": 0.7}, {"A,B": [0.6, 0.8]}, ax=ax)
    assert ax.get_xlim() == (-0.5, 2)


@pytest.mark.parametrize("colors", [["red", "blue"], {"A,B": "red", "B,A": "blue"}])
def test_colours_of_pairs_are_a_list_or_a_dictionary(colors):
    ends = {"A,B": [0.6, 0.8], "B,A": [0.2, 0.4]}
    ax = plot_utils.plot_probability_of_improvement({"A,B": 0.7, "B,A": 0.3}, ends, colors=colors)
    assert [to_hex(bar.get_facecolor()) for bar in ax.patches] == ["#ff0000", "#0000ff"]


def test_curves_have_markers_and_bands_of_their_colours():
    ax = plot_utils.plot_sample_efficiency_curve(
        [1, 2, 3], PROFILES, BANDS, algorithms=["B"], colors={"B": "red", "A": "blue"}, marker="s", legend=True
    )
    (line,), (band,) = ax.lines, ax.collections
    assert (line.get_marker(), line.get_color()) == ("s", "red")
    assert to_hex(band.get_facecolor()[0]) == "#ff0000"
    assert ax.get_legend() is not None


def test_a_figure_is_made_only_where_none_is_given():
    before = plt.get_fignums()
    plot_utils.plot_performance_profiles(PROFILES, TAU, ax=Figure().subplots())
    assert plt.get_fignums() == before
    plot_utils.plot_performance_profiles(PROFILES, TAU, figsize=(3, 2))
    assert plt.gcf().get_size_inches().tolist() == [3, 2]


def test_settings_of_matplotlib_are_left_alone():
    before = dict(plt.rcParams)
    plot_utils.plot_sample_efficiency_curve([1, 2, 3], PROFILES, BANDS)
    assert dict(plt.rcParams) == before


@pytest.mark.parametrize(
    ("palette", "different"), [("colorblind", 10), (None, 10), ("tab10", 10), ("viridis", 12), (["red", "blue"], 2)]
)
def test_a_palette_has_as_many_colours_as_are_asked(palette, different):
    colors = [to_hex(color) for color in colors_of(palette, 12)]
    assert len(colors) == 12
    assert len(set(colors)) == different
