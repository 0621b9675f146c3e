"""Results that a script wrote itself: records of one run, in JSON, in lines of JSON or as the only row of a table, which a configuration
beside them, or inside, names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from runoff.errors import DataError
from runoff.reading._configured import flat as settings
from runoff.reading._configured import names_in_config
from runoff.reading._kinds_of_files import OF_TRAINING, SAVED, kind_of_file
from runoff.reading._known import are_counted, named_run
from runoff.reading.formats.arrays import arrays_in, load
from runoff.reading.formats.frames import frame_of
from runoff.reading.logs.base import BOM, ClaimedRun, Folder, Happening, Log, LogPart, Tool, Wish, ended, head_of
from runoff.reading.logs.config import HIDDEN, LARGEST, config_files, configured_places
from runoff.reading.logs.config import NAMES as CONFIGURATIONS
from runoff.reading.logs.kinds import of_one_kind
from runoff.reading.logs.metric import order, steps_of
from runoff.reading.logs.rows import Tabled, columns_of, flat, log_of, merged, tabled
from runoff.reading.logs.tools.tables import ALONE, NAMES_A_RUN, NAMES_OF_RUNS, is_logged, scalar_csv_series
from runoff.reading.logs.wire.lines import fields_of, json_lines, json_object
from runoff.tables.nested import is_smooth
from runoff.tables.values import parsed
from runoff.words.costs import direction
from runoff.words.labels import KINDS, KINDS_OF_DATA, main_kind, run_of
from runoff.words.patterns import regex
from runoff.words.words import canonical, kind, vocabulary

RunRecord = Mapping[str, Any]

OF_RESULTS = ALONE | vocabulary(
    "result summary wandbsummary score scores final finalresults finalmetrics evaluation evaluations eval test curve"
)
"""Canonical names of a file with the scores of one run."""
INSIDE = vocabulary("config configuration args arguments params parameters hparams hyperparameters settings cfg flags")
"""Canonical names of the part of a record that is the configuration of its run."""
NUMBERED = regex(r"/\d+$")
STARTS_CONFIG = regex(rb'"(\w+)"\s*:\s*\{')


def find_parts(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with a configuration whose training and evaluations have files of their own: `train.jsonl` and
    `final_eval.json`, `log_train.tsv` and `log_eval.tsv`, `metrics.jsonl` and `evaluation.jsonl`."""
    kinds = {name: part for name in folder.files if (part := _part_of(name)) is not None}
    # DrQ-v2's `train.csv` and `eval.csv` are those of a CSV logger.
    plain = all(name.casefold().endswith(".csv") and canonical(Path(name).stem) in KINDS_OF_DATA for name in kinds)
    if plain or KINDS_OF_DATA.isdisjoint(kinds.values()) or not _is_configured(folder):
        return []
    # A run that crashed before its first evaluation has an empty file of these, or none.
    kinds = {name: part for name, part in kinds.items() if _is_result(folder, name) or _is_empty(folder, name)}
    if len({*kinds.values()}) < len(kinds) or {*kinds.values()} <= {""}:
        return []
    # What lies beside evaluations is of training; what lies beside training is looked at once its scores are known.
    if OF_TRAINING.issuperset({*kinds.values()} - {""}):
        kinds = {name: part for name, part in kinds.items() if part}
    return folder.run("parts", (LogPart(folder.path / name, f"{part or 'train'}/") for name, part in kinds.items()))


def _is_empty(folder: Folder, name: str) -> bool:
    return (folder.path / name).stat().st_size == 0


def _part_of(name: str) -> str | None:
    """Return the kind of a file of results that can be read; None of another file, or of one about a saved model."""
    part = kind_of_file(name) if Path(name).suffix.casefold() in READERS else None
    return None if part == SAVED else part


def _is_configured(folder: Folder) -> bool:
    """Return whether a folder has the configuration of a run, or that above it is of this one too."""
    # Of a file by itself, `*/results.json`, the folder has more.
    places = configured_places(folder.path, folder.parts)
    # A job of Hydra has a folder for it.
    return any(NAMES_A_RUN.search(head_of(path)) for path in config_files(places)) or (folder.path / HIDDEN).is_dir()


