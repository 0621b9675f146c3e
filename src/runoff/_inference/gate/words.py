"""The calls in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isinf
from types import MappingProxyType

from runoff._inference.gate.calls import Asked, Call
from runoff._inference.power import percent
from runoff.words.numbers import counted, digits, exactly, p_equals


def call_words(call: Call, asked: Asked, n_tasks: int) -> str:
    """Return what is said of a task, or of the mean of all."""
    where = f"On {call.task!r}" if call.task is not None else f"Over {n_tasks} tasks"
    return f"{where} {CALLS[call.call].said(call, asked)}"


def _drop(call: Call) -> str:
    by = call.drop.estimate
    if by == 0:
        return "the candidate's mean is the baseline's"
    return f"the candidate's mean is {digits(abs(by), 4)} {'lower' if by > 0 else 'higher'}"


def _numbers(call: Call) -> str:
    """Return both means, with as many digits as show that they differ."""
    for count in range(4, 10):
        told = digits(call.candidate, count), digits(call.baseline, count)
        if told[0] != told[1] or call.drop.estimate == 0:
            break
    return f"{told[0]} after {told[1]}"


def _regressed(call: Call, asked: Asked) -> str:
    return (
        f"the candidate has regressed: its mean is {digits(call.drop.estimate, 4)} lower ({_numbers(call)}; adjusted "
        f"{p_equals(call.pvalue_adjusted)}), and a drop of {exactly(asked.margin)} or more is not ruled out."
    )


def _improved(call: Call, asked: Asked) -> str:
    del asked
    return f"the candidate has improved: its mean is {digits(-call.drop.estimate, 4)} higher ({_numbers(call)})."


def _held(call: Call, asked: Asked) -> str:
    lower = ", though it is lower, by less than that" if call.dropped else ""
    few = "; its runs hardly differ, and so few do not rule out that some fail" if call.narrow else ""
    return f"the candidate holds the baseline within {exactly(asked.margin)}{lower}: {_drop(call)} ({_numbers(call)}{_end(call)}){few}."


def _end(call: Call) -> str:
    if call.high is None:
        return ""
    if call.high < 0:
        return f"; at least {digits(-call.high, 4)} higher"
    return f"; at most {digits(call.high, 4)} lower"


def _suspect(call: Call, asked: Asked) -> str:
    if call.power >= asked.power:
        why = f"although a drop of {exactly(asked.margin)} would have been called with {percent(call.power)} power"
    else:
        tested = f"{p_equals(call.pvalue)}; adjusted {p_equals(call.pvalue_adjusted)}"
        why = f"although {'this task' if call.task else 'this mean'} by itself would be called lower ({tested})"
    return (
        f"the candidate is suspect: {_drop(call)} ({_numbers(call)}), and {_neither(asked)}, {why}{_held_back(call)}."
    )


def _underpowered(call: Call, asked: Asked) -> str:
    if call.drop.df is None:
        return (
            f"nothing is known of other runs: {_drop(call)} ({_numbers(call)}), and {_neither(asked)}; {_alike(call)}."
        )
    reach = f"{_smallest(call, asked)}{_needed(call, asked)}{_held_back(call)}"
    return f"these runs are too few: {_drop(call)} ({_numbers(call)}), and {_neither(asked)}; {reach}."


def _alike(call: Call) -> str:
    """Return why nothing is known of other runs; of rates the score interval knows a little."""
    same = "no run differs from another of its side"
    if call.high is not None:
        return f"{same}, and with so few a drop of up to {digits(call.high, 4)} is possible: more runs rule out more"
    return f"{same}, so that nothing is known of how runs vary, and more runs of the same do not help until one differs"


def _held_back(call: Call) -> str:
    """Return which tasks keep a drop from being ruled out."""
    if not call.unknown:
        return ""
    if call.task is not None:
        return "; its runs reach two scores only, nearer to each other than the margin, so that nothing is known of lower ones"
    return (
        f"; on {', '.join(call.unknown)} nothing is known of other runs, so that no drop of the mean can be ruled out"
    )


def _neither(asked: Asked) -> str:
    return f"neither is a regression established nor a drop of {exactly(asked.margin)} ruled out"


def _smallest(call: Call, asked: Asked) -> str:
    with_power = f"with {percent(asked.power)} power"
    if not isinf(call.detectable):
        return f"the smallest drop this could call {with_power} is {digits(call.detectable, 4)}"
    if isinf(call.most):
        return f"no drop could be called {with_power}: so few runs have no labelling that is rare enough"
    return f"no possible drop could be called {with_power}: from the baseline's {digits(call.baseline, 4)} the largest is {digits(call.most, 4)}"


def _needed(call: Call, asked: Asked) -> str:
    if call.drop.df is None or call.runs_needed is None:
        return ""
    return f"; about {counted([call.runs_needed], 'run')} of each on every task would call {exactly(asked.margin)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallKind:
    """One of the five calls: what it means, what is said of it, and whether its tasks are named in the first sentence."""

    means: str
    said: Callable[[Call, Asked], str]
    named: bool = True


CALLS: Mapping[str, CallKind] = MappingProxyType(
    {
        "regressed": CallKind(
            means="the mean is lower, and a drop of the margin or more is not ruled out", said=_regressed
        ),
        "suspect": CallKind(
            means="neither is established, although a drop of the margin would have been called with the power that is required, or this "
            "task by itself would be called lower",
            said=_suspect,
        ),
        "held": CallKind(
            means="a drop of the margin or more is ruled out, also where the mean is lower by less",
            said=_held,
            named=False,
        ),
        "improved": CallKind(means="the mean is higher", said=_improved),
        "underpowered": CallKind(
            means="neither is established, and a drop of the margin would have been called with less power than is required",
            said=_underpowered,
            named=False,
        ),
    }
)


def gate_words(calls: Sequence[Call], asked: Asked) -> str:
    """Return the outcome in one sentence: how many of each call, and what is said of the mean."""
    tasks = [call for call in calls if call.task is not None]
    overall = calls[-1]
    if len(tasks) == 1:
        return call_words(overall, asked, 1)
    found = {name: [str(call.task) for call in tasks if call.call == name] for name in CALLS}
    named = [f"{len(of)} {name}{_listed(of) if CALLS[name].named else ''}" for name, of in found.items() if of]
    lost = found["regressed"] if overall.call != "regressed" else []
    first = f"The candidate has regressed on {', '.join(lost)}. " if lost else ""
    return f"{first}{call_words(overall, asked, len(tasks))} By task: {', '.join(named)}.{_hardly(tasks)}"


def _hardly(tasks: Sequence[Call]) -> str:
    """Return on which tasks that are held the candidate's runs say little, though they agree."""
    names = [str(call.task) for call in tasks if call.narrow and call.call == "held"]
    return (
        f" On {', '.join(names)} the candidate's runs hardly differ, and so few do not rule out that some fail."
        if names
        else ""
    )


def _listed(names: Sequence[str]) -> str:
    return f" ({', '.join(names)})"
