"""Files with the same runs of the same algorithms, whose names may be those of tasks."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.errors import DataError
from runoff.reading._crossed import is_generation
from runoff.reading._joined import Read
from runoff.reading._known import beyond_noise, says_nothing
from runoff.reading._names import BEFORE_NAMES
from runoff.reading._path_names import places_below
from runoff.tables.columns import listed
from runoff.words.labels import KINDS_OF_DATA, run_of
from runoff.words.speech import option
from runoff.words.words import without_numbers


def refuse_alike(read: Sequence[Read], place: str) -> None:
    """Refuse files that each hold the first run of the others and all of their algorithms, under names that may be those of tasks: pooled, or
    averaged, the scores of several tasks would be those of one."""
    first = [_first_run(entry) for entry in read]
    if len(read) == 1 or len({*first}) > 1 or any(_names_itself(entry) for entry in read):
        return
    algorithms = {frozenset(entry.part.tidy.labels["algorithm"].names) for entry in read}
    paths = [parts for parts, _ in places_below([entry.file for entry in read])]
    pattern = _of_tasks(paths)
    if len(algorithms) > 1 or len(names := sorted(algorithms.pop())) < 2 or not pattern:
        return
    otherwise = f", or {option('duplicates', 'mean')} if they are episodes of one run"
    counted = any(entry.part.runs_by == "count" for entry in read)
    raise DataError(
        f"{place}: the files {listed(['/'.join(path) for path in paths[:3]])} hold the same runs of the algorithms {listed(names[:3])}, and "
        f"nothing says how the files differ; use {option('pattern', pattern)} if each is of one task{otherwise * (not counted)}; or put the "
        "task, or the run, in a column."
    )


def _first_run(entry: Read) -> tuple[str, str, float]:
    tidy = entry.part.tidy
    return tidy.labels["algorithm"][0], tidy.labels["run"][0], -1.0 if tidy.step is None else float(tidy.step[0])


def _names_itself(entry: Read) -> bool:
    """Return whether a file names its tasks, or its path its algorithm or its run."""
    return "task" in entry.part.tidy.mapping or bool(entry.part.where)


def _of_tasks(paths: Sequence[tuple[str, ...]]) -> str:
    """Return the pattern of paths that differ in one level alone, which may name tasks; "" if they do not."""
    differing = [at for at, level in enumerate(zip(*paths, strict=False)) if len({*level}) > 1]
    if len(differing) != 1 or len({len(path) for path in paths}) > 1:
        return ""
    names = [path[differing[0]] for path in paths]
    if len({*names}) < len(names) or len({*map(without_numbers, names)}) == 1 or KINDS_OF_DATA.issuperset(names):
        return ""
    if any(says_nothing(name) or is_generation(name) or run_of(name) or not beyond_noise(name) for name in names):
        return ""
    before = {match.group() if (match := BEFORE_NAMES.match(name)) else "" for name in names}
    field = f"{before.pop() if len(before) == 1 else ''}{{task}}"
    return "/".join(field if at == differing[0] else "*" for at in range(len(paths[0])))
