"""`--against`: published runs beside those of a file."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.cli.values import protocol_of


@pytest.fixture
def runs(tmp_path):
    path = tmp_path / "mine.csv"
    rows = [
        f"ours,{task},{i},{x}"
        for task, xs in (("Pong", (3, 5, 1)), ("Alien", (700, 800, 650)))
        for i, x in enumerate(xs)
    ]
    path.write_text("algorithm,task,run,score\n" + "\n".join(rows) + "\n")
    return str(path)


def test_the_protocol_of_the_command_line_lets_published_runs_be_tested(runs, capsys):
    assert run(["compare", runs, "--against", "atari_100k:SPR", "--protocol", "unit=raw return", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)["records"]
    assert [(pair["a"], pair["b"]) for pair in records] == [("ours", "atari_100k:SPR")]


def test_an_unknown_protocol_is_refused_and_the_repairs_work(runs, capsys):
    assert run(["compare", runs, "--against", "atari_100k:SPR"]) == 2
    message = capsys.readouterr().err
    assert "--assume-same-protocol" in message
    assert "runoff aggregate --against" in message
    assert run(["compare", runs, "--against", "atari_100k:SPR", "--assume-same-protocol"]) == 0
    assert "(protocol assumed)" in capsys.readouterr().out.splitlines()[0]
    assert run(["aggregate", runs, "--against", "atari_100k:SPR", "--normalize", "atari"]) == 0


def test_a_protocol_without_published_runs_is_refused(runs, capsys):
    assert run(["compare", runs, "--protocol", "unit=raw return"]) == 2
    assert "name a set by --against" in capsys.readouterr().err
    assert run(["compare", runs, "--against", "atari_100k:SPR", "--protocol", "unit"]) == 2
    assert "KEY=VALUE" in capsys.readouterr().err


def test_a_baseline_is_compared_with_the_published_runs(runs, capsys):
    assert run(["reproduce", runs, "--published", "atari_100k:SPR", "--protocol", "unit=raw return"]) == 0
    out = capsys.readouterr().out
    assert "ours beside atari_100k:SPR" in out
    assert "cannot be said yet" in out
    assert run(["reproduce", runs, "--published", "atari_100k:SPR"]) == 2
    assert "--assume-same-protocol" in capsys.readouterr().err


def test_a_baseline_is_judged_at_the_level_and_by_the_margin_that_are_asked_for(runs, capsys):
    level = {"alpha": 0.01, "margin": 40.0}
    words = [word for name, value in level.items() for word in (f"--{name}", str(value))]
    assert (
        run(["reproduce", runs, "--published", "atari_100k:SPR", "--protocol", "unit=raw return", "--json", *words])
        == 0
    )
    own = ro.reproduce(runs, "atari_100k:SPR", protocol={"unit": "raw return"}, **level)
    other = ro.reproduce(runs, "atari_100k:SPR", protocol={"unit": "raw return"})
    assert json.loads(capsys.readouterr().out)["records"] == own.to_records() != other.to_records()


def test_the_folder_of_a_baseline_has_its_records_and_figure(runs, tmp_path):
    out = tmp_path / "out"
    words = ["reproduce", runs, "--published", "atari_100k:SPR", "--protocol", "unit=raw return", "-o", str(out)]
    assert run(words) == 0
    assert {path.name for path in out.glob("[!.]*")} == {
        "README.txt",
        "reproduce.json",
        *(f"reproduce.{k}" for k in ("svg", "pdf", "png")),
    }
    record = json.loads((out / "reproduce.json").read_text())
    assert record["schema"] == "runoff.reproduce/1"
    assert len(record["records"][0]["published_scores"]) == 100


def test_the_records_of_a_baseline_are_those_of_the_library(runs, capsys):
    words = ["--published", "atari_100k:SPR", "--protocol", "unit=raw return", "--json"]
    assert run(["reproduce", runs, *words]) == 0
    answer = json.loads(capsys.readouterr().out)
    result = ro.reproduce(runs, "atari_100k:SPR", protocol={"unit": "raw return"})
    assert answer["records"] == json.loads(json.dumps(result.to_records()))


def test_a_key_on_the_command_line_counts_before_that_of_a_file_in_both_orders(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('budget = "2M"\nunit = "raw return"\n')
    both = {"budget": "1M", "unit": "raw return"}
    assert protocol_of(["budget=1M", str(file)]) == protocol_of([str(file), "budget=1M"]) == both
