"""The voice belongs to the exit: Python and all that is kept name options as Python does, the streams of the command line as it does."""

from __future__ import annotations

import ast
import json
import pickle
import re
import shlex
import subprocess
import traceback
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from copy import copy, deepcopy
from dataclasses import fields, is_dataclass, replace
from html import unescape

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff.answer.base import Result, plain
from runoff.base.signed import strict_json
from runoff.cli.app import run
from runoff.page import build
from runoff.words.speech import (
    A_RUN,
    RUN,
    Sentence,
    call,
    choice,
    in_python,
    in_shell,
    neutral,
    of_unit,
    option,
    seen_from_there,
    sided,
)
from tests.exits.methods import METHODS, design
from tests.places import SOURCE
from tests.report.made import answers_of, page_content

CALL = re.compile(r"\b[a-z_]+='\w+'|\b(?:scores|curves)\.\w+\(|\b(?:compare|aggregate|power)\([a-z]+=|\([a-z_]+=\)")
"""An argument, a method, a call: test='welch', scores.select(, compare(test=, (normalize=)."""
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+(?![\w-])")
"""An option of the command line."""
PYTHON = re.compile(r"\b\w+=(?:['\"{]|\B)|\b(?:scores|curves)\.\w+\(")
"""An argument or a method of Python."""
ROOMS = (
    "_inference/advice",
    "_inference/pairs",
    "_inference/blocked",
    "_inference/family",
    "_inference/steps",
    "methods",
    "data",
)
DOOR = SOURCE / "data" / "given.py"
"""Refuses what Python alone can give: the command line gives paths."""
FILES = [path for room in ROOMS for path in sorted((SOURCE / room).rglob("*.py")) if path != DOOR]


