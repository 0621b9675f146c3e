"""Weights & Biases: the .wandb file of a run folder, online or offline, and charts that were exported as CSV.

A chart has the x axis, then "RUN - SERIES", "RUN - SERIES__MIN", "RUN - SERIES__MAX" of each run. Where smallest and largest differ, the
value stands for several points of the run, which a note says. A chart of groups ("algo: PPO - SERIES") contains no runs, and is refused. The
layout is that of exports in public repositories; no package writes them.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.errors import DataError
from runoff.reading._configured import flat
from runoff.reading._names import hints_of
from runoff.reading.logs.base import ClaimedRun, Extent, Folder, Happening, Log, Series, Tool, Wish, damage
from runoff.reading.logs.metric import counts_steps
from runoff.reading.logs.rows import LoggedColumn, dense, log_of, log_of_series, steps_at, tabled
from runoff.reading.logs.wire import binary
from runoff.reading.logs.wire.lines import lines, table
from runoff.reading.logs.wire.records import HEAD, joined, read_records
from runoff.tables.values import parsed
from runoff.words.patterns import regex

# ── Weights & Biases ──────────

CONFIG, RUN, EXIT = 5, 17, 18
"""Fields of a Record."""
RUN_CONFIG, GROUP_NAME, DISPLAY_NAME = 4, 6, 8
"""Fields of a RunRecord."""
EXIT_CODE = 1
"""The field of a RunExitRecord, which is absent if it is 0."""
DATED = regex(r"(?:offline-)?run-(\d{8}_\d{6})-(.+)")
"""The folder of one start of a run: its date and the run's id."""
OWN = "_wandb"
"""The key of the tool's own entries in a configuration."""


def find(folder: Folder) -> list[ClaimedRun]:
    """Return the runs of a folder with .wandb files; everything below belongs to them."""
    # Nothing, b"", is a file that cannot be read: it is claimed, so that the reading says so.
    names = [name for name in folder.named(".wandb") if folder.head(name)[: len(HEAD)] in (HEAD, b"")]
    # `wandb/run-DATE-ID/run-ID.wandb` is how the tool leaves it; files that people collected in one folder are a run
    # each.
    dated = DATED.fullmatch(folder.path.name)
    if len(names) == 1 and (dated or folder.path.name.startswith(("run-", "offline-run-"))):
        # A run that was resumed has a folder for each start, with the id of the first.
        own = folder.path.parent / dated[2] if dated else None
        return folder.run("wandb", names, whole=True, identity=own)
    return folder.alone("wandb", names)


def read(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: its history against its own steps, or against a series that counts those of the environment."""

    # Counters are always kept, since only the names of all keys say which of them is the axis.
    def keep(key: str) -> bool:
        return wish.keep(key) or counts_steps(key) or key == wish.axis

    paths = sorted((part.path for part in claim.files), key=_started)
    records = joined([read_records(path, keep) for path in paths])

    def own(rows: Ints) -> Floats:
        return records.steps[rows].astype(np.float64)

    history = tabled(records.columns, wish, own=own)
    counted = {}
    for key, of_key in records.counted.items():
        last, _ = steps_at(records.columns, history.axis, own, np.array([of_key.last_row]))
        counted[key] = Extent(points=of_key.points, last=float(last[0]))
    config, (display_name, group), code = _of_run(records.others)
    log = log_of(claim, history, config)
    torn = f"{records.broken_off} after {records.n_records} records" if records.broken_off else ""
    failed = (Happening(policy="failed", where=f"exit code {code}"),) if code else ()
    resumed = (Happening(policy="resumed", count=len(paths)),) if paths[1:] else ()
    happened = (*history.happened, *damage(torn=torn, malformed=records.n_broken), *failed, *resumed)
    return [
        replace(
            log,
            extents=history.extents | counted,
            happened=happened,
            hints=(*hints_of(display_name), *filter(None, [group])),
        )
    ]


def _started(path: Path) -> str:
    dated = DATED.fullmatch(path.parent.name)
    return dated[1] if dated else ""


def _of_run(others: Iterable[bytes]) -> tuple[dict[str, Any], tuple[str, str], int]:
    """Return the configuration, the name and the group, and the exit code of a run."""
    options: dict[str, Any] = {}
    display_name, group, code = "", "", 0
    for record in others:
        try:
            for run in binary.chunks(record, RUN):
                # Several records may speak of the run, each with what changed.
                display_name = binary.text(binary.chunk(run, DISPLAY_NAME)) or display_name
                group = binary.text(binary.chunk(run, GROUP_NAME)) or group
                options |= dict(_updates(binary.chunk(run, RUN_CONFIG)))
            for config in binary.chunks(record, CONFIG):
                options |= dict(_updates(config))
            for ends in binary.chunks(record, EXIT):
                code = int(dict(binary.fields(ends)).get(EXIT_CODE, 0))
        except binary.Broken:
            continue
    entries = {key: value for key, value in options.items() if key.split(".")[0] != OWN}
    return flat(entries), (display_name, group), code


def _updates(config: bytes) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a ConfigRecord: update = 1, of key = 1, nested_key = 2, value_json = 16."""
    for item in binary.chunks(config, 1):
        # An entry has a key, or the path of a nested one.
        keys = [binary.text(key) for number in (1, 2) for key in binary.chunks(item, number)]
        try:
            value = json.loads(binary.chunk(item, 16))
        except (ValueError, RecursionError):
            continue
        yield ".".join(keys), value


WANDB = Tool(
    title="Weights & Biases",
    layout="`wandb/(offline-)run-*/run-ID.wandb`: LevelDB blocks of protocol buffers with the configuration and the history of one run",
    find=find,
    read=read,
)


# ── Weights & Biases chart ──────────

BETWEEN, LOW, HIGH = " - ", "__MIN", "__MAX"
GROUP = regex(r"(?:[\w./-]+: .+|Grouped runs)")
"""The name of a group: a key of the configuration and its value."""
X_AXIS = regex(r"Step|(?:Relative|Wall) Time(?: \((?:Wall|Process)\))?", re.IGNORECASE)
"""Names of the x axes of charts; other axes are series of the runs."""


def _is_chart(head: bytes) -> bool:
    names = _header(head.partition(b"\n")[0].decode("utf-8-sig", "replace"))
    # Three heads are enough to tell, and charts of many runs have thousands.
    if len(names) < 3 or BETWEEN in names[0] or not all(BETWEEN in name for name in names[1:4]):
        return False
    over = X_AXIS.fullmatch(names[0]) is not None or counts_steps(names[0])
    return {names[1] + LOW, names[1] + HIGH} <= set(names[1:]) or (over and all(BETWEEN in name for name in names[1:]))


def _header(line: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([line.rstrip("\r")]), [])]
    except csv.Error:
        return []


