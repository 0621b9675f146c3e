"""Inferential intervals, the heat map of normality and the fitted densities: everything in the result is drawn."""

from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff import plots
from runoff.plots._matrices import CLASSES, short_pvalue
from runoff.plots._rows import BAR
from tests.plots.seen import cells_of, lines_of

RNG = np.random.default_rng(0)
TWO_GROUPS = np.concatenate([RNG.normal(0, 1, 20), RNG.normal(9, 1, 20)])
DATA = {
    "PPO": {"Pong": RNG.normal(0, 1, 40), "Hero": RNG.exponential(1, 60)},
    "A $x_1$": {"Pong": TWO_GROUPS, "Hero": [3.0, 3.0, 3.0]},
    "C": {"Pong": RNG.normal(5, 1, 5)},
}


@pytest.fixture(scope="module")
def described():
    return ro.describe(ro.Scores.from_dict(DATA))


@pytest.fixture(scope="module")
def read():
    data = {name: RNG.normal(mean, 1, (6, 4)) for name, mean in (("A", 0.0), ("B", 1.3), ("C", 5.0))}
    return ro.inferential_intervals(ro.Scores.from_dict(data, score_unit="shared"), n_resamples=200)


def texts(ax):
    return [text.get_text() for text in ax.texts]


def spans(ax):
    """Return (low, high) of every horizontal line, by its width."""
    spans_of = {}
    for lines in ax.collections:
        for (x0, y0), (x1, y1) in lines.get_segments():
            if y0 == y1:
                spans_of.setdefault(float(lines.get_linewidth()[0]), []).append((float(x0), float(x1)))
    return spans_of


def test_thick_bars_are_inferential_and_thin_lines_descriptive_where_they_differ(read):
    records = sorted(read.rows, key=lambda record: -record.estimate)
    other = replace(records[0], own_low=records[0].low - 1, factor=0.8)
    result = replace(read, rows=(other, *records[1:]))
    drawn = spans(plots.inferential_intervals(result))
    assert drawn[BAR] == [(r.low, r.high) for r in records]
    assert drawn[0.9] == [(other.own_low, other.own_high)]
    assert "Thin lines" in plots.caption(result)
    assert BAR in spans(plots.inferential_intervals(read))
    assert 0.9 not in spans(plots.inferential_intervals(read))
    assert "Thin lines" not in plots.caption(read)


def test_algorithms_stand_best_first_and_below_for_the_gap(read):
    assert [label.get_text() for label in plots.inferential_intervals(read).get_yticklabels()] == ["C", "B", "A"]


def test_a_pair_that_must_not_be_read_by_eye_has_a_dagger_and_a_sentence():
    data = {
        "A": [11, 12, 13, 14, 15, 16, 17, -71],
        "B": [0, 2, 3, 4, 5, 6, 7, 0],
        "C": [90, 91, 92, 93, 94, 95, 96, 97],
    }
    result = ro.inferential_intervals(ro.Scores.from_dict(data), measure="mean", test="mack_skillings", n_resamples=200)
    labels = [label.get_text() for label in plots.inferential_intervals(result).get_yticklabels()]
    assert {label for label in labels if "†" in label} == {"A †", "B †"}
    assert result.disagreements[0].sentence in plots.caption(result)


def test_an_algorithm_without_an_interval_is_a_point_only():
    data = {"A": {"t": [1.0], "u": [2.0, 3.0]}, "B": {"t": [3.0, 4.0, 5.0], "u": [5.0, 6.0]}}
    with pytest.warns(ro.RunoffWarning, match="single run"):
        result = ro.inferential_intervals(ro.Scores.from_dict(data, score_unit="shared"), n_resamples=200)
    ax = plots.inferential_intervals(result)
    assert len(spans(ax)[BAR]) == 1
    assert len(lines_of(ax)) == 2
    assert "no interval" in plots.caption(result)


def test_an_inferential_interval_that_would_be_a_sliver_is_left_out_and_the_caption_says_so(read):
    thin = [replace(r, low=r.estimate, high=r.estimate, factor=0.0) if r.algorithm == "A" else r for r in read.rows]
    result = replace(read, rows=tuple(thin))
    assert len(spans(plots.inferential_intervals(result))[BAR]) == 2
    assert "A has no thick bar" in plots.caption(result)
    assert "no thick bar" not in plots.caption(read)


