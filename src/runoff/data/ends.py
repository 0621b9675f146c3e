"""Irregular learning curves: runs that end early, runs whose steps go back.

Training is unequal where all runs of an algorithm lack more than 1 % of the training of the longest run of their task. Then all algorithms
are read on this task at the last common step, the last one that half of the runs of each such algorithm reached, and every answer begins by
saying so (R019, an info). If less than half of the training is common, or not all were evaluated by then, no leader is named (R032).

A run whose log ends less than its own last interval before the end is none of these, up to 5 %: its logger had nothing left to write, as
where an update or an episode was not complete.

A single run is short if it lacks more than 1 % of the training at which its task is compared. Up to half of it, its last score is carried
forward and every answer says so (R019, a warning); a run that lacks more has no end score, and is refused unless a policy was chosen. Runs
that were resumed (R402) are kept, and every answer mentions them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints
from runoff.base.validate import check_choice
from runoff.data.provenance import Caveat
from runoff.errors import DesignError, warn
from runoff.words.names import Incomplete
from runoff.words.speech import advised, choice, fact_of, option

POLICIES: tuple[Incomplete, ...] = ("auto", "error", "drop", "carry", "worst", "complete", "carry_forward")
SPELLED: Mapping[str, Incomplete] = MappingProxyType({"complete": "drop", "carry_forward": "carry"})
"""The names of two policies in the literature: complete cases, last observation carried forward."""
# Loggers write at the end of an episode or an update, so that ends of equal trainings differ by some steps.
TOLERANCE = 0.01
"""The largest difference between two ends that count as equal, as a share of the training."""
COARSE = 0.05
"""The largest such difference where it is less than the interval between the last two values of a run."""
LEAST = 0.5
"""The share of training that a run must complete to have an end score, and that algorithms must have in common to be compared."""
TENTH = "10%"
"""The last part of training whose mean is the score of a run if values are returns of training episodes: a single episode is mostly noise."""
NAMED = 3
"""The number of short runs, algorithms, tasks or steps that a note lists one by one."""


def spelled_policy(incomplete: Incomplete | None) -> Incomplete | None:
    """Return the package's name of a policy; refuse an unknown policy."""
    if incomplete is None:
        return None
    check_choice("incomplete", incomplete, POLICIES)
    return SPELLED.get(incomplete, incomplete)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnds:
    """The first and last step of each run, the interval before the last, the step at which training on its task starts, and the step that runs
    on it should reach.

    `cells` number each run's algorithm and task, `tasks` its task; `named(i)` is run i in words, `names(i)` its algorithm and task. at_step:
    the caller chose the step `due`; along: the caller wants curves, not scores.
    """

    first: Floats
    last: Floats
    interval: Floats
    start: Floats
    due: Floats
    cells: Ints
    tasks: Ints
    named: Callable[[int], str]
    names: Callable[[int], tuple[str, str]]
    at_step: bool = False
    along: bool = False

    @property
    def ended(self) -> Floats:
        """The step up to which each run was trained: what is due, if its log ends there but for a part of one interval."""
        # Of two or three values in all nobody knows the interval.
        even = 4 * self.interval <= self.due - self.start
        coarse = even & (self.share(self.last) >= 1 - COARSE) & (self.due - self.last < self.interval)
        # A curve has no value there, nor has a step that the caller chose.
        return np.where(coarse & (not self.at_step) & (not self.along), self.due, self.last)

    @property
    def reached(self) -> Floats:
        """The share of the training that each run completed."""
        return self.share(self.ended)

    @property
    def short(self) -> Bools:
        """Whether each run ended early: by more than the tolerance, or before a step that the caller chose."""
        return self.reached < 1 - (0.0 if self.at_step else TOLERANCE)

    @property
    def behind(self) -> Bools:
        """Whether each run belongs to an algorithm whose runs on the task all ended early."""
        return self.share(_by_group(np.max, self.ended, self.cells)) < 1 - TOLERANCE

    @property
    def begun(self) -> Floats:
        """The first step of each run, or that of the earliest run of its task if that is earlier by more than the tolerance."""
        earliest = _by_group(np.min, self.first, self.tasks)
        return np.where(self.differ(self.first - earliest), earliest, self.first)

    def differ(self, steps: Floats) -> Bools:
        """Return whether so many steps are more of each run's training than counts as equal."""
        return np.asarray(steps > TOLERANCE * (self.due - _by_group(np.min, self.first, self.tasks)))

    def share(self, steps: Floats) -> Floats:
        """Return the share of its training that each run has completed at a step."""
        return self.part(steps - self.start)

    def part(self, steps: Floats) -> Floats:
        """Return the share of each run's training that so many steps are."""
        span = self.due - self.start
        # Where all is one evaluation at step 0 there is no span, and every run has all of it.
        return np.where(span > 0, steps / np.where(span > 0, span, 1.0), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """The runs that are kept, those of them that get the lowest score of their task after their end, and the notes and caveats that say so.

    `due` is the step at which each run's task is compared; evaluations after `until`, and before `since`, do not count; `policy` is the
    treatment of runs that ended early, if there are any.
    """

    kept: Bools
    lowest: Bools
    due: Floats
    until: Floats
    since: Floats | None = None
    notes: tuple[str, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    policy: str | None = None

    def part(self, i: int, steps: Floats, values: Floats) -> tuple[Floats, Floats]:
        """Return the part of run i's curve that counts, with a score at each end, interpolated if there was no evaluation."""
        until = self.until[i]
        if self.since is not None and steps[0] < (since := self.since[i]):
            after = steps > since
            values = np.append(np.interp(since, steps, values), values[after])
            steps = np.append(since, steps[after])
        if steps[-1] <= until:
            return steps, values
        before = steps < until
        return np.append(steps[before], until), np.append(values[before], np.interp(until, steps, values))

    def carried_to(self, ends: RunEnds) -> Floats:
        """Return up to which step the last score of each run stands for what it lacks, −inf if it lacks nothing."""
        to = np.minimum(self.until, self.due)
        return np.where(ends.differ(to - ends.last) & (self.policy == "carry"), to, -np.inf)


def mean_height(steps: Floats, values: Floats, end: float) -> float:
    """Return the area under a curve by its span, its last score standing for it up to `end`: of curves that rise, the mean height up to the
    end of one that ended early would be too low."""
    if end > steps[-1]:
        steps, values = np.append(steps, end), np.append(values, values[-1])
    return float(np.trapezoid(values, steps) / (steps[-1] - steps[0]))


def treat(ends: RunEnds, incomplete: Incomplete) -> Treatment:
    """Return the runs that a policy keeps and the step up to which each counts.

    Raises
    ------
    DesignError
        A run is short and the policy is "error", or lacks half of its training and the policy is "auto"; all runs of an algorithm ended
        before a step that was asked for; or most runs of a cell would be left out.

    Warns
    -----
    RunoffWarning
        Policy "auto": training is unequal, or short runs are carried forward.
    """
    check_choice("incomplete", incomplete, POLICIES)
    incomplete = SPELLED.get(incomplete, incomplete)
    # A step that was asked for is a promise: "auto" makes no score up for it.
    strict = incomplete == "error" or (ends.at_step and incomplete == "auto")
    # Curves that end at a common step have no score that a run did not reach, so that this alone is no reason to refuse them.
    if strict and ends.short.any() and (ends.at_step or not ends.along):
        raise DesignError(_refusal(ends))
    if ends.at_step and ends.behind.any():
        raise DesignError(_beyond(ends, incomplete))
    ends, until, unequal = _levelled(ends)
    # Again, for now what is due is the common step, which most short runs have reached.
    if (strict and ends.short.any()) or (incomplete == "auto" and (ends.reached < LEAST).any()):
        raise DesignError(_refusal(ends))
    treated = _of_single_runs(ends, incomplete)
    facts = [fact_of(caveat.text) for caveat in unequal]
    # Chosen policies are known to whoever chose them; a default that changes numbers warns.
    for text in (*facts, *(fact_of(caveat.text) for caveat in treated.caveats)) if incomplete == "auto" else ():
        warn(text)
    notes = (*(fact.removesuffix(".") for fact in facts), *treated.notes)
    return replace(treated, until=until, notes=notes, caveats=(*unequal, *treated.caveats))


def together(ends: RunEnds, treated: Treatment) -> Treatment:
    """Return the treatment by which runs count from the first step at which all of their task were evaluated, and the notes that say so.

    A run that was first evaluated late has no poor scores of early training.
    """
    first = np.where(treated.kept, ends.first, -np.inf)
    latest = _by_group(np.max, first, ends.tasks)
    cut = treated.kept & ends.differ(latest - ends.first)
    # Of each task the first of the runs that were evaluated last.
    late = {int(ends.tasks[i]): i for i in np.flatnonzero(first == latest)[::-1].tolist()}
    places = [
        f"{latest[late[t]]:.10g}, the first evaluation of {ends.named(late[t])}" for t in np.unique(ends.tasks[cut])
    ]
    notes = [f"training before step {_some(places)}, is left out"] if places else []
    return replace(treated, since=np.where(cut, latest, ends.first), notes=(*treated.notes, *notes))


def _of_single_runs(ends: RunEnds, policy: str) -> Treatment:
    short, every = ends.short, np.ones_like(ends.short)
    if not short.any():
        least = float(ends.share(ends.last).min())
        tiny = f"runs of one task end within {1 - least:.1%} of each other, which counts as equal"
        return Treatment(kept=every, lowest=short, due=ends.due, until=ends.due, notes=(tiny,) if least < 1 else ())
    if policy == "drop":
        # Half of a cell left out because it crashed is no sample of the algorithm any more.
        if gutted := _gutted(ends):
            raise DesignError(
                f"most runs would be left out where {_end(ends, gutted[0])} ended: {_repairs(ends, policy)}."
            )
        return replace(_treatment(ends, ~short, ("it is left out", "they are left out")), policy=policy)
    if policy == "worst":
        counted = "it counts as the worst run of its task", "they count as the worst run of their task"
        return replace(_treatment(ends, every, counted), lowest=short, policy=policy)
    carried = "its last score stands for the end", "their last scores stand for the end"
    return replace(_treatment(ends, every, carried), policy="carry")


def lowest_of_task(values: Floats, lowest: Bools, tasks: Ints) -> Floats:
    """Return scores (n_runs, n_steps) in which the runs `lowest` get, at each step, the lowest score of their task, `tasks` (n_runs,)."""
    counted = values.copy()
    for task in np.unique(tasks[lowest]):
        # The run's own score is among those of its task, so that it never gains by ending early.
        counted[lowest & (tasks == task)] = values[tasks == task].min(axis=0)
    return counted


def _treatment(ends: RunEnds, kept: Bools, done: tuple[str, str]) -> Treatment:
    """Return the treatment in words; `done` describes the treatment of one run and of several."""
    which = np.flatnonzero(ends.short)
    listed = "; ".join(_end(ends, i) for i in _worst(ends)[:NAMED])
    more = f"; and {which.size - NAMED} more" if which.size > NAMED else ""
    treatment = f"{which.size:,} of {kept.size:,} runs ended early, and {done[which.size > 1]}"
    text = f"{treatment}: {listed}{more}."
    advice = advised(_joined(["finish such runs", *_at_common_step(ends)]), text)
    subjects = tuple(dict.fromkeys(ends.names(int(i))[0] for i in which))
    return Treatment(
        kept=kept,
        lowest=np.zeros_like(kept),
        due=ends.due,
        until=ends.due,
        notes=(text.removesuffix("."),),
        caveats=(Caveat(code="R019", severity="warning", text=advice, subjects=subjects, treatment=treatment),),
    )


def _worst(ends: RunEnds) -> list[int]:
    reached = ends.reached
    return sorted(np.flatnonzero(ends.short).tolist(), key=lambda i: (reached[i], i))


def _end(ends: RunEnds, i: int) -> str:
    return f"{ends.named(i)} at {_of_due(ends.last[i], ends.due[i])}"


def _of_due(step: float, due: float) -> str:
    return f"step {step:.10g} of {due:.10g} ({step / due if due > 0 else 1:.0%})"


def _gutted(ends: RunEnds) -> list[int]:
    """Return the short runs of the algorithms and tasks that would lose more than half of their runs, the shortest first."""
    n = int(ends.cells.max()) + 1
    all_runs, left_out = np.bincount(ends.cells, minlength=n), np.bincount(ends.cells[ends.short], minlength=n)
    return [i for i in _worst(ends) if 2 * left_out[ends.cells[i]] > all_runs[ends.cells[i]]]


# ── what can be done ──────────


def _refusal(ends: RunEnds) -> str:
    early = _worst(ends)
    count = f" ({len(early)} of {ends.last.size} runs end early)" if len(early) > 1 else ""
    i = early[0]
    what = f"the last score of {_end(ends, i)} is no end score"
    if ends.at_step:
        what = f"{ends.named(i)} was evaluated from step {ends.first[i]:.10g} to {ends.last[i]:.10g}, not at {ends.due[i]:.10g}"
    return f"{what}{count}: {_repairs(ends)}."


def _beyond(ends: RunEnds, policy: str) -> str:
    """Return the reason why scores are not imputed for all runs of an algorithm."""
    behind = ends.behind
    # Of the first such cell the run that came farthest: its end is that of the algorithm.
    i = max(np.flatnonzero(behind).tolist(), key=lambda run: (-ends.cells[run], ends.last[run]))
    algorithm, task = ends.names(i)
    return (
        f"all runs of algorithm {algorithm!r} on task {task!r} ended before step {ends.due[i]:.10g}, the last at {ends.last[i]:.10g}, and a "
        f"score is made up for single runs only: {_repairs(ends, policy)}."
    )


def _repairs(ends: RunEnds, tried: str = "") -> str:
    """Return the alternatives to the policy that was tried; each works with these runs."""
    drop, whole = option("incomplete", "drop"), bool(ends.behind.any())
    ways = []
    if tried != "drop" and _can_drop(ends):
        ways.append(
            f"{_look(ends)} the last step that each algorithm reached with {drop}"
            if whole
            else f"leave such runs out with {drop}"
        )
    elif _within(ends, step := float(_by_group(_most_reach, ends.last, ends.cells).min())) and step > ends.last.min():
        ways.append(f"{_look(ends)} a step that most runs reached, {_command(ends, step, drop=True)}")
    if not whole and (ends.reached[ends.short] > TOLERANCE).all():
        ways.append(f"carry it forward with {option('incomplete', 'carry')}")
    return _joined([*ways, *_at_common_step(ends)] or ["finish such runs, or leave them out of the data"])


def _can_drop(ends: RunEnds) -> bool:
    try:
        treat(ends, "drop")
    except DesignError:
        return False
    return True


def _at_common_step(ends: RunEnds) -> list[str]:
    """Return the advice to compare at the last step that all runs reached, if all have enough training by then."""
    step = float(ends.last.min())
    return [f"{_look(ends)} a step that all reached, {_command(ends, step)}"] if _within(ends, step) else []


def _within(ends: RunEnds, step: float) -> bool:
    """Return whether all runs were evaluated by a step and had started training before it."""
    return bool(step >= ends.first.max() and (ends.share(np.full(ends.last.size, step)) > TOLERANCE).all())


def _look(ends: RunEnds) -> str:
    return "look at curves up to" if ends.along else "compare at"


def _command(ends: RunEnds, step: float, *, drop: bool = False) -> str:
    text = f"{step:.0f}" if step.is_integer() else repr(step)
    shell = f"{'runoff curves --up-to' if ends.along else '--at'} {text}{' --incomplete drop' if drop else ''}"
    policy = ", " + option("incomplete", "drop") if drop else ""
    return choice(f"steps=[…, {text}]{policy}" if ends.along else f"at({text}{policy})", shell)


def _joined(ways: Sequence[str]) -> str:
    return ways[0] if len(ways) == 1 else f"{', '.join(ways[:-1])}, or {ways[-1]}"


# ── algorithms that were trained for unequal lengths ──────────


def _levelled(ends: RunEnds) -> tuple[RunEnds, Floats, tuple[Caveat, ...]]:
    """Return the ends with the last common step due on tasks of unequal training, the step up to which runs count there, and the caveats
    that say so.

    If no common step can stand for the end, each algorithm's own end is due. Curves are compared at every common step.
    """
    behind, until = ends.behind, np.full(ends.last.size, np.inf)
    if not behind.any():
        return ends, until, ()
    own = _by_group(_most_reach, ends.last, ends.cells)
    # The shortest of the algorithms that ended early decides; single short runs of others do not, for +inf is never
    # the least.
    common = _by_group(np.min, np.where(behind, own, np.inf), ends.tasks)
    unequal = np.isfinite(common)
    shares = ends.share(np.where(unequal, common, ends.due))
    # A run that was first evaluated later has no score at the common step, nor any to interpolate from.
    late = _by_group(np.max, ends.first, ends.tasks) > common
    stepless = unequal & (late | (shares < LEAST)) & (not ends.along)
    level = unequal & ~stepless
    due = np.where(level, common, np.where(stepless & behind, own, ends.due))
    # Only those who set the common step are named, not all who ended before the longest.
    first = behind & (ends.share(own) < shares + TOLERANCE)
    caveats = (
        *([_common_step(ends, np.flatnonzero(first & level), common)] if level.any() else []),
        *([_no_common_step(ends, np.flatnonzero(behind & stepless), own, late)] if stepless.any() else []),
    )
    return replace(ends, due=due), np.where(level, common, np.inf), caveats


def _common_step(ends: RunEnds, ended: Ints, common: Floats) -> Caveat:
    to = "up to" if ends.along else "at"
    alone = bool((ends.last[ended] == common[ended]).all())
    places = [
        f"{on}{to} {step}, {f'where {who} ended' if alone else f'the last that half of the runs of {who} reached'}"
        for on, step, who in _places(ends, ended, common)
    ]
    fact = f"training was unequal, so {'curves' if ends.along else 'all algorithms'} are compared {_some(places)}."
    text = advised("train all algorithms as long, to compare their ends", fact)
    return Caveat(code="R019", severity="info", text=text)


def _no_common_step(ends: RunEnds, ended: Ints, own: Floats, late: Bools) -> Caveat:
    several = len({ends.names(i)[0] for i in range(ends.last.size)}) > 2
    ways = [
        "train all algorithms as long",
        *[f"leave out those that were not ({choice('select(algorithms=[…])', '--algorithms A,B')})"] * several,
        *_at_common_step(ends),
    ]
    why = "not all were evaluated by the last common step" if late[ended].any() else "less than half of it is common"
    places = [f"{on}{names} ended at {step}" for on, step, names in _places(ends, ended, own)]
    text = advised(_joined(ways), f"training was unequal, and {why}: {_some(places)}.")
    subjects = tuple(dict.fromkeys(ends.names(i)[0] for i in ended.tolist()))
    return Caveat(code="R032", severity="warning", text=text, subjects=subjects)


def _places(ends: RunEnds, which: Ints, steps: Floats) -> list[tuple[str, str, str]]:
    """Return the tasks of runs in words ("" if there is only one), each with a step and its algorithms."""
    together: dict[tuple[int, float], list[int]] = {}
    for i in which.tolist():
        together.setdefault((int(ends.tasks[i]), float(steps[i])), []).append(i)
    alike: dict[tuple[str, str], list[str]] = {}
    for runs in together.values():
        algorithms = dict.fromkeys(ends.names(i)[0] for i in runs)
        key = _of_due(steps[runs[0]], ends.due[runs[0]]), _quoted(list(algorithms))
        alike.setdefault(key, []).append(ends.names(runs[0])[1])
    n = np.unique(ends.tasks).size
    return [
        (
            ""
            if n == 1
            else f"on {'both' if n == 2 else f'all {n}'} tasks "
            if len(tasks) == n
            else f"on {_quoted(tasks)} ",
            *key,
        )
        for key, tasks in alike.items()
    ]


def _quoted(names: Sequence[str]) -> str:
    shown = [repr(name) for name in names[:NAMED]] + [f"{len(names) - NAMED} more"] * (len(names) > NAMED)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _some(texts: Sequence[str]) -> str:
    return "; ".join(texts[:NAMED]) + (f"; and {len(texts) - NAMED} more" if len(texts) > NAMED else "")


def _most_reach(steps: Floats) -> float:
    """Return the last step that at least half of the runs ending at these steps reach."""
    # Of n runs sorted by their end, n − n // 2 end at this step or later: at least half of them, of an even number
    # exactly.
    return float(np.sort(steps)[steps.size // 2])


def _by_group(reduce: Callable[[Floats], float], values: Floats, groups: Ints) -> Floats:
    """Return for each value the reduction of its group."""
    _, at = np.unique(groups, return_inverse=True)
    # `unique` sorts the groups, so that the parts come in the order of `at`.
    parts = np.split(values[np.argsort(at, kind="stable")], np.cumsum(np.bincount(at))[:-1])
    return np.array([reduce(part) for part in parts])[at]
