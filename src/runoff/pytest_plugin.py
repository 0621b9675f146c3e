"""The gate in pytest: a fixture, a marker with its options, and one table of all gates at the end of the session.

Every pytest beside which runoff is installed loads this module, so nothing that computes is loaded before a test uses the fixture.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from runoff.errors import RunoffError
from runoff.words.names import BLOCKING, FAILING

if TYPE_CHECKING:
    from runoff.answer.gate import GateResult, GateRow
    from runoff.data.given import ScoresLike
    from runoff.words.names import GateCall

NAME = "runoff_gate"
"""The name of the fixture, of the marker, and of the property in which a test report keeps the table."""
HEADS = ("task", "sample", "drop", "at most", "margin", "verdict")
LEFT = (0, len(HEADS) - 1)
"""Columns of words."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("runoff").addoption(
        "--runoff-fail-on",
        action="append",
        default=[],
        choices=FAILING,
        help="Gates fail on this verdict too, beside regressed; repeatable.",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{NAME}(baseline=..., margin=..., policy=..., fail_on=..., ...): options of the fixture {NAME}, which are those of runoff.gate; a "
        "relative baseline or policy lies beside pytest's configuration.",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refuse a marked test that gates nothing, and options that mean nothing, before hours of training."""
    if any(mark.name == NAME for mark in item.own_markers) and NAME not in getattr(item, "fixturenames", ()):
        raise _failed(
            f"the test is marked with options and does not use the fixture: take {NAME} as an argument, and call it."
        )


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Fail a test that has passed, took the fixture and never called it: it gated nothing. Comes after the test, if that did not fail."""
    gate = getattr(item, "funcargs", {}).get(NAME)
    if isinstance(gate, Gate) and not gate.calls:
        raise _failed(
            f"the test takes the fixture and never calls it, so nothing was gated: call {NAME}(candidate, ...)."
        )


@pytest.fixture
def runoff_gate(request: pytest.FixtureRequest) -> Gate:
    """Gate a candidate: runoff_gate(candidate, baseline=..., margin=...) returns a GateResult, and fails the test if it has regressed.

    Options of the marker runoff_gate are its defaults; those of the call and of nearer markers come first.
    """
    options: dict[str, Any] = {}
    for mark in reversed(list(request.node.iter_markers(NAME))):  # the nearest last
        if mark.args:
            raise _failed(f"the marker takes options by name, as margin=0.1, and {mark.args[0]!r} has none.")
        options |= mark.kwargs
    _answered(lambda: _refuse_unknown(options, f"an option of the marker {NAME}"))
    for name in ("baseline", "policy"):
        if isinstance(options.get(name), str | Path):
            options[name] = _beside(request.config.rootpath, options[name], name)
    fails = tuple(request.config.getoption("--runoff-fail-on"))
    return Gate(options=options, fails=fails, kept=request.node.user_properties)


@dataclass(frozen=True, kw_only=True)
class Gate:
    """What the fixture is: `runoff.gate` of a candidate, with options that are known before."""

    options: Mapping[str, Any]
    fails: tuple[GateCall, ...]
    kept: list[tuple[str, object]]
    calls: list[object] = field(default_factory=list)
    """The candidates so far."""

    def __call__(self, candidate: ScoresLike, baseline: ScoresLike | None = None, **options: Any) -> GateResult:
        """Return the answer, or fail the test: in a sentence for each record that fails, or in the one of a refusal."""
        from runoff.methods.gate import gate

        self.calls.append(candidate)
        of_call = options if baseline is None else {"baseline": baseline, **options}
        _answered(lambda: _refuse_unknown(of_call, f"an option of {NAME}"))
        wanted = {**self.options, **of_call}
        if "baseline" not in wanted:
            raise _failed("the candidate has no baseline: name one in the marker or the call (baseline=).")
        fails: tuple[GateCall, ...] = _answered(lambda: _calls(wanted.get("fail_on", ())))
        of_gate = {name: value for name, value in wanted.items() if name != "fail_on"}
        result: GateResult = _answered(lambda: gate(candidate=candidate, **of_gate))
        self.kept.extend((NAME, _cells(record)) for record in result.rows)
        failed = [record for record in result if record.verdict in {*BLOCKING, *self.fails, *fails}]
        if failed:
            raise _failed("\n".join(record.sentence for record in failed))
        return result


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the table; with xdist only the process that has a terminal does."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    last = {report.nodeid: report for report in reports if getattr(report, "when", None) == "teardown"}
    gates = {
        node: rows
        for node, report in sorted(last.items())
        if (rows := [row for name, row in report.user_properties if name == NAME])
    }
    if gates:
        terminalreporter.section("runoff gates")
        for line in _table(gates):
            terminalreporter.write_line(line)


def _table(gates: Mapping[str, Sequence[Sequence[str]]]) -> list[str]:
    """Return the lines of the table: below the name of each test a row for each of its records."""
    every = [HEADS, *(row for rows in gates.values() for row in rows)]
    widths = [max(len(row[i]) for row in every) for i in range(len(HEADS))]

    def line(row: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if i in LEFT else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  " + "  ".join(cells).rstrip()

    return [line(HEADS), *(text for node, rows in gates.items() for text in (node, *map(line, rows)))]


def _cells(record: GateRow) -> tuple[str, ...]:
    from runoff.words.numbers import digits
    from runoff.words.shorten import one_line

    every = "all tasks" if record.n_items is None else "all items"
    task = every if record.task is None else one_line(record.task)
    return (
        task,
        record.sample,
        digits(record.drop, 4),
        digits(record.drop_high, 4),
        digits(record.margin, 4),
        record.verdict,
    )


def _refuse_unknown(options: Mapping[str, Any], place: str) -> None:
    from runoff.base.validate import check_choice
    from runoff.methods.gate import gate

    names = [name for name in inspect.signature(gate).parameters if name != "candidate"]
    for name in options:
        check_choice(place, name, [*names, "fail_on"])


def _calls(fail_on: Any) -> tuple[GateCall, ...]:
    from runoff.base.validate import check_choice

    calls = fail_on if isinstance(fail_on, list | tuple | set) else [fail_on]
    for call in calls:
        check_choice("fail_on", call, ("regressed", *FAILING))
    return tuple(calls)


def _beside(root: Path, named: str | Path, role: str) -> Path:
    """Return the file of the marker, which does not depend on the folder that a test runs in; refuse one that is not there."""
    path = root / named
    if not path.exists() and not set("*?[") & set(str(named)):
        how = "; runoff gate RUNS --save FILE writes one" if role == "baseline" else ""
        raise _failed(f"{path}: there is no such file or folder, and the marker names it as the {role}{how}.")
    return path


def _answered(question: Callable[[], Any]) -> Any:
    """Return the answer; a refusal fails the test by its sentence, without pages of a traceback."""
    try:
        return question()
    except RunoffError as error:
        message = str(error)
    raise _failed(message)  # here, so that pytest shows this and not what it came from


def _failed(message: str) -> BaseException:
    """Return what fails a test by a message alone."""
    return pytest.fail.Exception(f"{NAME}: {message}", pytrace=False)
