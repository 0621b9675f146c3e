"""`Scores`: what each run of each algorithm achieved on each task, checked once and never changed.

Storage is flat: one float64 vector sorted by (algorithm, task), plus offsets. Cells may differ in runs and may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff._arrays import Floats, Ints
from runoff._counts import span
from runoff._provenance import Provenance
from runoff._random import RNG, streams
from runoff._repeated import Repeated
from runoff._tidy import Table, table_of, tidy
from runoff._validate import as_floats, check_count, check_finite
from runoff.errors import DataError, DesignError, nearest
from runoff.references import LowHigh, Reference, load_reference
from runoff.references.units import refuse_normalised

if TYPE_CHECKING:
    import polars as pl

Grid = dict[tuple[int, int], tuple[list[str], Floats]]
"""(algorithm, task) -> (run labels, scores)."""


LARGEST = 1e150
"""Of a score: its square is still a number."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """End scores by algorithm, task and run; higher is better.

    Make one with `from_frame`, `from_dict` or `runoff.read_scores`.

    Attributes
    ----------
    algorithms, tasks : tuple of str
        Names, in the order of all axes and tables.
    values : float64 array (n_scores,), read-only
        All scores, sorted by (algorithm, task).
    offsets : int64 array (n_algorithms * n_tasks + 1,), read-only
        Cell (a, t) is `values[offsets[a * n_tasks + t] : offsets[a * n_tasks + t + 1]]`.
    runs : tuple of str
        The label of each value's run. Runs of different algorithms are never paired.
    provenance : Provenance
        Where the data come from, how columns were mapped, what they are normalised by.

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
    runs: tuple[str, ...]
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        largest = float(np.abs(self.values).max(initial=0.0))
        if largest > LARGEST or 0 < largest < 1 / LARGEST:
            raise DataError(
                f"the largest score is {largest:.3g}; scores are squared, so it must lie between {1 / LARGEST:g} and {LARGEST:g}: "
                "choose another unit."
            )

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
    ) -> Scores:
        """Return the scores of a tidy table: one row per run.

        Parameters
        ----------
        frame : pandas, polars or pyarrow table, or a dict of columns
        algorithm, task, run, score : str, optional
            Column names; None recognises the usual ones. Without a task column there is one task; without a run column
            each row is a run.

        Raises
        ------
        DataError
            A missing or ambiguous column, text, NaN, infinity, or the same (algorithm, task, run) twice.
        """
        chosen = {"algorithm": algorithm, "task": task, "run": run, "score": score}
        return cls.from_table(table_of(frame), chosen=chosen)

    @classmethod
    def from_table(
        cls,
        table: Table,
        *,
        chosen: Mapping[str, str | None],
        provenance: Provenance | None = None,
        sign: float = 1.0,
    ) -> Scores:
        """Return the scores of checked columns; what `from_frame` and the file readers share."""
        data = tidy(table, chosen=chosen, with_step=False)
        names = {role: label_order(role, found) for role, found in data.labels.items()}
        codes = {role: label_codes(data.labels[role], names[role]) for role in names}
        order = np.lexsort((codes["run"], codes["task"], codes["algorithm"]))
        keys = np.stack([codes[role][order] for role in ("algorithm", "task", "run")], axis=1)
        _refuse_repeats(table, order, keys, data.labels)
        cells = keys[:, 0] * len(names["task"]) + keys[:, 1]
        n_cells = len(names["algorithm"]) * len(names["task"])
        return cls(
            algorithms=tuple(names["algorithm"]),
            tasks=tuple(names["task"]),
            values=read_only(sign * data.score[order]),
            offsets=read_only(np.searchsorted(cells, np.arange(n_cells + 1)).astype(np.int64)),
            runs=tuple(names["run"][code] for code in keys[:, 2].tolist()),
            provenance=replace(provenance or Provenance(), columns=tuple(data.mapping.items())).noting(*data.notes),
        )

    @classmethod
    def from_dict(
        cls,
        scores: Mapping[str, ArrayLike | Mapping[str, ArrayLike]],
        *,
        tasks: Sequence[str] | None = None,
    ) -> Scores:
        """Return the scores of {algorithm: array (n_runs, n_tasks)} (rliable's shape) or {algorithm: {task: [scores]}}.

        Parameters
        ----------
        scores : mapping
            Arrays and nested mappings may be mixed only if `tasks` names the arrays' columns. A vector is one task.
        tasks : sequence of str, optional
            Names of the arrays' columns; "task 1", "task 2", … otherwise.

        Raises
        ------
        DataError
            Arrays disagree in their number of tasks, or hold text, NaN or infinity.
        """
        if not scores:
            raise DataError("from_dict was given no algorithm.")
        by_task = {str(a): _columns_by_task(str(a), given, tasks) for a, given in scores.items()}
        names = list(dict.fromkeys(t for cells in by_task.values() for t in cells))
        grid: Grid = {}
        for i, (a, cells) in enumerate(by_task.items()):
            for t, values in cells.items():
                cell = as_floats(f"algorithm {a!r}, task {t!r}", values).ravel()
                check_finite(f"algorithm {a!r}, task {t!r}", cell)
                grid[i, names.index(t)] = [str(r) for r in range(cell.size)], cell
        return cls.from_grid(list(by_task), names, grid, Provenance(format="dict"))

    @classmethod
    def from_grid(cls, algorithms: Sequence[str], tasks: Sequence[str], grid: Grid, provenance: Provenance) -> Scores:
        """Return the scores of labelled, finite cells; every other constructor ends here."""
        cells = [grid.get((a, t), ([], np.empty(0))) for a in range(len(algorithms)) for t in range(len(tasks))]
        counts = [len(labels) for labels, _ in cells]
        if not sum(counts):
            raise DataError("there are no scores.")
        values = np.concatenate([values for _, values in cells]).astype(np.float64)
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        runs = tuple(label for labels, _ in cells for label in labels)
        made = cls(
            algorithms=tuple(algorithms),
            tasks=tuple(tasks),
            values=read_only(values),
            offsets=read_only(offsets),
            runs=runs,
            provenance=provenance,
        )
        for name, total in zip(made.algorithms, made.n_runs.sum(axis=1), strict=True):
            if total == 0:
                raise DataError(f"algorithm {name!r} has no scores.")
        return made

    # ── looking ──────────

    @property
    def n_algorithms(self) -> int:
        return len(self.algorithms)

    @property
    def n_tasks(self) -> int:
        return len(self.tasks)

    @property
    def n_runs(self) -> Ints:
        """Runs per cell, int64 array (n_algorithms, n_tasks); 0 where a cell is missing."""
        counts: Ints = np.diff(self.offsets).reshape(self.n_algorithms, self.n_tasks)
        return counts

    def cell(self, algorithm: str | int, task: str | int) -> Floats:
        """Return the scores of one algorithm on one task, float64 (n_runs,), by name or position; read-only."""
        a = algorithm if isinstance(algorithm, int) else _index("algorithm", algorithm, self.algorithms)
        t = task if isinstance(task, int) else _index("task", task, self.tasks)
        at = a * self.n_tasks + t
        return self.values[self.offsets[at] : self.offsets[at + 1]]

    def cells(self, algorithm: str | int) -> list[Floats]:
        """Return the scores of one algorithm on every task, in the order of `tasks`."""
        return [self.cell(algorithm, t) for t in range(self.n_tasks)]

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
            raise DesignError(
                f"algorithm {algorithm!r} is ragged: {counts[few]} run(s) on {few!r}, {counts[many]} on {many!r}; use cell() or subsample()."
            )
        return np.stack(cells, axis=1)

    # ── deriving ──────────

    def select(self, *, algorithms: Sequence[str] | None = None, tasks: Sequence[str] | None = None) -> Scores:
        """Return the scores of some algorithms and tasks, in the order named."""
        kept_a = (
            range(self.n_algorithms)
            if algorithms is None
            else [_index("algorithm", a, self.algorithms) for a in algorithms]
        )
        kept_t = range(self.n_tasks) if tasks is None else [_index("task", t, self.tasks) for t in tasks]
        grid = {(i, j): self._labelled(a, t) for i, a in enumerate(kept_a) for j, t in enumerate(kept_t)}
        return Scores.from_grid(
            [self.algorithms[a] for a in kept_a], [self.tasks[t] for t in kept_t], grid, self.provenance
        )

    def normalize(
        self, reference: str | Path | Mapping[str, LowHigh] | Reference, *, check_units: bool = True
    ) -> Scores:
        """Return (score − low) / (high − low) task by task.

        Parameters
        ----------
        reference : registered name ("atari", "procgen_hard", "dm_control", …), JSON file, or {task: (low, high)}
        check_units : bool
            Refuse scores that look normalised already, or a mix of raw and normalised algorithms.

        Raises
        ------
        OptionError
            The name is not registered.
        DataError
            A task is unknown to the reference, a range is zero, the data are normalised already, or some algorithms are.
        """
        known = load_reference(reference)
        if self.provenance.reference is not None:
            raise DataError(f"these scores are normalised already, by {self.provenance.reference}.")
        pairs = np.array([known.pair(task) for task in self.tasks])
        if check_units:
            refuse_normalised(self.algorithms, self.tasks, self._by_cell(), pairs)
        low, high = (np.repeat(np.tile(end, self.n_algorithms), np.diff(self.offsets)) for end in pairs.T)
        scaled = (self.values - low) / (high - low)
        return self._with(scaled, replace(self.provenance, reference=str(known)))

    def subsample(self, n_runs: int, rng: RNG = 0) -> Scores:
        """Return `n_runs` runs of every present cell, drawn without replacement.

        Raises
        ------
        DesignError
            A cell has fewer runs.
        """
        check_count("n_runs", n_runs)
        family = streams(rng)
        grid: Grid = {}
        for a, t in np.argwhere(self.n_runs).tolist():
            labels, values = self._labelled(a, t)
            if len(labels) < n_runs:
                raise DesignError(
                    f"cannot draw {n_runs} runs of algorithm {self.algorithms[a]!r} on task {self.tasks[t]!r}: it has {len(labels)}."
                )
            kept = np.sort(family.block("subsample", a, t).choice(len(labels), n_runs, replace=False))
            grid[a, t] = [labels[i] for i in kept], values[kept]
        return Scores.from_grid(self.algorithms, self.tasks, grid, self.provenance)

    def noting(self, *notes: str) -> Scores:
        """Return the same scores with more notes on their origin."""
        return replace(self, provenance=self.provenance.noting(*notes))

    # ── leaving ──────────

    def to_frame(self) -> pl.DataFrame:
        """Return a polars DataFrame with the columns algorithm, task, run, score."""
        import polars as pl

        counts = self.n_runs
        algorithms = np.repeat(np.array(self.algorithms, dtype=object), counts.sum(axis=1))
        tasks = np.repeat(np.array(self.tasks * self.n_algorithms, dtype=object), counts.ravel())
        return pl.DataFrame(
            {
                "algorithm": algorithms.tolist(),
                "task": tasks.tolist(),
                "run": list(self.runs),
                "score": self.values,
            }
        )

    def to_dict(self) -> dict[str, dict[str, list[float]]]:
        """Return {algorithm: {task: [scores]}} of the present cells."""
        return {
            a: {t: self.cell(i, j).tolist() for j, t in enumerate(self.tasks) if self.cell(i, j).size}
            for i, a in enumerate(self.algorithms)
        }

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Scores)
            and (self.algorithms, self.tasks, self.runs) == (other.algorithms, other.tasks, other.runs)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = self.n_runs[self.n_runs > 0]
        runs = span(counts)
        missing = int((self.n_runs == 0).sum())
        gap = f", {missing} missing cell(s)" if missing else ""
        return f"Scores({self.n_algorithms} algorithms × {self.n_tasks} tasks × {runs} runs{gap})"

    # ── inside ──────────

    def _labelled(self, a: int, t: int) -> tuple[list[str], Floats]:
        at = a * self.n_tasks + t
        start, stop = int(self.offsets[at]), int(self.offsets[at + 1])
        return list(self.runs[start:stop]), self.values[start:stop]

    def _by_cell(self) -> list[list[Floats]]:
        return [self.cells(a) for a in range(self.n_algorithms)]

    def _with(self, values: Floats, provenance: Provenance) -> Scores:
        return replace(self, values=read_only(values), provenance=provenance)


