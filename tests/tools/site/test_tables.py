"""Tables of simulations: printed, written as CSV, folded into the page that links to them."""

from __future__ import annotations

import io

import pytest

from tools.site import tables

LINES = ["| runs | coverage | of |", "| ---: | ---: | --- |", "| 3 | **0.948** | a, b |", "| 10 | – | c |"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    return tmp_path


def test_a_written_table_is_read_as_it_was_printed(folder):
    tables.write("own", LINES)
    assert tables.read("own") == [["runs", "coverage", "of"], ["3", "0.948", "a, b"], ["10", "–", "c"]]


def test_a_link_alone_on_its_line_folds_the_table_in_and_one_in_a_sentence_does_not(folder):
    tables.write("own", LINES)
    page = tables.folded("See [it](../tables/own.csv).\n\n[Coverage](../tables/own.csv)\n")
    assert page.startswith("See [it](../tables/own.csv).\n\n<details><summary>Coverage</summary>\n\n| runs |")
    assert "| ---: | ---: | --- |\n| 3 | 0.948 | a, b |" in page


def test_printed_tables_are_written_under_the_names_in_their_order(folder, monkeypatch):
    text = "\n".join(LINES)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"words\n\n{text}\n\n{text.replace('3', '4')}"))
    monkeypatch.setattr("sys.argv", ["tables", "one", "two"])
    assert tables.main() == 0
    assert [tables.read(name)[1][0] for name in ("one", "two")] == ["3", "4"]


def test_a_table_without_a_name_is_refused_and_nothing_written(folder, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(LINES)))
    monkeypatch.setattr("sys.argv", ["tables"])
    assert tables.main() == 2
    assert "1 tables were printed, and 0 names given" in capsys.readouterr().err
    assert list(folder.iterdir()) == []
