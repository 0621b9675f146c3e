"""`runoff` without a verb: the runs in this folder, and commands to copy for questions about them."""

from __future__ import annotations

import os
import shlex
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.cli.terminal import open_console, say
from runoff.errors import RunoffError
from runoff.words.numbers import counted

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

MOST_TABLES = 5
"""The largest number of tables that are opened, because each is read completely."""
LARGEST = 20_000_000
"""The largest size of a table that is opened unasked, in bytes."""
MOST_FILES = 2_000
"""The largest number of files in a folder that is searched for logs unasked: a home folder has millions."""


@dataclass(frozen=True, kw_only=True)
class Sight:
    """Runs in the folder: their path in a command, a line on them, and the questions that they allow."""

    path: str
    words: str
    n_algorithms: int
    steps: bool


def look_around() -> bool:
    """Print which runs are in this folder, and commands for the first of them; return False if there are none."""
    folder = Path()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sights = [*_logs(folder), *_tables(folder)]
    reports = [path.parent.name for path in sorted(folder.glob("*/results.json")) if _is_report(path)]
    # Those first of which a pair can be compared.
    sights.sort(key=lambda sight: sight.n_algorithms < 2)
    if not sights:
        return False
    console = open_console()
    for sight in sights:
        say(console, sight.words)
    for name in reports:
        say(console, f"{name}: a report.")
    console.print()
    say(console, "What you can ask:")
    for command in commands(sights[0], reports):
        say(console, command, "  ")
    console.print()
    say(console, "runoff --help lists all verbs.")
    return True


def _is_report(path: Path) -> bool:
    with path.open("rb") as file:
        return b'"runoff.report/' in file.read(1000)


def commands(sight: Sight, reports: list[str]) -> list[str]:
    """Return three commands with questions about these runs."""
    path = shlex.quote(sight.path)
    if sight.n_algorithms < 2:
        return [
            f"runoff report {path}",
            f"runoff aggregate {path}",
            f"runoff gate {path} --save baseline.json",
        ]
    third = f"runoff curves {path}" if sight.steps else f"runoff plan {path}"
    if reports:
        third = f"runoff diff {shlex.quote(reports[0])} {path}"
    return [f"runoff report {path}", f"runoff compare {path}", third]


def _logs(folder: Path) -> Iterator[Sight]:
    from runoff.reading import scan

    files = 0
    for _, _, names in os.walk(folder):
        files += len(names)
        if files > MOST_FILES:
            return
    try:
        result = scan(folder)
    except RunoffError:
        return
    if result.rows:
        n = len({record.algorithm for record in result.rows})
        yield Sight(path=".", words=result.sentence, n_algorithms=n, steps=True)


def _tables(folder: Path) -> Iterator[Sight]:
    from runoff.reading.formats import SUFFIXES
    from runoff.reading.read import read_runs

    # Not JSON: results and baselines of runoff itself end so, and settings of anything.
    tables = [path for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES - {".json", ".txt"}]
    small = [path for path in tables if path.is_file() and path.stat().st_size <= LARGEST]
    for path in small[:MOST_TABLES]:
        try:
            runs = read_runs(path)
        except RunoffError:
            continue  # a table of something else
        yield _sight(path, runs)


def _sight(path: Path, runs: Scores | Curves) -> Sight:
    from runoff.data.curves import Curves

    what = "learning curves" if isinstance(runs, Curves) else "end scores"
    sizes = [(int(runs.n_runs.sum()), "run"), (len(runs.algorithms), "algorithm"), (len(runs.tasks), "task")]
    n_runs, algorithms, tasks = (counted([n], noun) for n, noun in sizes)
    words = f"{path}: {what} of {n_runs} of {algorithms} on {tasks}."
    return Sight(path=str(path), words=words, n_algorithms=len(runs.algorithms), steps=isinstance(runs, Curves))
