"""The formats that runoff reads: each has an entry below, and its reader in a file of this folder."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType

from runoff.errors import DataError
from runoff.reading.formats import (
    arrays,
    delimited,
    frames,
    json_file,
    marked,
    stores,
    text,
    workbook,
    written,
    yaml_file,
)
from runoff.reading.formats.base import LOGS, Format, NotRuns, Source
from runoff.reading.formats.grid import LIKE_NUMBERS
from runoff.tables.values import parsed
from runoff.words.speech import option

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "parquet": frames.PARQUET,
        "feather": frames.FEATHER,
        "excel": workbook.EXCEL,
        "sqlite": stores.SQLITE,
        "hdf5": stores.HDF5,
        "mat": stores.MAT,
        "netcdf": stores.NETCDF,
        "npz": stores.NPZ,
        "npy": arrays.NPY,
        "notebook": marked.NOTEBOOK,
        "ndjson": json_file.NDJSON,
        "json": json_file.JSON,
        "yaml": yaml_file.YAML,
        "toml": yaml_file.TOML,
        "html_table": marked.HTML,
        "latex_table": marked.LATEX,
        "text": text.TEXT,
        "csv": delimited.CSV,
        "tsv": delimited.TSV,
        "markdown": written.MARKDOWN,
        "spaced": written.SPACED,
    }
)
"""Name -> format, in the order in which a file without a known suffix is tried."""

OF_SEVERAL = ("sqlite", "excel", "csv", "tsv", "notebook", "html_table", "latex_table", "markdown", "spaced")
"""Formats that may contain several tables, which `table` selects."""
SUFFIXES = frozenset({*LOGS, *(suffix for format in FORMATS.values() for suffix in format.suffixes)})


def recognise_format(source: Source) -> str:
    """Return the name of a file's format by its suffix, otherwise by its bytes."""
    # Before the suffix: an Excel workbook that was renamed to .csv should be called a workbook, not a text that is no
    # UTF-8.
    marked = next((kind for mark, kind in FIRST_BYTES.items() if source.data.startswith(mark)), None)
    kind = _archive_kind(source.data) if source.data.startswith(arrays.ARCHIVE) else marked
    if kind is not None:
        way_out = kind[1].replace("{name}", PurePath(source.place).name).replace("{stem}", source.stem)
        raise NotRuns(f"{source.place}: this is {kind[0]}; {way_out}.")
    if source.data.startswith(arrays.ARCHIVE) and not zipfile.is_zipfile(io.BytesIO(source.data)):
        return _of_cut_off_zip(source)
    # First bytes tell a binary format for certain. A suffix that says another is refused, since one of the two is a
    # mistake of whoever wrote the file.
    inside = next((name for name, format in FORMATS.items() if format.binary and format.sniff(source.data)), None)
    # What a script prints before its evaluations, `{"lr": 0.1}`, may look like another format.
    if inside is None and source.suffix in LOGS and written.looks_logged(source.data):
        return "spaced"
    for name, format in FORMATS.items():
        if source.suffix in format.suffixes:
            # The later versions of both formats are HDF5.
            if inside not in (None, name) and (inside, name) not in (("hdf5", "mat"), ("hdf5", "netcdf")):
                what = f"the name ends in {source.suffix}, the content is {inside} (binary)"
                raise DataError(f"{source.place}: {what}; rename it or use {option('format', inside)}.")
            if name == "excel" and inside is None and b"\0" not in source.data:
                return _of_text_as_workbook(source.data)
            # a text may be a table with heads, JSON may be one record a line
            parted = name == "text" and _is_parted(source.data)
            if name == "text" and (format.sniff(source.data) or not (parted or _is_written(source.data))):
                return name
            # Many save CSV as .txt, and JSON lines as .json.
            # Of lines of unequal width, the first of which has commas, a printed table is likelier.
            tables = ("csv", "tsv", "spaced") if _is_table(source.data) else ("spaced", "csv", "tsv")
            others = {
                "text": ("markdown", *tables),
                "json": ("ndjson",),
                "markdown": ("markdown", "spaced"),
            }.get(name, ())
            likely = next((other for other in others if FORMATS[other].sniff(source.data)), name)
            return "tsv" if likely == "text" and parted else likely
    guess = inside or next((name for name, format in FORMATS.items() if format.sniff(source.data)), None)
    if guess is None:
        raise _unknown(source)
    return guess


def _unknown(source: Source) -> NotRuns:
    """Return the refusal of a content that no format knows."""
    if source.suffix in LOGS:
        return NotRuns(
            f"{source.place}: this log is not read: runoff knows lines with the names and numbers of a step and a score of one run "
            "(step=1000 return=1.5), a line for each of several runs, and tables with names above their columns."
        )
    return NotRuns(
        f"{source.place}: this is not in a format that runoff reads ({', '.join(FORMATS)}); name it with {option('format')}."
    )


