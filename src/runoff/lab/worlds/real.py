"""Worlds made of real runs and learning curves: your own, or those of a published benchmark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from runoff.base.validate import check_count
from runoff.data.curves import Curves
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.lab.worlds.family import Empirical, EmpiricalCurves
from runoff.lab.worlds.world import Distribution, World
from runoff.reading import load_example, read_curves, read_scores
from runoff.reading.formats import SUFFIXES


def real_world(
    scores: Scores,
    *,
    algorithms: str | Sequence[str] | None = None,
    name: str | None = None,
    n_algorithms: int = 2,
    aligned: bool = True,
    split: bool = False,
) -> World:
    """Return a world in which algorithms have the distributions of real runs, task by task.

    Parameters
    ----------
    scores : Scores
        Normalise first if tasks have different units.
    algorithms : str or sequence of str, optional
        With one name, all `n_algorithms` simulated algorithms are this one, so that the null hypothesis holds; with several names, one each.
        None takes all.
    name : str, optional
    aligned : bool
        With several algorithms, shift each so that their means on a task agree; the null hypothesis then holds, and shapes and variances stay.
    split : bool
        Draw without replacement, so that no run is in two samples (Colas 2018 section 5.1).

    Raises
    ------
    OptionError
        An algorithm has fewer than 2 runs on a task, or all its runs there are equal.

    Examples
    --------
    >>> import runoff as ro
    >>> from runoff.lab import real_world
    >>> world = real_world(ro.Scores.from_dict({"PPO": {"Pong": [18.0, 20.0, 19.0]}}), algorithms="PPO")
    >>> world.n_algorithms, world.n_tasks
    (2, 1)
    """
    chosen = (algorithms,) if isinstance(algorithms, str) else tuple(algorithms or scores.algorithms)
    if len(chosen) == 1:
        chosen *= check_count("n_algorithms", n_algorithms)
    rows = [tuple(_cell(scores, a, t, aligned, chosen) for t in scores.tasks) for a in chosen]
    return World(name=name or " and ".join(dict.fromkeys(chosen)), grid=tuple(rows), split=split)


def _cell(scores: Scores, algorithm: str, task: str, aligned: bool, chosen: Sequence[str]) -> Distribution:
    values = scores.cell(algorithm, task)
    if values.size < 2 or values.min() == values.max():
        raise OptionError(
            f"algorithm {algorithm!r} has {values.size} run(s) with {len(set(values.tolist()))} distinct score(s) on task {task!r}; "
            "an empirical world needs at least 2 different ones (select other tasks)."
        )
    mean = None
    if aligned and len(set(chosen)) > 1:
        # Other shapes and spreads about one mean: the null of a test of means holds although the algorithms differ.
        mean = float(scores.cell(chosen[0], task).mean())
    return Distribution(family=Empirical(values=tuple(values.tolist())), mean=mean, variance=None)


# ── learning curves ──────────


def real_curve_world(
    curves: Curves,
    *,
    algorithms: str | Sequence[str] | None = None,
    name: str | None = None,
    n_algorithms: int = 2,
    every: int = 1,
) -> World:
    """Return a world in which whole runs are drawn from real ones, task by task.

    Parameters
    ----------
    curves : Curves
        Runs that ended early are treated as `Curves.final` treats them.
    algorithms : str or sequence of str, optional
        With one name, all `n_algorithms` simulated algorithms are this one, so that the null hypothesis holds; with several names, one each.
        None takes all.
    name : str, optional
    every : int
        Keep only every `every`-th evaluation, counted back from the last: the same training, evaluated less often.

    Raises
    ------
    OptionError
        An algorithm has fewer than 2 runs on a task, or all its runs there end with the same score.

    Examples
    --------
    >>> import runoff as ro
    >>> from runoff.lab import real_curve_world
    >>> world = real_curve_world(ro.load_example("classic_control"), algorithms="CEM", every=3)
    >>> world.n_algorithms, world.n_tasks, world.least_evaluations
    (2, 6, 11)
    """
    check_count("every", every)
    curves.final()
    chosen = (algorithms,) if isinstance(algorithms, str) else tuple(algorithms or curves.algorithms)
    subset = curves.select(algorithms=list(dict.fromkeys(chosen)))
    rows = {a: tuple(_cell_of_curves(subset, a, t, every) for t in range(len(subset.tasks))) for a in subset.algorithms}
    if len(chosen) == 1:
        chosen *= check_count("n_algorithms", n_algorithms)
    return World(name=name or " and ".join(rows), grid=tuple(rows[a] for a in chosen))


def _cell_of_curves(curves: Curves, algorithm: str, t: int, every: int) -> Distribution:
    cell = curves.algorithms.index(algorithm) * len(curves.tasks) + t
    runs = [curves.curve(int(i))[1] for i in range(*curves.cell_offsets[cell : cell + 2].tolist())]
    ends = {float(scores[-1]) for scores in runs}
    if len(ends) < 2:
        raise OptionError(
            f"algorithm {algorithm!r} has {len(runs)} curve(s) that end with {len(ends)} distinct score(s) on task {curves.tasks[t]!r}; a "
            "world of curves needs at least 2 different ones (select other tasks)."
        )
    # Counted from the end, so that the last evaluation stays.
    thinned = tuple(tuple(scores[::-1][::every][::-1].tolist()) for scores in runs)
    return Distribution(family=EmpiricalCurves(runs=thinned), mean=None, variance=None)


# ── where the runs come from: given in memory, a folder of files, or the data shipped with runoff ──────────


RealData = Mapping[str, Scores | Curves | ArrayLike] | str | PathLike[str] | None
SHIPPED = "classic_control"
_shipped = cache(load_example)
"""The shipped curves, read once for all worlds made of them."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Runs by name: given directly, or in a folder, where `names` gives the file of each name."""

    data: RealData = None
    names: Mapping[str, str] = field(default_factory=dict)

    def scores(self, name: str) -> Scores:
        """Return the runs of a name; refuse a name without runs, saying what is needed."""
        data = self._data_of(name, read_scores, "runs", "Scores or values")
        if isinstance(data, Curves):
            return data.final()
        return data if isinstance(data, Scores) else Scores.from_dict({name: {name: data}})

    def curves(self, name: str) -> Curves:
        """Return the learning curves of a name; refuse scores without steps."""
        data = self._data_of(name, read_curves, "curves", "Curves")
        if not isinstance(data, Curves):
            raise OptionError(f"this study needs learning curves for {name!r}, not {type(data).__name__}: give Curves.")
        return data

    def _data_of(
        self, name: str, read: Callable[[Path], Scores | Curves], noun: str, kind: str
    ) -> Scores | Curves | ArrayLike:
        if isinstance(self.data, Mapping) and name in self.data:
            return self.data[name]
        path = self._path(Path(self.data), name) if isinstance(self.data, str | PathLike) else None
        if path is not None:
            return read(path)
        if name == SHIPPED:
            return _shipped(SHIPPED)
        wanted = self.names.get(name, f"{name}.csv, .json, .txt or another file that `{read.__name__}` reads")
        raise OptionError(
            f"this study needs the {noun} {name!r}: give data={{{name!r}: {kind}}} or the folder that holds {wanted}."
        )

    def _path(self, folder: Path, name: str) -> Path | None:
        if folder.is_file():
            return folder
        candidates = [self.names[name]] if name in self.names else [name + suffix for suffix in sorted(SUFFIXES)]
        return next((folder / file for file in candidates if (folder / file).is_file()), None)


def cell_values(scores: Scores, where: str, algorithm: str | None, task: str | None) -> tuple[float, ...]:
    """Return the runs of one algorithm on one task; a name may be left out if there is only one."""
    a, t = _only(where, "algorithm", algorithm, scores.algorithms), _only(where, "task", task, scores.tasks)
    return tuple(scores.cell(a, t).tolist())


def _only(where: str, noun: str, name: str | None, names: tuple[str, ...]) -> str:
    if name is None and len(names) > 1:
        raise OptionError(f"{where}: the data hold {len(names)} {noun}s; name one: {', '.join(names)}.")
    return names[0] if name is None else name


def split_keys(declared: Mapping[str, Any], *keys: str) -> tuple[dict[str, Any], ...]:
    """Return the declaration without `keys`, and the part with these keys only."""
    rest = {key: value for key, value in declared.items() if key not in keys}
    return rest, {key: declared.get(key) for key in keys}