def read_wandb_chart(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the runs, in the order of their columns."""
    (part,) = claim.files
    header = _header(next(lines(part.path), ""))
    runs = _runs(part.path, header)
    # By position, for two runs of one name have heads of one name, of which `table` would keep the first.
    rows = table(part.path, ",", names=[str(i) for i in range(len(header))], skip=1)
    columns = [dense([parsed(row[i]) for row in rows.rows]) for i in range(len(header))]
    logs = [_log(claim, wish, header, columns, run=run, places=places) for run, places in runs.items()]
    return [replace(log, happened=(*log.happened, *(rows.happened if log is logs[0] else ()))) for log in logs]


def _runs(path: Path, header: Sequence[str]) -> dict[tuple[str, int], list[int]]:
    """Return the positions of the value columns by run: its name, and its number among runs with this name."""
    runs: dict[tuple[str, int], list[int]] = {}
    seen: Counter[str] = Counter()
    for i, name in enumerate(header[1:], start=1):
        run, between, _ = name.rpartition(BETWEEN)
        if not between:
            raise DataError(f"{path}: column {name[:80]!r} of this exported chart is not named 'RUN - SERIES'.")
        if not name.endswith((LOW, HIGH)):
            runs.setdefault((run, seen[name]), []).append(i)
            seen[name] += 1
    if runs and all(GROUP.fullmatch(run) for run, _ in runs):
        shown = next(iter(runs))[0]
        raise DataError(
            f"{path}: this looks like a chart exported by Weights & Biases that shows groups ({shown[:60]!r}), whose values are not those of "
            "runs; remove the grouping and export the chart again, or read the wandb folder."
        )
    return runs


def _log(
    claim: ClaimedRun,
    wish: Wish,
    heads: Sequence[str],
    columns: Sequence[LoggedColumn],
    *,
    run: tuple[str, int],
    places: list[int],
) -> Log:
    name, which = run
    x, series, n_of_several = columns[0], {}, 0
    for i in places:
        shown = heads[i].rpartition(BETWEEN)[2]
        # Cells of runs that have no point at an x are empty, and so may the x be.
        _, own, at = np.intersect1d(columns[i].rows, x.rows, assume_unique=True, return_indices=True)
        if own.size:
            series[shown] = Series(step=x.values[at], value=columns[i].values[own])
            n_of_several += _of_several(heads, columns, i) if wish.keep(shown) else 0
    sampled = (Happening(policy="sampled", count=n_of_several),) if n_of_several else ()
    inner = name if not which else f"{name} ({which + 1})"
    happened = (Happening(policy="chart"), *sampled)
    return log_of_series(claim, wish, series, happened=happened, inner=inner, axis=heads[0], hints=(name,))


def _of_several(header: Sequence[str], columns: Sequence[LoggedColumn], place: int) -> int:
    """Return how many values of a column stand for several points, with different smallest and largest values."""
    ends = header[place + 1 : place + 3]
    if list(ends) != [header[place] + LOW, header[place] + HIGH]:
        return 0
    low, high = columns[place + 1], columns[place + 2]
    _, a, b = np.intersect1d(low.rows, high.rows, assume_unique=True, return_indices=True)
    # Where a chart was sampled, a point stands for several, of which the export has the least and the greatest.
    return int((low.values[a] != high.values[b]).sum())


WANDB_CHART = Tool(
    title="Weights & Biases chart",
    layout="CSV of a chart: the x axis, then `RUN - SERIES`, `RUN - SERIES__MIN`, `RUN - SERIES__MAX` of each run; charts of groups are refused",
    find=lambda at: at.alone("wandb_chart", (name for name in at.named(".csv") if _is_chart(at.head(name)))),
    read=read_wandb_chart,
)
