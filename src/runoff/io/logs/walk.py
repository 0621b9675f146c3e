"""A path → the folders below it: sorted, each real folder once, hidden ones skipped, bounded."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

from runoff.errors import DataError
from runoff.io.logs.base import Folder

DEEPEST = 24
MOST_ENTRIES = 1_000_000
"""Files and folders of a tree."""
Place = tuple[Path, tuple[str, ...]]


def walk(root: Path) -> Generator[Folder, bool | None, None]:
    """Yield a folder and those inside it, parents first; of a file, a folder that holds only it. `send(True)` says not to go deeper there.

    Folders that links lead to come last, so that a folder has its own name where it has one.

    Raises
    ------
    DataError
        The tree holds more than `MOST_ENTRIES` files and folders.
    """
    if not root.is_dir():
        files = (root.name,) if root.is_file() else ()  # a pipe may never end
        yield Folder(path=root.parent, parts=(), files=files, folders=())
        return
    seen: set[tuple[int, int]] = set()
    n_entries = 0
    waiting: list[Place] = [(root, ())]
    linked: list[Place] = []
    while waiting or linked:
        path, parts = waiting.pop() if waiting else linked.pop(0)
        folder = _open(path, parts, seen)
        if folder is None:
            continue
        n_entries += len(folder.files) + len(folder.folders)
        if n_entries > MOST_ENTRIES:
            raise DataError(
                f"{root}: the tree holds more than {MOST_ENTRIES:,} files and folders; name a folder inside it."
            )
        stop = yield folder
        if stop is not True and len(parts) < DEEPEST:
            inner = [(path / name, (*parts, name)) for name in folder.folders]
            linked += [place for place in inner if place[0].is_symlink()]
            waiting += [place for place in reversed(inner) if not place[0].is_symlink()]


def _open(path: Path, parts: tuple[str, ...], seen: set[tuple[int, int]]) -> Folder | None:
    """Return a folder that was not seen before under another name; None also where it may not be read."""
    try:
        known = os.stat(path)
        with os.scandir(path) as entries:
            visible = [entry for entry in entries if not entry.name.startswith(".")]
            files = sorted(entry.name for entry in visible if entry.is_file())
            folders = sorted(entry.name for entry in visible if entry.is_dir())
    except OSError:
        return None
    if (known.st_dev, known.st_ino) in seen:
        return None
    seen.add((known.st_dev, known.st_ino))
    return Folder(path=path, parts=parts, files=tuple(files), folders=tuple(folders))
