"""The basic types of logs: folders, claims of tools on runs, logs that are read, and events while reading.

A tool sees folders (`Folder`), claims the runs in them (`Claim`) and reads a claim into logs (`Log`): series of numbers by name, the
configuration of the run, and what happened while reading (`Happening`), which a policy puts into a sentence. Nothing here knows algorithms,
tasks or scores.
"""

from __future__ import annotations

import re
import tomllib
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from runoff.base.arrays import Floats
from runoff.base.grouping import grouped
from runoff.errors import DataError
from runoff.reading._paths import GZIP, shown
from runoff.words.labels import FAILED
from runoff.words.names import UnitName
from runoff.words.speech import option, series_option
from runoff.words.words import canonical

# Enough for the first lines of every text log and for the head of a CSV file with some thousand columns; a tree of
# 10,000 logs is then looked at by reading 640 MB at most, however long the logs are.
HEAD = 65_536
"""The number of bytes of a file that a tool may examine before it claims the file."""
MOST_HEADS = 16
"""Files of a folder whose first bytes are kept until all tools have looked at it."""

BOM = b"\xef\xbb\xbf"


def head_of(path: Path) -> bytes:
    """Return the first bytes of a file; nothing if it cannot be read, or is not a regular file (a pipe may never end)."""
    try:
        if not path.is_file():
            return b""
        with open(path, "rb") as stream:
            return stream.read(HEAD).removeprefix(BOM)
    except OSError:
        return b""


class SeveralRuns(DataError):
    """Raised if the rows of a log name several runs, as those of a table do."""


class WithoutScores(SeveralRuns):
    """Raised if no log has a score, or a cost, as those of hardware, so that tables beside them may be those of the runs."""


class Deleted(DataError):
    """Raised for a run that was deleted in the tool that logged it, but still exists on disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder of the tree: its path, the names of its files and folders, sorted; `parts` are the names from the root down to it."""

    path: Path
    parts: tuple[str, ...]
    files: tuple[str, ...]
    folders: tuple[str, ...]
    heads: dict[str, bytes] = field(default_factory=dict, compare=False)
    """The first bytes of files, which many tools look at."""

    def named(self, *endings: str) -> list[str]:
        """Return the files whose names have these endings, in any case."""
        return [name for name in self.files if name.casefold().endswith(endings)]

    def head(self, name: str) -> bytes:
        """Return the first bytes of a file; nothing if it cannot be read."""
        if name in self.heads:
            return self.heads[name]
        head = head_of(self.path / name)
        if len(self.heads) < MOST_HEADS:
            self.heads[name] = head
        return head

    def opened(self, name: str) -> bytes:
        """Return the first bytes of a file that may be compressed by gzip."""
        # Published score archives are .json.gz: the part that was read is unpacked as far as it goes, and no farther
        # than a plain file would be looked at.
        head = self.head(name)
        if not head.startswith(GZIP):
            return head
        try:
            return zlib.decompressobj(wbits=31).decompress(head, HEAD)
        except zlib.error:
            return b""

    def signed(self, names: Iterable[str], *signs: bytes) -> list[str]:
        """Return the names that are files here with one of the signs in their first bytes."""
        return [name for name in names if name in self.files and any(sign in self.head(name) for sign in signs)]

    def run(self, tool: str, files: Iterable[str | LogPart], **facts: Any) -> list[ClaimedRun]:
        """Return the folder as one run with these files, nothing if there are none; `facts` are other fields of the claim."""
        own = tuple(LogPart(self.path / file) if isinstance(file, str) else file for file in files)
        return [ClaimedRun(tool=tool, path=self.path, parts=self.parts, files=own, **facts)] if own else []

    def grouped(self, tool: str, pattern: re.Pattern[str], names: Iterable[str], label: str = "{}") -> list[ClaimedRun]:
        """Return files as runs: files whose names agree in the first group of a pattern are one run, labelled by that group."""
        runs = grouped((match[1], LogPart(self.path / match[0])) for match in map(pattern.fullmatch, names) if match)
        return [
            ClaimedRun(tool=tool, path=self.path / run, parts=(*self.parts, label.format(run)), files=tuple(files))
            for run, files in runs.items()
        ]

    def file(self, tool: str, name: str, label: str | None = None) -> ClaimedRun:
        """Return a file as a claim of its own, named by the file or by a label."""
        path = self.path / name
        return ClaimedRun(tool=tool, path=path, parts=(*self.parts, label or name), files=(LogPart(path),))

    def alone(self, tool: str, names: Iterable[str]) -> list[ClaimedRun]:
        """Return files as claims of their own, named by the files without suffix."""
        return [self.file(tool, name, Path(name).stem) for name in names]


