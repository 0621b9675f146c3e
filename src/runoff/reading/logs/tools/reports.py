"""Logs in JSON with one object per report: RLlib and Ray Tune, Dreamer, verl, Hugging Face's Trainer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from runoff.errors import DataError
from runoff.reading.logs.base import ClaimedRun, Folder, Happening, Log, LogPart, Tool, Wish, damage, ended
from runoff.reading.logs.kinds import of_one_kind
from runoff.reading.logs.metric import counts_steps, is_family, order
from runoff.reading.logs.rows import LoggedColumn, columns_of, flat, log_of, merged, tabled
from runoff.reading.logs.wire.lines import json_file, json_lines, json_object, reports_of
from runoff.tables.values import parsed
from runoff.words.patterns import regex
from runoff.words.speech import neutral

# ── RLlib and Ray Tune ──────────

RESULT, PROGRESS = "result.json", "progress.csv"
RLLIB_SIGN = b"training_iteration"
ERROR, DONE = "error.txt", "done"
"""The file that a failed trial leaves, and the entry in its last report if it was retried and completed."""
NOT_SERIES = frozenset({"config", "hist_stats", "sampler_perf", "experiment_tag"})
"""Entries of a result that are not training series."""


def read_rllib(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the trial, from result.json if it can be read, otherwise from progress.csv."""
    refusals = []
    # progress.csv keeps the columns of the first report and lacks all that came later; result.json has the
    # configuration as well.
    for part in sorted(claim.files, key=lambda part: part.path.name != RESULT):
        try:
            records, happened = reports_of(part.path)
        except DataError as refusal:
            refusals.append(refusal)
            continue
        config: Mapping[str, Any] = next(
            (record["config"] for record in records if isinstance(record.get("config"), dict)), {}
        )
        # Tune leaves error.txt when a trial is tried again and ends well.
        done = bool(records) and str(records[-1].get(DONE)).casefold() == "true"
        failed = ended("failed" if (claim.path / ERROR).is_file() and not done else "")
        happened = (*happened, *_unread(refusals), *failed)
        columns = columns_of(
            flat({name: v for name, v in record.items() if name not in NOT_SERIES and not name.startswith("config/")})
            for record in records
        )
        reports = tabled(columns, wish, prefix=part.prefix, happened=happened)
        return [log_of(claim, reports, dict(_rllib_names(config)))]
    raise refusals[0]


def _unread(refusals: Iterable[DataError]) -> list[Happening]:
    """Return the events of unreadable files of a run that has readable ones."""
    return [Happening(policy="torn", where=neutral(refusal).removesuffix(".")) for refusal in refusals]


