"""Bare numbers: a vector is runs, a matrix is time by runs."""

from __future__ import annotations

import gzip

import pytest

import runoff as ro


@pytest.mark.parametrize("name", ["data1", "data1.txt", "data1.dat"])
def test_a_number_a_line_is_the_runs_of_one_algorithm(put, name):
    scores = ro.read_scores(put(name, "# two runs\n1.5\n\n2.5e3\n"))
    assert scores.to_dict() == {"data1": {"task": [1.5, 2500.0]}}
    assert scores.provenance.format == "text"


@pytest.mark.parametrize("content", ["1 2\n3 4\n5 6\n", "1, 2\n3,4\n5,6\n", "1\t2\n3\t4\n5\t6\n"])
def test_a_matrix_has_rows_of_time_and_columns_of_runs(put, content):
    curves = ro.read_curves(put("SAC.txt.gz", gzip.compress(content.encode(), mtime=0)))
    assert curves.n_runs.tolist() == [[2]]
    assert curves.curve(1)[0].tolist() == [1.0, 2.0, 3.0]
    assert curves.final().cell("SAC", "task").tolist() == [5.0, 6.0]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("1 2\n3 nan\n", "line 2, column 2: the score is nan"),
        ("1 2\n3\n", r"line 2: 1 number\(s\) where line 1 has 2"),
        ("1\nx\n", "line 2, column 1: 'x' is not a number"),
        (
            "Some words\n",
            "line 1, column 1: 'Some' is not a number; this is neither a table .* nor a log with lines such as step=1000",
        ),
        ("# nothing\n", "no numbers"),
    ],
)
def test_bad_numbers_are_refused_with_line_and_column(put, content, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.read_scores(put("SAC.txt", content))


def test_a_table_read_as_a_text_is_offered_as_one(put):
    path = put("runs.csv", "algo,seed,return\nPPO,0,1.5\n")
    with pytest.raises(ro.DataError, match="use format='csv'"):
        ro.read_scores(path, format="text")
    assert ro.read_scores(path, format="csv").to_dict() == {"PPO": {"task": [1.5]}}


def test_a_vector_has_no_curves(put):
    with pytest.raises(ro.DataError, match="not learning curves; read it with read_scores"):
        ro.read_curves(put("SAC.txt", "1\n2\n"))


def test_numbers_after_a_zero_byte_are_no_text(put):
    with pytest.raises(ro.DataError, match="not in a format that runoff reads"):
        ro.read_scores(put("runs", b"1\n2\n\x00\n"))


def test_lines_that_may_be_numbers_with_a_decimal_comma_are_refused(put):
    with pytest.raises(ro.DataError, match=r"line 2: '0,5' is one number with a decimal comma, or two numbers; write"):
        ro.read_curves(put("PPO.txt", "# returns\n0,5\n0,7\n"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# PPO\n1\n2\n# SAC\n3\n", 4),
        ("# step return\n1 5.5\n2 6.5\n3 7.5\n# PPO seed 2\n1 6.5\n2 7.5\n3 8.5\n", 5),
        ("100 5.5\n200 6.5\n300 7.5\n\n\n100 6.5\n200 7.5\n300 8.5\n", 6),
    ],
)
def test_numbers_of_several_runs_below_each_other_are_no_matrix(put, text, line):
    with pytest.raises(ro.DataError, match=f"line {line}: the numbers from here on may be of another run"):
        ro.load(put("curves.dat", text))


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n1 3\n0 4\n",
        "0 1\n1 0\n0 1\n1 0\n0 1\n",
        "# ----\n1\n#####\n2\n",
        "1 # ok\n2 # restarted\n",
        "# two runs\n1\n2\n# end\n",
    ],
)
def test_scores_that_fall_and_remarks_beside_numbers_part_nothing(put, text):
    assert ro.load(put("curves.dat", text)).algorithms == ("curves",)


def test_a_comment_that_less_is_better_counts_and_an_empty_line_is_noted(put):
    with pytest.warns(ro.RunoffWarning, match="says that less is better: the scores are negated"):
        scores = ro.read_scores(put("PPO.txt", "# regret, lower is better\n1.5\n\n2.5\n"))
    assert scores.cell("PPO", "task").tolist() == [-1.5, -2.5]
    assert "line 3 is empty, and stands for no score (1 such lines)" in scores.provenance.notes


def test_axes_that_are_named_are_those_of_a_matrix(put):
    curves = ro.read_curves(put("SAC.txt", "1 2\n3 4\n5 6\n"), dims="run,step")
    assert (curves.n_runs.tolist(), curves.final().cell("SAC", "task").tolist()) == ([[3]], [2.0, 4.0, 6.0])
