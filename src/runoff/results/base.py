"""The one exit of every answer: `to_records()`, and the frames that are made of it; `print` says it in sentences, `repr` is short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from runoff.errors import nearest
from runoff.results.advice import Advice
from runoff.tables.frames import Framed, html_table
from runoff.words.numbers import counted, signed

if TYPE_CHECKING:
    import polars as pl

Record = dict[str, Any]
TOLD = 12
"""Sentences that `print` shows of many."""
SHOWN = 3
"""Fields of an answer of one record that its `repr` names."""


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


class Result(Framed):
    """Base of all answers.

    A subclass is a frozen, slotted, keyword-only dataclass. If it is a table, `_table` names the field that holds its rows; otherwise
    it is one record of its own fields.
    """

    __slots__ = ()
    _table: ClassVar[str | None] = None

    def __init_subclass__(cls) -> None:
        cls.__repr__ = Result.__repr__  # type: ignore[method-assign]  # before the dataclass makes one of all fields

    def to_records(self) -> list[Record]:
        """Return the rows as plain dictionaries, unrounded."""
        rows = getattr(self, self._table) if self._table else (self,)
        return [plain(row) for row in rows]

    def to_frame(self) -> pl.DataFrame:
        """Return the records as a polars DataFrame."""
        import polars as pl

        return pl.DataFrame(self.to_records(), infer_schema_length=None)

    def __repr__(self) -> str:
        name = type(self).__name__
        if self._table:
            return f"{name}({counted([len(getattr(self, self._table))], self._table.removesuffix('s'))})"
        known = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        named = [f"{key}={value!r}" for key, value in known.items() if isinstance(value, str | int | float)]
        return f"{name}({', '.join(named[:SHOWN])}, …)"

    def _repr_html_(self) -> str:
        rows = [{name: shown(value) for name, value in record.items()} for record in self.to_records()]
        return html_table(rows, caption=str(self).splitlines(), more=": to_frame() has all of them")


def told(*sentences: str, more: Sequence[str] = (), noun: str = "row") -> str:
    """Return sentences as lines, and of `more` the first, with a count of those that are left out and where they are."""
    left = len(more) - TOLD
    rest = [f"… and {counted([left], f'more {noun}')}: to_records() has all of them."] if left > 0 else []
    return "\n".join([*(one for one in sentences if one), *more[:TOLD], *rest])


def less(whole: float, value: float | None) -> float | None:
    """Return what is left of `whole`, None of None: an end of an interval seen from the other side."""
    return None if value is None else whole - value


def not_compared(a: str, b: str, pairs: Sequence[tuple[str, str]], advice: Iterable[Advice] = ()) -> KeyError:
    """Return the refusal of a pair that is not there; where `advice` says why (R021), it says that."""
    known = list(dict.fromkeys(name for pair in pairs for name in pair))
    unknown = next((name for name in (a, b) if name not in known), None)
    why = next((one for one in advice if one.code == "R021" and unknown in one.subjects), None)
    if why is not None:
        return KeyError(f"{a!r} was not compared with {b!r} (R021): {why.text}")
    if unknown is not None:
        return KeyError(
            f"there is no {unknown!r} in this comparison, of {', '.join(map(repr, known))}.{nearest(unknown, known)}"
        )
    return KeyError(f"{a!r} was not compared with {b!r}; there are {', '.join(map(repr, pairs[:TOLD]))}")


def shown(value: object) -> str:
    """Return a value as a short text for people: six significant digits, a dash for nothing, codes of advice."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return signed(f"{value:.6g}")
    if isinstance(value, dict):
        return str(value.get("code", value))
    if isinstance(value, list | tuple):
        return ", ".join(shown(item) for item in value)
    return str(value)
