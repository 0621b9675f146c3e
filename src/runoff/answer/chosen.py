"""The answer to "who is better with the settings that were chosen?": one setting for all tasks, or fresh runs of the setting chosen on each
task."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer.base import Advice, seen_from_b
from runoff.answer.ends import WithInterval
from runoff.answer.pair import PairVerdict
from runoff.answer.rows import AlgorithmRows
from runoff.cells import Column, Estimate, Name, Table
from runoff.words.names import best_of
from runoff.words.numbers import all_of, counted, digits, estimated, joined, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenRow(WithInterval):
    """One algorithm with the settings chosen for it.

    Attributes
    ----------
    algorithm : str
    config : str
        The setting for all tasks with the best mean of all runs; "" if each task has its own.
    n_configs : int
        The number of settings from which it was chosen.
    estimate, low, high : float or None
        The expected score of the setting that this many runs choose, on runs that did not choose it; `low` and `high` are None without an
        interval.
    """

    algorithm: str
    config: str
    n_configs: int
    estimate: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPair(WithInterval):
    """Two algorithms with their chosen settings: a − b, its corrected interval (at the level of the family of pairs), and who is better."""

    a: str
    b: str
    difference: float
    low: float | None
    high: float | None
    verdict: PairVerdict

    def turned(self) -> ChosenPair:
        """Return the same pair as b − a."""
        return seen_from_b(self, {"difference": 0.0})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenResult(AlgorithmRows[ChosenRow]):
    """Algorithms compared with their chosen settings.

    Attributes
    ----------
    rows : tuple of ChosenRow
    pairs : tuple of ChosenPair
    tasks : tuple of str
    fresh : bool
        Whether the settings are evaluated on runs trained after the choice; otherwise each run evaluates what the other runs choose
        (cross-fitting).
    alpha, confidence_level, pair_level : float
        The level of the verdicts over all pairs, of each row's interval on its own, and of the intervals of pairs.
    """

    rows: tuple[ChosenRow, ...]
    pairs: tuple[ChosenPair, ...]
    tasks: tuple[str, ...]
    fresh: bool
    alpha: float
    confidence_level: float
    pair_level: float
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    def _of_two(self, a: object, b: object) -> ChosenPair | None:
        """Return the row of a and b, a − b."""
        rows = (row if row.a == a else row.turned() for row in self.pairs if {row.a, row.b} == {a, b})
        return next(rows, None)

    @property
    def how(self) -> str:
        """The choice and the evaluation of settings, in words."""
        per_task = all(not row.config for row in self.rows)
        chosen = "the setting chosen on each task" if per_task else f"one setting for {all_of(len(self.tasks), 'task')}"
        return f"with {chosen}, judged by {'fresh runs' if self.fresh else 'runs that did not choose it'}"

    @property
    def sentence(self) -> str:
        """A sentence on the best algorithm with its setting, the algorithms that it beats, and those from which no difference was found."""
        first = max(self.rows, key=lambda row: row.estimate)
        size = estimated(first.estimate, first.low, first.high)
        setting = f" ({first.config})" if first.config else ""
        if len(self.rows) == 1:
            return f"{first.algorithm}{setting} reaches {size} {self.how}."
        pairs = {row.algorithm: self._of_two(first.algorithm, row.algorithm) for row in self.rows if row is not first}
        leads = {b: pair for b, pair in pairs.items() if pair is not None}
        beaten = [f"{b} by {_size(pair)}" for b, pair in leads.items() if pair.verdict == "a_better"]
        level = [f"{b} ({_size(pair)})" for b, pair in leads.items() if pair.verdict != "a_better"]
        if not level:
            return f"{first.algorithm}{setting} beats {joined(beaten)}, {self.how}."
        lead = f"{first.algorithm}{setting} has the {best_of('mean', len(self.rows))} mean, {digits(first.estimate)}, {self.how}"
        wins = f"; it beats {joined(beaten)}" if beaten else ""
        return f"{lead}{wins}; no difference was found from {joined(level)}."

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each algorithm: its setting and its score."""
        rows = sorted(self.rows, key=lambda row: -row.estimate)
        level = f"with {percent(self.confidence_level)} intervals over runs, each on its own"
        caption = f"Expected score over {counted([len(self.tasks)], 'task')} {self.how}, {level}."
        configs = [Column(key="config", head="Setting", cells=[row.config for row in rows])]
        return (
            Table(
                role="chosen",
                title="The settings that were chosen",
                caption=caption,
                columns=(
                    Column(key="algorithm", head="Algorithm", cells=[Name(row.algorithm) for row in rows]),
                    *(configs if any(row.config for row in rows) else ()),
                    Column(key="n_configs", head="Of", cells=[row.n_configs for row in rows]),
                    Column(key="estimate", head="Score", cells=[Estimate(r.estimate, r.low, r.high) for r in rows]),
                ),
            ),
        )


def _size(pair: ChosenPair) -> str:
    return estimated(pair.difference, pair.low, pair.high)
