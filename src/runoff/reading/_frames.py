"""Conversion of data frames to one table: columns are read like those of a CSV file, except that no path names anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from runoff.data.ends import spelled_policy
from runoff.data.provenance import Provenance
from runoff.reading._gathered import Gathered, with_failed
from runoff.reading._joined import Read, as_asked, joined
from runoff.reading._keys import Around, parsed_keys, roles_of_levels
from runoff.reading._layout import laid_out, shaped
from runoff.reading._measures import with_sign
from runoff.reading._parts import refuse_joined, without_corner
from runoff.reading._paths import File
from runoff.reading._tracked import unfolded
from runoff.reading._trails import Names
from runoff.reading.formats.base import refuse_answer
from runoff.tables.chosen import refuse_absent, with_chosen
from runoff.tables.columns import ROWS, UNUSED, check_roles
from runoff.tables.frames import origin_of
from runoff.tables.likely import Chosen
from runoff.tables.tidy import table_of
from runoff.words.names import DuplicatesName, Incomplete, UnitName


def gather_frame(
    frame: Any,
    *,
    columns: Mapping[str, str] | None = None,
    with_step: bool | None = None,
    keys: str | None = None,
    unit: UnitName = "run",
    incomplete: Incomplete | None = None,
    duplicates: DuplicatesName = "auto",
    sign: float = 1.0,
) -> Gathered:
    """Return the table of a data frame or a dictionary of columns."""
    columns = columns or {}
    check_roles(columns)
    incomplete = spelled_policy(incomplete)
    # a lazy frame of polars warns of a look at its columns
    heads = None if hasattr(frame, "collect") else getattr(frame, "columns", None)
    if getattr(heads, "nlevels", 1) > 1 and None in frame.columns.names:
        frame, keys = frame.rename_axis(columns=roles_of_levels(frame.columns, keys)), None
    table = replace(without_corner(table_of(frame), columns), duplicates=duplicates)
    table = with_chosen(unfolded(table, columns), columns)
    refuse_answer(table, columns)
    refuse_absent([table])
    chosen: Chosen = {r: name for r, name in columns.items() if r not in (ROWS, UNUSED)}
    chosen, sign = with_sign([table], chosen, sign)
    shape = shaped(table, chosen, wide=True, keys=parsed_keys(keys), around=Around(), unit=unit)
    if keys is None and not chosen.get("algorithm"):
        refuse_joined(shape.table, shape.has, shape.chosen)
    part = laid_out(shape, Names(), with_step=with_step, incomplete=incomplete, duplicates=duplicates)
    read = Read(
        file=File(Path(table.place), optional=False), label="", part=part, format="csv", sha256="", unmet=table.unmet
    )
    origin = Provenance(columns=tuple(part.tidy.mapping.items()), origin=origin_of(frame))
    gathered = Gathered(
        table=replace(joined([read], table.place, part.tidy.step is not None), duplicates=duplicates),
        provenance=origin.noting(*dict.fromkeys(part.tidy.notes)),
        has_step=part.tidy.step is not None,
        sign=sign,
        names_runs=part.runs_by != "count" or part.table.structural,
        failed=part.failed,
        failing=f"{table.place}: {part.failing}" if part.failing else "",
    )
    return as_asked(with_failed(gathered, with_step, incomplete, sign), [read], parsed_keys(keys))