@dataclass(frozen=True, slots=True)
class LogPart:
    """A file of a run; `prefix` precedes the names of its series ("eval/" for files in a folder eval)."""

    path: Path
    prefix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedRun:
    """A run found by a tool: its folder (or file), the names on the path to it, and its files; whole: everything below belongs to the tool
    as well; identity: the same for claims of the tool that are of this run, None for the path."""

    tool: str
    path: Path
    parts: tuple[str, ...]
    files: tuple[LogPart, ...]
    whole: bool = False
    identity: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder of the run, or that of its file."""
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def place(self) -> str:
        """The place of the run below the root of the tree, in words."""
        return shown("/".join(self.parts) or self.path.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series of numbers, in the order of the file: float64 arrays of one length; time in seconds since the run began, NaN where unknown."""

    step: Floats
    value: Floats
    time: Floats | None = None
    episodes: Floats | None = None

    @property
    def extent(self) -> Extent:
        """The number of points and the last step."""
        return Extent(points=self.step.size, last=float(self.step[-1]) if self.step.size else float("nan"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """The facts about a series that is not kept: its number of points and its last step."""

    points: int
    last: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """An event while reading a log that a policy (`POLICIES`) describes: how often it happened, and the places in words."""

    policy: str
    count: int = 1
    where: str = ""


def damage(*, torn: str = "", malformed: int = 0, where: str = "") -> tuple[Happening, ...]:
    """Return the events of unreadable records: the last one was cut off (`torn` says where), and `malformed` others are malformed."""
    happened = [Happening(policy="torn", where=torn)] if torn else []
    return (*happened, *([Happening(policy="malformed", count=malformed, where=where)] if malformed else []))


def ended(status: Any) -> tuple[Happening, ...]:
    """Return the event of a run by the status that its tool wrote; a run still in progress is judged by its last step."""
    # RUNNING and PENDING are also what a killed process leaves behind: such a run is not called failed, for its last
    # step says how far it came.
    failed = canonical(str(status)) in FAILED - {"running", "pending"}
    return (Happening(policy="failed", where=str(status)),) if failed else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """The content of one run's log: the `extents` of all series, and the requested `series`.

    `names` is {role: name} of algorithm, task and run, as far as the tool knows them for certain, and `config` the flat configuration by
    dotted names. `inner` are the words for this run among several in one file, `axis` the series that counts the steps (None for the tool's
    own count), and `hints` names of the run that may be used like the name of a folder.
    """

    claim: ClaimedRun
    names: Mapping[str, str] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    extents: Mapping[str, Extent] = field(default_factory=dict)
    series: Mapping[str, Series] = field(default_factory=dict)
    happened: tuple[Happening, ...] = ()
    inner: str = ""
    axis: str | None = None
    hints: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The place of the run below the root of the tree, in words."""
        return f"{self.claim.place}, {self.inner}" if self.inner else self.claim.place


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A request to a log: the series that `keep` accepts, against the steps of the series `axis` (None for the tool's own); `score` is the
    series that the user names.

    `unit` is the meaning of a row if a log contains the episodes of a policy: the policy, with their mean, or each episode. `settings` name
    the configuration of runs even if all have the same; those in `unused` do not count; `names` are those that name the runs, {role: setting}.
    """

    keep: Callable[[str], bool]
    axis: str | None = None
    score: str | None = None
    unit: UnitName = "run"
    settings: frozenset[str] = frozenset()
    unused: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool that writes logs.

    `layout` describes its files in one sentence; `find` returns the runs in one folder, by names and first bytes; `read` returns the logs of
    a run, and raises a `DataError` with the place if it cannot.
    """

    title: str
    layout: str
    find: Callable[[Folder], Sequence[ClaimedRun]]
    read: Callable[[ClaimedRun, Wish], Sequence[Log]]


# ── what happens to a log ──────────


_HAPPENINGS = tomllib.loads(files("runoff.reading.logs").joinpath("happenings.toml").read_text(encoding="utf-8"))
POLICIES: Mapping[str, str] = {name: what["says"] for name, what in _HAPPENINGS.items()}
"""The sentences on events, in their order."""
WARN = frozenset(name for name, what in _HAPPENINGS.items() if what.get("warns"))
"""The policies after which the answer may differ from what the user expects."""
EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence for all runs with the same event."""

    text: str
    warns: bool


def tell(happened: Iterable[tuple[str, Happening]]) -> list[Message]:
    """Return a sentence for each policy that was applied, from pairs (place, event), naming the first places."""
    # Logs are read in threads, so what happened comes in any order.
    in_order = sorted(happened, key=lambda entry: (entry[0], entry[1].where))
    by_policy = grouped((entry[1].policy, entry) for entry in in_order)
    messages = []
    for policy in (policy for policy in POLICIES if policy in by_policy):
        entries = by_policy[policy]
        runs, count = len({place for place, _ in entries}), sum(happening.count for _, happening in entries)
        examples = [f"{place}: {what.where}" if what.where else place for place, what in entries[:EXAMPLES]]
        more = "for example " if len(entries) > EXAMPLES else ""
        options = {"series": series_option(), "episode": option("unit", "episode")}
        sentence = POLICIES[policy].format(runs=runs, count=f"{count:,}", **options)
        messages.append(Message(f"{sentence} ({more}{'; '.join(examples)})", warns=policy in WARN))
    return messages
