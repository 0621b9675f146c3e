"""The runs and decisions of a sequential comparison so far, as a readable JSON file, and the checks of new runs before they are added."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from runoff._inference.pairs import in_one_unit
from runoff._inference.sequential.design import SCHEMA, SequentialDesign, may_count, of_episodes, refuse_counts
from runoff._inference.sequential.judge import PooledCells
from runoff._inference.sequential.units import refuse_other_unit
from runoff.base.arrays import Floats
from runoff.base.signed import digest_of, read_signed
from runoff.base.validate import typed
from runoff.base.writing import write_whole
from runoff.data.copies import copied, in_one_precision
from runoff.data.protocol import TrainingSpans, refuse_other_spans, spans_of_training
from runoff.data.provenance import NEGATED, OF_CURVES, Provenance, Sampling
from runoff.data.scores import Scores
from runoff.errors import DataError, DesignError
from runoff.words.numbers import counted
from runoff.words.patterns import regex
from runoff.words.speech import column, option

ROW = regex(r'\{\s+("a(?:lgorithm)?": [^{}]*?)\s+\}')
"""Pattern of a run or a decision in indented JSON; it does not match where a name has braces."""


COUNTED = (0.0, 1.0)
"""Failure and success."""


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
        # The double itself, not its digits; a row number that stands for a name says nothing of which run it is.
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
    training: TrainingSpans = field(default_factory=TrainingSpans)
    looks: tuple[Look, ...] = ()

    @property
    def needed(self) -> tuple[str, ...]:
        """The algorithms whose runs the next look takes; empty after the end."""
        return self.looks[-1].needed if self.looks else self.algorithms

    @property
    def n_runs(self) -> int:
        """All runs so far; a run that is scored on all tasks counts on each."""
        return sum(len(look.runs) for look in self.looks)

    @property
    def counted(self) -> bool:
        """Whether the runs are successes and failures of one task, judged by their counts; the first look decides it for all."""
        here = self.looks and self.sampling.unit == "episode" and may_count(self.design, len(self.tasks))
        return bool(here) and all(run.score in COUNTED for run in self.looks[0].runs)

    @property
    def one_unit(self) -> bool:
        """Whether all tasks have one unit, as far as the first look shows."""
        scores = [run.score for look in self.looks[:1] for run in look.runs]
        return in_one_unit(len(self.tasks), self.sampling, self.reference, np.array(scores, dtype=np.float64))

    @property
    def plan(self) -> SequentialDesign:
        """The design with the spending of its rows."""
        return of_episodes(self.design) if self.looks and self.sampling.unit == "episode" else self.design

    def cells(self) -> tuple[list[PooledCells], int]:
        """Return the scores of each look by (algorithm, task), and the number of tasks: one, of means, where runs are shared by tasks."""
        looks: list[PooledCells] = []
        for look in self.looks:
            scores: dict[tuple[int, int], dict[str, float]] = {}
            for run in look.runs:
                cell = self.algorithms.index(run.algorithm), self.tasks.index(run.task)
                scores.setdefault(cell, {})[run.run] = run.score
            looks.append(self._by_run(scores) if self.sampling.shared else {at: _sorted(c) for at, c in scores.items()})
        return looks, 1 if self.sampling.shared else len(self.tasks)

    def _by_run(self, scores: Mapping[tuple[int, int], dict[str, float]]) -> PooledCells:
        means: PooledCells = {}
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
        # The last look is judged for the first time; all others were, and are judged again the same.
        for k, (before, now) in enumerate(zip(self.looks[:-1], looks, strict=False)):
            if before != now:
                raise DataError(
                    f"the decision at look {k + 1} stored in the state does not follow from its runs: it was written by another version of "
                    "runoff, or by hand; feed the runs again, into a new state."
                )
        return replace(self, looks=looks)

    # ── files ──────────

    def write(self, path: str | Path) -> None:
        content = {
            "schema": SCHEMA,
            "design_sha256": self.design.sha256,
            "design": self.design.to_dict(),
            "algorithms": list(self.algorithms),
            "tasks": list(self.tasks),
            "sampling": asdict(self.sampling),
            "reference": self.reference,
            "read_as": list(self.read_as),
            "training": asdict(self.training),
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
    content = read_signed(where, SCHEMA, "state of a sequential comparison")
    _refuse_other_design(where, content, design)
    return _state_of(where, content, design)


def _refuse_other_design(where: Path, content: Mapping[str, Any], design: SequentialDesign) -> None:
    before, now = _dict_of(content.get("design")), design.to_dict()
    # The digest takes no spending for Pocock's, which it is but for episodes.
    alike = before.get("spending") == design.spending or _dict_of(content.get("sampling")).get("unit") != "episode"
    if content.get("design_sha256") == design.sha256 and alike:
        return
    changed = [
        f"{key} was {before.get(key)!r} and is {now.get(key)!r}" for key in now if before.get(key) != now.get(key)
    ]
    raise DesignError(
        f"{where} belongs to another design: {'; '.join(changed[:3])}. A design is not changed after the first look; undo the change, or "
        "name another state."
    )


def _dict_of(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _state_of(where: Path, content: Mapping[str, Any], design: SequentialDesign) -> State:
    """Return the state that a file describes; refuse one whose looks have other runs than the design takes."""
    fields = {key: value for key, value in content.items() if key not in ("schema", "design_sha256")} | {
        "design": design
    }
    if isinstance(fields.get("looks"), list):
        fields["looks"] = [_as_look(look) for look in fields["looks"]]
    state: State = typed(State, fields, f"{where}: the state")
    expected = state.algorithms
    for k, look in enumerate(state.looks):
        n = design.looks[k] - (design.looks[k - 1] if k else 0) if k < design.n_looks else 0
        names = {(run.algorithm, run.task, run.run) for run in look.runs}
        cells = Counter((algorithm, task) for algorithm, task, _ in names)
        if len(names) < len(look.runs) or cells != dict.fromkeys(product(expected, state.tasks), n) or not n:
            raise DataError(
                f"{where}: the runs of look {k + 1} are not those that the design takes; feed the runs again, into a new state."
            )
        expected = look.needed
    return state


def _as_look(look: Any) -> Any:
    """Return a look of a file with the fields of `Look`: runs without digests, decisions as tuples; as it is where it is no look."""
    try:
        # A digest is for readers of the file: it follows from the rest.
        runs = [{key: value for key, value in run.items() if key != "digest"} for run in look["runs"]]
        return look | {
            "runs": runs,
            "decisions": [[record[key] for key in ("a", "b", "decision")] for record in look["decisions"]],
        }
    except (AttributeError, KeyError, TypeError):
        return look


TELLING = 3
"""Number of different scores of an algorithm that do not come again by chance."""


def fed(state: State, scores: Scores) -> State:
    """Return the state with the runs of the next look; refuse runs that it does not take, and runs that were fed before."""
    k = len(state.looks)
    if k and not state.needed:
        raise DesignError(f"this experiment ended at look {k}; no more runs are taken.")
    state = _begun(state, scores) if not k else state
    _refuse_names(state, scores)
    before = _how_read(state.sampling, state.reference, state.read_as)
    _refuse_read_otherwise("look", k + 1, before, _how_read_of(scores))
    both = state.training, spans_of_training(scores)
    refuse_other_spans(("look 1", f"look {k + 1}"), both, "and feed all looks into a new state")
    _refuse_counts(state, scores)
    look = look_of(scores)
    _refuse_repeats("look", state.looks, look)
    if scores.provenance.reference is None:
        refuse_other_unit("look", k + 1, _by_cell(state.looks), _by_cell([look]))
    now = replace(state, looks=(*state.looks, look))
    if now.counted:
        _refuse_partial(look, k + 1)
    elif state.design.looks[0] == 1:
        raise DesignError(
            "look 1 takes a single run of each algorithm, which shows no spread; looks begin at 1 only for successes and failures of one task "
            f"({option('unit', 'episode')}): write a design whose first look is 2 or more."
        )
    return now


def _refuse_partial(look: Look, k: int) -> None:
    partial = next((run for run in look.runs if run.score not in COUNTED), None)
    if partial is not None:
        raise DesignError(
            f"look {k} has a score {partial.score:g} of {partial.algorithm!r}, and look 1 had successes and failures alone (1 and 0), which are "
            f"judged by their counts; to judge partial credit feed all looks into a new state with {option('unit', 'run')}."
        )


def look_of(scores: Scores) -> Look:
    """Return the runs of scores, and the digest of their file."""
    return Look(runs=runs_of(scores), file=scores.provenance.sha256)


def _begun(state: State, scores: Scores) -> State:
    algorithms, tasks = state.algorithms or scores.algorithms, state.tasks or scores.tasks
    refuse_counts(algorithms)
    state.design.refuse_small_budget(len(algorithms), len(tasks))
    origin = scores.provenance
    begun = replace(state, algorithms=algorithms, tasks=tasks, sampling=scores.sampling)
    return replace(begun, reference=origin.reference, read_as=read_as(origin), training=spans_of_training(scores))


def read_as(origin: Provenance) -> tuple[str, ...]:
    """Return what decides which numbers the scores are: the column, the direction, the part of a learning curve."""
    column = [f"scores from the column {name!r}" for role, name in origin.columns if role == "score"]
    of_curves = [OF_CURVES + origin.score] if origin.score else []
    return (*column, *[NEGATED] * origin.of_costs, *of_curves)


def _refuse_names(state: State, scores: Scores) -> None:
    k, wanted = len(state.looks) + 1, state.needed
    for noun, expected, given in (("algorithm", wanted, scores.algorithms), ("task", state.tasks, scores.tasks)):
        new = [name for name in given if name not in expected]
        if new:
            left = noun == "algorithm" and new[0] in state.algorithms
            what = "has left the experiment, since all its pairs are decided" if left else "is not of this experiment"
            raise DesignError(f"{noun} {new[0]!r} {what}; look {k} takes {_listed(expected)}: leave out the others.")
        missing = [name for name in expected if name not in given]
        if missing:
            raise DesignError(f"look {k} lacks {noun} {missing[0]!r}; it takes runs of {_listed(expected)}.")


def _how_read(sampling: Sampling, reference: str | None, words: Sequence[str]) -> tuple[str, ...]:
    """Return how scores were read, in words, a clause each."""
    kind = option("runs", sampling.runs), option("unit", sampling.unit)
    return (*kind, f"normalised by {reference}" if reference else "not normalised", *words)


def _how_read_of(scores: Scores) -> tuple[str, ...]:
    return _how_read(scores.sampling, scores.provenance.reference, read_as(scores.provenance))


def _refuse_read_otherwise(noun: str, k: int, before: Sequence[str], now: Sequence[str]) -> None:
    """Refuse scores that were read in another way than those of the first look, or batch."""
    # What both have in common is no repair, and would be offered as one.
    first, second = (
        "; ".join(words for words in own if words not in other) or "nothing of it"
        for own, other in ((before, now), (now, before))
    )
    if tuple(before) != tuple(now):
        raise DesignError(f"{noun} 1 was read with {first}, {noun} {k} with {second}; read all alike.")


def _refuse_counts(state: State, scores: Scores) -> None:
    k = len(state.looks)
    before = state.design.looks[k - 1] if k else 0
    wanted = state.design.looks[k] - before
    for a, t in np.argwhere(scores.n_runs != wanted):
        n = int(scores.n_runs[a, t])
        later = " Feed the new runs of one look at a time" if n > wanted else ""
        kept = f"; those of earlier looks are in the state ({option('state')})." if k else "."
        raise DesignError(
            f"look {k + 1} takes {counted([wanted], 'new run')} of each algorithm on each task ({before} → {state.design.looks[k]}), but "
            f"{scores.algorithms[a]!r} has {n} on {scores.tasks[t]!r}.{later}{kept if later else ''}"
        )


def runs_of(scores: Scores) -> tuple[Run, ...]:
    """Return the runs in an order that does not depend on that of the rows."""
    origin = scores.provenance
    named = any(role == "run" for role, _ in (*origin.columns, *origin.parts))
    runs = []
    for a, algorithm in enumerate(scores.algorithms):
        for t, task in enumerate(scores.tasks):
            labels, values = scores.labelled(a, t)
            runs += [
                Run(algorithm=algorithm, task=task, run=label, score=float(score), named=named)
                for label, score in zip(labels, values.tolist(), strict=True)
            ]
    # Sorted, so that the order of rows in the file does not show in the state or its digests.
    return tuple(sorted(runs, key=lambda run: (run.algorithm, run.task, run.score, run.run)))


def _refuse_repeats(noun: str, earlier: Sequence[Look], new: Look) -> None:
    """Refuse runs that came with an earlier look (or batch): by their names, by all scores of an algorithm, by their file, or by one score."""
    *earlier, new = _in_one_precision([*earlier, new])
    names = {(r.algorithm, r.task, r.run): (k, r) for k, look in enumerate(earlier) for r in look.runs if r.named}
    n = len(earlier) + 1
    for run in new.runs:
        if run.named and (run.algorithm, run.task, run.run) in names:
            k, before = names[run.algorithm, run.task, run.run]
            score = "the same score" if before.score == run.score else f"another score ({before.score:g})"
            raise DataError(
                f"run {run.run!r} of {run.algorithm!r} on {run.task!r} in {noun} {n} was in {noun} {k + 1} already, with {score}; a run counts "
                f"once. If this is another run, give it another name, or say that each row is a run ({column('run', 'row')})."
            )
    for k, look in enumerate(earlier):
        for algorithm in dict.fromkeys(run.algorithm for run in new.runs):
            mine, theirs = _scores_of(new.runs, algorithm), _scores_of(look.runs, algorithm)
            # Two scores, as success and failure, come again by chance.
            if mine == theirs and len({score for _, score in mine}) >= TELLING:
                message = f"all scores of {algorithm!r} in {noun} {n} are those of {noun} {k + 1}; a run counts once."
                raise DataError(message)
        if new.file is not None and new.file == look.file:
            raise DataError(
                f"{noun} {n} is the file of {noun} {k + 1}, byte for byte, and a run counts once. If these are other runs that came out alike, "
                "name the runs in a column."
            )
    _refuse_copies(noun, earlier, new)


def _in_one_precision(looks: Sequence[Look]) -> list[Look]:
    """Return looks with scores that are equal where one has single and one has double precision."""
    scores = iter(in_one_precision(np.array([run.score for look in looks for run in look.runs])).tolist())
    return [replace(look, runs=tuple(replace(run, score=next(scores)) for run in look.runs)) for look in looks]


def _refuse_copies(noun: str, earlier: Sequence[Look], new: Look) -> None:
    """Refuse a score of an earlier run of the same task, or of another run of the same cell, where only a copy explains it."""
    here = f"{noun} {len(earlier) + 1}"
    tasks = dict.fromkeys(run.task for run in new.runs)
    for task in tasks:
        mine = [run for run in new.runs if run.task == task]
        old = [(f"{noun} {k}", run) for k, look in enumerate(earlier, start=1) for run in look.runs if run.task == task]
        every = [*(run for _, run in old), *mine]
        cells = Counter(run.algorithm for run in mine)
        # Of two earlier runs, that of the same algorithm is named.
        before = {(run.score, algorithm): (k, run) for algorithm in cells for k, run in old}
        before |= {(run.score, run.algorithm): (k, run) for k, run in old}
        copies = [(run, *before.setdefault((run.score, run.algorithm), (here, run))) for run in mine]
        copies = [copy for copy in copies if copy[0] is not copy[2]]
        pairs = len(mine) * len(old) + sum(comb(n, 2) for n in cells.values())
        for own in dict.fromkeys(frozenset((run.algorithm, first.algorithm)) for run, _, first in copies):
            # Algorithms may be logged with unlike numbers of digits.
            alike = [copy for copy in copies if {copy[0].algorithm, copy[2].algorithm} <= own]
            scores = [run.score for run in every if run.algorithm in own]
            score = copied([run.score for run, _, _ in alike], scores, len(tasks) * pairs, [run.score for run in every])
            if score is not None:
                _refuse_copy(here, *next(copy for copy in alike if copy[0].score == score))


def _refuse_copy(here: str, run: Run, there: str, first: Run) -> None:
    whose = "" if first.algorithm == run.algorithm else f" of {first.algorithm!r}"
    raise DataError(
        f"run {run.run!r} of {run.algorithm!r} on {run.task!r} in {here} has the score of run {first.run!r}{whose} in {there}, {run.score!r}, "
        "to the last digit, as if it were fed twice or had the same seed; a run counts once: put another in its place. If they are two runs, "
        "write the score with fewer digits."
    )


def _scores_of(runs: Sequence[Run], algorithm: str) -> Counter[tuple[str, float]]:
    return Counter((run.task, run.score) for run in runs if run.algorithm == algorithm)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)


# ── batches of runs, one after the other ──────────


def refuse_unlike(batches: Sequence[Scores]) -> None:
    """Refuse batches that are not of one experiment, and a run that is in two of them."""
    if not batches:
        raise DesignError("there is no batch; give the runs of each as one.")
    looks: list[Look] = []
    for k, scores in enumerate(batches, start=1):
        _refuse_gaps(k, scores, batches[0])
        _refuse_read_otherwise("batch", k, _how_read_of(batches[0]), _how_read_of(scores))
        refuse_other_spans(("batch 1", f"batch {k}"), (spans_of_training(batches[0]), spans_of_training(scores)), "")
        _refuse_repeats("batch", looks, look := look_of(scores))
        if scores.provenance.reference is None:
            refuse_other_unit("batch", k, _by_cell(looks), _by_cell([look]))
        looks.append(look)


def _by_cell(looks: Sequence[Look]) -> dict[str, list[float]]:
    cells: dict[str, list[float]] = {}
    for run in (run for look in looks for run in look.runs):
        cells.setdefault(f"{run.algorithm} on {run.task}", []).append(run.score)
    return cells


def _refuse_gaps(k: int, scores: Scores, first: Scores) -> None:
    if scores.n_algorithms < 2:
        raise DesignError(
            f"batch {k} has runs of {scores.algorithms[0]!r} only; runs are compared with those of the same batch, so each batch needs two "
            "algorithms or more."
        )
    if set(scores.tasks) != set(first.tasks):
        odd = sorted(set(scores.tasks) ^ set(first.tasks))[0]
        where, other = ((1, k), (k, 1))[odd in scores.tasks]
        raise DesignError(f"task {odd!r} is in batch {where}, but not in batch {other}; every batch takes all tasks.")
    for a, t in np.argwhere(scores.n_runs == 0):
        raise DesignError(
            f"batch {k} has no run of {scores.algorithms[a]!r} on {scores.tasks[t]!r}; an algorithm is run on all tasks, or left out of a batch."
        )
    for t, counts in enumerate(scores.n_runs.T):
        if counts.min() != counts.max():
            few, many = (scores.algorithms[int(at)] for at in (counts.argmin(), counts.argmax()))
            raise DesignError(
                f"batch {k} has {counts.max()} runs of {many!r} on {scores.tasks[t]!r}, but {counts.min()} of {few!r}; with unequal numbers in "
                "a batch, claims about algorithms of unequal spread are wrong too often: put as many of each into a batch."
            )


def cells_of(scores: Scores, algorithm: str, tasks: Sequence[str]) -> list[Floats]:
    """Return the scores of an algorithm task by task; runs shared by tasks as one task of their means."""
    a = scores.algorithms.index(algorithm)
    cells = [scores.cell(a, scores.tasks.index(task)) for task in tasks]
    return [np.mean(cells, axis=0)] if scores.sampling.shared else cells
