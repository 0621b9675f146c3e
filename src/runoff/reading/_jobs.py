"""Folders that only number jobs (`slurm_812345`, `812345_3`), or are hashes (`a8f3e1`): the user is asked for the algorithms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from runoff.errors import DataError, warn
from runoff.reading._known import has_algorithm
from runoff.tables.labels import Columns, labelled
from runoff.tables.likely import plays
from runoff.tables.source import SourceTable
from runoff.words.patterns import regex
from runoff.words.speech import option
from runoff.words.words import words

JOB = regex(
    r"(?:(?:slurm|sbatch|pbs|lsf|condor|array|job|task|id|run|exp|trial|version)[\s_.-]*)*\d+(?:[\s_.-]+\d+)*",
    re.IGNORECASE,
)
ABOVE = "the folder"
"""The words for a folder above all files, which supplies missing names."""


LONG = regex(r"\d{4}")
"""A number too large for a seed, such as a scheduler gives to a job."""


HASH = regex(r"[0-9a-f]{6,40}")


def jobs_among(algorithms: Sequence[str], paths: Sequence[str], repair: str = "", *, short: bool = False) -> str:
    """Return the question which algorithms these are if the paths name them only by job numbers; "" otherwise.

    An algorithm is "" if nothing in the path names it, so that the last folder counts. short: a number of few digits behind a word counts as
    well, if each has one run.
    """
    folders = [algorithm or path.split("/")[-1] for algorithm, path in zip(algorithms, paths, strict=True)]
    # Short numbers may be values of a setting (`lr/1`), whose variants they are; behind a word they number jobs: `exp0`.
    short = short and len({*folders}) == len(folders) and not any(folder[0].isdigit() for folder in folders)
    numbered = all(JOB.fullmatch(folder) and (short or LONG.search(folder)) for folder in folders)
    hashed = _are_hashes(folders)
    if len(folders) < 2 or not (numbered or hashed):
        return ""
    what = "hashes" if hashed else "numbers of jobs"
    return (
        f"the folders of {len(paths)} runs are {what} (for example {paths[0][-80:]}), which do not name the algorithm; "
        f"{repair or by_glob(paths[0])}."
    )


def _are_hashes(names: Sequence[str]) -> bool:
    """Return whether names are hexadecimal numbers of one length, another for each run: `a8f3e1`, `09bc77`."""
    several = len({*names}) == len(names) > 2 and len({*map(len, names)}) == 1
    return several and all(map(HASH.fullmatch, names)) and not all(map(str.isalpha, names))


def by_glob(path: str) -> str:
    """Return the repair if names mean nothing: a TOML file with a glob of paths for each algorithm."""
    first = re.findall(r"^\D*\d{0,3}", path.split("/")[-1])[0]
    return (
        f'name the runs of each algorithm by globs in a TOML file, such as [runs."{first}*"] algorithm = "ppo", and read it '
        f"with {option('pattern', 'runs.toml')} (docs/guides/logs/hydra.md)"
    )


def nameless(n_runs: int, example: str, algorithm: str) -> str:
    """Return the caution that several runs are taken as those of one algorithm because nothing names any."""
    return (
        f"nothing names the algorithm or the task of {n_runs} runs (for example {example}): all are read as runs of one algorithm, "
        f"{algorithm!r}, on one task; if they are of several, {by_glob(example)}"
    )


def judge(named: Sequence[Mapping[str, str]], where: Sequence[Mapping[str, str]], paths: Sequence[Path]) -> None:
    """Refuse tables whose paths only number jobs, given names {role: name} from parts of a path, and warn if a folder above all names them."""
    with_tasks = any(names.get("task") for names in named)
    algorithms = [names["algorithm"] for names in named]
    above = [
        parts["algorithm"] == ABOVE and not (with_tasks or has_algorithm(name) or JOB.fullmatch(name))
        for parts, name in zip(where, algorithms, strict=True)
    ]
    unnamed = all(above) and len(set(algorithms)) == 1
    refuse_jobs(["" if own else name for own, name in zip(above, algorithms, strict=True)], paths)
    if unnamed and len(paths) > 1:
        warn(nameless(len(paths), paths[0].parent.name, algorithms[0]))


def refuse_jobs(algorithms: Sequence[str], paths: Sequence[Path], *, short: bool = False) -> None:
    """Refuse tables whose algorithms only number jobs."""
    folder = paths[0].parent.name
    moved = f"move the runs of each algorithm into a folder of its name (mkdir ppo; mv {folder} ppo/), or add a column 'algorithm' to the tables"
    if question := jobs_among(algorithms, [path.parent.name for path in paths], moved, short=short):
        raise DataError(f"{paths[0].parent.parent}: {question}")


def named_jobs(opened: Sequence[Any]) -> list[Any]:
    """Return the files of the jobs of an array with the columns of the table beside them that names each by its number, without that table:
    `ArrayTaskID algo env seed` beside `out_1.json`, `out_2.json`. Files of other forms stay as they are."""
    keys = {i: key for i, entry in enumerate(opened) if (key := _key_of_jobs(entry.table))}
    jobs = {
        i: match for i, entry in enumerate(opened) if i not in keys and (match := NUMBERED.fullmatch(entry.file.stem))
    }
    if len(keys) != 1 or len(jobs) + 1 < len(opened) or len({match[1] for match in jobs.values()}) != 1:
        return [*opened]
    ((own, key),) = keys.items()
    table = opened[own].table
    rows = {int(text): row for row, text in enumerate(labelled(table.columns[key]))}
    numbers = {i: int(match[2]) for i, match in jobs.items()}
    tables = [opened[i].table for i in jobs]
    if (
        not {*numbers.values()} <= rows.keys()
        or len({*numbers.values()}) < len(jobs)
        or any(t.structural for t in tables)
    ):
        return [*opened]
    if lacking := len(rows) - len(jobs):
        warn(f"{table.place}: {lacking} of its {len(rows)} jobs have no file, and are left out")
    note = f"the runs are named by {table.place}, by the numbers in column {key!r}"
    return [
        replace(opened[i], table=_named_by(opened[i].table.noted(note), table.others(key), rows[number], number))
        for i, number in numbers.items()
    ]


def _key_of_jobs(table: SourceTable) -> str:
    """Return the column with another whole number in each row of a table which names algorithms, and measures nothing; "" of other tables."""
    names = [*table.columns]
    if (
        table.structural
        or not plays(names, "algorithm", {})
        or any(plays(names, role, {}) for role in ("score", "step"))
    ):
        return ""
    keys = {name: labelled(table.columns[name]) for name in names if words(name)[-1:] in OF_JOBS}
    return next(
        (k for k, own in keys.items() if all(map(str.isdecimal, own.names)) and len(own.names) == len(own) > 1), ""
    )


def _named_by(table: SourceTable, columns: Columns, row: int, number: int) -> SourceTable:
    """Return the table of a job with the values of its row in another table as columns, without the column that repeats its number."""
    names = {name: labelled(values)[row] for name, values in columns.items()}
    again = [
        name for name, own in table.columns.items() if words(name)[-1:] in OF_JOBS and {*labelled(own)} == {str(number)}
    ]
    own = {name: values for name, values in table.columns.items() if name not in again}
    return replace(table, columns={**{name: [text] * table.n_rows for name, text in names.items()}, **own})


NUMBERED = regex(r"(.*?)(\d{1,6})")
OF_JOBS = (("id",), ("index",), ("idx",), ("job",))
"""Last words of columns that number jobs."""
