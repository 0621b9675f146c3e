"""The answers to "what is the chance to see it?", "how many runs?" and "how small a difference?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer.base import Result
from runoff.answer.rows import Records
from runoff.cells import ColumnsOf, Number, Share, Table
from runoff.errors import OptionError
from runoff.words.numbers import exactly, percent

NEAR = 2
"""How many numbers of runs the table shows on either side of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerResult(Result):
    """The power of one design to detect one true difference; also the answer of `detectable_effect`, which looks for the difference.

    Attributes
    ----------
    effect : float
        The true difference, in units of the scores.
    effect_in_std : float
        The same in standard deviations, σ or √((σ₁² + σ₂²) / 2).
    improvement : float
        The probability that a run of the first beats a run of the second (for one sample: a fixed value), for normal runs.
    n_runs, n_runs_b : int, int or None
        The number of runs of the first and of the second; None for one sample.
    power, beta : float
        The probability that the test rejects, and 1 − power.
    noncentrality, df : float
        The true difference in units of its standard error, and the degrees of freedom at the true variances.
    notes : tuple of str
        What the formula neglects, if it matters here.
    """

    effect: float
    effect_in_std: float
    improvement: float
    n_runs: int
    n_runs_b: int | None
    power: float
    beta: float
    std: float
    std_b: float | None
    test: str
    alternative: str
    formula: str
    alpha: float
    noncentrality: float
    df: float
    sentence: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsNeededRow:
    """The number of runs that one true difference needs.

    Attributes
    ----------
    effect, effect_in_std, improvement : float
        As in `PowerResult`.
    n_runs, n_runs_b : int, int or None
        The number of runs of the first and of the second; None for one sample.
    n_real : float or None
        `n_runs` before rounding up, as other software reports it; None if two runs are enough, or for the cheapest allocation.
    power, beta : float
        The power with these runs, and 1 − power.
    cost : float or None
        The cost of all these runs.
    """

    effect: float
    effect_in_std: float
    improvement: float
    n_runs: int
    n_runs_b: int | None
    n_real: float | None
    power: float
    beta: float
    cost: float | None
    sentence: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerPoint:
    """Power with a given number of runs: a point on the curve of one effect."""

    effect: float
    n_runs: int
    n_runs_b: int | None
    power: float
    beta: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsNeededResult(Records[RunsNeededRow]):
    """The numbers of runs needed, one record for each true difference.

    Attributes
    ----------
    curve : tuple of PowerPoint
        Power against the number of runs, effect by effect.
    power : float
        The required power.
    """

    rows: tuple[RunsNeededRow, ...]
    curve: tuple[PowerPoint, ...]
    power: float
    std: float
    std_b: float | None
    test: str
    alternative: str
    formula: str
    alpha: float

    @property
    def n_runs(self) -> int:
        """The runs of the first algorithm (of each, if counts are equal), for a single effect."""
        return self._only().n_runs

    @property
    def n_runs_b(self) -> int | None:
        """The runs of the second algorithm, for a single effect."""
        return self._only().n_runs_b

    def points(self, effect: float) -> tuple[PowerPoint, ...]:
        """Return the curve of one effect, in units of the scores."""
        return tuple(point for point in self.curve if point.effect == effect)

    def tables(self) -> tuple[Table, ...]:
        """Return the power at the numbers of runs near each answer."""
        rows = [point for record in self.rows for point in self._near(record)]
        needed = {record.effect: record.n_runs for record in self.rows}
        # A number of runs that falls short must not look as if it did not.
        short = [point.power for point in rows if point.power < self.power]
        digits = 5 if percent(self.power) in map(percent, short) else 3
        two = any(point.n_runs_b not in (None, point.n_runs) for point in rows)
        column = ColumnsOf(rows)
        effects = [column("effect", "Difference", lambda point: Number(point.effect, 4))]
        second = [column("n_runs_b", "Of the second")]
        columns = (
            *(effects if len(needed) > 1 else []),
            column("n_runs", "Runs"),
            *(second if two else []),
            column("power", "Power", lambda point: Share(point.power, digits), ordered=True),
            column("beta", "Chance to miss", lambda point: Share(point.beta, digits), ordered=True),
            column("enough", "Enough", lambda p: "yes" if p.n_runs >= needed[p.effect] else "no"),
        )
        of = "a true difference" if len(needed) > 1 else f"a true difference of {exactly(self.rows[0].effect)}"
        chances = f"Power to find {of}, and the chance to miss it, with so many runs of each"
        caption = f"{chances} (α = {exactly(self.alpha)}). Enough: {percent(self.power)} or more."
        return (Table(role="power", title="Power by the number of runs", caption=caption, columns=columns),)

    def _near(self, record: RunsNeededRow) -> tuple[PowerPoint, ...]:
        points = self.points(record.effect)
        # The curve holds the answer itself: `runs_needed` puts the sizes about it among the spaced ones.
        at = next(i for i, point in enumerate(points) if point.n_runs == record.n_runs)
        return points[max(0, at - NEAR) : at + NEAR + 1]

    def _only(self) -> RunsNeededRow:
        if len(self.rows) > 1:
            raise OptionError(f"this answer is about {len(self.rows)} effects: read `rows`, one for each.")
        return self.rows[0]

    @property
    def sentence(self) -> str:
        """The sentences of all effects."""
        return " ".join(record.sentence for record in self.rows)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of all effects, without repetitions."""
        return tuple(dict.fromkeys(note for record in self.rows for note in record.notes))
