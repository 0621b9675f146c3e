"""Baselines: the runs that candidates are compared with, as a readable file with a digest that changes only on request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import numpy as np

from runoff.base.asked import refuse_overwriting, write_asked
from runoff.base.bounds import limit
from runoff.base.signed import digest_of, read_signed
from runoff.base.validate import typed
from runoff.data.protocol import Protocol, protocol_of
from runoff.data.provenance import Provenance, Sampling
from runoff.data.scores import Scores
from runoff.errors import DataError, OutputError
from runoff.words.patterns import regex

FAMILY = "runoff.baseline/"
SCHEMA = "runoff.baseline/2"
MARK = regex(rb'"schema"\s*:\s*"runoff\.baseline/')
"""The text by which the file of a baseline is recognised, wherever in the file it stands."""
SUFFIX = ".json"
"""The ending of a baseline's file name; files with other endings are read as tables of runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The scores of one algorithm, their origin, and the decisions that were saved with them."""

    scores: Scores
    protocol: Protocol
    alpha: float | None = None
    margin: float | Mapping[str, float] | None = None

    def write(self, path: str | Path, *, force: bool) -> None:
        """Write the baseline, completely or not at all."""
        out = Path(path)
        if out.suffix.casefold() != SUFFIX:
            message = f"{out}: the name of a baseline ends in {SUFFIX}, by which the gate reads it again; name {out.name}{SUFFIX}."
            raise OutputError(message)
        refuse_overwriting(out, force=force)
        scores = self.scores
        runs = [
            {"task": task, "run": label, "score": float(score)}
            for t, task in enumerate(scores.tasks)
            for label, score in zip(*scores.labelled(0, t), strict=True)
        ]
        content = {
            "schema": SCHEMA,
            "version": version("runoff"),
            "algorithm": scores.algorithms[0],
            "protocol": self.protocol.to_dict(),
            "alpha": self.alpha,
            "margin": None if isinstance(self.margin, Mapping) else self.margin,
            "margins": [self.margin[task] for task in scores.tasks] if isinstance(self.margin, Mapping) else None,
            "runs": runs,
        }
        # The digest is that of the content, whatever the layout; a run a line gives a diff that a person can read.
        head = json.dumps({**content, "runs": [], "sha256": digest_of(content)}, indent=1, ensure_ascii=False)
        lines = ",\n".join(f"  {json.dumps(run, ensure_ascii=False)}" for run in runs)  # a line for each run
        write_asked(out, head.replace('"runs": []', f'"runs": [\n{lines}\n ]') + "\n", "baseline", force=force)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    task: str
    run: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Saved:
    """The fields of the file."""

    schema: str
    version: str
    algorithm: str
    protocol: Protocol
    alpha: float | None
    margin: float | None
    runs: tuple[_Run, ...]
    margins: tuple[float, ...] | None = None


def _is_baseline(where: Path) -> bool:
    """Return whether a file states that it is a baseline; a file that cannot be read is left to the reader of runs, which refuses it."""
    try:
        if where.suffix.casefold() != SUFFIX or not where.is_file() or where.stat().st_size > limit("bytes"):
            return False
        content = where.read_bytes()
    except OSError:
        return False
    if MARK.search(content) is None:
        return False
    try:
        fields = json.loads(content)
    except (ValueError, RecursionError):  # a baseline that was damaged: `read_signed` says how
        return True
    return isinstance(fields, dict) and str(fields.get("schema")).startswith(FAMILY)


def read_baseline(path: str | Path) -> Baseline | None:
    """Return the baseline in a file; None if the file is something else."""
    where = Path(path)
    if not _is_baseline(where):
        return None
    content: _Saved = typed(_Saved, read_signed(where, SCHEMA, "baseline"), f"{where}: the baseline")
    protocol = content.protocol
    # Tasks in the order of the file, which is that of the scores that were saved.
    cells: dict[str, tuple[list[str], list[float]]] = {}
    for run in content.runs:
        labels, values = cells.setdefault(run.task, ([], []))
        labels.append(run.run)
        values.append(run.score)
    grid = {(0, t): (labels, np.array(values)) for t, (labels, values) in enumerate(cells.values())}
    named = (("score", protocol.column),) if protocol.column is not None else ()
    origin = Provenance(path=str(where), format="baseline", reference=protocol.reference, columns=named)
    origin = origin.negated() if protocol.negated else origin
    origin = origin if protocol.score is None else origin.scored(protocol.score)
    origin = replace(origin, trained=protocol.steps, windows=protocol.windows)
    sampling = Sampling(runs=protocol.runs, unit=protocol.unit)  # type: ignore[arg-type]
    scores = Scores.from_grid([content.algorithm], list(cells), grid, origin, sampling)
    margin = _by_task(content.margins, list(cells), where) if content.margins is not None else content.margin
    return Baseline(scores=scores, protocol=protocol, alpha=content.alpha, margin=margin)


def _by_task(margins: tuple[float, ...], tasks: list[str], where: Path) -> dict[str, float]:
    if len(margins) != len(tasks):
        raise DataError(f"{where}: the baseline has {len(margins)} margins and {len(tasks)} tasks; save it anew.")
    return dict(zip(tasks, margins, strict=True))


def baseline_of(
    scores: Scores, *, alpha: float | None = None, margin: float | Mapping[str, float] | None = None
) -> Baseline:
    """Return the scores of one algorithm as a baseline."""
    return Baseline(scores=scores, protocol=protocol_of(scores), alpha=alpha, margin=margin)
