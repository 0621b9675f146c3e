"""Common base classes of data and answers: export as data frames and tables, and named algorithms and tasks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from runoff.base.lasting import Lasting
from runoff.base.ports import exits, hinted, hints
from runoff.cells import InTables
from runoff.errors import DesignError, OptionError, nearest
from runoff.tables.naming import Relabelled, of_suites, position, renamed, some_of
from runoff.words.names import NO_SINGLE_RUNS, capital
from runoff.words.speech import option

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    import polars as pl

    from runoff.base.arrays import Ints

GUESSED = frozenset(
    {
        *("select", "rename", "normalize", "beside", "final", "at", "auc", "up_to", "subsample"),
        *("to_polars", "to_records", "to_csv", "to_json", "to_dict"),
    }
)
"""Methods of data and answers whose arguments users often guess; the refusal of a wrong argument names the right call."""
NEEDS_PANDAS = "to_pandas() needs pandas, which is not installed: pip install pandas, or take to_polars()."


@dataclass(frozen=True, slots=True)
class Origin:
    """The facts about its data that an answer keeps.

    Attributes
    ----------
    frame : "polars", "pandas" or "pyarrow"
        The kind of frame that was passed in; polars if none was.
    whole : tuple of str
        All algorithms of the data that were read, so that figures keep their colours after a selection.
    score : str
        The definition and the treatment of a score, for captions; "" if unknown.
    treated : bool
        Whether a score is made of several values, or is not the number that was given, so that `print` says what it is.
    """

    frame: str = "polars"
    whole: tuple[str, ...] = ()
    score: str = ""
    treated: bool = field(default=False, repr=False)


def origin_of(given: object) -> Origin:
    """Return the origin of data, or of a frame from which data are made."""
    kind = type(given).__module__.partition(".")[0]
    return given.origin if isinstance(given, Framed) else Origin(kind if kind in ("pandas", "pyarrow") else "polars")


class Framed(Lasting, InTables, ABC):
    """The base of objects with a data frame form; subclasses define `to_polars` and `origin`."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in GUESSED.intersection(vars(cls)):
            method = vars(cls)[name]
            # A dataclass with slots is made twice, of methods that have their hints by then.
            setattr(cls, name, method if hasattr(method, "__wrapped__") else hinted(method))

    @property
    @abstractmethod
    def origin(self) -> Origin:
        """The kind of frame and the set of algorithms from which this object comes."""

    @abstractmethod
    def to_polars(self) -> pl.DataFrame:
        """Return a polars DataFrame."""

    if not TYPE_CHECKING:  # type checkers would take any name for one that is there

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):
                # A property that refuses: its own words.
                return object.__getattribute__(self, name)
            hint = ""
            if not name.startswith("_"):
                hint = hints().member_hint(name, [own for own in dir(type(self)) if not own.startswith("_")])
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}", name=name, obj=None)

    @hinted
    def to_frame(self) -> Any:
        """Return a data frame of the same kind as the input: pandas or PyArrow, and polars for anything else (files, arrays, dictionaries).

        Examples
        --------
        >>> import pandas as pd, runoff as ro
        >>> runs = pd.DataFrame({"algorithm": ["A", "A", "B", "B"], "score": [1.0, 2.0, 4.0, 6.0]})
        >>> type(ro.aggregate(runs, by="task").to_frame()).__module__.split(".")[0]
        'pandas'
        """
        if self.origin.frame == "pandas":
            return self.to_pandas()
        return self.to_polars().to_arrow() if self.origin.frame == "pyarrow" else self.to_polars()

    @hinted
    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame.

        Raises
        ------
        ModuleNotFoundError
            pandas is not installed.
        """
        try:
            import pandas as pd
        except ModuleNotFoundError as missing:
            raise ModuleNotFoundError(NEEDS_PANDAS, name="pandas") from missing
        # By lists of Python: polars' own to_pandas needs PyArrow.
        return pd.DataFrame(self.to_polars().to_dict(as_series=False))

    @hinted
    def to_csv(self, path: str | Path | None = None, *, force: bool = False) -> str:
        """Return the rows as CSV, unrounded, those of strata below; a file that is named is written, and overwritten by `force` alone.

        Raises
        ------
        OutputError
            The file is there, or cannot be written.

        Examples
        --------
        >>> import runoff as ro
        >>> print(ro.load({"A": [1.0, 2.5]}).to_csv(), end="")
        algorithm,task,run,score
        A,task 1,0,1.0
        A,task 1,1,2.5
        """
        return exits().written(exits().csv_of(self), path, ".csv", force=force)


class Named(Framed):
    """The base of data with algorithms and tasks, which can be selected and renamed."""

    __slots__ = ()

    algorithms: tuple[str, ...]
    tasks: tuple[str, ...]
    provenance: Any

    @property
    @abstractmethod
    def n_runs(self) -> Ints:
        """The number of runs of each algorithm on each task, int64 array (n_algorithms, n_tasks); 0 where there are none."""

    @property
    def origin(self) -> Origin:
        """The kind of frame and the set of algorithms from which the data come, and the definition of a score."""
        own: Origin = self.provenance.origin
        treated = bool(self.provenance.score or self.provenance.treatments())
        return replace(own, whole=own.whole or self.algorithms, score=self._scored(), treated=treated)

    def _scored(self) -> str:
        """Return the definition and the treatment of a score; "" for data without scores, or if unknown."""
        return ""

    @abstractmethod
    def _relabelled(self, algorithms: Relabelled, tasks: Relabelled) -> Self:
        """Return the data under new names, leaving out those without a new name."""

    def select(
        self,
        *,
        algorithms: str | Sequence[str] | None = None,
        tasks: str | Sequence[str] | None = None,
        exclude: str | Sequence[str] | None = None,
    ) -> Self:
        """Return the data of the named algorithms and tasks, in the given order; with algorithms only, keep the tasks that any of them has.

        Parameters
        ----------
        algorithms, tasks : str or sequence of str, optional
            The names to keep; None keeps all.
        exclude : str or sequence of str, optional
            The algorithms and tasks to leave out; "task:NAME" is a task, where an algorithm may be called so too.

        Raises
        ------
        DesignError
            There is no such algorithm or task, or an algorithm or a task without data would remain.
        OptionError
            No algorithm or no task is named, or all are left out.

        Examples
        --------
        >>> import runoff as ro
        >>> scores = ro.Scores.from_dict({"A": {"x": [1, 2]}, "B": {"x": [3, 4]}, "random": {"x": [0, 1]}})
        >>> scores.select(exclude="random").algorithms
        ('A', 'B')
        """
        # A text is one name, not a sequence of letters.
        algorithms, tasks = ([names] if isinstance(names, str) else names for names in (algorithms, tasks))
        tasks = None if tasks is None else of_suites(tasks, self.tasks)
        if exclude is not None:
            if isinstance(exclude, Mapping):
                raise OptionError(f"{option('exclude')} takes names: {NO_SINGLE_RUNS}.")
            without = of_suites([exclude] if isinstance(exclude, str) else exclude, (*self.algorithms, *self.tasks))
            algorithms, tasks = self._without(without, algorithms, tasks)
        for noun, names in (("algorithms", algorithms), ("tasks", tasks)):
            if names is not None and not len(names):
                raise OptionError(f"{option(noun)} names none; name at least one, or leave the option out to take all.")
        chosen = some_of("algorithm", self.algorithms, algorithms)
        counts = self.n_runs[[place is not None for place in chosen.places]]
        bare = [task for task, n in zip(self.tasks, counts.T, strict=True) if not n.any()]
        # Who chooses algorithms wants what these have; who names a task that they lack is told so.
        if tasks is None and bare:
            note = f"{len(bare)} of {len(self.tasks)} tasks left out, on which none of these algorithms has runs: {', '.join(bare)}"
            kept = some_of("task", self.tasks, [task for task in self.tasks if task not in bare])
            clause = f"{len(bare)} of {len(self.tasks)} tasks are left out, on which none of these algorithms has runs"
            return self._relabelled(chosen, replace(kept, notes=(note,), treatment=(clause,)))
        for task in bare:
            if task in (tasks or ()):
                raise DesignError(f"task {task!r} has no runs of the algorithms that are kept; leave it out.")
        kept = some_of("task", self.tasks, tasks)
        counts = self.n_runs[:, [place is not None for place in kept.places]]
        for name, place, n in zip(self.algorithms, chosen.places, counts, strict=True):
            if place is not None and not n.any():
                raise DesignError(f"algorithm {name!r} has no runs on the tasks that are kept; leave it out.")
        return self._relabelled(chosen, kept)

    def _without(
        self, exclude: Sequence[str], algorithms: Sequence[str] | None, tasks: Sequence[str] | None
    ) -> tuple[Sequence[str] | None, Sequence[str] | None]:
        """Return the algorithms and tasks that remain if some are left out, None for all."""
        there = {"algorithm": self.algorithms, "task": self.tasks}
        out: dict[str, list[str]] = {"algorithm": [], "task": []}
        for name in map(str, exclude):
            role, _, named = name.partition(":")
            if role in there and name not in (*self.algorithms, *self.tasks):
                out[role].append(there[role][position(role, named, there[role])])
            elif name in self.algorithms and name in self.tasks:
                roles = " or ".join(option("exclude", f"{of}:{name}") for of in there)
                raise OptionError(f"{name!r} is an algorithm and a task: say which is left out, {roles}.")
            elif name not in (*self.algorithms, *self.tasks):
                meant = nearest(name, [*self.algorithms, *self.tasks]) or f" {capital(NO_SINGLE_RUNS)}."
                raise DesignError(f"there is no algorithm or task {name!r} in these scores.{meant}")
            else:
                out["task" if name in self.tasks else "algorithm"].append(name)
        kept: list[Sequence[str] | None] = []
        for noun, every, names in (("algorithms", self.algorithms, algorithms), ("tasks", self.tasks, tasks)):
            own = [name for name in (every if names is None else names) if name not in out[noun[:-1]]]
            if not own:
                raise OptionError(f"{option('exclude')} leaves no {noun}; keep one at least.")
            kept.append(own if names is not None or len(own) < len(every) else None)
        return kept[0], kept[1]

    def rename(
        self,
        names: Mapping[str, str] | None = None,
        /,
        *,
        algorithms: Mapping[str, str] | None = None,
        tasks: Mapping[str, str] | None = None,
        merge: bool = False,
    ) -> Self:
        """Return the data under other names, {old: new}, all replaced simultaneously.

        Parameters
        ----------
        names : mapping, optional
            New names of algorithms and tasks; if an algorithm and a task have the same name, use one of the next two arguments.
        algorithms, tasks : mapping, optional
        merge : bool
            Whether two names may become one; their runs are then pooled, and labelled by the old names.

        Raises
        ------
        DesignError
            There is no such algorithm or task.
        OptionError
            Two names become one without `merge=True`, or a name is both that of an algorithm and that of a task.

        Examples
        --------
        >>> import runoff as ro
        >>> scores = ro.Scores.from_dict({"PPO": {"Pong": [18, 20]}, "ppo": {"Pong": [19]}})
        >>> scores.rename({"ppo": "PPO"}, merge=True).cell("PPO", "Pong")
        array([18., 20., 19.])
        """
        new: dict[str, dict[str, str]] = {"algorithms": dict(algorithms or {}), "tasks": dict(tasks or {})}
        for old, to in (names or {}).items():
            of = [kind for kind in new if old in getattr(self, kind)]
            if not of:
                meant = nearest(str(old), [*self.algorithms, *self.tasks])
                raise DesignError(f"there is no algorithm or task {old!r} in these scores.{meant}")
            if len(of) > 1:
                raise OptionError(f"{old!r} is an algorithm and a task: use algorithms={{{old!r}: …}} or tasks=.")
            new[of[0]][old] = to
        return self._relabelled(
            renamed("algorithm", self.algorithms, new["algorithms"], merge=merge),
            renamed("task", self.tasks, new["tasks"], merge=merge),
        )

    def __getitem__(self, key: object) -> Any:
        algorithm, task = key if isinstance(key, tuple) and len(key) == 2 else (key, self.tasks[0])
        array = f", cell({algorithm!r}, {task!r}) is an array of them" if hasattr(type(self), "cell") else ""
        raise TypeError(
            f"{type(self).__name__} are not indexed: select(algorithms={algorithm!r}) keeps these runs{array}, and to_frame() has all as rows."
        )