def _rllib_names(config: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a configuration that may be names: scalars at the top level, and the arguments of the environment."""
    for name, value in config.items():
        if value is None or isinstance(value, str | int | float):
            yield name, value
        elif name == "env_config" and isinstance(value, Mapping):
            # The environment of many users is called `env` in the configuration and has its real name in env_config.
            yield from ((f"{name}.{key}", inner) for key, inner in value.items())


RLLIB = Tool(
    title="RLlib and Ray Tune",
    layout="a trial's `result.json` (one JSON object per report), before `progress.csv` (the same as a table), beside `params.json`",
    find=lambda folder: folder.run("rllib", folder.signed((RESULT, PROGRESS), RLLIB_SIGN)),
    read=read_rllib,
)


# ── Dreamer ──────────

FILES = ("metrics.jsonl", "scores.jsonl")
"""In order of precedence: the second repeats the scores of the first."""
# Without this `train/ret` would be taken for a return; it is the critic's target in imagined rollouts.
IMAGINED = regex(r"^(?:train|report|eval)/(?:ret|rew)(?:_\w+)?$")
"""Returns and rewards that the world model imagines, in the names of DreamerV3."""
MODEL = "model/"


def find_dreamer(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with one of the files, if the flat objects in its first lines have a score and a step."""
    names = []
    # metrics.jsonl is a usual name: a score beside a step must stand in its first lines.
    for file in FILES if {*FILES} & {*folder.files} else ():
        records = [json_object(line) or {} for line in folder.head(file).splitlines()]
        series = {name for record in records for name, value in record.items() if parsed(value) is not None}
        if "step" in series and any(order(_shown(name)) is not None for name in series):
            names.append(file)
    return folder.run("dreamer", names)


def _shown(name: str) -> str:
    return f"{MODEL}{name}" if IMAGINED.match(name) else name


def read_dreamer(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run; a series that both files have is that of `metrics.jsonl`."""
    tables = []
    for part in sorted(claim.files, key=lambda part: FILES.index(part.path.name)):
        records, happened = json_lines(part.path)
        kept, of_kind = of_one_kind(records, str(part.path))
        columns = {_shown(name): column for name, column in columns_of(kept).items()}
        tables.append(tabled(columns, wish, prefix=part.prefix, happened=(*happened, *of_kind)))
    return [log_of(claim, merged(tables))]


DREAMER = Tool(
    title="Dreamer",
    layout='`metrics.jsonl`, `scores.jsonl`: {"step": …, "episode/score": …} per line, beside `config.yaml` (task, seed)',
    find=find_dreamer,
    read=read_dreamer,
)


# ── verl ──────────

VERL_SIGN = regex(rb'\s*\{\s*"step"\s*:\s*-?\d+\s*,\s*"data"\s*:\s*\{')
STEP = "step"
VALIDATED = regex(r"val(?:-core|-aux)?/(.+)/[^/]+/[^/]+")
"""The name of a series of a validation: val-core/SOURCE/VARIABLE/STATISTIC, where SOURCE may have slashes."""
CORE = "val-core/"
"""The beginning of the names of the measures that count; `val-aux` are others of the same data."""


def read_verl(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run on each task, the source of the validation data; the run as a whole where the user names one of its series."""
    (part,) = claim.files
    records, happened = json_lines(part.path)
    # The data may have a `step` of their own; verl's is that of the record.
    rows = (flat(data) | {STEP: record.get(STEP)} for record in records if isinstance(data := record.get("data"), dict))
    columns = columns_of(rows)
    sources = _sources(name for name in columns if name.startswith(CORE)) or _sources(columns)
    own = {source: _of_source(columns, source) for source in sources if len(sources) > 1}
    by_source = wish.score is None or is_family(wish.score) or any(wish.score in named for named in own.values())
    if own and all(own.values()) and by_source:
        axes = {name: column for name, column in columns.items() if counts_steps(name)}
        tables = [tabled(axes | named, wish, prefix=part.prefix, happened=happened) for named in own.values()]
        return [
            replace(log_of(claim, table), names={"task": source}, inner=source)
            for source, table in zip(own, tables, strict=True)
        ]
    reports = tabled(columns, wish, prefix=part.prefix, happened=happened)
    wanted = _sources(reports.series)
    several = [Happening(policy="several_sources", where=", ".join(wanted[:4]))] if len(wanted) > 1 else []
    names = {"task": sources[0]} if len(sources) == 1 else {}
    return [replace(log_of(claim, reports), names=names, happened=(*reports.happened, *several))]


def _of_source(columns: Mapping[str, LoggedColumn], source: str) -> dict[str, LoggedColumn]:
    """Return the measures of one source that count, by names without it: `val-core/acc/mean@8`."""
    before = f"{CORE}{source}/"
    return {CORE + name.removeprefix(before): own for name, own in columns.items() if name.startswith(before)}


def _sources(names: Iterable[str]) -> list[str]:
    return sorted({match.group(1) for name in names if (match := VALIDATED.fullmatch(name))})


VERL = Tool(
    title="verl",
    layout='`PROJECT/EXPERIMENT.jsonl`, one object {"step": N, "data": {series: value}} per step',
    find=lambda at: at.alone("verl", (name for name in at.named(".jsonl") if VERL_SIGN.match(at.head(name)))),
    read=read_verl,
)


# ── Hugging Face Trainer ──────────

STATE, HISTORY, REACHED = "trainer_state.json", "log_history", "global_step"
CHECKPOINT = regex(r"checkpoint-\d+")


def find_hf_trainer(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with a trainer's state; a checkpoint belongs to the run above it."""
    if STATE not in folder.files:
        return []
    # Each checkpoint-N holds the whole history up to it, and the folder above often has none at all.
    inner = bool(folder.parts) and CHECKPOINT.fullmatch(folder.parts[-1]) is not None
    path, parts = (folder.path.parent, folder.parts[:-1]) if inner else (folder.path, folder.parts)
    return [ClaimedRun(tool="hf_trainer", path=path, parts=parts, files=(LogPart(folder.path / STATE),))]


def read_hf_trainer(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: the history in the most advanced state, which includes the earlier ones."""
    states: list[tuple[float, int, Mapping[str, Any]]] = []
    refusals: list[DataError] = []
    for part in claim.files:
        try:
            state = json_file(part.path)
            if not isinstance(state, dict) or not isinstance(state.get(HISTORY), list):
                raise DataError(f"{part.path}: a trainer's state must have a list {HISTORY!r}, and this has none.")
        except DataError as refusal:
            refusals.append(refusal)
            continue
        # Farthest first by steps, then by the shorter path: the final state may lie in the run's folder and in its
        # last checkpoint.
        states.append((parsed(state.get(REACHED)) or 0.0, -len(part.path.parts), state))
    if not states:
        raise refusals[0]
    _, _, last = max(states, key=lambda state: state[:2])
    records = [flat(record) for record in last[HISTORY] if isinstance(record, dict)]
    lost = damage(malformed=len(last[HISTORY]) - len(records))
    return [log_of(claim, tabled(columns_of(records), wish, happened=(*_unread(refusals), *lost)))]


HF_TRAINER = Tool(
    title="Hugging Face Trainer",
    layout="`trainer_state.json` (TRL, Transformers) of a run or its folders `checkpoint-N`, with a list `log_history` of reports by step",
    find=find_hf_trainer,
    read=read_hf_trainer,
)
