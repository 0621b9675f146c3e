"""A file's bytes, decompressed, with the digest of what lies on disk."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import zlib
from typing import IO

from runoff.base.limits import limit, refuse_beyond
from runoff.errors import DataError
from runoff.io._paths import STDIN, File, check_regular, shown, unreadable
from runoff.io.formats import Source

GZIP = b"\x1f\x8b"


def load(file: File) -> tuple[Source, str]:
    """Return a file's source and the sha256 of its bytes as they lie on disk.

    Raises
    ------
    DataError
        It cannot be read, is empty, or is a damaged gzip file.
    """
    place = "stdin" if file.path == STDIN else shown(file.path)
    raw = _bounded(sys.stdin.buffer, place) if file.path == STDIN else _read(file, place)
    if not raw:
        raise DataError(f"{place}: the file is empty (0 bytes).")
    data = _decompressed(raw, place) if raw.startswith(GZIP) else raw
    if raw is data and file.path.suffix.casefold() == ".gz":
        raise DataError(f"{place}: the name says gzip, but the content is not.")
    source = Source(place=place, stem=file.stem, suffix=file.suffix, data=data)
    return source, hashlib.sha256(raw).hexdigest()


def _read(file: File, place: str) -> bytes:
    try:
        handle = os.open(file.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as stream:
            found = os.fstat(handle)
            check_regular(file.path, found.st_mode)
            refuse_beyond("bytes", found.st_size, f"{place}: the file has {found.st_size} bytes")
            return stream.read()
    except OSError as error:
        raise unreadable(file.path, error) from error


def _bounded(stream: IO[bytes] | gzip.GzipFile, place: str) -> bytes:
    data = stream.read(limit("bytes") + 1)
    refuse_beyond("bytes", len(data), f"{place}: there are {len(data)} bytes or more")
    return data


def _decompressed(raw: bytes, place: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
            data = _bounded(stream, f"{place}, unpacked")
    except EOFError as error:
        raise DataError(f"{place}: the gzip file is cut off before its end.") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{place}: the gzip file is damaged: {error}.") from error
    if not data:
        raise DataError(f"{place}: the file is empty (0 bytes once decompressed).")
    return data
