"""`Curves`: the scores of each run at increasing steps, and the ways to reduce a curve to one score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints, NestedCells, read_only
from runoff.base.ports import reading, references
from runoff.base.validate import check_choice, check_count, is_number
from runoff.data.base import RunData, refuse_extremes, scaled
from runoff.data.ends import TENTH, RunEnds, Treatment, lowest_of_task, mean_height, together, treat
from runoff.data.provenance import Caveat, Provenance, Sampling
from runoff.data.reference import ReferenceLike
from runoff.data.scores import Scores
from runoff.data.twins import twins
from runoff.data.windows import noisy, spans_of, unequal_windows
from runoff.errors import DataError, DesignError, OptionError
from runoff.tables.naming import Relabelled, merged_labels, natural
from runoff.words.names import AxisName, Incomplete, RunsName, UnitName, Unreferenced
from runoff.words.speech import choice, option
from runoff.words.words import names_training

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl


Placed = tuple[int, tuple[int, float, str], str, int]
"""A curve's new cell, the sort key of its label, its label and its number."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curves(RunData):
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
        The curves of cell (a, t), all runs of one algorithm on one task, are `cell_offsets[a * n_tasks + t]` to
        `cell_offsets[a * n_tasks + t + 1]`.
    run_labels : tuple of str
        The label of each curve.
    sampling : Sampling
        As in `Scores`, which inherit it.
    time, episodes : float64 arrays (n_points,), read-only, or None
        Seconds and episodes since the run began; NaN where the data do not record them.
    axis : str
        The unit of `steps`: "step", "time" (seconds) or "episodes"; `along` changes it.
    """

    algorithms: tuple[str, ...]
    tasks: tuple[str, ...]
    steps: Floats
    values: Floats
    run_offsets: Ints
    cell_offsets: Ints
    run_labels: tuple[str, ...]
    provenance: Provenance = field(default_factory=Provenance)
    sampling: Sampling = field(default_factory=Sampling)
    _end: ClassVar[str] = "last score"
    time: Floats | None = None
    episodes: Floats | None = None
    axis: AxisName = "step"

    def __post_init__(self) -> None:
        refuse_extremes(self.values, self.run_offsets[self.cell_offsets], self.tasks)

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
        runs: RunsName = "per_task",
        unit: UnitName = "run",
    ) -> Curves:
        """Return the curves in a tidy table with one row per evaluation; `runs` and `unit` are as in `Scores.from_frame`.

        Raises
        ------
        DataError
            A missing or ambiguous column, text, NaN, infinity, or the same (algorithm, task, run, step) twice.
        """
        chosen = {"algorithm": algorithm, "task": task, "run": run, "step": step, "score": score}
        curves: Curves = reading().tidy_curves(frame, chosen, Sampling(runs=runs, unit=unit))
        return curves

    @property
    def n_runs(self) -> Ints:
        """The number of runs of each algorithm on each task, int64 array (n_algorithms, n_tasks); 0 where there are none."""
        return np.asarray(np.diff(self.cell_offsets)).reshape(len(self.algorithms), len(self.tasks))

    def curve(self, index: int) -> tuple[Floats, Floats]:
        """Return the steps and scores of one curve, both float64 (n_steps,)."""
        at = slice(int(self.run_offsets[index]), int(self.run_offsets[index + 1]))
        return self.steps[at], self.values[at]

    @property
    def of_training(self) -> bool:
        """Whether the name of the column or series says that scores are returns of training episodes, not of evaluations."""
        return names_training(dict(self.provenance.columns).get("score", ""))

    def window(self, last: int | str | None = None) -> int | float:
        """Return what `last` in `final` means: a number of evaluations, or the last percent of training as a float."""
        return check_last((TENTH if self.of_training else 1) if last is None else last)

    def final(self, last: int | str | None = None, *, incomplete: Incomplete = "auto") -> Scores:
        """Return each run's end score: the mean of its last evaluations.

        Parameters
        ----------
        last : int or str, optional
            The number of last evaluations, or the last part of training, such as "10%" (0.1 is read so). None means the last evaluation; for
            returns of training episodes (`of_training`) it means "10%", because a single episode is mostly noise.
        incomplete : "auto", "error", "drop", "carry" or "worst"
            How to treat single runs that lack more than 1 % of the training of the longest run of their task. "carry" ("carry_forward")
            takes their own last scores; "drop" ("complete") leaves them out; "worst" gives them the lowest score of their task, their own
            last scores included; "error" refuses them. "auto" carries them with a warning, and refuses them if one lacks half of its
            training. The notes and every answer say which was done (advice R019).

            If all runs of an algorithm on a task lack that much, training is unequal and no policy carries them: all algorithms are then
            read on this task at the last common step, the last one that half of the runs of each such algorithm reached, interpolated
            linearly between evaluations, and every answer begins by saying so (R019); "error" refuses. If they have less than half of the
            training in common, or some run was not evaluated by then, each algorithm is read at its own end and no verdict is given (R032).

        Raises
        ------
        DesignError
            A run has fewer than `last` evaluations, or ended too early for the policy.

        Warns
        -----
        RunoffWarning
            With "auto": training is unequal, or runs ended early and are carried forward.

        Examples
        --------
        >>> import runoff as ro
        >>> table = {"algorithm": ["A"] * 5, "run": [0, 0, 0, 1, 1], "step": [1, 2, 3, 1, 2], "score": [1.0, 3.0, 5.0, 2.0, 4.0]}
        >>> curves = ro.Curves.from_frame(table)
        >>> curves.final(last=2, incomplete="drop").cell("A", "task")
        array([4.])
        >>> curves.final(incomplete="carry").provenance.notes[-1]
        "1 of 2 runs ended early, and its last score stands for the end: algorithm 'A', task 'task', run '1' at step 2 of 3 (67%)"
        """
        window = self.window(last)
        ends = self.ends()
        treated = treat(ends, incomplete)
        noun = "training return" if self.of_training else "evaluation"
        # Where an algorithm was trained for longer than another, its scores are those at their common step.
        whole = (
            "its learning curve, up to the common step" if np.isfinite(treated.until).any() else "its learning curve"
        )
        # A share of training, whatever the evaluations: runs that were evaluated more often, or later at first, are
        # averaged over as much training.
        if isinstance(window, float):
            what, share, begun = f"the mean {noun} of the last {window:.10g}% of {whole}", window / 100, ends.begun
            return self._scores(lambda i, s, v: float(v[s >= s[-1] - share * (s[-1] - begun[i])].mean()), what, treated)
        for i in np.flatnonzero(treated.kept).tolist():
            if treated.part(i, *self.curve(i))[0].size < window:
                raise DesignError(f"{self.named(i)} has fewer than {window} {noun}(s).")
        part = f"the last {noun}" if window == 1 else f"the mean of the last {window} {noun}s"
        # Who said how many evaluations count has decided it; the doubt is about the default alone.
        end = self._scores(lambda *curve: float(curve[-1][-window:].mean()), f"{part} of {whole}", treated)
        every = [self.curve(i) for i in range(len(self.run_labels))]
        noise = noisy([values for _, values in every], ends.cells) if last is None else ()
        windows = [steps[-window:] for steps, _ in every]
        origin = end.provenance.warning_of(*noise, *unequal_windows(ends, windows))
        return replace(end, provenance=replace(origin, windows=spans_of(ends, windows)))

    def at(self, step: float, *, incomplete: Incomplete = "error") -> Scores:
        """Return each run's score at `step`, linearly interpolated between its evaluations.

        Parameters
        ----------
        step : float
        incomplete : "error", "drop", "carry" or "worst"
            How to treat single runs that ended before `step`: refuse them, leave them out, carry their last score forward, or give them the
            lowest score of their task. "auto" refuses them too.

        Raises
        ------
        OptionError
            The step is not a finite number.
        DesignError
            A run was first evaluated after `step`, or ended before it and the policy is "error", or all runs of an algorithm on a task ended
            more than 1 % before it.
        """
        if not is_number(step):
            raise OptionError(f"the step at which curves are read must be a finite number, not {step!r}.")
        ends = self.ends(due=float(step))
        for i in np.flatnonzero(step < ends.first).tolist():
            raise DesignError(
                f"{self.named(i)} was evaluated from step {ends.first[i]:.10g} to {ends.last[i]:.10g}, not at {step:.10g}."
            )
        treated = treat(ends, incomplete)
        what = f"its learning curve at {self.axis} {step:.10g}, interpolated linearly"
        return self._scores(lambda _, steps, values: float(np.interp(step, steps, values)), what, treated)

    def auc(self, *, incomplete: Incomplete = "auto") -> Scores:
        """Return each run's area under the curve divided by its span of steps: the mean score along training, in units of the score.

        The area is by the trapezoidal rule, as in SciPy. Dividing by the span keeps reference scores applicable. Areas begin where all runs of
        the task were evaluated. `incomplete` is as in `final`: the last score of a run that is carried stands for what it lacks.

        Raises
        ------
        DesignError
            A run has a single evaluation there, or ended too early for the policy.
        """
        ends = self.ends()
        treated = together(ends, own := treat(ends, incomplete))
        for i in np.flatnonzero(treated.kept).tolist():
            if treated.part(i, *self.curve(i))[0].size < 2:
                raise DesignError(
                    f"{self.named(i)} has one evaluation where all runs were evaluated; an area needs two."
                )
        where = " from the first common step," if treated.notes != own.notes else ""
        what = f"the area under its learning curve{where} divided by its span of steps"
        end = treated.carried_to(ends)
        return self._scores(lambda i, s, v: mean_height(s, v, end[i]), what, treated)

    def best_so_far(self) -> Curves:
        """Return the best score of each run up to each step; this is biased upwards, and every answer warns of it (advice R401).

        `best_so_far().final()` is the best evaluation of each run. The best of many noisy evaluations is higher than what the policy would
        score again, and more so with more evaluations (Agarwal et al. 2021, figure 5).
        """
        best = np.concatenate([np.maximum.accumulate(self.curve(i)[1]) for i in range(len(self.run_labels))])
        last = choice("curves.final(last=k)", option("last", "K"))
        text = (
            f"report the last evaluations, {last}: scores are the best of each run so far, and the best of many noisy evaluations is above what "
            "the policy reaches again; algorithms that were evaluated more often, or vary more, gain most."
        )
        treatment = "each evaluation counts as the best of its run so far"
        best_of_run = Caveat(code="R401", severity="warning", text=text, treatment=treatment)
        origin = self.provenance.noting("each score is the best of its run so far").warning_of(best_of_run)
        return replace(self, values=read_only(best), provenance=origin)

    def up_to(self, step: float) -> Curves:
        """Return the evaluations up to a step.

        Raises
        ------
        DesignError
            A run has no evaluation up to that step.
        """
        # Counted by run, for `reduceat` sums between the beginnings of runs, of which none is empty.
        kept = self.steps <= step
        counts = np.add.reduceat(kept.astype(np.int64), self.run_offsets[:-1])
        for i in np.flatnonzero(counts == 0)[:1]:
            raise DesignError(f"{self.named(int(i))} was first evaluated after {self.axis} {step:.10g}.")
        left = f"evaluations after {self.axis} {step:.10g} are left out"
        return replace(
            self,
            steps=read_only(self.steps[kept]),
            values=read_only(self.values[kept]),
            run_offsets=read_only(np.concatenate([[0], np.cumsum(counts)])),
            provenance=self.provenance.noting(left).treating(left),
            time=_at(self.time, kept),
            episodes=_at(self.episodes, kept),
        )

    def along(self, axis: AxisName) -> Curves:
        """Return the curves against "time" (seconds) or "episodes" in place of steps.

        Raises
        ------
        DataError
            The data do not record this axis, or it does not increase within a run.
        """
        if axis == self.axis:
            return self
        positions = {"time": self.time, "episodes": self.episodes}[check_choice("axis", axis, ("time", "episodes"))]
        # A clock that stood still or was set back is no axis: an interpolation needs steps that increase.
        if positions is None or np.isnan(positions).any():
            message = f"the data do not tell {axis!r} of every evaluation; name its column as the step: columns={{'step': …}}."
            raise DataError(message)
        for i in range(len(self.run_labels)):
            part = positions[self.run_offsets[i] : self.run_offsets[i + 1]]
            if np.any(np.diff(part) <= 0):
                raise DataError(f"{axis!r} does not increase from evaluation to evaluation in {self.named(i)}.")
        return replace(self, steps=positions, axis=axis, provenance=self.provenance.noting(f"steps are {axis}"))

    def normalize(
        self,
        reference: ReferenceLike,
        *,
        assume_raw: bool = False,
        unreferenced: Unreferenced = "error",
    ) -> Curves:
        """Return the curves normalised to (score − low) / (high − low) task by task; arguments as in `Scores.normalize`, whose checks look
        at the last scores."""
        # The last scores stand for a run here: whether data are raw shows there, and early ones are near 0 in any
        # unit.
        end = self.final(1, incomplete="carry").normalize(reference, assume_raw=assume_raw, unreferenced=unreferenced)
        kept = self.select(tasks=end.tasks)
        scale = references().load_reference(reference).facing(kept.tasks, negated=kept.provenance.of_costs)
        pairs = np.array([scale.pair(task) for task in kept.tasks])
        of_each = np.repeat(pairs[kept.cells() % len(kept.tasks)], np.diff(kept.run_offsets), axis=0)
        origin = replace(kept.provenance, reference=str(scale)).noting(*scale.notes(kept.tasks))
        return replace(kept, values=scaled(kept.values, of_each), provenance=origin)

    def to_polars(self) -> pl.DataFrame:
        """Return a polars DataFrame with the columns algorithm, task, run, step, score, and time and episodes where they are known."""
        import polars as pl

        points = np.diff(self.run_offsets)
        algorithm, task = np.divmod(np.repeat(self.cells(), points), len(self.tasks))
        runs, configs = (
            [run for run, n in zip(self.run_labels, points, strict=True) for _ in range(n)],
            self.sampling.configs,
        )
        return pl.DataFrame(
            {
                "algorithm": [self.algorithms[a] for a in algorithm],
                "task": [self.tasks[t] for t in task],
                "run": runs,
                **({"config": list(map(dict(configs).get, runs))} if configs else {}),
                "step": self.steps,
                "score": self.values,
                **({} if self.time is None else {"time": self.time}),
                **({} if self.episodes is None else {"episodes": self.episodes}),
            }
        )

    def _ends(self) -> list[list[Floats]]:
        ends = [self.curve(i)[1][-1] for i in range(len(self.run_labels))]
        last = np.split(np.array(ends), self.cell_offsets[1:-1])
        return [last[a * len(self.tasks) : (a + 1) * len(self.tasks)] for a in range(len(self.algorithms))]

    def __repr__(self) -> str:
        return f"Curves({len(self.algorithms)} algorithms × {len(self.tasks)} tasks, {len(self.run_labels)} curves)"

    def _scores(self, reduce: Callable[[int, Floats, Floats], float], what: str, treated: Treatment) -> Scores:
        every = range(len(self.run_labels))
        # +inf, so that a run that is left out is never the lowest of its task.
        values = np.array([reduce(i, *treated.part(i, *self.curve(i))) if treated.kept[i] else np.inf for i in every])
        values = lowest_of_task(values[:, None], treated.lowest, self.cells() % len(self.tasks))[:, 0]
        grid: NestedCells = {}
        for cell, (start, stop) in enumerate(zip(self.cell_offsets[:-1], self.cell_offsets[1:], strict=True)):
            chosen = [i for i in range(int(start), int(stop)) if treated.kept[i]]
            if chosen:
                grid[divmod(cell, len(self.tasks))] = [self.run_labels[i] for i in chosen], values[chosen]
        # Logs of one score each, without steps (an evaluation of a model), are no curves: nothing is said of their ends.
        ends = bool(self.steps.any())
        origin = self.provenance.scored(what) if ends else replace(self.provenance, steps=())
        origin = origin.noting(*treated.notes).warning_of(*treated.caveats, *self.twins())
        trained = self._trained(treated) if self.axis == "step" and ends else ()
        origin = replace(origin, trained=trained, incomplete=treated.policy)
        return Scores.from_grid(self.algorithms, self.tasks, grid, origin, self.sampling)

    def _trained(self, treated: Treatment) -> tuple[tuple[str, float], ...]:
        """Return for each task the last step that half of its runs reached, among the steps at which its scores count."""
        tasks, last = self.cells() % len(self.tasks), self.steps[self.run_offsets[1:] - 1]
        reached = np.minimum(last, treated.due)
        halves = {t: np.sort(reached[tasks == t])[::-1] for t in np.unique(tasks).tolist()}
        return tuple((self.tasks[t], float(ends[(ends.size - 1) // 2])) for t, ends in halves.items())

    def cells(self) -> Ints:
        """Return the number of each curve's cell (algorithm · n_tasks + task), int64 (n_curves,)."""
        return np.repeat(np.arange(self.cell_offsets.size - 1), np.diff(self.cell_offsets))

    def twins(self) -> tuple[Caveat, ...]:
        """Return the caveat that two runs are copies of one (R023)."""
        every = [self.curve(i) for i in range(len(self.run_labels))]
        return twins(every, self.cells(), len(self.tasks), self.named, self.algorithms)

    def ends(self, due: float | None = None, *, along: bool = False) -> RunEnds:
        """Return where the runs begin and end; `due`, the step that runs should reach, defaults to the end of the longest run of the task.

        along: whether the caller wants curves rather than scores.
        """
        cells = self.cells()
        tasks = cells % len(self.tasks)
        # Where steps below 0 are there, training begins at the least of them.
        first, last = self.steps[self.run_offsets[:-1]], self.steps[self.run_offsets[1:] - 1]
        before = self.steps[np.maximum(self.run_offsets[1:] - 2, self.run_offsets[:-1])]
        # Training starts at step 0, whenever it was first evaluated.
        start, longest = np.zeros(len(self.tasks)), np.full(len(self.tasks), -np.inf)
        np.minimum.at(start, tasks, first)
        np.maximum.at(longest, tasks, last)
        return RunEnds(
            first=first,
            last=last,
            interval=last - before,
            start=start[tasks],
            due=longest[tasks] if due is None else np.full(first.size, due),
            cells=cells,
            tasks=tasks,
            named=self.named,
            names=lambda i: (self.algorithms[int(cells[i]) // len(self.tasks)], self.tasks[int(tasks[i])]),
            at_step=due is not None,
            along=along,
        )

    def _relabelled(self, algorithms: Relabelled, tasks: Relabelled) -> Curves:
        """Return the curves under new names, leaving out those without a new name; curves of one cell are sorted by run."""
        merged = algorithms.merged | tasks.merged
        places: list[Placed] = []
        starts = self.cell_offsets.tolist()
        for cell, old in enumerate(product(range(len(self.algorithms)), range(len(self.tasks)))):
            a, t = algorithms.places[old[0]], tasks.places[old[1]]
            if a is None or t is None:
                continue
            for i in range(starts[cell], starts[cell + 1]):
                (label,) = merged_labels([self.run_labels[i]], self.algorithms[old[0]], self.tasks[old[1]], merged)
                places.append((a * len(tasks.names) + t, natural(label), label, i))
        return self._placed(
            places,
            algorithms.names,
            tasks.names,
            self.provenance.relabelled(self.algorithms, algorithms, self.tasks, tasks),
        )

    def by_algorithm(self, of_runs: Sequence[str]) -> Curves:
        """Return the curves with a new algorithm name for each, sorted alphabetically."""
        algorithms = sorted({*of_runs})
        n_tasks, tasks = len(self.tasks), self.cells() % len(self.tasks)
        owners = [algorithms.index(name) for name in of_runs]
        places = [
            (a * n_tasks + t, natural(run), run, i)
            for i, (a, t, run) in enumerate(zip(owners, tasks.tolist(), self.run_labels, strict=True))
        ]
        return self._placed(places, algorithms, self.tasks, self.provenance)

    def _placed(
        self, places: list[Placed], algorithms: Sequence[str], tasks: Sequence[str], origin: Provenance
    ) -> Curves:
        """Return the curves moved to the given cells; curves of one cell are sorted by the given labels."""
        # Merged cells take runs of several old ones: sorted anew, so that the order of the names that were merged
        # does not matter.
        places.sort()
        cells, curves = [cell for cell, *_ in places], [i for *_, i in places]
        lengths = np.diff(self.run_offsets)[curves]
        spans = [np.arange(self.run_offsets[i], self.run_offsets[i + 1]) for i in curves]
        points = np.concatenate(spans)
        edges = np.arange(len(algorithms) * len(tasks) + 1)
        return replace(
            self,
            algorithms=tuple(algorithms),
            tasks=tuple(tasks),
            steps=read_only(self.steps[points]),
            values=read_only(self.values[points]),
            run_offsets=read_only(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)),
            cell_offsets=read_only(np.searchsorted(cells, edges).astype(np.int64)),
            run_labels=tuple(label for *_, label, _ in places),
            time=_at(self.time, points),
            episodes=_at(self.episodes, points),
            provenance=origin,
        )

    def named(self, index: int) -> str:
        cell = int(np.searchsorted(self.cell_offsets, index, side="right")) - 1
        a, t = divmod(cell, len(self.tasks))
        return f"algorithm {self.algorithms[a]!r}, task {self.tasks[t]!r}, run {self.run_labels[index]!r}"


def check_last(last: int | str) -> int | float:
    """Return a number of evaluations as an integer, or a share of training such as "10%" as a float in percent."""
    if isinstance(last, str) and re.fullmatch(r"\d+", last.strip()):
        last = int(last)
    # A number below 1 counts no evaluations, and can only be a share.
    if isinstance(last, float) and 0 < last < 1:
        return 100 * last
    if isinstance(last, str):
        share = re.fullmatch(r"(\d+\.?\d*|\.\d+) ?%", last.strip())
        if share is None or not 0 < float(share[1]) <= 100:
            name = option("last").rstrip("=")
            raise OptionError(
                f"{name} is a number of evaluations or a share of training such as '{TENTH}', not {last!r}."
            )
        return float(share[1])
    return check_count("last", last)


def _at(values: Floats | None, points: Ints | Bools) -> Floats | None:
    return None if values is None else read_only(values[points])
