"""The public names, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import runoff as ro

PROMISED = [
    "Scores", "Curves", "read_scores", "read_curves", "load_example", "aggregate", "compare", "two_sample_test", "rank_test",
    "critical_difference", "inferential_intervals", "equivalence", "probability_of_improvement", "run_study", "report", "plots",
    "gate", "save_baseline",
]  # fmt: skip


@pytest.mark.parametrize("name", PROMISED)
def test_every_promised_name_is_there(name):
    assert name in ro.__all__
    assert getattr(ro, name) is not None


@pytest.mark.parametrize("name", sorted(set(ro.__all__) - {"__version__", "archive", "plots"}))
def test_every_public_name_has_a_docstring_that_says_what_it_answers(name):
    first = (getattr(ro, name).__doc__ or "").strip().split("\n")[0]
    assert len(first) > 15


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'agregate'"):
        _ = ro.agregate


def test_importing_runoff_loads_nothing_heavy():
    code = "import sys, runoff, runoff.pytest_plugin; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "runoff" in loaded
    assert set(loaded) & {"matplotlib", "polars", "typer", "numba", "scipy", "numpy"} == set()


def test_the_help_of_the_command_line_loads_no_numbers():
    code = (
        "import sys\nfrom runoff.cli import main\nsys.argv = ['runoff', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "sys.exit(any(m in sys.modules for m in ('numpy', 'polars', 'numba', 'scipy', 'matplotlib')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


@pytest.mark.slow
def test_a_report_without_figures_loads_no_matplotlib(tmp_path):
    code = (
        f"import sys, runoff as ro\nro.report(ro.load_example('classic_control'), {str(tmp_path / 'out')!r})\n"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


RUNS = {"A": [1.0, 2.0, 3.0], "B": [2.0, 3.0, 5.0]}
WRONG = {
    "a list of folders": (lambda: ro.scan(["a", "b"]), "path must be a folder or a log, not list"),
    "a set by its number": (lambda: ro.archive.info(1), "the archive has no set 1"),
    "no figures": (lambda: ro.report(RUNS, "nowhere", figures=False), "figures must name at least one of svg"),
    "no folder": (lambda: ro.report(RUNS, None), "out must be a folder, or the file of a page, not NoneType"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_argument_of_another_type_is_refused_in_a_sentence(case):
    ask, words = WRONG[case]
    with pytest.raises(ro.OptionError, match=words):
        ask()
