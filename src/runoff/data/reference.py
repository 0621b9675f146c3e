"""Reference scores of a benchmark: the (low, high) of each task, which map low to 0 and high to 1, and the name of a task under any spelling.

Those that are registered, and files of them, are read by the room of references.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from runoff.base.arrays import Floats
from runoff.base.ports import references
from runoff.errors import DataError, OptionError, nearest
from runoff.words.names import Unreferenced
from runoff.words.numbers import some
from runoff.words.speech import choice

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    ReferenceLike: TypeAlias = "str | Path | Mapping[str, LowHigh] | IntoDataFrame | Reference"
else:
    ReferenceLike = Any

LowHigh = tuple[float, float]
UNREFERENCED: tuple[Unreferenced, ...] = ("error", "drop")


def scale_of(reference: ReferenceLike, scores: Mapping[str, Sequence[Floats]], tasks: Sequence[str]) -> Reference:
    """Return reference scores by name, from a file or a mapping; refuse the name of an algorithm, whose `scores` these are by task, with its
    means in their place where all are above 0."""
    name = reference.removeprefix("algorithm:") if isinstance(reference, str) else ""
    try:
        scale: Reference = references().load_reference(reference)
    except OptionError:
        ones = [float(cell.mean()) if cell.size else 0.0 for cell in scores.get(name, ())]
        if not ones or min(ones) <= 0:
            raise
        lines = ["task,low,high", *(f"{task},0,{mean:.6g}" for task, mean in zip(tasks, ones, strict=True))]
        text = shlex.quote("".join(f"{line}\\n" for line in lines).replace("%", "%%"))
        means = choice(
            f"scores = ro.load(data); scores.normalize({{task: (0, scores.cell({name!r}, task).mean()) for task in scores.tasks}})",
            f"printf {text} > {shlex.quote(f'{name}.csv')} writes the file for --normalize",
        )
        raise OptionError(
            f"{name!r} is an algorithm of these data, and no reference scores are registered as that; with its means as 1: {means}."
        ) from None
    return scale


GIVEN = "given"
"""The name of reference scores that the caller gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Reference scores of a benchmark.

    Attributes
    ----------
    name : str
        The registered name, a file's name, or "given".
    low, high : str
        What 0 and 1 stand for.
    source : str
        Where the numbers come from.
    scores : Mapping[str, tuple[float, float]]
        Task to (low, high).
    every_task : tuple[float, float] or None
        A pair that holds for all tasks, instead of `scores`.
    prefixes : tuple of str
        What ids of these tasks may begin with.
    doubtful : Mapping[str, str]
        Task to what another source says.
    remark : str or None
        What must be known before scores are normalised by these.
    """

    name: str
    title: str
    low: str
    high: str
    source: str
    unit: str
    scores: Mapping[str, LowHigh]
    every_task: LowHigh | None = None
    prefixes: tuple[str, ...] = ()
    doubtful: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    remark: str | None = None

    def __str__(self) -> str:
        if self.name == GIVEN:
            return f"given reference scores: 0 is {self.low}, 1 is {self.high}"
        title = "" if self.title == self.name else f" ({self.title})"
        return f"{self.name}{title}: 0 is {self.low}, 1 is {self.high}; {self.source}"

    def pair(self, task: str) -> LowHigh:
        """Return (low, high) of a task, whose name may be spelled as environments are ("ALE/Pong-v5", "PongNoFrameskip-v4").

        Raises
        ------
        DataError
            The task is unknown, and the nearest known name is suggested, or it could be two tasks that differ.
        """
        return self.every_task if self.every_task is not None else self.scores[self.known_as(task)]

    def facing(self, tasks: Sequence[str], *, negated: bool) -> Reference:
        """Return the reference in the direction of scores; negated: they are costs with their signs turned, and so are references of costs.

        Raises
        ------
        DataError
            Scores are costs, and by the reference more is better.
        """
        pairs = {task: self.pair(task) for task in tasks} if negated else {}
        upward = [task for task, (low, high) in pairs.items() if high > low]
        # References that lie below 0 and rise are negated already, as the scores are.
        if len(upward) == len(pairs) and all(high <= 0 for _, high in pairs.values()):
            return self
        if upward:
            low, high = pairs[upward[0]]
            raise DataError(
                f"the scores are costs, and their signs are turned, but by the reference {self.name!r} more is better on task {upward[0]!r} "
                f"(low {low:g}, high {high:g}): name what 0 and 1 stand for in costs, ({high:g}, {low:g}) if these are costs."
            )
        turned = {name: (-low, -high) for name, (low, high) in self.scores.items()}
        every = self.every_task and (-self.every_task[0], -self.every_task[1])
        return replace(self, scores=turned, every_task=every)

    def knows(self, task: str) -> bool:
        """Return whether the task has reference scores, under any spelling."""
        return self.every_task is not None or task in self.scores or bool(self._meant(task))

    def known_as(self, task: str) -> str:
        """Return the name that a task has here; the refusals are those of `pair`."""
        if task in self.scores:
            return task
        meant = self._meant(task)
        if not meant:
            near = nearest(task, self.scores)
            leave = choice('unreferenced="drop"', "--unreferenced drop")
            drop = "" if near else f" To leave such tasks out, give {leave}."
            message = (
                f"task {task!r} has no reference scores in {self.name!r} ({len(self.scores)} tasks known).{near}{drop}"
            )
            raise DataError(message)
        # Versions of a task with one reference are one task here; where references differ, a guess would move all its
        # scores.
        if len({self.scores[name] for name in meant}) > 1:
            raise DataError(
                f"task {task!r} could be {' or '.join(map(repr, meant))} of {self.name!r}, whose reference scores differ; name the one you mean."
            )
        return meant[0]

    def refuse_unknown(self, tasks: Sequence[str]) -> None:
        """Refuse several tasks without reference scores, all at once; a single one may be misspelled, of which `pair` speaks."""
        without = [task for task in tasks if not self.knows(task)]
        if len(without) == len(tasks):
            spelled = "".join([nearest(task, self.scores) for task in tasks][:1])
            of_all = f"none of the {len(tasks)} tasks ({some(map(repr, without))}) has"
            raise DataError(
                f"{of_all if len(tasks) > 1 else f'task {without[0]!r} has no'} reference scores in {self.name!r} ({len(self.scores)} tasks "
                f"known); give references that have them.{spelled}"
            )
        if 1 < len(without) < len(tasks):
            drop = choice('normalize(…, unreferenced="drop")', "--unreferenced drop")
            raise DataError(
                f"{len(without)} of {len(tasks)} tasks have no reference scores in {self.name!r}: {', '.join(map(repr, without))}; "
                f"leave them out by {drop}, or give references that have them."
            )

    def notes(self, tasks: Sequence[str]) -> tuple[str, ...]:
        """Return what a report should say of these tasks: other spellings that were taken for them, and doubtful entries."""
        if self.every_task is not None:
            return ()
        spellings = {task: self.known_as(task) for task in tasks}
        spelled = [f"{task!r} as {name!r}" for task, name in spellings.items() if task != name]
        doubts = [
            f"{name} ({self.doubtful[name]})" for name in dict.fromkeys(spellings.values()) if name in self.doubtful
        ]
        less = [task for task in tasks if self.pair(task)[1] < self.pair(task)[0]]
        return tuple(
            [f"reference scores of {self.name!r} are found by name: {', '.join(spelled)}"] * bool(spelled)
            + [f"on {self.name!r}: {self.remark}"] * bool(self.remark)
            + [
                f"by {self.name!r} less is better on {', '.join(map(repr, less))}: what 1 stands for lies below what 0 does"
            ]
            * bool(less)
            + [f"doubtful entries of {self.name!r}: {'; '.join(doubts)}"] * bool(doubts)
        )

    def _meant(self, task: str) -> list[str]:
        wanted = stem(task, self.prefixes)
        return [name for name in self.scores if stem(name, self.prefixes) == wanted]


@lru_cache(maxsize=8_192)  # all names of all archived sets are compared with those of each data
def stem(task: str, prefixes: Sequence[str] = ()) -> str:
    """Return a task's name without the decorations of environment ids, and without the first prefix it begins with."""
    bare = re.sub(r"^ale/", "", task.strip().casefold())
    bare = re.sub(r"-v\d+$", "", bare)
    # Gym's ids: PongNoFrameskip-v4 and PongDeterministic-v4 are Pong with another frame skip, whose references are
    # the same.
    bare = re.sub(r"(noframeskip|deterministic)$", "", bare)
    begins = "|".join(re.escape(prefix) for prefix in prefixes)
    # atari_pong, dm_control/walker-walk; a prefix alone is a name.
    bare = re.sub(rf"^(?:{begins})[\s_/:-]+(?=.)", "", bare) if begins else bare
    return re.sub(r"[\s_-]", "", bare)
