"""The options of runoff claims."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runoff.cli import options as o
from runoff.words.names import PublishedSpread

Table = Annotated[
    str, typer.Argument(metavar="TABLE", help="A table in LaTeX, Markdown, CSV or TSV; - reads standard input.")
]
Spread = Annotated[
    str | None, typer.Option("--spread", help=f"What ± is: {o.names(PublishedSpread)} (default unknown).")
]
Runs = Annotated[
    list[str] | None,
    typer.Option("--n", metavar="N|NAME=N", help="Runs of each cell; by algorithm or task: repeatable."),
]
Own = Annotated[
    str | None,
    typer.Option("--algorithm", metavar="NAME", help="Whose claims: an algorithm that was named before the results."),
]
Best = Annotated[str | None, typer.Option("--best", help="Whose claims otherwise: auto, bold, mean (default auto).")]
Lower = Annotated[
    list[str] | None,
    typer.Option("--lower", metavar="TASK", help="Where lower is better; repeatable; or all, none, arrows (default)."),
]
Rows = Annotated[str | None, typer.Option("--rows", help="What rows are: auto, algorithms, tasks (default auto).")]
Decimal = Annotated[str | None, typer.Option("--decimal", help="auto, point, comma (default auto).")]
Format = Annotated[str | None, typer.Option("--format", help="auto, latex, markdown, csv, tsv (default auto).")]
Wide = Annotated[bool, typer.Option("--accept-wide", help="Read a ± that is larger than any mean on its task.")]
Out = Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT.csv", help="A CSV file with one row a claim.")]
