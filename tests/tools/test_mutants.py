"""The map of which test runs which line, as `make mutants` asks it."""

from __future__ import annotations

import sqlite3

import pytest

from tools import mutants

KERNEL = "src/runoff/_kernels/sums.py"
USER = "src/runoff/methods/mean.py"
FILES = {
    KERNEL: "@kernel\ndef inner(x):\n    return x\n\n\n@kernel\ndef outer(x):\n    return inner(x)\n",
    USER: "from runoff._kernels.sums import outer\n\n\ndef mean(x):\n    return outer(x)\n\n\ndef other(x):\n    return x\n",
}
CASES = """<testsuite>
<testcase classname="tests.test_a" name="test_slow" time="2.0"/>
<testcase classname="tests.test_a" name="test_quick[1]" time="0.1"/>
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
        database.execute("INSERT INTO file VALUES (1, ?)", [USER])
        for i, (test, lines) in enumerate({"test_slow": [5], "test_quick[1]": [5, 9]}.items()):
            bits = sum(1 << line for line in lines).to_bytes(2, "little")
            database.execute("INSERT INTO context VALUES (?, ?)", [i, f"tests/test_a.py::{test}|run"])
            database.execute("INSERT INTO line_bits VALUES (1, ?, ?)", [i, bits])
    monkeypatch.chdir(tmp_path)
    return mutants.TestMap(tmp_path)


def test_the_tests_of_a_line_come_the_quickest_first(tests):
    assert tests.of(USER, range(5, 6), "mean") == ["tests/test_a.py::test_quick[1]", "tests/test_a.py::test_slow"]
    assert tests.of(USER, range(9, 10), "other") == ["tests/test_a.py::test_quick[1]"]


@pytest.mark.parametrize("kernel", ["inner", "outer"])
def test_a_kernel_has_the_tests_of_the_lines_that_name_it_or_a_kernel_that_calls_it(tests, kernel):
    assert len(tests.of(KERNEL, range(3, 4), kernel)) == 2


def test_a_line_that_only_an_import_runs_has_the_tests_of_its_file(tests):
    assert len(tests.of(USER, range(1, 2), None)) == 2
