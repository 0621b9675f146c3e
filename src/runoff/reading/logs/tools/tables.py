"""Logs that are tables of text with one row per report: Spinning Up, Acme, Lightning, bsuite, d3rlpy, DVCLive, and any logger's CSV file.

d3rlpy, DVCLive and TorchRL write one file per series, the others one file per run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

from runoff.reading._configured import flat
from runoff.reading._known import ALGORITHM_KEYS, LIGHTNING, RUN_KEYS, TASK_KEYS
from runoff.reading.logs.base import MOST_HEADS, ClaimedRun, Folder, Happening, Log, LogPart, Tool, Wish, head_of
from runoff.reading.logs.config import HIDDEN, config_files, configured_places, written_config
from runoff.reading.logs.kinds import of_one_kind
from runoff.reading.logs.metric import STEPS, TIMES, counts_steps, last_piece, order
from runoff.reading.logs.rows import Tabled, columns_of, log_of, merged, reader, tabled
from runoff.reading.logs.wire.lines import fields_of, json_object, table, table_series
from runoff.tables.values import parsed
from runoff.words.costs import direction
from runoff.words.labels import KINDS_OF_DATA
from runoff.words.patterns import regex
from runoff.words.words import canonical, vocabulary

# ── Spinning Up ──────────

PROGRESS, FINAL = "progress.txt", "eval.txt"
SIGNS = (b"EpRet", b"TotalEnvInteracts", b"Epoch\t")
"""Names of columns that only Spinning Up has."""
FINAL_PREFIX = "eval/"


def find_spinningup(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with a progress.txt or a final eval.txt."""
    heads = {name: folder.head(name).partition(b"\n")[0] for name in (PROGRESS, FINAL) if name in folder.files}
    names = [name for name, head in heads.items() if b"\t" in head and any(sign in head for sign in SIGNS)]
    return folder.run("spinningup", names)


