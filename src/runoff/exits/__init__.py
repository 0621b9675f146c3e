"""The exits: tables of typed cells as text, HTML, Markdown and LaTeX, and records as tables and JSON.

They stand above the answers that they print, which ask for them through a port (`base/ports.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from runoff.base.signed import strict_json
from runoff.cells import Table
from runoff.exits.columns import flat, table_of
from runoff.exits.html import html_of, image_of
from runoff.exits.markdown import markdown_of
from runoff.exits.plain import printed
from runoff.words.names import LatexLayout

__all__ = ["flat", "html_of", "image_of", "latex_of", "markdown_of", "printed", "strict_json", "table_of"]


def latex_of(tables: Iterable[Table], layout: LatexLayout) -> str:
    """Return tables in LaTeX, below each other."""
    # Its layouts are checked by a module that loads NumPy, which the list of the archive does without.
    from runoff.exits.latex.tables import of_tables

    return of_tables(tables, layout)
