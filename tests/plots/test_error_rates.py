from __future__ import annotations

from dataclasses import replace

import pytest

import runoff as ro
from tests.lab.makers import small_study


@pytest.fixture(scope="module")
def result():
    return ro.run_study(small_study(effects=(0.0, 1.0)), workers=1)


def test_a_line_a_method_with_the_nominal_level_and_its_band(result):
    (ax,) = ro.plots.error_rates(result)
    assert [line.get_label() for line in ax.lines[1:]] == ["Welch", "permutation"]
    assert list(ax.lines[1].get_ydata()) == [r.rate for r in result.rows if r.contender == "welch" and r.effect == 0]
    assert ax.lines[0].get_ydata()[0] == 0.05
    (band,) = ax.patches
    assert band.get_height() == pytest.approx(2 * 1.96 * (0.05 * 0.95 / 1200) ** 0.5)


def test_power_has_no_nominal_level(result):
    assert len(ro.plots.error_rates(result, [{"effect": 1.0}])[0].lines) == 2


def test_panels_follow_the_layout_of_the_source(result):
    axes = ro.plots.error_rates(result, [{"effect": 0.0, "title": "(a)"}, {"effect": 1.0, "title": "(b)"}])
    assert [ax.get_title() for ax in axes] == ["(a)", "(b)"]


def test_unknown_worlds_effects_and_methods_are_refused(result):
    for wrong in ({"world": "norml"}, {"effect": 3.0}, {"contenders": ["welsh"]}):
        with pytest.raises(ro.OptionError):
            ro.plots.error_rates(result, [wrong])


def test_the_caption_says_how_many_experiments_and_the_level(result):
    text = ro.plots.caption(result)
    assert "1,200 simulated experiments" in text or "1200 simulated experiments" in text
    assert "α = 0.05" in text


def test_the_legend_of_a_single_panel_lies_inside_the_figure():
    long = small_study(contenders=("welch", "inferential_iqm", "inferential_mean", "overlap_iqm"))
    ax, *_ = ro.plots.error_rates(ro.run_study(long, workers=1), [{"effect": 0.0}])
    figure = ax.figure
    figure.canvas.draw()
    legend = figure.legends[0].get_window_extent()
    assert legend.x0 >= 0
    assert legend.x1 <= figure.bbox.x1


def test_a_method_has_its_colour_and_marker_whichever_methods_are_drawn_beside_it():
    # Alone the last of these has the colour of the first.
    methods = ("welch", "student", "welch_one_sided")
    result = ro.run_study(small_study(contenders=methods, n_repeats=20), workers=1)
    marks, labels = ro.plots.marks(methods), dict(result.labels)
    assert ro.plots.marks(methods[2:]) != {methods[2]: marks[methods[2]]}
    for chosen in (methods, methods[::-1], methods[:1], methods[1:], methods[2:]):
        (ax,) = ro.plots.error_rates(result, [{"contenders": chosen}])
        drawn = {line.get_label(): (line.get_color(), line.get_marker()) for line in ax.lines[1:]}
        assert drawn == {labels[name]: (marks[name].color, marks[name].marker) for name in chosen}


@pytest.mark.parametrize("methods", [("welch", "bias_mean"), ("bias_mean", "welch"), ("bias_mean",), ("welch",)])
def test_every_mean_is_inside_the_axes_whichever_kinds_are_drawn_together(methods):
    result = ro.run_study(small_study(contenders=methods, n_repeats=20), workers=1)
    below = {"bias_mean": -0.3, "welch": 0.1}
    result = replace(result, rows=tuple(replace(row, rate=below[row.contender]) for row in result.rows))
    (ax,) = ro.plots.error_rates(result)
    low, high = ax.get_ylim()
    assert all(low <= y <= high for line in ax.lines for y in line.get_ydata())
    assert low == 0.0 or "bias_mean" in methods