def find_records(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with a configuration and one file of records, and the files with a configuration inside."""
    named = [name for name in folder.files if _is_named(folder.path / name)]
    beside = [name for name in named if _is_result(folder, name)] if named and _is_of_run(folder, named) else []
    # Several files may be of several measures: which is meant nobody knows.
    if len(beside) == 1:
        return folder.run("records", folder.named(NPY) if beside[0].casefold().endswith(NPY) else beside)
    objects = [
        name for name in folder.named(".json") if name not in CONFIGURATIONS and _may_be_whole(folder.head(name))
    ]
    return folder.alone("records", [name for name in objects if _is_whole(folder.path / name)])


def _is_of_run(folder: Folder, names: list[str]) -> bool:
    """Return whether a folder is that of a run: it has a configuration, or arrays beside one of their steps, which have no second axis, for
    that may be one of runs, unless a folder is called like a run."""
    if not all(name.casefold().endswith(NPY) for name in names):
        return _is_configured(folder)
    arrays = [entry for entry in _record(folder.path / names[0]).values() if entry and isinstance(entry[0], list)]
    return not arrays or any(map(named_run, folder.parts)) or any(map(run_of, folder.parts)) or _is_configured(folder)


def _is_named(path: Path) -> bool:
    """Return whether a file may hold the scores of a run by its name, or in lines of JSON whatever it is called."""
    if (suffix := _suffix(path)) == NPY:
        return _counts(path.stem)
    if path.name in CONFIGURATIONS or suffix not in READERS:
        return False
    return suffix in LINES or canonical(path.stem) in OF_RESULTS or bool(_part_of(path.name))


def _suffix(path: Path) -> str:
    """Return the suffix of a file; that of lines of JSON for `metrics.json` and `logs.json.txt` with an object in each line."""
    suffix = path.suffix.casefold()
    lines = head_of(path).splitlines()[:2] if path.name.casefold().endswith((".json", ".json.txt")) else []
    return LINES[0] if len(lines) > 1 and all(map(json_object, lines)) else suffix


def _counts(name: str) -> bool:
    return steps_of([name], None) is not None or kind(name) == "step"  # `eval_steps`


def _is_result(folder: Folder, name: str) -> bool:
    """Return whether a file beside a configuration holds scores, or costs: lines with steps, or an object or a row with one score or with
    lists."""
    path = folder.path / name
    if not _is_named(path):
        return False
    if _suffix(path) in LINES:
        heads = [*filter(None, map(json_object, folder.head(name).splitlines()[:HEADS]))]
        names = {key for record in heads for key in flat(record)}
        return steps_of(names, None) is not None and _has_score(heads) and not _names_runs(names)
    record = _record(path)
    return not _names_runs(record) and (_has_score(_rows(record)) or bool(_lists_of_scores(record)))


def _record(path: Path) -> RunRecord:
    """Return the object in a JSON file, the columns of a table, the arrays of an archive, or all arrays beside one; nothing in a file that is
    larger than a configuration, or damaged."""
    suffix = path.suffix.casefold()
    if path.stat().st_size > (LARGEST if suffix == ".json" else LARGEST_OF_ARRAYS):
        return {}
    if suffix == ".json":
        text = path.read_bytes().removeprefix(BOM)
        # A list of records is a history without a name.
        return json_object(b'{"history": %b}' % text if text.lstrip()[:1] == b"[" else text) or {}
    if suffix == NPY:
        loaded = map(_of_arrays, filter(Path.is_file, sorted(path.parent.glob(f"*{NPY}"))))
        return {name: own for arrays in loaded for name, own in arrays.items() if isinstance(own, list)}
    if suffix in (".npz", ".parquet"):
        return _of_arrays(path)
    mark = "\t" if suffix == ".tsv" else ","
    head, *rows = [[*fields_of(line, mark)] for line in path.read_bytes().splitlines() if line.strip()] or [[]]
    if not rows or any(len(row) != len(head) for row in rows) or (len(rows) > 1 and suffix == ".csv"):
        return {}  # of many rows a CSV logger knows more
    return (
        dict(zip(head, rows[0], strict=True))
        if len(rows) == 1
        else dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))
    )


def _of_arrays(path: Path) -> RunRecord:
    try:
        if path.suffix.casefold() == ".parquet":
            return frame_of(path.read_bytes(), str(path), title="Parquet", magic=b"PAR1").to_dict(as_series=False)
        loaded = load(path.read_bytes(), str(path))
        arrays = {path.stem: loaded} if path.suffix.casefold() == NPY else arrays_in(loaded, str(path))
    except DataError:
        return {}
    return {name: array.tolist() for name, array in arrays.items() if array.dtype.kind in "fiu"}


def _lists_of_scores(record: RunRecord) -> list[str]:
    """Return the lists of numbers by the name of a score, which have no steps."""
    return [
        name
        for name, entry in record.items()
        if order(name)
        and isinstance(entry, list)
        and len(entry) > 1
        and all(parsed(value) is not None for value in entry)
    ]


def _has_score(rows: Iterable[RunRecord]) -> bool:
    """Return whether a row has a number that is named like a score, at any depth, and not by a number, of which nobody knows what it counts."""
    numbers = ((name, value) for row in rows for name, value in flat(row).items() if not NUMBERED.search(name))
    return any((order(name) or direction(name) == "lower") and parsed(value) is not None for name, value in numbers)


def _names_runs(names: Iterable[str]) -> bool:
    return not NAMES_OF_RUNS.isdisjoint(map(canonical, names))


def _may_be_whole(head: bytes) -> bool:
    """Return whether the first bytes of a JSON file hold a part that is called like a configuration."""
    return any(canonical(match[1].decode("utf-8", "replace")) in INSIDE for match in STARTS_CONFIG.finditer(head))


def _is_whole(path: Path) -> bool:
    record = _record(path)
    return bool(names_in_config(settings(_config(record)))) and _has_score(_rows(record))


def _config(record: RunRecord) -> dict[str, Any]:
    """Return the parts of a record that are called like a configuration, as one mapping."""
    return {name: part for name, part in record.items() if isinstance(part, Mapping) and canonical(name) in INSIDE}


def _rows(record: RunRecord) -> list[RunRecord]:
    """Return the rows of a record without its configuration: those that have steps in one of its parts, or the record itself as one row.

    >>> _rows({"config": {"seed": 3}, "curve": {"steps": [1, 2], "return": [0.5, 0.75]}})
    [{'steps': 1, 'return': 0.5}, {'steps': 2, 'return': 0.75}]
    """
    own = {name: part for name, part in record.items() if name not in _config(record)}
    parts = {name: rows for name, part in own.items() if (rows := _stepped(part, name))}
    with_steps = [*filter(None, (_stepped(own), *parts.values()))]
    if len(with_steps) > 1:  # {"train": {…}, "eval": {…}}: the evaluations
        called = {canonical(name): rows for name, rows in parts.items()}
        main = main_kind(called)
        with_steps = [called[main]] if main else []
    if not with_steps:
        return [own]
    # Scores beside the rows, such as that of a last evaluation, are those of the end: `"final": {"return": 5}`.
    beside = {name: value for name, value in own.items() if order(name) and parsed(value) is not None}
    ends = {name: part for name, part in own.items() if isinstance(part, Mapping) and canonical(name) in KINDS}
    beside |= {name: value for name, value in flat(ends).items() if order(name) and parsed(value) is not None}
    rows = with_steps[0]
    return [*rows[:-1], {**beside, **rows[-1]}]


def _stepped(part: Any, name: str = "") -> list[RunRecord]:
    """Return the rows of a list of records with steps, or of lists that are as long as that of the steps; none of anything else."""
    if isinstance(part, Mapping) and len(part) > 1 and all(parsed(step) is not None for step in part):
        # 0, 1, 2 may as well be seeds, or episodes.
        if all(step.isdigit() for step in part) and are_counted(part) and kind(name) not in ("step", "iteration"):
            return []
        # {"1000": 5.5, "2000": 7.5}, in the order of the steps
        by_step = sorted(part.items(), key=lambda item: parsed(item[0]) or 0.0)
        return [{"step": step, **(row if isinstance(row, Mapping) else {"score": row})} for step, row in by_step]
    if isinstance(part, list) and all(isinstance(row, Mapping) for row in part):
        return part if steps_of(set(chain.from_iterable(part)), None) is not None else []
    lists = (
        {name: entry for name, entry in part.items() if isinstance(entry, list)} if isinstance(part, Mapping) else {}
    )
    steps = steps_of(lists, None) or next(filter(_counts, lists), None)
    columns = {name: entry for name, entry in lists.items() if steps and _fits(entry, len(lists[steps]))}
    if steps and steps_of([steps], None) is None:
        columns = {"step": columns.pop(steps), **columns}
    return [
        own for row in zip(*columns.values(), strict=True) for own in _of_episodes(dict(zip(columns, row, strict=True)))
    ]


def _fits(entry: list[Any], n_steps: int) -> bool:
    """Return whether a list has an entry for each step; of a square of numbers it is the side along which neighbours are alike, as in a
    learning curve, and those along the other are not."""
    if len(entry) != n_steps or not all(isinstance(value, list) and len(value) == n_steps for value in entry):
        return len(entry) == n_steps
    try:
        square = np.array(entry, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return square.ndim == 2 and is_smooth([*square.T]) and not is_smooth([*square])


def _of_episodes(row: RunRecord) -> Iterator[RunRecord]:
    """Yield a row for each episode of an evaluation, whose scores are lists: their mean is the score of the step."""
    n = max((len(value) for value in row.values() if isinstance(value, list)), default=1)
    for i in range(n):
        yield {
            name: (value[i : i + 1] or [None])[0] if isinstance(value, list) else value for name, value in row.items()
        }


def read_records(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run; a single score without a step stands at step 0."""
    # All arrays of a folder are one record.
    arrays = [part for part in claim.files if part.path.suffix.casefold() == NPY]
    read = [_read(part, wish) for part in (arrays[:1] or claim.files)]
    return [
        log_of(
            claim, merged(table for table, _ in read), settings({k: v for _, config in read for k, v in config.items()})
        )
    ]


def _read(part: LogPart, wish: Wish) -> tuple[Tabled, RunRecord]:
    reader = READERS.get(_suffix(part.path), _of_record)
    rows, happened, config = reader(part.path) if part.path.stat().st_size else ([], (), {})
    kept, of_kind = of_one_kind([_by_its_metric(flat(row)) for row in rows], str(part.path))
    columns = columns_of(kept)
    stepless = len(rows) == 1 and steps_of(columns, wish.axis) is None
    own = (lambda at: np.zeros(at.size)) if stepless else None
    events = (*happened, *of_kind, *((Happening(policy="no_step"),) * stepless))
    return tabled(columns, wish, prefix=part.prefix, own=own, happened=events), config


def read_beside(part: LogPart, wish: Wish) -> Tabled:
    """Return the series of a file beside the log of a run; refuse one with scores of which nothing says at which steps, or of several runs."""
    path, suffix = part.path, _suffix(part.path)
    if suffix == ".csv" and is_logged(head_of(path), of_job=True):
        return scalar_csv_series(part, wish)
    if suffix in LINES:
        rows = [{**flat(row)} for row in json_lines(path)[0]]
        names = {name for row in rows for name in row}
        unclear = _has_score(rows) and (steps_of(names, None) is None or _names_runs(names))
    else:
        record = _record(path) if suffix in READERS else {}
        names = {*record} or {*fields_of(head_of(path))}
        nameless = not record or all(NAMELESS.fullmatch(name) and not _stepped(record[name]) for name in record)
        unclear = _names_runs(names) or (nameless and (suffix != ".csv" or any(map(order, names))))
    if unclear:
        raise DataError(f"{path}: nothing says at which steps of a run its numbers are.")
    return _read(part, wish)[0] if suffix != ".csv" or record else Tabled(extents={}, series={}, axis=None)


NAMELESS = regex(r"history|arr_\d+")
"""The names of numbers without one, in a list of JSON and in an archive."""


def _by_its_metric(row: RunRecord) -> RunRecord:
    """Return a row with its score under the name of its metric: `{"metric": "rmse", "score": 5}`."""
    metric = next((str(row[name]) for name in ("metric", "metric_name") if isinstance(row.get(name), str)), "")
    alone = [name for name in ("score", "value") if metric and parsed(row.get(name)) is not None]
    return {metric if name in alone else name: value for name, value in row.items()} if len(alone) == 1 else row


def _of_lines(path: Path) -> tuple[list[RunRecord], tuple[Happening, ...], RunRecord]:
    rows, happened = json_lines(path)
    return [*rows], happened, {}


def _of_record(path: Path) -> tuple[list[RunRecord], tuple[Happening, ...], RunRecord]:
    record = _record(path)
    if not record:
        raise DataError(f"{path}: this is no object with the scores of a run.")
    if not _has_score(_rows(record)) and (lists := _lists_of_scores(record)):
        n = len(record[lists[0]])
        raise DataError(
            f"{path}: {lists[0]!r} has {n} numbers without steps, which may be evaluations during training, or the episodes of one: write the "
            "steps beside them, or the mean of the episodes."
        )
    return _rows(record), ended(record.get("status", "")), _config(record)


HEADS = 50
"""Lines in which names of series are looked for."""
LINES, NPY = (".jsonl", ".ndjson"), ".npy"
LARGEST_OF_ARRAYS = 32 << 20
"""Bytes of the largest table, or archive of arrays, that is read as that of one run."""
READERS = {
    **dict.fromkeys((".json", ".csv", ".tsv", ".npz", ".parquet"), _of_record),
    **dict.fromkeys(LINES, _of_lines),
}
PARTS = Tool(
    title="a script's files of training and evaluations",
    layout="`train.jsonl` and `final_eval.json`, `log_train.tsv` and `log_eval.tsv` and the like, beside a configuration that names the run",
    find=find_parts,
    read=read_records,
)

RECORDS = Tool(
    title="a script",
    layout="`metrics.json`, `results.jsonl`, `summary.csv` and the like with one score, or with steps and scores, beside a configuration that "
    "names the run; `RUN.json` with a part `config` or `args`",
    find=find_records,
    read=read_records,
)
