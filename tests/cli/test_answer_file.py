"""`--out FILE` of an answer never replaces what is read, by whatever option, even by force."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest

from runoff.cli.app import run

ROWS = "algorithm,task,run,score\nA,t,0,1\nA,t,1,2\nA,t,2,4\nB,t,0,3\nB,t,1,5\nB,t,2,5.5\n"
REFERENCE = "task,low,high\nt,0,10\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for name in ("d.csv", "n.csv", "c.csv", "runs/d.csv"):
        (tmp_path / name).write_text(ROWS)
    (tmp_path / "ref.csv").write_text(REFERENCE)


@pytest.mark.parametrize(
    ("words", "out"),
    [
        (["compare", "d.csv"], "d.csv"),
        (["compare", "runs"], "runs/d.csv"),
        (["compare", "[dn].csv", "--variants"], "d.csv"),
        (["compare", "d.csv", "--normalize", "ref.csv"], "ref.csv"),
        (["plan", "--next-runs", "n.csv", "--budget", "4"], "n.csv"),
        (
            [
                "gate",
                "d.csv",
                "d.csv",
                "--algorithm",
                "A",
                "--candidate-algorithm",
                "B",
                "--margin",
                "1",
                "--confirm",
                "c.csv",
            ],
            "c.csv",
        ),
    ],
)
def test_what_is_read_is_never_overwritten(words, out, tmp_path, capsys):
    before = (tmp_path / out).read_bytes()
    assert run([*words, "-o", out, "--force"]) == 2
    assert f"{out} is another file of this call, and is not overwritten: name another file" in capsys.readouterr().err
    assert (tmp_path / out).read_bytes() == before


def test_an_answer_among_the_runs_is_left_out_by_name_and_refused_alone(tmp_path, capsys):
    for name in ("x.csv", "x.svg", "x.json"):
        assert run(["compare", "runs", "-o", f"runs/{name}"]) == 0
    assert run(["compare", "runs", "-o", "runs/x.svg", "--force"]) == 0  # a picture is not read
    capsys.readouterr()
    assert run(["compare", "runs"]) == 0
    printed = capsys.readouterr()
    assert "B has the higher mean" in printed.out
    assert "have no readable runs and are left out" in printed.err
    assert run(["scan", "runs/x.csv"]) == 2
    assert "this is an answer of runoff, which holds no runs" in capsys.readouterr().err


def test_a_file_that_the_call_writes_besides_is_not_the_answer(tmp_path, capsys):
    look = ["sequential", "d.csv", "--state", "s.json", "-o", "s.json"]
    for force in ([], ["--force"]):
        assert run([*look, *force]) == 2
        assert (
            "s.json is another file of this call, and is not overwritten: name another file" in capsys.readouterr().err
        )
        assert not (tmp_path / "s.json").exists()


def test_cautions_stand_behind_the_answer_that_was_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{a},{r},{s},{r + s * (a == 'B')}" for a in "AB" for r in range(5) for s in range(1, 6)]
    (tmp_path / "steps.csv").write_text("\n".join(["algorithm,run,step,score", *rows, ""]))
    for words in (["-o", "answer.csv"], ["--json", "-o", "answer.json"]):
        both = StringIO()
        with redirect_stdout(both), redirect_stderr(both):
            assert run(["curves", "steps.csv", *words]) == 0
        first, *_, caution, place = both.getvalue().splitlines()
        assert first.startswith("B has the higher mean of 2 algorithms")
        assert caution.startswith("R405 ")
        assert place == f"Answer: {words[-1]}"