def test_algorithms_far_behind_are_cut_off_as_in_aggregates():
    data = {name: RNG.normal(mean, 1, (6, 4)) for name, mean in (("A", 0.0), ("B", 1.0), ("C", 2.0), ("D", -500.0))}
    result = ro.inferential_intervals(ro.Scores.from_dict(data, score_unit="shared"), n_resamples=200)
    ax = plots.inferential_intervals(result)
    assert ax.get_xlim()[0] > -10
    assert [text for text in texts(ax) if text.startswith("◂")]
    assert "An arrow with a number" in plots.caption(result)


def test_the_heat_map_has_every_cell_every_name_and_its_p_value(described):
    ax = plots.normality(described)
    shown = texts(ax)
    assert {"Pong", "Hero", *DATA} <= set(shown)
    assert short_pvalue(described["PPO", "Pong"].normality_pvalue) in shown
    assert short_pvalue(described["C", "Pong"].shapiro_pvalue) in shown
    assert shown.count("·") == 1
    assert len(cells_of(ax, shaded=False)) == 6 + len(CLASSES)


def test_the_heat_map_marks_cells_of_two_groups(described):
    assert texts(plots.normality(described)).count("◆") == 1
    assert "1 cell(s) whose runs fall into two groups" in plots.caption(described)


@pytest.mark.parametrize(
    ("pvalue", "text"), [(0.0496, ".0496"), (0.05, ".050"), (0.0009, ".0009"), (0.043, ".043"), (1e-9, "<.001"), (1.0, "1")]
)  # fmt: skip
def test_p_values_are_rounded_within_their_class(pvalue, text):
    assert short_pvalue(pvalue) == text


def test_a_heat_map_is_as_wide_as_its_cells_need_up_to_a_page():
    data = {f"algorithm number {i}": {"Pong": RNG.normal(size=9)} for i in range(30)}
    ax = plots.normality(ro.describe(ro.Scores.from_dict(data), fit=False))
    few = plots.normality(ro.describe(ro.Scores.from_dict(dict(list(data.items())[:3])), fit=False))
    assert [drawn.figure.get_figwidth() for drawn in (few, ax)] == pytest.approx([3.3, 6.8])
    assert not any(text.startswith(".") for text in texts(ax))


def test_densities_have_a_panel_a_cell_with_the_familys_name(described):
    axes = plots.densities(described)
    assert len(axes) == 6
    words = [texts(ax) for ax in axes]
    assert words[0] == ["normal"]
    assert words[4] == ["all 3"]
    assert words[5] == ["no runs"]


def test_the_histogram_has_the_area_of_the_density(described):
    ax = plots.densities(described, algorithms=["PPO"], tasks=["Pong"])[0]
    steps = ax.patches[0].get_data()
    assert np.sum(steps.values * np.diff(steps.edges)) == pytest.approx(1.0)
    x, y = ax.lines[0].get_data()
    assert 0.8 < np.trapezoid(y, x) <= 1.01


def test_unknown_tasks_are_refused_by_name(described):
    with pytest.raises(ro.OptionError, match="Did you mean 'Pong'"):
        plots.densities(described, tasks=["pong"])


def test_unfitted_cells_show_their_histogram_only():
    result = ro.describe(ro.Scores.from_dict(DATA), fit=False)
    axes = plots.densities(result)
    assert all(not ax.lines for ax in axes)
    assert "Densities" not in plots.caption(result)


def test_all_three_draw_on_axes_that_are_given(described, read):
    from matplotlib.figure import Figure

    figure = Figure()
    assert plots.inferential_intervals(read, ax=figure.add_subplot(1, 2, 1)).figure is figure
    assert plots.normality(described, ax=figure.add_subplot(1, 2, 2)).figure is figure


def test_the_axis_holds_the_thin_lines_which_may_be_longer_than_the_bars(read):
    records = sorted(read.rows, key=lambda record: -record.estimate)
    ends = records[-1].low - 5, records[0].high + 5
    wide = [replace(records[0], own_high=ends[1], factor=0.8), replace(records[-1], own_low=ends[0], factor=0.8)]
    low, high = plots.inferential_intervals(replace(read, rows=(*wide, *records[1:-1]))).get_xlim()
    assert low < ends[0]
    assert high > ends[1]
