"""The answer to "what does tuning buy, and who is better when both are tuned as much?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from runoff.results.base import Advice, Records
from runoff.results.pair import Verdict
from runoff.words.names import SelectName
from runoff.words.numbers import digits, estimated


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningRecord:
    """The best of k configurations of an algorithm.

    Attributes
    ----------
    algorithm : str
    k : int
        How many of its configurations are tried.
    estimate, low, high : float or None
        Expected score of the selected configuration, on runs that did not select it, with its interval over runs; None without one.
    overstatement : float
        How much higher the runs that selected it score.
    overstatement_sd : float or None
        The same in standard deviations of the runs of a configuration, the mean over tasks; None where no run differs.
    """

    algorithm: str
    k: int
    estimate: float
    low: float | None
    high: float | None
    overstatement: float
    overstatement_sd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningPair:
    """Two algorithms, each the best of k of its configurations: a − b, its interval at the level of the family, and who is better."""

    a: str
    b: str
    k: int
    difference: float
    low: float | None
    high: float | None
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningResult(Records):
    """What tuning buys.

    Attributes
    ----------
    records : tuple of TuningRecord
        Each algorithm at k = 1 … K.
    pairs : tuple of TuningPair
        Each pair at k = 1 … the smaller K.
    n_configs : Mapping[str, int]
        K: on the task where an algorithm has the fewest configurations.
    tasks : tuple of str
    select : "each_task" or "all_tasks"
    alpha, confidence_level : float
        Of the verdicts over all pairs and k, and of each interval of a record on its own.
    level : float
        Of the intervals of pairs.
    """

    records: tuple[TuningRecord, ...]
    pairs: tuple[TuningPair, ...]
    n_configs: Mapping[str, int]
    tasks: tuple[str, ...]
    select: SelectName
    alpha: float
    confidence_level: float
    level: float
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = field(default=())

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The names, in the order of the data."""
        return tuple(self.n_configs)

    def curve(self, algorithm: str) -> tuple[TuningRecord, ...]:
        """Return the records of an algorithm, k = 1 … K."""
        return self._rows(algorithm=algorithm)

    def pair(self, a: str, b: str) -> tuple[TuningPair, ...]:
        """Return the rows of two algorithms in the order of the data, k = 1 … the smaller K."""
        return tuple(row for row in self.pairs if {row.a, row.b} == {a, b})

    @property
    def overstatement(self) -> str:
        """By how much the runs that select overstate, where most configurations are tried."""
        most = max(self.records, key=lambda row: row.overstatement_sd or 0.0)
        if most.overstatement_sd is None or most.k < 2:
            return ""
        return (
            f"Runs that selected the best of {most.k} configurations of {most.algorithm} overstate it by {digits(most.overstatement)} "
            f"({digits(most.overstatement_sd)} standard deviations of its runs): they judge nothing here."
        )

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each pair."""
        pairs = dict.fromkeys((row.a, row.b) for row in self.pairs)
        return tuple(_about_pair(self.pair(*names)) for names in pairs)

    @property
    def sentence(self) -> str:
        """Who is better from which number of configurations on."""
        if len(self.sentences) < 2:
            return self.sentences[0] if self.sentences else _alone(self.records)
        tuned = [n for n in self.n_configs.values() if n > 1]
        k = min(tuned)
        leader = max(self._rows(k=k), key=_estimate)
        beaten, others = [], []
        for name in self.algorithms:
            if name != leader.algorithm:
                rows = self.pair(leader.algorithm, name)
                first = _from(rows, leader.algorithm)
                (others if first is None or first > k else beaten).append(name + (f" (k ≥ {first})" if first else ""))
        head = f"With the best of {k} configurations {leader.algorithm} has the highest mean, {digits(leader.estimate)}"
        wins = f", and beats {_listed(beaten)} when both try as many" if beaten else ""
        untold = f"{'; it' if beaten else ', but it'} cannot be told from {_listed(others)}" if others else ""
        return f"{head}{wins}{untold}."


def _estimate(row: TuningRecord) -> float:
    return row.estimate


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1])] * (len(names) > 1) + names[-1:])


def _alone(records: tuple[TuningRecord, ...]) -> str:
    first, last = records[0], records[-1]
    ends = (estimated(row.estimate, row.low, row.high) for row in (first, last))
    return f"{first.algorithm} reaches {next(ends)} untuned, and {next(ends)} with the best of {last.k} configurations."


def _from(rows: tuple[TuningPair, ...], name: str) -> int | None:
    """Return from which k on an algorithm is better up to the largest k; None where it is not at the largest."""
    better = {rows[0].a: "a_better", rows[0].b: "b_better"}[name]
    won = list(takewhile(lambda row: row.verdict == better, reversed(rows)))
    return won[-1].k if won else None


def _about_pair(rows: tuple[TuningPair, ...]) -> str:
    first, last = rows[0], rows[-1]
    a, b = (last.b, last.a) if last.verdict == "b_better" else (last.a, last.b)
    sign = -1 if last.verdict == "b_better" else 1
    ends = () if last.low is None or last.high is None else sorted((sign * last.low, sign * last.high))
    size = estimated(sign * last.difference, *(ends or (None, None)))
    at, upto = f"at k = {last.k}", "at k = 1" if last.k == 1 else f"at any k up to {last.k}"
    if last.verdict != "no_difference_found":
        since = _from(rows, a) or last.k
        if since == 1:
            return f"{a} beats {b} {upto} ({at} by {size})."
        early = f"{_winner(first)} beats {_winner(first, lost=True)}" if _winner(first) else "they cannot be told apart"
        return f"{a} beats {b} when both try k ≥ {since} of their configurations ({at} by {size}); at k = 1 {early}."
    if not _winner(first):
        return f"{a} and {b} cannot be told apart {upto} ({at} {a} − {b}: {size})."
    until = len(list(takewhile(lambda row: row.verdict == first.verdict, rows)))
    tried = "k = 1" if until == 1 else f"k ≤ {until}"
    lead = f"{_winner(first)} beats {_winner(first, lost=True)} when both try {tried} of their configurations"
    return f"{lead}; {at} they cannot be told apart ({a} − {b}: {size})."


def _winner(row: TuningPair, *, lost: bool = False) -> str:
    """Return who is better, or who is not; "" where nobody is."""
    names = {"a_better": (row.a, row.b), "b_better": (row.b, row.a)}.get(row.verdict, ("", ""))
    return names[lost]
