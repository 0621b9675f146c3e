"""`Curves`: the scores of each run at increasing steps, and the ways to reduce a curve to one score."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff._arrays import Bools, Floats, Ints
from runoff._provenance import Provenance
from runoff._tidy import Table, extras, table_of, tidy
from runoff._validate import check_count
from runoff.errors import DataError, DesignError, RunoffWarning
from runoff.scores import Grid, Scores, label_codes, label_order, read_only

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curves:
    """Learning curves: scores by algorithm, task, run and step; higher is better.

    Make one with `from_frame`, `runoff.read_curves` or `runoff.load_example`.

    Attributes
    ----------
    algorithms, tasks : tuple of str
    steps, values : float64 arrays (n_points,), read-only
        Steps and scores of all curves, sorted by (algorithm, task, run, step); steps increase strictly within a run.
    run_offsets : int64 array (n_curves + 1,), read-only
        Curve i is `values[run_offsets[i] : run_offsets[i + 1]]`.
    cell_offsets : int64 array (n_algorithms * n_tasks + 1,), read-only
        The curves of cell (a, t) are `cell_offsets[a * n_tasks + t]` to `cell_offsets[a * n_tasks + t + 1]`.
    runs : tuple of str
        The label of each curve.
    time, episodes : float64 arrays (n_points,), read-only, or None
        Seconds and episodes since the run began, where the data tell them; NaN where they do not.
    """

    algorithms: tuple[str, ...]
    tasks: tuple[str, ...]
    steps: Floats
    values: Floats
    run_offsets: Ints
    cell_offsets: Ints
    runs: tuple[str, ...]
    provenance: Provenance = field(default_factory=Provenance)
    time: Floats | None = None
    episodes: Floats | None = None

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        algorithm: str | None = None,
        task: str | None = None,
        run: str | None = None,
        step: str | None = None,
        score: str | None = None,
    ) -> Curves:
        """Return the curves of a tidy table: one row per evaluation.

        Raises
        ------
        DataError
            A missing or ambiguous column, text, NaN, infinity, or the same (algorithm, task, run, step) twice.
        """
        chosen = {"algorithm": algorithm, "task": task, "run": run, "step": step, "score": score}
        return cls.from_table(table_of(frame), chosen=chosen)

    @classmethod
    def from_table(
        cls, table: Table, *, chosen: Mapping[str, str | None], provenance: Provenance | None = None, sign: float = 1.0
    ) -> Curves:
        """Return the curves of checked columns; what `from_frame` and the file readers share."""
        data = tidy(table, chosen=chosen, with_step=True)
        assert data.step is not None  # tidy was asked for it
        names = {role: label_order(role, found) for role, found in data.labels.items()}
        codes = {role: label_codes(data.labels[role], names[role]) for role in names}
        key = (codes["algorithm"] * len(names["task"]) + codes["task"]) * len(names["run"]) + codes["run"]
        order = np.lexsort((data.step, key))
        key, steps = key[order], data.step[order]
        new_curve = np.concatenate([[True], key[1:] != key[:-1]])
        _refuse_repeats(table, order, new_curve, steps, data.labels)
        starts = np.flatnonzero(new_curve)
        cells, runs = np.divmod(key[starts], len(names["run"]))
        n_cells = len(names["algorithm"]) * len(names["task"])
        origin = replace(provenance or Provenance(), columns=tuple(data.mapping.items())).noting(*data.notes)
        return cls(
            algorithms=tuple(names["algorithm"]),
            tasks=tuple(names["task"]),
            steps=read_only(steps),
            values=read_only(sign * data.score[order]),
            run_offsets=read_only(np.append(starts, order.size).astype(np.int64)),
            cell_offsets=read_only(np.searchsorted(cells, np.arange(n_cells + 1)).astype(np.int64)),
            runs=tuple(names["run"][code] for code in runs),
            provenance=origin,
            **{name: read_only(values[order]) for name, values in extras(table).items()},
        )

    @property
    def n_runs(self) -> Ints:
        """Runs per cell, int64 array (n_algorithms, n_tasks); 0 where a cell is missing."""
        counts: Ints = np.diff(self.cell_offsets).reshape(len(self.algorithms), len(self.tasks))
        return counts

    def curve(self, index: int) -> tuple[Floats, Floats]:
        """Return the steps and scores of one curve, both float64 (n_steps,)."""
        at = slice(int(self.run_offsets[index]), int(self.run_offsets[index + 1]))
        return self.steps[at], self.values[at]

    def final(self, last: int = 1) -> Scores:
        """Return each run's end score: the mean of its last `last` evaluations.

        Raises
        ------
        DesignError
            A run has fewer than `last` evaluations.

        Warns
        -----
        RunoffWarning
            Runs of one task end at different steps.
        """
        check_count("last", last)
        short = np.flatnonzero(np.diff(self.run_offsets) < last)
        if short.size:
            raise DesignError(f"{self._named(int(short[0]))} has fewer than {last} evaluation(s).")
        what = "the last evaluation" if last == 1 else f"the mean of the last {last} evaluations"
        notes = [f"the score of a run is {what} of its learning curve", *self._unequal_ends()]
        return self._scores(lambda _, values: float(values[-last:].mean()), notes)

    def at(self, step: float) -> Scores:
        """Return each run's score at `step`, linearly interpolated between its evaluations.

        Raises
        ------
        DesignError
            A run was not evaluated on both sides of `step`: nothing is extrapolated.
        """
        first, last = self.steps[self.run_offsets[:-1]], self.steps[self.run_offsets[1:] - 1]
        outside = np.flatnonzero((step < first) | (step > last))
        if outside.size:
            i = int(outside[0])
            raise DesignError(f"{self._named(i)} was evaluated from step {first[i]:g} to {last[i]:g}, not at {step:g}.")
        note = f"the score of a run is its learning curve at step {step:g}, interpolated linearly"
        return self._scores(lambda steps, values: float(np.interp(step, steps, values)), [note])

    def auc(self) -> Scores:
        """Return each run's area under the curve, divided by its span of steps: the mean height, in units of score.

        The trapezoidal rule, as in SciPy. Dividing by the span keeps reference scores applicable.

        Raises
        ------
        DesignError
            A run has a single evaluation.
        """
        single = np.flatnonzero(np.diff(self.run_offsets) < 2)
        if single.size:
            raise DesignError(f"{self._named(int(single[0]))} has one evaluation; an area needs two.")
        note = "the score of a run is the area under its learning curve divided by its span of steps"
        return self._scores(lambda s, v: float(np.trapezoid(v, s) / (s[-1] - s[0])), [note, *self._unequal_ends()])

    def to_frame(self) -> pl.DataFrame:
        """Return a polars DataFrame with the columns algorithm, task, run, step, score, and time and episodes where they are known."""
        import polars as pl

        points = np.diff(self.run_offsets)
        cells = np.repeat(np.arange(self.cell_offsets.size - 1), np.diff(self.cell_offsets))
        algorithm, task = np.divmod(np.repeat(cells, points), len(self.tasks))
        return pl.DataFrame(
            {
                "algorithm": [self.algorithms[a] for a in algorithm],
                "task": [self.tasks[t] for t in task],
                "run": [run for run, n in zip(self.runs, points, strict=True) for _ in range(n)],
                "step": self.steps,
                "score": self.values,
                **{
                    name: values
                    for name, values in (("time", self.time), ("episodes", self.episodes))
                    if values is not None
                },
            }
        )

    def __repr__(self) -> str:
        return f"Curves({len(self.algorithms)} algorithms × {len(self.tasks)} tasks, {len(self.runs)} curves)"

    def _scores(self, reduce: Callable[[Floats, Floats], float], notes: list[str]) -> Scores:
        grid: Grid = {}
        for cell, (start, stop) in enumerate(zip(self.cell_offsets[:-1], self.cell_offsets[1:], strict=True)):
            chosen = range(int(start), int(stop))
            if chosen:
                values = np.array([reduce(*self.curve(i)) for i in chosen])
                grid[divmod(cell, len(self.tasks))] = [self.runs[i] for i in chosen], values
        return Scores.from_grid(self.algorithms, self.tasks, grid, self.provenance.noting(*notes))

    def _unequal_ends(self) -> list[str]:
        ends = self.steps[self.run_offsets[1:] - 1]
        tasks = np.repeat(np.arange(self.cell_offsets.size - 1), np.diff(self.cell_offsets)) % len(self.tasks)
        notes = []
        for t, task in enumerate(self.tasks):
            low, high = ends[tasks == t].min(), ends[tasks == t].max()
            if low < high:
                notes.append(
                    f"on task {task!r} runs end between step {low:g} and {high:g}: end scores come after unequal amounts of training"
                )
        for note in notes[:1]:
            warnings.warn(note + (f" ({len(notes)} such tasks)" if len(notes) > 1 else ""), RunoffWarning, stacklevel=3)
        return notes

    def _named(self, index: int) -> str:
        cell = int(np.searchsorted(self.cell_offsets, index, side="right")) - 1
        a, t = divmod(cell, len(self.tasks))
        return f"algorithm {self.algorithms[a]!r}, task {self.tasks[t]!r}, run {self.runs[index]!r}"


def _refuse_repeats(
    table: Table, order: Ints, new_curve: Bools, steps: Floats, labels: Mapping[str, Sequence[str]]
) -> None:
    repeats = np.flatnonzero(~new_curve[1:] & (steps[1:] == steps[:-1]))
    if repeats.size:
        first, second = int(order[repeats[0]]), int(order[repeats[0] + 1])
        raise DataError(
            f"{table.place}: algorithm {labels['algorithm'][first]!r}, task {labels['task'][first]!r}, run {labels['run'][first]!r}, "
            f"step {steps[repeats[0]]:g} appears twice, in {table.row(first)} and {table.row(second)}; average the episodes first."
        )
