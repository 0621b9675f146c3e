"""Widths of venues, titles, axes that say which score, panels that say something, leaders that are not squeezed."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import runoff as ro
from runoff import plots
from runoff.answer.aggregate import AggregateResult
from runoff.plots._algorithm_rows import panel_groups, telling
from runoff.plots._rows import cut_off, leaders
from runoff.plots._ticks import score_words
from tests.plots.seen import lines_of
from tests.plots.subjects import TASKS, learning
from tests.report.made import answers, raw_scores, scores

FOUR = ("mean", "iqm", "median", "optimality_gap")
FAR = ro.Scores.from_dict(
    {
        "best": {"t": [10.0, 10.4, 10.2, 10.1], "u": [10.3, 10.0, 10.2, 10.4]},
        "next": {"t": [9.9, 10.1, 9.8, 10.0], "u": [9.7, 10.0, 9.9, 9.8]},
        "third": {"t": [9.5, 9.8, 9.6, 9.7], "u": [9.9, 9.4, 9.5, 9.6]},
        "lost": {"t": [-80.0, -82.0, -81.0, -79.0], "u": [-81.0, -80.5, -80.0, -82.0]},
    },
    score_unit="shared",
)


def far() -> AggregateResult:
    return ro.aggregate(FAR, n_resamples=100)


# ── widths ──────────


@pytest.mark.sampled(3)
@pytest.mark.parametrize("venue", plots.WIDTHS)
def test_a_figure_for_a_venue_is_as_wide_as_its_text(venue: str):
    venue_of = plots.WIDTHS[venue]
    single, several = (
        plots.improvement(answers().comparison, width=venue),
        plots.aggregates(answers().aggregates, width=venue),
    )
    assert single.figure.get_figwidth() == pytest.approx(venue_of.column)
    assert several[0].figure.get_figwidth() == pytest.approx(venue_of.page)
    sizes = {text.get_fontsize() for ax in (single, several[0]) for text in ax.figure.findobj(Text) if text.get_text()}
    assert min(sizes) >= 6.5


@pytest.mark.parametrize("venue", plots.WIDTHS)
def test_a_venue_is_as_wide_as_its_source_says(venue: str):
    own = plots.WIDTHS[venue]
    lengths = {
        what: float(number) * {"in": 1, "pt": 1 / 72.27}[unit]
        for what, number, unit in re.findall(r"(text of|columns of|columns) ([\d.]+) (in|pt)", own.source)
    }
    page = lengths["text of"]
    between = (page - lengths["columns"]) / 2 if "columns" in lengths else page
    assert (own.column, own.page) == pytest.approx((lengths.get("columns of", between), page))


def test_a_width_may_be_in_millimetres_and_what_is_none_is_refused():
    assert plots.improvement(answers().comparison, width=plots.mm(88)).figure.get_figwidth() == pytest.approx(88 / 25.4)
    with pytest.raises(ro.OptionError, match="neurips"):
        plots.improvement(answers().comparison, width="nature")
    with pytest.raises(ro.OptionError, match=r"plots\.mm"):
        plots.improvement(answers().comparison, width=88)
    with pytest.raises(ro.OptionError, match="not '9000mm'"):
        plots.improvement(answers().comparison, width="9000mm")


@pytest.mark.parametrize(
    ("width", "inches"),
    [("88mm", 88 / 25.4), ("8.8 cm", 8.8 / 2.54), ("240pt", 240 / 72.27), ("3.3in", 3.3), ("3.3", 3.3)],
)
def test_a_width_may_be_a_text_with_its_unit(width, inches):
    assert plots.improvement(answers().comparison, width=width).figure.get_figwidth() == pytest.approx(inches)


@pytest.mark.parametrize(("width", "under"), [("85mm", True), ("neurips", False)])
def test_a_narrow_figure_of_curves_has_its_legend_under_the_axes(width, under):
    ax = plots.sample_efficiency(ro.curves(ro.load_example("classic_control"), n_resamples=100), width=width)
    legend = ax.figure.legends[0] if under else ax.get_legend()
    ax.figure.draw_without_rendering()
    assert (legend.get_window_extent().y1 < ax.get_window_extent().y0) == under
    assert ax.get_position().width * ax.figure.get_figwidth() > 1.5


def test_texts_stay_inside_the_narrowest_column():
    drawn = [
        plots.improvement(answers().comparison, width="icml"),
        plots.effect_sizes(ro.effect_sizes(scores(), effect_size=["difference"]), width="icml"),
    ]
    for ax in drawn:
        ax.figure.draw_without_rendering()
        for text in (*ax.texts, *ax.figure.texts, *ax.get_yticklabels(), ax.title):
            box = text.get_window_extent()
            assert box.x0 >= -0.5, text.get_text()
            assert box.x1 <= ax.figure.bbox.x1 + 0.5, text.get_text()


# ── titles ──────────


@pytest.mark.parametrize("name", plots.PLOTS)
def test_every_figure_takes_a_title(name: str):
    assert "title" in inspect.signature(getattr(plots, name)).parameters


def test_a_title_stands_above_the_panels_which_keep_their_size():
    plain, titled = (plots.tasks(scores(), title=title) for title in (None, "All runs"))
    assert "All runs" in [text.get_text() for text in titled[0].figure.texts]
    grown = titled[0].figure.get_figheight()
    assert grown > plain[0].figure.get_figheight()
    for before, other in zip(plain, titled, strict=True):
        assert other.get_position().height * grown == pytest.approx(
            before.get_position().height * before.figure.get_figheight()
        )
    assert max(ax.get_position().y1 for ax in titled) < 1


def test_a_title_on_given_axes_replaces_that_of_the_panel():
    ax = plots.improvement(answers().comparison, ax=Figure().add_subplot(), title="Who wins?")
    assert ax.get_title() == "Who wins?"


# ── the score ──────────


def test_axes_say_which_score_they_show():
    data = raw_scores().normalize({"Task0": (0.0, 2.0), "Task1": (0.0, 3.0)})
    for data_of, words, of_chances in (
        (raw_scores(), "score", "chance"),
        (data, "normalised score", "normalised score"),
    ):
        drawn = (plots.aggregates(ro.aggregate(data_of, n_resamples=100))[0], plots.tasks(data_of)[0])
        for ax, own in zip(drawn, (of_chances, words), strict=True):
            assert own in [text.get_text() for text in ax.figure.texts]


WITHIN = {
    "profiles": lambda: ro.performance_profile(scores()),
    "curves": lambda: ro.curves(learning(3), by="task", tasks=TASKS[:1]),
    "sample_efficiency": lambda: ro.curves(learning(3)),
    "power": lambda: ro.runs_needed(effect=1.0, std=1.0),
}


@pytest.mark.parametrize("name", WITHIN)
def test_a_legend_stays_within_the_figure_of_axes_that_are_given(name):
    answer = WITHIN[name]()
    sheet = Figure(figsize=(4.5, 2.5))
    axes = np.ravel([getattr(plots, name)(answer, ax=sheet.add_subplot())])
    sheet.canvas.draw()
    box = axes[0].get_legend().get_window_extent()
    assert sheet.bbox.x0 <= box.x0 < box.x1 <= sheet.bbox.x1
    assert sheet.bbox.y0 <= box.y0 < box.y1 <= sheet.bbox.y1


def test_what_zero_and_one_are_is_said_without_its_details():
    assert score_words("atari (Atari): 0 is random agent, 1 is human tester (30 no-op starts); source") == (
        "normalised score (0 = random agent, 1 = human tester)"
    )
    assert score_words(f"x (x): 0 is {'a' * 40}, 1 is {'b' * 40}; source") == "normalised score"


# ── panels ──────────


def test_a_panel_that_equals_another_is_left_out_and_named_in_the_caption():
    single = ro.aggregate(scores(n_tasks=1), measure=FOUR, n_resamples=100)
    assert telling(single) == ["mean", "iqm", "optimality_gap"]
    assert "Left out: Median (it equals the mean)." in plots.caption(single)
    assert len(plots.aggregates(single)) == 3


def test_the_optimality_gap_of_raw_scores_is_left_out_and_that_of_normalised_ones_kept():
    raw = ro.Scores.from_dict(
        {"A": {"t": [200.0, 310.0, 250.0], "u": [0.0, 1.0, 0.5], "v": [3.0, 4.0, 5.0]}}, score_unit="shared"
    )
    assert "optimality_gap" not in telling(ro.aggregate(raw, n_resamples=100))
    mapped = raw.normalize({"t": (0, 500), "u": (0, 1), "v": (0, 10)})
    assert "optimality_gap" in telling(ro.aggregate(mapped, n_resamples=100))
    assert "Left out" not in plots.caption(ro.aggregate(mapped, n_resamples=100))


def test_the_optimality_gap_has_a_panel_where_any_algorithm_has_one():
    for worst, has in ((0.5, True), (1.5, False)):
        data = {"A": {"t": [1.0, 1.2, 1.4]}, "B": {"t": [worst, 1.1, 1.3]}}
        result = ro.aggregate(ro.Scores.from_dict(data).normalize({"t": (0.0, 1.0)}, assume_raw=True), n_resamples=100)
        assert ("optimality_gap" in telling(result)) is has
        assert ("no score lies below 1" in plots.caption(result)) is not has


def test_given_axes_have_every_metric():
    result = ro.aggregate(scores(n_tasks=1), measure=FOUR, n_resamples=100)
    axes = [Figure().add_subplot() for _ in result.measures]
    assert len(plots.aggregates(result, axes=axes)) == 4


# ── leaders ──────────


def test_one_far_behind_is_an_arrow_with_its_number_and_the_leaders_keep_the_axis():
    ax = plots.aggregates(far())[0]
    low, high = ax.get_xlim()
    assert low > 0
    assert high < 11
    (arrow,) = [text.get_text() for text in ax.texts]
    assert arrow.startswith("◂ −80.")
    assert len(lines_of(ax)) == 3
    assert "An arrow with a number" in plots.caption(far())


def test_the_best_are_never_cut_off_and_a_third_of_the_rows_at_most():
    (group,) = panel_groups(far(), ["iqm"])
    turned = [replace(row, estimate=-row.estimate, low=-row.high, high=-row.low) for row in group.rows]
    assert len(leaders(replace(group, rows=turned))) == 4
    assert leaders(replace(group, rows=turned, lower=True)) == turned[:3]
    two = [group.rows[0], group.rows[-1]]
    assert leaders(replace(group, rows=two)) == two


@pytest.mark.parametrize("n_empty", range(1, 8))
def test_empty_rows_neither_hold_the_axis_nor_cut_off_those_that_are_drawn(n_empty):
    (group,) = panel_groups(far(), ["iqm"])
    empty = [replace(group.rows[0], estimate=None, low=None, high=None)] * n_empty
    for rows in (group.rows, group.rows[:2], group.rows[:1]):
        for lower in (False, True):
            own, spread = (replace(group, rows=all_, lower=lower, holds=(0.0,)) for all_ in (rows, [*rows, *empty]))
            assert leaders(spread) == leaders(own)
            assert cut_off([spread]) == cut_off([own])


def test_an_even_spread_is_not_cut_off():
    assert not cut_off(panel_groups(answers().aggregates, answers().aggregates.measures))
    assert "An arrow" not in plots.caption(answers().aggregates)


# ── the module ──────────


def test_the_module_lists_its_figures():
    assert set(plots.PLOTS) <= set(dir(plots))
    assert dir(plots) == sorted(plots.__all__)
