"""Worlds made of real learning curves: shipped ones, or your own."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.base.validate import check_count
from runoff.data.curves import Curves
from runoff.errors import OptionError
from runoff.studies.worlds.distribution import Distribution
from runoff.studies.worlds.empirical_curves import EmpiricalCurves
from runoff.studies.worlds.world import World


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
        One name: `n_algorithms` simulated algorithms are all this one, so the null holds. Several: one each. None: all.
    name : str, optional
    every : int
        Keep the last evaluation, and of those before it one of so many: the same training, evaluated less often.

    Raises
    ------
    OptionError
        A cell has fewer than 2 runs, or all its runs end with the same score.

    Examples
    --------
    >>> import runoff as ro
    >>> from runoff.studies import real_curve_world
    >>> world = real_curve_world(ro.load_example("classic_control"), algorithms="CEM", every=3)
    >>> world.n_algorithms, world.n_tasks, world.least_evaluations
    (2, 6, 11)
    """
    check_count("every", every)
    curves.final()
    chosen = (algorithms,) if isinstance(algorithms, str) else tuple(algorithms or curves.algorithms)
    subset = curves.select(algorithms=list(dict.fromkeys(chosen)))
    rows = {a: tuple(_cell(subset, a, t, every) for t in range(len(subset.tasks))) for a in subset.algorithms}
    if len(chosen) == 1:
        chosen *= check_count("n_algorithms", n_algorithms)
    return World(name=name or " and ".join(rows), grid=tuple(rows[a] for a in chosen))


def _cell(curves: Curves, algorithm: str, t: int, every: int) -> Distribution:
    cell = curves.algorithms.index(algorithm) * len(curves.tasks) + t
    runs = [curves.curve(int(i))[1] for i in range(*curves.cell_offsets[cell : cell + 2].tolist())]
    ends = {float(scores[-1]) for scores in runs}
    if len(ends) < 2:
        raise OptionError(
            f"algorithm {algorithm!r} has {len(runs)} curve(s) that end with {len(ends)} distinct score(s) on task {curves.tasks[t]!r}; a "
            "world of curves needs at least 2 different ones (select other tasks)."
        )
    thinned = tuple(tuple(scores[::-1][::every][::-1].tolist()) for scores in runs)
    return Distribution(family=EmpiricalCurves(runs=thinned), mean=None, variance=None)
