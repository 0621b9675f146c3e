"""What every figure takes: `ax`, or several, and `title`; figures list themselves."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from matplotlib.figure import Figure

import runoff as ro

SCORES = ro.Scores.from_dict({a: {t: [1.0 + i, 2.0 + i, 4.0] for t in ("x", "y")} for i, a in enumerate("AB")})
GRIDS = {"densities", "error_rates"}
"""Grids of panels, which make their own figure."""


def axes(n):
    return Figure().subplots(1, n, squeeze=False)


@pytest.mark.parametrize("name", sorted(set(ro.plots.PLOTS) - GRIDS))
def test_every_figure_takes_ax_and_title(name):
    assert {"ax", "title"} <= set(inspect.signature(getattr(ro.plots, name)).parameters)


def test_the_figures_list_themselves():
    assert set(ro.plots.PLOTS) <= set(dir(ro.plots))


def test_ax_of_a_figure_of_panels_may_be_what_subplots_returns():
    given = axes(2)
    assert ro.plots.tasks(SCORES, ax=given) == tuple(given.ravel())
    assert [ax.get_title() for ax in given.ravel()] == ["x", "y"]


def test_ax_may_be_a_single_one_where_there_is_one_panel():
    (given,) = axes(1).ravel()
    result = ro.aggregate(SCORES, measure=["mean"])
    assert ro.plots.aggregates(result, ax=given, title="Means") == (given,)
    assert given.get_figure().get_suptitle() == "Means"


def test_too_few_ax_are_refused_with_the_number_that_is_needed():
    result = ro.aggregate(SCORES, measure=["iqm", "median", "mean", "optimality_gap"])
    with pytest.raises(ro.OptionError, match=r"one for each of 4 metrics, not 1"):
        ro.plots.aggregates(result, ax=axes(1)[0, 0])


def test_ax_and_axes_together_are_refused():
    given = list(np.ravel(axes(2)))
    with pytest.raises(ro.OptionError, match="ax and axes say the same"):
        ro.plots.tasks(SCORES, ax=given, axes=given)
