"""Defaults of a project: the nearest file sets them, an explicit option wins, and every answer names those that applied."""

from __future__ import annotations

import json
import shlex

import pytest

from runoff.cli.app import run

LOWEST = {"Pong": -20, "Qbert": 500}
ROWS = [
    f"{a},{t},{s},{low + s + (a == 'SAC') * (low + 30) / 2}"
    for a in ("PPO", "SAC", "TD3")
    for t, low in LOWEST.items()
    for s in range(5)
]
LINE = "runoff.toml: --normalize atari, --control PPO, --alpha 0.01"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with runs and a file of defaults, in which the test stands."""
    (tmp_path / "runs.csv").write_text("\n".join(["algorithm,task,seed,score", *ROWS]) + "\n")
    (tmp_path / "runoff.toml").write_text('normalize = "atari"\ncontrol = "PPO"\nalpha = 0.01\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answered(capsys, line):
    """What `--json` prints."""
    assert run([*line.split(), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def shown(capsys, line):
    """The lines of the terminal."""
    assert run(line.split()) == 0
    return capsys.readouterr().out.splitlines()


def test_what_a_file_sets_holds_and_is_named(project, capsys):
    answer = answered(capsys, "compare runs.csv")
    assert (answer["alpha"], answer["control"], answer["data"]["reference"].split()[0]) == (0.01, "PPO", "atari")
    assert answer["notes"][-1] == LINE
    *_, line, empty, answer = shown(capsys, "compare runs.csv")
    assert (line, empty) == (f"Defaults: {LINE}", "")
    assert answer.startswith("SAC")


def test_what_a_file_sets_is_named_beside_an_answer_that_is_written(project, capsys):
    assert f"Defaults: {LINE}" in shown(capsys, "compare runs.csv --json -o answer.json")
    assert not any("Defaults" in line for line in shown(capsys, "compare runs.csv --json"))


def test_an_explicit_option_wins_and_is_no_default(project, capsys):
    answer = answered(capsys, "compare runs.csv --alpha 0.1 --control SAC")
    assert (answer["alpha"], answer["control"], answer["notes"][-1]) == (0.1, "SAC", "runoff.toml: --normalize atari")


def test_none_leaves_out_what_a_file_sets(project, capsys):
    answer = answered(capsys, "compare runs.csv --control none --normalize none --alpha 0.05")
    assert (answer["control"], answer["data"]["reference"], len(answer["records"])) == (None, None, 3)
    assert not any("runoff.toml" in note for note in answer["notes"])


def test_without_a_file_nothing_is_set_and_an_algorithm_may_be_called_none(project, capsys):
    (project / "runoff.toml").unlink()
    (project / "runs.csv").write_text("\n".join(["algorithm,task,seed,score", *ROWS]).replace("PPO", "none"))
    answer = answered(capsys, "compare runs.csv --control none --normalize none")
    assert (answer["control"], answer["alpha"], answer["data"]["reference"]) == ("none", 0.05, None)
    assert not any("toml" in line for line in shown(capsys, "compare runs.csv"))


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"pyproject.toml": "[tool.runoff]\nalpha = 0.02"}, "pyproject.toml: --alpha 0.02"),
        ({"pyproject.toml": "[tool.runoff]\nalpha = 0.02", "runoff.toml": "alpha = 0.03"}, "runoff.toml: --alpha 0.03"),
        (
            {"pyproject.toml": "[tool.ruff]\nalpha = 0.02", "../runoff.toml": "alpha = 0.03"},
            "../runoff.toml: --alpha 0.03",
        ),
        ({"pyproject.toml": "broken [", "../runoff.toml": "alpha = 0.03"}, "../runoff.toml: --alpha 0.03"),
        ({"runoff.toml": "alpha = 0.03", "data/runoff.toml": "alpha = 0.04"}, "data/runoff.toml: --alpha 0.04"),
        ({"runoff.toml": "", "../runoff.toml": "alpha = 0.03"}, None),
    ],
)
def test_the_nearest_file_counts_from_the_runs_upward(files, named, tmp_path, monkeypatch, capsys):
    (tmp_path / "here" / "data").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    for name, text in {**files, "data/runs.csv": "\n".join(["algorithm,task,seed,score", *ROWS])}.items():
        (tmp_path / "here" / name).write_text(text)
    notes = [note for note in answered(capsys, "compare data/runs.csv")["notes"] if ".toml: " in note]
    assert notes == ([] if named is None else [named])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "alhpa = 0.01",
            "runoff.toml: there is no setting 'alhpa'; known are normalize, control, alpha. Did you mean 'alpha'?",
        ),
        ("palette = 'deep'", "runoff.toml: there is no setting 'palette'"),
        ("alpha = 'low'", "runoff.toml: alpha is a number, not 'low'."),
        ("alpha = true", "runoff.toml: alpha is a number, not True."),
        ("normalize = 3", "runoff.toml: normalize is a text, not 3."),
        ("alpha = ", "runoff.toml: this TOML file cannot be read: "),
        ("control = 'PPP'", "there is no algorithm 'PPP'"),
    ],
)
def test_a_setting_that_means_nothing_is_refused_in_a_sentence(text, sentence, project, capsys):
    (project / "runoff.toml").write_text(text)
    assert run(["compare", "runs.csv"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert sentence in error.splitlines()[0]


def test_a_refusal_names_the_defaults_that_may_have_caused_it(project, capsys):
    assert run(["compare", "classic_control"]) == 2
    assert f"  ({LINE})" in capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("compare runs.csv --where PPO SAC", "--normalize atari, --alpha 0.01"),
        ("plan --effect 1 --std 2", "--alpha 0.01"),
        ("plan runs.csv --effect 1 --algorithms PPO,SAC", "--normalize atari, --alpha 0.01"),
        ("sequential design.toml --new --looks 3,6", "--alpha 0.01"),
        ("aggregate runs.csv", "--normalize atari"),
        ("rank runs.csv", "--normalize atari, --control PPO, --alpha 0.01"),
        ("gate runs.csv --algorithm PPO --save base.json", "--normalize atari, --alpha 0.01"),
        ("diff runs.csv runs.csv", "--normalize atari"),
        ("scan .", None),
    ],
)
def test_a_default_is_left_out_where_its_option_means_nothing(line, named, project, capsys):
    lines = [text for text in shown(capsys, line) if text.startswith("Defaults: ")]
    assert lines == ([] if named is None else [f"Defaults: runoff.toml: {named}"])


def test_the_level_of_a_baseline_goes_before_that_of_a_file(project, capsys):
    shown(capsys, "gate runs.csv --algorithm PPO --alpha 0.1 --margin 1sd --save base.json")
    answer = answered(capsys, "gate base.json runs.csv --candidate-algorithm SAC")
    assert "runoff.toml: --normalize atari" in answer["notes"]
    assert run(["gate", "base.json", "runs.csv", "--candidate-algorithm", "SAC", "--markdown", "-"]) == 0
    assert capsys.readouterr().out.count("runoff.toml: --normalize atari") == 1


def test_a_result_beside_runs_says_how_they_are_normalised(project, capsys):
    (project / "old.json").write_text(json.dumps(answered(capsys, "compare runs.csv --normalize none --control none")))
    assert not any("Defaults" in line for line in shown(capsys, "diff old.json runs.csv"))


@pytest.mark.slow
def test_a_report_holds_the_command_that_gives_it_without_the_file(project, undrawn, capsys):
    shown(capsys, "report runs.csv -o one --n-resamples 200")
    answer = json.loads((project / "one" / "results.json").read_text())
    assert answer["command"] == (
        "runoff report runs.csv --normalize atari --alpha 0.01 --n-resamples 200  # runoff.toml: --normalize atari, --alpha 0.01"
    )
    (project / "runoff.toml").unlink()
    assert run([*shlex.split(answer["command"], comments=True)[1:], "-o", "two"]) == 0
    again = json.loads((project / "two" / "results.json").read_text())
    assert again["pairs"] == answer["pairs"]


def test_a_report_against_the_file_says_so_in_its_command(project, undrawn, capsys):
    shown(capsys, "report runs.csv -o one --normalize none --alpha 0.05 --n-resamples 200")
    command = json.loads((project / "one" / "results.json").read_text())["command"]
    assert command == "runoff report runs.csv --alpha 0.05 --n-resamples 200 --normalize none"


@pytest.mark.slow
def test_a_folder_of_an_answer_names_the_defaults(project, capsys):
    shown(capsys, "plan --effect 1 --std 2 -o out")
    assert "runoff.toml: --alpha 0.01" in (project / "out" / "README.txt").read_text()


def test_a_path_of_reference_scores_is_of_the_folder_of_the_file(project, monkeypatch, capsys):
    (project / "own.json").write_text('{"Pong": [-21, 21], "Qbert": [0, 1000]}')
    (project / "runoff.toml").write_text('normalize = "own.json"\n')
    (project / "deeper").mkdir()
    monkeypatch.chdir(project / "deeper")
    assert "runoff.toml: --normalize ../own.json" in answered(capsys, "aggregate ../runs.csv")["notes"][-1]


def test_the_version_names_the_file_that_holds_here(project, capsys):
    assert f"defaults: {LINE}" in shown(capsys, "--version -v")


def test_a_level_of_a_file_holds_for_batches_as_for_a_new_design(project, capsys):
    words = "sequential runs.csv --algorithms PPO,SAC --normalize none --score-unit shared"
    assert answered(capsys, words)["alpha"] == 0.01
    assert answered(capsys, words + " --alpha 0.2")["alpha"] == 0.2
