"""Every method takes what `Scores` can be made of, and refuses the rest in a sentence."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import runoff as ro

CELLS = {"A": {"t": [1.0, 2.5, 3.0], "u": [2.0, 4.0, 7.0]}, "B": {"t": [0.5, 1.5, 2.0], "u": [1.0, 2.0, 3.5]}}
SCORES = ro.Scores.from_dict(CELLS)
METHODS = {
    "aggregate": ro.aggregate,
    "task_means": lambda data: ro.aggregate(data, by="task"),
    "compare": ro.compare,
    "critical_difference": ro.critical_difference,
    "describe": ro.describe,
    "effect_sizes": ro.effect_sizes,
    "inferential_intervals": lambda scores: ro.inferential_intervals(scores, measure="mean"),
    "probability_of_improvement": ro.probability_of_improvement,
    "rank_test": ro.rank_test,
}
every = pytest.mark.parametrize("ask", METHODS.values(), ids=METHODS.keys())


@every
def test_a_frame_a_dictionary_of_columns_one_of_cells_and_a_path_give_the_same(ask, tmp_path):
    frame, file = SCORES.to_frame(), tmp_path / "runs.csv"
    frame.write_csv(file)
    expected = ask(SCORES).to_records()
    for given in (frame, frame.to_dict(as_series=False), CELLS, file, str(file)):
        assert ask(given).to_records() == expected


@pytest.mark.parametrize("name", [*METHODS, "rank", "rank_intervals", "robustness", "plan"])
def test_captions_say_what_a_score_is_whoever_read_it(name, tmp_path):
    file = tmp_path / "runs.csv"
    SCORES.to_frame().write_csv(file)
    ask = METHODS.get(name) or getattr(ro, name)
    assert ask(file).origin == ask(ro.load(file)).origin
    assert "column 'score'" in ask(file).origin.score


@pytest.mark.parametrize("side", [list, np.array])
def test_a_tuple_of_two_samples_is_a_pair(side):
    x, y = side([1.0, 2.0, 3.5]), side([2.5, 3.0, 4.0])
    assert ro.compare((x, y)) == ro.compare(x, y)
    assert {cell.algorithm for cell in ro.aggregate((x, y))} == {"x", "y"}


@pytest.mark.parametrize("given", [("a", "b"), ({"a": [1.0]}, [2.0]), ([1.0], [2.0], [3.0])])
def test_other_tuples_are_no_pair(given):
    with pytest.raises(ro.RunoffError):
        ro.compare(given)


@pytest.mark.parametrize("given", [None, 3, [[1.0, 2.0]], object()])
def test_what_holds_no_scores_is_refused_in_one_sentence(given):
    with pytest.raises(ro.DataError, match="scores are given as Scores, a data frame"):
        ro.compare(given)


def test_learning_curves_are_refused_with_the_way_to_scores():
    curves = ro.Curves.from_frame(pl.DataFrame({"algorithm": ["A"], "run": [0], "step": [1], "score": [2.0]}))
    with pytest.raises(ro.DataError, match=r"curves.final\(\)"):
        ro.aggregate(curves)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: ro.compare(SCORES, pairs=[1]), "a pair is two different names"),
        (lambda: ro.aggregate(SCORES, measure=[1]), "metric"),
        (lambda: ro.aggregate(SCORES, gamma="a"), "gamma must be a finite score"),
        (lambda: ro.aggregate(SCORES, gamma=None), "gamma must be a finite score"),
        (lambda: ro.compare(SCORES, alpha=1e-30), "alpha must be at least 1e-12"),
        (lambda: ro.Scores.from_dict([1.0, 2.0]), "from_dict takes"),
        (lambda: ro.Scores.from_dict({1: [1.0], "1": [2.0]}), "'1' is named twice"),
        (lambda: ro.Scores.from_dict({"A": {1: [1.0], "1": [2.0]}}), "'1' is named twice"),
        (lambda: ro.Scores.from_dict({"A": np.ones((2, 2))}, tasks=["x", "x"]), "'x' is named twice"),
        (lambda: ro.Scores.from_dict({"A": np.ma.array([1.0, 9.0], mask=[0, 1])}), "masked values"),
        (lambda: ro.Scores.from_dict({"A": np.array(["2020-01-01"], "datetime64[D]")}), "dates or times"),
    ],
)
def test_odd_arguments_are_refused_in_a_sentence(ask, words):
    with pytest.raises(ro.RunoffError, match=words):
        ask()


EPISODES = {"algo": ["A"] * 4, "task": ["t"] * 4, "seed": [0, 0, 1, 1], "score": [1.0, 3.0, 5.0, 7.0]}


def test_episodes_are_read_from_a_path_as_from_a_frame(tmp_path):
    file = tmp_path / "episodes.csv"
    pl.DataFrame(EPISODES).write_csv(file)
    with pytest.warns(ro.RunoffWarning, match="n is 2, not 4"):
        assert ro.Scores.from_episodes(file).cell("A", 0).tolist() == [2.0, 6.0]
    with pytest.warns(ro.RunoffWarning, match="n is 2, not 4"):
        assert ro.variance(file, run="seed").to_records() == ro.variance(EPISODES).to_records()
    assert ro.variance(CELLS).to_records() == ro.variance(SCORES).to_records()
    with pytest.raises(ro.DataError, match="one row per episode is needed"):
        ro.Scores.from_episodes(CELLS)


def test_a_report_is_made_of_a_frame(tmp_path, undrawn):
    report = ro.report(SCORES.to_frame(), tmp_path / "report", n_resamples=200)
    assert report.answers.scores.n_runs.tolist() == [[3, 3], [3, 3]]
