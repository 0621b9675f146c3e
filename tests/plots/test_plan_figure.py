"""The figure of a plan: both curves with their bands, the requirement, the answers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import runoff as ro
from runoff import plots

PILOT = np.random.default_rng(0).normal(size=(6, 3))


@cache
def simulated():
    scores = ro.Scores.from_dict({"A": PILOT})
    return ro.plan(scores, effect=0.6, test="welch", n_repeats=200, n_resamples=200)


@cache
def closed():
    return ro.plan(PILOT[:, 0], effect=0.9, power=0.9)


@pytest.mark.parametrize("plan", [simulated, closed])
def test_each_curve_is_a_line_with_a_marker_at_its_answer(plan):
    result = plan()
    *lines, required = plots.plan(result).get_lines()
    answers = {"pilot": result.n_runs_naive, "upper": result.n_runs}
    for line, (spread, answer) in zip(lines, answers.items(), strict=True):
        points = result.points(spread)
        assert line.get_xdata().tolist() == [point.n_runs for point in points]
        assert line.get_ydata().tolist() == [point.power for point in points]
        assert [line.get_xdata()[i] for i in line.get_markevery()] == [answer]
    assert set(required.get_ydata()) == {result.required}


def test_only_what_was_simulated_has_bands():
    assert [len(plots.plan(result).collections) for result in (simulated(), closed())] == [2, 0]
    low = simulated().points("pilot")[0]
    corners = plots.plan(simulated()).collections[0].get_paths()[0].vertices
    assert [low.n_runs, low.low] in corners.tolist()


def test_legend_axes_and_caption_say_what_is_shown():
    ax = plots.plan(closed())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        f"as the pilot spread: {closed().n_runs_naive} runs",
        f"with 90 % assurance: {closed().n_runs} runs",
        "required: 90 % power",
    ]
    assert plots.plan(simulated(), ax=ax) is ax
    assert ax.get_xlabel() == "runs of each algorithm on each task"
    assert "200 simulated experiments" in plots.caption(simulated())
    assert "jackknife" in plots.caption(closed())


@pytest.mark.parametrize(("curve_to", "markers"), [(5, 0), (None, 2)])
def test_the_caption_says_where_a_line_ends_before_its_answer(curve_to, markers):
    result = ro.plan(PILOT[:, 0], effect=0.9, curve_to=curve_to)
    lines = plots.plan(result).get_lines()[:2]
    assert sum(len(line.get_markevery()) for line in lines) == markers
    assert ("a line without one ends before them" in plots.caption(result)) == (markers < 2)
