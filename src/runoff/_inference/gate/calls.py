"""CALLS: the call of each unit, one of five, from two tests, a limit and a power; and its sentence.

Power is the chance that a drop of normal runs is called, at the unit's share of the error rate. The standard error is an estimate, and power is
averaged over what it may be instead. With few labellings the test does not follow a t law: then it is done on simulated runs, once for each
number of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isinf, sqrt
from types import MappingProxyType

import numpy as np
from scipy import optimize

from runoff._inference.bootstrap import Mean
from runoff._inference.gate.below import below_margin, most_drops
from runoff._inference.gate.family import HALF, adjusted, alone, family_of, freedom, labellings, n_labellings
from runoff._inference.pairs import PairData
from runoff._inference.power import critical_value, fewest, likely_errors, noncentral, percent
from runoff.base.arrays import Floats
from runoff.base.random import Streams
from runoff.words.names import GateCall
from runoff.words.numbers import counted, digits, exactly, p_equals

# ── power: what drops are called, and the runs that it takes ──────────


FEW_LABELLINGS = 300
"""Up to so many labellings the test is too discrete for a t law: power is then that of simulated experiments."""
EXPERIMENTS = 1_000
HALVINGS = 16
MOST = 100_000
"""The largest number of runs that is searched."""
TINY = 1e-300
MOST_ERRORS = 200.0
"""A drop of so many standard errors is never called, if no smaller one is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The design of a unit, from which power, detectable drops and numbers of runs follow.

    error: standard error of its drop; df: degrees of freedom of that estimate; sizes: the fewest runs of a task, of the baseline and of the
    candidate; n_tasks: tasks that it averages and relabels each by itself; variance: the squared error of one run of each on every task;
    n_together: tasks that share alpha.
    """

    error: float
    df: float
    variance: float
    sizes: tuple[int, int]
    n_tasks: int
    n_together: int
    alpha: float

    def power(self, drop: float) -> float:
        return self._power(drop / self.error, self.sizes)

    def detectable(self, power: float) -> float:
        """Return the smallest drop that is called with a power; inf: none is."""
        if self._power(MOST_ERRORS, self.sizes) < power:
            return inf
        distance = optimize.brentq(lambda errors: self._power(errors, self.sizes) - power, 0.0, MOST_ERRORS, xtol=1e-6)
        return float(distance) * self.error

    def runs_needed(self, drop: float, power: float) -> int | None:
        """Return how many runs of each on every task call a drop with a power, if they spread as these; None: more than `MOST`."""
        return fewest(lambda n: self._power(drop / sqrt(self.variance / n), (n, n)) >= power, MOST)

    def _power(self, errors: float, sizes: tuple[int, int]) -> float:
        chance = chance_of(*sizes, self.n_tasks, self.n_together, self.alpha)
        likely, weights = likely_errors(self.df)
        return float(weights @ chance(errors * likely))


def chance_of(n: int, m: int, n_tasks: int, n_together: int, alpha: float) -> Callable[[Floats], Floats]:
    """Return how likely drops of so many standard errors are called."""
    if n_labellings((n, m)) ** n_tasks <= FEW_LABELLINGS:
        if n_tasks > 1:
            return lambda errors: np.zeros_like(errors)
        needed = needed_errors(n, m, n_together, alpha)
        return lambda errors: np.searchsorted(needed, errors, side="right") / needed.size
    df = n_tasks * freedom([(n, m)])
    return lambda errors: noncentral(
        errors, df, critical_value(df, alpha / n_together, two_sided=False), two_sided=False
    )


@lru_cache(maxsize=64)
def needed_errors(n: int, m: int, n_together: int, alpha: float) -> Floats:
    """Return the drops, in standard errors and ascending, that simulated experiments of one task need to be called; inf: never.

    A drop is called where the p-values of the task and of those that it shares alpha with add up to at most alpha. Theirs are
    tails like that of this task, over all relabelled experiments without a drop.
    """
    trials, others = _Trials.of(n, m), n_together - 1
    null = np.sort(trials.statistic(np.zeros(EXPERIMENTS)), axis=None)
    low, high = np.zeros(EXPERIMENTS), np.full(EXPERIMENTS, MOST_ERRORS)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        t = trials.statistic(-middle * sqrt(1 / n + 1 / m))
        tail = 1 - np.searchsorted(null, t[:, 0] * (1 - ROUNDING)) / null.size
        own = (t >= t[:, :1] * (1 - ROUNDING)).mean(axis=1)
        called = own + others * tail <= alpha * (1 + ROUNDING)
        called &= (others == 0) | (own < alpha * (1 - ROUNDING))  # else no other unit may ever be as far out
        low, high = np.where(called, low, middle), np.where(called, middle, high)
    return np.sort(np.where(high >= MOST_ERRORS, inf, high))


@dataclass(frozen=True, slots=True)
class _Trials:
    """Simulated experiments of one task, and their sums under every labelling: of scores, squares, candidates, scores of candidates."""

    runs: Floats
    parts: tuple[Floats, Floats, Floats, Floats]
    sizes: tuple[int, int]

    @classmethod
    def of(cls, n: int, m: int) -> _Trials:
        runs = Streams(0).block("gate/reach", n, m).normal(size=(EXPERIMENTS, n + m))
        masks = labellings((n, m), n_labellings((n, m)), Streams(0), 0).T
        own = np.repeat([0.0, 1.0], [n, m])
        return cls(runs, (runs @ masks, runs**2 @ masks, (own @ masks)[None, :], (runs * own) @ masks), (n, m))

    def statistic(self, shift: Floats) -> Floats:
        """Return t of every experiment under every labelling, that of the data first, the candidate's scores being shifted."""
        (n, m), by = self.sizes, shift[:, None]
        scores, squares, moved, moved_scores = self.parts
        s, q = scores + by * moved, squares + 2 * by * moved_scores + by**2 * moved
        values = self.runs + by * np.repeat([0.0, 1.0], [n, m])
        rest_s, rest_q = values.sum(axis=1, keepdims=True) - s, (values**2).sum(axis=1, keepdims=True) - q
        squared = (q - s * s / n) / (n * (n - 1)) + (rest_q - rest_s * rest_s / m) / (m * (m - 1))
        return np.asarray((s / n - rest_s / m) / np.sqrt(np.maximum(squared, TINY)))


