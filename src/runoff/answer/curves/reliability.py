"""The answer to "how steady is training?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer.base import Advice
from runoff.answer.ends import WithInterval
from runoff.answer.rows import Records
from runoff.cells import Column, Estimate, Name, Table
from runoff.words.names import metric_title, metric_words
from runoff.words.numbers import counted, listed, percent, span


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityRow(WithInterval):
    """One algorithm by one measure, in units of the scores.

    Attributes
    ----------
    low, high : float or None
        The t interval over whole runs; None if no honest one exists: for the risks, and if runs do not vary.
    """

    algorithm: str
    measure: str
    words: str
    lower_is_steadier: bool
    estimate: float
    low: float | None
    high: float | None
    confidence_level: float
    n_tasks: int
    n_scores: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityResult(Records[ReliabilityRow]):
    """Measures of steadiness, one record for each algorithm and measure."""

    rows: tuple[ReliabilityRow, ...]
    window: int
    unit: str
    n_resamples: int
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each algorithm, and a column for each measure."""
        names = list(dict.fromkeys(r.algorithm for r in self.rows))
        cells = {(r.algorithm, r.measure): Estimate(r.estimate, r.low, r.high) for r in self.rows}
        measures = {r.measure: r for r in self.rows}
        columns = [
            Column(
                key=metric,
                head=f"{metric_title(metric)} {'↓' if record.lower_is_steadier else '↑'}",
                cells=[cells.get((name, metric)) for name in names],
                ordered=True,
            )
            for metric, record in measures.items()
        ]
        words = "; ".join(f"{metric_title(metric)}: {record.words}" for metric, record in measures.items())
        level = percent(self.rows[0].confidence_level)
        n = f"N = {span(r.n_scores for r in self.rows)} {self.unit}s per algorithm"
        caption = f"{words}; with {level} t intervals where valid ({n}). ↓: lower is steadier."
        names_column = Column(key="algorithm", head="Algorithm", cells=[*map(Name, names)])
        title = "How steady training is"
        return (Table(role="reliability", title=title, caption=caption, columns=(names_column, *columns)),)

    @property
    def sentence(self) -> str:
        """A sentence on the measures, on those without a valid interval, and on the number of algorithms."""
        names = dict.fromkeys(row.measure for row in self.rows)
        measures = listed([metric_title(name) for name in names])
        # Risks (CVaR over few runs) have no honest interval at all; dispersions lack one where runs do not vary.
        without = [name for name in names if all(row.low is None for row in self.rows if row.measure == name)]
        bare = f"; no interval holds for {listed([metric_words(name) for name in without])}" if without else ""
        return f"{measures} of {counted([len({row.algorithm for row in self.rows})], 'algorithm')}, one by one{bare}."
