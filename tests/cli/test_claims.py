"""`runoff claims`: a table in, one sentence a claim out."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import runoff as ro
from runoff.cli.app import run
from tests.refusals import n_sentences

TABLE = """
| Task | PPO | **Ours** |
| --- | --- | --- |
| Hopper | 2410 ± 90 | **2950 ± 110** |
| Ant | 1820 ± 700 | **1900 ± 650** |
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.md"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def test_the_terminal_shows_how_the_table_was_read_the_claims_and_the_limits(table, capsys):
    assert run(["claims", table, "--spread", "sd", "--n-runs", "5"]) == 0
    out = capsys.readouterr().out
    for part in (
        "Of 3 claims of the table 1 is supported, 2 are not supported (α = 0.05, Holm over 3 comparisons",
        "± is the standard deviation; n = 5 in each cell.",
        "The rows are tasks: the header says 'Task'.",
        "Hopper: PPO 2410 ± 90; Ours 2950 ± 110 (bold)",
        "Claims are those of the bold cells, and of the best average over all tasks; --json has a sentence for each.",
        "What this table cannot show",
    ):
        assert part in out


@pytest.mark.parametrize(
    ("options", "heads"),
    [
        ((), ("the bold cells", "the best average over all tasks")),
        (("--algorithm", "Ours"), ("the algorithm that was named",)),
    ],
)
def test_claims_stand_under_who_makes_them(tmp_path, capsys, options, heads):
    path = tmp_path / "table.md"
    path.write_text(
        TABLE.replace("**Ours** |", "**Ours** | Big |")
        .replace("--- |\n", "--- | --- |\n")
        .replace("** |\n", "** | 4000 ± 90 |\n")
    )
    assert run(["claims", str(path), "--spread", "sd", "--n-runs", "5", *options]) == 0
    out = capsys.readouterr().out
    assert f"Claims are those of {', and of '.join(heads)}; --json has a sentence for each." in out
    rows = out.partition("\nClaims\n")[2].splitlines()
    assert sum(row.startswith(("Hopper", "Walker")) for row in rows) >= 2


def test_json_has_the_claims_and_how_the_table_was_read(table, capsys):
    assert run(["claims", table, "--n-runs", "5", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == "runoff.claims/1"
    assert answer["claims"] == json.loads(json.dumps(ro.claims(table, n_runs=5).to_records()))
    assert answer["table"]["algorithms"] == ["PPO", "Ours"]
    assert answer["table"]["cells"][0]["line"] == 4


def test_a_csv_file_has_one_row_a_claim(table, tmp_path, capsys):
    out = tmp_path / "deep" / "claims.csv"
    assert run(["claims", table, "--n-runs", "5", "-o", str(out)]) == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert [row["verdict"] for row in rows] == [claim.verdict for claim in ro.claims(table, n_runs=5).claims]
    assert float(rows[0]["pvalue_sd"]) == ro.claims(table, n_runs=5).claims[0].readings[0].pvalue
    assert f"Answer: {out}" in capsys.readouterr().out


def test_runs_may_be_told_by_algorithm(table, capsys):
    assert run(["claims", table, "--n-runs", "PPO=3,Ours=7", "--json"]) == 0
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert (claims[0]["n_runs_a"], claims[0]["n_runs_b"]) == (7, 3)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--spread", "range"], "error: --spread range: from a range"),
        (["--n-runs", "many"], "--n-runs takes a whole number, not 'many'"),
        (["--n-runs", "PPO=3", "--n-runs", "4"], "--n-runs takes one number, or NAME=N"),
        (["--n-runs", "1"], "n = 1: a single run has no spread"),
        (["--algorithm", "Mine"], "--algorithm must be one of PPO, Ours, not 'Mine'"),
        (["--lower-is-better", "Hoper"], "--lower-is-better names 'Hoper'"),
        (["--rows", "rows"], "rows must be one of auto, algorithms, tasks"),
    ],
)
def test_a_refusal_is_one_sentence(table, options, sentence, capsys):
    assert run(["claims", table, *options]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert n_sentences(shown.err) == 1
    assert shown.out == ""


def test_a_table_with_heads_that_cannot_be_assigned_is_refused_with_its_place(tmp_path, capsys):
    path = tmp_path / "table.tex"
    path.write_text(
        "\\begin{tabular}{lcc}\n& \\multicolumn{2}{c}{Hopper} & \\multicolumn{2}{c}{Ant} \\\\\n& PPO & SAC & PPO & SAC \\\\ \\hline\n"
        "100k & 1 $\\pm$ 0.1 & 1 $\\pm$ 0.1 & 1 $\\pm$ 0.1 & 1 $\\pm$ 0.1 \\\\\n\\end{tabular}\n",
        encoding="utf-8",
    )
    assert run(["claims", str(path)]) == 2
    assert "table.tex, line 3, column 2: the header 'PPO' stands in several columns" in capsys.readouterr().err


def test_lower_is_better_where_it_is_said(table, capsys):
    assert run(["claims", table, "--n-runs", "5", "--best", "mean", "--lower-is-better", "Hopper", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["table"]["lower"] == ["Hopper"]
    assert [claim["a"] for claim in answer["claims"]] == ["PPO", "Ours"]


def test_standard_input_is_read(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TABLE.encode())))
    assert run(["claims", "-", "--n-runs", "5"]) == 0
    assert "Read from stdin (markdown)" in capsys.readouterr().out


def test_the_help_names_every_kind_of_spread(capsys):
    assert run(["claims", "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert all(kind in out for kind in ("unknown", "population_sd", "ci95_normal"))


def test_the_cells_are_shown_as_they_were_read_and_stars_of_the_paper_are_no_marks_of_bold(tmp_path, capsys):
    path = tmp_path / "table.tex"
    path.write_text(
        "\\begin{tabular}{lcc}\nTask & PPO & SAC \\\\ \\hline\nAnt & $1{,}200.50 \\pm 3.00$* & $(1.25 \\pm 0.01)\\times 10^3$ \\\\\n"
        "\\end{tabular}\n",
        encoding="utf-8",
    )
    assert run(["claims", str(path), "--n-runs", "5"]) == 0
    assert "Ant: PPO 1200.50 ± 3.00; SAC 1250 ± 10\n" in capsys.readouterr().out


def test_all_lower_is_said_in_these_words_and_averages_stand_as_in_the_table(table, capsys):
    assert run(["claims", table, "--n-runs", "5", "--best", "mean", "--lower-is-better", "all"]) == 0
    out = capsys.readouterr().out
    assert "Lower is better on all tasks." in out
    assert re.search(r"2 tasks +PPO +Ours +2 115 +2 425", out.replace("\u202f", " "))


def test_a_file_that_is_there_is_not_overwritten_not_even_the_table_itself(table, tmp_path, capsys):
    before = Path(table).read_bytes()
    assert run(["claims", str(table), "-o", str(table)]) == 2
    assert (
        "is another file of this call, and is not overwritten: name another file, as --out" in capsys.readouterr().err
    )
    assert Path(table).read_bytes() == before
    (tmp_path / "claims.csv").write_text("mine")
    assert run(["claims", str(table), "-o", str(tmp_path / "claims.csv"), "--force"]) in (0, 1)
    assert (tmp_path / "claims.csv").read_text() != "mine"
