"""Compressed bytes: recognising the kind, and unpacking them within a bound."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Mapping
from typing import IO, Any, cast

from runoff.base.bounds import limit, refuse_beyond
from runoff.errors import DataError

MARKS: Mapping[bytes, str] = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"(\xb5/\xfd": "zstd"}
"""First bytes -> kind of compression."""
SUFFIXES = (".gz", ".bz2", ".xz", ".zst")


def _zstd(stream: IO[bytes]) -> Any:
    try:
        import zstandard
    except ModuleNotFoundError as missing:
        raise DataError(
            "this is compressed by zstd, which needs the package zstandard: pip install zstandard, or unpack it (zstd -d)."
        ) from missing
    return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True))


OPENERS: Mapping[str, Callable[[IO[bytes]], Any]] = {
    "gzip": lambda stream: gzip.GzipFile(fileobj=stream),
    "bzip2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
    "zstd": _zstd,
}
"""Kind -> the function that unpacks a stream."""


def _of_zstd() -> type[Exception]:
    try:
        from zstandard import ZstdError
    except ModuleNotFoundError:
        return OSError
    return cast(type[Exception], ZstdError)


DAMAGE: tuple[type[Exception], ...] = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, _of_zstd())
"""The errors of damaged streams; the package zstandard may be missing."""


def packed(head: bytes) -> str | None:
    """Return the kind of compression by the first bytes; None if there is none."""
    return next((kind for mark, kind in MARKS.items() if head.startswith(mark)), None)


UNSUSPICIOUS, RATIO = 64 << 20, 200
"""The number of bytes that any file may unpack to, and the largest ratio for larger files: tables of runs are seldom compressed to a
fiftieth."""


def bounded(stream: Any, place: str, packed_size: int | None = None) -> bytes:
    """Return the bytes of a stream; refuse more than are allowed, and far more than a compressed file is likely to contain."""
    likely = limit("bytes") if packed_size is None else max(UNSUSPICIOUS, RATIO * packed_size)
    if likely < limit("bytes"):
        head: bytes = stream.read(likely + 1)
        if len(head) > likely:
            raise DataError(
                f"{place}: {packed_size} bytes unpack to more than {likely}, like a file made to fill the memory; if it is a table, unpack it "
                "and name the unpacked file."
            )
        return head
    # One byte more than is allowed, so that a bomb is not unpacked to see how large it is.
    data: bytes = stream.read(limit("bytes") + 1)
    refuse_beyond("bytes", len(data), f"{place}: there are {len(data)} bytes or more")
    return data


def _promised(raw: bytes) -> int:
    """Return the number of bytes that a zstd file declares, which its reader does not check; 1 if it declares none."""
    import zstandard

    size: int = zstandard.get_frame_parameters(raw).content_size
    return 1 if size in (zstandard.CONTENTSIZE_UNKNOWN, zstandard.CONTENTSIZE_ERROR) else size


def unpack(raw: bytes, kind: str, place: str) -> bytes:
    """Return the content of compressed bytes; refuse damaged and empty ones."""
    try:
        with OPENERS[kind](io.BytesIO(raw)) as stream:
            data = bounded(stream, f"{place}, unpacked", len(raw))
        if kind == "zstd" and len(data) < _promised(raw):
            raise EOFError
    except EOFError as error:
        raise DataError(f"{place}: the {kind} file is cut off before its end.") from error
    except DataError as refusal:
        raise DataError(f"{place}: {refusal}" if "zstandard" in str(refusal) else str(refusal)) from refusal
    except DAMAGE as error:
        raise DataError(f"{place}: the {kind} file is damaged: {error}.") from error
    if not data:
        raise DataError(f"{place}: the file is empty (0 bytes once decompressed).")
    return data
