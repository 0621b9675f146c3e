"""A survey of training logs: the runs of a tree, their names and series; no value is kept."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from runoff.errors import DataError
from runoff.io._paths import shown
from runoff.io._pattern import mapping
from runoff.io.logs.base import Wish, tell
from runoff.io.logs.claims import Tree, claim_all
from runoff.io.logs.collect import collect
from runoff.io.logs.metric import Choice, choose, in_order
from runoff.io.logs.naming import Named, repeated, repeats
from runoff.io.logs.tools import TOOLS
from runoff.results.scan import ScanRecord, ScanResult
from runoff.words.speech import choice


def scan(path: str | Path, *, pattern: str | Path | None = None) -> ScanResult:
    """Return the runs that lie in a folder of training logs: which tool, algorithm, task, run, series and steps.

    Parameters
    ----------
    path : str or Path
        A folder, searched with all folders inside it, or a single log.
    pattern : str or Path, optional
        How paths name runs, as for `read_curves`.

    Returns
    -------
    ScanResult
        One record a run, `notes` on what was chosen and what happened, and one line on the files that no tool knows.

    Raises
    ------
    DataError
        There is nothing at the path, or the pattern does not fit one.

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
    >>> [(record.algorithm, record.task, record.run, record.metric, record.steps) for record in found.records]
    [('PPO', 'Hopper-v4', '0', 'AverageEpRet', 8000.0), ('PPO', 'Hopper-v4', '1', 'AverageEpRet', 8000.0)]
    >>> folder.cleanup()
    """
    if not str(path) or not os.path.exists(path):
        raise DataError(f"{shown(path)[:200]}: there is no such file or folder.")
    tree = claim_all([path])
    collected = collect(tree, Wish(keep=lambda _: False), mapping(pattern))
    chosen = {
        tool: choose(TOOLS[tool].title, [run.log.extents for run in logs], None)
        for tool, logs in collected.by_tool().items()
    }
    records = sorted(
        (_record(run, chosen, tree) for run in collected.named),
        key=lambda record: (record.algorithm, record.task, _natural(record.run), record.path),
    )
    notes = [picked.sentence or picked.mixed for picked in chosen.values() if picked.name]
    notes += [*(sentence.removesuffix(".") for sentence in collected.unclear)]
    notes += [run.text for run in tell(collected.happened)]
    return ScanResult(
        records=tuple(records),
        path=str(path),
        notes=(*notes, *_repeats(collected.named), *_plain_tables(tree)),
        not_understood=tree.not_understood(),
    )


def _record(run: Named, chosen: Mapping[str, Choice], tree: Tree) -> ScanRecord:
    extents = run.log.extents
    metric = chosen[run.log.claim.tool].name
    extent = extents.get(metric) if metric is not None else None
    scores = in_order(extents)
    return ScanRecord(
        path=tree.shown(run.log.claim.path) + (f", {run.log.inner}" if run.log.inner else ""),
        tool=TOOLS[run.log.claim.tool].title,
        algorithm=run.algorithm,
        task=run.task,
        run=run.run,
        named_by=", ".join(run.sources[role] for role in ("algorithm", "task", "run")),
        metric=metric if extent is not None else None,
        points=0 if extent is None else extent.points,
        steps=None if extent is None or extent.last != extent.last else extent.last,
        metrics=(*scores, *sorted(set(extents) - set(scores))),
    )


def _natural(run: str) -> tuple[int, str]:
    return (int(run), run) if run.isdecimal() else (-1, run)


def _repeats(named: Sequence[Named]) -> list[str]:
    twice = repeats(named)
    more = f" ({len(twice)} such pairs)" if len(twice) > 1 else ""
    return [repeated(*twice[0], named).removesuffix(".") + more] if twice else []


def _plain_tables(tree: Tree) -> list[str]:
    """Return the note on files that no tool wrote, but that the readers of tables take where there is no log."""
    n = 0 if tree.claims else len(tree.missed())
    verbs = choice("read_scores and read_curves read", "the other commands read")
    return (
        [f"{n} file(s) are tables, which this survey of logs does not open; {verbs} them, and say what they found"]
        if n
        else []
    )
