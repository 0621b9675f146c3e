"""The answer to "what does tuning gain, and which algorithm is better when both are tuned equally?"."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import ClassVar

from runoff.answer.base import Advice, seen_from_b
from runoff.answer.ends import WithInterval
from runoff.answer.pair import PairVerdict
from runoff.answer.rows import AlgorithmRows
from runoff.cells import Column, Estimate, Name, Table
from runoff.words.numbers import counted, digits, estimated, joined, percent

NONE: PairVerdict = "no_difference_found"


NOISE = 1e-9
"""The number of standard deviations below which an overstatement is rounding error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningRow(WithInterval):
    """The best of k configurations of an algorithm.

    Attributes
    ----------
    algorithm : str
    k : int
        The number of its configurations that are tried.
    n_runs : float
        The number of runs that this takes over all tasks, at the average number of runs per configuration.
    estimate, low, high : float or None
        The expected score of the selected configuration on runs that did not select it, with its interval over runs; the ends are None
        without an interval.
    overstatement : float
        How much higher the runs that selected the configuration score.
    overstatement_std : float or None
        The same in standard deviations of the runs of a configuration, averaged over tasks; None if no runs differ.
    """

    algorithm: str
    k: int
    n_runs: float
    estimate: float
    low: float | None
    high: float | None
    overstatement: float
    overstatement_std: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningPair(WithInterval):
    """Two algorithms, each with the best of k configurations: a − b, its corrected interval (at the level of the family), and the better one."""

    a: str
    b: str
    k: int
    difference: float
    low: float | None
    high: float | None
    verdict: PairVerdict

    def turned(self) -> TuningPair:
        """Return the same pair as b − a."""
        return seen_from_b(self, {"difference": 0.0})


@dataclass(frozen=True, slots=True, kw_only=True)
class BestConfig:
    """The configuration of an algorithm whose runs have the highest mean on a task.

    Attributes
    ----------
    algorithm, task : str
    config : str
        The first of those with the highest mean.
    n_tied : int
        The number of configurations with this mean, this one among them.
    n_configs : int
    mean : float
        The mean of its runs, in the unit of the result. These runs chose it, so that the mean is too high.
    """

    algorithm: str
    task: str
    config: str
    n_tied: int
    n_configs: int
    mean: float

    @property
    def words(self) -> str:
        """The configuration, and the number of others that are level with it."""
        return f"{self.config} or {counted([self.n_tied - 1], 'other')}" if self.n_tied > 1 else self.config


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningResult(AlgorithmRows[TuningRow]):
    """The gain of tuning.

    Attributes
    ----------
    rows : tuple of TuningRow
        Each algorithm at k = 1 … K, where K is the number of its configurations on the task with the fewest.
    pairs : tuple of TuningPair
        Each pair at k = 1 … the smaller K.
    best : tuple of BestConfig
        The configuration with the highest mean of each algorithm on each task.
    tasks : tuple of str
    alpha, confidence_level : float
        The level of the verdicts over all pairs and k, and 1 − alpha, the level of each record's interval on its own.
    pair_level : float
        The level of the intervals of pairs, 1 − α / (2 · pairs).
    """

    _prints_all: ClassVar[bool] = True
    rows: tuple[TuningRow, ...]
    pairs: tuple[TuningPair, ...]
    best: tuple[BestConfig, ...]
    tasks: tuple[str, ...]
    alpha: float
    confidence_level: float
    pair_level: float
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def ends(self) -> tuple[TuningRow, ...]:
        """The record of each algorithm at k = K, all its configurations."""
        return tuple({row.algorithm: row for row in self.rows}.values())

    @property
    def n_configs(self) -> dict[str, int]:
        """The number of configurations, K, of each algorithm."""
        return {row.algorithm: row.k for row in self.ends}

    def curve(self, algorithm: str) -> tuple[TuningRow, ...]:
        """Return the records of an algorithm, k = 1 … K."""
        return self._rows(algorithm=algorithm)

    def _of_two(self, a: object, b: object) -> tuple[TuningPair, ...] | None:
        """Return the rows of a and b, a − b, k = 1 … the smaller K."""
        rows = tuple(row if row.a == a else row.turned() for row in self.pairs if {row.a, row.b} == {a, b})
        return rows or None

    @property
    def overstatement(self) -> str:
        """A sentence on the largest overstatement by the runs that select among all configurations of an algorithm; "" if nothing is selected
        or no runs differ."""
        row = max(self.ends, key=lambda row: row.overstatement_std or 0.0)
        size = f"{digits(row.overstatement)} ({digits(row.overstatement_std)} standard deviations of its runs)"
        best = f"Runs that selected the best of {row.k} configurations of {row.algorithm}"
        return (
            f"{best} overstate it by {size}: they judge nothing here." if (row.overstatement_std or 0.0) > NOISE else ""
        )

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each pair."""
        return tuple(
            _about_pair(self._of_two(*pair) or ()) for pair in dict.fromkeys((row.a, row.b) for row in self.pairs)
        )

    @property
    def sentence(self) -> str:
        """A sentence on the better algorithm and the number of configurations from which on it is better; with three or more algorithms, on
        the largest k that all tuned algorithms have."""
        if len(self.algorithms) < 3:
            return "".join(self.sentences) or _alone(self.rows)
        # An algorithm with one configuration is tuned to the end at k = 1 and would hold all others there: the
        # largest k is that of those that are tuned.
        several = [n for n in self.n_configs.values() if n > 1]
        k = min(several) if len(several) > 1 else 1
        leader: TuningRow = max(self._rows(k=k), key=lambda row: row.estimate)
        # Rows of a pair are those of k = 1, 2, …, so that k stands at k − 1.
        verdicts = {
            b: rows[k - 1].verdict for b in self.algorithms if len(rows := self._of_two(leader.algorithm, b) or ()) >= k
        }
        beaten = [name for name, verdict in verdicts.items() if verdict != NONE]
        others = [name for name in verdicts if name not in beaten]
        wins = f", and beats {joined(beaten)}" if beaten else ""
        untold = f"{'; it' if beaten else ', but it'} cannot be told from {joined(others)}" if others else ""
        lacking = ", ".join(name for name, n in self.n_configs.items() if n < k)
        alone = f" Not compared at k = {k}, with one configuration: {lacking}." if lacking else ""
        tried = f"With k = {counted([k], 'configuration')} tried, {leader.algorithm} has the highest mean"
        return f"{tried}, {digits(leader.estimate)}{wins}{untold}.{alone}"

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each algorithm, and a column for each k that is a power of 2, all configurations of one algorithm, or the k at
        which a verdict changes; and a row for each task, with the best configuration of each algorithm."""
        return (self._gains(), *([self._best()] if max(self.n_configs.values()) > 1 else []))

    def _gains(self) -> Table:
        n_configs = self.n_configs
        # Rows of a pair follow each other by k, so that a smaller k after a larger one is the next pair.
        turns = (row.k for a, b in pairwise(self.pairs) if a.k < b.k and a.verdict != b.verdict for row in (a, b))
        # The best of k grows ever more slowly with k, so that doublings are shown.
        powers = {2**i for i in range(max(n_configs.values()).bit_length())}
        cells = {(row.algorithm, row.k): Estimate(row.estimate, row.low, row.high) for row in self.rows}
        columns = [
            Column(key=f"k_{k}", head=f"k = {k}", cells=[cells.get((name, k)) for name in n_configs])
            for k in sorted(powers.intersection(row.k for row in self.rows) | {*n_configs.values(), *turns})
        ]
        of = f"{counted(n_configs.values(), 'configuration')}, over {counted([len(self.tasks)], 'task')}"
        level = f"with {percent(self.confidence_level)} intervals over runs, each on its own"
        caption = f"Expected score of the best of k of {of} and the runs that did not select it, {level}."
        names = Column(key="algorithm", head="Algorithm", cells=[*map(Name, n_configs)])
        title = "The best of k configurations"
        return Table(role="tuning", title=title, caption=caption, columns=(names, *columns), across=True)

    def _best(self) -> Table:
        columns = [
            Column(key=name, head=name, cells=[row.words for row in self.best if row.algorithm == name])
            for name in self.n_configs
        ]
        tasks = Column(key="task", head="Task", cells=[Name(task, "task") for task in self.tasks])
        caption = "The configuration whose runs have the highest mean. As these runs chose it, that mean is too high."
        title = "The best configuration of each task"
        return Table(role="best", title=title, caption=caption, columns=(tasks, *columns))


