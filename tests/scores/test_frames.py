"""Frames in and out: labels of rows and columns, masks, what a notebook shows, and pandas where it is and is not."""

from __future__ import annotations

import re
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import runoff as ro
from runoff.exits import html

ROWS = [(a, t, r, float(r + 10 * len(a))) for a in ("PPO", "DQN") for t in ("Pong", "Alien") for r in (1, 2, 3)]
FRAME = pd.DataFrame(ROWS, columns=["algorithm", "task", "run", "score"])
SCORES = ro.Scores.from_frame(FRAME)


@pytest.mark.parametrize("labels", [["task"], ["task", "run"], ["algorithm", "task", "run"]], ids=len)
def test_named_labels_of_rows_are_columns(labels):
    assert ro.Scores.from_frame(FRAME.set_index(labels)) == SCORES


def test_a_column_wins_over_a_label_of_its_name():
    assert ro.Scores.from_frame(FRAME.set_index("task", drop=False)) == SCORES


def test_labels_of_rows_without_a_name_are_refused():
    frame = FRAME.set_index(["task", "run"]).rename_axis([None, "run"])
    with pytest.raises(ro.DataError, match="labelled in 2 levels, and one of them has no name"):
        ro.Scores.from_frame(frame)


@pytest.mark.parametrize("series", [FRAME["score"], pl.Series([1.0, 2.0])], ids=["pandas", "polars"])
def test_a_series_is_refused_as_one_column(series):
    with pytest.raises(ro.DataError, match=r"a Series is one column.*give the whole table"):
        ro.compare(series)


def test_a_series_with_labels_is_refused_with_a_repair_that_works():
    series = FRAME.set_index(["algorithm", "task", "run"])["score"]
    with pytest.raises(ro.DataError, match=r"\(algorithm, task, run\).*reset_index\(name='score'\)"):
        ro.Scores.from_frame(series)
    assert ro.Scores.from_frame(series.reset_index(name="score")) == SCORES


MASKED = np.ma.masked_array([1.0, 2.0], mask=[True, False])


@pytest.mark.parametrize(
    "given",
    [{"A": [MASKED, MASKED]}, {"A": {"Pong": [np.ma.masked, 1.0]}}, {"algorithm": ["A", "B"], "score": MASKED}],
    ids=["rows", "constant", "column"],
)
def test_masked_values_inside_lists_and_columns_are_refused(given):
    with pytest.raises(ro.DataError, match="holds masked values"):
        ro.compare(given)


@pytest.mark.parametrize(
    ("role", "kind"), [("algorithm", "string"), ("task", "string"), ("run", "Int64"), ("score", "Float64")]
)
@pytest.mark.parametrize("given", [lambda frame: frame, dict], ids=["frame", "dictionary"])
def test_what_a_nullable_column_lacks_is_refused_and_no_name(role, kind, given):
    frame = FRAME.astype({role: kind})
    frame.loc[2, role] = pd.NA
    with pytest.raises(ro.DataError, match=rf"row 2: the {role} \(column '{role}'\) is (empty|missing)"):
        ro.Scores.from_frame(given(frame))


def test_rows_of_curves_without_a_score_in_a_nullable_column_lie_between_evaluations():
    scores = pd.array([1.0, pd.NA, 2.0], dtype="Float64")
    frame = pd.DataFrame({"algorithm": "PPO", "run": 0, "step": [1, 2, 3], "score": scores})
    assert ro.Curves.from_frame(frame).steps.tolist() == [1, 3]


def test_columns_of_a_frame_in_a_dictionary_are_tasks():
    ppo = pd.DataFrame({"Pong": [1.0, 2.0], "Alien": [10.0, 20.0]})
    scores = ro.Scores.from_dict({"PPO": ppo, "DQN": ppo[["Alien", "Pong"]]})
    assert scores.tasks == ("Pong", "Alien")
    assert scores.cell("DQN", "Pong").tolist() == [1.0, 2.0]


def test_a_missing_column_of_a_frame_is_named_as_from_frame_names_it():
    with pytest.raises(ro.DataError, match=r"name it with algorithm='NAME'\."):
        ro.Scores.from_frame(pd.DataFrame({"PPO": [1.0, 2.0]}))


@pytest.mark.parametrize("how", [{}, {"algorithm": "mine"}])
def test_a_frame_of_one_algorithm_without_its_name_is_answered_by_a_call_that_works(how):
    rows = [(lr, seed, seed * 0.5 + lr) for lr in (1.0, 2.0) for seed in range(4)]
    data = pd.DataFrame(rows, columns=["lr", "seed", "score"])
    for call in (ro.load, ro.tuning):
        with pytest.raises((ro.DataError, ro.OptionError)) as refusal:
            call(data, **how)
        offered = re.search(r"data\.assign\(algorithm='(\w+)'\)", str(refusal.value))
        assert offered[1] == how.get("algorithm", "NAME")
        assert call(data.assign(algorithm=offered[1])) is not None