def _of_text_as_workbook(data: bytes) -> str:
    """Return the format of a text that is called a workbook, as instruments and web pages save tables that Excel opens."""
    return next(
        (name for name in ("html_table", "tsv") if FORMATS[name].sniff(data)), "tsv" if b"\t" in data else "csv"
    )


def _is_written(data: bytes) -> bool:
    """Return whether a text is a table: with separators, blanks or bars between its columns."""
    return _is_table(data) or FORMATS["spaced"].sniff(data) or FORMATS["markdown"].sniff(data)


def _of_cut_off_zip(source: Source) -> str:
    """Return the format of a damaged archive by its suffix, whose reader says what is wrong with it."""
    named = [name for name, format in FORMATS.items() if format.binary and source.suffix in format.suffixes]
    if not named:
        raise DataError(f"{source.place}: the zip archive is damaged, or cut off before its end.")
    return named[0]


def _is_table(data: bytes) -> bool:
    """Return whether the first lines of a text have equally many fields, with at least one number in the second, because prose has commas
    too."""
    # Two lines of equal width with a number in the second: a README with commas, or a log of sentences, is no table.
    lines = [line for line in data[:65536].split(b"\n")[:3] if line.strip()]
    fields = [line.decode("utf-8", "replace").replace("\t", ",").split(",") for line in lines]
    return (
        len(fields) > 1
        and len(set(map(len, fields[:2]))) == 1
        and any(parsed(field) is not None for field in fields[1])
    )


def _is_parted(data: bytes) -> bool:
    """Return whether the first lines with tabs, bars or semicolons have equally many of them, and are names above rows of numbers."""
    lines = data[:65536].decode("utf-8", "replace").split("\n")[:20]
    for mark in "\t|;":
        rows = [line.split(mark) for line in lines if mark in line]
        numbered = [any(map(LIKE_NUMBERS.match, row)) for row in rows]
        if len({*map(len, rows)}) == 1 and not numbered[0] and len(rows) < 2 * sum(numbered) > 2:
            return True
    return False


# ── files of other kinds, which are refused with the way out ──────────

TO_JSON = "convert it (inspect log convert --to json --output-dir DIR FILE) and read that folder"
TABLE, ARRAYS = "save the table as CSV and read that", "save its arrays with numpy.savez"
PICKLE = (
    "a Python pickle, which is never loaded, because it may run any code",
    "if you trust it: python -c \"import pandas as pd; pd.read_pickle('{name}').to_csv('{stem}.csv')\", or if it holds arrays by name: "
    "python -c \"import pandas as pd, numpy as np; np.savez('{stem}.npz', **pd.read_pickle('{name}'))\"",
)
FIRST_BYTES: Mapping[bytes, tuple[str, str]] = {
    # A pickle of protocol 2 or later begins with its opcode PROTO and the number; older ones have no mark.
    **{b"\x80" + bytes([protocol]): PICKLE for protocol in range(2, 6)},
    b"%PDF": ("a PDF", "a table of runs is needed"),
    b"\x89PNG": ("an image", "a table of runs is needed"),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it"),
    b"Rar!": ("a RAR archive", "unpack it"),
    **dict.fromkeys(
        (b"% function evaluation", b"% f evaluations"),
        (
            "a log of COCO's experiments",
            "write one row for each run (algorithm,task,run,score), as cocopp.load gives them, and read that",
        ),
    ),
}
"""First bytes -> the kind of such a file, and what to do with it."""


def _archive_kind(data: bytes) -> tuple[str, str] | None:
    """Return the kind of a zip archive, and what to do with it; None if it may be one of arrays."""
    try:
        # Workbooks, PyTorch's files, logs of Inspect and NumPy's archives are all zip files: what they hold tells
        # them apart.
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return None  # the reader of arrays says what is damaged
    if "[Content_Types].xml" in names:
        return None if any(name.startswith("xl/") for name in names) else ("an Office document", TABLE)
    if any(name.startswith("META-INF/") or name == "mimetype" for name in names):
        return None if workbook.EXCEL.sniff(data) else ("an OpenDocument or Java archive", TABLE)
    if any(name.endswith("data.pkl") for name in names):
        return "a PyTorch file, which holds a pickle and is never loaded", ARRAYS
    if "_journal/start.json" in names:
        return "a log of Inspect", TO_JSON
    if all(name.endswith(".npy") for name in names):
        return None
    return "a zip archive among other files", "name it by itself, and the files in it are read"
