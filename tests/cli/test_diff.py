"""`runoff diff`: two results in, what changed and why out; exit code 0 whatever changed, 2 for what is neither result nor runs."""

from __future__ import annotations

import json

import pytest

from runoff.cli.app import run
from tests.cli.conftest import Written
from tests.refusals import n_sentences

RUNS = ["A,5", "A,6", "A,7", "A,6.5", "B,4", "B,5.5", "B,6.2", "B,4.5"]


@pytest.fixture
def files(tmp_path, capsys):
    """Runs, more runs, and what `compare --json` prints of the first."""
    for name, rows in (("old", RUNS), ("new", [*RUNS, "A,7.5", "A,7.9", "B,5"])):
        (tmp_path / f"{name}.csv").write_text("\n".join(["algorithm,score", *rows]) + "\n")
    assert run(["compare", str(tmp_path / "old.csv"), "--json"]) == 0
    (tmp_path / "old.json").write_text(capsys.readouterr().out)
    return tmp_path


def test_it_says_first_and_last_what_changed_and_why(files, capsys):
    assert run(["diff", str(files / "old.json"), str(files / "new.csv")]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("The one verdict on both sides changed: A and B (no difference found, now A better)")
    assert first.endswith("because 3 runs were added.")
    assert rest[-1] == first
    out = "\n".join(rest)
    for words in ("its runs", "first better", "Cautions that came or went", "R001 ", "Runs that differ", "alpha 0.05"):
        assert words in out


def test_json_has_the_pairs_and_what_stands_beside_them(files, capsys):
    assert run(["diff", str(files / "old.csv"), str(files / "new.csv"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["n_changed"], answer["n_verdicts"], answer["records"][0]["why"]) == (1, 1, ["runs"])
    assert [(row["algorithm"], row["added"]) for row in answer["runs"]] == [("A", 2), ("B", 1)]
    assert {"cautions", "options", "old_leader", "new_leader", "sentence", "notes"} <= answer.keys()


def test_two_reports_are_named_by_their_folders(written: Written, capsys):
    assert run(["diff", str(written.folder), str(written.folder / "results.json")]) == 0
    assert capsys.readouterr().out.startswith("Nothing changed: runs, options and version are the same.")


def test_options_read_the_runs_and_rename_them(files, capsys):
    assert run(["diff", str(files / "old.json"), str(files / "old.csv"), "--rename", "B=C"]) == 0
    out = capsys.readouterr().out
    assert "1 pair is only in the old result; 1 pair is only in the new result" in out
    assert "C has the scores of B: if it is the same algorithm, call both alike (--rename B=C)." in out


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["old.json"], "diff takes two results, OLD and NEW, not 1"),
        (["old.json", "missing.json"], "there is no such file"),
        (["old.json", "empty.json"], "the file is empty (0 bytes); nor is it a comparison"),
        (["cut.json", "new.csv"], "is damaged and cannot be read as JSON"),
        (["nan.csv", "new.csv"], "line 3: the score (column 'score') is nan"),
    ],
)
def test_what_is_neither_result_nor_runs_is_refused_with_2(files, names, words, capsys):
    (files / "empty.json").write_text("")
    (files / "cut.json").write_text((files / "old.json").read_text()[:200])
    (files / "nan.csv").write_text("algorithm,score\nA,1\nA,nan\nB,2\nB,3\n")
    assert run(["diff", *(str(files / name) for name in names)]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert n_sentences(error) == 1