def texts(tree):
    """Every text of a module that a reader may see: no docstring, and none that is chosen by who is spoken to."""
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            skipped.add(id(node.body[0].value))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "choice":
            skipped |= {id(part) for part in ast.walk(node)}
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
    return [
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in skipped
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_text_shows_python_to_the_command_line(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [text for text in texts(tree) if CALL.search(text)] == []


# ── a sentence and its two voices ──────────


def test_a_sentence_is_pythons_and_keeps_the_shells():
    sentence = Sentence(f"say {option('unit', 'episode')}, or {call('compare', test='welch')}.")
    assert sentence == "say unit='episode', or compare(test='welch')."
    assert in_shell(sentence) == "say --unit episode, or runoff compare --test welch."
    assert in_shell(f"{neutral(sentence)} Or not.") == "say --unit episode, or runoff compare --test welch. Or not."
    assert f"{sentence}" + "" == sentence[:] == str(sentence) == in_python(sentence)


@pytest.mark.parametrize(
    "copied", [copy, deepcopy, lambda sentence: unpickled(sentence)], ids=["copy", "deep", "pickle"]
)
def test_a_copy_has_both_voices(copied):
    sentence = copied(Sentence(f"say {option('unit')}"))
    assert (sentence, in_shell(sentence)) == ("say unit=", "say --unit")


def unpickled(thing):
    content = pickle.dumps(thing)
    assert not leaks(content)
    return pickle.loads(content)  # noqa: S301  # made here


def test_the_other_side_of_a_sentence_has_both_voices():
    there = unpickled(seen_from_there(Sentence(f"{sided('A and B', 'B and A')}: say {option('unit')}")))
    assert (there, in_shell(there)) == ("B and A: say unit=", "B and A: say --unit")
    assert seen_from_there(there) == "A and B: say unit="


def test_names_keep_their_words_where_rows_are_episodes():
    text = of_unit(f"add {RUN}s: {A_RUN} of 'my run' ({option('runs', 'shared')})", "episode")
    assert Sentence(text) == "add episodes: an episode of 'my run' (runs='shared')"


def test_the_words_of_a_part_may_have_parts():
    within = choice(f"final({option('last', '2')})", f"runoff report {option('last', '2')}")
    assert (in_python(within), in_shell(within)) == ("final(last='2')", "runoff report --last 2")
    value = option("columns", choice("score", "return"))
    assert (in_python(value), in_shell(value)) == ("columns='score'", "--columns return")


def test_of_a_part_that_was_cut_no_mark_is_left():
    assert not leaks(Sentence(f"say {option('unit', 'episode')}"[:8]), in_shell(f"say {option('unit')}"[6:]))


WORDS_OF_A_SHELL = [
    "a b",
    'a "b"',
    "it's",
    "a$HOME",
    "`id`",
    "a\\",
    "both \"'",
    "a!b",
    "*",
    "ä (↓)",
    "~",
    "a;b",
    "a>b",
    "-1",
]


def test_a_value_of_an_option_is_one_word_of_the_shell_as_it_is():
    shown = [in_shell(option("keys", value)) for value in WORDS_OF_A_SHELL]
    assert [shlex.split(text) for text in shown] == [["--keys", value] for value in WORDS_OF_A_SHELL]
    line = f"printf '%s\\n' {' '.join(shown)}"
    read = subprocess.run(["sh", "-c", line], capture_output=True, check=True, text=True).stdout
    assert read.splitlines()[1::2] == WORDS_OF_A_SHELL


@pytest.mark.parametrize("kind", [ro.DataError, ro.DesignError, ro.OptionError, ro.OutputError, ro.RunoffWarning])
def test_an_error_speaks_python_and_tells_the_shell_its_words(kind):
    error = unpickled(kind(f"say {option('unit')}."))
    assert (str(error), error.args) == ("say unit=.", ("say unit=.",))
    assert in_shell(error.args[0]) == "say --unit."
    assert not leaks(repr(error), f"{error}", "".join(traceback.format_exception(error)))
    with pytest.raises(kind, match=r"^say unit=\.$"):
        raise error


def test_an_error_of_another_process_keeps_its_words():
    with ProcessPoolExecutor(1) as pool, pytest.raises(ro.OptionError) as refusal:
        pool.submit(ro.compare, {"a": [1.0, 2.0], "b": [2.0, 3.0]}, over="runs", cluster={"x": "y"}).result()
    assert "use over='tasks' with it" in str(refusal.value)
    assert "use --over tasks with it" in in_shell(refusal.value.args[0])


def test_a_long_refusal_is_shortened_in_each_voice():
    error = ro.DataError(f"{'x' * 1000} {'word ' * 100} {option('unit', 'episode')}.")
    assert str(error).endswith(" unit='episode'.")
    assert in_shell(error.args[0]).endswith(" --unit episode.")
    assert max(map(len, (str(error), in_shell(error.args[0])))) <= 700


def test_a_filter_of_warnings_reads_pythons_words():
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", message="say unit=.episode")
        warnings.warn(ro.RunoffWarning(f"say {option('unit', 'episode')}"), stacklevel=1)
        warnings.warn(ro.RunoffWarning(f"say {option('unit')}"), stacklevel=1)
    assert [str(item.message) for item in given] == ["say unit="]


# ── what leaves ──────────


MARK = re.compile(r"[\U000f0000-\U0010ffff]|\\U0010fff|\\udbff\\udff", re.IGNORECASE)
IN_BYTES = re.compile(rb"\xf4\x8f\xbf[\xb0-\xbf]")


def leaks(*texts: object) -> list[object]:
    """Return texts that hold a mark of a part, or one that Python or JSON has spelled out."""
    return [t for t in texts if (IN_BYTES.search(t) if isinstance(t, bytes) else MARK.search(str(t)))]


def test_a_mark_is_seen_however_it_is_spelled():
    text = option("unit")
    assert len(leaks(text, repr(text), json.dumps(text), pickle.dumps(text))) == 4


def texts_in(value: object) -> Iterator[str]:
    """Yield every text that a result holds."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        yield from texts_in([getattr(value, own.name) for own in fields(value)])
    elif isinstance(value, tuple | list | Mapping):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(item)


def answers_to(name: str, seed: int) -> Iterator[object]:
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            yield METHODS[name](design(seed))
        except ro.RunoffError as refusal:
            yield refusal
    yield from (item.message for item in given)


UNPICKLED = ("claims", "the sets of the archive")
"""Answers that hold a mapping which nobody can change: pickle refuses it."""


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", METHODS)
def test_no_answer_of_a_method_shows_a_mark_or_speaks_shell(name):
    for answer in [answer for seed in (1, 4) for answer in answers_to(name, seed)]:
        texts = [str(answer), repr(answer)]
        if isinstance(answer, Result):
            texts += [
                json.dumps(plain(answer.to_records())),
                answer._repr_html_(),
                answer.to_latex(),
                answer.to_markdown(),
            ]
            texts += [json.dumps(plain(getattr(answer, "advice", ())))]
            texts += [repr(text) for text in texts_in(answer) if isinstance(text, Sentence)]
        pickled = "" if name in UNPICKLED else pickle.dumps(answer)
        assert leaks(*texts, *texts_in(answer), pickled) == []
        assert [text for text in texts if OPTION.search(text)] == []


def test_where_every_algorithm_lacks_a_task_there_are_no_others():
    data = ro.Scores.from_dict({"A": {"x": [1.0, 2.0], "y": [1.0, 3.0]}, "B": {"x": [2.0, 4.0], "z": [1.0, 2.0]}})
    text = next(item.text for item in ro.compare(data).advice if item.code == "R012")
    assert text.startswith("do not compare the aggregates of 'A', 'B' with each other: ")


# ── the command line ──────────


@pytest.fixture
def files(tmp_path):
    draw = np.random.default_rng(0)
    rows = [
        (a, t, s, draw.normal(i, 1 + 9 * i) * 10**k)
        for i, a in enumerate("ABC")
        for k, t in enumerate("xy")
        for s in range(3)
    ]
    pl.DataFrame(rows, ["algorithm", "task", "seed", "score"], orient="row").write_csv(tmp_path / "runs.csv")
    curves = [(*row[:3], step, row[3] * step) for row in rows for step in range(5 if row[2] else 4)]
    pl.DataFrame(curves, ["algorithm", "task", "seed", "step", "score"], orient="row").write_csv(
        tmp_path / "curves.csv"
    )
    (tmp_path / "design.toml").write_text("looks = [3, 6]\n", encoding="utf-8")
    (tmp_path / "table.md").write_text(
        "| | x | y |\n|-|-|-|\n| A | 1.2 ± 0.3 | 4 ± 1 |\n| B | 2.0 ± 0.4 | 5 ± 2 |\n", encoding="utf-8"
    )
    return tmp_path


CALLS = """
aggregate RUNS --n-resamples 200
compare RUNS --n-resamples 200
compare RUNS --over tasks
compare RUNS --where A B
compare RUNS --unit episode
compare RUNS --measure iqm
compare RUNS --test welch --cluster task
compare CURVES --n-resamples 200
rank RUNS --n-resamples 200
curves CURVES --steps 3
plan RUNS --algorithms A,B
plan RUNS --effect 1 --effect-unit sd --algorithms A,B --n-repeats 100
sequential DESIGN RUNS
anytime RUNS
check RUNS --n-repeats 20 --n-resamples 100 --n-runs 3
scan CURVES
archive alm
gate RUNS RUNS --margin 0.5 --algorithm A --candidate-algorithm C
gate RUNS RUNS --margin 0.5
claims TABLE
claims TABLE --n-runs 5
report RUNS -o OUT --n-resamples 200
report CURVES -o OUT --n-resamples 200
tuning RUNS --config seed
reproduce RUNS alm
"""


@pytest.mark.sampled(6)
@pytest.mark.parametrize("json_too", [False, True], ids=["terminal", "json"])
@pytest.mark.parametrize("words", CALLS.strip().splitlines())
def test_the_streams_of_a_verb_speak_shell_and_its_json_python(words, json_too, files, capsys):
    places = {"RUNS": "runs.csv", "CURVES": "curves.csv", "DESIGN": "design.toml", "TABLE": "table.md", "OUT": "out"}
    run([str(files / places[word]) if word in places else word for word in words.split()] + ["--json"] * json_too)
    shown = capsys.readouterr()
    assert leaks(shown.out, shown.err) == []
    assert PYTHON.findall(shown.err) == []
    # The command of a report, and a refusal, which is about a command, are of the shell.
    refused = '"schema": "runoff.refusal/' in shown.out
    kept = [line for line in shown.out.splitlines() if not line.startswith(' "command": ') and not refused]
    assert (OPTION if json_too else PYTHON).findall("\n".join(kept)) == []
    left = [path for path in files.rglob("*") if path.suffix in (".json", ".csv", ".tex", ".txt", ".svg", ".html")]
    assert leaks(*(path.read_text(encoding="utf-8") for path in left)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["runs.csv", "curves.csv"])
def test_a_report_of_the_command_line_holds_what_one_of_python_holds(name, files, capsys):
    assert run(["report", str(files / name), "-o", str(files / "shell"), "--n-resamples", "200"]) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        ro.report(
            (ro.read_curves if name == "curves.csv" else ro.read_scores)(files / name),
            files / "python",
            n_resamples=200,
        )
    assert leaks(capsys.readouterr().out) == []
    shell, python = ((files / side / "report.html").read_text(encoding="utf-8") for side in ("shell", "python"))
    assert PYTHON.findall(visible(shell)) == OPTION.findall(visible(python)) == []
    for path in sorted((files / "python").rglob("*.*")):
        texts = [
            (files / side / path.relative_to(files / "python")).read_text(encoding="utf-8")
            for side in ("shell", "python")
        ]
        if path.name == "results.json":
            texts = [json.dumps(json.loads(text) | {"command": ""}) for text in texts]
        assert leaks(*texts) == []
        assert texts[0] == texts[1] or path.suffix == ".html" or path.name.startswith("."), path.name


def test_the_records_of_the_command_line_are_those_of_python(files, capsys):
    assert run(["compare", str(files / "runs.csv"), "--json"]) == 0
    answer = ro.compare(files / "runs.csv")
    shown = json.loads(capsys.readouterr().out)
    assert strict_json(shown["records"]) == strict_json(answer.to_records())
    assert strict_json(shown["advice"]) == strict_json(plain(answer.advice))


def test_a_page_speaks_as_the_command_that_it_shows():
    shell, python = (
        build(replace(answers_of(design(1)), command=command)) for command in ("runoff report x.csv", "ro.report(x)")
    )
    assert PYTHON.findall(visible(shell)) == OPTION.findall(visible(python)) == []
    assert not any(leaks(page, *map(str, page_content(page).values())) for page in (shell, python))


def visible(page: str) -> str:
    return unescape(re.sub(r"(?s)<(script|style|svg).*?</\1>|<pre.*?</pre>|<code.*?</code>|<[^>]+>", " ", page))


def test_a_sentence_that_is_called_says_that_it_is_a_text():
    pair = ro.compare({"A": [1.0, 2.0, 3.0], "B": [3.0, 5.0, 9.0]})["A", "B"]
    with pytest.raises(TypeError, match="a sentence is a text already: leave out the parentheses"):
        pair.sentence()
