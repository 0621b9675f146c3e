"""What captions and docstrings say of a figure's colours is what the figure draws, whoever is ahead."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import runoff as ro
from runoff import plots
from runoff.plots._caption import FIGURES
from runoff.plots._marks import AHEAD, BEHIND
from tests.plots.laws import LAWS

PROMISE = re.compile(r"(?:Bars|Bands|bars are|bands are):? \d+\s%")
"""Intervals of a level, of which a caption speaks."""
ALONG = (ro.curves, lambda data: ro.curves(data, by="task"), ro.reliability)
CLAUSE = re.compile(r"\b(blue|orange)\b(.*?)(?=\bblue\b|\borange\b|\bgrey\b|$)", re.IGNORECASE | re.DOTALL)
"""A colour of a verdict, and what is said of it."""
SIDES = {"blue": {"ahead", "higher"}, "orange": {"behind", "lower"}}


def row_words(row: object) -> str:
    return getattr(row, "measure", "")


def sides_of(text: str) -> list[tuple[str, str]]:
    """Return each colour with the side that the words after it name, where they name one."""
    clauses = (
        (color.lower(), re.search(r"\b(ahead|behind|higher|lower)\b", words)) for color, words in CLAUSE.findall(text)
    )
    return [(color, side[1]) for color, side in clauses if side is not None]


def test_blue_is_the_colour_of_ahead_and_orange_that_of_behind():
    (red, _, blue), (other_red, _, other_blue) = to_rgb(AHEAD), to_rgb(BEHIND)
    assert blue > red
    assert other_red > other_blue


@pytest.mark.parametrize("name", LAWS)
def test_a_caption_calls_blue_who_is_ahead_and_orange_who_is_behind(name: str):
    answer = LAWS[name].ask(2)
    named = {"figure": name} if name in FIGURES.get(type(answer), {}) else {}
    for color, side in sides_of(plots.caption(answer, **named)) + sides_of(getattr(plots, name).__doc__):
        assert side in SIDES[color]


def test_the_captions_of_pairs_and_p_values_name_both_colours():
    answer = LAWS["pairs"].ask(2)
    for figure in ("pairs", "pvalue_matrix"):
        assert {color for color, _ in sides_of(plots.caption(answer, figure=figure))} == {"blue", "orange"}


def test_a_caption_names_other_windows_as_the_heads_of_its_figure_do():
    curves = ro.load_example("classic_control").select(algorithms=["ARS", "CEM"])
    result = ro.robustness(curves, other_last=[3, 7], measure="mean", normalize="classic_control")
    assert " Other windows: the last 3 evaluations, the last 7 evaluations." in plots.caption(result)


@pytest.mark.parametrize("names", ["AB", "ABC"])
def test_a_correction_is_named_where_there_are_other_pairs(names: str):
    runs = {name: {"X": [place + 0.0, place + 1, place + 3]} for place, name in enumerate(names)}
    intervals = ro.inferential_intervals(runs, measure="mean")
    assert ("correction" in plots.caption(intervals)) == (len(names) > 2)


@pytest.mark.parametrize(("tasks", "n_panels"), [("X", 2), ("XY", 1)])
def test_a_measure_decides_where_another_stands_beside_it(tasks: str, n_panels: int):
    runs = {name: {task: [n + 0.0, n + 1, n + 3] for task in tasks} for n, name in enumerate("AB")}
    titles = [ax.get_title() for ax in plots.measures(ro.compare(runs, measure="improvement"))]
    assert ["decides" in title for title in titles] == {1: [False], 2: [True, False]}[n_panels]


@pytest.mark.parametrize("sizes", [{"A": 4, "B": 7}, {"A": 7, "B": 4}])
def test_captions_count_the_runs_of_all_algorithms_where_these_are_unlike(sizes: dict[str, int]):
    runs = {
        name: {task: [place + 0.3 * k for k in range(n)] for task in "xy"}
        for place, (name, n) in enumerate(sizes.items())
    }
    scores = ro.Scores.from_dict(runs)
    per_cell = [ro.compare(scores, measure="improvement"), ro.describe(scores), scores]
    named = [{"figure": "improvement"}, {}, {"figure": "tasks"}]
    assert all(
        "(4 to 7 runs per cell" in plots.caption(answer, **of) for answer, of in zip(per_cell, named, strict=True)
    )
    assert ", 8 to 14 scores per algorithm" in plots.caption(ro.aggregate(scores))


def test_a_caption_says_in_words_what_was_resampled():
    runs = {task: [place + 0.3 * k for k in range(4)] for place, task in enumerate("xyz")}
    answer = ro.aggregate({"A": runs}, measure="iqm", over="runs_and_tasks", n_resamples=100)
    assert ", 100 resamples of runs and tasks." in plots.caption(answer)


@pytest.mark.filterwarnings("ignore:R002")
@pytest.mark.parametrize("ask", ALONG, ids=["efficiency", "curves", "reliability"])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 4), (4, 4)])
def test_a_caption_promises_intervals_where_some_are_drawn_and_says_why_others_are_not(ask, sizes: tuple[int, int]):
    draw = np.random.default_rng(3)
    rows = [
        (name, run, step, step + draw.normal())
        for name, n in zip("AB", sizes, strict=True)
        for run in range(n)
        for step in range(1, 12)
    ]
    columns = zip(("algorithm", "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True)
    result = ask(ro.Curves.from_frame(dict(columns)))
    caption, drawn = plots.caption(result), [row.low is not None for row in result.rows if "risk" not in row_words(row)]
    assert bool(PROMISE.search(caption)) == any(drawn)
    # Of lines without any band nothing more is said; a point stands for an interval that could have been.
    assert ("without a ba" in caption) == (not all(drawn) and (any(drawn) or ask is ro.reliability))
