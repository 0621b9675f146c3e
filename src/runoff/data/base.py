"""The base of `Scores` and `Curves`: names, run labels, sampling, and the published runs that `beside` adds (through a port to the archive)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

import numpy as np

from runoff.base.arrays import Floats, Ints, read_only
from runoff.base.ports import archive, exits
from runoff.cells import Table
from runoff.data.provenance import Provenance, Sampling
from runoff.data.sweeps import as_variants
from runoff.errors import DataError
from runoff.tables.frames import Named
from runoff.words.nouns import Nouns, nouns_of

LARGEST = 1e75
"""The largest score accepted: its fourth power, summed over runs, stays finite, and the fourth power of its inverse stays above 0."""


def refuse_extremes(values: Floats, offsets: Ints, tasks: Sequence[str]) -> None:
    """Refuse a task whose scores are too large or too small to be raised to the fourth power; cell (a, t) is values[offsets[a · n_tasks + t]
    : offsets[a · n_tasks + t + 1]]."""
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
    """Return the normalised scores (score − low) / (high − low), read-only, from scores (n,) and their reference scores (low, high), (n, 2)."""
    low, high = pairs.T
    with np.errstate(over="ignore"):  # what becomes infinite is refused as an extreme
        return read_only((values - low) / (high - low))


class RunData(Named):
    """The base class of `Scores` and `Curves`: labelled runs of algorithms on tasks."""

    __slots__ = ()

    run_labels: tuple[str, ...]
    values: Floats
    provenance: Provenance
    sampling: Sampling
    _end: ClassVar[str] = "score"
    """What texts call the score of a run."""

    def beside(
        self,
        against: str | Sequence[str],
        *,
        protocol: Mapping[str, str] | None = None,
        assume_same_protocol: bool = False,
        assume_raw: bool = False,
    ) -> Self:
        """Return these runs together with published runs from the archive, on the tasks that they share and in one unit.

        These scores are raw, or normalised by a registered reference; the published scores are then normalised by the same reference.

        Parameters
        ----------
        against : str or sequence of str
            Names from `archive.list()`. A set name alone takes all its algorithms, "atari_100k:SPR,DrQ" only these two. With a step, as in
            "simbav2@1e6:sac", the scores are those of the learning curves at that step, as with `load(at=)`.
        protocol : mapping, optional
            How these runs were made, by the keys of `archive.info(set).protocol()`: {"action_repeat": "2"}. Settings that the logs record
            may be left out.
        assume_same_protocol : bool
            Assume that any setting `protocol` leaves out matches the published set; the names of the published algorithms then say so.
        assume_raw : bool
            Accept as raw the scores that look normalised already; otherwise they are refused.

        Returns
        -------
        Scores or Curves
            Your own algorithms first, then the published ones as "atari_100k:SPR", on the tasks that both have. `compare` tests against a
            published algorithm only if the protocols agree in every setting that the set states; `aggregate` shows all of them side by side.
            `compare` takes only the pairs that contain one of your own algorithms. Curves are cut, task by task, where the shorter of the
            two ends, so the length of training and the definition of the end score need not agree.

        Raises
        ------
        OptionError
            An unknown set, algorithm or protocol setting; a setting that the logs contradict.
        DesignError
            No shared task, runs that are copies of the published ones, two sets that contain the same runs, or a sweep.
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
        """Return the runs of a sweep with each configuration as an algorithm of its own; every answer then warns that choosing the best by
        the same runs favours it (R036).

        Returns
        -------
        Scores or Curves
            An algorithm with several configurations becomes `sac (lr 0.1)`, `sac (lr 0.01)`, …; the others stay as they are, as do data that
            are no sweep.

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
        """Return the data with a new algorithm name for each run, sorted alphabetically."""

    def tables(self) -> tuple[Table, ...]:
        """Return a table of the number of runs and the range of their scores by algorithm and task; learning curves show their last scores."""
        return (exits().data_table(self, self._ends(), self._end),)

    @property
    def nouns(self) -> Nouns:
        """The words that tables use for rows: runs, or episodes."""
        return nouns_of(self.sampling.unit)

    @abstractmethod
    def _ends(self) -> Sequence[Sequence[Floats]]:
        """Return one score of each run, by algorithm, then task."""

    def _heading(self) -> Sequence[str]:
        origin = self.provenance
        where = [f"from {origin.path} ({origin.format})"] if origin.path else []
        normalised = f"normalised by {origin.reference}" if origin.reference else "not normalised"
        below = f"{self!r}; below, the {self.sampling.unit}s and their {self._end}s"
        return [below, *where, normalised, *origin.notes]
