"""How an answer of Python stands in a transcript: its sentence, tables, notes and advice; data by cell; a figure by its artists."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

import runoff as ro
from runoff.answer.base import Result
from runoff.exits import markdown_of
from tests.golden.pictures import picture

DIGITS = 6
ROWS = 6
"""Records of an answer that stand in full, with all their fields; its tables stand whole."""


def shown(value: Any) -> str:
    """Return the text of an answer, of data, of a figure, or the repr of anything else."""
    if isinstance(value, Result):
        return answer(value)
    if isinstance(value, ro.Scores | ro.Curves):
        return data(value)
    if is_axes(value):
        return picture(value)
    if value is None or isinstance(value, str):
        return value or ""
    return plain(value)


def is_axes(value: Any) -> bool:
    first = value[0] if isinstance(value, tuple | list) and value else value
    return hasattr(first, "get_figure") and hasattr(first, "get_xlim")


def plain(value: Any) -> str:
    """Return the repr of a value, floats with few digits."""
    if isinstance(value, float | np.floating):
        return f"{float(value):.{DIGITS}g}"
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list):
        return "[" + ", ".join(map(plain, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(plain, value)) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{plain(k)}: {plain(v)}" for k, v in value.items()) + "}"
    if is_dataclass(value) and not isinstance(value, type):
        own = [(field.name, getattr(value, field.name)) for field in fields(value) if field.repr]
        return f"{type(value).__name__}({', '.join(f'{name}={plain(v)}' for name, v in own)})"
    return repr(value)


def answer(result: Result) -> str:
    """Return the sentence, the tables with their captions as Markdown, the records' other fields, and the advice."""
    parts = [str(result)]
    for table in result.tables():
        parts.append(markdown_of(table))
    records = [
        {key: own for key, own in record.items() if own not in (None, "", [], ())} for record in result.to_records()
    ]
    parts += map(plain, records[:ROWS])
    parts += [f"… of {len(records)} records"] * (len(records) > ROWS)
    parts += [f"{advice.code} {advice.severity}: {advice}" for advice in getattr(result, "advice", ())]
    return "\n".join(parts)


def data(value: Any) -> str:
    """Return data as they print, and the values of each run in a line: of scores those of a cell."""
    frame = value.to_polars()
    own = [name for name in frame.columns if name not in ("step", "score", "run", "config")]
    rows: dict[str, list[str]] = {}
    for row in frame.iter_rows(named=True):
        along = isinstance(value, ro.Curves)
        names = ["algorithm", "task", *(["run"] if along else [])]
        texts = [plain(row["score"]) if not along else f"{row['step']}:{plain(row['score'])}"]
        texts += [
            f"{name}={plain(row[name]) if isinstance(row[name], float) else row[name]}"
            for name in own
            if name not in names
        ]
        runs = "" if along else f"{row['run']}:"
        rows.setdefault(" | ".join(str(row[name]) for name in names), []).append(runs + ",".join(texts))
    return "\n".join([str(value), *(f"{cell}: {' '.join(texts)}" for cell, texts in rows.items())])
