"""Files of other kinds, told by their first bytes: called what they are, with the way out."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

EXPORT = "save the table as CSV and read that"
FIRST_BYTES: Mapping[bytes, tuple[str, str]] = {
    b"SQLite format 3\0": ("a SQLite database", "export the table of runs as CSV"),
    b"\x89HDF\r\n\x1a\n": ("an HDF5 file", "save its arrays with numpy.savez"),
    b"\x80\x02": ("a Python pickle, which is never loaded", "save its arrays with numpy.savez, or its table as CSV"),
    b"\x80\x03": ("a Python pickle, which is never loaded", "save its arrays with numpy.savez, or its table as CSV"),
    b"\x80\x04": ("a Python pickle, which is never loaded", "save its arrays with numpy.savez, or its table as CSV"),
    b"\x80\x05": ("a Python pickle, which is never loaded", "save its arrays with numpy.savez, or its table as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", EXPORT),
    b"%PDF": ("a PDF", "a table of runs is needed"),
    b"\x89PNG": ("an image", "a table of runs is needed"),
    b"BZh": ("a bzip2 archive", "unpack it"),
    b"\xfd7zXZ": ("an xz archive", "unpack it"),
    b"(\xb5/\xfd": ("a zstd archive", "unpack it"),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it"),
    b"Rar!": ("a RAR archive", "unpack it"),
    b"MATLAB 5.0": ("a MATLAB file", EXPORT),
}
ZIP = b"PK\x03\x04"


def foreign(data: bytes) -> str | None:
    """Return what a file of another kind is, and what to do with it; None if it may be one that is read."""
    kind = next((kind for mark, kind in FIRST_BYTES.items() if data.startswith(mark)), None)
    if kind is None and data.startswith(ZIP):
        kind = _archive(data)
    return None if kind is None else f"this is {kind[0]}; {kind[1]}"


def _archive(data: bytes) -> tuple[str, str] | None:
    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return None  # the reader of arrays says what is damaged
    if "[Content_Types].xml" in names:
        return "an Excel workbook" if any(name.startswith("xl/") for name in names) else "an Office document", EXPORT
    if any(name.startswith("META-INF/") or name == "mimetype" for name in names):
        return "an OpenDocument or Java archive", EXPORT
    if any(name.endswith("data.pkl") for name in names):
        return "a PyTorch file, which holds a pickle and is never loaded", "save its arrays with numpy.savez"
    return ("a zip archive", "unpack it and read the folder") if not _of_arrays(names) else None


def _of_arrays(names: list[str]) -> bool:
    return all(name.endswith(".npy") for name in names)
