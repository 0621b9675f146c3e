"""What a sequential comparison has seen and said so far: a readable JSON file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from runoff._inference.sequential.closed import Cells
from runoff._inference.sequential.design import SCHEMA, SequentialDesign
from runoff.base.arrays import Floats
from runoff.base.kept import digest_of, write_whole
from runoff.data.provenance import Sampling
from runoff.errors import DataError, DesignError

ROW = re.compile(r'\{\s+("a(?:lgorithm)?": [^{}]*?)\s+\}')
"""Pattern of a run or a decision in indented JSON; it does not match where a name has braces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run that was fed; `named`: whether the file named it, so that the name says which run it is."""

    algorithm: str
    task: str
    run: str
    score: float
    named: bool

    @property
    def digest(self) -> str:
        """Return a short digest of who this is and what it scored."""
        text = json.dumps([self.algorithm, self.task, self.run if self.named else None, self.score.hex()])
        return sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The runs that came with a look, the digest of their file, what was decided on them, and which algorithms run until the next."""

    runs: tuple[Run, ...]
    file: str | None = None
    decisions: tuple[tuple[str, str, str], ...] = ()
    needed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All looks so far. `algorithms` and `tasks` are empty before the first; `read_as`: what the reader made the scores of."""

    design: SequentialDesign
    algorithms: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)
    reference: str | None = None
    read_as: tuple[str, ...] = ()
    looks: tuple[Look, ...] = ()

    @property
    def needed(self) -> tuple[str, ...]:
        """The algorithms whose runs the next look takes; empty after the end."""
        return self.looks[-1].needed if self.looks else self.algorithms

    @property
    def n_runs(self) -> int:
        """All runs so far; a run that is scored on all tasks counts on each."""
        return sum(len(look.runs) for look in self.looks)

    def cells(self) -> tuple[list[Cells], int]:
        """Return the scores of each look by (algorithm, task), and the number of tasks: one, of means, where runs are shared by tasks."""
        looks: list[Cells] = []
        for look in self.looks:
            scores: dict[tuple[int, int], dict[str, float]] = {}
            for run in look.runs:
                cell = self.algorithms.index(run.algorithm), self.tasks.index(run.task)
                scores.setdefault(cell, {})[run.run] = run.score
            looks.append(self._by_run(scores) if self.sampling.shared else {at: _sorted(c) for at, c in scores.items()})
        return looks, 1 if self.sampling.shared else len(self.tasks)

    def _by_run(self, scores: Mapping[tuple[int, int], dict[str, float]]) -> Cells:
        means: Cells = {}
        for a in sorted({a for a, _ in scores}):
            rows = [scores[a, t] for t in range(len(self.tasks))]
            means[a, 0] = _sorted({run: float(np.mean([row[run] for row in rows])) for run in rows[0]})
        return means

    def with_verdicts(self, decisions: list[tuple[tuple[str, str, str], ...]], needed: list[tuple[str, ...]]) -> State:
        """Return the state with what was decided at each look; refuse it where an earlier look was decided otherwise."""
        looks = tuple(
            replace(look, decisions=decided, needed=going)
            for look, decided, going in zip(self.looks, decisions, needed, strict=True)
        )
        for k, (before, now) in enumerate(zip(self.looks[:-1], looks, strict=False)):
            if before != now:
                raise DataError(
                    f"what the state says was decided at look {k + 1} does not follow from its runs: it was written by another version of "
                    "runoff, or by hand; feed the runs again, into a new state."
                )
        return replace(self, looks=looks)

    # ── files ──────────

    def write(self, path: str | Path) -> None:
        """Write the state: whole, or not at all."""
        content = {
            "schema": SCHEMA,
            "design_sha256": self.design.sha256,
            "design": self.design.to_dict(),
            "algorithms": list(self.algorithms),
            "tasks": list(self.tasks),
            "sampling": asdict(self.sampling),
            "reference": self.reference,
            "read_as": list(self.read_as),
            "looks": [
                {
                    "runs": [{**asdict(run), "digest": run.digest} for run in look.runs],
                    "decisions": [{"a": a, "b": b, "decision": decision} for a, b, decision in look.decisions],
                    "needed": list(look.needed),
                    "file": look.file,
                }
                for look in self.looks
            ],
        }
        text = json.dumps({**content, "sha256": digest_of(content)}, indent=1, ensure_ascii=False) + "\n"
        # A run and a decision take a line each: a person reads the file, and a version control system shows what came.
        lines = ROW.sub(lambda row: "{" + ", ".join(line.strip(" ,") for line in row[1].split("\n")) + "}", text)
        write_whole(Path(path), lines, "state")


def _sorted(cell: Mapping[str, float]) -> Floats:
    return np.sort(np.array(list(cell.values()), dtype=np.float64))


def read_state(path: str | Path, design: SequentialDesign) -> State:
    """Return the state of a file; a new one where there is none yet. A damaged file, and a state of another design, are refused."""
    where = Path(path)
    if not where.exists():
        return State(design=design, algorithms=design.algorithms, tasks=design.tasks)
    try:
        content = json.loads(where.read_bytes().decode("utf-8", "surrogatepass"))
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            raise DataError(f"{where} is not the state of a sequential comparison ({SCHEMA}); name another file.")
        digest = content.pop("sha256", None)
        if digest != digest_of(content):
            raise DataError(
                f"{where} was changed or damaged after it was written: its digest is not that of what it holds; take a copy that is whole, or "
                "feed the runs again, into a new state."
            )
    except OSError as error:
        raise DataError(f"{where} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{where} is damaged and cannot be read as JSON ({error}); take a copy that is whole."
        ) from error
    _refuse_other_design(where, content, design)
    return _state_of(content, design)


def _refuse_other_design(where: Path, content: Mapping[str, Any], design: SequentialDesign) -> None:
    if content["design_sha256"] == design.sha256:
        return
    before, now = content["design"], design.to_dict()
    changed = [
        f"{key} was {before.get(key)!r} and is {now.get(key)!r}" for key in now if before.get(key) != now.get(key)
    ]
    raise DesignError(
        f"{where} belongs to another design: {'; '.join(changed[:3])}. A design is not changed after the first look; undo the change, or "
        "name another state."
    )


def _state_of(content: Mapping[str, Any], design: SequentialDesign) -> State:
    looks = tuple(
        Look(
            runs=tuple(Run(**{key: value for key, value in run.items() if key != "digest"}) for run in look["runs"]),
            decisions=tuple((record["a"], record["b"], record["decision"]) for record in look["decisions"]),
            needed=tuple(look["needed"]),
            file=look["file"],
        )
        for look in content["looks"]
    )
    return State(
        design=design,
        algorithms=tuple(content["algorithms"]),
        tasks=tuple(content["tasks"]),
        sampling=Sampling(**content["sampling"]),
        reference=content["reference"],
        read_as=tuple(content["read_as"]),
        looks=looks,
    )
