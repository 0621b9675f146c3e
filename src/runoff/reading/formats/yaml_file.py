"""YAML files of one or several runs: the same shapes as JSON, read by the safe loader, without aliases."""

from __future__ import annotations

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
    return table_of_content(content, source)


YAML = Format(
    title="YAML",
    holds="the record of a run, or a list of records",
    suffixes=(".yaml", ".yml"),
    sniff=lambda _: False,
    read=read,
)
