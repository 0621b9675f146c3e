"""The figure of a sequential comparison: every pair up to its decision, its bounds, those of the design."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import runoff as ro
from runoff import plots

RNG = np.random.default_rng(4)
DESIGN = ro.SequentialDesign(looks=(4, 8, 12), n_resamples=999, spending="obrien_fleming")
LOOKS = [{a: RNG.normal(m, 1, 4) for a, m in (("A", 0.0), ("B", 0.2), ("C", 6.0))} for _ in range(2)]


@cache
def result_of_two_looks():
    return ro.sequential(LOOKS[1], design=DESIGN, earlier=LOOKS[:1])


def lines(ax, prefix):
    return [line for line in ax.get_lines() if str(line.get_label()).startswith(prefix)]


def test_each_pair_is_a_line_of_its_statistics_up_to_its_decision():
    ax = plots.sequential(result_of_two_looks())
    for pair in result_of_two_looks().pairs:
        (line,) = lines(ax, f"{pair.a} − {pair.b}")
        points = [p for p in result_of_two_looks().trajectory if (p.a, p.b) == (pair.a, pair.b)]
        assert line.get_xdata().tolist() == [4 * p.look for p in points]
        assert line.get_ydata().tolist() == [p.statistic for p in points]


def test_the_legend_says_how_each_pair_stands():
    texts = [text.get_text() for text in plots.sequential(result_of_two_looks()).get_legend().get_texts()]
    assert texts == [
        "looks to come, of one pair",
        "what a pair has to exceed",
        "A − B: goes on",
        "A − C: C is better",
        "B − C: C is better",
    ]


def test_bounds_stand_on_the_side_of_the_statistic_and_those_of_the_design_on_both_at_looks_to_come():
    ax = plots.sequential(result_of_two_looks())
    bars = [
        (line.get_xdata()[0], line.get_ydata()[0])
        for line in ax.get_lines()
        if len(line.get_xdata()) and line.get_marker() == "_"
    ]
    assert bars == [
        (4 * p.look, float(np.copysign(p.critical, p.statistic)))
        for pair in result_of_two_looks().pairs
        for p in result_of_two_looks().trajectory
        if (p.a, p.b) == (pair.a, pair.b) and p.critical is not None
    ]
    dashed = [line.get_ydata().tolist() for line in ax.get_lines()[:2]]
    assert dashed == [
        [look.boundary for look in result_of_two_looks().looks[2:]],
        [-look.boundary for look in result_of_two_looks().looks[2:]],
    ]


def test_after_the_last_look_no_bound_is_drawn_but_those_that_decided():
    runs = {name: RNG.normal(mean, 1, 8) for name, mean in (("A", 0.0), ("B", 1.5))}
    result = ro.sequential(runs, design=ro.SequentialDesign(looks=(8,), n_resamples=999))
    ax = plots.sequential(result)
    assert not any(line.get_linestyle() == "--" for line in ax.get_lines())
    assert "Dashed" not in plots.caption(result)
    assert "Dashed" in plots.caption(result_of_two_looks())


def test_the_caption_promises_bars_where_a_point_has_one_alone_and_says_why_others_have_none():
    few = [{"A": [0.0, 1.0], "B": [5.0, 6.5]} for _ in range(3)]
    design = ro.SequentialDesign(looks=(2, 4, 6), n_resamples=999, spending="pocock")
    results = [ro.sequential(few[n], design=design, earlier=few[:n]) for n in (0, 1)]
    for result in (ro.sequential(design=design), *results, result_of_two_looks()):
        bars = [
            line for line in plots.sequential(result).get_lines() if line.get_marker() == "_" and len(line.get_xdata())
        ]
        words = plots.caption(result)
        assert ("Bars:" in words) == bool(bars)
        assert ("without a bar" in words) == (0 < len(bars) < len(result.trajectory))
        assert ("No bars" in words) == (bool(result.trajectory) and not bars)


def test_an_infinite_statistic_is_drawn_at_the_edge():
    result = ro.sequential({"A": [0.0] * 8, "B": [1.0] * 8}, design=ro.SequentialDesign(looks=(8,), n_resamples=999))
    ax = plots.sequential(result)
    (line,) = lines(ax, "A − B")
    assert np.isfinite(line.get_ydata()).all()
    assert line.get_ydata()[0] < 0
    assert "No bars: a single look has no bound of its own. A point at the edge: no run varies." in plots.caption(
        result
    )
    assert "edge" not in plots.caption(result_of_two_looks())


def test_before_the_first_look_the_bounds_alone_are_drawn_on_an_axes_that_is_given():
    ax = plots.sequential(result_of_two_looks())
    n = len(ax.get_lines())
    assert plots.sequential(ro.sequential(design=DESIGN), ax=ax) is ax
    assert len(ax.get_lines()) == n + 3


def test_the_caption_says_looks_error_and_spending():
    words = plots.caption(result_of_two_looks())
    for part in ("looks after 4, 8, 12 runs", "at most 0.05", "next to nothing early"):
        assert part in words


def test_bars_at_the_first_and_the_last_look_are_whole_with_as_much_room_on_both_sides():
    left, right = plots.sequential(result_of_two_looks()).get_xlim()
    looks = [look.n_runs for look in result_of_two_looks().looks]
    assert looks[0] - left == pytest.approx(right - looks[-1])
    assert left < looks[0]
