"""Data and a report that many tests of the command line read, written once by each worker."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from pathlib import Path

import pytest

from runoff.cli.app import run
from tests.report.made import UNDRAWN, scores


@dataclass(frozen=True)
class Written:
    """The folder of a report, and what its verb printed."""

    folder: Path
    printed: str


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three algorithms on two tasks, six runs each."""
    path = tmp_path_factory.mktemp("cli") / "runs.csv"
    scores().to_frame().write_csv(path)
    return str(path)


@pytest.fixture(scope="session")
def written(table: str, tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The report of `table`, without figures."""
    folder, stdout = tmp_path_factory.mktemp("cli") / "rep", io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(stdout):
        patch.setattr(*UNDRAWN)
        assert run(["report", table, "-o", str(folder), "--n-resamples", "200"]) == 0
    return Written(folder, stdout.getvalue())
