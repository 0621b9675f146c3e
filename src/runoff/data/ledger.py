"""The ledger of a search: an append-only file with one line per call and its answer, safe under two processes and `kill -9`.

A call is one line, written under the lock of the file, so that its runs, the share of the error that it reserves and its answer are stored
together or not at all. Each line contains the digest of itself and of the line before, so that changed or removed lines are detected.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from runoff.base.asked import append, refuse_appending
from runoff.base.locks import locked
from runoff.base.validate import typed
from runoff.base.writing import refuse_link, unwritable
from runoff.data.protocol import TrainingSpans
from runoff.errors import DataError
from runoff.words.names import KeepMode

SCHEMA = "runoff.ledger/1"
HEAD = b'{"schema": "runoff.ledger/'
"""The first bytes of each ledger."""
NOUN = "ledger"


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerSettings:
    """The settings of a search, fixed before its first run.

    Attributes
    ----------
    beside : bool
        Champion runs count only in the confirmation during which they were made.
    proposals : int or None
        The expected number of candidates, over which mode "gain" spreads its budget.
    champion : str
        The first champion.
    read_as : tuple of str
        How the champion's scores were read; candidates must be read in the same way.
    training : TrainingSpans
        The part of training that these scores are of; those of candidates are of the same.
    """

    mode: KeepMode = "strict"
    alpha: float = 0.1
    renew: bool = False
    beside: bool = False
    lower_is_better: bool = False
    budget: int | None = None
    proposals: int | None = None
    champion: str = ""
    tasks: tuple[str, ...] = ()
    read_as: tuple[str, ...] = ()
    training: TrainingSpans = field(default_factory=TrainingSpans)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRun:
    """A run: its label and its score on each task of the ledger; higher is better."""

    run: str
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerCall:
    """One call: the new runs that it brought, and the answer.

    Attributes
    ----------
    champion : tuple of LedgerRun
        New runs of the champion.
    candidate : str or None
        None for a call that brought runs of the champion only.
    runs : tuple of LedgerRun
        New runs of the candidate.
    settings : str or None
        The digest of the candidate's settings.
    number, level : int, float
        The number of this candidate's confirmation and the share of alpha that it reserves; 0 before it begins.
    """

    champion: tuple[LedgerRun, ...] = ()
    candidate: str | None = None
    runs: tuple[LedgerRun, ...] = ()
    settings: str | None = None
    decision: str | None = None
    reason: str | None = None
    n_candidate: int = 0
    n_champion: int = 0
    number: int = 0
    level: float = 0.0


@dataclass(slots=True)
class LedgerFile:
    """The lines of a ledger; `settings` is None while the ledger is empty."""

    path: Path
    settings: LedgerSettings | None = None
    calls: list[LedgerCall] = field(default_factory=list)
    digest: str = ""

    def add(self, call: LedgerCall, settings: LedgerSettings) -> None:
        """Write a line completely or not at all; before the first line, write the settings of the search."""
        if self.settings is None:
            self._add({"schema": SCHEMA, "version": version("runoff"), **asdict(settings)})
            self.settings = settings
        self._add(asdict(call))
        self.calls.append(call)

    def _add(self, content: Mapping[str, Any]) -> None:
        digest = digest_after(self.digest, content)
        line = json.dumps({**content, "sha256": digest}, ensure_ascii=False) + "\n"
        append(self.path, line, NOUN)
        # A share of the error is spent once the answer is given, so the line outlives a power cut too.
        with self.path.open("rb") as file:
            os.fsync(file.fileno())
        self.digest = digest


def digest_after(before: str, content: Mapping[str, Any]) -> str:
    """Return the digest of a line that follows another."""
    return sha256((before + json.dumps(content, sort_keys=True)).encode()).hexdigest()[:32]


@contextmanager
def open_ledger(path: str | Path) -> Iterator[LedgerFile]:
    """Yield a ledger under its lock, so that the second of two calls reads what the first has written."""
    where = Path(path)
    refuse_appending(where, NOUN)
    with locked(where, NOUN):
        _cut_torn_line(where)
        yield read_ledger(where)


def _cut_torn_line(where: Path) -> None:
    """Remove the part of a line that a killed call left behind; that call never returned an answer."""
    refuse_link(where)
    try:
        if not where.exists():
            return
        with where.open("r+b") as file:
            content = file.read()
            if _begins_one(content) and not content.endswith(b"\n"):
                file.truncate(content.rfind(b"\n") + 1)
                os.fsync(file.fileno())
    except OSError as error:
        raise unwritable(f"the {NOUN} {where}", error) from error


def _begins_one(content: bytes) -> bool:
    """Return whether these bytes are a ledger, or as much of its first line as was written: another file is left alone."""
    return content[: len(HEAD)] == HEAD[: len(content)]


def read_ledger(where: Path) -> LedgerFile:
    """Return the contents of a ledger; refuse a file that was changed or is not a ledger."""
    ledger = LedgerFile(where)
    if not where.exists():
        return ledger
    try:
        content = where.read_bytes()
        text = content.decode("utf-8", "surrogatepass")
    except OSError as error:
        raise DataError(f"the {NOUN} {where} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise DataError(f"{where} is no {NOUN} of runoff keep: it is no text ({error}); name another file.") from error
    if not _begins_one(content):
        raise DataError(f"{where} is no {NOUN} of runoff keep, whose file comes before the runs; name another file.")
    # A line that is being written by another call is no line yet.
    lines = text.split("\n")[:-1]
    for number, line in enumerate(lines, start=1):
        fields = _line(where, number, line)
        digest = fields.pop("sha256", None)
        ledger.digest = digest_after(ledger.digest, fields)
        if digest != ledger.digest:
            raise DataError(
                f"line {number} of the {NOUN} {where} was changed, or a line before it taken out: its digest does not match its content; "
                "restore the file, or begin another."
            )
        if number == 1:
            ledger.settings = _settings(where, fields)
        else:
            ledger.calls.append(typed(LedgerCall, fields, f"{where}, line {number}"))
    return ledger


def _line(where: Path, number: int, line: str) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"line {number} of the {NOUN} {where} is damaged ({error}); restore the file.") from error
    if not isinstance(content, dict):
        raise DataError(f"line {number} of the {NOUN} {where} is none that runoff keep writes; name another file.")
    return content


def _settings(where: Path, content: dict[str, Any]) -> LedgerSettings:
    if content.pop("schema", None) != SCHEMA:
        raise DataError(f"{where} is no {NOUN} that this version of runoff keep writes ({SCHEMA}); name another file.")
    content.pop("version", None)
    settings: LedgerSettings = typed(LedgerSettings, content, f"{where}, line 1")
    return settings
