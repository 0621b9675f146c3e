"""The map of which test runs which line, as `make mutants` asks it, and what notices a fault by hand."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

from tools import mutants
from tools.mutants import Fault

KERNEL = "src/runoff/_kernels/sums.py"
USER = "src/runoff/methods/mean.py"
TABLE = "src/runoff/methods/table.py"
READER = "src/runoff/methods/reader.py"
FILES = {
    KERNEL: "@kernel\ndef inner(x):\n    return x\n\n\n@kernel\ndef outer(x):\n    return inner(x)\n",
    USER: "from runoff._kernels.sums import outer\n\n\ndef mean(x):\n    return outer(x)\n\n\ndef other(x):\n    return x\n",
    TABLE: "LEAST = 3\nLIMITS = {\n    'least': LEAST,\n    'most': 5,\n}\n",
    READER: "from runoff.methods.table import LIMITS\n\n\ndef limit(\n    name='least',\n):\n    return (\n        LIMITS[name]\n    )\n",
}
HALF = {
    "src/half.py": "def half(x):\n    return x / 2\n\n\nNAMES = [1, 2]\n",
    "tests/test_half.py": "import half\nimport pytest\n\n\ndef test_half():\n    assert half.half(4) == 2\n\n\n"
    "def test_fails():\n    assert not half.NAMES\n\n\n"
    "@pytest.mark.parametrize('name', half.NAMES)\ndef test_names(name):\n    assert name\n",
}
CASES = """<testsuite>
<testcase classname="tests.test_a" name="test_slow" time="2.0"/>
<testcase classname="tests.test_a" name="test_quick[1]" time="0.1"/>
<testcase classname="tests.test_a" name="test_fails" time="0.1"><failure/></testcase>
</testsuite>"""


@pytest.fixture
def tests(tmp_path, monkeypatch):
    """Two tests: the slow one runs line 5 of the user, the quick one lines 5 and 9."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "junit.xml").write_text(CASES)
    with sqlite3.connect(tmp_path / "coverage.sqlite") as database:
        database.executescript(
            "CREATE TABLE file (id, path); CREATE TABLE context (id, context); CREATE TABLE line_bits (file_id, context_id, numbits);"
        )
        database.executemany("INSERT INTO file VALUES (?, ?)", [(1, USER), (2, READER)])
        runs = [(1, "test_slow", [5]), (1, "test_quick[1]", [5, 9]), (1, "test_fails", [5]), (2, "test_slow", [7, 8])]
        for i, (file, test, lines) in enumerate(runs):
            bits = sum(1 << line for line in lines).to_bytes(2, "little")
            database.execute("INSERT INTO context VALUES (?, ?)", [i, f"tests/test_a.py::{test}|run"])
            database.execute("INSERT INTO line_bits VALUES (?, ?, ?)", [file, i, bits])
    monkeypatch.chdir(tmp_path)
    return mutants.TestMap(tmp_path)


def test_what_only_an_import_runs_and_a_kernel_leave_no_traces(tests):
    assert tests.leave_traces(USER, range(5, 6))
    assert not any(
        tests.leave_traces(*place) for place in [(USER, range(1, 2)), (TABLE, range(1, 2)), (KERNEL, range(3, 4))]
    )


def test_the_tests_of_a_line_come_the_quickest_first(tests):
    assert tests.of(USER, range(5, 6)) == ["tests/test_a.py::test_quick[1]", "tests/test_a.py::test_slow"]
    assert tests.of(USER, range(9, 10)) == ["tests/test_a.py::test_quick[1]"]


@pytest.mark.parametrize("kernel", ["inner", "outer"])
def test_a_kernel_has_the_tests_of_the_lines_that_name_it_or_a_kernel_that_calls_it(tests, kernel):
    assert len(tests.of(KERNEL, {"inner": range(3, 4), "outer": range(8, 9)}[kernel])) == 2


