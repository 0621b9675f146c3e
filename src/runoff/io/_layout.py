"""A file's table → checked tidy columns: one row per run, one column per algorithm, or one algorithm per file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from runoff._columns import missing_column, plays, recognise
from runoff._tidy import Table, Tidy, extras, numbers, parsed, tidy
from runoff.errors import DataError
from runoff.io.formats import NotRuns

INDEX = frozenset({"", "unnamed: 0", "index", "__index_level_0__"})
"""Names of a first column that only counts rows."""
NAMED_BY_FILE = "there is no algorithm column: the file is taken as one algorithm, named by the file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one file gives: checked columns, the words for its rows, and whether it names the algorithm and whether runs are named inside it."""

    tidy: Tidy
    table: Table
    stem: str
    named_by_file: bool
    names_runs: bool


def lay_out(table: Table, *, stem: str, chosen: Mapping[str, str | None], with_step: bool | None, wide: bool) -> Part:
    """Return the checked columns of a file; `with_step=None` takes steps if there are any.

    Raises
    ------
    NotRuns
        There is no score, or no step where it is needed.
    DataError
        Whatever `tidy` refuses.
    """
    if table.n_rows == 0:
        raise DataError(f"{table.place}: there are no rows of data below the column names.")
    names = list(table.columns)
    names_algorithm = not table.structural and plays(names, "algorithm", chosen)
    names_runs = plays(names, "run", chosen) and not table.structural
    shaped = _shaped(table, stem, chosen, wide)
    roles = {} if shaped.structural else chosen
    steps = plays(list(shaped.columns), "step", roles)
    if with_step and not steps:
        raise _no_steps(shaped)
    checked = tidy(shaped, chosen=roles, with_step=steps)
    checked = replace(checked, mapping={} if shaped.structural else _named(checked, names_algorithm))
    by_file = not names_algorithm and set(checked.labels["algorithm"]) == {stem}
    return Part(tidy=checked, table=shaped, stem=stem, named_by_file=by_file, names_runs=names_runs)


def _named(checked: Tidy, names_algorithm: bool) -> dict[str, str]:
    return {role: column for role, column in checked.mapping.items() if role != "algorithm" or names_algorithm}


def _no_steps(table: Table) -> NotRuns:
    if table.structural:
        return NotRuns(
            f"{table.place}: the file holds one score per run, not learning curves; read it with read_scores."
        )
    return NotRuns(str(missing_column("step", list(table.columns), table.place)))


def _shaped(table: Table, stem: str, chosen: Mapping[str, str | None], wide: bool) -> Table:
    if table.structural:
        return table
    names = list(table.columns)
    has_algorithm, has_score = (plays(names, role, chosen) for role in ("algorithm", "score"))
    if wide and not has_algorithm and not has_score:
        return _melted(table, chosen)
    if not has_score:
        raise NotRuns(str(missing_column("score", names, table.place)))
    return _noting_unused(table, chosen) if has_algorithm else _of_one_algorithm(table, stem, chosen)


# ── one algorithm per file ──────────


def _of_one_algorithm(table: Table, stem: str, chosen: Mapping[str, str | None]) -> Table:
    for name in _unused(table, chosen):
        values = table.columns[name]
        if len({str(value) for value in values}) > 1 and any(parsed(value) is None for value in values):
            refusal = str(missing_column("algorithm", list(table.columns), table.place)).removesuffix(".")
            raise NotRuns(f"{refusal} (column {name!r} holds text: is it the algorithm?).")
    columns = {**table.columns, "algorithm": [stem] * table.n_rows}
    return _noting_unused(replace(table, columns=columns, notes=(*table.notes, NAMED_BY_FILE)), chosen)


def _unused(table: Table, chosen: Mapping[str, str | None]) -> list[str]:
    roles = ("algorithm", "task", "run", "score", "step")
    names = [name for i, name in enumerate(table.columns) if i or name.strip().casefold() not in INDEX]
    used = set(chosen.values()) | set(extras(table))
    for role in roles:
        if chosen.get(role) is None:
            used |= {name for name in names if plays([name], role, {})}
    return [name for name in names if name not in used]


def _noting_unused(table: Table, chosen: Mapping[str, str | None]) -> Table:
    unused = _unused(table, chosen)
    if not unused:
        return table
    more = f" and {len(unused) - 8} more" if len(unused) > 8 else ""
    return replace(table, notes=(*table.notes, f"columns not used: {', '.join(map(repr, unused[:8]))}{more}"))


# ── one column per algorithm ──────────


def _melted(table: Table, chosen: Mapping[str, str | None]) -> Table:
    names = list(table.columns)
    kept = recognise(names, wanted=("task", "run", "step"), chosen=chosen, place=table.place)
    algorithms = [name for name in _unused(table, chosen) if name not in kept.values()]
    if not algorithms or (len(algorithms) == 1 and kept):
        raise NotRuns(str(missing_column("algorithm", names, table.place)))
    if "step" in kept:
        raise NotRuns(
            f"{table.place}: column {kept['step']!r} holds steps, but no column is recognised as the score; "
            "learning curves are read from a tidy table with one row per evaluation."
        )
    for name in algorithms:
        _refuse_text(table, name)
    lengths = [_filled(table, name) for name in algorithms]
    columns: dict[str, list[Any]] = {
        "algorithm": [name for name, n in zip(algorithms, lengths, strict=True) for _ in range(n)],
        "score": [v for name, n in zip(algorithms, lengths, strict=True) for v in _scores(table, name, n)],
    }
    for role, name in kept.items():
        columns[role] = [value for n in lengths for value in table.columns[name][:n]]
    rows = [index for n in lengths for index in range(n)]
    return Table(
        columns=columns,
        place=table.place,
        row=lambda index: f"{table.row(rows[index])}, column {columns['algorithm'][index]!r}",
        structural=True,
        notes=(*table.notes, *_wide_notes(algorithms, lengths)),
    )


def _refuse_text(table: Table, name: str) -> None:
    if all(parsed(value) is None for value in table.columns[name]):
        raise NotRuns(
            f"{table.place}: no column is recognised as the algorithm or the score (is the header line missing?), and column {name!r} "
            "holds no numbers, so this is not a table with one column per algorithm either; name the columns with "
            "columns={'algorithm': ..., 'score': ...}."
        )


def _filled(table: Table, name: str) -> int:
    """Return the length of a column without the empty cells at its end."""
    values = table.columns[name]
    n = len(values)
    while n and _empty(values[n - 1]):
        n -= 1
    return n


def _empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _scores(table: Table, name: str, n: int) -> list[float]:
    return list(numbers(replace(table, columns={name: table.columns[name][:n]}), name, "score"))


def _wide_notes(algorithms: list[str], lengths: list[int]) -> list[str]:
    listed = ", ".join(map(repr, algorithms[:8])) + (", …" if len(algorithms) > 8 else "")
    notes = [f"a wide table: each of the {len(algorithms)} column(s) {listed} is taken as an algorithm"]
    short = {name: n for name, n in zip(algorithms, lengths, strict=True) if n < max(lengths)}
    if short:
        counts = ", ".join(f"{name!r} has {n}" for name, n in list(short.items())[:8])
        notes.append(
            f"empty cells at the end of a column are taken as runs that were not made: {counts} of {max(lengths)}"
        )
    return notes
