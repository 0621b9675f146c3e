"""Names on the terminal: unique where short, isolated where they run from right to left."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

import runoff as ro
from runoff.cells import Column, Name, Table
from runoff.cli.app import run
from runoff.cli.terminal import NAME_WIDTH, fitted, headed, show_tables
from runoff.words.shorten import ISOLATE, isolated
from tests.report.made import scores

TWO = tuple(f"an algorithm of which the learning rate was set to {rate}, all else equal" for rate in ("0.001", "0.003"))


def test_two_long_names_have_two_labels_that_fit():
    labels = fitted((*TWO, "PPO", "強化学習" * 12))
    assert len(set(labels.values())) == 4
    assert max(map(cell_len, labels.values())) <= NAME_WIDTH
    assert "1, " in labels[TWO[0]]
    assert "3, " in labels[TWO[1]]


def test_long_tasks_have_heads_of_their_own():
    heads = headed((*TWO, "Pong"))
    assert len(set(heads)) == 3
    assert heads[2] == "Pong"


def test_what_would_drive_the_terminal_is_spelled_out_or_left_out():
    (label,) = fitted(["a\x1b[31m\u202eb"]).values()
    assert label == "a\\x1b[31mb"


def test_a_sentence_isolates_right_to_left_names(tmp_path, capsys: pytest.CaptureFixture[str]):
    names = ("خوارزمية", "שיטה")
    path = tmp_path / "runs.csv"
    scores(names).to_frame().write_csv(path)
    assert run(["compare", str(path)]) == 0
    out = capsys.readouterr().out
    assert all(isolated(name) in out for name in names)
    assert "\\u2068" not in out
    assert ISOLATE in out


def test_a_label_is_one_algorithm_in_all_tables(tmp_path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "runs.csv"
    runs = {TWO[0]: 0.0, TWO[1]: 5.0, "PPO": 0.1}
    cells = {name: [at, at + 1, at + 3, at + 4, at + 6] for name, at in runs.items()}
    ro.Scores.from_dict(cells).to_frame().write_csv(path)
    assert run(["compare", str(path), "--control", "PPO", "--pairs"]) == 0
    out = capsys.readouterr().out
    assert "1 of 2 pairs differs" in out
    assert all(out.count(label) >= 2 for name, label in fitted(runs).items() if name in TWO)


def test_names_inside_titles_heads_and_words_drive_no_terminal():
    text = "a\x1b[31m"
    columns = (
        Column(key="task", head="Task", cells=[Name("t", "task")]),
        Column(key="words", head=text, cells=[text]),
    )
    stream = io.StringIO()
    console = Console(file=stream, width=100, markup=False)
    show_tables(console, [Table(role="r", title=text, caption=text, columns=columns)])
    assert "\x1b" not in stream.getvalue()
    assert stream.getvalue().count("a\\x1b[31m") == 4
