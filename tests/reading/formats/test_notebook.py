"""Jupyter notebooks: tables that their outputs print in full are read; parts of tables are refused with the line that saves them."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import runoff as ro

RUNS = pd.DataFrame(
    [(a, s, 10.0 * s + len(a)) for a in ("DQN", "C51x") for s in range(3)], columns=["agent", "seed", "reward"]
)
WHOLE = {"C51x": {"task": [4, 14, 24]}, "DQN": {"task": [3, 13, 23]}}


def notebook(*cells: tuple[str, str]) -> str:
    return json.dumps(
        {
            "cells": [{"cell_type": "markdown", "source": ["# Results\n"]}]
            + [
                {"cell_type": "code", "source": [code], "outputs": [{"data": {"text/html": [html]}}]}
                for code, html in cells
            ],
            "nbformat": 4,
        }
    )


@pytest.mark.parametrize(
    "frame",
    [
        RUNS,
        RUNS.pivot(index="agent", columns="seed", values="reward"),
        RUNS.pivot(index="seed", columns="agent", values="reward"),
    ],
)
def test_a_table_that_pandas_prints_in_full_is_read(put, frame):
    means = ("df.describe()", RUNS.describe().to_html())
    assert (
        ro.load(
            put("runs.ipynb", notebook(("df.head(2)", frame.head(2).to_html()), ("df", frame.to_html()), means))
        ).to_dict()
        == WHOLE
    )


@pytest.mark.parametrize(
    "cells",
    [
        [("df", RUNS.to_html(max_rows=4))],
        [("df.head()", RUNS.head().to_html())],
        [("df[df.seed == 0]", RUNS[RUNS.seed == 0].to_html())],
        [("1", "1")],
        [],
    ],
)
def test_parts_of_tables_are_refused_with_the_line_that_saves_the_whole(put, cells):
    with pytest.raises(
        ro.DataError, match=r"add a cell that saves the table, df\.to_csv\('runs\.csv'\), run it, and read that file"
    ):
        ro.load(put("runs.ipynb", notebook(*cells)))


def test_a_notebook_beside_tables_is_no_table_of_a_folder(put, tmp_path):
    put("analysis.ipynb", notebook(("df", RUNS.to_html())))
    put("runs.csv", RUNS.to_csv(index=False))
    assert ro.load(tmp_path).to_dict() == WHOLE


def test_what_is_no_notebook_is_refused_by_its_format(put):
    with pytest.raises(ro.DataError, match="this is not a Jupyter notebook, which has a list of cells"):
        ro.load(put("runs.json", "{}"), format="notebook")


@pytest.mark.parametrize("outputs", [None, ["words"], [None]])
def test_a_cell_without_outputs_stands_beside_those_with_tables(put, outputs):
    content = json.loads(notebook(("df", RUNS.to_html(index=False))))
    content["cells"].append({"cell_type": "code", "source": [], "outputs": outputs})
    assert ro.load(put("runs.ipynb", json.dumps(content))).to_dict() == WHOLE


@pytest.mark.parametrize("between", ["<h3> </h3>", "<p><img></p>"])
@pytest.mark.parametrize("head", ["agent", "<h4>agent</h4>", "<p>agent</p>"])
def test_the_title_of_a_table_of_a_page_is_the_last_one_with_words_outside_of_cells(put, between, head):
    table = RUNS.to_html(index=False).replace("agent", head)
    text = "".join(f"<h2>{task}</h2>{between}{table}" for task in ("Hopper", "Ant"))
    assert ro.load(put("runs.html", f"<html><body>{text}</body></html>")).tasks == ("Ant", "Hopper")


def test_a_first_row_without_a_score_is_no_line_of_heads(put):
    rows = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
        for row in (("algo", "seed", "return", ""), ("PPO", 0, "", ""), ("PPO", 1, 2, ""), ("DQN", 0, 4, "x"))
    )
    with pytest.raises(ro.DataError, match=r"line 3: the score \(column 'return'\) is missing"):
        ro.load(put("runs.html", f"<table>{rows}</table>"))
