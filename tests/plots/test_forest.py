"""Where the gain is: one row per task, the largest effect on top, and how many tasks were won."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff import plots
from runoff.plots import marks
from runoff.plots._pair_rows import won
from tests.plots.seen import keys_of, lines_of

RNG = np.random.default_rng(3)
SPREAD = RNG.normal(0, 0.5, 7)
GAINS = {"low": -3.0, "high": 3.0, "unsure": 0.3}
RUNS = {
    "A": {
        **{task: (SPREAD[:6] - SPREAD[:6].mean() + gain).tolist() for task, gain in GAINS.items()},
        "even": [1.0, 2.0, 3.0],
    },
    "B": {**{task: (SPREAD - SPREAD.mean()).tolist() for task in GAINS}, "even": [3.0, 2.0, 1.0]},
    "C": {"low": [1.0, 2.0], "high": [2.0, 1.5], "unsure": [3.0, 1.0], "even": [1.0, 3.0]},
}
SCORES = ro.Scores.from_dict(RUNS)
FOUND = ro.effect_sizes(SCORES, effects=["hedges_g", "difference"], by_task=True)
PAIR = ("A", "B")


def test_the_effect_on_a_task_is_that_of_the_task_alone():
    alone = ro.effect_sizes(SCORES.select(tasks=["high"]), effects=["difference"], pairs=[PAIR]).records[0]
    on = FOUND.record("A", "B", "difference", "high")
    assert (on.estimate, on.low, on.high, on.n_tasks) == (alone.estimate, alone.low, alone.high, 1)
    assert (on.n_runs_a, on.n_runs_b) == ((6, 6), (7, 7))


def test_the_mean_of_the_tasks_is_the_difference_over_all_of_them():
    on = [r.estimate for r in FOUND.records if (r.a, r.b, r.effect) == (*PAIR, "difference") and r.task is not None]
    assert len(on) == 4
    assert np.mean(on) == pytest.approx(FOUND.record(*PAIR, "difference").estimate)


def test_without_by_task_there_are_no_effects_on_tasks_and_nothing_to_draw():
    plain = ro.effect_sizes(SCORES, effects=["difference"])
    assert {record.task for record in plain.records} == {None}
    with pytest.raises(ro.OptionError, match="by_task=True"):
        plots.forest(plain)


def test_rows_fall_from_the_largest_gain_and_end_with_all_tasks():
    ax = plots.forest(FOUND, pair=PAIR, effect="difference")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["high", "unsure", "even", "low", "all tasks"]
    points = [float(line.get_xdata()[0]) for line in lines_of(ax)[2:]]
    assert points[:4] == sorted(points[:4], reverse=True)
    assert points[4] == FOUND.record(*PAIR, "difference").estimate


def test_a_marker_is_full_in_the_colour_of_the_one_that_its_interval_shows_ahead():
    colours = {name: mark.color for name, mark in marks("ABC").items()}
    faces = [key.get_markerfacecolor() for key in keys_of(plots.forest(FOUND, pair=PAIR, effect="difference"))]
    assert faces[:4] == [colours["A"], "white", "white", colours["B"]]


def test_tasks_are_counted_as_won_even_and_lost_in_axis_and_caption():
    assert won(FOUND, PAIR, "difference") == (2, 1, 1)
    texts = [text.get_text() for text in plots.forest(FOUND, pair=PAIR, effect="difference").texts]
    assert texts == ["◂ B ahead on 1", "A ahead on 2 ▸"]
    caption = plots.caption(FOUND, figure="forest", pair=PAIR, effect="difference")
    assert "A is ahead on 2, even on 1, behind on 1" in caption
    assert "on each of 4 tasks (3 to 7 runs of each algorithm and task)" in caption


def test_an_unknown_pair_or_effect_is_refused_with_those_there_are():
    with pytest.raises(ro.OptionError, match=r"\('A', 'B'\), \('A', 'C'\)"):
        plots.forest(FOUND, pair=("A", "Z"))
    with pytest.raises(ro.OptionError, match="hedges_g"):
        plots.forest(FOUND, effect="ratio")


def test_effects_over_all_tasks_are_drawn_as_without_by_task():
    texts = [text.get_text() for text in plots.effects(FOUND, effect="difference").texts]
    assert texts.count("A") == 2
    assert "on" not in str(FOUND).split(":")[0]
