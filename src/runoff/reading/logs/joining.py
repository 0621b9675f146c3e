"""Joining training logs in one table of runs, with notes on the reading (`join`); or a survey, which keeps no values (`scan`)."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from runoff.answer.scan import ScanResult, ScanRow
from runoff.base.garbage import uncollected
from runoff.base.random import in_threads
from runoff.data.provenance import Provenance
from runoff.data.reference import stem
from runoff.errors import DataError, OptionError, nearest, warn
from runoff.reading._archives import unpacked
from runoff.reading._gathered import Gathered
from runoff.reading._jobs import nameless
from runoff.reading._known import has_algorithm, says_nothing
from runoff.reading._paths import shown, unreadable
from runoff.reading._pattern import mapping
from runoff.reading.logs.base import Wish, tell
from runoff.reading.logs.claims import OF_RESULTS, Tree, claim_all
from runoff.reading.logs.collect import Collected, Scored, ScoredRuns, collect, score
from runoff.reading.logs.config import protocol_in
from runoff.reading.logs.metric import SeriesChoice, in_order, matches, order
from runoff.reading.logs.naming import LAST, SOURCES, NamedLog, repeated, repeats, short
from runoff.reading.logs.tools import TOOLS
from runoff.tables.chosen import unused_in
from runoff.tables.columns import NAMED, SETTINGS, UNUSED, listed
from runoff.tables.equal import ONE_CONFIG
from runoff.tables.labels import Labels
from runoff.tables.naming import alike_among
from runoff.tables.settings import settings_asked
from runoff.tables.source import SourceTable
from runoff.tables.tidy import EXTRAS
from runoff.words.names import UnitName
from runoff.words.speech import Sentence, option
from runoff.words.speech import choice as words_for
from runoff.words.words import canonical, vocabulary

FAILED = ("failed", "without_values")
"""Policies for runs that ended abnormally."""
BESIDE_RUNS = vocabulary(
    "plot plots figure figures figs image images video videos config configs conf analysis pycache weights buffers slurm notebooks"
)
"""Names of folders that may have the subfolders of runs and hold none."""
ROLES_OF_LOGS = ("score", "step", SETTINGS, UNUSED, *NAMED)
"""Roles that a user may assign to a series of the logs, or to a setting that names their runs."""


def join(tree: Tree, columns: Mapping[str, str], pattern: str | Path | None, unit: UnitName = "run") -> Gathered:
    """Return the table of the runs of a tree: algorithm, task, run, step, score, time, episodes; of evaluations, a row is what `unit` says.

    Refuse a series that no run has, a role that logs do not have, runs without a score or with the same name, and a pattern that does not match.
    """
    for role in columns:
        if role not in ROLES_OF_LOGS:
            raise OptionError(
                f"{option('columns')} gives {role!r} a column, which logs do not have: use {option('pattern', '{algorithm}/{task}_s{run}')}."
            )
    metric, axis = columns.get("score"), columns.get("step")

    def keep(name: str) -> bool:
        return order(name) is not None if metric is None else matches(metric, name)

    unused = frozenset(unused_in(columns.get(UNUSED)))
    confirmed = frozenset(settings_asked(columns))
    named = {role: name for role, name in columns.items() if role in NAMED}
    wish = Wish(keep=keep, axis=axis, score=metric, unit=unit, settings=confirmed, unused=unused, names=named)
    collected = collect(tree, wish, mapping(pattern)).whole()
    _refuse_unread_beside(tree)
    if not collected.named:
        unread = tell(entry for entry in collected.happened if entry[1].policy == "unreadable")
        raise DataError(f"{tree.place}: no log can be read: {unread[0].text if unread else 'every run is left out'}.")
    _refuse_missing(tree, collected, axis, settings_asked(columns))
    scores = score(collected, metric)
    sentences = list(_sentences(collected, scores))
    for _, warning in sentences:
        if warning:
            warn(warning)
    metrics = dict.fromkeys(run.metric for run in scores.runs)
    axes = dict.fromkeys(run.named.log.axis for run in scores.runs if run.named.log.axis)
    origin = Provenance(
        path=tree.place,
        sha256=_digest(tree.folder, scores.runs),
        format=", ".join(sorted({TOOLS[run.named.log.claim.tool].title for run in scores.runs})),
        columns=(*(("score", name) for name in metrics), *(("step", name) for name in axes)),
        protocol=protocol_in([run.named.log.config for run in scores.runs]),
    ).noting(*dict.fromkeys(note for note, _ in sentences if note))
    # Every point of such a run: what it counts is decided for tables and logs in `_gather._with_failed`.
    failed = np.flatnonzero(np.repeat(scores.failed, [run.series.step.size for run in scores.runs]))
    reasons = tell(entry for entry in (*collected.happened, *scores.happened) if entry[1].policy in FAILED)
    failing = f"{tree.place}: {'; '.join(reason.text for reason in reasons)}"
    return Gathered(table=_table(tree.place, scores.runs), provenance=origin, failed=failed, failing=failing)


def _refuse_unread_beside(tree: Tree) -> None:
    """Refuse files of results that no tool knows in folders called as those of runs, but for a folder above in which no tool knows any: its
    algorithm, or its task, would be missing (`dqn/Pong/0` beside `ppo/Pong/0` with logs)."""
    runs = {claim.folder.relative_to(tree.folder).parts for claim in (*tree.claims, *tree.second)}
    above = {parts[:end] for parts in runs for end in range(1, len(parts))}
    beside = {(parts[:at], parts[at + 1 :]) for parts in runs for at in range(len(parts) - 1)}
    unread = {
        name: folder[at]
        for name in tree.strange
        if PurePath(name).suffix.casefold() in OF_RESULTS
        for folder in [PurePath(name).parent.parts]
        for at in range(len(folder) - 1)
        if folder[: at + 1] not in above
        and (folder[:at], folder[at + 1 :]) in beside
        and not says_nothing(folder[at])
        and canonical(folder[at]) not in BESIDE_RUNS
        and (tree.folder / name).stat().st_size  # of an empty file nothing is missing
    }
    if unread:
        raise DataError(
            f"{tree.place}: {len(unread)} file(s) stand where others have logs, and cannot be read beside these: the runs of "
            f"{listed(sorted({*unread.values()}))} would be missing (for example {next(iter(unread))}); read the folders of each kind for "
            "themselves, or write the runs of all as one table with columns algorithm, task, run, step and score."
        )


def _refuse_missing(tree: Tree, collected: Collected, axis: str | None, settings: Mapping[str, bool]) -> None:
    """Refuse an axis that some run lacks, because steps of two kinds cannot be mixed, and settings that no run has."""
    other = [run for run in collected.named if run.log.axis is None or not matches(axis or "", run.log.axis)]
    if axis is not None and other:
        series = sorted({name for run in other for name in run.log.extents})
        message = f"{other[0].log.place}: there is no series {axis!r} to count the steps ({len(other)} such run(s)).{nearest(axis, series)}"
        raise OptionError(message)
    names = {name for run in collected.named for own in run.settings for name in (own, own.rpartition(".")[2])}
    missing = next((name for name, needed in settings.items() if needed and name not in names), None)
    if missing is not None:
        raise OptionError(f"{tree.place}: no run has a setting {missing!r}.{nearest(missing, names)}")


# ── what is said ──────────


def _sentences(collected: Collected, scores: ScoredRuns) -> Iterator[tuple[str, str]]:
    """Yield pairs of a note and a warning, either of which may be missing."""
    runs = scores.runs
    yield from ((choice.sentence, choice.doubt) for choice in scores.choices.values())
    tools = {run.named.log.claim.tool for run in runs}  # without those whose logs are all a second one
    names = {TOOLS[tool].title: own.name for tool, own in scores.choices.items() if own.name and tool in tools}
    if len(set(names.values())) > 1:  # they may measure something else
        calls = ", ".join(f"{name!r} of {title}" for title, name in names.items())
        yield (f"the logs name the score differently ({calls}); make sure that they measure the same thing",) * 2
    axes = Counter(run.named.log.axis for run in runs)
    listed = [f"{'the step of each record' if axis is None else repr(axis)} ({n} run(s))" for axis, n in axes.items()]
    steps = f"steps are counted by {', '.join(listed)}"
    # `train/global_step` and `eval/global_step` count one thing; `global_step` and `epoch` do not.
    alike = len({(axis or "").casefold().rpartition("/")[2] for axis in axes}) == 1
    if any(run.series.step.any() for run in runs):
        yield steps, "" if alike else f"{steps}: make sure that these count the same steps"
    for role in NAMED:
        by_source = Counter(run.named.sources[role] for run in runs)
        counts = [(source, by_source[source]) for source in SOURCES if by_source[source]]
        sources = [f"{SOURCES[source]} ({n} run(s))" for source, n in counts]
        yield f"the {role} is named by {', '.join(sources)}", ""
    for message in tell(entry for entry in (*collected.happened, *scores.happened) if entry[1].policy not in FAILED):
        yield message.text, message.text if message.warns else ""
    yield collected.tree.not_understood(), ""
    of_folders = all(
        run.named.sources["algorithm"] == "folders" and run.named.sources["run"] == "one name" for run in runs
    )
    yield "", _nothing_names(runs)
    yield "", _tasks_alike(list(dict.fromkeys(run.named.task for run in runs)))
    # where every run is an algorithm of its own, the names of folders most likely tell runs
    if len(runs) > 2 and len({run.named.algorithm for run in runs}) == len(runs) and of_folders:
        yield (
            "",
            f"each of {len(runs)} folders is read as an algorithm of its own with one run; if they are runs of one algorithm, use for "
            f"example {option('pattern', '{algorithm}/{run}')}",
        )


def _tasks_alike(tasks: Sequence[str]) -> str:
    """Return the caution that two tasks may be one, as `Hopper-v4` and `hopper`, which few see behind an answer; "" if none."""
    alike = []
    # Two cases of one name are read as one anyway.
    for first, *others in alike_among(sorted({task.casefold(): task for task in tasks}.values()), stem):
        merge = words_for(
            f"rename(tasks={dict.fromkeys(others, first)}, merge=True)",
            " ".join(f"--rename {shlex.quote(f'{other}={first}')}" for other in others) + " --merge",
        )
        alike.append(f"{first!r} and {', '.join(map(repr, others))}, which {merge} makes one")
    return f"configurations or paths may name one task in several ways: {'; '.join(alike)}" if alike else ""


def _nothing_names(runs: Sequence[Scored]) -> str:
    """Return the caution that several runs are taken as those of one algorithm because nothing names an algorithm; "" if something does."""
    named = [run.named for run in runs if run.named.sources["algorithm"] == run.named.sources["task"] == LAST]
    algorithms = {run.algorithm for run in named}
    if len({run.log.claim.path for run in named}) < 2 or len(algorithms) > 1 or any(map(has_algorithm, algorithms)):
        return ""
    return nameless(len(named), short(named[0].log.place), algorithms.pop())


# ── the table ──────────


def _table(place: str, scored: Sequence[Scored]) -> SourceTable:
    sizes = [run.series.step.size for run in scored]
    columns: dict[str, Any] = {}
    for role in NAMED:
        names = Labels.of(str(getattr(run.named, role)) for run in scored)
        columns[role] = Labels(names.names, np.repeat(names.codes, sizes))
    if any(run.named.config for run in scored):
        configs = Labels.of(run.named.config or ONE_CONFIG for run in scored)
        columns["config"] = Labels(configs.names, np.repeat(configs.codes, sizes))
    columns["step"] = np.concatenate([run.series.step for run in scored])
    columns["score"] = np.concatenate([run.series.value for run in scored])
    for name in EXTRAS:
        arrays = [getattr(run.series, name) for run in scored]
        if any(array is not None for array in arrays):
            pairs = zip(arrays, scored, strict=True)
            filled = [np.full_like(run.series.step, np.nan) if a is None else a for a, run in pairs]
            columns[name] = np.concatenate(filled)
    settings = {run.named.config: {**run.named.settings} for run in scored if run.named.config}
    starts = np.cumsum([0, *sizes])

    def row(index: int) -> str:
        which = int(np.searchsorted(starts, index, side="right")) - 1
        return f"{scored[which].named.log.place}, step {scored[which].series.step[index - starts[which]]:g}"

    # No tool logs what sums up its runs.
    vouched = frozenset({"algorithm", "task"})
    return SourceTable(columns=columns, place=place, row=row, settings=settings, vouched=vouched, structural=True)


def _digest(base: Path, scored: Sequence[Scored]) -> str:
    """Return the sha256 of the sorted lines "name, zero byte, sha256 of the bytes" of all files that were used."""
    paths = sorted({part.path for run in scored for part in run.named.log.claim.files})
    digests = zip(paths, in_threads(_sha256, paths), strict=True)
    # Names as well as bytes, since folders name the runs; with slashes on every system, so that a copy of the tree
    # has the same digest elsewhere.
    lines = "".join(f"{path.relative_to(base).as_posix()}\0{digest}\n" for path, digest in digests)
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()


def _sha256(path: Path) -> str:
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from error


# ── a survey ──────────


@uncollected
def scan(path: str | Path, *, pattern: str | Path | None = None) -> ScanResult:
    """Return the runs in a folder of training logs: their tool, algorithm, task, run, series and steps.

    Parameters
    ----------
    path : str or Path
        A folder, which is searched with all its subfolders, or a single log.
    pattern : str or Path, optional
        A template for the names in paths, as in `read_curves`.

    Returns
    -------
    ScanResult
        One record for each run, `notes` on choices and events, and one line on the files that no reader recognises.

    Raises
    ------
    DataError
        There are no runs at the path, or the pattern does not fit a path.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import runoff as ro
    >>> folder = tempfile.TemporaryDirectory()
    >>> for seed in (0, 1):
    ...     file = pathlib.Path(folder.name, "PPO", "Hopper-v4", f"s{seed}", "progress.txt")
    ...     file.parent.mkdir(parents=True)
    ...     _ = file.write_text("Epoch\\tAverageEpRet\\tTotalEnvInteracts\\n0\\t12.5\\t4000\\n1\\t20.0\\t8000\\n")
    >>> found = ro.scan(folder.name)
    >>> [(record.algorithm, record.task, record.run, record.series, record.steps) for record in found.rows]
    [('PPO', 'Hopper-v4', '0', 'AverageEpRet', 8000.0), ('PPO', 'Hopper-v4', '1', 'AverageEpRet', 8000.0)]
    >>> folder.cleanup()
    """
    if not isinstance(path, str | Path):
        raise OptionError(f"path must be a folder or a log, not {type(path).__name__}.")
    if not str(path) or not os.path.exists(path):
        raise DataError(f"{shown(path)[:200]}: there is no such file or folder.")
    with unpacked(path) as place:
        return _survey(place, str(path), pattern)


def _survey(place: str | Path, path: str, pattern: str | Path | None) -> ScanResult:
    """Return the runs at a place, which messages name by the given path."""
    tree = claim_all([place])
    collected = collect(tree, Wish(keep=lambda _: False), mapping(pattern))
    chosen = collected.choices(None)
    records = [_record(run, chosen, tree) for run in collected.named]
    # Run 10 stands behind run 9, and labels that are no numbers before them.
    records.sort(key=lambda r: (r.algorithm, r.task, r.config, int(r.run) if r.run.isdecimal() else -1, r.run, r.path))
    notes = [picked.sentence or picked.mixed for picked in chosen.values() if picked.name]
    notes += [*(sentence.removesuffix(".") for sentence in collected.unclear)]
    notes += [run.text for run in tell(collected.happened)]
    if twice := repeats(collected.named):
        more = f" ({len(twice)} such pairs)" if len(twice) > 1 else ""
        notes.append(repeated(*twice[0], collected.named).removesuffix(".") + more)
    if not tree.claims and (n := len(tree.missed())):  # no tool wrote them, but the readers of tables take them
        verbs = words_for("read_scores and read_curves read", "the other commands read")
        note = f"{n} file(s) are tables, which this survey of logs does not open; {verbs} them, and report what they contain"
        notes.append(note)
    return ScanResult(
        rows=tuple(records),
        path=path,
        notes=tuple(map(Sentence, notes)),
        not_understood=collected.tree.not_understood(),
    )


def _record(run: NamedLog, chosen: Mapping[str, SeriesChoice], tree: Tree) -> ScanRow:
    extents = run.log.extents
    metric = chosen[run.log.claim.tool].name
    extent = extents.get(metric) if metric is not None else None
    scores = in_order(extents)
    return ScanRow(
        path=tree.shown(run.log.claim.path) + (f", {run.log.inner}" if run.log.inner else ""),
        tool=TOOLS[run.log.claim.tool].title,
        algorithm=run.algorithm,
        task=run.task,
        run=run.run,
        config=run.config,
        named_by=", ".join(run.sources[role] for role in NAMED),
        series=metric if extent is not None else None,
        points=0 if extent is None else extent.points,
        steps=None if extent is None or extent.last != extent.last else extent.last,
        all_series=(*scores, *sorted(set(extents) - set(scores))),
    )
