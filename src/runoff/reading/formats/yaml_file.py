"""YAML files of one or several runs: the same shapes as JSON, read by the safe loader, without aliases."""

from __future__ import annotations

from typing import Any

import yaml

from runoff.errors import DataError
from runoff.reading.formats.base import Format, NotRuns, Source
from runoff.reading.formats.json_file import table_of_content
from runoff.tables.source import SourceTable


class _Plain(yaml.SafeLoader):  # type: ignore[misc]
    """The safe loader without anchors, with which a few lines could expand to billions."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError(
                "it holds an alias, by which a few lines may stand for many; write the values themselves"
            )
        return super().compose_node(parent, index)


def read(source: Source) -> SourceTable:
    """Return the table of a YAML file; a configuration, which contains no scores, is not a table of runs."""
    try:
        # Only the safe loader's own types.
        content = yaml.load(source.text(), Loader=_Plain)  # noqa: S506
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{source.place}: this YAML cannot be read: {reason}.") from error
    if not isinstance(content, dict | list):
        raise NotRuns(f"{source.place}: this YAML file holds no record of a run.")
    return table_of_content(content, source)


YAML = Format(
    title="YAML",
    holds="the record of a run, or a list of records",
    suffixes=(".yaml", ".yml"),
    sniff=lambda _: False,
    read=read,
)
