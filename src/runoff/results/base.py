"""The one exit of every answer: `to_records()`, and the frames that are made of it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Record = dict[str, Any]


def plain(value: object) -> Any:
    """Return `value` as JSON knows it: arrays and tuples become lists, dataclasses dicts, NumPy scalars Python's."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


class Result:
    """Base of all answers.

    A subclass is a frozen, slotted, keyword-only dataclass. If it is a table, `_table` names the field that holds its rows; otherwise
    it is one record of its own fields.
    """

    __slots__ = ()
    _table: ClassVar[str | None] = None

    def to_records(self) -> list[Record]:
        """Return the rows as plain dictionaries, unrounded."""
        rows = getattr(self, self._table) if self._table else (self,)
        return [plain(row) for row in rows]

    def to_frame(self) -> pl.DataFrame:
        """Return the records as a polars DataFrame."""
        import polars as pl

        return pl.DataFrame(self.to_records(), infer_schema_length=None)

    def to_pandas(self) -> pd.DataFrame:
        """Return the records as a pandas DataFrame (pandas must be installed)."""
        import pandas as pd

        return pd.DataFrame(self.to_records())

    def _repr_html_(self) -> str:
        return html_table(self.to_records(), caption=str(self))


def html_table(records: list[Record], *, caption: str = "") -> str:
    """Return an escaped HTML table of flat records; nested values are shown as their codes or lengths."""
    names = list(records[0]) if records else []
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = "".join("<tr>" + "".join(f"<td>{escape(shown(r[n]))}</td>" for n in names) + "</tr>" for r in records)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def shown(value: object) -> str:
    """Return a value as a short text for people: six significant digits, a dash for nothing, codes of advice."""
    if value is None:
        return "—"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return str(value.get("code", value))
    if isinstance(value, list | tuple):
        return ", ".join(shown(item) for item in value)
    return str(value)
