"""The answer to "which settings matter?": the share of the variance of performance that each setting explains, on each task."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer.base import Advice
from runoff.answer.ends import WithInterval
from runoff.answer.rows import AlgorithmRows
from runoff.cells import Column, Estimate, Name, Table
from runoff.words.numbers import estimated, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportanceRow(WithInterval):
    """The share of the variance of an algorithm's expected performance on a task that a setting, or the interaction of two, explains.

    Attributes
    ----------
    algorithm, task : str
    settings : str
        `lr`, or `lr × width` for the interaction: the joint effect of the two beyond their own effects.
    estimate, low, high : float
        The share, with the noise of runs removed.
    """

    algorithm: str
    task: str
    settings: str
    estimate: float
    low: float | None
    high: float | None


def _shown(row: ImportanceRow) -> bool:
    return row.low is None or row.low > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportanceResult(AlgorithmRows[ImportanceRow]):
    """The shares of settings for each algorithm on each task.

    Attributes
    ----------
    rows : tuple of ImportanceRow
    tasks : tuple of str
    alpha, confidence_level : float
    """

    rows: tuple[ImportanceRow, ...]
    tasks: tuple[str, ...]
    alpha: float
    confidence_level: float
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def sentence(self) -> str:
        """A sentence on each algorithm's setting with the largest share that is shown to be above 0, on the task where it is largest, or on
        the lack of any such share."""
        largest = {
            name: max((row for row in self.rows if row.algorithm == name), key=lambda row: (_shown(row), row.estimate))
            for name in dict.fromkeys(row.algorithm for row in self.rows)
        }
        parts = (
            f"{row.settings} carries {estimated(row.estimate, row.low, row.high)} of the spread of {name} on {row.task}"
            if _shown(row)
            else f"no setting is shown to carry the spread of {name} ({row.settings} on {row.task}: "
            f"{estimated(row.estimate, row.low, row.high)})"
            for name, row in largest.items()
        )
        return f"{'; '.join(parts)}."

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each algorithm and setting, and a column for each task."""
        cells = {(r.algorithm, r.settings, r.task): Estimate(r.estimate, r.low, r.high) for r in self.rows}
        names = list(dict.fromkeys((row.algorithm, row.settings) for row in self.rows))
        columns = [
            Column(key="algorithm", head="Algorithm", cells=[Name(name) for name, _ in names]),
            Column(key="settings", head="Setting", cells=[settings for _, settings in names]),
        ]
        columns += [
            Column(key=f"task_{i}", head=task, cells=[cells.get((*name, task)) for name in names])
            for i, task in enumerate(self.tasks)
        ]
        caption = (
            "Share of the spread of expected performance over all settings that each setting carries by itself, and two beyond that (×), "
            f"with {percent(self.confidence_level)} intervals."
        )
        title = "Which settings matter"
        return (Table(role="importance", title=title, caption=caption, columns=tuple(columns)),)
