"""`Scores`: the score of each run of each algorithm on each task, checked once and immutable.

Storage is flat: one float64 vector sorted by (algorithm, task), plus offsets. The runs of one algorithm on one task are a *cell*; cells may
differ in their number of runs and may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from runoff.base.arrays import Floats, Ints, NestedCells, read_only
from runoff.base.lasting import once
from runoff.base.ports import door, reading, references
from runoff.base.random import RNG, streams
from runoff.base.validate import check_choice, check_count
from runoff.data.base import RunData, refuse_extremes, scaled
from runoff.data.provenance import Provenance, Sampling, refuse_lacking
from runoff.data.reference import UNREFERENCED, Reference, ReferenceLike, scale_of
from runoff.errors import DataError, DesignError
from runoff.tables.naming import Relabelled, merged_labels, position, some_of, unchanged
from runoff.words.names import RunsName, UnitName, Unreferenced
from runoff.words.nouns import Nouns, nouns_of
from runoff.words.numbers import span
from runoff.words.speech import choice
from runoff.words.words import names_items, names_reference

if TYPE_CHECKING:
    import polars as pl

PER_TASK = Sampling()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores(RunData):
    """End scores by algorithm, task and run; higher is better.

    Make one with `from_frame`, `from_dict` or `runoff.read_scores`.

    Attributes
    ----------
    algorithms, tasks : tuple of str
        Names, in the order of all axes and tables.
    values : float64 array (n_scores,), read-only
        All scores, sorted by (algorithm, task).
    offsets : int64 array (n_algorithms * n_tasks + 1,), read-only
        The runs of algorithm a on task t (cell (a, t)) are `values[offsets[a * n_tasks + t] : offsets[a * n_tasks + t + 1]]`.
    run_labels : tuple of str
        The label of each value's run. Runs of different algorithms are never paired.
    sampling : Sampling
        `runs`: "per_task", or "shared" where each run is scored on all tasks; rows of equal labels are then one run. `unit`: "run" or "episode".
    provenance : Provenance
        The source of the data, the mapping of columns, and the normalisation.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"PPO": {"Pong": [18, 20, 19]}, "A2C": {"Pong": [12, 17, 9]}})
    >>> scores.cell("A2C", "Pong")
    array([12., 17.,  9.])
    >>> scores.n_runs
    array([[3],
           [3]])
    """

    algorithms: tuple[str, ...]
    tasks: tuple[str, ...]
    values: Floats
    offsets: Ints
    run_labels: tuple[str, ...]
    provenance: Provenance = field(default_factory=Provenance)
    sampling: Sampling = field(default_factory=Sampling)

    def __post_init__(self) -> None:
        refuse_extremes(self.values, self.offsets, self.tasks)
        if self.sampling.shared:
            for a, name in enumerate(self.algorithms):
                refuse_lacking(name, self.tasks, [self.labelled(a, t)[0] for t in range(self.n_tasks)])

    # ── making ──────────

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        algorithm: str | None = None,
        task: str | None = None,
        run: str | None = None,
        score: str | None = None,
        config: str | None = None,
        runs: RunsName = "per_task",
        unit: UnitName = "run",
        score_unit: RunsName = "per_task",
    ) -> Scores:
        """Return the scores in a tidy table with one row per run and task.

        Parameters
        ----------
        frame : pandas, polars or pyarrow table, or a dict of columns
        algorithm, task, run, score, config : str, optional
            Column names; None recognises the usual ones. Without a task column there is one task; without a run column each row is a run.
            `config` is the hyperparameter configuration, for `tuning`.
        runs : "per_task" or "shared"
            "shared": rows of one algorithm with equal run labels are one run, scored on all tasks; this needs a run column.
        unit : "run" or "episode"
            "episode": rows are episodes of one policy, so that every claim is about that policy, not about the training algorithm.
        score_unit : "per_task" or "shared"
            "shared": scores of all tasks are in one unit, so that algorithms are compared by means and IQMs without reference scores.

        Raises
        ------
        DataError
            A missing or ambiguous column, text, NaN, infinity, or the same (algorithm, task, run) twice.
        DesignError
            A shared run has no score on some task.
        """
        chosen = {"algorithm": algorithm, "task": task, "run": run, "score": score, "config": config}
        sampling = Sampling(runs=runs, unit=unit, score_unit=score_unit)
        scores: Scores = reading().tidy_scores(frame, chosen, sampling)
        return scores

    @classmethod
    def from_episodes(
        cls,
        frame: Any,
        *,
        algorithm: str | None = None,
        task: str | None = None,
        run: str | None = None,
        step: str | None = None,
        score: str | None = None,
    ) -> Scores:
        """Return the scores in a table with one row per episode: the mean of each run's rows at its final step (of all its rows without a
        step column).

        Episodes are not runs; counted as runs they would make every answer overconfident.

        Parameters
        ----------
        frame : pandas, polars or pyarrow table, a dict of columns, or a path
        algorithm, task, run, step, score : str, optional
            Column names; None recognises the usual ones.

        Warns
        -----
        RunoffWarning
            How many rows became how many runs. Whatever `from_frame` refuses is refused here too.

        Examples
        --------
        >>> import runoff as ro, warnings
        >>> rows = {"algo": ["A"] * 4, "seed": [0, 0, 1, 1], "score": [1.0, 3.0, 5.0, 7.0]}
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     ro.Scores.from_episodes(rows).cell("A", 0)
        array([2., 6.])
        """
        chosen = {"algorithm": algorithm, "task": task, "run": run, "step": step, "score": score}
        return cls.from_grid(*door().grid_of_means(frame, chosen))

    @classmethod
    def from_dict(
        cls,
        data: Mapping[str, ArrayLike | Mapping[str, ArrayLike]],
        *,
        tasks: Sequence[str] | None = None,
        runs: RunsName = "per_task",
        unit: UnitName = "run",
        score_unit: RunsName = "per_task",
    ) -> Scores:
        """Return the scores in a dictionary {algorithm: array (n_runs, n_tasks)} (rliable's shape) or {algorithm: {task: [scores]}}.

        Parameters
        ----------
        data : mapping
            Arrays and nested mappings may be mixed only if `tasks` names the arrays' columns. A one-dimensional array is a single task.
        tasks : sequence of str, optional
            Names of the arrays' columns; by default "task 1", "task 2", ….
        runs : "per_task" or "shared"
            "shared": a row of an array, or a position in the lists of one algorithm, is one run, scored on all tasks.
        unit : "run" or "episode"
            As in `from_frame`.
        score_unit : "per_task" or "shared"
            As in `from_frame`.

        Raises
        ------
        DataError
            A name occurs twice, or arrays differ in their number of tasks, look like learning curves although no tasks are named, or contain
            text, NaN, infinity or masked values.
        """
        algorithms, names, grid = door().nested_cells(data, tasks)
        return cls.from_grid(
            algorithms,
            names,
            grid,
            Provenance(format="dict"),
            Sampling(runs=runs, unit=unit, score_unit=score_unit),
        )

    @classmethod
    def from_grid(
        cls,
        algorithms: Sequence[str],
        tasks: Sequence[str],
        grid: NestedCells,
        provenance: Provenance,
        sampling: Sampling = PER_TASK,
    ) -> Scores:
        """Return the scores in a grid of labelled, finite values; every other constructor ends here."""
        cells = [grid.get((a, t), ([], np.empty(0))) for a in range(len(algorithms)) for t in range(len(tasks))]
        counts = [len(labels) for labels, _ in cells]
        if not sum(counts):
            raise DataError("there are no scores.")
        scores = cls(
            algorithms=tuple(algorithms),
            tasks=tuple(tasks),
            values=read_only(np.concatenate([values for _, values in cells]).astype(np.float64)),
            offsets=read_only(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)),
            run_labels=tuple(label for labels, _ in cells for label in labels),
            provenance=provenance,
            sampling=sampling,
        )
        for noun, names, axis in (("algorithm", scores.algorithms, 1), ("task", scores.tasks, 0)):
            for name, total in zip(names, scores.n_runs.sum(axis=axis), strict=True):
                if total == 0:
                    raise DataError(f"{noun} {name!r} has no scores.")
        return constants_once(scores)

    # ── looking ──────────

    def _scored(self) -> str:
        return self.provenance.score_words(self.nouns.run)

    @property
    def n_algorithms(self) -> int:
        return len(self.algorithms)

    @property
    def n_tasks(self) -> int:
        return len(self.tasks)

    @property
    def n_runs(self) -> Ints:
        """The number of runs of each algorithm on each task, int64 array (n_algorithms, n_tasks); 0 where there are none."""
        return np.asarray(np.diff(self.offsets)).reshape(self.n_algorithms, self.n_tasks)

    @property
    def single_valued(self) -> tuple[str, ...]:
        """Algorithms with one value on each of their tasks while all others have several: they look like published values."""
        most = self.n_runs.max(axis=1)
        least = np.where(self.n_runs > 0, self.n_runs, most[:, None]).min(axis=1)
        # Only where the others have several runs everywhere: a table with gaps has single runs by accident.
        if not (most == 1).any() or (least[most > 1] == 1).any() or (most == 1).all():
            return ()
        return tuple(name for name, n in zip(self.algorithms, most.tolist(), strict=True) if n == 1)

    @property
    def binary(self) -> bool:
        """Whether all scores are 0 or 1, so that means are success rates."""
        return bool(np.all((self.values == 0.0) | (self.values == 1.0)))

    @property
    def rates(self) -> bool:
        """Whether all scores are 0 or 1 and runs are not shared by tasks, so that the number of successes on a task is binomial."""
        return self.binary and not (self.sampling.shared and self.n_tasks > 1)

    @property
    def of_items(self) -> bool:
        """Whether tasks are items, such as questions: each attempted once, with scores of 0 or 1, rows as episodes, or such a column name."""
        once = self.n_tasks > 1 and int(self.n_runs.max()) == 1
        return once and (
            self.binary or self.sampling.unit == "episode" or names_items(dict(self.provenance.columns).get("task", ""))
        )

    @property
    def nouns(self) -> Nouns:
        """The words that tables use for rows: runs, episodes, or attempts of models at items."""
        return nouns_of(self.sampling.unit, items=self.of_items and self.binary)

    def cell(self, algorithm: str | int, task: str | int) -> Floats:
        """Return the scores of one algorithm on one task, each by name or position: float64 (n_runs,), read-only."""
        a = algorithm if isinstance(algorithm, int) else position("algorithm", algorithm, self.algorithms)
        t = task if isinstance(task, int) else task_places(self).get(task)
        at = a * self.n_tasks + (position("task", str(task), self.tasks) if t is None else t)
        return self.values[self.offsets[at] : self.offsets[at + 1]]

    def cells(self, algorithm: str | int) -> list[Floats]:
        """Return the scores of one algorithm on every task, in the order of `tasks`."""
        a = algorithm if isinstance(algorithm, int) else position("algorithm", algorithm, self.algorithms)
        ends = self.offsets[a * self.n_tasks : (a + 1) * self.n_tasks + 1].tolist()
        return [self.values[start:end] for start, end in pairwise(ends)]

    def dense(self, algorithm: str | int) -> Floats:
        """Return the scores of one algorithm as float64 (n_runs, n_tasks).

        Raises
        ------
        DesignError
            The tasks differ in their number of runs.
        """
        cells = self.cells(algorithm)
        if len({cell.size for cell in cells}) > 1:
            counts = {task: cell.size for task, cell in zip(self.tasks, cells, strict=True)}
            few, many = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
            what = f"algorithm {algorithm!r} is ragged: {counts[few]} run(s) on {few!r}, {counts[many]} on {many!r}; use cell() or subsample()."
            raise DesignError(what)
        return np.stack(cells, axis=1)

    # ── deriving ──────────

    def normalize(
        self,
        reference: ReferenceLike,
        *,
        assume_raw: bool = False,
        unreferenced: Unreferenced = "error",
    ) -> Scores:
        """Return (score − low) / (high − low) task by task.

        Parameters
        ----------
        reference : registered name ("atari", "procgen_hard", "dm_control", "d4rl", …), JSON or CSV file, frame, or {task: (low, high)}
            Reference scores by task, for costs in costs, the better one lower. A task is recognised under any spelling that means no other
            task ("ALE/Alien-v5", "atari_alien"); the notes say which task each name was matched to.
        assume_raw : bool
            Accept as raw the scores that look normalised already; otherwise they, and a mix of both, are refused.
        unreferenced : "error" or "drop"
            "drop" leaves out tasks without reference scores; the notes count and name them.

        Raises
        ------
        OptionError
            The name is not registered.
        DataError
            A task is unknown to the reference or could be two of its tasks, a range is zero, or the data of all or some algorithms are
            normalised already.
        """
        check_choice("unreferenced", unreferenced, UNREFERENCED)
        scale = scale_of(reference, {name: self.cells(name) for name in self.algorithms}, self.tasks)
        if self.provenance.reference is not None:
            raise DataError(f"these scores are normalised already, by {self.provenance.reference}.")
        if unreferenced == "drop":
            return self._referenced(scale).normalize(scale, assume_raw=assume_raw)
        # All at once, before the first is refused by itself: five games without human scores are one mistake.
        scale.refuse_unknown(self.tasks)
        scale = scale.facing(self.tasks, negated=self.provenance.of_costs)
        pairs = np.array([scale.pair(task) for task in self.tasks])
        if not assume_raw:
            references().refuse_normalised(self.algorithms, self.tasks, self._ends(), pairs)
        of_each = np.repeat(np.tile(pairs, (self.n_algorithms, 1)), np.diff(self.offsets), axis=0)
        origin = replace(self.provenance, reference=str(scale)).noting(*scale.notes(self.tasks))
        return replace(self, values=scaled(self.values, of_each), provenance=origin)

    def _referenced(self, scale: Reference) -> Scores:
        without = [task for task in self.tasks if not scale.knows(task)]
        if not without:
            return self
        if len(without) == self.n_tasks:
            scale.refuse_unknown(self.tasks)
        kept = [task for task in self.tasks if task not in without]
        note = f"{len(without)} of {self.n_tasks} tasks have no reference scores in {scale.name!r} and are left out: {', '.join(without)}"
        clause = f"{len(without)} of {self.n_tasks} tasks are left out, which have no reference scores"
        referenced = replace(some_of("task", self.tasks, kept), notes=(note,), treatment=(clause,))
        return self._relabelled(unchanged(self.algorithms), referenced)

    def subsample(self, n_runs: int, rng: RNG = 0) -> Scores:
        """Return `n_runs` runs of each algorithm on each task, drawn without replacement; shared runs are drawn with all their tasks.

        Raises
        ------
        DesignError
            An algorithm has fewer runs on some task.
        """
        check_count("n_runs", n_runs)
        family = streams(rng)
        grid: NestedCells = {}
        for a, t in np.argwhere(self.n_runs).tolist():
            labels, values = self.labelled(a, t)
            if len(labels) < n_runs:
                message = f"cannot draw {n_runs} runs of algorithm {self.algorithms[a]!r} on task {self.tasks[t]!r}: it has {len(labels)}."
                raise DesignError(message)
            # Runs that are shared by tasks are drawn alike on each, by one stream for all tasks.
            drawn = family.block("subsample", a, 0 if self.sampling.shared else t)
            kept = np.sort(drawn.choice(len(labels), n_runs, replace=False))
            grid[a, t] = [labels[i] for i in kept], values[kept]
        return Scores.from_grid(self.algorithms, self.tasks, grid, self.provenance, self.sampling)

    def noting(self, *notes: str) -> Scores:
        """Return the same scores with more notes in their provenance."""
        return replace(self, provenance=self.provenance.noting(*notes))

    # ── leaving ──────────

    def to_polars(self) -> pl.DataFrame:
        """Return a polars DataFrame with the columns algorithm, task, run, score, and config where `sampling` has configurations."""
        import polars as pl

        counts = self.n_runs
        algorithms = np.repeat(np.array(self.algorithms, dtype=object), counts.sum(axis=1))
        tasks = np.repeat(np.array(self.tasks * self.n_algorithms, dtype=object), counts.ravel())
        labels = {"algorithm": algorithms.tolist(), "task": tasks.tolist(), "run": list(self.run_labels)}
        configs = dict(self.sampling.configs)
        config = {"config": [configs.get(run, run) for run in self.run_labels]} if configs else {}
        return pl.DataFrame({**labels, **config, "score": self.values})

    def to_dict(self) -> dict[str, dict[str, list[float]]]:
        """Return {algorithm: {task: [scores]}}, without tasks on which an algorithm has no runs."""
        return {
            a: {t: self.cell(i, j).tolist() for j, t in enumerate(self.tasks) if self.cell(i, j).size}
            for i, a in enumerate(self.algorithms)
        }

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Scores)
            and (self.algorithms, self.tasks, self.run_labels) == (other.algorithms, other.tasks, other.run_labels)
            and self.sampling == other.sampling
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def _ends(self) -> list[list[Floats]]:
        return [self.cells(a) for a in range(self.n_algorithms)]

    def __repr__(self) -> str:
        runs = f"{span(self.n_runs[self.n_runs > 0])} {self.sampling.unit}s"
        missing = int((self.n_runs == 0).sum())
        gap = f", {missing} missing cell(s)" if missing else ""
        return f"Scores({self.n_algorithms} algorithms × {self.n_tasks} tasks × {runs}{gap})"

    # ── inside ──────────

    def labelled(self, a: int, t: int) -> tuple[list[str], Floats]:
        """Return the run labels and the scores of algorithm number a on task number t."""
        at = a * self.n_tasks + t
        return list(self.run_labels[self.offsets[at] : self.offsets[at + 1]]), self.cell(a, t)

    def by_algorithm(self, of_runs: Sequence[str]) -> Scores:
        """Return the scores with a new algorithm name for each value, sorted alphabetically."""
        algorithms = sorted({*of_runs})
        at = {name: a for a, name in enumerate(algorithms)}
        tasks = np.repeat(np.tile(np.arange(self.n_tasks), self.n_algorithms), np.diff(self.offsets))
        rows: dict[tuple[int, int], list[int]] = {}
        for i, (name, t) in enumerate(zip(of_runs, tasks.tolist(), strict=True)):
            rows.setdefault((at[name], t), []).append(i)
        grid = {cell: ([self.run_labels[i] for i in own], self.values[own]) for cell, own in rows.items()}
        return Scores.from_grid(algorithms, self.tasks, grid, self.provenance, self.sampling)

    def _relabelled(self, algorithms: Relabelled, tasks: Relabelled) -> Scores:
        """Return the scores under new names, leaving out those without a new name."""
        merged = algorithms.merged | tasks.merged
        grid: NestedCells = {}
        for a, t in np.argwhere(self.n_runs).tolist():
            place = algorithms.places[a], tasks.places[t]
            if place[0] is None or place[1] is None:
                continue
            labels, values = self.labelled(a, t)
            there, before = grid.get((place[0], place[1]), ([], np.empty(0)))
            marked = merged_labels(labels, self.algorithms[a], self.tasks[t], merged)
            grid[place[0], place[1]] = there + marked, np.concatenate([before, values])
        origin = self.provenance.relabelled(self.algorithms, algorithms, self.tasks, tasks)
        return Scores.from_grid(algorithms.names, tasks.names, grid, origin, self.sampling)


@once  # thousands of tasks are looked up by name for each algorithm
def task_places(scores: Scores) -> dict[str, int]:
    return {task: t for t, task in enumerate(scores.tasks)}


def constants_once(scores: Scores) -> Scores:
    """Return the scores with a single run of each reference player (human, random agent …) whose one score per task was repeated for every
    run."""
    constant = [
        a
        for a, name in enumerate(scores.algorithms)
        if names_reference(name) and all(np.ptp(cell) == 0 for cell in scores.cells(a) if cell.size)
    ]
    # Scores of 0 and 1, and episodes, may be equal by themselves; so may scores of 0 alone.
    given = [cell for a in constant for cell in scores.cells(a)]
    single = all(cell.size < 2 for cell in given)
    if single or scores.binary or scores.sampling.unit == "episode" or not any(cell.any() for cell in given):
        return scores
    grid: NestedCells = {}
    for a, t in np.argwhere(scores.n_runs).tolist():
        labels, values = scores.labelled(a, t)
        grid[a, t] = (labels[:1], values[:1]) if a in constant else (labels, values)
    origin = scores.provenance.noting(
        f"runs of {', '.join(scores.algorithms[a] for a in constant)} have one score on each task, as constants repeated for every run have: "
        f"they are taken as one value (as reference scores: {choice('scores.normalize({task: (low, high)})', '--normalize FILE')})"
    )
    return Scores.from_grid(scores.algorithms, scores.tasks, grid, origin, scores.sampling)
