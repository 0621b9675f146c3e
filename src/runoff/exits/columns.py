"""The columns of a table whose rows are records; the name of a field determines its column.

`x` with `x_low` and `x_high` is an estimate with its interval, and so is the field before `low` and `high`; `pvalue` and `pvalue_adjusted`
share one cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runoff.base.signed import strict_json
from runoff.cells import Cell, Chance, Column, Estimate, Name, Number, PValue, Several, Table
from runoff.words.names import EFFECTS, capital

Fields = Mapping[str, Any]
NAMING: Mapping[str, str] = {
    "a": "algorithm", "b": "algorithm", "algorithm": "algorithm", "ahead": "algorithm", "task": "task",
}  # fmt: skip
"""Fields whose value is a name, each with the kind of thing that it names."""
WORDED = frozenset({"verdict", "decision", "effect_size", "measure", "test", "method", "kind", "interval", "reason"})
"""Fields whose value is one of runoff's own words, shown with blanks in place of underscores."""
ACRONYMS: Mapping[str, str] = {
    "iqm": "IQM",
    "iqr": "IQR",
    "cv": "CV",
    "df": "df",
    "aicc": "AICc",
    "sd": "SD",
    "std": "SD",
}
"""Words in field names that a header spells in its own way."""
COUNTS = ("n_runs", "n_runs_a", "n_runs_b", "n_published")
"""Fields whose value is the number of runs on each task, or the fewest and the most."""
LONG = ("sentence", "reason")
"""Fields whose text is too long for a printed table."""


def columns_of(records: Sequence[Fields], unit: str = "run") -> tuple[Column, ...]:
    """Return a column for each field of these rows; an estimate and its ends share one, and have none of their own.

    The header of `n_runs` names what was counted: runs, or episodes.
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    ends = {name: _ends(name, names) for name in names}
    # Ends and adjusted p-values stand in the cell of what they belong to, and so have no column.
    of_others = {end for both in ends.values() if both for end in both}
    if "pvalue_adjusted" in names:
        of_others.add("pvalue_adjusted")
    return tuple(
        Column(
            key=name,
            head=f"{capital(unit)}s" if name == "n_runs" else _head(name, names),
            cells=[_cell(name, record, ends[name]) for record in records],
            narrowest="screen"
            if name in LONG or any(isinstance(record.get(name), list) for record in records)
            else "paper",
        )
        for name in names
        if name not in of_others
    )


def listed_fields(record: Fields) -> tuple[Column, ...]:
    """Return one record as two columns, field names and values; its sentence is the caption."""
    columns = [column for column in columns_of([record]) if column.key != "sentence"]
    return (
        Column(key="field", head="", cells=[Name(column.title, "other") for column in columns]),
        Column(key="value", head="Value", cells=[column.cells[0] for column in columns]),
    )


def _ends(name: str, names: Sequence[str]) -> tuple[str, str] | None:
    """Return the fields with the ends of this field's interval."""
    if f"{name}_low" in names:
        return f"{name}_low", f"{name}_high"
    # `estimate, low, high` in this order: rows with one estimate do not repeat its name in its ends.
    following = names[names.index(name) + 1 :][:2]
    return ("low", "high") if following == ["low", "high"] else None


def _head(name: str, names: Sequence[str]) -> str:
    if name == "pvalue":
        return "Adjusted p" if "pvalue_adjusted" in names else "p"
    if name.startswith("pvalue_"):
        return f"p {name.removeprefix('pvalue_').replace('_', ' ')}"
    return head_of(name.removeprefix("n_").removesuffix("value") if _is_p(name) else name.removeprefix("n_"))


def head_of(name: str) -> str:
    """Return the name of a field or table as a header.

    >>> head_of("iqr_ratio"), head_of("normality_p"), head_of("df")
    ('IQR ratio', 'Normality p', 'df')
    """
    words = [ACRONYMS.get(word, word) for word in name.split("_")]
    return " ".join(words) if words[0] in ACRONYMS.values() else capital(" ".join(words))


def _is_p(name: str) -> bool:
    return "pvalue" in name and not name.endswith("error")


def _cell(name: str, record: Fields, ends: tuple[str, str] | None) -> Cell:
    value = record.get(name)
    if name in NAMING and isinstance(value, str):
        return Name(value, NAMING[name])  # type: ignore[arg-type]
    if _is_p(name):
        return PValue(record.get("pvalue_adjusted", value) if name == "pvalue" else value, value)
    if name in WORDED and isinstance(value, str):
        return EFFECTS.get(value, value.replace("_", " ")) if name == "effect_size" else value.replace("_", " ")
    # Ranks and counts have whole ends, which no significant digits apply to.
    if ends is not None and isinstance(value, int):
        return f"{value} [{record[ends[0]]}, {record[ends[1]]}]"
    if ends is not None:
        chance = "improvement" in (name, *(record.get(key) for key in ("measure", "effect_size")))
        return (Chance if chance else Estimate)(value, *map(record.get, ends))
    return plain_cell(value)


def plain_cell(value: Any) -> Cell:
    """Return a value without an interval as a cell: a number with three digits (rows for programs have all), advice as codes, names as a
    list."""
    if isinstance(value, float):
        return Number(value)
    if isinstance(value, dict):
        return value.get("code") or Several(tuple((str(key), plain_cell(item)) for key, item in value.items()))
    if isinstance(value, list | tuple):
        return Several(tuple(("", plain_cell(item)) for item in value))
    return value if isinstance(value, int | None) else str(value)


def flat(record: Fields) -> dict[str, Any]:
    """Return a record as a row of a file or a frame with numbers and texts only.

    Counts become the fewest and the most, advice its codes, readings their measure and verdict; names and numbers are joined into one text.
    """
    row: dict[str, Any] = {}
    for key, value in record.items():
        if key in COUNTS and isinstance(value, list):
            row |= {f"{key}_fewest": min(value), f"{key}_most": max(value)}
        else:
            row[key] = _flat(value)
    return row


def _flat(value: Any) -> Any:
    items = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else None
    if items is None:
        return value
    if isinstance(value, dict) and {"measure", "verdict"} <= value.keys():
        return f"{value['measure']} {value['verdict']}"
    if all(isinstance(item, dict) and "code" in item for item in items):
        return " ".join(dict.fromkeys(item["code"] for item in items))
    if all(isinstance(item, dict) and "verdict" in item for item in items):
        return "; ".join(map(_flat, items))
    # A table in a row is no cell; as JSON nothing of it is lost.
    if any(isinstance(item, list | dict) for item in items):
        return strict_json(value, indent=None).rstrip("\n")
    return "; ".join(map(str, items) if items is value else (f"{key}={item}" for key, item in value.items()))


def table_of(role: str, records: Sequence[Fields], caption: str, unit: str | None) -> Table:
    """Return the table of an answer that makes none of its own: its records as rows; unit None: its one record, field by field."""
    columns = listed_fields(records[0]) if unit is None else columns_of(records, unit)
    return Table(role=role, title=head_of(role), caption=caption, columns=columns)