def _alone(records: tuple[TuningRow, ...]) -> str:
    first, last = ((row, estimated(row.estimate, row.low, row.high)) for row in (records[0], records[-1]))
    return f"{first[0].algorithm} reaches {first[1]} untuned, and {last[1]} with the best of {counted([last[0].k], 'configuration')}."


def _since(rows: tuple[TuningPair, ...]) -> int:
    """Return the k from which on a is better up to the largest k; 0 if a is not better at the largest."""
    won = list(takewhile(lambda row: row.verdict == "a_better", reversed(rows)))
    return won[-1].k if won else 0


def _about_pair(rows: tuple[TuningPair, ...]) -> str:
    # The sentence is told from the side that is ahead at the largest k, or, if nobody is there, at k = 1.
    if "b_better" in (rows[-1].verdict, rows[-1].verdict == NONE and rows[0].verdict):
        rows = tuple(row.turned() for row in rows)
    first, last, since = rows[0], rows[-1], _since(rows)
    a, b, size = last.a, last.b, estimated(last.difference, last.low, last.high)
    at = f"at k = {last.k}"
    upto, where = (at, "") if last.k == 1 else (f"at any k up to {last.k}", f"{at} ")
    if since == 1:
        return f"{a} beats {b} {upto} ({where}by {size})."
    if since:
        early = {NONE: "no difference was found", "b_better": f"{b} beats {a}"}.get(first.verdict, f"{a} beats {b} too")
        return f"{a} beats {b} when both try k ≥ {since} of their configurations ({at} by {size}); at k = 1 {early}."
    if first.verdict == NONE:
        return f"No difference was found between {a} and {b} {upto} ({where}{a} − {b}: {size})."
    tried = len(list(takewhile(lambda row: row.verdict == "a_better", rows)))
    tried_words = "k = 1" if tried == 1 else f"k ≤ {tried}"
    after = rows[tried:]
    # What lies between may have another verdict.
    where = f"from k = {after[0].k} on" if len(after) > 1 and all(row.verdict == NONE for row in after) else at
    behind = f"{at}, " if where != at else ""
    return f"{a} beats {b} when both try {tried_words} of their configurations; {where} no difference was found ({behind}{a} − {b}: {size})."