ROUNDING = 1e-9
FEW_RUNS = 10
"""Fewer runs than this that hardly differ may hide a run that fails."""
HARDLY = "hardly differ, and so few do not rule out that some fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The options of a gate, checked."""

    margin: float
    alpha: float
    power: float
    n_resamples: int
    streams: Streams


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The answer for a unit: a task, or the mean of all tasks (None).

    pvalue, pvalue_adjusted: against no drop; pvalue_held: against a drop of the margin or more, adjusted; high: upper limit of the drop, None:
    there is none; power: to call a drop of the margin; detectable: the smallest drop that is called with the power that was asked for;
    unknown: tasks of whose other runs nothing is known; most: the largest drop that is possible from the baseline's rate, inf where scores
    are no rates; narrow: whether the candidate's few runs of a task hardly differ.
    """

    task: str | None
    call: GateCall
    baseline: float
    candidate: float
    sizes: tuple[int, int]
    drop: Mean
    high: float | None
    dropped: bool
    pvalue: float
    pvalue_adjusted: float
    pvalue_held: float
    power: float
    detectable: float
    runs_needed: int | None
    unknown: tuple[str, ...]
    most: float
    narrow: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tested:
    """The tests of a unit: p-values against no drop (alone and adjusted), no rise and a drop of the margin; the upper limit of its drop."""

    alone: float
    dropped: float
    risen: float
    kept: float
    high: float | None


def calls_of(pair: PairData, terms: Terms) -> tuple[Call, ...]:
    """Return the calls of all tasks, and then that of their mean if there are several."""
    family = family_of(pair, n_resamples=terms.n_resamples, streams=terms.streams)
    parts = parts_of(pair)
    drops, able = family.drops(), family.able(terms.alpha)
    below = below_margin(family, parts, terms.margin, terms.alpha)
    pvalues = [alone(drops), adjusted(drops, able), adjusted(family.rises(), able), below.pvalues]
    tested = [
        _Tested(alone=single, dropped=drop, risen=rise, kept=keep, high=end)
        for single, drop, rise, keep, end in zip(*(column.tolist() for column in pvalues), below.ends, strict=True)
    ]
    possible = zip(parts, reaches_of(parts, terms.alpha), tested, below.unknown, most_drops(parts), strict=True)
    return tuple(_call(*row, terms=terms) for row in possible)


def _call(
    part: PairData, reach: Reach | None, tested: _Tested, unknown: tuple[str, ...], most: float, *, terms: Terms
) -> Call:
    chance = 0.0 if reach is None or terms.margin > most else reach.power(terms.margin)
    lacking = reach is not None and chance < terms.power and terms.margin <= most
    detectable = inf if reach is None else reach.detectable(terms.power)
    alpha = terms.alpha * (1 + ROUNDING)
    return Call(
        task=None if len(part.tasks) > 1 else part.tasks[0],
        call=call_of(
            improved=tested.risen <= alpha / 2,
            holds=tested.kept <= alpha,
            dropped=tested.dropped <= alpha,
            suspected=tested.alone <= alpha or chance >= terms.power,
        ),
        baseline=part.combined(1.0, 0.0).estimate,
        candidate=part.combined(0.0, 1.0).estimate,
        sizes=(part.n_runs_a[0], part.n_runs_b[0]),
        drop=part.difference,
        high=tested.high,
        dropped=tested.dropped <= alpha,
        pvalue=tested.alone,
        pvalue_adjusted=tested.dropped,
        pvalue_held=tested.kept,
        power=chance,
        detectable=detectable if detectable <= most else inf,
        runs_needed=reach.runs_needed(terms.margin, terms.power) if reach is not None and lacking else None,
        unknown=unknown,
        most=most,
        narrow=_narrow(part, terms.margin),
    )


def call_of(*, improved: bool, holds: bool, dropped: bool, suspected: bool) -> GateCall:
    """Return the call; the first that holds.

    A drop that is surely less than the margin does not matter, by the meaning of the margin: it is held.
    """
    if improved:
        return "improved"
    if holds:
        return "held"
    if dropped:
        return "regressed"
    return "suspect" if suspected else "underpowered"


def _narrow(part: PairData, margin: float) -> bool:
    """Return whether few runs of the candidate on one task spread by a tenth of the baseline's, or by a twentieth of the margin, or less."""
    if len(part.tasks) > 1 or part.n_runs_b[0] >= FEW_RUNS:
        return False
    before, now = (float(cell.std(ddof=1)) for cell in part.cells)
    return now <= before / 10 or now <= margin / 20


