"""The formats runoff reads: each has its own file beside this one, and an entry below."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runoff.errors import DataError
from runoff.io.formats import delimited, feather, json_file, ndjson, npy, npz, parquet, text
from runoff.io.formats._foreign import foreign
from runoff.io.formats.base import Format, NotRuns, Source
from runoff.tables.tidy import parsed
from runoff.words.speech import option

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "parquet": parquet.PARQUET,
        "feather": feather.FEATHER,
        "npz": npz.NPZ,
        "npy": npy.NPY,
        "ndjson": ndjson.NDJSON,
        "json": json_file.JSON,
        "text": text.TEXT,
        "csv": delimited.CSV,
        "tsv": delimited.TSV,
    }
)
"""Name -> format, in the order in which a file without a telling suffix is tried."""

SUFFIXES = frozenset(suffix for format in FORMATS.values() for suffix in format.suffixes)


def recognise_format(source: Source) -> str:
    """Return the name of a file's format: by its suffix, else by a look at its bytes.

    Raises
    ------
    NotRuns
        No format knows it.
    DataError
        The bytes are of another format than the suffix says.
    """
    other = foreign(source.data)
    if other is not None:
        raise NotRuns(f"{source.place}: {other}.")
    inside = next((name for name, format in FORMATS.items() if format.binary and format.sniff(source.data)), None)
    for name, format in FORMATS.items():
        if source.suffix in format.suffixes:
            if inside is not None and inside != name:
                raise DataError(
                    f"{source.place}: the name says {name}, the content is {inside} (binary); rename it, or say {option('format', inside)}."
                )
            return _told_by_heads(name, source.data)
    name_inside = inside or next((name for name, format in FORMATS.items() if format.sniff(source.data)), None)
    if name_inside is None:
        raise NotRuns(
            f"{source.place}: this is not recognised as a format that runoff reads ({', '.join(FORMATS)}); say it with {option('format')}."
        )
    return name_inside


def _told_by_heads(name: str, data: bytes) -> str:
    """Return the format that a suffix leaves open: a text may be a table with heads, JSON may be one record a line."""
    within = {"text": ("csv", "tsv"), "json": ("ndjson",)}.get(name, ())
    if name == "text" and FORMATS[name].sniff(data):
        return name
    if name == "text" and not _is_table(data):
        return name
    return next((other for other in within if FORMATS[other].sniff(data)), name)


def _is_table(data: bytes) -> bool:
    """Return whether the first lines of a text hold equally many fields, the second at least one number: prose has commas too."""
    lines = [line for line in data[:65536].split(b"\n")[:3] if line.strip()]
    fields = [line.decode("utf-8", "replace").replace("\t", ",").split(",") for line in lines]
    return (
        len(fields) > 1
        and len(set(map(len, fields[:2]))) == 1
        and any(parsed(field) is not None for field in fields[1])
    )
