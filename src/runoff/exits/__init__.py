"""The exits: tables of typed cells as text, HTML, Markdown and LaTeX, and records as tables and JSON.

They stand above the answers that they print, which ask for them through a port (`base/ports.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.base.asked import write_asked
from runoff.base.signed import strict_json
from runoff.cells import Table
from runoff.errors import OptionError, OutputError
from runoff.exits.columns import flat, table_of
from runoff.exits.csv import csv_of, csv_of_runs, csv_text
from runoff.exits.html import html_of, image_of
from runoff.exits.markdown import markdown_of
from runoff.exits.plain import printed
from runoff.words.names import LatexLayout
from runoff.words.words import vocabulary

if TYPE_CHECKING:
    from runoff.base.arrays import Floats
    from runoff.data.base import RunData

__all__ = [
    "csv_of",
    "csv_of_runs",
    "csv_text",
    "data_table",
    "flat",
    "html_of",
    "image_of",
    "latex_of",
    "markdown_of",
    "printed",
    "strict_json",
    "table_of",
    "written",
]


def data_table(data: RunData, ends: Sequence[Sequence[Floats]], scores: str) -> Table:
    """Return the table of data: how many runs there are, and the range of their scores."""
    # Both of these load NumPy, which the list of the archive does without.
    from runoff.exits.data import of_runs

    return of_runs(data, ends, scores)


def latex_of(tables: Iterable[Table], layout: LatexLayout) -> str:
    """Return tables in LaTeX, below each other."""
    from runoff.exits.latex.tables import of_tables

    return of_tables(tables, layout)


WRITERS = {".csv": "to_csv", ".md": "to_markdown", ".tex": "to_latex", ".json": "to_json"}
"""What writes the files with these endings."""
OTHER_FORMATS = vocabulary(
    ".gz .bz2 .xz .zst .zip .tar .tsv .jsonl .ndjson .parquet .feather .xlsx .xls .ods .npz .html .htm .pdf .png .svg"
)
"""Endings of files that hold no text of these, packed or of another format."""


def written(text: str, out: str | Path | None, ending: str, *, force: bool) -> str:
    """Return a text, after it is written to the file that is named, if one is; refuse the name of a file of another format."""
    if out is None:
        return text
    path = Path(out)
    if not path.name:
        raise OutputError(f"{str(out)!r} names no file; give one, such as answer{ending}.")
    other = path.suffix.casefold()
    if other in OTHER_FORMATS:
        plain = path.with_suffix("" if Path(path.stem).suffix == ending else ending)
        raise OptionError(
            f"{WRITERS[ending]} writes no {other} file, which {path.name!r} is named as: {WRITERS[ending]}({str(plain)!r}) writes its text."
        )
    if other != ending and other in WRITERS:
        raise OptionError(
            f"{WRITERS[ending]} writes no {other} file, which {path.name!r} is named as: {WRITERS[other]}({str(out)!r}) does."
        )
    write_asked(path, text.rstrip("\n") + "\n", "answer", force=force, folders=True)
    return text
