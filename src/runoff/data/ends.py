"""Learning curves that are not what they seem: runs that end early, runs that are one run twice, runs whose steps go back.

A run is short if it lacks more than 1 % of the training of the longest run of its task. Up to half of it, its last score is
carried forward and every answer says so (R019); a run that lacks more has no end score, and is refused unless a policy was chosen.
Runs with equal evaluations (R023) and runs that were resumed (R402) are kept, and every answer says that they are there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints
from runoff.base.validate import check_choice
from runoff.data.provenance import Caveat
from runoff.errors import DesignError, RunoffWarning
from runoff.tables.runs import RunRows
from runoff.words.names import Incomplete
from runoff.words.speech import choice, option

POLICIES: tuple[Incomplete, ...] = ("auto", "error", "drop", "carry", "worst", "complete", "carry_forward")
SPELLED: Mapping[str, Incomplete] = MappingProxyType({"complete": "drop", "carry_forward": "carry"})
"""The names that the literature has for two of the policies: complete cases, last observation carried forward."""
AT_A_STEP = "compare at a step that all reached, {at}"
TOLERANCE = 0.01
"""Largest difference of two ends that count as equal, as a share of the training."""
LEAST = 0.5
"""Share of the training that a run must have behind it to have an end score."""
TENTH = "10%"
"""The part of training whose mean is the score of a run, where values are of training episodes: a single one is mostly noise."""
POINTS, WITHOUT_TREND, NOISY = 50, 0.8, 4.0
"""The least number of points, the share of the variance in the second half of a run that neighbours have, and its ratio to that of runs."""
NAMED = 3
"""Number of short runs that a note lists one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """The first and last step of each run, the first step of all runs of its task, and the step that is due there.

    `cells` are the positions of each run's algorithm and task; `named(i)` is run i in words, `algorithm(i)` its algorithm; `instead` is
    the repair that is offered where all runs reached some step.
    """

    first: Floats
    last: Floats
    start: Floats
    due: Floats
    cells: Ints
    named: Callable[[int], str]
    algorithm: Callable[[int], str]
    instead: str = AT_A_STEP

    @property
    def reached(self) -> Floats:
        """Share of the training that each run has behind it."""
        span = self.due - self.start
        return np.where(span > 0, (self.last - self.start) / np.where(span > 0, span, 1.0), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """Which runs are kept, which of these take the lowest score of their task from where they end, and the notes and caveats that say so."""

    kept: Bools
    lowest: Bools
    notes: tuple[str, ...] = ()
    caveats: tuple[Caveat, ...] = ()


def treat(ends: Ends, incomplete: Incomplete, *, tolerance: float = TOLERANCE) -> Treatment:
    """Return the runs to be kept under a policy.

    Raises
    ------
    DesignError
        A run is short and the policy is "error", or it lacks half of its training and the policy is "auto"; or most runs of a cell would
        be left out.

    Warns
    -----
    RunoffWarning
        Policy "auto": short runs are carried forward.
    """
    check_choice("incomplete", incomplete, POLICIES)
    incomplete = SPELLED.get(incomplete, incomplete)
    short = ends.reached < 1 - tolerance
    if not short.any():
        least = float(ends.reached.min())
        tiny = f"runs of one task end within {1 - least:.1%} of each other, which counts as equal"
        return Treatment(kept=~short, lowest=short, notes=(tiny,) if least < 1 else ())
    if incomplete == "error" or (incomplete == "auto" and (ends.reached < LEAST).any()):
        raise DesignError(_refusal(ends, short))
    if incomplete == "drop":
        if gutted := _gutted(ends, short):
            raise DesignError(
                f"most runs would be left out where {_end(ends, gutted[0])} ended: carry scores forward with "
                f"{option('incomplete', 'carry')}{_or_earlier(ends)}."
            )
        return _treatment(ends, short, ~short, ("it is left out", "they are left out"))
    if incomplete == "worst":
        counted = "it counts as the worst run of its task", "they count as the worst run of their task"
        return replace(_treatment(ends, short, np.ones_like(short), counted), lowest=short)
    carried = "its last score stands for the end", "their last scores stand for the end"
    treated = _treatment(ends, short, np.ones_like(short), carried)
    if incomplete == "auto":
        warnings.warn(treated.notes[0], RunoffWarning, stacklevel=4)
    return treated


def lowest_of_task(values: Floats, lowest: Bools, tasks: Ints) -> Floats:
    """Return scores (n_runs, n_steps) where those of some runs are the lowest of their task, (n_runs,), at each step."""
    counted = values.copy()
    for task in np.unique(tasks[lowest]):
        counted[lowest & (tasks == task)] = values[tasks == task].min(axis=0)
    return counted


def _treatment(ends: Ends, short: Bools, kept: Bools, done: tuple[str, str]) -> Treatment:
    """Return the treatment in words; `done` is what became of one run, and of several."""
    which = np.flatnonzero(short)
    listed = "; ".join(_end(ends, i) for i in _worst(ends, short)[:NAMED])
    more = f"; and {which.size - NAMED} more" if which.size > NAMED else ""
    text = f"{which.size} of {short.size} runs ended early, and {done[which.size > 1]}: {listed}{more}."
    advised = f"finish such runs{_or_earlier(ends)}: {text}"
    subjects = tuple(dict.fromkeys(ends.algorithm(int(i)) for i in which))
    return Treatment(
        kept=kept,
        lowest=np.zeros_like(kept),
        notes=(text.removesuffix("."),),
        caveats=(Caveat(code="R019", severity="warning", text=advised, subjects=subjects),),
    )


def _worst(ends: Ends, short: Bools) -> list[int]:
    reached = ends.reached
    return sorted(np.flatnonzero(short).tolist(), key=lambda i: (reached[i], i))


def _end(ends: Ends, i: int) -> str:
    return f"{ends.named(i)} at step {ends.last[i]:.10g} of {ends.due[i]:.10g} ({ends.last[i] / ends.due[i] if ends.due[i] > 0 else 1:.0%})"


def _refusal(ends: Ends, short: Bools) -> str:
    early = _worst(ends, short)
    count = f" ({len(early)} of {short.size} runs end early)" if len(early) > 1 else ""
    leave = "" if _gutted(ends, short) else f"leave such runs out with {option('incomplete', 'drop')}, "
    return (
        f"the last score of {_end(ends, early[0])} is no end score{count}: {leave}carry it forward with "
        f"{option('incomplete', 'carry')}{_or_earlier(ends)}."
    )


def _or_earlier(ends: Ends) -> str:
    common = float(ends.last.min())
    if common < ends.first.max():
        return ""
    step = f"{common:.10g}"
    at, up_to = choice(f"at({step})", f"--at {step}"), choice(f"steps=[…, {step}]", f"--up-to {step}")
    return f", or {ends.instead.format(at=at, up_to=up_to)}"


def _gutted(ends: Ends, short: Bools) -> list[int]:
    """Return the short runs of cells of which more than half would be left out, the shortest first."""
    all_runs, left_out = np.bincount(ends.cells), np.bincount(ends.cells[short], minlength=int(ends.cells.max()) + 1)
    return [i for i in _worst(ends, short) if 2 * left_out[ends.cells[i]] > all_runs[ends.cells[i]]]


# ── runs that are one run twice ──────────


WHOLE, TAIL = 4, 10
"""Numbers of equal evaluations that make two curves one run: all of two short curves, or the last ones of longer curves."""
DIFFERENT = 4
"""Least number of different scores among these evaluations: constant curves, as on a solved task, may be equal without being one run."""


def noisy(curves: Sequence[Floats], cells: Ints) -> tuple[Caveat, ...]:
    """Return a caveat of scores that are the last value of curves whose values vary without trend, and more than runs do.

    The variance of a value is half the mean squared difference of neighbours in the second half of a run; it has no trend if this is nearly
    the variance there. Runs vary as the means of their last tenths.
    """
    shares, white = [], []
    for cell in np.unique(cells):
        own = [curves[i] for i in np.flatnonzero(cells == cell).tolist()]
        if len(own) < 2 or min(map(len, own)) < POINTS:
            continue
        halves = [values[values.size // 2 :] for values in own]
        noise = [float(np.square(np.diff(half)).mean() / 2) for half in halves]
        white += [of / float(half.var(ddof=1)) for of, half in zip(noise, halves, strict=True) if of > 0]
        ends = [float(values[-(values.size // 10) :].mean()) for values in own]
        shares += [float(np.var(ends, ddof=1) / np.mean(noise))] if sum(noise) > 0 else []
    if not shares or np.median(white) < WITHOUT_TREND or np.mean(shares) * NOISY > 1:
        return ()
    text = (
        f"take the mean over the end of training, {choice(f'curves.final(last={TENTH!r})', option('last', TENTH))}: a single value of a run has "
        f"{NOISY:g} times the variance of runs or more, so that the last value alone is mostly noise, and hides differences."
    )
    return (Caveat(code="R406", severity="caution", text=text),)


def twins(
    curves: Sequence[tuple[Floats, Floats]],
    cells: Ints,
    n_tasks: int,
    named: Callable[[int], str],
    algorithms: Sequence[str],
) -> tuple[Caveat, ...]:
    """Return a caveat of curves (steps, scores) of one task that are equal, wholly or from a step on; cells: as algorithm · n_tasks + task."""
    first_with: dict[tuple[int, bytes], int] = {}
    pairs: list[tuple[int, int]] = []
    for i, (steps, values) in enumerate(curves):
        size = min(values.size, TAIL)
        if size < WHOLE or np.unique(values[-size:]).size < DIFFERENT:
            continue
        key = int(cells[i]) % n_tasks, steps[-size:].tobytes() + values[-size:].tobytes()
        other = first_with.setdefault(key, i)
        if other != i:
            pairs.append((other, i))
    if not pairs:
        return ()
    a, b = pairs[0]
    them, more = ("of each pair", f", as in {len(pairs) - 1} more") if len(pairs) > 1 else ("of them", "")
    subjects = tuple(dict.fromkeys(algorithms[int(cells[i]) // n_tasks] for pair in pairs for i in pair))
    text = (
        f"leave one {them} out: {named(a)} and {named(b)} are one run{_since(curves[a], curves[b])}{more}; every number of theirs is equal, so "
        "one run was counted twice."
    )
    return (Caveat(code="R023", severity="warning", text=text, subjects=subjects),)


def _since(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> str:
    """Return from where on two curves with one end are equal, in words; nothing where they are equal from their start."""
    size = min(a[1].size, b[1].size)
    differ = np.flatnonzero((a[0][-size:] != b[0][-size:]) | (a[1][-size:] != b[1][-size:]))
    if differ.size == 0 and a[1].size == b[1].size:
        return ""
    first = int(differ[-1]) + 1 if differ.size else 0
    return f" from step {a[0][-size:][first]:.10g} on"


# ── runs whose steps go back ──────────


def going_back(rows: RunRows, starts: Ints) -> tuple[Caveat, ...]:
    """Return the caveat of runs whose rows go back in step now and then (R402): shuffled rows do so at every second row, sorted ones never."""
    if rows.order is None:
        return ()
    steps = rows.steps
    breaks = []
    back = np.searchsorted(starts, np.flatnonzero(rows.order[1:] < rows.order[:-1]) + 1, side="right") - 1
    stops = np.append(starts[1:], steps.size)
    for run in np.unique(back).tolist():
        start, stop = int(starts[run]), int(stops[run])
        places = rows.order[start:stop]
        written = np.argsort(places, kind="stable")
        own = steps[start:stop][written]
        drops = np.flatnonzero((own[1:] < own[:-1]) & (own[1:] > np.minimum.accumulate(own)[:-1]))
        if 0 < drops.size <= max(1, own.size // 10):
            breaks.append((int(places[written[drops[0] + 1]]), own[drops[0]], own[drops[0] + 1]))
    if not breaks:
        return ()
    row, before, after = breaks[0]
    more = f", and in {len(breaks) - 1} more run{'s' * (len(breaks) > 2)}" if len(breaks) > 1 else ""
    text = (
        f"leave out what was trained again: steps go back from {before:.10g} to {after:.10g} in {rows.table.row(row)} ({rows.named(row)})"
        f"{more}, as where a run was resumed from a checkpoint; scores of both stretches are in one curve, sorted by step."
    )
    subjects = tuple(dict.fromkeys(rows.data.labels["algorithm"][i] for i, *_ in breaks))
    return (Caveat(code="R402", severity="warning", text=text, subjects=subjects),)