def test_a_line_that_only_an_import_runs_has_the_tests_of_its_file(tests):
    assert len(tests.of(USER, range(1, 2))) == 2


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (TABLE, "'most': 5", "'most': 6"),
        (TABLE, "LEAST = 3", "LEAST = 4"),
        (READER, "='least'", "='most'"),
        (READER, "[name]", ""),
    ],
)
def test_a_fault_has_the_tests_that_use_what_its_statement_binds(tests, file, old, new):
    fault = Fault(file, old, new)
    assert tests.of(file, fault.lines) == ["tests/test_a.py::test_slow"]
    assert next(tests.steps(fault)) == tests.of(file, fault.lines)


@pytest.mark.parametrize(
    ("old", "new", "lines"), [("a\nb\nc", "a\nx\nc", (2, 3)), ("b\nc\n", "", (2, 4)), ("b", "b\nx", (2, 3))]
)
def test_a_fault_stands_where_the_texts_differ(tmp_path, monkeypatch, old, new, lines):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.py").write_text("a\nb\nc\nd\n")
    assert Fault("f.py", old, new).lines == range(*lines)


def test_transcripts_are_put_to_a_fault_at_once_and_no_test_is_put_to_it_twice(tests, monkeypatch):
    transcript = mutants.TRANSCRIPTS + "test_answers[a]"
    many = [f"tests/test_b.py::test_{i}" for i in range(mutants.MOST_TESTS + 5)]
    tests.seconds |= dict.fromkeys(many, 0.01) | {transcript: 9.0}
    tests.tests[USER][5] |= {*many, transcript}
    first, rest = tests.steps(Fault(USER, "return outer(x)", "return x"))
    assert transcript in first
    assert len({*first, *rest}) == len(first) + len(rest) == len(many) + 3


@pytest.mark.slow
def test_a_fault_dies_by_the_test_that_fails_with_it_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "BUILD", tmp_path)
    monkeypatch.setattr(mutants, "CHECKS", {name: ["true"] for name in mutants.CHECKS})
    for name, text in HALF.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text)
    monkeypatch.chdir(tmp_path / "tree")
    judge = mutants.Judge(
        [f"tests/test_half.py::{test}" for test in ("test_fails", "test_half", "test_names[1]", "test_names[2]")]
    )
    answers = [
        judge.outcome(Fault("src/half.py", *texts)) for texts in [("x / 2", "x * 2"), ("[1, 2]", "[2]"), ("x", "y")]
    ]
    assert answers == ["died by tests/test_half.py::test_half", "survived", "not there"]
    assert (tmp_path / "tree/src/half.py").read_text() == HALF["src/half.py"]


IN_ONE_PROCESS = """
import sys
from pathlib import Path
import pytest
sys.path[:0] = ["src", sys.argv[1]]
from tools.swapped import Mutation, Swaps

half, named = Path("src/half.py"), ["tests/test_half.py::test_fails", "tests/test_half.py::test_half"]
pairs = [("x / 2", "x * 2"), ("x / 2", "x / 2.0"), ("return x", "while True: x"), ("[1, 2]", "[2]"), ("x / 2", "2 / x")]
mutations = [Mutation(str(half), half.read_text().replace(*pair), named) for pair in pairs]
pytest.main(["-q", "-s", "--tb=no", "tests"], plugins=[Swaps(mutations, lambda _, outcome: print("\\noutcome " + outcome), 2)])
"""


@pytest.mark.slow
def test_faults_in_loaded_functions_die_by_the_tests_that_pass_without_them(tmp_path):
    for name, text in HALF.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-c", IN_ONE_PROCESS, str(mutants.ROOT)]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    outcomes = [line.removeprefix("outcome ") for line in ended.stdout.split("\n") if line.startswith("outcome ")]
    died = "died by tests/test_half.py::test_half"
    assert outcomes == [died, "survived", died, "no function", died], ended.stderr


def test_the_share_is_of_what_could_be_judged():
    outcomes = ["died by tests/a.py::test", "died by ruff", "survived", "no test", "not there", "not judged: usage"]
    assert mutants.share_of(outcomes).startswith("50% of 4 were noticed")


def test_names_of_failed_tests_may_have_the_signs_that_part_them_from_what_was_raised():
    tests = ["tests/a.py::test[a", "tests/a.py::test[a - b]"]
    assert mutants._failed("FAILED tests/a.py::test[a - b] - assert 1 - 2\nERROR tests/c.py - x\n", tests) == [
        tests[1],
        "tests/c.py",
    ]
