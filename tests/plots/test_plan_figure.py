"""The figure of a plan: both curves with their bands, the requirement, the answers."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff import plots

RNG = np.random.default_rng(0)
SIMULATED = ro.plan(
    ro.Scores.from_dict({"A": RNG.normal(size=(6, 3))}), effect=0.6, test="welch", n_repeats=200, n_resamples=200
)
CLOSED = ro.plan(RNG.normal(size=6), effect=0.9, power=0.9)


@pytest.mark.parametrize("result", [SIMULATED, CLOSED], ids=["simulated", "closed form"])
def test_each_curve_is_a_line_with_a_marker_at_its_answer(result):
    *lines, required = plots.plan(result).get_lines()
    answers = {"pilot": result.n_runs_naive, "upper": result.n_runs}
    for line, (spread, answer) in zip(lines, answers.items(), strict=True):
        points = result.points(spread)
        assert line.get_xdata().tolist() == [point.n_runs for point in points]
        assert line.get_ydata().tolist() == [point.power for point in points]
        assert [line.get_xdata()[i] for i in line.get_markevery()] == [answer]
    assert set(required.get_ydata()) == {result.required}


def test_only_what_was_simulated_has_bands():
    assert [len(plots.plan(result).collections) for result in (SIMULATED, CLOSED)] == [2, 0]
    low = SIMULATED.points("pilot")[0]
    corners = plots.plan(SIMULATED).collections[0].get_paths()[0].vertices
    assert [low.n_runs, low.low] in corners.tolist()


def test_legend_axes_and_caption_say_what_is_shown():
    ax = plots.plan(CLOSED)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        f"as the pilot spread: {CLOSED.n_runs_naive} runs",
        f"with 90 % assurance: {CLOSED.n_runs} runs",
        "required: 90 % power",
    ]
    assert plots.plan(SIMULATED, ax=ax) is ax
    assert ax.get_xlabel() == "runs of each algorithm on each task"
    assert "200 simulated experiments" in plots.caption(SIMULATED)
    assert "jackknife" in plots.caption(CLOSED)
