"""Which runs lie in a tree, and whose they are: every tool looks at every folder, and each run is one tool's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from runoff.io._paths import shown
from runoff.io.logs.base import Claim, Folder, Part, Tool
from runoff.io.logs.config import NAMES as CONFIGURATIONS
from runoff.io.logs.walk import Walk
from runoff.io.logs.words import canonical
from runoff.words.words import KINDS_OF_DATA, vocabulary

PARTS_OF_A_RUN = vocabulary(
    "train training eval evals evaluation test validation log logs tb tensorboard events summaries monitor monitors csv scalars"
)
"""Canonical names of folders that are parts of the run above them."""
TABLES = (".csv", ".tsv", ".parquet", ".feather", ".arrow")
COMPANIONS = (*CONFIGURATIONS, "readme.md", "source.txt", "meta.yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The runs below some paths: the claims to read, those that a tool earlier in the registry has, and what is neither.

    given: the paths in words; base: where names are read from; strange: files that no tool knows; refused: folders that could not be
    searched, with the reason.
    """

    given: tuple[str, ...]
    base: Path
    claims: tuple[Claim, ...]
    second: tuple[Claim, ...]
    strange: tuple[str, ...]
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def place(self) -> str:
        """The words for what was given."""
        return ", ".join(self.given[:3]) + (f", … ({len(self.given)} paths)" if len(self.given) > 3 else "")

    def missed(self) -> tuple[str, ...]:
        """Return the files that no tool knows though they are called like logs that were found here, or are tables."""
        called = {part.path.name for claim in (*self.claims, *self.second) for part in claim.files}
        return tuple(
            name
            for name in self.strange
            if (last := name.rpartition("/")[2]) in called or PurePath(last).suffix.casefold() in TABLES
        )

    @property
    def folder(self) -> Path:
        """The folder below which all lies."""
        return self.base if self.base.is_dir() else self.base.parent

    @property
    def name(self) -> str:
        """The name of the folder that was given, for runs that nothing else names."""
        return self.base.name if self.base.is_dir() else ""

    def shown(self, path: Path) -> str:
        """Return a path in it as one would write it after what was given."""
        inside = len(self.given) == 1 and path.is_relative_to(self.base)
        return shown(Path(self.given[0], path.relative_to(self.base)) if inside else path)

    def not_understood(self) -> str:
        """Return the line on files that no tool knows; nothing if there are none."""
        kinds = Counter(PurePath(name).suffix.casefold() or "(no suffix)" for name in self.strange)
        if not kinds:
            return ""
        listed = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))[:8])
        more = f" and {len(kinds) - 8} more kinds" if len(kinds) > 8 else ""
        return f"not understood as runs: {len(self.strange)} file(s) ({listed}{more}), for example {self.strange[0]}"


def claim_all(paths: Sequence[str | Path], tools: Mapping[str, Tool]) -> Tree:
    """Return the runs of folders and files, sorted by path, each once.

    Raises
    ------
    DataError
        The tree is too large.
    """
    found: dict[tuple[Path, str], Claim] = {}
    strange: list[str] = []
    walk = Walk.of(paths)
    steps = walk.folders()
    folder = next(steps, None)
    while folder is not None:
        claims = [claim for tool in tools.values() for claim in tool.find(folder)]
        for claim in map(_to_run, claims):
            key = claim.path, claim.tool
            found[key] = _joined(found[key], claim) if key in found else claim
        strange += _strange(folder, claims)
        whole = any(claim.whole for claim in claims)
        try:
            folder = steps.send(whole)
        except StopIteration:
            folder = None
    first, second = _by_precedence(found.values(), list(tools))
    return Tree(
        given=tuple(map(shown, paths)),
        base=walk.base,
        claims=tuple(first),
        second=tuple(second),
        strange=tuple(strange),
        refused=tuple(walk.refused),
    )


def _to_run(claim: Claim) -> Claim:
    """Return a claim of a folder that is part of a run as one of the run; its series say which part. A file that is a run is no part."""
    path, parts, prefix = claim.path, claim.parts, ""
    if path.is_file():
        return claim
    while parts and canonical(parts[-1]) in PARTS_OF_A_RUN:
        if canonical(parts[-1]) in KINDS_OF_DATA:
            prefix = f"{parts[-1]}/{prefix}"
        path, parts = path.parent, parts[:-1]
    files = tuple(Part(path=file.path, prefix=prefix + file.prefix) for file in claim.files)
    return replace(claim, path=path, parts=parts, files=files)


def _joined(first: Claim, second: Claim) -> Claim:
    files = {file.path: file for file in (*first.files, *second.files)}
    return replace(first, files=tuple(files[path] for path in sorted(files)))


def _by_precedence(claims: Iterable[Claim], order: Sequence[str]) -> tuple[list[Claim], list[Claim]]:
    """Return the runs of the first tool that has them, and those of a second; files that an earlier tool has are no run of a later one."""
    first: list[Claim] = []
    second: list[Claim] = []
    taken: set[Path] = set()
    files: set[Path] = set()
    for claim in sorted(claims, key=lambda claim: (order.index(claim.tool), claim.path)):
        own = {part.path for part in claim.files}
        if own <= files:
            continue
        (second if claim.path in taken else first).append(claim)
        taken.add(claim.path)
        files |= own
    return sorted(first, key=lambda claim: claim.path), second


def _strange(folder: Folder, claims: Sequence[Claim]) -> list[str]:
    if any(claim.whole for claim in claims):
        return []
    known = {file.path.name for claim in claims for file in claim.files}
    return [
        "/".join((*folder.parts, name))
        for name in folder.files
        if name not in known and name.casefold() not in COMPANIONS
    ]
