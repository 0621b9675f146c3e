"""What only a real process shows: what is imported, and what a closed pipe does."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.report.made import scores

HEAVY = ("numpy", "polars", "matplotlib", "scipy", "numba", "pandas", "jinja2", "runoff.data.scores")


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from runoff.cli.app import run; run(['--help']); run(['report', '--help']);"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "--resamples" in done.stdout


def test_a_reader_that_has_seen_enough_causes_no_traceback(tmp_path):
    path = tmp_path / "runs.csv"
    scores().to_frame().write_csv(path)
    command = [sys.executable, "-m", "runoff", "compare", str(path), "--resamples", "200"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        err = process.stderr.read() if process.stderr else ""
    assert "Traceback" not in err
    assert process.returncode == 0


def test_what_a_compiled_library_prints_does_not_spoil_the_answer(tmp_path):
    path = tmp_path / "runs.csv"
    scores().to_frame().write_csv(path)
    code = (
        "import os, sys, runoff.methods.compare as home; from runoff.cli.app import run; ask = home.compare;"
        "home.compare = lambda *given, **options: (os.write(1, b'noise'), ask(*given, **options))[1];"
        f"sys.exit(run(['compare', {str(path)!r}, '--json', '--resamples', '200']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(json.loads(done.stdout)["records"]) == 3
    assert "noise" in done.stderr
