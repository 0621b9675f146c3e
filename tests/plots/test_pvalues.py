"""The matrix of p-values: one cell per pair, in the colour of what is found of the one that stands higher."""

from __future__ import annotations

from dataclasses import replace

import pytest
from matplotlib.figure import Figure

import runoff as ro
from runoff import plots
from runoff.plots._marks import AHEAD, BEHIND
from runoff.plots._staircases import three_digits
from tests.plots.seen import cells_of
from tests.report.made import HOSTILE, answers, scores


def test_a_found_difference_fills_the_cell_and_no_difference_leaves_it_empty():
    comparison = answers().comparison
    ax = plots.pvalue_matrix(comparison)
    shown = cells_of(ax)
    differing = [pair for pair in comparison.pairs if pair.verdict != "no_difference_found"]
    assert len(shown) == len(differing) > 0
    assert len(cells_of(ax, shaded=False)) == len(comparison.pairs)
    assert set(shown.values()) == {AHEAD}


def test_a_cell_is_orange_where_the_one_that_stands_higher_was_found_behind():
    comparison = answers().comparison
    turned = {"a_better": "b_better", "b_better": "a_better"}
    pairs = tuple(replace(pair, verdict=turned.get(pair.verdict, pair.verdict)) for pair in comparison.pairs)
    # Against a control, which stands last, the order does not follow verdicts.
    against = replace(comparison, pairs=tuple(p for p in pairs if "SAC" in (p.a, p.b)), control="SAC")
    sides = [p.winner != "SAC" for p in against.pairs if p.winner]
    assert sorted(cells_of(plots.pvalue_matrix(against)).values()) == sorted(AHEAD if a else BEHIND for a in sides)


def test_algorithms_stand_best_first_and_a_control_last():
    assert names(plots.pvalue_matrix(answers().comparison)) == ["SAC", "A2C", "PPO"]
    against = ro.compare(scores(), control="SAC", n_resamples=200)
    assert names(plots.pvalue_matrix(against)) == ["A2C", "PPO", "SAC"]


def names(ax):
    return [text.get_text() for text in ax.texts if text.get_text() in ("PPO", "A2C", "SAC")]


def test_every_pair_has_its_adjusted_p_value():
    comparison = answers().comparison
    texts = [text.get_text() for text in plots.pvalue_matrix(comparison).texts]
    assert sorted(texts[3:]) == sorted(three_digits(pair.pvalue_adjusted) for pair in comparison.pairs)


def test_cells_too_narrow_for_numbers_are_drawn_without():
    comparison = ro.compare(scores(tuple(f"algorithm {i}" for i in range(6)), n_runs=3), n_resamples=100)
    assert len(plots.pvalue_matrix(comparison, width=1.8).texts) == 6
    assert len(plots.pvalue_matrix(comparison).texts) == 6 + 15


def test_an_equivalent_pair_has_a_sign_of_its_own():
    comparison = answers().comparison
    alike = replace(comparison, pairs=tuple(replace(p, verdict="equivalent") for p in comparison.pairs))
    assert [text.get_text() for text in plots.pvalue_matrix(alike).texts].count("≈") == 3


def test_long_and_strange_names_stay_inside_the_figure():
    ax = plots.pvalue_matrix(ro.compare(scores(HOSTILE, n_runs=3), n_resamples=100))
    ax.figure.draw_without_rendering()
    page = ax.figure.bbox
    assert all(text.get_window_extent().x1 <= page.x1 + 1 for text in ax.texts)


def test_given_axes_are_drawn_into():
    ax = Figure().add_subplot()
    assert plots.pvalue_matrix(answers().comparison, ax=ax) is ax


@pytest.mark.parametrize(("pvalue", "shown"), [(1e-9, "<.001"), (0.0431, ".043"), (0.9999, "1"), (0.5, ".500")])
def test_p_values_take_at_most_five_signs(pvalue, shown):
    assert three_digits(pvalue) == shown


def test_the_caption_says_correction_level_and_that_empty_is_not_equal():
    caption = plots.caption(answers().comparison, figure="pvalue_matrix")
    assert "Adjusted p-values of 3 pairs (α = 0.05, Shaffer correction)" in caption
    single = ro.compare({"A": [1.0, 2.0, 3.0, 9.0], "B": [2.0, 3.0, 5.0, 4.0]})
    assert plots.caption(single, figure="pvalue_matrix").startswith("p-values of 1 pair (α = 0.05).")
    assert "not a finding of equality" in caption