def outcome(calls: Sequence[Call]) -> GateCall:
    """Return the call of the whole: a regression if any unit has regressed, else the call of the mean, or of the only task."""
    return "regressed" if any(call.call == "regressed" for call in calls) else calls[-1].call


def parts_of(pair: PairData) -> list[PairData]:
    """Return each task as a pair of its own, and then the pair as it is if there are several."""
    tasks = [
        PairData(a=pair.a, b=pair.b, x=[x], y=[y], tasks=[task], binary=pair.binary, rates=pair.binary)
        for x, y, task in zip(pair.x, pair.y, pair.tasks, strict=True)
    ]
    return [*tasks, pair] if len(tasks) > 1 else tasks


def reaches_of(parts: Sequence[PairData], alpha: float) -> list[Reach | None]:
    """Return the reach of each unit at its first-step share of alpha; None where runs do not vary."""
    if len(parts) == 1:
        return [_reach(parts[0], alpha, 1)]
    n_tasks = len(parts) - 1
    return [*(_reach(part, alpha * (1 - HALF), n_tasks) for part in parts[:-1]), _reach(parts[-1], alpha * HALF, 1)]


def _reach(part: PairData, alpha: float, n_together: int) -> Reach | None:
    drop = part.difference
    if drop.df is None:
        return None
    cells = part.as_one_task().cells if part.shared else part.cells
    blocks = len(cells) // 2
    return Reach(
        error=drop.error,
        df=drop.df,
        variance=sum(float(cell.var(ddof=1)) for cell in cells) / blocks**2,
        sizes=(part.n_runs_a[0], part.n_runs_b[0]),
        n_tasks=blocks,
        n_together=n_together,
        alpha=alpha,
    )


# ── the calls in sentences ──────────


def call_words(call: Call, terms: Terms, n_tasks: int) -> str:
    where = f"On {call.task!r}" if call.task is not None else f"Over {n_tasks} tasks"
    return f"{where} {CALLS[call.call].sentence(call, terms)}"


def _drop(call: Call) -> str:
    by = call.drop.estimate
    if by == 0:
        return "the candidate's mean is the baseline's"
    return f"the candidate's mean is {digits(abs(by), 4)} {'lower' if by > 0 else 'higher'}"


def _numbers(call: Call) -> str:
    """Return both means, with as many digits as show that they differ."""
    for count in range(4, 10):
        means = digits(call.candidate, count), digits(call.baseline, count)
        if means[0] != means[1] or call.drop.estimate == 0:
            break
    return f"{means[0]} after {means[1]}"


def _regressed(call: Call, terms: Terms) -> str:
    return (
        f"the candidate has regressed: its mean is {digits(call.drop.estimate, 4)} lower ({_numbers(call)}; adjusted "
        f"{p_equals(call.pvalue_adjusted)}), and a drop of {exactly(terms.margin)} or more is not ruled out."
    )


def _improved(call: Call, _: Terms) -> str:
    return f"the candidate has improved: its mean is {digits(-call.drop.estimate, 4)} higher ({_numbers(call)})."


def _held(call: Call, terms: Terms) -> str:
    lower = ", though it is lower, by less than that" if call.dropped else ""
    few = f"; its runs {HARDLY}" if call.narrow else ""
    return f"the candidate holds the baseline within {exactly(terms.margin)}{lower}: {_drop(call)} ({_numbers(call)}{_end(call)}){few}."


