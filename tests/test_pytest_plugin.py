"""The fixture and the marker `runoff_gate` in a project's pytest: what passes, fails and is printed, and every misuse in one sentence."""

from __future__ import annotations

import tomllib

import pytest

import runoff as ro
import runoff.pytest_plugin  # what is imported for the first time in an inner session is forgotten after it
from tests.places import ROOT

BEFORE = {"Pong": [18.0, 20.0, 19.0, 20.5, 18.5], "Qbert": [15.0, 14.1, 15.6, 16.2, 14.8]}
AFTER = {"Pong": [19.0, 18.2, 20.1, 19.4, 18.8], "Qbert": [14.6, 15.9, 15.1, 14.4, 15.3]}
WORSE = AFTER | {"Qbert": [9.0, 8.1, 9.6, 9.2, 8.8]}
GIVEN = f"import pytest\nBEFORE, AFTER, WORSE = [{{'PPO': cells}} for cells in ({BEFORE}, {AFTER}, {WORSE})]\n"
ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]


@pytest.fixture(scope="module", autouse=True)
def _loaded():
    """Load what a gate loads, for the same reason."""
    ro.gate({"PPO": BEFORE}, {"PPO": AFTER}, margin=3.0)


@pytest.fixture
def session(pytester, monkeypatch):
    """Run a file of tests in a session of its own that has this plugin and no other."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run(code, *options, way="runpytest_inprocess"):
        pytester.makepyfile(test_agent=GIVEN + code)
        quiet = ["-W", "ignore:Module already imported"]  # by this session
        return getattr(pytester, way)("-p", "runoff.pytest_plugin", *quiet, "--strict-markers", *options)

    return run


MARKED = """
@pytest.mark.runoff_gate(margin=3.0)
class TestAgent:
    def test_change(self, runoff_gate):
        assert runoff_gate(AFTER, BEFORE).verdict == "held"

    def test_break(self, runoff_gate):
        runoff_gate(WORSE, baseline=BEFORE)
"""


def test_a_candidate_that_holds_passes_and_a_regression_fails_in_its_sentences(session):
    result = session(MARKED)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["runoff_gate: On 'Qbert' the candidate has regressed: its mean is 6.2 lower*"])
    assert "Traceback" not in result.stdout.str()
    assert "pytest_plugin.py" not in result.stdout.str()


TABLE = [
    "=* runoff gates *=",
    "  task       sample *drop  at most  margin  verdict",
    "test_agent.py::TestAgent::test_break",
    "  Pong        5 / 5 *  3  held",
    "  Qbert       5 / 5 *  3  regressed",
    "  all tasks   5 / 5 *  3  regressed",
    "test_agent.py::TestAgent::test_change",
    "  Pong        5 / 5 *  3  held",
]


def test_a_table_of_all_gates_ends_the_session(session):
    result = session(MARKED)
    result.stdout.fnmatch_lines(TABLE, consecutive=True)
    assert sum("all tasks" in line for line in result.stdout.lines) == 2


@pytest.mark.slow
def test_workers_of_xdist_leave_one_table(session):
    result = session(MARKED, "-p", "xdist", "-n", "2", way="runpytest_subprocess")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(TABLE, consecutive=True)
    assert result.stdout.str().count("runoff gates") == 1


def test_a_session_without_gates_prints_no_table(session):
    result = session("def test_it(): assert AFTER")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*runoff gates*")


def test_the_nearest_marker_and_the_call_come_first(session):
    code = """
pytestmark = pytest.mark.runoff_gate(margin=50.0, baseline="nowhere.json")

@pytest.mark.runoff_gate(margin=3.0, baseline=BEFORE, n_resamples=2000)
def test_margins(runoff_gate):
    near, call = runoff_gate(AFTER), runoff_gate(AFTER, margin=2.5)
    assert (near.margin, call.margin, near.n_resamples) == (3.0, 2.5, 2000)
    own = runoff_gate(AFTER, margin={"Pong": 3, "Qbert": "4sd"})
    assert [record.margin for record in own.tasks][0] == 3
"""
    session(code).assert_outcomes(passed=1)


FEW = "\ndef test_few(runoff_gate): runoff_gate({'A': [5.5, 6.0, 9.5]}, {'A': [5.0, 7.0, 9.0]}, margin=1.0)"


@pytest.mark.parametrize(
    ("mark", "options", "failed"),
    [
        ("", [], 0),
        ("", ["--runoff-fail-on", "suspect"], 0),
        ("", ["--runoff-fail-on", "suspect", "--runoff-fail-on", "underpowered"], 1),
        ("@pytest.mark.runoff_gate(fail_on='underpowered')", [], 1),
        ("@pytest.mark.runoff_gate(fail_on=['suspect', 'underpowered'])", [], 1),
    ],
)
def test_other_calls_fail_only_if_asked(session, mark, options, failed):
    session(mark + FEW, *options).assert_outcomes(passed=1 - failed, failed=failed)


def test_a_relative_baseline_of_the_marker_lies_beside_the_configuration(session, pytester):
    ro.save_baseline({"PPO": BEFORE}, pytester.path / "baseline.json", margin=3.0)
    code = """
