"""Batches of runs, one after the other: are they of one experiment, read alike, and is none counted twice?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff._inference.sequential.feed import TELLING, read_as, runs_of
from runoff.base.arrays import Floats
from runoff.data.scores import Scores
from runoff.errors import DataError, DesignError
from runoff.words.speech import column, option


def refuse_unlike(batches: Sequence[Scores]) -> None:
    """Refuse batches that are not of one experiment.

    Raises
    ------
    DesignError
        No batch; one with other tasks, with a single algorithm, with unequal numbers of runs on a task, or read as another kind of runs.
    DataError
        Batches normalised or read otherwise; a run that is in two of them.
    """
    if not batches:
        raise DesignError("there is no batch; give the runs of each as one.")
    for k, scores in enumerate(batches, start=1):
        _refuse_gaps(k, scores, batches[0])
        _refuse_other_kind(k, scores, batches[0])
    _refuse_repeats(batches)


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


def _refuse_other_kind(k: int, scores: Scores, first: Scores) -> None:
    if scores.sampling != first.sampling:
        mine, others = (
            f"{option('runs', s.sampling.runs)} and {option('unit', s.sampling.unit)}" for s in (scores, first)
        )
        raise DesignError(f"batch 1 was read with {others}, batch {k} with {mine}; read all batches alike.")
    kinds = [(s.provenance.reference or "no reference scores", *read_as(s.provenance)) for s in (first, scores)]
    if kinds[0] != kinds[1]:
        before, now = ("; ".join(words) for words in kinds)
        raise DataError(f"batch 1 was read with {before}, batch {k} with {now}; read all batches alike.")


def _refuse_repeats(batches: Sequence[Scores]) -> None:
    first_seen: dict[tuple[str, str, str], int] = {}
    files: dict[str, int] = {}
    rows: dict[tuple[str, tuple[tuple[str, float], ...]], int] = {}
    for k, scores in enumerate(batches, start=1):
        runs = runs_of(scores)
        for run in runs:
            before = first_seen.setdefault((run.algorithm, run.task, run.run), k) if run.named else k
            if before != k:
                raise DataError(
                    f"run {run.run!r} of {run.algorithm!r} on {run.task!r} is in batch {before} and in batch {k}; a run counts once. If it is "
                    f"another run, give it another name, or say that each row is a run ({column('run', 'row')})."
                )
        for name in scores.algorithms:
            row = tuple((run.task, run.score) for run in runs if run.algorithm == name)
            again = len({score for _, score in row}) >= TELLING and rows.setdefault((name, row), k) != k
            if again:
                raise DataError(
                    f"all scores of {name!r} in batch {k} are those of batch {rows[name, row]}; a run counts once."
                )
        file = scores.provenance.sha256
        if file is not None and files.setdefault(file, k) != k:
            raise DataError(f"batch {k} is the file of batch {files[file]}, byte for byte; a run counts once.")


def cells_of(scores: Scores, algorithm: str, tasks: Sequence[str]) -> list[Floats]:
    """Return the scores of an algorithm task by task; runs shared by tasks as one task of their means."""
    a = scores.algorithms.index(algorithm)
    cells = [scores.cell(a, scores.tasks.index(task)) for task in tasks]
    return [np.mean(cells, axis=0)] if scores.sampling.shared else cells