def _end(call: Call) -> str:
    if call.high is None:
        return ""
    if call.high < 0:
        return f"; at least {digits(-call.high, 4)} higher"
    return f"; at most {digits(call.high, 4)} lower"


def _suspect(call: Call, terms: Terms) -> str:
    if call.power >= terms.power:
        why = f"although a drop of {exactly(terms.margin)} would have been called with {percent(call.power)} power"
    else:
        tested = f"{p_equals(call.pvalue)}; adjusted {p_equals(call.pvalue_adjusted)}"
        why = f"although {'this task' if call.task else 'this mean'} by itself would be called lower ({tested})"
    return (
        f"the candidate is suspect: {_drop(call)} ({_numbers(call)}), and {_neither(terms)}, {why}{_held_back(call)}."
    )


def _underpowered(call: Call, terms: Terms) -> str:
    if call.drop.df is None:
        return (
            f"nothing is known of other runs: {_drop(call)} ({_numbers(call)}), and {_neither(terms)}; {_alike(call)}."
        )
    of_each = (
        f"about {counted([call.runs_needed], 'run')} of each on every task" if call.runs_needed is not None else ""
    )
    needed = f"; {of_each} would call {exactly(terms.margin)}" if of_each else ""
    reach = f"{_smallest(call, terms)}{needed}{_held_back(call)}"
    return f"these runs are too few: {_drop(call)} ({_numbers(call)}), and {_neither(terms)}; {reach}."


def _alike(call: Call) -> str:
    """Return why nothing is known of other runs; of rates the score interval knows a little."""
    same = "no run differs from another of its side"
    if call.high is not None:
        return f"{same}, and with so few a drop of up to {digits(call.high, 4)} is possible: more runs rule out more"
    return f"{same}, so that nothing is known of how runs vary, and more runs of the same do not help until one differs"


def _held_back(call: Call) -> str:
    """Return a clause that names the tasks for which no drop can be ruled out."""
    if not call.unknown:
        return ""
    if call.task is not None:
        return "; its runs reach two scores only, nearer to each other than the margin, so that nothing is known of lower ones"
    return (
        f"; on {', '.join(call.unknown)} nothing is known of other runs, so that no drop of the mean can be ruled out"
    )


def _neither(terms: Terms) -> str:
    return f"neither is a regression established nor a drop of {exactly(terms.margin)} ruled out"


def _smallest(call: Call, terms: Terms) -> str:
    with_power = f"with {percent(terms.power)} power"
    if not isinf(call.detectable):
        return f"the smallest drop this could call {with_power} is {digits(call.detectable, 4)}"
    if isinf(call.most):
        return f"no drop could be called {with_power}: so few runs have no labelling that is rare enough"
    return f"no possible drop could be called {with_power}: from the baseline's {digits(call.baseline, 4)} the largest is {digits(call.most, 4)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallKind:
    """One of the five calls: what it means, its sentence, and whether its tasks are named in the first sentence."""

    means: str
    sentence: Callable[[Call, Terms], str]
    named: bool = True


CALLS: Mapping[str, CallKind] = MappingProxyType(
    {
        "regressed": CallKind(
            means="the mean is lower, and a drop of the margin or more is not ruled out", sentence=_regressed
        ),
        "suspect": CallKind(
            means="neither is established, although a drop of the margin would have been called with the power that is required, or this "
            "task by itself would be called lower",
            sentence=_suspect,
        ),
        "held": CallKind(
            means="a drop of the margin or more is ruled out, also where the mean is lower by less",
            sentence=_held,
            named=False,
        ),
        "improved": CallKind(means="the mean is higher", sentence=_improved),
        "underpowered": CallKind(
            means="neither is established, and a drop of the margin would have been called with less power than is required",
            sentence=_underpowered,
            named=False,
        ),
    }
)


def gate_words(calls: Sequence[Call], terms: Terms) -> str:
    """Return the outcome in one sentence: how many of each call, and what is said of the mean."""
    tasks = [call for call in calls if call.task is not None]
    overall = calls[-1]
    if len(tasks) == 1:
        return call_words(overall, terms, 1)
    by_call = {name: [str(call.task) for call in tasks if call.call == name] for name in CALLS}
    shown = {name: f" ({', '.join(of)})" if CALLS[name].named else "" for name, of in by_call.items() if of}
    named = [f"{len(by_call[name])} {name}{tasks_shown}" for name, tasks_shown in shown.items()]
    regressed = by_call["regressed"] if overall.call != "regressed" else []
    narrow = ", ".join(str(call.task) for call in tasks if call.narrow and call.call == "held")
    hardly = f" On {narrow} the candidate's runs {HARDLY}." if narrow else ""
    first = f"The candidate has regressed on {', '.join(regressed)}. " if regressed else ""
    return f"{first}{call_words(overall, terms, len(tasks))} By task: {', '.join(named)}.{hardly}"