def read_spinningup(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: the table of its epochs, and its final evaluation at the last step (at 0 without one)."""
    epochs = merged(table_series(part, wish, "\t") for part in claim.files if part.path.name == PROGRESS)
    # eval.txt is one row without a step, written when training has ended.
    last = max((extent.last for extent in epochs.extents.values()), default=0.0)
    final = [part for part in claim.files if part.path.name == FINAL]
    at_the_end = (
        table_series(part, wish, "\t", prefix=FINAL_PREFIX, own=lambda rows: np.full(rows.size, last)) for part in final
    )
    tables = merged([epochs, *at_the_end])
    stepless = all(extent.last == 0 for extent in tables.extents.values())
    happened = (*tables.happened, *((Happening(policy="no_step"),) if stepless else ()))
    return [log_of(claim, replace(tables, happened=happened))]


SPINNINGUP = Tool(
    title="Spinning Up",
    layout="`progress.txt`: a table with tabs, one row per epoch (AverageEpRet, AverageTestEpRet, TotalEnvInteracts), beside `config.json`",
    find=find_spinningup,
    read=read_spinningup,
)


# ── Acme ──────────

ACME_FILE, ACME_FOLDER = "logs.csv", "logs"
COUNTED_BY = ("actor_steps", "train_steps", "evaluator_steps")
"""Columns that count steps of the environment, the first ahead; those of the learner, `learner_steps`, count its updates."""


def find_acme(folder: Folder) -> list[ClaimedRun]:
    """Return the run two folders above a logs.csv whose header counts steps."""
    if ACME_FILE not in folder.files or folder.path.parent.name != ACME_FOLDER:
        return []
    names = fields_of(folder.head(ACME_FILE))
    if not any(counts_steps(name) or name.endswith(COUNTED_BY) for name in names):
        return []
    # The label (evaluator, actor, learner) says what was measured, and goes before the series.
    part = LogPart(folder.path / ACME_FILE, prefix=f"{folder.path.name}/")
    return [ClaimedRun(tool="acme", path=folder.path.parent.parent, parts=folder.parts[:-2], files=(part,))]


def _acme_series(part: LogPart, wish: Wish) -> Tabled:
    names = fields_of(head_of(part.path))
    own = next((name for name in COUNTED_BY if name in names), None)
    return table_series(part, wish if wish.axis else replace(wish, axis=own))


ACME = Tool(
    title="Acme",
    layout="`ID/logs/LABEL/logs.csv`: a table with a header for the evaluator, the actor and the learner; the folder ID is the run",
    find=find_acme,
    read=reader(_acme_series),
)


# ── Lightning CSV ──────────

METRICS, HPARAMS = "metrics.csv", "hparams.yaml"


def find_lightning_csv(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with Lightning's metrics.csv."""
    if METRICS not in folder.files or not (HPARAMS in folder.files or LIGHTNING.fullmatch(folder.path.name)):
        return []
    return folder.run("lightning_csv", [METRICS] if {"step", "epoch"} <= set(fields_of(folder.head(METRICS))) else [])


LIGHTNING_CSV = Tool(
    title="Lightning CSV",
    layout="`NAME/version_N/metrics.csv` (columns epoch, step and the metrics; one row per report) and `hparams.yaml`",
    find=find_lightning_csv,
    read=reader(table_series),
)


# ── bsuite ──────────

BSUITE_FILE = regex(r"^bsuite_id_-_(\w+)-(\d+)\.csv$")
ONLY_SEEDS = vocabulary("bandit cartpole catch mnist mountain_car")
"""Experiments whose settings differ only by a seed, in bsuite's `sweep.py`; the settings of all others are tasks of their own."""


def read_bsuite(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return a log for each file."""
    logs, folder = [], claim.parts[-1] if claim.parts else claim.path.name
    for part in claim.files:
        experiment, index = BSUITE_FILE.findall(part.path.name)[0]
        # catch/0 … catch/19 are twenty seeds of one setting; deep_sea/3 has another depth than deep_sea/4.
        task, run = (experiment, index) if experiment in ONLY_SEEDS else (f"{experiment}/{index}", folder)
        log = log_of(claim, table_series(part, wish))
        logs.append(replace(log, names={"task": task, "run": run}, inner=part.path.stem.partition("_-_")[2]))
    return logs


BSUITE = Tool(
    title="bsuite",
    layout="`bsuite_id_-_EXPERIMENT-INDEX.csv` (steps, episode, episode_return, …); an index is a run if it is only a seed, else a task",
    find=lambda folder: folder.run("bsuite", (name for name in folder.files if BSUITE_FILE.match(name))),
    read=read_bsuite,
)


# ── d3rlpy ──────────

D3RLPY_PARAMS = "params.json"
EVALUATIONS = frozenset({"environment", "evaluation"})
"""Names of files with returns of evaluations, though the names do not say so."""
EVALUATED = "eval/return/"


def find_d3rlpy(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with params.json and files with three numbers per line."""
    names = folder.named(".csv") if D3RLPY_PARAMS in folder.files else []
    numbers = {name: [*map(parsed, fields_of(folder.head(name)))] for name in names}
    # d3rlpy writes epoch, step and value, and no head; other tables beside a params.json have more or fewer columns,
    # or text.
    return folder.run("d3rlpy", (name for name, row in numbers.items() if len(row) == 3 and None not in row))


def _d3rlpy_series(part: LogPart, wish: Wish) -> Tabled:
    stem = part.path.stem
    name = f"{EVALUATED}{stem}" if stem in EVALUATIONS else stem
    return _only(table_series(part, wish, names=("epoch", "step", name)), part.prefix + name)


def _only(columns: Tabled, name: str) -> Tabled:
    """Return a single series of a table, without the counting columns next to it."""
    return replace(
        columns,
        extents={series: extent for series, extent in columns.extents.items() if series == name},
        series={series: points for series, points in columns.series.items() if series == name},
    )


D3RLPY = Tool(
    title="d3rlpy",
    layout="`SERIES.csv` without a header (epoch, step, value), such as `environment.csv`, beside `params.json`",
    find=find_d3rlpy,
    read=reader(_d3rlpy_series),
)


# ── TorchBeast ──────────

TORCHBEAST, FIELDS = "logs.csv", "fields.csv"
TORCHBEAST_SIGN = b"# _tick,_time,"


def find_torchbeast(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with rows of TorchBeast; its second file holds the names of their columns alone."""
    rows = [name for name in (TORCHBEAST,) if folder.head(name).startswith(TORCHBEAST_SIGN)]
    return folder.run("torchbeast", [*rows, *(name for name in (FIELDS,) if rows and name in folder.files)])


def read_torchbeast(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run."""
    return [log_of(claim, table_series(claim.files[0], wish))]


TORCHBEAST_TOOL = Tool(
    title="TorchBeast",
    layout="`XPID/logs.csv` (# _tick, _time, frames, mean_episode_return, …) and `fields.csv`, beside `meta.json`",
    find=find_torchbeast,
    read=read_torchbeast,
)


# ── DVCLive ──────────

PLOTS = ("plots", "metrics")
USUAL, DVCLIVE_PARAMS = "dvclive", "params.yaml"
HEADS = (("step",), ("timestamp", "step"))
"""Headers that may precede that of the series."""


def find_dvclive(folder: Folder) -> list[ClaimedRun]:
    """Return the run whose series are in a folder: the folder above `plots/metrics`, and above `dvclive` if it has this name."""
    depths = [i for i in range(len(folder.parts) - 1) if folder.parts[i : i + 2] == PLOTS]
    heads = {name: fields_of(folder.head(name), "\t") for name in folder.named(".tsv") if depths}
    # DVCLive names the file and the last column of it alike.
    names = [name for name, head in heads.items() if tuple(head[:-1]) in HEADS and head[-1] == Path(name).stem]
    if not names:
        return []
    depth = depths[0]
    # A name with slashes, eval/return, becomes folders: plots/metrics/eval/return.tsv.
    inside = folder.parts[depth + len(PLOTS) :]
    parts = folder.parts[:depth]
    parts = parts[:-1] if parts[-1:] == (USUAL,) else parts
    path = folder.path.parents[len(folder.parts) - len(parts) - 1]
    files = tuple(LogPart(folder.path / name, "".join(f"{piece}/" for piece in inside)) for name in names)
    return [ClaimedRun(tool="dvclive", path=path, parts=parts, files=files)]


def read_dvclive(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run."""
    series = merged(_dvclive_series(part, wish) for part in claim.files)
    # the parameters lie beside `plots`
    plots = next(above for above in claim.files[0].path.parents if above.name == PLOTS[0])
    config, unread = written_config(plots.parent / DVCLIVE_PARAMS)
    happened = (*series.happened, *unread)
    return [log_of(claim, replace(series, happened=happened, axis="step"), flat(config))]


def _dvclive_series(part: LogPart, wish: Wish) -> Tabled:
    name = part.path.stem
    rows = table(part.path, "\t")
    columns = columns_of(rows.records())
    own = {head: columns[head] for head in ("step", name) if head in columns}
    return _only(tabled(own, wish, prefix=part.prefix, happened=rows.happened), part.prefix + name)


DVCLIVE = Tool(
    title="DVCLive",
    layout="`dvclive/plots/metrics/SERIES.tsv` (step and value, one file per series) and `dvclive/params.yaml`",
    find=find_dvclive,
    read=read_dvclive,
)


# ── PFRL ──────────

PFRL_FILE, PFRL_ARGUMENTS = "scores.txt", "args.txt"
PFRL_SIGN = b"steps\tepisodes\telapsed\tmean"
STATISTICS = ("mean", "median", "max", "min")
"""Columns with the returns of an evaluation, although their names do not say so."""


def read_pfrl(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: its evaluations, with their arguments."""
    (part,) = claim.files
    rows = table(part.path, "\t")
    columns = columns_of(rows.records())
    named = {f"eval/return/{name}" if name in STATISTICS else name: column for name, column in columns.items()}
    arguments = claim.path / PFRL_ARGUMENTS
    config = flat(json_object(arguments.read_text("utf-8", "replace"))) if arguments.is_file() else {}
    return [log_of(claim, tabled(named, wish, happened=rows.happened), config)]


PFRL = Tool(
    title="PFRL",
    layout="`scores.txt`: a table with tabs (steps, episodes, elapsed, mean, …), one row per evaluation, and `args.txt` in JSON",
    find=lambda folder: folder.run("pfrl", folder.signed([PFRL_FILE], PFRL_SIGN)),
    read=read_pfrl,
)


# ── CSV logger ──────────

SCALAR_CSV_FOLDER = "scalars"
LOG_TABLES = ("eval.log", "train.log")
"""Tables of rllte, which are CSV although their names do not say so."""
# YAML, `key: value`, TOML, `key = value`, and JSON, `"key": value`, at any depth of dots: a configuration beside a plain table makes it
# the log of a run.
_KEYS = "|".join((*ALGORITHM_KEYS, *TASK_KEYS, *RUN_KEYS))
NAMES_A_RUN = regex(
    rf"""(?:^|[{{,(])\s*["']?(?:[\w.]+\.)?(?:{_KEYS})["']?\s*[:=]|\s--?(?:{_KEYS.replace("_", "[_-]")})[\s=]""".encode(),
    re.MULTILINE | re.IGNORECASE,
)
"""A line of a configuration that names algorithm, task or run."""
ALONE = vocabulary("progress history metrics log logs results")
"""Canonical names of a table that is the run of its folder."""
LOGGERS = frozenset({*TIMES, "sps", "fps", "walltime", "timestamp"} - {"t"})
"""Last pieces of names, in canonical form, that only a logger's table has."""
NAMES_OF_RUNS = vocabulary(
    "algorithm algo agent method policy task env envid environment game seed run runid trial name state created user tags sweep"
)
"""Canonical names of columns that distinguish runs: a table with such a column has a run in each row, and is not a log."""


def find_scalar_csv(folder: Folder) -> list[ClaimedRun]:
    """Return the run whose series are files with two numbers per line, or tables with a logger's columns; train and eval are parts of the
    same run."""
    heads = {name: folder.head(name) for name in folder.named(".csv", *LOG_TABLES)}
    series = [name for name, head in heads.items() if _is_series(folder, name, head)]
    of_job = bool(heads) and _of_job(folder.path, folder.parts, [name for name in heads if name not in series])
    tables = [name for name, head in heads.items() if is_logged(head, of_job=of_job)]
    tables = [name for name in tables if _is_scored(heads[name])] or tables
    # DrQ-v2 and its heirs write train.csv and eval.csv into the folder of a run; other tables side by side are runs
    # of their own.
    if len(heads) > 1 and not series and tables and _are_parts(tables):
        parts = (LogPart(folder.path / name, prefix=f"{Path(name).stem}/") for name in tables)
        return folder.run("scalar_csv", parts)
    # `progress.csv` says nothing; `PPO_s3.csv` may name its run, so that the name of the file stays in the path of
    # the run.
    if len(tables) == 1 and not series and canonical(Path(tables[0]).stem) in ALONE:
        return folder.run("scalar_csv", tables)
    return _of_series(folder, series) + folder.alone("scalar_csv", tables)


def _of_series(folder: Folder, names: Sequence[str]) -> list[ClaimedRun]:
    """Return the run with these series; a name with slashes is a path of folders inside `scalars`."""
    inner = folder.parts[folder.parts.index(SCALAR_CSV_FOLDER) + 1 :] if SCALAR_CSV_FOLDER in folder.parts else ()
    path, parts = folder.path, folder.parts[: len(folder.parts) - len(inner)]
    files = tuple(LogPart(path / name, prefix="".join(f"{piece}/" for piece in inner)) for name in names)
    path = path.parents[len(inner) - 1] if inner else path
    return [ClaimedRun(tool="scalar_csv", path=path, parts=parts, files=files)] if files else []


def _is_series(folder: Folder, name: str, head: bytes) -> bool:
    """Return whether a file has two numbers per line, the first rising, and is where TorchRL puts it or is named like a score."""
    fields = [line.split(",") for line in head.decode("utf-8", "replace").splitlines()[:3]]
    pairs = [(parsed(pair[0]), parsed(pair[1])) for pair in fields if len(pair) == 2]
    if len(pairs) < len(fields) or not pairs or any(None in pair for pair in pairs):
        return False
    # Three lines tell: two numbers a line, without a head, are many things, so that steps must rise and a name must
    # say that it is a score.
    rising = all((a[0] or 0) < (b[0] or 0) for a, b in pairwise(pairs))
    return rising and (SCALAR_CSV_FOLDER in folder.parts or order(Path(name).stem) is not None)


def _are_parts(names: Sequence[str]) -> bool:
    return KINDS_OF_DATA.issuperset(canonical(Path(name).stem) for name in names)


def _is_scored(head: bytes) -> bool:
    return any(map(order, fields_of(head)))


def _of_job(folder: Path, parts: Sequence[str], tables: Iterable[str]) -> bool:
    """Return whether a folder is that of one run: a Hydra job, or a table or its parts with a configuration that names algorithm, task or
    run. Tables without a score beside one with scores, as of times and losses, are no others."""
    if (folder / HIDDEN).is_dir():
        return True
    if not any(NAMES_A_RUN.search(head_of(path)) for path in config_files(configured_places(folder, parts))):
        return False
    first = list(islice(tables, MOST_HEADS + 1))  # of thousands of tables, each asks
    scored = [name for name in first if _is_scored(head_of(folder / name))] or first
    return len(first) <= MOST_HEADS and (len(scored) == 1 or _are_parts(scored))


def is_logged(head: bytes, *, of_job: bool = False) -> bool:
    """Return whether a header has a column of steps, a score, a name with a slash or a logger's column, and no names of runs."""
    names = fields_of(head)
    lasts = {canonical(last_piece(name)) for name in names}
    scores = [name for name in names if order(name) is not None]
    # Beside the configuration of a run a cost is what was measured, too.
    scores = scores or [name for name in names if of_job and direction(name) == "lower"]
    logged = of_job or any("/" in name for name in scores) or bool(lasts & LOGGERS)
    # W&B's table of runs has series as columns too, and a run in each row.
    of_runs = {canonical(name) for name in names} & NAMES_OF_RUNS
    return bool(lasts & set(STEPS)) and bool(scores) and logged and not of_runs


def is_table(claim: ClaimedRun) -> bool:
    """Return whether a run is a table with headers, which the rules for tables can also read."""
    path = claim.files[0].path
    # A table with heads that no configuration claims may as well be a table of many runs: it is read as one first,
    # and as a log only if that refuses.
    if claim.tool != "scalar_csv" or len(claim.files) > 1 or path.suffix.casefold() != ".csv":
        return False
    with os.scandir(path.parent) as entries:
        beside = (entry.name for entry in entries if entry.name.casefold().endswith(".csv"))
        parts = claim.parts[:-1] if claim.path.is_file() else claim.parts
        return is_logged(head_of(path)) and not _of_job(path.parent, parts, beside)


def is_history(claim: ClaimedRun) -> bool:
    """Return whether the headers of a run that is a table are paths of series: eval/return."""
    return b"/" in head_of(claim.files[0].path).partition(b"\n")[0]


def scalar_csv_series(part: LogPart, wish: Wish) -> Tabled:
    if is_logged(head_of(part.path), of_job=True):  # it was found to be one of a run
        rows = table(part.path, ",")
        kept, of_kind = of_one_kind(list(rows.records()), str(part.path))
        return tabled(columns_of(kept), wish, prefix=part.prefix, happened=(*rows.happened, *of_kind))
    # TorchRL's CSVLogger: scalars/NAME.csv with step, value and no head.
    pair = table_series(part, wish, names=("step", part.path.stem))
    counted = part.prefix + "step"
    return replace(pair, extents={name: extent for name, extent in pair.extents.items() if name != counted}, axis=None)


SCALAR_CSV = Tool(
    title="CSV logger",
    layout="TorchRL's `scalars/SERIES.csv` (step, value), one table per run with steps and names like `eval/episode_reward`, `walltime` (Brax); "
    "`train.csv` and `eval.csv` (DrQ-v2), `eval.log` (rllte); a table beside a configuration that names the run",
    find=find_scalar_csv,
    read=reader(scalar_csv_series),
)
