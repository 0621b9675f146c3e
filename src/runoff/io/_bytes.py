"""A file's bytes, decompressed, with the digest of what lies on disk."""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib

from runoff.errors import DataError
from runoff.io._paths import File, check_regular, shown, unreadable
from runoff.io.formats import Source

GZIP = b"\x1f\x8b"


def load(file: File) -> tuple[Source, str]:
    """Return a file's source and the sha256 of its bytes as they lie on disk.

    Raises
    ------
    DataError
        It cannot be read, is empty, or is a damaged gzip file.
    """
    place = shown(file.path)
    raw = _read(file)
    if not raw:
        raise DataError(f"{place}: the file is empty (0 bytes).")
    data = _decompressed(raw, place) if raw.startswith(GZIP) else raw
    if raw is data and file.path.suffix.casefold() == ".gz":
        raise DataError(f"{place}: the name says gzip, but the content is not.")
    source = Source(place=place, stem=file.stem, suffix=file.suffix, data=data)
    return source, hashlib.sha256(raw).hexdigest()


def _read(file: File) -> bytes:
    try:
        handle = os.open(file.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as stream:
            check_regular(file.path, os.fstat(handle).st_mode)
            return stream.read()
    except OSError as error:
        raise unreadable(file.path, error) from error


def _decompressed(raw: bytes, place: str) -> bytes:
    try:
        data = gzip.decompress(raw)
    except EOFError as error:
        raise DataError(f"{place}: the gzip file is cut off before its end.") from error
    except (OSError, zlib.error) as error:
        raise DataError(f"{place}: the gzip file is damaged: {error}.") from error
    if not data:
        raise DataError(f"{place}: the file is empty (0 bytes once decompressed).")
    return data
