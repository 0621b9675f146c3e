"""Worlds made of real runs: your own, or a published benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.base.validate import check_count
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.studies.worlds.distribution import Distribution
from runoff.studies.worlds.empirical import Empirical
from runoff.studies.worlds.world import World


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
        One name: `n_algorithms` simulated algorithms are all this one, so the null holds. Several: one each. None: all.
    name : str, optional
    aligned : bool
        With several algorithms, move each so that their means on a task agree: the null holds, shapes and variances stay.
    split : bool
        Draw without replacement, so that no run is in two samples (Colas 2018 section 5.1).

    Raises
    ------
    OptionError
        A cell has fewer than 2 runs, or all its runs are equal.

    Examples
    --------
    >>> import runoff as ro
    >>> from runoff.studies import real_world
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
        mean = float(scores.cell(chosen[0], task).mean())
    return Distribution(family=Empirical(values=tuple(values.tolist())), mean=mean, variance=None)
