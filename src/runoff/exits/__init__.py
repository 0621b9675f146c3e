"""The content of an answer in one form for every exit: tables of typed cells, and the text of a cell.

A method makes tables; an exit (terminal, notebook, page, LaTeX, Markdown) prints any of them, and knows no method. Nothing is rounded before an
exit asks for text.
"""

from runoff.exits.cells import Cell, Chance, Estimate, Name, Number, PValue, Share, Verdict
from runoff.exits.html import html_of
from runoff.exits.in_tables import InTables
from runoff.exits.markdown import markdown_of
from runoff.exits.table import Column, ColumnsOf, Table

__all__ = [
    "Cell",
    "Chance",
    "Column",
    "ColumnsOf",
    "Estimate",
    "InTables",
    "Name",
    "Number",
    "PValue",
    "Share",
    "Table",
    "Verdict",
    "html_of",
    "markdown_of",
]
