"""Where do two algorithms differ along training? The answer at every step."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer.base import Advice
from runoff.answer.ends import WithInterval
from runoff.answer.rows import Records
from runoff.cells import Column, ColumnsOf, Estimate, Name, PValue, Table
from runoff.words.names import capital
from runoff.words.numbers import counted, exactly, percent, step_text


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDifference(WithInterval):
    """One pair at one step.

    Attributes
    ----------
    difference : float
        The mean of a minus the mean of b, over shared tasks.
    low, high : float or None
        The simultaneous band over all steps (and pairs); None if the correction has no band, or runs are too few.
    own_low, own_high : float or None
        The interval of this step alone.
    statistic : float
        The difference over its standard error; ±inf if neither side varies.
    pvalue, pvalue_adjusted : float
        The two-sided p-value of this step, and the one adjusted over all steps and pairs.
    rejected : bool
        Whether a difference is found at this step.
    """

    a: str
    b: str
    step: float
    difference: float
    low: float | None
    high: float | None
    own_low: float | None
    own_high: float | None
    statistic: float
    pvalue: float
    pvalue_adjusted: float
    rejected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A stretch of the grid of steps, from `first` to `last`, in which `ahead` is found above `behind`."""

    a: str
    b: str
    ahead: str
    behind: str
    first: float
    last: float
    n_steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveComparisonResult(Records[StepDifference]):
    """Differences at every step, one record for each pair and step.

    Attributes
    ----------
    stretches : tuple of Stretch
        The stretches of training in which one algorithm is ahead of the other.
    sentences : tuple of str
        One sentence for each pair; `how` describes the method of all of them.
    n_runs : tuple of (algorithm, fewest, most)
        Runs per task.
    """

    rows: tuple[StepDifference, ...]
    stretches: tuple[Stretch, ...]
    sentences: tuple[str, ...]
    how: str
    along: str
    correction: str
    alpha: float
    confidence_level: float
    n_resamples: int
    n_runs: tuple[tuple[str, int, int], ...]
    tasks: tuple[str, ...]
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple(dict.fromkeys((record.a, record.b) for record in self.rows))

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each pair and step, with the deciding band if the correction has one."""
        rows, joint = self.rows, any(row.low is not None for row in self.rows)
        ends = [
            Estimate(row.difference, row.low, row.high)
            if joint
            else Estimate(row.difference, row.own_low, row.own_high)
            for row in rows
        ]
        column = ColumnsOf(rows)
        columns = (
            column("a", "First", lambda row: Name(row.a)),
            column("b", "Second", lambda row: Name(row.b)),
            column("step", capital(self.along), lambda row: step_text(row.step), numeric=True),
            Column(key="difference", head="Difference", cells=ends),
            column("pvalue_adjusted", "Adjusted p", lambda row: PValue(row.pvalue_adjusted, row.pvalue)),
            column("rejected", "Found"),
        )
        band = "of a simultaneous band over all steps and pairs" if joint else "of each step on its own"
        drawn = any(e.low is not None for e in ends)
        level = f"with {percent(self.confidence_level)} intervals {band}" if drawn else "without intervals"
        over = f"over {counted([len(self.tasks)], 'task')}, {level}; p is adjusted over all steps and pairs, α = {exactly(self.alpha)}"
        caption = f"Mean of the first minus mean of the second at each {self.along} {over}."
        return (Table(role="curve_differences", title="Differences along training", caption=caption, columns=columns),)

    def curve(self, a: str, b: str) -> tuple[StepDifference, ...]:
        """Return the records of one pair, by step."""
        return self._rows(a=a, b=b)

    @property
    def sentence(self) -> str:
        """A sentence on the algorithm that is ahead at the last step and its nearest rival and, with many pairs, on the number of pairs that
        differ."""
        n_found = sum(any(row.rejected for row in self.curve(*pair)) for pair in self.pairs)
        words = self.sentences[self.pairs.index(self._foremost())]
        if len(self.pairs) == 1:
            return words
        steps = counted([len({row.step for row in self.rows})], self.along)
        if not n_found:
            return f"No difference was found in any of {len(self.pairs)} pairs at any of {steps}, which does not make them equal."
        return f"{words} Of {len(self.pairs)} pairs {n_found} {'differs' if n_found == 1 else 'differ'} at some {self.along}."

    def _foremost(self) -> tuple[str, str]:
        """Return the pair of the algorithm that is ahead at the last step and the nearest algorithm from which it was found to differ, or
        the nearest of all."""
        last = {pair: self.curve(*pair)[-1] for pair in self.pairs}
        names = dict.fromkeys(name for pair in self.pairs for name in pair)
        # A pair has its difference once, seen from the first: from the other it is minus that.
        leads = dict.fromkeys(names, 0)
        for (a, b), row in last.items():
            sign = (row.difference > 0) - (row.difference < 0)
            leads[a] += sign
            leads[b] -= sign
        leader = max(names, key=leads.__getitem__)
        own = [pair for pair in self.pairs if leader in pair]
        differ = [pair for pair in own if any(row.rejected for row in self.curve(*pair))] or own
        return min(differ, key=lambda pair: abs(last[pair].difference))

    def _decided(self) -> str:
        return self.how
