"""runoff scan: what runs are there?"""

from __future__ import annotations

import glob
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runoff.cli import options as o
from runoff.cli.record import show_result
from runoff.cli.terminal import open_console, say, say_some, show_tables
from runoff.cli.values import roles
from runoff.cli.verb import verb

if TYPE_CHECKING:
    from runoff.answer.scan import PreviewResult, ScanResult


ABOUT = """
path PATH...: Folders of training logs or of tables, single logs or tables.
"""


@verb
def scan(
    path: list[str],
    *,
    pattern: str | None = None,
    format: str | None = None,
    columns: list[str] | None = None,
    keys: str | None = None,
    dims: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
    table: str | None = None,
    duplicates: str | None = None,
    unit: str | None = None,
    lower_is_better: bool = False,
    incomplete: str | None = None,
    json: bool = False,
) -> None:
    """List the runs in logs, or show how tables are read.

    $ runoff scan .
    $ runoff scan results.csv --columns score=eval/return

    It shows the first rows of a table, the counts, and the options by which it is read: change them here, then give them to any other command.
    """
    from runoff.cli.progress import progress
    from runoff.reading import scan as scan_path
    from runoff.reading.preview import holds_tables

    named = o.given(pattern=pattern)
    how = o.given(format=format, columns=roles(columns), keys=keys, dims=dims, decimal=decimal)
    how |= o.given(sheet=sheet, table=table, duplicates=duplicates, unit=unit, incomplete=incomplete)
    how |= o.given(lower_is_better=lower_is_better or None)
    with progress() as tell:
        tell("looking at the files", 0.0)
        # A list of tables names columns, and a pattern names runs of both; several paths are shown as they are read together.
        single = path[0] if len(path) == 1 and (Path(path[0]).exists() or not glob.has_magic(path[0])) else None
        result = None if how or single in (None, "-") else scan_path(single, **named)
        as_tables = single is None or result is None or not result.rows or holds_tables(single)
        preview = _preview(path, named | how, alone=result is None or not result.rows) if as_tables else None
    if preview is not None:
        if json:
            show_result(preview, notes=list(preview.notes))
        else:
            show_preview(preview, path)
        return
    assert result is not None  # without a survey a preview is refused
    if json:
        show_result(result)
    else:
        show_scan(result)


def _preview(path: list[str], how: dict[str, Any], *, alone: bool) -> PreviewResult | None:
    """Return the preview of paths; None for a single folder without tables, for which the survey of logs is more useful, if there is one."""
    from runoff.errors import DataError
    from runoff.reading.formats import NotRuns
    from runoff.reading.preview import preview

    try:
        return preview(path[0] if len(path) == 1 else path, **how)
    except DataError as refusal:
        if (
            not alone
            and len(path) == 1
            and Path(path[0]).is_dir()
            and (isinstance(refusal, NotRuns) or "holds no file of a kind" in str(refusal))
        ):
            return None
        raise


def show_preview(result: PreviewResult, path: list[str]) -> None:
    """Print the first rows as they are read, the counts, and the options that give this reading."""
    console = open_console()
    say(console, result.sentence)
    show_tables(console, result.tables())
    say_some(console, result.notes, "note", "  ")
    if result.options:
        say(console, "If the reading is wrong, change these options, and give them to any verb:")
        console.print(
            f"  runoff scan {shlex.join(path)} {result.options}", markup=False, highlight=False, soft_wrap=True
        )


def show_scan(result: ScanResult) -> None:
    """Print the runs by algorithm and task, with notes on choices and events."""
    console = open_console()
    say(console, result.sentence)
    if result.rows:
        show_tables(console, result.tables())
    say_some(console, result.notes, "note", "  ")
