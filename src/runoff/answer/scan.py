"""The answer to "what runs are there?"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runoff.answer.rows import Records
from runoff.cells import Column, Name, Table
from runoff.words.numbers import counted, span

SHOWN = 10
"""The number of runs on a task whose names are listed."""
IN_BRACKETS = "In brackets stands the likeliest series of runs that do not have the series of the score."


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanRow:
    """A run that was found in a tree of logs.

    Attributes
    ----------
    path : str
        The folder or file and, if it contains several runs, which of them.
    algorithm, task, run : str
        The names under which the run would be read.
    config : str
        Its configuration, if its algorithm has several: the settings in which they differ; otherwise "".
    named_by : str
        The source of the names, by priority: "pattern", "tool", "configuration", "folders" or "one name" (a default, if there is no other).
    series : str or None
        The series that would be its score; None if no series is recognised.
    points : int
        The number of points in that series, before any are left out.
    steps : float or None
        The last step of that series.
    all_series : tuple of str
        All series, possible scores first.
    """

    path: str
    tool: str
    algorithm: str
    task: str
    run: str
    config: str
    named_by: str
    series: str | None
    points: int
    steps: float | None
    all_series: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult(Records[ScanRow]):
    """The runs in a tree of logs.

    Attributes
    ----------
    notes : tuple of str
        One sentence for each choice and each event while reading.
    not_understood : str
        One line on the files that no reader recognises; empty if there are none.
    """

    rows: tuple[ScanRow, ...]
    path: str
    notes: tuple[str, ...]
    not_understood: str

    @property
    def sentence(self) -> str:
        """A sentence on the number of runs and the tools that wrote them."""
        tools = ", ".join(dict.fromkeys(record.tool for record in self.rows))
        counts = [len({getattr(record, role) for record in self.rows}) for role in ("algorithm", "task")]
        words = (
            f"{counted([len(self.rows)], 'run')} of {counted([counts[0]], 'algorithm')} on {counted([counts[1]], 'task')}, written by {tools}"
            if self.rows
            else "no runs"
        )
        return f"{self.path}: {words}{'; ' + self.not_understood if self.not_understood else ''}."

    def tables(self) -> tuple[Table, ...]:
        """Return a row for the runs of each algorithm, task and tool."""
        # One tool a row: two tools that logged the same runs are seen beside each other, and may have other series.
        cells: dict[tuple[str, str, str], list[ScanRow]] = {}
        for record in self.rows:
            cells.setdefault((record.algorithm, record.task, record.tool), []).append(record)
        steps = [[int(record.steps) for record in records if record.steps is not None] for records in cells.values()]
        return (
            Table(
                role="runs",
                title="Runs",
                caption=IN_BRACKETS if any(record.series is None for record in self.rows) else "",
                columns=(
                    Column(key="algorithm", head="Algorithm", cells=[Name(algorithm) for algorithm, _, _ in cells]),
                    Column(key="task", head="Task", cells=[Name(task, "task") for _, task, _ in cells]),
                    *_configs(list(cells.values())),
                    Column(key="runs", head="Runs", cells=[len(records) for records in cells.values()]),
                    Column(key="named", head="Named", cells=list(map(_named, cells.values()))),
                    Column(
                        key="steps", head="Last step", cells=[span(own) if own else None for own in steps], numeric=True
                    ),
                    Column(key="score", head="Score", cells=list(map(_series, cells.values()))),
                    Column(key="tool", head="Tool", cells=[tool for _, _, tool in cells]),
                ),
            ),
        )


def _configs(cells: Sequence[Sequence[ScanRow]]) -> list[Column]:
    """Return the column with the number of configurations, if some algorithm has several."""
    counts = [len({record.config for record in records}) for records in cells]
    swept = any(record.config for records in cells for record in records)
    return [Column(key="configs", head="Configurations", cells=counts)] if swept else []


def _named(records: Sequence[ScanRow]) -> str:
    names = dict.fromkeys(record.run for record in records)
    return ", ".join([*names][:SHOWN]) + (" …" if len(names) > SHOWN else "")


def _series(records: Sequence[ScanRow]) -> str:
    return ", ".join(dict.fromkeys(r.series or (f"({r.all_series[0]})" if r.all_series else "–") for r in records))


# ── tables ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewRow:
    """A score as it is read, with its algorithm, task, run and step (None for end scores)."""

    algorithm: str
    task: str
    run: str
    step: float | None
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAlgorithm:
    """One algorithm: the number of its tasks, the fewest and most runs of a task, and the lowest and highest score."""

    algorithm: str
    n_tasks: int
    n_runs: int
    fewest: int
    most: int
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewResult(Records[PreviewRow]):
    """A preview of tables: the first rows as they are read, the counts, and the options that give the same reading, to be edited.

    Attributes
    ----------
    columns : mapping of str to str
        Role -> the column that plays it; empty if headers, keys or paths name everything.
    options : str
        The command-line options for the same reading.
    notes : tuple of str
        One sentence for each choice while reading.
    """

    rows: tuple[PreviewRow, ...]
    path: str
    format: str
    columns: Mapping[str, str]
    algorithms: tuple[ReadAlgorithm, ...]
    tasks: tuple[str, ...]
    n_runs: int
    notes: tuple[str, ...]
    options: str

    @property
    def sentence(self) -> str:
        """A sentence on the number of runs, algorithms and tasks."""
        steps = " with learning curves" if any(row.step is not None for row in self.rows) else ""
        return (
            f"{self.path}: {counted([self.n_runs], 'run')} of {counted([len(self.algorithms)], 'algorithm')} on "
            f"{counted([len(self.tasks)], 'task')}{steps}, as {self.format}."
        )

    def tables(self) -> tuple[Table, ...]:
        """Return a table of the first rows, and one with a row for each algorithm."""
        rows, own = self.rows, self.algorithms
        steps = [row.step for row in rows]
        at = [Column(key="step", head="Step", cells=[*map(_number, steps)], numeric=True)] if any(steps) else []
        first = (
            Column(key="algorithm", head="Algorithm", cells=[Name(row.algorithm) for row in rows]),
            Column(key="task", head="Task", cells=[Name(row.task, "task") for row in rows]),
            Column(key="run", head="Run", cells=[row.run for row in rows]),
            *at,
            Column(key="score", head="Score", cells=[_number(row.score) for row in rows], numeric=True),
        )
        counts = (
            Column(key="algorithm", head="Algorithm", cells=[Name(row.algorithm) for row in own]),
            Column(key="n_tasks", head="Tasks", cells=[row.n_tasks for row in own]),
            Column(key="n_runs", head="Runs", cells=[row.n_runs for row in own]),
            Column(
                key="per_task", head="Runs of a task", cells=[span([row.fewest, row.most]) for row in own], numeric=True
            ),
            Column(key="lowest", head="Lowest", cells=[_number(row.lowest) for row in own], numeric=True),
            Column(key="highest", head="Highest", cells=[_number(row.highest) for row in own], numeric=True),
        )
        return (
            Table(role="preview", title="First rows, as they are read", caption="", columns=first),
            Table(role="read", title="What is read", caption="", columns=counts),
        )


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.10g}"
