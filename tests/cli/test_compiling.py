"""The first call of an installation: it says that it compiles, and compiles little."""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import pytest

pytest.importorskip("numba", reason="nothing is compiled without numba")
from numba.core import config, event

from runoff._kernels._jit import MESSAGE, Compiling
from runoff.cli.progress import progress
from tests.report.made import scores

SLOW_TO_COMPILE = ("numba.misc", "numba.cpython.unicode", "numba.np.arraymath")
"""Sorts, the error message of a sum of slices that do not fit, and reductions of arrays."""
COUNT = """
import sys
from numba.core import event
from runoff.cli.app import run
with event.install_recorder("numba:compile") as recorder:
    run(sys.argv[1:])
for _, phase in recorder.buffer:
    if phase.is_start:
        print(phase.data["dispatcher"].py_func.__module__, file=sys.stderr)
"""


def compile_once(listener: Compiling) -> None:
    """Have numba say that it compiles."""
    event.Listener.register(Compiling)
    with event.install_listener("numba:compile", listener), event.trigger_event("numba:compile"):
        pass


@pytest.mark.parametrize(("patience", "times"), [(0.0, 1), (60.0, 0)])
def test_compiling_is_said_once_where_it_takes_longer_than_one_waits(patience, times, monkeypatch, capsys):
    monkeypatch.setattr("runoff._kernels._jit.any_kept", lambda: False)
    listener = Compiling(patience)
    with progress():
        for _ in range(3):
            compile_once(listener)
    captured = capsys.readouterr()
    assert captured.err.count(MESSAGE) == times
    assert captured.out == ""


def test_compiling_is_said_of_kernels_while_a_verb_waits_and_to_nobody_else(monkeypatch, capsys):
    monkeypatch.setattr("runoff._kernels._jit.any_kept", lambda: False)
    compile_once(Compiling(0.0))
    assert logging.getLogger("runoff").handlers == []
    assert capsys.readouterr().err == ""


def test_compiling_is_not_announced_again_where_an_earlier_call_left_kernels(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path), raising=False)
    (tmp_path / "pairs_1f").mkdir()
    for times in (1, 0):
        with progress():
            compile_once(Compiling(0.0))
        assert capsys.readouterr().err.count(MESSAGE) == times
        (tmp_path / "pairs_1f" / "kept.kernel").touch()


def test_time_between_two_kernels_is_no_time_of_compiling(monkeypatch):
    times = iter([0.0, 1.0, 100.0, 102.0])
    monkeypatch.setattr("runoff._kernels._jit.perf_counter", lambda: next(times))
    listener = Compiling(60.0)
    for _ in range(
        2
    ):  # by hand: kernels of this process may be listened to already, by a listener that reads the clock too
        listener.on_start(None)
        listener.on_end(None)
    assert listener.spent == 3.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "most"),
    [("compare", 0), ("aggregate", 0), ("rank", 15), ("report", 15), ("compare --test brunner_munzel --over runs", 0)],
)
def test_the_first_call_compiles_few_kernels_and_none_that_takes_seconds(verb, most, tmp_path):
    scores(n_runs=10).to_frame().write_csv(tmp_path / "runs.csv")
    name, *options = verb.split()
    command = [sys.executable, "-c", COUNT, name, str(tmp_path / "runs.csv"), *options]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=tmp_path)
    compiled = [line for line in done.stderr.splitlines() if line.startswith(("numba.", "runoff."))]
    assert len(compiled) <= most, compiled
    assert not [name for name in compiled if name.startswith(SLOW_TO_COMPILE)]
    assert MESSAGE not in done.stdout


def test_verbs_of_closed_forms_do_without_numba_and_none_loads_the_half_second_of_scipy_stats(tmp_path):
    scores(n_runs=10).to_frame().write_csv(tmp_path / "runs.csv")
    code = (
        "import sys; from runoff.cli.app import run\n"
        "for verb in ('compare', 'aggregate'):\n"
        "    assert run([verb, sys.argv[1]]) == 0\n"
        "    assert not {'scipy.stats', 'scipy.optimize', 'numba', 'matplotlib'} & set(sys.modules), verb"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "runs.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
