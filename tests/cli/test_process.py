"""What streams and imports show: what is loaded for help, and what a closed pipe does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from runoff.cli.about import lines

HEAVY = ("numpy", "polars", "matplotlib", "scipy", "numba", "pandas", "jinja2", "runoff.data.scores")


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from runoff.cli.app import run; run(['--help']); run(['report', '--help']);"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "--n-resamples" in done.stdout


def test_a_reader_that_has_seen_enough_causes_no_traceback():
    command = [sys.executable, "-m", "runoff", "archive"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        err = process.stderr.read() if process.stderr else ""
    assert "Traceback" not in err
    assert process.returncode == 0


@pytest.mark.parametrize(("value", "end"), [("3", "3 threads (RUNOFF_THREADS)"), (None, "threads (one per core)")])
def test_the_facts_of_a_report_say_what_sets_the_threads(monkeypatch, value, end):
    monkeypatch.delenv("RUNOFF_THREADS", raising=False)
    if value:
        monkeypatch.setenv("RUNOFF_THREADS", value)
    assert list(lines())[-1].endswith(end)
