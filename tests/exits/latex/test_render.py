"""The files: which there are, and the structure that every one of them has."""

from __future__ import annotations

import re

import pytest

from runoff.exits.latex.render import latex_of
from runoff.exits.latex.table import LatexTable
from tests.exits.latex.made import column, demo, files, grid
from tests.report.made import answers, hostile

NAMES = {"aggregates", "tasks", "pairs", "ranks", "profile_pairs"}


def named(text, what):
    return re.findall(rf"\\{what}\{{([^}}]*)\}}", text)


@pytest.mark.slow
def test_every_table_comes_for_a_column_and_for_the_text_width_and_long_ones_for_many_pages():
    assert set(files(answers())) == {f"{name}_{kind}.tex" for name in NAMES for kind in ("column", "wide")}
    assert {name for name in files(grid(12, 26, 5)) if "_long" in name} == {
        "tasks_long.tex",
        "pairs_long.tex",
        "profile_pairs_long.tex",
    }


@pytest.mark.parametrize("make", [answers, hostile, demo], ids=["plain", "hostile", "demo"])
def test_every_file_has_one_caption_one_label_and_its_float(make):
    kinds = {"column": {"table", "tabular"}, "wide": {"table*", "tabular"}, "long": {"longtable"}}
    for name, text in files(make()).items():
        table, kind = name.removesuffix(".tex").rsplit("_", 1)
        assert text.count(r"\caption{") == 1
        assert named(text, "label") == [f"tab:runoff-{table}"]
        assert set(named(text, "begin")) <= kinds[kind]
        assert named(text, "begin").count("tabular") == named(text, "end").count("tabular")
        assert text.startswith("% fits a ")


@pytest.mark.slow
def test_nothing_is_scaled_and_the_text_is_eight_points():
    for text in files(grid(12, 26, 5)).values():
        assert "resizebox" not in text
        assert "scalebox" not in text
        assert set(re.findall(r"\\fontsize\{([\d.]+)\}", text)) == {"8"}


def test_a_row_has_as_many_cells_as_its_table_has_columns():
    begins = re.compile(r"^\\begin\{(?:tabular|longtable)\}\{@\{\}([lr]+)@\{\}\}$(.*?)^\\end", re.MULTILINE | re.DOTALL)
    for text in files(demo()).values():
        for preamble, body in begins.findall(text):
            rows = [line for line in body.splitlines() if " & " in line]
            assert {line.count(" & ") for line in rows} == {len(preamble) - 1}


@pytest.mark.slow
def test_later_parts_refer_to_the_first():
    text = files(grid(12, 26, 5))["tasks_column.tex"]
    n = text.count(r"\begin{table}")
    assert n > 2
    continued = [f"Table~\\ref{{tab:runoff-tasks}}, continued ({part} of {n})" for part in range(2, n + 1)]
    assert re.findall(r"Table~.*", text) == continued


def test_no_more_floats_wait_than_latex_keeps():
    rows = [f"name {row}" for row in range(1000)]
    table = LatexTable(name="t", caption="many rows", names=(column("n", rows),), values=(column("v", rows),))
    text = latex_of(table, "column")
    waiting = [part.count(r"\begin{table}") for part in text.split(r"\clearpage")]
    assert len(waiting) > 1
    assert max(waiting) <= 16


def test_bold_cells_are_bold_in_letters_and_in_mathematics():
    text = files(demo())["aggregates_wide.tex"]
    assert text.count(r"\bfseries\boldmath") == 2 * 3
    assert r"{\bfseries\boldmath Q($\lambda$)}" not in text
