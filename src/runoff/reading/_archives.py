"""Unpacking of archives (zip, tar, and tar in gzip, bzip2, xz or zstd) into a temporary folder, which is removed after reading.

The size of the content is bounded before unpacking and counted during it; names that lead out of the archive, and links, are refused.
"""

from __future__ import annotations

import io
import os
import re
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any

from runoff.base.bounds import limit, refuse_beyond
from runoff.errors import DataError
from runoff.reading._paths import ELSEWHERE, matches_of, shown
from runoff.reading._streams import DAMAGE, OPENERS, packed
from runoff.words.patterns import regex

NOT_FOLDERS = ("[Content_Types].xml", "mimetype", "META-INF/", "data.pkl", "_journal/start.json")
"""Names of members by which zip files are recognised as workbooks, documents, PyTorch files or logs of Inspect."""
HIDDEN = regex(r"(?:^|/)(?:\.|__MACOSX/)")
CHUNK = 1 << 20
BROKEN: tuple[type[Exception], ...] = (*DAMAGE, tarfile.TarError, zipfile.BadZipFile)
USTAR = slice(257, 262)
"""The position of the mark of a tar archive."""


@contextmanager
def unpacked(path: Any) -> Iterator[Any]:
    """Yield a path, or a list of paths, with each archive replaced by the folder of its files, and a pattern of folders alone by these;
    messages name the archive."""
    path = _folders_of(path) or path
    paths = [path] if isinstance(path, str | Path) else path
    if not isinstance(paths, list | tuple):
        yield path
        return
    with ExitStack() as stack:
        places = [_in_place(entry, stack) for entry in paths]
        yield places[0] if isinstance(path, str | Path) else places


def _folders_of(path: Any) -> list[str]:
    """Return what a pattern matches if it matches folders alone: `runs/ppo*` in quotes."""
    matches = matches_of(path)
    return matches if matches != [path] and all(map(os.path.isdir, matches)) else []


def _in_place(entry: Any, stack: ExitStack) -> Any:
    if not isinstance(entry, str | Path) or not os.path.isfile(entry):
        return entry
    members = _members_of(Path(entry))
    if members is None:
        return entry
    # The folder is called as the archive is, for names of folders name runs.
    stem = re.sub(r"(?:\.tar)?\.\w+$", "", Path(entry).name) or "archive"
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="runoff-"))) / stem
    folder.mkdir()
    ELSEWHERE[str(folder)] = str(entry)
    stack.callback(ELSEWHERE.pop, str(folder))
    try:
        with members as files:
            _write(files, folder, shown(entry))
    except DataError:
        raise
    except BROKEN as error:
        raise DataError(f"{shown(entry)}: the archive is damaged: {error}.") from error
    inner = sorted(folder.iterdir())
    if not inner:
        raise DataError(f"{shown(entry)}: the archive holds no files.")
    return inner[0] if len(inner) == 1 and inner[0].is_file() else folder


Member = tuple[str, IO[bytes]]
"""The name of a file in an archive, and its bytes."""


def _members_of(path: Path) -> AbstractContextManager[Iterator[Member]] | None:
    """Return the function that reads the members of an archive; None for another file."""
    try:
        with open(path, "rb") as stream:
            head = stream.read(512)
        if head.startswith(b"PK\x03\x04") and _is_folder(path):
            return _of_zip(path)
        kind = packed(head)
        if head[USTAR] == b"ustar" or (kind is not None and _first(path, kind)[USTAR] == b"ustar"):
            return _of_tar(path, kind)
    except DAMAGE:
        return None  # what cannot be looked at is refused where it is read
    return None


def _first(path: Path, kind: str) -> bytes:
    with open(path, "rb") as raw, OPENERS[kind](raw) as stream:
        head: bytes = stream.read(512)
        return head


def _is_folder(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError):
        return False
    arrays = all(name.endswith(".npy") for name in names)
    return not arrays and not any(name.startswith(NOT_FOLDERS) or name.endswith("data.pkl") for name in names)


@contextmanager
def _of_zip(path: Path) -> Iterator[Iterator[Member]]:
    with zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.filename.endswith("/")]
        refuse_beyond("files", len(members), f"{shown(path)}: the archive holds {len(members)} files")
        size = sum(member.file_size for member in members)
        refuse_beyond("bytes", size, f"{shown(path)}: unpacked, the archive has {size} bytes")
        for member in members:
            if (member.external_attr >> 16) & 0o170000 == 0o120000:
                raise _leads_out(path, member.filename, "a link")
            if not member.filename:
                raise DataError(f"{shown(path)}: the archive is damaged: a file in it has no name.")
            if member.flag_bits & 1:
                raise DataError(f"{shown(path)}: the archive is encrypted; unpack it and read the folder.")
        yield ((member.filename, archive.open(member)) for member in members)


@contextmanager
def _of_tar(path: Path, kind: str | None) -> Iterator[Iterator[Member]]:
    open_stream: Callable[[IO[bytes]], Any] = OPENERS[kind] if kind else io.BufferedReader
    with open(path, "rb") as raw, open_stream(raw) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        yield _files_of(archive, path)


def _files_of(archive: tarfile.TarFile, path: Path) -> Iterator[Member]:
    n_members, size = 0, 0
    # In order, for a compressed archive says what it holds only as it is unpacked.
    for member in archive:
        n_members, size = n_members + 1, size + member.size
        refuse_beyond("files", n_members, f"{shown(path)}: the archive holds {n_members} files or more")
        refuse_beyond("bytes", size, f"{shown(path)}: unpacked, the archive has {size} bytes or more")
        if member.isdir():
            continue
        if not member.isreg():
            raise _leads_out(path, member.name, "a link or a device, not a file")
        content = archive.extractfile(member)
        assert content is not None  # it is a regular file
        yield member.name, content


def _write(members: Iterator[Member], folder: Path, place: str) -> None:
    left = limit("bytes")
    for name, content in members:
        if "\\" in name or "\0" in name or PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise _leads_out(place, name, "a path that leads out of the archive")
        if HIDDEN.search(name):
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with content, open(target, "xb") as out:
            while piece := content.read(CHUNK):
                left -= len(piece)
                refuse_beyond(
                    "bytes", limit("bytes") - left, f"{place}: unpacked, the archive has more bytes than it declares"
                )
                out.write(piece)


def _leads_out(path: Path | str, name: str, what: str) -> DataError:
    return DataError(f"{shown(path)}: the member {name[:100]!r} is {what}; unpack the archive and read the folder.")
