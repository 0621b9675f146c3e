"""Figures of learning curves: every line, band, run and stretch there is."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import runoff as ro
from runoff import plots

RNG = np.random.default_rng(2)


def curves(names=("A", "B"), tasks=("t",), n_runs=4, n_steps=6):
    rows = [
        (name, task, run, 100 * s, 9 * s * (name == names[0]) + RNG.normal())
        for name in names
        for task in tasks
        for run in range(n_runs)
        for s in range(n_steps)
    ]
    columns = ("algorithm", "task", "run", "step", "score")
    return ro.Curves.from_frame({c: [row[k] for row in rows] for k, c in enumerate(columns)})


TWO = curves()


def test_each_algorithm_is_a_line_at_its_estimates_with_its_runs_in_the_legend():
    result = ro.curves(TWO, measure="mean", n_resamples=200)
    ax = plots.sample_efficiency(result)
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert set(lines) == {"A (4 runs)", "B (4 runs)"}
    assert lines["A (4 runs)"].get_ydata().tolist() == [r.estimate for r in result.curve("A")]
    assert len(ax.collections) == 2


def test_stretches_are_strips_in_the_colour_of_the_one_ahead():
    comparison = ro.compare_curves(TWO, correction="holm")
    colors = plots.marks(("A", "B"))
    ax = plots.sample_efficiency(ro.curves(TWO, n_resamples=200), comparison=comparison, colors=colors)
    strips = [line for line in ax.get_lines() if line.get_linewidth() == 3.0]
    assert comparison.stretches
    assert [strip.get_color() for strip in strips] == [colors[s.ahead].color for s in comparison.stretches]
    least, most = ax.get_xlim()
    assert all(least <= x <= most for strip in strips for x in strip.get_xdata())


def thin(ax):
    return [line for line in ax.get_lines() if line.get_linewidth() == 0.5]


@pytest.mark.parametrize(("sizes", "shown", "words"), [
    ((9, 9), 18, "Thin lines: single runs."),
    ((9, 10), 9, "Thin lines: single runs, where an algorithm has fewer than ten on a task."),
    ((10, 10), 0, ""),
])  # fmt: skip
def test_single_runs_of_fewer_than_ten_are_thin_lines_whoever_else_is_drawn(sizes, shown, words):
    rows = [
        (a, run, step, float(run + step))
        for a, n in zip("AB", sizes, strict=True)
        for run in range(n)
        for step in range(3)
    ]
    names = ("algorithm", "run", "step", "score")
    result = ro.curves(ro.Curves.from_frame(dict(zip(names, zip(*rows, strict=True), strict=True))), by="task")
    (ax,) = plots.curves(result)
    assert len(thin(ax)) == shown
    assert words in plots.caption(result)
    assert ("Thin" in plots.caption(result)) == bool(words)


def test_long_logs_are_drawn_as_the_means_of_a_hundred_stretches():
    result = ro.curves(curves(n_runs=2, n_steps=250), by="task")
    (ax,) = plots.curves(result)
    line = next(line for line in ax.get_lines() if line.get_linewidth() == 1.1)
    rows = result.curve("A", "t")
    assert {len(line.get_xdata()) for line in ax.get_lines()} == {100}
    assert line.get_ydata()[0] == pytest.approx(np.mean([r.estimate for r in rows[: len(rows) // 100]]))
    assert line.get_ydata()[-1] == pytest.approx(np.mean([r.estimate for r in rows[99 * len(rows) // 100 :]]))
    assert "a hundredth of a line's steps" in plots.caption(result)


def test_panels_of_tasks_name_their_scores_and_keep_their_ticks_inside():
    axes = plots.curves(ro.curves(curves(tasks="stu", n_steps=51), by="task"))
    axes[0].figure.draw_without_rendering()
    assert [ax.get_ylabel() for ax in axes] == ["mean of scores", "", ""]
    last = [axes[2].get_xticklabels()[k] for k, x in enumerate(axes[2].get_xticks()) if x <= axes[2].get_xlim()[1]][-1]
    assert last.get_window_extent().x1 <= axes[0].figure.bbox.x1
    assert axes[0].yaxis.label.get_window_extent().x0 >= 0


@pytest.mark.parametrize(
    ("band", "words"),
    [("pointwise", "at each step on its own"), ("simultaneous", "for the whole curve of an algorithm")],
)
def test_the_caption_says_of_what_a_band_keeps_its_level(band, words):
    caption = plots.caption(ro.curves(TWO, band=band, n_resamples=100))
    assert f" intervals, {words}, from whole runs." in caption


@pytest.mark.parametrize("spread", ["sd", "se", "interval", "percentiles", "tolerance"])
def test_the_caption_names_centre_and_spread(spread):
    result = ro.curves(TWO, errorbar=spread, by="task")
    assert result.spread_words in plots.caption(result)
    assert "mean of the runs" in plots.caption(result)


def test_several_tasks_are_panels_with_one_legend_of_all_algorithms():
    result = ro.curves(curves(names=[f"algorithm {i}" for i in range(12)], tasks="stuv"), by="task")
    axes = plots.curves(result)
    assert [ax.get_title() for ax in axes] == list("stuv")
    (legend,) = axes[0].figure.legends
    assert len(legend.get_texts()) == 12


def test_names_are_text_and_never_mathematics():
    long = "$\\alpha_1$ " + "日本 " * 30
    ax = plots.sample_efficiency(ro.curves(curves(names=(long, "_b")), n_resamples=200))
    ax.figure.canvas.draw()
    assert len(ax.get_legend().get_texts()) == 2


def test_a_single_step_and_a_single_algorithm_are_drawn_too():
    result = ro.curves(TWO.select(algorithms=["A"]), steps=[100], n_resamples=200)
    ax = plots.sample_efficiency(result)
    assert ax.get_lines()[0].get_xdata().tolist() == [100.0]


def test_axes_that_are_too_few_are_refused():
    with pytest.raises(ro.OptionError, match="axes must be one for each of 1 task"):
        plots.curves(ro.curves(TWO, by="task"), axes=[])


def test_a_comparison_of_other_curves_is_refused():
    other = ro.compare_curves(curves(names=("A", "C")), n_resamples=200)
    with pytest.raises(ro.OptionError, match="has 'C', which is not drawn"):
        plots.sample_efficiency(ro.curves(TWO, n_resamples=200), comparison=other)
    several = ro.compare_curves(curves(tasks=("t", "u")), n_resamples=200)
    with pytest.raises(ro.OptionError, match="has 'u', which is not drawn"):
        plots.sample_efficiency(ro.curves(TWO, n_resamples=200), comparison=several)
    alone = ro.compare_curves(TWO, n_resamples=200)
    with pytest.raises(ro.OptionError, match="is over 1 task"):
        plots.sample_efficiency(ro.curves(curves(tasks=("t", "u")), n_resamples=200), comparison=alone)


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_algorithms_on_unlike_tasks_are_drawn_with_their_comparison():
    first, second, third = (
        curves(names=(name,), tasks=own).to_polars() for name, own in (("A", "t"), ("B", "tu"), ("C", "u"))
    )
    for frames in ((first, second), (second, first), (third, second)):
        both = ro.Curves.from_frame(pl.concat(frames))
        result = ro.curves(both, n_resamples=200)
        assert (result.tasks, sorted({r.n_tasks for r in result.rows})) == (("t", "u"), [1, 2])
        assert plots.sample_efficiency(result, comparison=ro.compare_curves(both, n_resamples=200)).get_lines()


def test_the_caption_speaks_of_strips_only_where_there_are_some():
    result = ro.curves(TWO, n_resamples=200)
    assert "Strips" not in plots.caption(result)
    assert "Strips" in plots.caption(result, comparison=ro.compare_curves(TWO, n_resamples=200))


@pytest.mark.parametrize("level", [0.0, -1e4, 1e6, -3e7])
def test_numbers_of_the_upright_axis_are_unlike_and_within_the_figure_however_far_from_0_scores_are(level):
    steps = np.arange(1.0, 6.0)
    rows = [("A", run, step, level + step + run) for run in range(3) for step in steps.tolist()]
    columns = zip(("algorithm", "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True)
    (ax,) = plots.curves(ro.curves(ro.Curves.from_frame(dict(columns)), by="task"))
    FigureCanvasAgg(ax.figure).draw()
    low, high = ax.get_ylim()
    texts = [text for text in ax.get_yticklabels() if low <= text.get_position()[1] <= high]
    assert len({text.get_text() for text in texts}) == len(texts) > 1
    assert min(text.get_window_extent().x0 for text in texts) > 0
    shown = float(ax.yaxis.get_offset_text().get_text().replace("−", "-") or 0)
    scale = {"k": 1e3, "M": 1e6}
    for text in texts:
        word = text.get_text().replace("−", "-")
        value = float(word.strip("kM")) * scale.get(word[-1], 1) + shown
        assert value == pytest.approx(text.get_position()[1], abs=1e-6)
