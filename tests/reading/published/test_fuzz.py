"""Damaged tables are read or refused, never anything else; and a table that is read has its numbers from the text."""

from __future__ import annotations

import re
import string

from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.errors import RunoffError
from runoff.reading.published.read import TableOptions, read_table
from tests.amount import examples
from tests.reading.published.tables import TABLES
from tests.reading.published.test_papers import READ

TEXTS = [*TABLES.values(), *(table["text"] for table in READ)]

PIECES = [
    *"&|{}$±\n,.%1()\t;\"−\\_^~\u202f", "\\\\", "\\pm", "**", "\\textbf{", "\\multicolumn{2}{c}{x}", "\\multirow{2}{*}{x}", "\\hline",
    "\\begin{tabular}{lc}", "\\end{tabular}",
    "[1, 2]", "_{3}", "k", " (2)", "@{$\\pm$}", "\\endhead", "| |\n\n", "\\cite{x}", "<sup>2</sup>", "n/a", "NaN", "1e5",
]  # fmt: skip
EDIT = st.tuples(st.integers(0, 10**6), st.sampled_from(["delete", "insert", "double"]), st.sampled_from(PIECES))


def damaged(text, edits):
    for place, how, piece in edits:
        i = place % len(text)
        if how == "insert":
            text = text[:i] + piece + text[i:]
        else:
            text = text[:i] + ("" if how == "delete" else text[i : i + 20]) + text[i + (how == "delete") :]
    return text + "\n"


def read(text):
    """Return the table, or None where it is refused."""
    try:
        return read_table(text, TableOptions())
    except RunoffError:
        return None


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.sampled_from([*string.printable, *PIECES]), max_size=120).map("".join))
def test_any_text_is_read_or_refused(text):
    table = read(text + "\n")
    assert table is None or table.cells


@settings(max_examples=examples(120), deadline=None)
@given(st.sampled_from(TEXTS), st.lists(EDIT, min_size=1, max_size=6))
def test_a_damaged_table_is_refused_or_the_digits_of_each_cell_stand_in_its_line(text, edits):
    text = damaged(text, edits)
    table = read(text)
    for cell in () if table is None else table.cells:
        line = "".join(text.split("\n")[cell.line - 1 :])
        digits = re.sub(r"\D", "", re.split(r"±|\+|[(\[]|_\{", cell.text)[0])
        assert digits in re.sub(r"\D", "", line)
