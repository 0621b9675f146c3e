"""Studies of the catalogue, for runoff check: how do methods behave if the truth is known?"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runoff.cli import options as o
from runoff.cli.record import show_record, show_result
from runoff.cli.terminal import open_console, say, show_tables

if TYPE_CHECKING:
    from runoff.answer.rows import Records
    from runoff.answer.study import StudyResult
    from runoff.lab import Entry

ABOUT = """
--workers: Number of processes or threads (default: one per processor).
--backend: Backend of joblib that runs the workers: loky, threads, dask, ray, spark, … (default loky).
--store: Folder of finished blocks, from which the same study continues.
--time-limit: Time after which to stop, at the end of a block: 90s, 10m, 1.5h.
--data: Folder or file of the runs that scenarios of real runs need.
"""

TRACKER = "joblib.externals.loky.backend.resource_tracker"
"""A process of joblib's. After Ctrl-C it takes away what the workers have shared, and would warn of that; it takes over our `warnoptions`."""


@dataclass(frozen=True, kw_only=True)
class StudyOptions:
    """The options for computing a study."""

    workers: int | None = None
    backend: str | None = None
    store: Path | None = None
    time_limit: str | None = None
    data: Path | None = None


def is_study(path: str) -> bool:
    """Return whether a path names a study: one in the catalogue, if no file has this name, or a declaration in TOML."""
    from runoff.lab import catalogue

    sources = {name.partition("/")[0] for name in catalogue.names()}
    return path.endswith(".toml") or (not os.path.lexists(path) and path.partition("/")[0] in {"list", *sources})


def check_study(
    name: str, how: StudyOptions, *, n_repeats: int | None, seed: int | None, out: Path | None, force: bool, json: bool
) -> None:
    """Simulate a study and show its table, or show the catalogue."""
    from runoff import lab

    if name == "list":
        o.refuse("{} means nothing for the catalogue", n_repeats=n_repeats, seed=seed, out=out, **o.options_of(how))
        show_catalogue(json=json)
        return
    entry = lab.find_study(name, data=how.data).changed(**o.given(n_repeats=n_repeats, seed=seed))
    settings = o.given(workers=how.workers, backend=how.backend, store=how.store, time_limit=how.time_limit)
    sys.warnoptions.append(f"ignore::UserWarning:{TRACKER}")
    result = lab.run_study(entry.study, **settings)
    show_study(entry, result, out=out, force=force, json=json)


def write_study(entry: Entry, result: StudyResult, out: Path, *, force: bool = False) -> list[str]:
    """Write table.csv, study.json, figure.svg and .png, where the source allows printed.csv and statements.csv; return sentences on them."""
    import json

    from runoff.exits.csv import csv_text
    from runoff.lab.printed import check_statements, compare_printed
    from runoff.page.files.folder import write_answer
    from runoff.plots import caption, error_rates

    comparisons: dict[str, Records[Any]] = {
        "printed": compare_printed(entry, result),
        "statements": check_statements(entry, result),
    }
    # A study of one's own has neither printed tables nor statements to be held against.
    answers = {name: answer for name, answer in comparisons.items() if answer.to_records()}
    sentences = [result.sentence, *(answer.sentence for answer in answers.values()), *pooled(entry)]
    texts = {
        "table.csv": csv_text(result.to_records()),
        "study.json": json.dumps(entry.study.to_dict(), indent=1, ensure_ascii=False) + "\n",
        **{f"{name}.csv": csv_text(answer.to_records()) for name, answer in answers.items()},
        "README.txt": "\n\n".join([*sentences, entry.notes, "Figure. " + caption(result)]).strip() + "\n",
    }
    panels = (entry.figure or {}).get("panels") or [
        {"world": w, "effect": e} for w in result.worlds for e in result.effects
    ]
    write_answer(
        out, "study", texts, lambda: {"figure": error_rates(result, panels)}, force=force, formats=("svg", "png")
    )
    return sentences


def pooled(entry: Entry) -> list[str]:
    """Return a sentence about methods that pool the runs of several tasks, if there are any."""
    from runoff.lab import CONTENDERS

    labels = [CONTENDERS[name].label for name in entry.study.contenders if CONTENDERS[name].pools]
    if not labels or all(world.n_tasks == 1 for world in entry.study.worlds):
        return []
    names = ", ".join(labels)
    return [
        f"The runs of all tasks are pooled for {names}: a low rate may show what pooling costs, and not that a test is safe."
    ]


def show_catalogue(*, json: bool) -> None:
    """Print the names and titles of the catalogue."""
    from runoff.lab import catalogue

    titles = {name: catalogue.title(name) for name in catalogue.names()}
    if json:
        return show_record([{"name": name, "title": title} for name, title in titles.items()])
    for name, title in titles.items():
        sys.stdout.write(f"{name:<28} {title}\n")
    return None


def show_study(entry: Entry, result: StudyResult, *, out: Path | None, force: bool, json: bool) -> None:
    """Print the records, or the tables and sentences; write the folder if one is named."""
    from runoff.lab.printed import check_statements, compare_printed

    written = write_study(entry, result, out, force=force) if out is not None else []
    if json:
        return show_result(result)
    console = open_console()
    show_tables(console, result.tables())
    console.print()
    statements = check_statements(entry, result)
    for record in statements.rows:
        say(console, f"{record.verdict}: “{record.statement}” ({record.where}): {record.evidence}")
    answers = (result, compare_printed(entry, result), statements)
    for sentence in written or [*(answer.sentence for answer in answers if answer.to_records()), *pooled(entry)]:
        say(console, sentence)
    if out is not None:
        say(console, f"Written to {out}")
    return None
