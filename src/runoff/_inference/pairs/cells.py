"""The cells of two algorithms on the tasks that both have; which pairs a question is about, and which tasks count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import fsum
from typing import Any, ClassVar, Self

import numpy as np

from runoff._inference.pairs.measure import IMPROVEMENT
from runoff.base.arrays import Floats
from runoff.base.bounds import refuse_beyond
from runoff.data.reference import stem
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError, nearest
from runoff.words.names import OverName
from runoff.words.nouns import Nouns, nouns_of
from runoff.words.numbers import some
from runoff.words.speech import call, option


@dataclass(frozen=True, kw_only=True)
class BothCells:
    """Cells of a and b on the tasks they share.

    shared: several tasks, and run i of an algorithm is the same in each of its cells. episodes: runs are episodes of one policy. binary: all
    scores of all algorithms are 0 or 1, so that means are success rates; rates: and runs are not shared, so that sums are binomial.
    n_all: how many tasks the data have, where these are some of them; 0 elsewhere. left_out: tasks of a single run, which do not count.
    """

    a: str
    b: str
    x: Sequence[Floats]
    y: Sequence[Floats]
    tasks: Sequence[str]
    shared: bool = False
    episodes: bool = False
    binary: bool = False
    rates: bool = False
    n_all: int = 0
    left_out: tuple[str, ...] = ()
    over: ClassVar[OverName] = "runs"
    """What is the sample."""

    @classmethod
    def of(cls, scores: Scores, a: int, b: int, measure: str | None = None, **more: Any) -> Self:
        """Return the cells of two algorithms on the tasks that both have, or on those that count in a measure over runs (`counted_tasks`)."""
        return next(cls.all_of(scores, [(a, b)], measure, **more))

    @classmethod
    def all_of(
        cls, scores: Scores, chosen: Sequence[tuple[int, int]], measure: str | None = None, **more: Any
    ) -> Iterator[Self]:
        """Yield `of` for pairs at these positions."""
        cells = {at: scores.cells(at) for at in {at for both in chosen for at in both}}
        shared, episodes = scores.sampling.shared, scores.sampling.unit == "episode"
        binary, rates, n_tasks = scores.binary, scores.rates, scores.n_tasks
        for a, b in chosen:
            of_a, of_b = cells[a], cells[b]
            # The fewer runs of the two on each task; where none has runs of both, `shared_tasks` says so.
            fewer = [min(x.size, y.size) for x, y in zip(of_a, of_b, strict=True)]
            both = tuple(t for t, n in enumerate(fewer) if n) or shared_tasks(scores, a, b)
            # Where no task has a single run all count.
            tasks = both if measure is None or 1 not in fewer else counted_tasks(scores, a, b, measure)
            yield cls(
                a=scores.algorithms[a],
                b=scores.algorithms[b],
                x=[of_a[t] for t in tasks],
                y=[of_b[t] for t in tasks],
                tasks=[scores.tasks[t] for t in tasks],
                # On one task whole runs are runs like any others, and the tests of one task apply.
                shared=shared and len(tasks) > 1,
                episodes=episodes,
                binary=binary,
                rates=rates,
                n_all=n_tasks if len(tasks) < n_tasks else 0,
                left_out=tuple(scores.tasks[t] for t in both if t not in tasks) if len(tasks) < len(both) else (),
                **more,
            )

    def in_units(self, units: Sequence[float]) -> Self:
        """Return the pair with the scores of each task divided by its unit."""
        x, y = ([cell / unit for cell, unit in zip(side, units, strict=True)] for side in (self.x, self.y))
        return replace(self, x=x, y=y)

    @property
    def items(self) -> bool:
        """Return whether the sample are items, answered yes or no."""
        return self.over == "tasks" and self.binary

    @property
    def unit(self) -> str:
        return "episode" if self.episodes else "run"

    @property
    def nouns(self) -> Nouns:
        return nouns_of(self.unit, items=self.items)

    @property
    def cells(self) -> list[Floats]:
        return [*self.x, *self.y]

    @property
    def least(self) -> int:
        return min(cell.size for cell in self.cells)

    @property
    def n_runs_a(self) -> tuple[int, int]:
        return min(cell.size for cell in self.x), max(cell.size for cell in self.x)

    @property
    def n_runs_b(self) -> tuple[int, int]:
        return min(cell.size for cell in self.y), max(cell.size for cell in self.y)

    @cached_property
    def single_runs(self) -> list[str]:
        return [task for x, y, task in zip(self.x, self.y, self.tasks, strict=True) if min(x.size, y.size) == 1]

    @property
    def lonely(self) -> list[str]:
        """Return the tasks of a single run that do not count over runs; of success rates all count."""
        return [*self.left_out] if self.left_out or self.rates else self.single_runs

    @property
    def n_counted(self) -> int:
        """Return how many tasks count over runs."""
        return len(self.tasks) if self.left_out or self.rates else len(self.tasks) - len(self.single_runs)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Return how many runs of a and b are relabelled together: those of each task, or whole runs."""
        sizes = [(x.size, y.size) for x, y in zip(self.x, self.y, strict=True)]
        return sizes[:1] if self.shared else sizes


def means_of(cells: Sequence[Floats]) -> Floats:
    sizes = np.array([cell.size for cell in cells])
    return np.asarray(np.add.reduceat(np.concatenate(cells), np.cumsum(sizes) - sizes) / sizes)


def run_means(cells: Sequence[Floats]) -> Floats:
    """Return the mean over tasks of each run, (n_runs,), the same bits whatever the order of tasks; run i is the same in every cell."""
    return np.array([fsum(scores) / len(cells) for scores in np.transpose(cells).tolist()])


