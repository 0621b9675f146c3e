"""The answer to "what runs are there?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.results.base import Records


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanRecord:
    """A run that was found.

    Attributes
    ----------
    path : str
        The folder or file, and which run of several in it.
    algorithm, task, run : str
        Its names, as they would be read.
    named_by : str
        Where they are from, in this order: "pattern", "tool", "configuration", "folders" or "one name" (given for want of any).
    metric : str or None
        The series that would be its score; None if it has none that is recognised.
    points : int
        The points of that series, before anything is left out.
    steps : float or None
        The last step of that series.
    metrics : tuple of str
        All series, those that may be scores first.
    """

    path: str
    tool: str
    algorithm: str
    task: str
    run: str
    named_by: str
    metric: str | None
    points: int
    steps: float | None
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult(Records):
    """The runs of a tree of logs.

    Attributes
    ----------
    notes : tuple of str
        What was chosen, and what happened while reading, one sentence each.
    not_understood : str
        One line on the files that no tool knows; empty if there are none.
    """

    records: tuple[ScanRecord, ...]
    path: str
    notes: tuple[str, ...]
    not_understood: str

    def __str__(self) -> str:
        tools = ", ".join(dict.fromkeys(record.tool for record in self.records))
        counts = [len({getattr(record, role) for record in self.records}) for role in ("algorithm", "task")]
        words = (
            f"{len(self.records)} run(s) of {counts[0]} algorithm(s) on {counts[1]} task(s), written by {tools}"
            if self.records
            else "no runs"
        )
        return f"{self.path}: {words}{'; ' + self.not_understood if self.not_understood else ''}."
