"""Python in a browser (Pyodide) has no numba, starts no thread and no process: what a page would ask runs, and gives the same numbers."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import runoff as ro

RUNS = {
    a: {t: [m + 0.3 * k + 0.1 * (k * i % 3) for k in range(4)] for i, t in enumerate("xyz", 1)}
    for a, m in (("A", 0.0), ("B", 1.0))
}
CODE = """
import json, sys, threading
import matplotlib, numpy, polars, scipy.stats

LACKING = {"numba", "llvmlite", "fcntl", "multiprocessing", "_multiprocessing", "pyarrow", "pandas"}


class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in LACKING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def start(thread):
    raise RuntimeError("can't start new thread")


sys.meta_path.insert(0, Lacking())
threading.Thread.start = start
sys.platform = "emscripten"
import runoff as ro

table, folder, runs = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
ro.report(table, folder + "/report")
ro.plots.profiles(runs).figure.savefig(folder + "/profiles.svg")
answers = [str(ro.compare(runs)), str(ro.compare(table)), ro.aggregate(runs).sentence, ro.plan(runs).sentence, ro.rank(runs).sentence]
print(json.dumps(answers))
"""


@pytest.mark.slow
def test_answers_figures_and_a_report_need_no_numba_no_thread_and_no_process(tmp_path):
    table = tmp_path / "runs.csv"
    ro.Scores.from_dict(RUNS).to_frame().write_csv(table)
    call = [sys.executable, "-c", CODE, str(table), str(tmp_path), json.dumps(RUNS)]
    ran = subprocess.run(call, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    comparisons = [str(ro.compare(RUNS)), str(ro.compare(table))]
    own = [*comparisons, ro.aggregate(RUNS).sentence, ro.plan(RUNS).sentence, ro.rank(RUNS).sentence]
    assert json.loads(ran.stdout.splitlines()[-1]) == own
    assert (tmp_path / "report" / "report.html").is_file()
    assert (tmp_path / "profiles.svg").stat().st_size > 1000