def chosen_pairs(scores: Scores, pairs: str | Sequence[tuple[str, str]], control: str | None) -> list[tuple[int, int]]:
    """Return the pairs of positions to compare: all, those named, or each other algorithm against the control.

    All are those with an algorithm of one's own, where others are published: what those say of each other is no question about these runs.
    """
    if scores.n_algorithms < 2:
        alone = f"the data have one, {scores.algorithms[0]!r}: {call('aggregate')} says how good it is"
        raise DesignError(f"a comparison needs two algorithms; {alone}.")
    if isinstance(pairs, str) and pairs == "all":
        k = scores.n_algorithms
        if control is not None:
            at = _position(scores, control)
            return [(a, at) for a in range(k) if a != at]
        refuse_beyond("pairs", k * (k - 1) // 2, f"{k} algorithms make {k * (k - 1) // 2} pairs")
        published = {name for name, _ in scores.provenance.published}
        # Where all are published, all are asked about.
        own = [a for a, name in enumerate(scores.algorithms) if name not in published] or range(k)
        return [(a, b) for a, b in combinations(range(k), 2) if a in own or b in own]
    if control is not None:
        raise OptionError("name either pairs or a control, not both.")
    if not isinstance(pairs, str) and isinstance(pairs, Sequence) and pairs:
        return [_named_pair(scores, pair) for pair in pairs]
    raise OptionError(f"pairs must be 'all' or a sequence of pairs of names, not {pairs!r}.")


def tested_pairs(scores: Scores, pairs: str | Sequence[tuple[str, str]], control: str | None) -> list[tuple[int, int]]:
    """Return the pairs to test: as `chosen_pairs`, each once, for a correction counts them."""
    chosen = chosen_pairs(scores, pairs, control)
    for both, count in Counter(map(frozenset, chosen)).items():
        if count > 1:
            # In the order in which the second of the two was written, which is the one to take out.
            a, b = (scores.algorithms[i] for i in next(pair for pair in reversed(chosen) if both == set(pair)))
            raise OptionError(f"the pair of {a!r} and {b!r} is named twice; a correction would count it twice.")
    return chosen


def counted_tasks(scores: Scores, a: int, b: int, measure: str) -> tuple[int, ...]:
    """Return the positions of the tasks that count in a measure of a pair over runs: those on which both have two runs or more.

    A single run shows no spread. Of a success rate the spread follows from the rate, so there all shared tasks count; and where no task would
    be left they all stay, without a law.
    """
    shared = shared_tasks(scores, a, b)
    several = tuple(np.flatnonzero((scores.n_runs[[a, b]] > 1).all(axis=0)).tolist())
    return shared if scores.rates and measure in ("mean", IMPROVEMENT) else several or shared


def shared_tasks(scores: Scores, a: int, b: int) -> tuple[int, ...]:
    """Return the positions of the tasks on which both have runs; DesignError if there are none."""
    shared = tuple(np.flatnonzero(scores.n_runs[[a, b]].all(axis=0)).tolist())
    if not shared:
        first, second = scores.algorithms[a], scores.algorithms[b]
        own, others = ([task for t, task in enumerate(scores.tasks) if scores.cell(i, t).size] for i in (a, b))
        without = option("exclude", first if len(own) < len(others) else second)
        # Of algorithms with a single run each, the names may be those of runs, and single runs are left out nowhere.
        single = bool((scores.n_runs[[a, b]].sum(axis=1) == 1).all())
        leave = " Each has a single run: are these names of runs?" if single else f" Leave one of them out ({without})."
        raise DesignError(
            f"algorithms {first!r} and {second!r} have no task in common ({first!r} has {some(map(repr, own), 1)}); "
            f"a pair is compared on shared tasks only.{_one_task(own, others) or leave}"
        )
    return shared


def _one_task(own: Sequence[str], others: Sequence[str]) -> str:
    spelled = {stem(task): task for task in others}
    for task in own:
        if stem(task) in spelled:
            return f" Are {task!r} and {spelled[stem(task)]!r} one task? Then rename one of them (rename, --rename OLD=NEW --merge)."
    return ""


def refuse_constant(scores: Scores) -> None:
    """Refuse data in which every run of a task has the same score, on every task; not success rates, whose intervals need no spread."""
    if scores.binary:
        return
    runs = (np.concatenate([scores.cell(a, t) for a in range(scores.n_algorithms)]) for t in range(scores.n_tasks))
    if any(np.ptp(cells) > 0 for cells in runs):
        return
    raise DesignError(
        f"all {scores.values.size} scores are equal on each of the {scores.n_tasks} task(s) (for example {scores.values[0]:g} on "
        f"{scores.tasks[0]!r}); there is nothing to compare. Is the score column the right one?"
    )


def _named_pair(scores: Scores, pair: Sequence[str]) -> tuple[int, int]:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or pair[0] == pair[1]:
        raise OptionError(f"a pair is two different names, not {pair!r}.")
    return _position(scores, pair[0]), _position(scores, pair[1])


def _position(scores: Scores, name: str) -> int:
    if not isinstance(name, str):
        raise OptionError(f"an algorithm is given by its name, not {name!r}.")
    if name not in scores.algorithms:
        listed = ", ".join(repr(a) for a in scores.algorithms[:8])
        message = f"there is no algorithm {name!r} to compare; found {listed}.{nearest(name, scores.algorithms)}"
        raise DesignError(message)
    return scores.algorithms.index(name)


def in_both(pair: BothCells) -> str:
    """Return the tasks that both have, or have often enough, where they are not all."""
    n, both = len(pair.tasks), f"on which both have two {pair.unit}s or more" if pair.left_out else "that both have"
    return f"{pair.tasks[0] + ', the only one' if n == 1 else f'the {n}'} of {pair.n_all} {pair.nouns.tasks} {both}"
