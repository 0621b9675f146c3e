"""The content of an answer in one form for every exit: tables of typed cells, and the text of a cell.

A method makes tables; an exit (terminal, notebook, page, LaTeX, Markdown) prints any of them, and knows no method. Nothing is rounded before an
exit asks for text.
"""

from runoff.answer.cells import Cell, Chance, Estimate, Name, Number, PValue, Share, Verdict
from runoff.answer.exits import InTables
from runoff.answer.html import html_of
from runoff.answer.markdown import markdown_of
from runoff.answer.table import Column, ColumnsOf, Table

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
