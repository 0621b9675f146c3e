"""The exit of papers: tables of typed cells as LaTeX."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from runoff.cells import Cell, Column, Estimate, Name, Number, Table
from runoff.exits.latex.glyphs import shown_names, stand_ins
from runoff.exits.latex.render import latex_of
from runoff.exits.latex.table import LatexCell, LatexColumn, LatexTable
from runoff.exits.text import rows_of
from runoff.words.names import LatexLayout, capital
from runoff.words.numbers import number

MANY = 4
"""The most algorithms that stand beside each other where tasks are fewer."""
LONGEST = 11
"""The most characters of a number that is written out; a longer one becomes a power of ten."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def of_tables(tables: Iterable[Table], layout: LatexLayout) -> str:
    """Return tables in LaTeX, below each other; those of one role have labels with a number."""
    laid = [latex_table(table) for table in tables]
    names = [table.name for table in laid]
    for place, name in enumerate(names):
        # A label may stand once in a document.
        if names.count(name) > 1:
            laid[place] = replace(laid[place], name=f"{name}_{names[: place + 1].count(name)}")
    return "\n".join(latex_of(table, layout) for table in laid)


def latex_table(table: Table) -> LatexTable:
    """Return a table with names that LaTeX prints, values and intervals as texts; what its best rows have in a judged column is bold."""
    columns = table.shown("paper")
    # Names of one role are shortened together, so that no two are alike in any column; an algorithm may have
    # the name of a task.
    roles: dict[str, list[str]] = {}
    for cell in chain.from_iterable((column.head, *column.cells) for column in columns):
        if isinstance(cell, Name):
            roles.setdefault(cell.role, []).append(cell.text)
    shown = {role: shown_names(dict.fromkeys(names), capital(role)) for role, names in roles.items()}
    texts = zip(*rows_of(table, columns), strict=True)
    stands = tuple(chain.from_iterable(map(stand_ins, shown.values())))
    # A bold name stands beside every measure, in a block of its own too: only where no column has what was judged
    # (Hodges-Lehmann). Where an order is read along rows, it would say something of the task.
    in_names = not table.across and not any(column.judged for column in columns)
    laid = [
        _column(column, parts, table.best if column.judged or (column.names and in_names) else (), shown)
        for column, parts in zip(columns, texts, strict=True)
    ]
    names, values = tuple(laid[: table.n_names]), tuple(laid[table.n_names :])
    # Of a pair: one column, which may set the second below the first.
    # Both names beside each other leave a narrow column no room for numbers.
    if table.n_names == 2 and roles.keys() == {"algorithm"}:
        both = zip(*(column.cells for column in names), strict=True)
        cells = tuple(LatexCell(text=a.text, below=b.text, joint=" – ") for a, b in both)
        names = (LatexColumn(head="Pair", cells=cells, right=False),)
    # More columns than rows: turned, the table is longer and less wide, which paper has room for.
    if table.across and len(values) > max(table.n_rows, MANY):
        names, values = _turned(columns[1:], names[0], values)
    return LatexTable(
        name=table.role, caption=table.caption or f"{table.title}.", names=names, values=values, stands=stands
    )


def _turned(
    columns: Sequence[Column], names: LatexColumn, values: Sequence[LatexColumn]
) -> tuple[tuple[LatexColumn, ...], tuple[LatexColumn, ...]]:
    """Return the names and values of a table whose rows are the columns of these."""
    role = next((capital(column.head.role) for column in columns if isinstance(column.head, Name)), "")
    heads = LatexColumn(head=role, cells=tuple(LatexCell(text=column.head) for column in values), right=False)
    rows = zip(*(column.cells for column in values), strict=True)
    turned = tuple(LatexColumn(head=name.text, cells=row) for name, row in zip(names.cells, rows, strict=True))
    return (heads,), turned


def _column(
    column: Column, texts: Iterable[tuple[str, str]], bold: Collection[int], shown: Mapping[str, Mapping[str, str]]
) -> LatexColumn:
    written = list(texts)
    places = _places(
        [pair for cell, parts in zip(column.cells, written, strict=True) for pair in _numbers(cell, *parts)]
    )
    rows = enumerate(zip(column.cells, written, strict=True))
    cells = tuple(_cell(cell, *parts, shown, places, bold=place in bold) for place, (cell, parts) in rows)
    if all(cell.below in ("", "–") for cell in cells):  # no dash where none has an interval
        cells = tuple(replace(cell, below="") for cell in cells)
    head = shown[column.head.role][column.head.text] if isinstance(column.head, Name) else column.head
    return LatexColumn(head=head, cells=cells, right=not column.words)


def _numbers(cell: Cell, text: str, below: str) -> list[tuple[str, float | None]]:
    """Return the numbers of a cell, its own and the ends of its interval, as texts and values."""
    if not isinstance(cell, Estimate | Number) or "e" in text:
        return []
    ends = _ends(cell, below)
    return [(text, cell.value), *ends] if ends else [(text, cell.value)]


def _ends(cell: Cell, below: str) -> list[tuple[str, float | None]]:
    """Return the ends of an interval if one of them is long: both become powers of ten, or none, so that they can be compared."""
    ends = below.strip("[]").split(", ")
    long = isinstance(cell, Estimate) and len(ends) == 2 and max(map(len, ends)) > LONGEST
    return list(zip(ends, (cell.low, cell.high), strict=True)) if isinstance(cell, Estimate) and long else []


def _places(numbers: Sequence[tuple[str, float | None]]) -> int:
    """Return how many decimals powers of ten need so that numbers whose texts differ stay different: 10 000 006 and 10 000 002."""
    texts = {text for text, _ in numbers}
    enough = (n for n in range(2, 15) if len({_short(text, value, n) for text, value in numbers}) == len(texts))
    return next(enough, 2)


def _cell(
    cell: Cell, text: str, below: str, shown: Mapping[str, Mapping[str, str]], places: int, *, bold: bool
) -> LatexCell:
    if isinstance(cell, Name):
        return LatexCell(text=shown[cell.role][cell.text], bold=bold)
    # Raw scores of sixteen digits are wider than a column.
    if isinstance(cell, Estimate | Number) and "e" not in text:
        text = _short(text, cell.value, places)
    if isinstance(cell, Estimate):
        if ends := _ends(cell, below):
            below = f"[{', '.join(_short(end, value, places) for end, value in ends)}]"
        below = below or "–"
    return LatexCell(text=text, below=below, bold=bold)


def _short(text: str, value: float | None, places: int = 2) -> str:
    """Return the text of a number, as a power of ten if it is long.

    >>> _short("0.52", 0.52), _short("123 456 789 012", 123456789012.0), _short("0.9999999960", 0.999999996)
    ('0.52', '1.23 × 10¹¹', '1.00 × 10⁰')
    """
    if not value or len(text) <= LONGEST:
        return text
    mantissa, exponent = f"{value:.{places}e}".split("e")
    return f"{number(float(mantissa), places)} × 10{str(int(exponent)).translate(RAISED)}"
