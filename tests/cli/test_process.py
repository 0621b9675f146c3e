"""What streams and imports show: what is loaded for help, what a closed pipe does, and what libraries print."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from runoff.cli.app import run
from runoff.methods.compare import compare

HEAVY = ("numpy", "polars", "matplotlib", "scipy", "numba", "pandas", "jinja2", "runoff.data.scores")


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from runoff.cli.app import run; run(['--help']); run(['report', '--help']);"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "--resamples" in done.stdout


def test_a_reader_that_has_seen_enough_causes_no_traceback(table):
    command = [sys.executable, "-m", "runoff", "compare", table, "--resamples", "200"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        err = process.stderr.read() if process.stderr else ""
    assert "Traceback" not in err
    assert process.returncode == 0


def test_what_a_compiled_library_prints_does_not_spoil_the_answer(table, monkeypatch, capfd):
    def noisy(*data, **options):
        os.write(1, b"noise")
        return compare(*data, **options)

    monkeypatch.setattr("runoff.methods.compare.compare", noisy)
    assert run(["compare", table, "--json", "--resamples", "200"]) == 0
    captured = capfd.readouterr()
    assert len(json.loads(captured.out)["records"]) == 3
    assert "noise" in captured.err
