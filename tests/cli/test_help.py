"""The help: verbs on one screen, of each a sentence and examples that run on shipped data, and options by topic."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys

import pytest

import runoff as ro
from runoff.cli.app import EPILOG, command, run
from runoff.cli.help import parts_of

VERBS = {name: parts_of(verb.help) for name, verb in command().commands.items()}
EXAMPLES = [(name, example) for name, text in VERBS.items() for example in text.examples]
IN_HEAD = re.findall(r"^  (runoff .*)", EPILOG, re.MULTILINE)
SHELL = 'runoff() { "$PYTHON" -m runoff "$@"; }; set -e -o pipefail; '


def help_of(capsys, *words):
    assert run([*words, "--help"]) == 0
    return capsys.readouterr().out


def test_the_verbs_fit_a_screen_in_five_groups_and_no_line_is_cut(capsys):
    lines = help_of(capsys).splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
    assert [line for line in lines if re.fullmatch(r"[A-Z][a-z ]+", line)] == [
        "Report", "Compare", "Plan and watch", "Check claims and methods", "Data and programs", "Examples"
    ]  # fmt: skip
    assert [line.split()[0] for line in lines if re.match(r"  [a-z]+ +[A-Z]", line)] == list(VERBS)


def test_the_line_of_a_verb_is_one_short_imperative():
    lines = [text.sentence for text in VERBS.values()]
    assert [line for line in lines if len(line) > 55 or not re.fullmatch(r"[A-Z][^.?!]*\.", line)] == []
    # "Tests", "Testing": what a verb does, and not what the user does with it.
    assert [line for line in lines if re.match(r"\w+(s|ing)\b", line)] == []


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_begins_with_its_sentence_and_two_examples(verb, capsys):
    usage, sentence, examples, *_ = help_of(capsys, verb).split("\n\n")
    assert usage.startswith("Usage: ")
    assert sentence == VERBS[verb].sentence
    assert examples.splitlines() == ["Examples:", *(f"  {example}" for example in VERBS[verb].examples)]
    assert len(VERBS[verb].examples) == 2
    assert max(map(len, VERBS[verb].examples)) <= 110


def test_an_option_stands_under_its_topic_after_those_of_every_day(capsys):
    parts = [part.split(":\n", 1) for part in help_of(capsys, "compare").split("\n\n") if ":\n" in part]
    sections = {title: re.findall(r"^  (--[\w-]+)", rest, re.MULTILINE) for title, rest in parts}
    assert [*sections] == ["Examples", "Arguments", "Everyday options", "Question", "Choosing runs", "Reading files",
                           "Published runs", "Output"]  # fmt: skip
    assert sections["Everyday options"] == ["--normalize", "--measure", "--algorithms", "--tasks", "--control"]
    assert {"--columns", "--runs"} <= set(sections["Reading files"])
    assert {"--test", "--alpha"} <= set(sections["Question"])
    assert "--last" in sections["Choosing runs"]
    assert sections["Published runs"] == ["--against", "--protocol", "--assume-same-protocol"]
    assert sections["Output"] == ["--json", "--force"]


@pytest.mark.slow
@pytest.mark.parametrize("verb", [*VERBS, "runoff"])
def test_the_examples_run(verb, tmp_path):
    rows = {a: "".join(f"{a},t,{k},{10 * (a == 'B') + k / 7}\n" for k in range(20)) for a in "AB"}
    for path, score, own in (
        ("runs.csv", "score", "AB"),
        ("results.csv", "eval/return", "AB"),
        ("runs/base/runs.csv", "score", "A"),
        ("runs/wider/runs.csv", "score", "B"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"algorithm,task,seed,{score}\n{''.join(rows[a] for a in own)}")
    if verb == "archive":  # which writes this file, and overwrites none
        (tmp_path / "runs.csv").unlink()
    # In one shell, for the second may read what the first has written.
    lines = IN_HEAD if verb == "runoff" else VERBS[verb].examples
    words = ["bash", "-c", SHELL + "\n".join(lines)]
    ran = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"PYTHON": sys.executable}
    )
    assert (ran.returncode, ran.stdout != "") == (0, True), ran.stderr


def test_a_shipped_set_stands_where_a_path_does(capsys):
    assert run(["aggregate", "drq_dreamer", "--tasks", "walker-run", "--json"]) == 0
    assert '"algorithm": "DrQ"' in capsys.readouterr().out


def test_a_file_is_read_before_a_set_of_its_name(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drq_dreamer").write_text("algorithm,task,score\nown,t,1\nown,t,2\n")
    assert run(["aggregate", "drq_dreamer", "--json"]) == 0
    assert '"algorithm": "own"' in capsys.readouterr().out


def test_an_option_of_files_is_refused_with_a_set(capsys):
    assert run(["compare", "classic_control", "--columns", "score=return"]) == 2
    assert "--columns says how a file is read" in capsys.readouterr().err


READS = {
    name: parameter.default
    for function in (ro.Curves.final, ro.read_scores)
    for name, parameter in inspect.signature(function).parameters.items()
    if isinstance(parameter.default, str | int) and not isinstance(parameter.default, bool)
}
"""Options of reading that have a default, with it."""


@pytest.mark.parametrize("verb", ["aggregate", "compare", "report"])
def test_the_defaults_of_reading_that_the_help_tells_are_those_of_the_library(verb):
    text = {option.name: option.help for option in command().commands[verb].params if option.name in READS}
    assert {"incomplete", "format", "decimal", "runs", "unit"} <= {*text}
    for name, words in text.items():
        assert re.search(rf"default:? {re.escape(str(READS[name]))}\b", words), (name, words)
