"""`--to` prints the tables of an answer as its `to_latex`, `to_markdown` and rows do, and nothing else."""

from __future__ import annotations

import csv
import io

import pytest

import runoff as ro
from runoff.cli.app import VERBS, run

RUNS = {
    "PPO": {"x": [1.0, 2.0, 1.5, 1.2], "y": [1.1, 2.0, 1.4, 1.3]},
    "A2C": {"x": [2.0, 2.7, 2.1, 3.1], "y": [2.2, 2.6, 2.4, 3.0]},
}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "runs.csv"
    rows = [f"{a},{t},{k},{v}" for a, own in RUNS.items() for t, cell in own.items() for k, v in enumerate(cell)]
    path.write_text("\n".join(["algorithm,task,seed,score", *rows]) + "\n")
    return str(path)


def printed(capsys, *words):
    assert run([*words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("verb", ["compare", "aggregate", "rank", "plan"])
def test_tables_are_those_of_the_answer(verb, table, capsys):
    result = getattr(ro, verb)(table)
    assert printed(capsys, verb, table, "--to", "markdown").strip() == result.to_markdown().strip()
    assert printed(capsys, verb, table, "--to", "latex").strip() == result.to_latex().strip()


def test_csv_has_the_rows_unrounded(table, capsys):
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "compare", table, "--to", "csv"))))
    (pair,) = ro.compare(table)
    assert [(row["a"], row["b"], float(row["estimate"])) for row in rows] == [(pair.a, pair.b, pair.estimate)]


def test_cautions_are_on_the_error_stream(tmp_path, capsys):
    path = tmp_path / "few.csv"
    copied = [f"{a},x,{v}" for a in "AB" for v in (1.234567, 2.345678, 3.4)]
    own = ["A,y,1", "A,y,2", "A,y,3.3", "B,y,2", "B,y,2.5", "B,y,3.7"]
    path.write_text("\n".join(["algorithm,task,score", *copied, *own]) + "\n")
    assert run(["compare", str(path), "--to", "markdown"]) == 0
    out, err = capsys.readouterr()
    (grave, *_) = [a for a in ro.compare(str(path)).advice if a.severity != "info"]
    assert grave.code in err
    assert grave.code not in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", "TABLE", "--to", "html"], "--to takes latex, markdown, csv, not 'html'"),
        (["compare", "TABLE", "--to", "csv", "--json"], "--json and --to both set what is printed"),
        (["check", "list", "--to", "csv"], "--to and --out have an answer, and this is a list"),
        (
            ["compare", "TABLE", "-o", "x.txt"],
            "--out takes the name of a file that ends in .csv, .md, .tex, .json, .pdf",
        ),
        (["compare", "TABLE", "-o", "x.html"], "runoff report TABLE --out x.html"),
        (
            ["compare", "TABLE", "-o", "x.csv", "--to", "latex"],
            "--out x.csv asks for csv, and another option for latex",
        ),
        (["compare", "TABLE", "--force"], "--force belongs to --out"),
        (
            ["diff", "TABLE", "TABLE", "-o", "x.pdf"],
            "there is no figure of this answer: its tables are what there is (--to,",
        ),
    ],
)
def test_what_cannot_be_printed_is_refused_with_what_can(words, message, table, capsys):
    assert run([table if word == "TABLE" else word for word in words]) == 2
    assert message.replace("TABLE", table) in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["compare", "aggregate", "rank", "scan", "plan"])
@pytest.mark.parametrize(
    ("ending", "asks"), [("csv", "--to csv"), ("md", "--to markdown"), ("tex", "--to latex"), ("json", "--json")]
)
def test_a_file_has_what_is_printed_without_it(verb, ending, asks, table, tmp_path, capsys):
    out = tmp_path / "deep" / f"answer.{ending}"
    text = printed(capsys, verb, table, *asks.split())
    shown = printed(capsys, verb, table, "-o", str(out))
    assert out.read_bytes().decode() == text
    assert shown.endswith(f"Answer: {out}\n")


def test_a_file_for_an_answer_leaves_its_sentence_and_its_cautions_on_the_screen(tmp_path, capsys):
    path = tmp_path / "few.csv"
    path.write_text("algorithm,score\n" + "".join(f"{a},{v}\n" for a in "AB" for v in (1.2, 2.3, 3.4 + (a == "B"))))
    assert run(["compare", str(path), "-o", str(tmp_path / "a.json")]) == 0
    out, err = capsys.readouterr()
    result = ro.compare(str(path))
    assert result.sentence in " ".join(out.split())
    assert {a.code for a in result.advice if a.severity != "info"} <= {line.split()[0] for line in err.splitlines()}


@pytest.mark.parametrize("verb", ["compare", "aggregate", "rank"])
def test_a_picture_is_the_figure_of_the_answer(verb, table, tmp_path, capsys):
    from runoff.page.sheet.drawing import plain_style, render

    assert "Figure: " in printed(capsys, verb, table, "-o", str(tmp_path / "own.svg"))
    with plain_style():
        drawn = render(getattr(ro, verb)(table).plot(), "svg")
    assert (tmp_path / "own.svg").read_bytes() == drawn
    printed(capsys, verb, table, "-o", str(tmp_path / "own.pdf"))
    assert (tmp_path / "own.pdf").read_bytes()[:5] == b"%PDF-"


def test_a_folder_stays_a_folder_where_a_verb_writes_one(tmp_path, capsys):
    runs = ["curves", "classic_control", "--algorithms", "ARS,CEM", "--tasks", "Pendulum-v1", "--steps", "3"]
    assert "Figure: " in printed(capsys, *runs, "-o", str(tmp_path / "c.png"))
    assert (tmp_path / "c.png").read_bytes()[1:4] == b"PNG"
    assert "Figures and tables: " in printed(capsys, *runs, "-o", str(tmp_path / "c"))
    assert (tmp_path / "c" / "sample_efficiency.pdf").is_file()


def test_rows_with_other_columns_stand_under_their_own_heads():
    from runoff.exits import csv_text

    assert csv_text([{"a": 1, "b": 2}, {"b": 3, "c": 4}]) == "a,b,c\n1,2,\n,3,4\n"


def test_verbs_without_the_option_leave_files_lines_or_data():
    from runoff.cli.app import command

    having = {name for name, verb in command().commands.items() if any("--to" in p.opts for p in verb.params)}
    every = {verb for verbs in VERBS.values() for verb in verbs}
    assert every - having == {"report", "demo", "convert", "watch", "keep", "archive", "mcp"}


def test_a_control_has_all_its_pairs_in_the_table_whoever_leads(tmp_path, capsys):
    path = tmp_path / "three.csv"
    means = {"strong": 9.0, "base": 5.0, "weak": 1.0}
    rows = [f"{a},{t},{m + k + (t == 'y')}" for a, m in means.items() for t in "xy" for k in range(4)]
    path.write_text("\n".join(["algorithm,task,score", *rows]) + "\n")
    table = printed(capsys, "compare", str(path), "--control", "base").split("pairs differ")[1].splitlines()
    assert [line.split()[:2] for line in table[2:4]] == [["strong", "base"], ["base", "weak"]]
