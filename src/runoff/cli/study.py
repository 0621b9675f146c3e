"""runoff study: how do methods behave where the truth is known?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runoff.cli import options as o
from runoff.cli.verb import verb

Name = Annotated[
    str,
    typer.Argument(
        metavar="list|NAME|FILE.toml", help="A study of the catalogue, a TOML file, or `list`.", show_default=False
    ),
]
Out = Annotated[Path | None, typer.Option("-o", "--out", help="Folder for the table, the figure and the comparison.")]
Repeats = Annotated[
    int | None, typer.Option("--repeats", help="Simulated experiments per cell (default: the study's).")
]
Workers = Annotated[int | None, typer.Option("--workers", help="Processes or threads (default: one per processor).")]
Backend = Annotated[str | None, typer.Option("--backend", help="loky, threads, dask, ray, spark, … (default loky).")]
Store = Annotated[
    Path | None, typer.Option("--store", help="Folder of finished blocks; the same study continues there.")
]
Budget = Annotated[
    str | None, typer.Option("--budget", help="Stop at the first block boundary after this time: 90s, 10m, 1.5h.")
]
Data = Annotated[Path | None, typer.Option("--data", help="Folder or file of the runs that empirical worlds need.")]


@verb
def study(
    name: Name,
    out: Out = None,
    repeats: Repeats = None,
    workers: Workers = None,
    backend: Backend = None,
    store: Store = None,
    budget: Budget = None,
    data: Data = None,
    seed: o.Seed = None,
    json: o.Json = False,
) -> None:
    """How do methods behave where the truth is known?"""
    from runoff import studies
    from runoff.cli.show_study import show_catalogue, show_study

    if name == "list":
        show_catalogue(json=json)
        return
    entry = studies.find_study(name, data=data).changed(**o.given(n_repeats=repeats, seed=seed))
    settings = o.given(workers=workers, backend=backend, store=store, budget=budget)
    result = studies.run_study(entry.study, **settings)
    show_study(entry, result, out=out, json=json)
