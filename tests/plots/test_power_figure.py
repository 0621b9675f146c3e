"""The figure of power: every effect, the runs it takes, the requirement."""

from __future__ import annotations

from functools import cache

import pytest

import runoff as ro
from runoff import plots


@cache
def planned():
    return ro.runs_needed(effect=[1000, 1382, 2000], std=(1341, 990), power=0.9, curve_to=40)


@pytest.mark.parametrize("quantity", ["power", "beta"])
def test_each_effect_is_a_line_of_its_curve_with_a_marker_at_its_runs(quantity):
    *lines, required = plots.power(planned(), quantity=quantity).get_lines()
    for line, record in zip(lines, planned().rows, strict=True):
        points = planned().points(record.effect)
        assert line.get_xdata().tolist() == list(range(2, 41))
        assert line.get_ydata().tolist() == [getattr(point, quantity) for point in points]
        assert [line.get_xdata()[i] for i in line.get_markevery()] == [record.n_runs]
    assert set(required.get_ydata()) == {planned().power if quantity == "power" else 1 - planned().power}


def test_the_legend_tells_effects_in_both_units_their_runs_and_the_requirement():
    ax = plots.power(planned(), quantity="beta")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        f"{r.effect:g} ({r.effect_in_std:.3g} σ): {r.n_runs} runs each" for r in planned().rows
    ] + ["required: β = 10 %"]
    assert len({line.get_color() for line in plots.power(planned()).get_lines()}) == 4


def test_an_axes_that_is_given_is_drawn_on_and_effects_that_are_close_are_told_apart():
    close = ro.runs_needed(effect=[1.00001, 1.00002], std=1.0)
    ax = plots.power(planned())
    assert plots.power(close, ax=ax) is ax
    labels = [line.get_label() for line in ax.get_lines()[4:6]]
    assert [label.split(" ")[0] for label in labels] == ["1.00001", "1.00002"]


def test_unequal_runs_and_one_sample_have_their_words():
    cheap = plots.power(ro.runs_needed(effect=1382, std=(1341, 990), cost_per_run=(1, 5)))
    assert cheap.get_lines()[0].get_label().endswith("19 + 8 runs")
    assert cheap.get_xlabel().startswith("runs of the first algorithm")
    assert plots.power(ro.runs_needed(effect=1, std=1, test="one_sample")).get_xlabel() == "runs"
    assert plots.power(planned()).get_xlabel() == "runs of each algorithm"


def test_the_caption_says_test_spread_and_requirement():
    words = plots.caption(planned())
    assert "Welch's t test (two-sided, α = 0.05)" in words
    assert "standard deviation 1341 and 990" in words
    assert "90\u00a0% power" in words


@pytest.mark.parametrize(("cost", "cheapest"), [(None, False), (2, False), ((1, 5), True)])
def test_the_caption_speaks_of_cost_where_runs_are_unequal_for_it(cost, cheapest):
    words = plots.caption(ro.runs_needed(effect=1382, std=(1341, 990), cost_per_run=cost))
    assert ("80\u00a0% power, at least cost." in words) == ("cost" in words) == cheapest


def test_an_unknown_quantity_is_refused():
    with pytest.raises(ro.OptionError, match="quantity must be one of power, beta"):
        plots.power(planned(), quantity="gamma")
