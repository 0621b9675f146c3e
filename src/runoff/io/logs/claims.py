"""Which runs lie in a tree, and whose they are: every tool looks at every folder, and each run is one tool's."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from runoff.io.logs.base import Claim, Folder, Part, Tool
from runoff.io.logs.config import NAMES as CONFIGURATIONS
from runoff.io.logs.walk import walk
from runoff.io.logs.words import canonical, listed

PARTS_OF_A_RUN = listed(
    "train training eval evals evaluation test validation log logs tb tensorboard events summaries monitor monitors csv scalars"
)
"""Canonical names of folders that are parts of the run above them."""
KINDS_OF_DATA = listed("train training eval evals evaluation test validation")
"""Those of them that say what their series are of."""
COMPANIONS = (*CONFIGURATIONS, "readme.md", "source.txt", "meta.yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The runs of a tree: the claims to read, those that a tool earlier in the registry has, and the files that no tool knows."""

    root: Path
    claims: tuple[Claim, ...]
    second: tuple[Claim, ...]
    strange: tuple[str, ...]

    def not_understood(self) -> str:
        """Return the line on files that no tool knows; nothing if there are none."""
        kinds = Counter(PurePath(name).suffix.casefold() or "(no suffix)" for name in self.strange)
        if not kinds:
            return ""
        listed = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))[:8])
        more = f" and {len(kinds) - 8} more kinds" if len(kinds) > 8 else ""
        return f"not understood as runs: {len(self.strange)} file(s) ({listed}{more}), for example {self.strange[0]}"


def together(trees: Sequence[Tree]) -> Tree:
    """Return several trees as one, each run once."""
    if len(trees) == 1:
        return trees[0]
    root = Path(os.path.commonpath([os.path.abspath(tree.root) for tree in trees]))
    return Tree(
        root=root,
        claims=tuple(
            sorted({claim for tree in trees for claim in tree.claims}, key=lambda claim: (str(claim.path), claim.tool))
        ),
        second=tuple(
            sorted({claim for tree in trees for claim in tree.second}, key=lambda claim: (str(claim.path), claim.tool))
        ),
        strange=tuple(sorted({name for tree in trees for name in tree.strange})),
    )


def claim_all(root: Path, tools: Mapping[str, Tool]) -> Tree:
    """Return the runs of a tree, sorted by path.

    Raises
    ------
    DataError
        The tree is too large.
    """
    found: dict[tuple[Path, str], Claim] = {}
    strange: list[str] = []
    steps = walk(root)
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
    return Tree(root=root, claims=tuple(first), second=tuple(second), strange=tuple(strange))


def _to_run(claim: Claim) -> Claim:
    """Return a claim of a folder that is part of a run as one of the run; its series say which part."""
    path, parts, prefix = claim.path, claim.parts, ""
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
    first: list[Claim] = []
    second: list[Claim] = []
    taken: set[Path] = set()
    files: set[Path] = set()
    for claim in sorted(claims, key=lambda claim: (claim.path, order.index(claim.tool))):
        own = {part.path for part in claim.files}
        if claim.path not in taken:
            first.append(claim)
        elif not own <= files:
            second.append(claim)
        taken.add(claim.path)
        files |= own
    return first, second


def _strange(folder: Folder, claims: Sequence[Claim]) -> list[str]:
    if any(claim.whole for claim in claims):
        return []
    known = {file.path.name for claim in claims for file in claim.files}
    return [
        "/".join((*folder.parts, name))
        for name in folder.files
        if name not in known and name.casefold() not in COMPANIONS
    ]
