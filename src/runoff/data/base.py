"""What `Scores` and `Curves` share: names, labels of runs, how runs were drawn; published runs beside them, from a room that a port names."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

import numpy as np

from runoff.answer import Table
from runoff.base.arrays import Floats, Ints, read_only
from runoff.base.ports import archive
from runoff.data.provenance import Provenance, Sampling, data_table
from runoff.data.sweeps import as_variants
from runoff.errors import DataError
from runoff.tables.frames import Named
from runoff.words.nouns import Nouns, nouns_of

LARGEST = 1e75
"""Largest score: its fourth power, summed over runs, is still a finite number, and that of its inverse is above 0."""


def refuse_extremes(values: Floats, offsets: Ints, tasks: Sequence[str]) -> None:
    """Refuse a task whose largest score has no fourth power; cell (a, t) is values[offsets[a · n_tasks + t] : offsets[a · n_tasks + t + 1]]."""
    sizes = np.abs(values)
    if ((sizes <= LARGEST) & ((sizes >= 1 / LARGEST) | (sizes == 0))).all():
        return
    largest = np.zeros(len(tasks))
    # Cells are numbered task by task within each algorithm, so that tasks repeat.
    owners = np.resize(np.arange(len(tasks)), len(offsets) - 1)
    np.maximum.at(largest, np.repeat(owners, np.diff(offsets)), sizes)
    for task, size in zip(tasks, largest.tolist(), strict=True):
        if size > LARGEST or 0 < size < 1 / LARGEST:
            raise DataError(
                f"the largest score on {task} is {size:.3g}; scores are raised to the fourth power, so it must lie between {1 / LARGEST:g} and "
                f"{LARGEST:g}: choose another unit."
            )


def scaled(values: Floats, pairs: Floats) -> Floats:
    """Return (score − low) / (high − low), read-only, of scores (n,) by their pairs of references, low and high (n, 2)."""
    low, high = pairs.T
    with np.errstate(over="ignore"):  # what becomes infinite is refused as an extreme
        return read_only((values - low) / (high - low))


class RunData(Named):
    """Base of the scores and of the curves of labelled runs."""

    __slots__ = ()

    runs: tuple[str, ...]
    values: Floats
    provenance: Provenance
    sampling: Sampling
    _end: ClassVar[str] = "score"
    """What the score of a run is called."""

    def beside(
        self,
        against: str | Sequence[str],
        *,
        protocol: Mapping[str, str] | None = None,
        assume_same_protocol: bool = False,
        assume_raw: bool = False,
    ) -> Self:
        """Return these runs with published ones of the archive, on shared tasks and in one unit.

        These are raw, or normalised by a registered reference, by which the published scores are then normalised too.

        Parameters
        ----------
        against : str or sequence of str
            Sets of `archive.list()`, each with the algorithms to take where not all are: "atari_100k:SPR,DrQ"; with a step, as
            "simbav2@1e6:sac", by their learning curves there, as `load(at=)`.
        protocol : mapping, optional
            How these runs were made, by the keys of `archive.info(set).protocol()`: {"action_repeat": "2"}; what their logs tell need not be
            said.
        assume_same_protocol : bool
            Take what `protocol` does not tell to be as in the set; the names of the published algorithms then say so.
        assume_raw : bool
            Take scores that look normalised already for raw ones; they are refused otherwise.

        Returns
        -------
        Scores or Curves
            Own algorithms first, then the published ones as "atari_100k:SPR", on the tasks that both have. What is tested of them (`compare`)
            needs the same protocol on every key that the set tells; `aggregate` shows them side by side whatever it is. All pairs are those
            with an algorithm of one's own. Curves are cut, task by task, where the shorter of both ends; what their end scores are and how
            long training was does not matter to them.

        Raises
        ------
        OptionError
            An unknown set, algorithm or key of a protocol; a protocol that the logs contradict.
        DesignError
            No shared task, runs that are copies of the published ones, two sets that hold the same runs, a sweep.
        DataError
            Scores in other units than the published ones.

        Examples
        --------
        >>> import runoff as ro
        >>> mine = ro.Scores.from_dict({"ours": {"ALE/Pong-v5": [3.0, 9.0, 6.0], "Tetris": [1.0, 2.0, 3.0]}})
        >>> scores = mine.beside("atari_100k:SPR,DrQ")
        >>> scores.algorithms, scores.tasks
        (('ours', 'atari_100k:DrQ', 'atari_100k:SPR'), ('ALE/Pong-v5',))
        """
        both: Self = archive().joined(
            self,
            against,
            protocol=protocol,
            assume_same_protocol=assume_same_protocol,
            assume_raw=assume_raw,
        )
        return both

    def variants(self) -> Self:
        """Return the runs of a sweep with each configuration as an algorithm by itself; every answer then says who chose the best of them.

        Returns
        -------
        Scores or Curves
            An algorithm of several configurations becomes `sac (lr 0.1)`, `sac (lr 0.01)`, …; others stay, as do data that are no sweep.

        Examples
        --------
        >>> import runoff as ro
        >>> rows = {"algorithm": ["sac"] * 4, "lr": [0.1, 0.1, 0.2, 0.2], "seed": [0, 1, 0, 1], "score": [1.0, 3.0, 5.0, 7.0]}
        >>> ro.Scores.from_frame(rows).variants().algorithms
        ('sac (lr 0.1)', 'sac (lr 0.2)')
        """
        return as_variants(self)

    @abstractmethod
    def by_algorithm(self, of_runs: Sequence[str]) -> Self:
        """Return the data with an algorithm for each run, in the order of the alphabet."""

    def tables(self) -> tuple[Table, ...]:
        """Return how many runs there are, and the range of their scores, by algorithm and task: the last scores of learning curves."""
        table = data_table(self.provenance, self.algorithms, self.tasks, self._ends(), of=self.nouns, scores=self._end)
        return (table,)

    @property
    def nouns(self) -> Nouns:
        """Words of a table for its rows: runs, or episodes."""
        return nouns_of(self.sampling.unit)

    @abstractmethod
    def _ends(self) -> Sequence[Sequence[Floats]]:
        """Return a score of each run by algorithm, then task."""

    def _heading(self) -> Sequence[str]:
        origin = self.provenance
        where = [f"from {origin.path} ({origin.format})"] if origin.path else []
        normalised = f"normalised by {origin.reference}" if origin.reference else "not normalised"
        below = f"{self!r}; below, the {self.sampling.unit}s and the range of their {self._end}s"
        return [below, *where, normalised, *origin.notes]
