"""At 80 columns: tables whose cells stay whole, lines that fit, long lists that are cut; and a terminal that knows ASCII only."""

from __future__ import annotations

import io
import re
import sys
from typing import get_args

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

import runoff as ro
from runoff.cells import Estimate, Verdict, VerdictKind
from runoff.cli.app import run
from runoff.cli.terminal import MOST_ROWS, Sheet, _coloured, wrapped

NAMES = ("ARS", "Actor-Critic with entropy", "CEM", "Expected Sarsa", "Q(λ)", "Sarsa(λ)")
TASKS = ("Acrobot-v1", "CartPole-v1", "CliffWalking-v1", "FrozenLake-v1", "MountainCar-v0", "Pendulum-v1")


@pytest.fixture
def wide(monkeypatch):
    """A terminal of 80 columns, without colours."""
    monkeypatch.setattr("runoff.cli.terminal.PIPE_WIDTH", 80)
    for name, value in (("FORCE_COLOR", "1"), ("NO_COLOR", "1"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)


def scores(n_algorithms=6, n_runs=6, shift=100.0):
    draw = np.random.default_rng(0)
    names = [*NAMES, *(f"variant {i}" for i in range(n_algorithms))][:n_algorithms]
    return ro.Scores.from_dict(
        {a: {t: draw.normal(-1000 + shift * i, 90, n_runs) for t in TASKS} for i, a in enumerate(names)}
    )


@pytest.fixture
def runs(tmp_path):
    path = tmp_path / "runs.csv"
    scores().to_frame().write_csv(path)
    return str(path)


def lines(capsys):
    return re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()


OPTIONS = {
    "aggregate": ["--n-resamples", "200"],
    "compare": ["--n-resamples", "200"],
    "rank": ["--n-resamples", "200"],
    "check": ["--n-repeats", "20", "--n-resamples", "100", "--n-runs", "3"],
}


@pytest.mark.slow
@pytest.mark.parametrize("verb", OPTIONS)
def test_nothing_is_wider_than_the_terminal_and_no_interval_breaks(verb, runs, wide, capsys):
    assert run([verb, runs, *OPTIONS[verb]]) == 0
    screen = lines(capsys)
    assert [line for line in screen if cell_len(line) > 80 and not line.startswith("Data: ")] == []
    assert [line for line in screen if line.count("[") != line.count("]")] == []
    assert not any(re.search(r"[=<]\s*$", line) for line in screen)


def test_curves_keep_their_intervals_in_their_cells(tmp_path, wide, capsys):
    path = tmp_path / "curves.csv"
    curves = ro.load_example("classic_control").select(algorithms=["ARS", "Expected Sarsa"], tasks=["Pendulum-v1"])
    curves.to_frame().write_csv(path)
    assert run(["curves", str(path)]) == 0
    screen = lines(capsys)
    screen = screen[: screen.index("How steady training is")]
    names = ("ARS", "Expected Sarsa")
    own = ["".join(row for row in screen if row.startswith(f"{name} ") and "[" in row) for name in names]
    assert [len(re.findall(r"\[[^\[\]]+, [^\[\]]+\]", cells)) for cells in own] == [5, 5]
    assert max(cell_len(line) for line in screen) <= 80
    assert any("36\u202f000" in line for line in screen if line.startswith("Algorithm"))


def test_heads_stay_apart_and_are_not_cut(runs, wide, capsys):
    run(["aggregate", runs, "--score-unit", "shared", "--n-resamples", "200"])
    heads = [line for line in lines(capsys) if line.lower().startswith("algorithm")]
    titles = [title for head in heads for title in re.split(r"\s{2,}", head.strip())[1:]]
    assert titles == ["Tasks", "Runs per task", "Scores", "IQM", "Median", "Mean"]


def test_many_pairs_are_rows_that_are_counted_with_where_they_are(tmp_path, wide, capsys):
    path = tmp_path / "many.csv"
    scores(10, shift=400.0).to_frame().write_csv(path)
    assert run(["compare", str(path), "--test", "welch", "--n-resamples", "200", "--pairs"]) == 0
    screen = lines(capsys)
    assert "45 of 45 pairs differ" in screen
    assert sum("< 0.001" in line for line in screen) == MOST_ROWS
    assert f"… and {45 - MOST_ROWS} more rows: --json prints all of them" in screen


@pytest.mark.slow
def test_the_folder_of_a_report_has_all_pairs(tmp_path, wide, undrawn, capsys):
    path, out = tmp_path / "many.csv", tmp_path / "out"
    scores(14, n_runs=5, shift=400.0).to_frame().write_csv(path)
    assert run(["report", str(path), "--n-resamples", "200", "-o", str(out)]) == 0
    assert f"Report:{out / 'report.html'}" in "".join("".join(lines(capsys)).split())
    assert len((out / "tables" / "pairs.csv").read_text(encoding="utf-8").splitlines()) == 1 + 14 * 13 // 2


def test_rows_of_a_long_table_are_counted():
    table = Sheet("name", ["n"], rest="--json prints all of them")
    for i in range(MOST_ROWS + 3):
        table.add_row(str(i), "1")
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(table)
    assert "… and 3 more rows: --json prints all of them" in console.export_text()


@pytest.mark.parametrize("width", [24, 40, 60, 80])
def test_lines_break_between_words_only(width):
    text = "  A leads B (difference 1\u202f234 [−5, 1\u202f000], improvement 0.52 [0.41, 0.63]; p < 0.001 at α = 0.05)"
    rows = list(wrapped(text, width, 4))
    assert " ".join(line.strip() for line in rows).replace("\u00a0", " ") == text.strip()
    assert all(cell_len(line) <= width for line in rows)
    assert all(line.count("[") == line.count("]") for line in rows)


# ── ASCII only ──────────


@pytest.mark.parametrize(
    ("environment", "encoding"),
    [
        ({"LC_ALL": "C"}, "utf-8"),
        ({"PYTHONIOENCODING": "ascii"}, "ascii"),
        ({"LC_ALL": "C", "PYTHONUTF8": "0"}, "ascii"),
    ],
    ids=["C", "ascii", "C without UTF-8 mode"],
)
def test_a_terminal_of_ascii_only_shows_stand_ins(environment, encoding, runs, monkeypatch):
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    streams = {name: io.TextIOWrapper(io.BytesIO(), encoding=encoding) for name in ("stdout", "stderr")}
    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    assert run(["aggregate", runs, "--score-unit", "shared", "--n-resamples", "200"]) == 0
    for stream in streams.values():
        stream.flush()
    text = b"".join(stream.buffer.getvalue() for stream in streams.values()).decode("ascii")
    assert "\nQ(lambda)  " in text
    assert re.search(r"-\d+ \[-\d+, -\d+\]", text)
    assert "?" not in text


# ── -h, completion ──────────


@pytest.mark.parametrize("words", [[], ["report"], ["compare"], ["curves"], ["convert"], ["plan"]], ids=str)
def test_h_is_help(words, capsys):
    assert run([*words, "-h"]) == 0
    short = capsys.readouterr().out
    assert run([*words, "--help"]) == 0
    assert short == capsys.readouterr().out
    assert "-h, --help" in short


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_verbs_and_options(shell, monkeypatch, capsys):
    environment = {"_RUNOFF_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": "runoff comp"}
    environment |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args", "COMP_WORDS": "runoff comp", "COMP_CWORD": "1"}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", ["runoff"])
    monkeypatch.setattr(
        sys.modules["__main__"], "__package__", None
    )  # a module that is run would give the program its name
    with pytest.raises(SystemExit):
        run()
    out = capsys.readouterr().out
    assert "compare" in out
    assert "report" not in out


def test_what_is_higher_is_green_and_what_is_lower_red_and_what_is_open_yellow():
    kinds = {kind: str(_coloured(Verdict(kind, kind), kind).style) for kind in get_args(VerdictKind)}
    assert kinds == {
        "higher": "green",
        "equivalent": "green",
        "lower": "red",
        "not_found": "yellow",
        "not_tested": "yellow",
    }
    assert _coloured(Estimate(1.0), "1.0") == "1.0"
