"""A figure of an answer that data alone have takes the data, as a path, a frame or a dictionary, and draws the default answer."""

from __future__ import annotations

import inspect
from importlib import import_module

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff.plots import PLOTS, _figure

RNG = np.random.default_rng(3)
CELLS = {name: {task: RNG.normal(at, 1, 6).tolist() for task in "uvwx"} for at, name in enumerate("ABC")}
SCORES = ro.Scores.from_dict(CELLS, score_unit="shared")


def drawn(axes):
    first = axes[0] if isinstance(axes, tuple) else axes
    return [text.get_text() for text in first.texts], [line.get_xydata().tolist() for line in first.lines]


@pytest.mark.parametrize("name", ["profiles", "rank_intervals", "critical_difference", "tasks"])
def test_a_figure_of_data_is_that_of_their_default_answer(name):
    figure = getattr(ro.plots, name)
    kind = next(iter(inspect.signature(figure).parameters.values())).annotation
    result = SCORES if kind == "Scores" else _figure.answered(SCORES, name, kind)
    assert drawn(figure(SCORES)) == drawn(figure(result))


def test_a_path_a_frame_and_a_dictionary_are_drawn_alike(tmp_path):
    SCORES.to_frame().write_csv(tmp_path / "runs.csv")
    expected = drawn(ro.plots.improvement(pl.read_csv(tmp_path / "runs.csv")))
    assert drawn(ro.plots.improvement(tmp_path / "runs.csv")) == expected
    assert drawn(ro.plots.improvement(CELLS)) == expected


def test_a_figure_of_what_takes_more_than_data_says_so():
    with pytest.raises(
        ro.OptionError, match=r"plots\.where draws a WhereResult, .* first, ro\.where\(data, 'A', 'B'\), and draw that"
    ):
        ro.plots.where(SCORES)
    with pytest.raises(ro.RunoffError, match="no such file"):
        ro.plots.profiles("missing.csv")


def test_an_answer_that_holds_others_is_drawn_by_their_figures():
    ranked = ro.rank(SCORES)
    assert drawn(ranked.plot().axes[0]) == drawn(ro.plots.rank_intervals(ranked.places))
    assert drawn(ro.plots.critical_difference(ranked)) == drawn(ro.plots.critical_difference(ranked.critical))
    two = ro.rank(SCORES.select(algorithms=["A", "B"]))
    with pytest.raises(ro.OptionError, match="has nothing to draw: there is no places"):
        ro.plots.rank_intervals(two)


def test_an_answer_of_another_kind_is_refused_in_a_sentence():
    with pytest.raises(ro.OptionError, match=r"plots\.profiles draws a ProfileResult, not a ComparisonResult"):
        ro.plots.profiles(ro.compare(SCORES))


def test_every_answer_of_the_table_is_asked_for_by_a_function_that_takes_data():
    for kind, place in _figure.ANSWERS.items():
        module, name = place.split(":")
        assert next(iter(inspect.signature(getattr(import_module(module), name)).parameters)) == "data"
        assert kind in {of for plot in PLOTS.values() for of in plot.of.split("|")}


def test_the_runs_of_curves_are_their_end_scores():
    curves = ro.load_example("classic_control").select(algorithms=["ARS", "CEM"], tasks="Pendulum-v1")
    assert drawn(ro.plots.tasks(curves)) == drawn(ro.plots.tasks(curves.final()))


def test_what_is_said_of_data_and_of_their_answer_is_said_to_the_figure_too():
    shown = drawn(ro.plots.improvement(CELLS, tasks=["u", "v"], exclude="C"))
    assert shown == drawn(ro.plots.improvement(ro.compare(CELLS, tasks=["u", "v"], exclude="C")))
    assert shown != drawn(ro.plots.improvement(CELLS))
    table = SCORES.to_frame().rename({"score": "ret"})
    scale = dict.fromkeys("uvwx", (0.0, 10.0))
    assert drawn(ro.plots.tasks(table, score="ret", normalize=scale)) == drawn(ro.plots.tasks(SCORES.normalize(scale)))
    of_median = ro.plots.aggregates(SCORES, measure="median")
    assert drawn(of_median) == drawn(ro.plots.aggregates(ro.aggregate(SCORES, measure="median")))


def test_of_an_answer_nothing_is_said_of_its_data():
    for words in ({"tasks": ["u"]}, {"measure": "mean"}, {"nonsense": 1}):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            ro.plots.improvement(ro.compare(SCORES), **words)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        ro.plots.improvement(SCORES, nonsense=1)