@pytest.mark.runoff_gate(baseline="baseline.json")
def test_elsewhere(runoff_gate, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert runoff_gate(AFTER).margin == 3.0
"""
    pytester.makeini("[pytest]")
    session(code).assert_outcomes(passed=1)


def test_a_policy_of_the_marker_lies_there_too_and_a_rule_that_is_not_shown_fails(session, pytester):
    rules = '[benchmarks.Pong]\nrule = "must not lose"\nmargin = 3.0\n[benchmarks.Qbert]\nrule = "must win"\n'
    (pytester.path / "release.toml").write_text(rules, encoding="utf-8")
    code = """
@pytest.mark.runoff_gate(policy="release.toml")
def test_release(runoff_gate, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    runoff_gate(AFTER, BEFORE)
"""
    pytester.makeini("[pytest]")
    result = session(code)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["runoff_gate: On 'Qbert' the candidate must win, and no gain is established: *"])


@pytest.mark.parametrize(
    ("mark", "call", "words"),
    [
        ("margn=3", "", "an option of the marker runoff_gate must be one of baseline, margin, *, not 'margn'. Did you mean 'margin'?"),
        ("0.5", "", "the marker takes options by name, as margin=0.1, and 0.5 has none."),
        ("baseline='none.json'", "", "*none.json: there is no such file or folder, and the marker names it as the baseline; *"),
        ("alpha=0.05", "AFTER, BEFORE", "a gate needs a margin, the smallest drop that matters, and the baseline has none: give margin='1sd'*"),
        ("margin='much'", "AFTER, BEFORE", "margin, the smallest drop that matters, must be a finite number above 0 *, not 'much'."),
        ("margin=3", "AFTER", "the candidate has no baseline: name one in the marker or the call (baseline=)."),
        ("margin=3", "AFTER, BEFORE, rgn=1", "an option of runoff_gate must be one of *, not 'rgn'. Did you mean 'rng'?"),
        ("margin=3", "{'PPO': {'Pong': [1.0, 2.0]}}, BEFORE", "the candidate lacks 'Qbert' of the baseline: *"),
        ("margin=3", "__import__('polars').DataFrame(), BEFORE", "the frame: there are no rows of data below the column names."),
        ("margin=3", "None, BEFORE", "scores are given as Scores, a data frame, *"),
        ("margin=3, fail_on='held'", "AFTER, BEFORE", "fail_on must be one of regressed, suspect, underpowered, not 'held'."),
        ("margin=3, fail_on=3", "AFTER, BEFORE", "fail_on must be one of regressed, suspect, underpowered, not 3."),
    ],
)  # fmt: skip
def test_a_misuse_is_one_sentence(session, mark, call, words):
    body = f"runoff_gate({call})" if call else "pytest.exit('hours of training')"
    result = session(f"@pytest.mark.runoff_gate({mark})\ndef test_it(runoff_gate): {body}")
    assert sum(result.parseoutcomes().values()) == 1
    pattern = f"runoff_gate: {words}".replace("[", "[[]")
    lines = result.stdout.lines
    title = next(i for i, line in enumerate(lines) if line.startswith("____"))
    result.stdout.fnmatch_lines([pattern])
    assert lines[title + 2].startswith("====")


def test_a_marked_test_without_the_fixture_fails(session):
    result = session("@pytest.mark.runoff_gate(margin=3)\ndef test_it(): ...")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["runoff_gate: the test is marked with options and does not use the fixture: *"])


def test_an_unknown_call_of_the_command_line_is_a_usage_error(session):
    result = session(FEW, "--runoff-fail-on", "held")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--runoff-fail-on: invalid choice: 'held' (choose from *suspect*underpowered*)"])


@pytest.mark.slow
def test_an_installed_runoff_brings_the_plugin_and_pytest_can_leave_it_out(pytester, monkeypatch):
    info = pytester.mkdir("site") / "agents-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: agents\nVersion: 0\n", encoding="utf-8")
    points = "".join(
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in of.items()) for group, of in ENTRY_POINTS.items()
    )
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(info.parent)
    pytester.makepyfile(GIVEN + MARKED)
    pytester.runpytest_inprocess("--strict-markers").assert_outcomes(passed=1, failed=1)
    absent = pytester.runpytest_inprocess("-p", "no:runoff")
    absent.stdout.fnmatch_lines(["*fixture 'runoff_gate' not found*"])


NEVER_CALLED = """
@pytest.fixture
def nightly(runoff_gate):
    return lambda runs: runoff_gate(runs, BEFORE, margin=3.0)

def test_calls(nightly): nightly(AFTER)
def test_forgets(runoff_gate): pass
def test_forgets_too(nightly): pass
def test_skips(runoff_gate): pytest.skip("no runs tonight")
def test_breaks(runoff_gate): raise ValueError("training broke")
"""


def test_a_test_that_takes_the_fixture_and_never_calls_it_fails(session):
    result = session(NEVER_CALLED)
    result.assert_outcomes(passed=1, failed=3, skipped=1)
    lines = [line for line in result.stdout.lines if line.startswith("runoff_gate: ")]
    assert len(lines) == 2
    assert "takes the fixture and never calls it, so nothing was gated" in lines[0]
    result.stdout.fnmatch_lines(["*ValueError: training broke"])
