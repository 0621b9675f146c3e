"""Whatever is wrong with a file: every verb answers, or refuses in one sentence, in time and within memory; and no score vanishes unsaid."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import resource
import signal
import tempfile
import traceback
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from runoff.cli.app import run
from runoff.errors import RunoffError
from runoff.reading.read import read_runs
from tests.properties.mutants import Case, case

SECONDS, MEMORY = 60, 4 << 30
N_CASES, N_SHORT, BATCH = 10_000, 40, 50


class TooLongError(BaseException):
    """A case took more than its time; no handler of errors may catch it."""


def _too_long(*_: object) -> None:
    raise TooLongError


def dropped(own: Case) -> str:
    """Return what is wrong with what was read of a table: a score that is neither there nor spoken of."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            read = read_runs(own.path)
        except RunoffError:
            return ""
    spoken = " ".join([*read.provenance.notes, *(str(warning.message) for warning in heard)])
    lost = set(own.scores) - set(read.values.tolist())
    return f"scores lost: {sorted(lost)[:3]}" if lost and "left out" not in spoken else ""


def fault_of(own: Case) -> str:
    """Return what a case shows that must not be, nothing if all is well."""
    out, errors = io.StringIO(), io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        warnings.simplefilter("ignore")
        try:
            code = run(own.command)
            lost = dropped(own) if own.scores else ""
        except TooLongError:
            return "takes too long"
        except BaseException:
            return traceback.format_exc(limit=-3)
    refusals = [line for line in errors.getvalue().splitlines() if line.startswith("error:")]
    sentence = code in (0, 1) or len(refusals) == 1
    return lost if sentence else lost or f"exit {code}, and {errors.getvalue()[-300:]!r}"


def faults(first: int, n: int) -> list[str]:
    """Return the faults of n cases."""
    signal.signal(signal.SIGALRM, _too_long)
    faulty = []
    for number in range(first, first + n):
        with tempfile.TemporaryDirectory() as folder:
            own = case(number, Path(folder))
            signal.alarm(SECONDS)
            fault = fault_of(own)
            signal.alarm(0)
        faulty += [f"case {number}: {own.what}: {' '.join(own.command)}\n{fault}"] if fault else []
    return faulty


def bounded_faults(first: int) -> list[str]:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    return faults(first, BATCH)


def test_a_file_with_something_wrong_is_answered_or_refused():
    assert faults(0, N_SHORT) == []


@pytest.mark.slow
@pytest.mark.long
def test_ten_thousand_files_with_something_wrong_are_answered_or_refused():
    """A process that dies, or does not end, is one that fails here."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        batches = pool.map(bounded_faults, range(0, N_CASES, BATCH), timeout=3600)
        assert [fault for batch in batches for fault in batch] == []
