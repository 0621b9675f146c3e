"""Paths → the folders below them: sorted, each real folder once, hidden ones skipped, bounded; names are read from the common folder on."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from runoff.errors import DataError
from runoff.io._paths import unreadable
from runoff.io.logs.base import Folder

DEEPEST = 24
MOST_ENTRIES = 1_000_000
"""Files and folders of a tree."""
Place = tuple[Path, tuple[str, ...]]


@dataclass(slots=True)
class Walk:
    """A walk through folders and single files; `base` is the folder, or the one file, from which on names are read.

    `refused` has what could not be walked, with the reason.
    """

    base: Path
    starts: tuple[Path, ...]
    refused: list[tuple[str, str]] = field(default_factory=list)
    _seen: set[tuple[int, int]] = field(default_factory=set)

    @classmethod
    def of(cls, paths: Sequence[str | Path]) -> Walk:
        """Return the walk through paths that exist; each is taken once."""
        starts = tuple(dict.fromkeys(Path(os.path.abspath(path)) for path in paths))
        if len(starts) == 1:
            return cls(starts[0], starts)
        return cls(Path(os.path.commonpath([start if start.is_dir() else start.parent for start in starts])), starts)

    @property
    def folder(self) -> Path:
        """The folder below which all lies."""
        return self.base if self.base.is_dir() else self.base.parent

    def folders(self) -> Generator[Folder, bool | None, None]:
        """Yield the folders, parents first, then of each folder the single files as a folder of them. `send(True)` says not to go deeper.

        Folders that links lead to come last, so that a folder has its own name where it has one.

        Raises
        ------
        DataError
            The tree holds more than `MOST_ENTRIES` files and folders.
        """
        n_entries = 0
        waiting: list[Place] = [(start, self._parts(start)) for start in reversed(self.starts) if start.is_dir()]
        linked: list[Place] = []
        while waiting or linked:
            path, parts = waiting.pop() if waiting else linked.pop(0)
            folder = self._open(path, parts)
            if folder is None:
                continue
            n_entries += len(folder.files) + len(folder.folders)
            if n_entries > MOST_ENTRIES:
                raise DataError(
                    f"{self.base}: the tree holds more than {MOST_ENTRIES:,} files and folders; name a folder inside it."
                )
            stop = yield folder
            if stop is not True:
                inner = self._inside(folder)
                linked += [place for place in inner if place[0].is_symlink()]
                waiting += [place for place in reversed(inner) if not place[0].is_symlink()]
        yield from self._single()

    def _parts(self, path: Path) -> tuple[str, ...]:
        return path.relative_to(self.folder).parts

    def _single(self) -> Generator[Folder, bool | None, None]:
        files = sorted(start for start in self.starts if start.is_file())  # a pipe may never end
        for parent, group in groupby(files, key=lambda path: path.parent):
            known = os.stat(parent)
            if (known.st_dev, known.st_ino) not in self._seen:
                yield Folder(
                    path=parent, parts=self._parts(parent), files=tuple(path.name for path in group), folders=()
                )

    def _inside(self, folder: Folder) -> list[Place]:
        if folder.folders and len(folder.parts) >= DEEPEST:
            self.refused.append(("/".join(folder.parts), f"folders are searched {DEEPEST} deep; name one inside it"))
            return []
        return [(folder.path / name, (*folder.parts, name)) for name in folder.folders]

    def _open(self, path: Path, parts: tuple[str, ...]) -> Folder | None:
        """Return a folder that was not seen before under another name; None also where it may not be read, which is noted."""
        try:
            known = os.stat(path)
            with os.scandir(path) as entries:
                visible = [entry for entry in entries if not entry.name.startswith(".")]
                files = sorted(entry.name for entry in visible if entry.is_file())
                folders = sorted(entry.name for entry in visible if entry.is_dir())
        except OSError as error:
            self.refused.append(("/".join(parts) or str(path), str(unreadable(path, error)).removesuffix(".")))
            return None
        if (known.st_dev, known.st_ino) in self._seen:
            return None
        self._seen.add((known.st_dev, known.st_ino))
        return Folder(path=path, parts=parts, files=tuple(files), folders=tuple(folders))
