"""Members of zip archives, bounded before they are unpacked: by DEFLATE, stored, or by Zstandard, which Python's module does not read."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from runoff.errors import DataError

LARGEST = 1 << 28
"""The largest number of bytes of an unpacked member."""
MOST_MEMBERS = 1_000_000
ZSTD = 93
"""The number of Zstandard among the methods of zip archives (APPNOTE 6.3.8, 4.4.5)."""
LOCAL_HEADER = 30
"""Bytes of a local header before the name and the extra field, whose lengths are its last four."""
BROKEN = (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError)


def members(path: Path) -> frozenset[str]:
    """Return the names of the members of a zip archive; none if it cannot be read or has more than `MOST_MEMBERS`."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except BROKEN:
        return frozenset()
    return frozenset(names) if len(names) <= MOST_MEMBERS else frozenset()


def member(path: Path, name: str) -> bytes:
    """Return a member of an archive; refuse one of more than `LARGEST` bytes, whatever its header says, and a damaged one."""
    try:
        with zipfile.ZipFile(path) as archive:
            info = archive.getinfo(name)
            if info.file_size > LARGEST:
                raise DataError(
                    f"{path}: {name} would be {info.file_size:,} bytes unpacked; runoff reads at most {LARGEST:,}."
                )
            if info.compress_type == ZSTD:
                return _unpacked(path, info)
            with archive.open(info) as stream:
                return stream.read(LARGEST)
    except DataError:  # it is a ValueError as well
        raise
    except KeyError as error:
        raise DataError(f"{path}: the archive holds no {name}.") from error
    except BROKEN as error:
        reason = " ".join(str(error).split())[:120]
        raise DataError(f"{path}: {name} in this archive cannot be unpacked: {reason}.") from error


def _unpacked(path: Path, info: zipfile.ZipInfo) -> bytes:
    try:
        import zstandard
    except ImportError as error:
        raise DataError(
            f"{path}: the archive is packed with Zstandard, which needs the package zstandard: pip install zstandard."
        ) from error
    with open(path, "rb") as stream:
        stream.seek(info.header_offset)
        header = stream.read(LOCAL_HEADER)
        stream.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), io.SEEK_CUR)
        packed = stream.read(info.compress_size)
    try:
        with zstandard.ZstdDecompressor(max_window_size=LARGEST).stream_reader(packed) as reader:
            content = reader.read(info.file_size + 1)
    except zstandard.ZstdError as error:
        raise DataError(f"{path}: {info.filename} in this archive cannot be unpacked: {str(error)[:80]}.") from error
    if len(content) != info.file_size:
        raise DataError(f"{path}: {info.filename} in this archive does not have the size that its header states.")
    return bytes(content)