def _columns_by_task(algorithm: str, given: Any, tasks: Sequence[str] | None) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return {str(task): values for task, values in given.items()}
    array = as_floats(f"algorithm {algorithm!r}", given)
    if array.ndim not in (1, 2):
        raise DataError(f"algorithm {algorithm!r} must be an array (n_runs, n_tasks), but its shape is {array.shape}.")
    matrix = array[:, None] if array.ndim == 1 else array
    names = [f"task {t + 1}" for t in range(matrix.shape[1])] if tasks is None else [str(task) for task in tasks]
    if len(names) != matrix.shape[1]:
        raise DataError(
            f"algorithm {algorithm!r} has {matrix.shape[1]} column(s) for {len(names)} task name(s); they must agree."
        )
    return dict(zip(names, matrix.T, strict=True))


def _index(noun: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise DesignError(f"there is no {noun} {name!r} in these scores.{nearest(str(name), names)}")
    return names.index(name)


def label_order(role: str, labels: Sequence[str]) -> list[str]:
    """Return the distinct labels of a column, sorted; runs by their number where they are numbers."""
    distinct = set(labels.names if isinstance(labels, Repeated) else labels)
    return sorted(distinct, key=natural if role == "run" else None)


def label_codes(labels: Sequence[str], names: Sequence[str]) -> Ints:
    """Return the position of each label among `names`, int64 (n_rows,)."""
    position = {name: i for i, name in enumerate(names)}
    if isinstance(labels, Repeated):
        return np.repeat(label_codes(labels.names, names), labels.counts)
    return np.array([position[name] for name in labels], dtype=np.int64)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, closed for writing."""
    array.flags.writeable = False
    return array


def natural(label: str) -> tuple[int, float, str]:
    """Sort key: numbers by value, then text."""
    return (0, float(label), label) if label.replace(".", "", 1).isdecimal() else (1, 0.0, label)


def _refuse_repeats(table: Table, order: Ints, keys: Ints, labels: Mapping[str, Sequence[str]]) -> None:
    repeats = np.flatnonzero(np.all(keys[1:] == keys[:-1], axis=1))
    if repeats.size:
        first, second = sorted((int(order[repeats[0]]), int(order[repeats[0] + 1])))
        a, t, r = (labels[role][first] for role in ("algorithm", "task", "run"))
        raise DataError(
            f"{table.place}: algorithm {a!r}, task {t!r}, run {r!r} appears twice, in {table.row(first)} and {table.row(second)}; "
            "a run has one score (average the episodes of a run first, or name the column that tells runs apart)."
        )
