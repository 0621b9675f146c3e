"""Figures of tests and intervals on one's own runs: every point, the promise, what is refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_hex

import runoff as ro
from runoff import lab
from runoff.plots._marks import AHEAD, BEHIND, GREY

RUNS = ro.Scores.from_dict({name: np.random.default_rng(i).normal(size=(16, 2)) for i, name in enumerate("AB")})


@cache
def rates():
    return lab.false_positive_rate(RUNS, test=["auto", "welch", "friedman"], n_repeats=100, n_resamples=100)


@cache
def covered():
    return lab.coverage(RUNS, interval=["t", "percentile"], n_repeats=100, n_resamples=100)


def lines(ax):
    """Return the points of each named line."""
    handles, labels = ax.get_legend_handles_labels()
    return {
        label: handle.lines[0].get_xydata().tolist()
        for handle, label in zip(handles, labels, strict=True)
        if hasattr(handle, "lines")
    }


def test_every_rate_is_a_point_of_the_line_of_its_test():
    drawn = lines(ro.plots.false_positive_rate(rates(), algorithm="B"))
    expected = [[r.n_runs, r.rate] for r in rates()["B"] if r.test == "welch"]
    assert drawn["Welch"] == expected
    assert set(drawn) == {"default of compare", "Welch", "Friedman"}


@pytest.mark.slow
def test_every_coverage_is_a_point_of_the_line_of_its_interval():
    ax = ro.plots.coverage(covered(), measure="median", algorithm="B")
    assert lines(ax)["percentile"] == [
        [r.n_runs, r.coverage] for r in covered()["B", "median"] if r.interval == "percentile"
    ]
    assert ax.get_title() == "B: Median"


@pytest.mark.parametrize(("draw", "level"), [(ro.plots.false_positive_rate, 0.05), (ro.plots.coverage, 0.95)])
def test_what_is_promised_is_a_line_across(draw, level):
    ax = draw(rates() if level < 0.5 else covered())
    assert any(set(np.ravel(line.get_ydata())) == {level} for line in ax.lines)


def test_bars_are_the_binomial_error():
    container = ro.plots.false_positive_rate(rates()).containers[list(dict(rates().labels)).index("welch")]
    bars = np.array([segment[:, 1] for segment in container.lines[2][0].get_segments()])
    errors = [1.96 * r.rate_error for r in rates()["A"] if r.test == "welch"]
    assert (bars[:, 1] - bars[:, 0]) / 2 == pytest.approx(errors)


@pytest.mark.parametrize(
    ("draw", "sentence"),
    [
        (lambda: ro.plots.false_positive_rate(rates(), algorithm="C"), "algorithm must be one of A, B"),
        (lambda: ro.plots.coverage(covered(), measure="mode"), "measure must be one of"),
    ],
)
def test_what_is_not_there_is_refused(draw, sentence):
    with pytest.raises(ro.OptionError, match=sentence):
        draw()


MINE = {"ours": {"Pong": [3.0, 9.0, -6.0, 1.0], "Alien": [700.0, 800.0, 650.0, 900.0]}}


@cache
def reproduced():
    return ro.reproduce(MINE, "atari_100k:SPR", protocol={"unit": "raw return"})


def test_every_own_and_published_run_is_a_point_with_the_shade_of_the_prediction():
    axes = ro.plots.reproduce(reproduced())
    assert [ax.get_title() for ax in axes] == ["Pong", "Alien"]
    for ax, record in zip(axes, reproduced().single, strict=True):
        own, published = (line.get_xdata().tolist() for line in ax.lines)
        assert (own, published) == (list(record.scores), list(record.published_scores))
        (shade,) = ax.patches
        assert (shade.get_x(), shade.get_x() + shade.get_width()) == pytest.approx(
            (record.predicted_low, record.predicted_high)
        )


@pytest.mark.parametrize(("verdict", "color"), [("higher", AHEAD), ("lower", BEHIND), ("agrees", None)])
def test_a_mean_that_was_found_higher_or_lower_has_the_colour_of_that_and_published_runs_are_grey(verdict, color):
    result = replace(reproduced(), rows=tuple(replace(row, verdict=verdict) for row in reproduced().rows))
    for ax in ro.plots.reproduce(result):
        colors = {to_hex(c).upper() for lines in ax.collections for c in lines.get_colors()}
        assert (colors & {AHEAD, BEHIND}) == ({color} if color else set())
        assert ax.lines[1].get_color() == GREY


def test_a_baseline_has_a_panel_for_each_task_and_its_caption_counts_runs():
    with pytest.raises(ro.OptionError, match="each of 2 task"):
        ro.plots.reproduce(reproduced(), ax=ro.plots.reproduce(reproduced())[0])
    caption = ro.plots.caption(reproduced())
    assert "4 runs of a task" in caption
    assert "100 runs" in caption


def test_dotted_lines_are_the_margin_on_both_sides_of_the_published_mean():
    for ax, record in zip(ro.plots.reproduce(reproduced()), reproduced().single, strict=True):
        (dotted,) = (lines for lines in ax.collections if lines.get_linestyles()[0][1] is not None)
        mean = np.mean(record.published_scores)
        places = sorted({x for segment in dotted.get_segments() for x in segment[:, 0]})
        assert places == pytest.approx([mean - record.margin, mean + record.margin])
        assert record.margin > 0


def test_the_bars_of_rates_are_1_96_of_their_errors_to_either_side():
    own = lab.coverage(RUNS, interval=["t"], measure=["mean"], n_repeats=20, n_resamples=100)
    bars = {
        ro.plots.coverage(own, algorithm="B"): [(r.coverage, r.coverage_error) for r in own["B", "mean"]],
        ro.plots.false_positive_rate(rates(), algorithm="B"): [
            (r.rate, r.rate_error) for r in rates()["B"] if r.test == "auto"
        ],
    }
    for ax, expected in bars.items():
        segments = ax.containers[0].lines[2][0].get_segments()
        assert [tuple(own[:, 1]) for own in segments] == [
            pytest.approx((x - 1.96 * e, x + 1.96 * e)) for x, e in expected
        ]
