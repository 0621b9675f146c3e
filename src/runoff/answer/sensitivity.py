"""The answer to "how much does an algorithm need tuning per task?": sensitivity, dimension, and the performance-sensitivity plane."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer.base import Advice
from runoff.answer.ends import WithInterval
from runoff.answer.rows import AlgorithmRows
from runoff.cells import Column, Estimate, Name, Table
from runoff.words.numbers import counted, digits, estimated, joined, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityRow(WithInterval):
    """The need of an algorithm for tuning per task.

    Attributes
    ----------
    algorithm : str
    n_configs : int
        The number of settings with runs on all tasks.
    tuned, one_setting : float
        Performance with the best setting of each task, and with the best single setting, whichever they are: means over draws, or plug-in
        estimates if a setting has one run on a task. `view="one_setting"` has that of the setting that the runs chose.
    estimate, low, high : float or None
        Sensitivity, the difference of the two, with its interval; None if a setting has one run on a task.
    plug_in : float
        The plug-in sensitivity of the observed means, which noise biases upwards, the more so the more settings there are.
    gain, gain_low, gain_high : float or None
        The gain from choosing the setting on each task with this many runs, measured on runs that did not choose.
    needs_tuning : bool
        Whether the gain is shown to be above 0.
    dimensions : tuple of int
        How many hyperparameters have to be tuned per task for 95 % of the performance: the smallest set of numbers with 95 % of the
        probability; empty if it cannot be computed.
    dimension_chances : tuple of float
        The probability of 0, 1, … hyperparameters.
    """

    algorithm: str
    n_configs: int
    tuned: float
    one_setting: float
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    plug_in: float
    gain: float | None = None
    gain_low: float | None = None
    gain_high: float | None = None
    needs_tuning: bool = False
    dimensions: tuple[int, ...] = ()
    dimension_chances: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityPair(WithInterval):
    """Two algorithms on the performance-sensitivity plane.

    Attributes
    ----------
    a, b : str
    difference, low, high : float
        How much more sensitive a is than b, with its corrected interval (at the level of the family of pairs).
    more_sensitive : str
        The algorithm that is shown to be more sensitive; "" if undecided.
    region : str
        The region of the plane, relative to b, in which a lies.
    """

    a: str
    b: str
    difference: float
    low: float | None
    high: float | None
    more_sensitive: str
    region: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityResult(AlgorithmRows[SensitivityRow]):
    """Sensitivity of algorithms to the choice of their settings.

    Attributes
    ----------
    rows : tuple of SensitivityRow
    pairs : tuple of SensitivityPair
    tasks : tuple of str
    alpha, confidence_level, pair_level : float
        The level over the gains of all algorithms, of each row's interval on its own, and of the intervals of pairs.
    seed : int
    """

    rows: tuple[SensitivityRow, ...]
    pairs: tuple[SensitivityPair, ...]
    tasks: tuple[str, ...]
    alpha: float
    confidence_level: float
    pair_level: float
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    def _of_two(self, a: object, b: object) -> SensitivityPair | None:
        """Return the row of a and b in that order."""
        return next((row for row in self.pairs if (row.a, row.b) == (a, b)), None)

    @property
    def sentence(self) -> str:
        """A sentence on the algorithms that are shown to gain from tuning on each task, by how much, and on those that are not."""
        gaining = [row for row in self.rows if row.needs_tuning]
        bounded = [row for row in self.rows if row.estimate is None]
        others = [row.algorithm for row in self.rows if not row.needs_tuning and row.estimate is not None]
        parts = []
        if gaining:
            gains = (f"{r.algorithm} gains {estimated(r.gain or 0.0, r.gain_low, r.gain_high)}" for r in gaining)
            parts.append(
                f"{joined([*gains])} by tuning on each of {len(self.tasks)} tasks instead of one setting for all"
            )
        if others:
            parts.append(f"no gain is shown of {joined(others)}")
        if bounded:
            bounds = ", ".join(f"{row.algorithm} {digits(row.plug_in)}" for row in bounded)
            parts.append(
                f"with one run a setting the sensitivity cannot be distinguished from noise (by the means as they are {bounds})"
            )
        sentence = "; ".join(parts)
        return f"{sentence[0].upper() if not gaining else sentence[0]}{sentence[1:]}."

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each pair, from the side of the algorithm that is better when tuned."""
        return tuple(_about(row) for row in self.pairs if _is_above(self, row))

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each algorithm."""
        rows = sorted(self.rows, key=lambda row: -row.tuned)
        estimates = [Estimate(row.plug_in if row.estimate is None else row.estimate, row.low, row.high) for row in rows]
        gains = [None if row.gain is None else Estimate(row.gain, row.gain_low, row.gain_high) for row in rows]
        dimensions = [_span(row.dimensions) for row in rows]
        columns = [
            Column(key="algorithm", head="Algorithm", cells=[Name(row.algorithm) for row in rows]),
            Column(key="n_configs", head="Settings", cells=[row.n_configs for row in rows]),
            Column(key="tuned", head="Best per task", cells=[Estimate(row.tuned) for row in rows]),
            Column(key="one_setting", head="Best for all", cells=[Estimate(row.one_setting) for row in rows]),
            Column(key="sensitivity", head="Sensitivity", cells=estimates),
            Column(key="gain", head="Gain that is shown", cells=gains),
            *([Column(key="dimensions", head="To tune", cells=dimensions)] if any(dimensions) else []),
        ]
        title = "How much tuning per task is needed"
        return (Table(role="sensitivity", title=title, caption=self._caption(), columns=tuple(columns)),)

    def _caption(self) -> str:
        drawn = [row for row in self.rows if row.estimate is not None]
        parts = [
            f"Performance over {counted([len(self.tasks)], 'task')} with the best setting of each and with the best for all, whichever they "
            "are, their difference (sensitivity), and the gain of as many runs that choose, on runs that did not, with "
            f"{percent(self.confidence_level)} intervals."
        ]
        if drawn:
            parts.append(
                "The first three are means over draws of what the settings are worth, which leave out what noise adds to a maximum."
            )
        if any(row.estimate == row.high != 0 for row in drawn):
            parts.append("An estimate at the upper end of its interval is the mean of draws that are nearly all 0.")
        if len(drawn) < len(self.rows):
            parts.append("Of settings with one run the sensitivity is that of the means as they are, noise and all.")
        return " ".join(parts)


def _span(dimensions: tuple[int, ...]) -> str:
    if not dimensions:
        return ""
    return str(dimensions[0]) if len(dimensions) == 1 else f"{dimensions[0]} to {dimensions[-1]}"


def _is_above(result: SensitivityResult, row: SensitivityPair) -> bool:
    tuned = {own.algorithm: own.tuned for own in result.rows}
    return (tuned[row.a], row.a) > (tuned[row.b], row.b)


def _about(row: SensitivityPair) -> str:
    size = estimated(row.difference, row.low, row.high)
    shown = f"{row.more_sensitive or 'neither'} is shown to be more sensitive"
    # More sensitive by the estimates alone is not said of whom that is not shown.
    level = not row.more_sensitive and row.region.startswith("better, and")
    where = "better tuned and with one setting" if level else row.region
    return f"By its means {row.a} is {where} than {row.b}; {shown} ({row.a} − {row.b}: {size})."
