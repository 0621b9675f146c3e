"""YAML and TOML files of one or several runs: the same shapes as JSON, YAML read by the safe loader, without aliases."""

from __future__ import annotations

import tomllib
from typing import Any

from runoff.errors import DataError
from runoff.reading.formats.base import Format, Source
from runoff.reading.formats.json_file import table_of_content
from runoff.tables.source import SourceTable


def read(source: Source) -> SourceTable:
    """Return the table of a YAML file; a configuration, which contains no scores, is not a table of runs."""
    from runoff.reading._yaml import runs_of

    try:
        content = runs_of(source.text())
    except (RecursionError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{source.place}: this YAML cannot be read: {reason}.") from error
    return table_of_content(_with_texts(content), source)


def _with_texts(content: Any) -> Any:
    """Return the content with texts for keys, which YAML also reads as numbers: the runs `0: 1.5`."""
    if isinstance(content, dict):
        return {str(key): _with_texts(value) for key, value in content.items()}
    return list(map(_with_texts, content)) if isinstance(content, list) else content


YAML = Format(
    title="YAML",
    holds="the record of a run, or a list of records",
    suffixes=(".yaml", ".yml"),
    sniff=lambda _: False,
    read=read,
)


def read_toml(source: Source) -> SourceTable:
    """Return the table of a TOML file."""
    try:
        content = tomllib.loads(source.text())
    except (RecursionError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"{source.place}: this TOML cannot be read: {error}.") from error
    return table_of_content(content, source)


TOML = Format(
    title="TOML",
    holds="scores below the names of algorithms and tasks, or the record of a run",
    suffixes=(".toml",),
    sniff=lambda _: False,
    read=read_toml,
)