@pytest.mark.parametrize(
    "data", [SCORES, ro.load_example("classic_control"), ro.aggregate(SCORES, by="task")], ids=repr
)
def test_everything_leaves_as_pandas_and_polars(data):
    assert data.to_pandas().to_dict("list") == data.to_polars().to_dict(as_series=False)


@pytest.mark.parametrize("data", [SCORES, ro.aggregate(SCORES, by="task")], ids=repr)
def test_without_pandas_the_refusal_says_what_to_do(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        ModuleNotFoundError, match=r"needs pandas, which is not installed: pip install pandas.*to_polars"
    ):
        data.to_pandas()


def test_a_notebook_shows_runs_and_ranges_by_task():
    shown = SCORES._repr_html_()
    assert "<th>Pong</th>" in shown
    assert "<td>3 runs: 31 to 33</td>" in shown
    assert "not normalised" in shown


def test_a_notebook_escapes_names_and_counts_tasks_where_there_are_many():
    scores = ro.Scores.from_dict({"<b>": {f"task {i}": [1.0, -2.0] for i in range(7)}})
    assert "<td>&lt;b&gt;</td><td>7</td><td>2</td><td>−2 to 1</td>" in scores._repr_html_()


def test_a_notebook_shows_the_last_scores_of_curves():
    shown = ro.load_example("classic_control").select(algorithms=["CEM"], tasks=["CartPole-v1"])._repr_html_()
    assert "50 runs: " in shown
    assert "the range of their last scores" in shown


@pytest.mark.parametrize(("more", "words"), [(0, ""), (1, "1 more row"), (10, "10 more rows")])
def test_a_notebook_shows_the_first_rows_of_a_long_answer_and_counts_the_others(more, words):
    scores = ro.Scores.from_dict({"A": {f"task {i}": [1.0, 2.0] for i in range(html.ROWS + more)}})
    shown = ro.aggregate(scores, by="task")._repr_html_()
    assert shown.count("<tr><td>") == html.ROWS
    assert (f"… and {words}: to_frame() has all of them" in shown) == ("to_frame()" in shown) == bool(more)


CURVES = np.linspace(0, 100, 30) + np.random.default_rng(0).normal(0, 3, (5, 30))


def test_arrays_that_look_like_learning_curves_are_no_tasks_until_these_are_named():
    with pytest.raises(ro.DataError, match=r"30 columns, which would be tasks.*dims='run,step'.*tasks=\[…\]"):
        ro.compare({"A": CURVES, "B": CURVES + 1})
    assert ro.Scores.from_dict({"A": CURVES}, tasks=[f"t{i}" for i in range(30)]).n_tasks == 30
    rows = {"algorithm": ["A"] * 150, "run": np.repeat(range(5), 30), "step": list(range(30)) * 5}
    assert ro.Curves.from_frame({**rows, "score": CURVES.ravel()}).final().n_runs.tolist() == [[5]]


@pytest.mark.parametrize(("texts", "repair"), [(["1,5", "2,5"], "with a point"), (["1.002", "940"], "give numbers")])
def test_a_frame_of_texts_is_told_what_a_frame_can_do(texts, repair):
    with pytest.raises(ro.DataError, match=repair) as refusal:
        ro.Scores.from_frame({"algorithm": ["A", "A"], "score": texts})
    assert "decimal=" not in str(refusal.value)


def test_two_whole_numbers_in_a_tuple_may_be_successes_and_are_asked_about():
    with pytest.raises(
        ro.DataError, match=r"\(17, 20\) of algorithm 'new' may be 17 successes in 20 episodes, or two scores"
    ):
        ro.load({"new": (17, 20), "old": (11, 20)})
    for scores in (
        {"new": [17, 20], "old": [11, 20]},
        {"new": (17.0, 20), "old": (11, 20)},
        {"new": (17, 20), "old": (11, 19)},
    ):
        assert ro.load(scores).n_runs.tolist() == [[2], [2]]


def test_a_notebook_says_of_data_where_they_are_from_in_what_unit_and_what_was_done_to_them(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("algorithm,task,score\nA,x,1\nA,y,2\nB,x,3\nB,y,5\n")
    read = ro.load(path).noting("looked at twice")
    scaled = read.normalize({"x": (0.0, 2.0), "y": (0.0, 4.0)})
    source = f"from {path} ({read.provenance.format})"
    for scores, unit in ((read, "not normalised"), (scaled, "normalised by ")):
        above = scores._repr_html_().partition("</caption>")[0]
        assert f"<br>{source}<br>{unit}" in above
        assert all(f"<br>{note}" in above for note in scores.provenance.notes)
        assert "looked at twice" in above
    assert "<br>from " not in ro.Scores.from_dict({"A": [1.0, 2.0]})._repr_html_()
