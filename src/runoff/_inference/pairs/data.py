"""Which pairs of algorithms, and on which tasks: shared by every pairwise question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from runoff._inference.pairs.pair import PairData
from runoff.base.limits import refuse_beyond
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError, nearest
from runoff.references import stem


def chosen_pairs(scores: Scores, pairs: str | Sequence[tuple[str, str]], control: str | None) -> list[tuple[int, int]]:
    """Return the pairs of positions to compare: all, those named, or each other algorithm against the control.

    Raises
    ------
    DesignError
        One algorithm only, an unknown name, or an algorithm with itself.
    OptionError
        `pairs` is neither "all" nor a sequence of pairs of names, or stands beside `control`.
    """
    if scores.n_algorithms < 2:
        raise DesignError(f"a comparison needs two algorithms; the data have one, {scores.algorithms[0]!r}.")
    if control is not None:
        if not isinstance(pairs, str) or pairs != "all":
            raise OptionError("name either pairs or a control, not both.")
        at = _position(scores, control)
        return [(a, at) for a in range(scores.n_algorithms) if a != at]
    if not isinstance(pairs, str) and (not isinstance(pairs, Sequence) or not pairs):
        raise OptionError(f"pairs must be 'all' or a sequence of pairs of names, not {pairs!r}.")
    if isinstance(pairs, str):
        if pairs != "all":
            raise OptionError(f"pairs must be 'all' or a sequence of pairs of names, not {pairs!r}.")
        k = scores.n_algorithms
        refuse_beyond("pairs", k * (k - 1) // 2, f"{k} algorithms make {k * (k - 1) // 2} pairs")
        return list(combinations(range(k), 2))
    return [_named_pair(scores, pair) for pair in pairs]


def tested_pairs(scores: Scores, pairs: str | Sequence[tuple[str, str]], control: str | None) -> list[tuple[int, int]]:
    """Return the pairs to test: as `chosen_pairs`, each once, for a correction counts them."""
    chosen = chosen_pairs(scores, pairs, control)
    for at, pair in enumerate(chosen):
        if set(pair) in [set(other) for other in chosen[:at]]:
            a, b = (scores.algorithms[i] for i in pair)
            raise OptionError(f"the pair of {a!r} and {b!r} is named twice; a correction would count it twice.")
    return chosen


def pair_data(scores: Scores, a: int, b: int) -> PairData:
    """Return the cells of two algorithms on the tasks both have.

    Raises
    ------
    DesignError
        They share no task.
    """
    shared, names = shared_tasks(scores, a, b), (scores.algorithms[a], scores.algorithms[b])
    x, y = [scores.cell(a, t) for t in shared], [scores.cell(b, t) for t in shared]
    whole = scores.sampling.shared and len(shared) > 1
    return PairData(
        a=names[0],
        b=names[1],
        x=x,
        y=y,
        tasks=[scores.tasks[t] for t in shared],
        shared=whole,
        episodes=scores.sampling.unit == "episode",
        binary=scores.binary,
        rates=scores.rates,
    )


def shared_tasks(scores: Scores, a: int, b: int) -> tuple[int, ...]:
    """Return the positions of the tasks on which both have runs.

    Raises
    ------
    DesignError
        There are none.
    """
    shared = tuple(t for t in range(scores.n_tasks) if scores.cell(a, t).size and scores.cell(b, t).size)
    names = scores.algorithms[a], scores.algorithms[b]
    if not shared:
        own, others = ([task for t, task in enumerate(scores.tasks) if scores.cell(i, t).size] for i in (a, b))
        raise DesignError(
            f"algorithms {names[0]!r} and {names[1]!r} have no task in common ({names[0]!r} has {own[0]!r}"
            f"{f' and {len(own) - 1} more' if len(own) > 1 else ''}); a pair is compared on shared tasks only.{_one_task(own, others)}"
        )
    return shared


def _one_task(own: Sequence[str], others: Sequence[str]) -> str:
    """Return a hint at two spellings of one task, or nothing."""
    spelled = {stem(task): task for task in others}
    for task in own:
        if stem(task) in spelled:
            return f" Are {task!r} and {spelled[stem(task)]!r} one task? Then rename one of them (rename, --rename OLD=NEW --merge)."
    return ""


def refuse_constant(scores: Scores) -> None:
    """Refuse data in which every run of a task has the same score, on every task."""
    for t in range(scores.n_tasks):
        cells = [scores.cell(a, t) for a in range(scores.n_algorithms)]
        if np.ptp(np.concatenate(cells)) > 0:
            return
    raise DesignError(
        f"all {scores.values.size} scores are equal on each of the {scores.n_tasks} task(s) (for example {scores.values[0]:g} on "
        f"{scores.tasks[0]!r}); there is nothing to compare. Is the score column the right one?"
    )


def _named_pair(scores: Scores, pair: tuple[str, str]) -> tuple[int, int]:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or pair[0] == pair[1]:
        raise OptionError(f"a pair is two different names, not {pair!r}.")
    return _position(scores, pair[0]), _position(scores, pair[1])


def _position(scores: Scores, name: str) -> int:
    if not isinstance(name, str):
        raise OptionError(f"an algorithm is given by its name, not {name!r}.")
    if name not in scores.algorithms:
        listed = ", ".join(repr(a) for a in scores.algorithms[:8])
        raise DesignError(
            f"there is no algorithm {name!r} to compare; found {listed}.{nearest(name, scores.algorithms)}"
        )
    return scores.algorithms.index(name)
