"""CALLS: the call of each unit, one of five, from two tests, a limit and a power; and its sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf, isinf
from types import MappingProxyType

import numpy as np

from runoff._inference.gate.below import below_margin, mean_below, most_drops
from runoff._inference.gate.compared import ComparedUnits
from runoff._inference.gate.family import HALF, adjusted, alone, family_of, n_draws, n_labellings
from runoff._inference.gate.margins import in_margins
from runoff._inference.gate.reach import ROUNDING, Reach, fewest_runs, reach_of, reaches_of
from runoff._inference.gate.unit import CallSpeech, Terms, Tested, UnitCall
from runoff._inference.pairs import PairData
from runoff._inference.power import percent
from runoff.base.validate import MOST_RESAMPLES
from runoff.errors import OptionError
from runoff.words import speech
from runoff.words.names import GateCall
from runoff.words.numbers import counted, digits, exactly, margin_text, p_equals, shown_apart, some
from runoff.words.speech import choice

FEW_RUNS = 10
"""Fewer runs than this that hardly differ may hide a run that fails."""
HARDLY = "hardly differ, and so few do not rule out that some fail"


def calls_of(pair: PairData, terms: Terms) -> tuple[UnitCall, ...]:
    """Return the calls of all tasks, and then that of their mean if there are several."""
    units, scaled = terms.of(pair), in_margins(pair, terms.units)
    family = family_of(scaled, n_resamples=terms.n_resamples, streams=terms.streams)
    parts = parts_of(scaled)
    own = [*parts_of(pair)[: len(pair.tasks)], *parts[len(pair.tasks) :]]
    drops, able = family.drops(), family.able(terms.alarm)
    worths = [1 / unit for unit in units[: len(pair.tasks)]]
    compared = ComparedUnits.of(own, [unit * terms.margin for unit in units], scaled=terms.units is not None)
    below = below_margin(family, parts, terms.margin, terms.alpha, worths, least=compared.kept)
    # Where no run varies `compare` has no test, and the rarity of the labelling is all that is known.
    single = np.where(compared.silent, alone(drops), compared.dropped)
    pvalues = [
        single,
        # The larger p-value of two: what the gate calls, `compare` finds of the same runs too.
        np.maximum(adjusted(drops, able), compared.dropped),
        np.maximum(adjusted(family.below([0.0] * len(parts)), able), compared.risen),
        below.pvalues,
    ]
    tested = [
        Tested(alone=single, dropped=drop, risen=rise, kept=keep, high=end)
        for single, drop, rise, keep, end in zip(*(column.tolist() for column in pvalues), below.ends, strict=True)
    ]
    rows = zip(parts, reaches_of(parts, terms.alarm), tested, below.unknown, most_drops(parts, worths), strict=True)
    return tuple(
        _call(*row, shown=part, unit=unit, terms=terms) for row, part, unit in zip(rows, own, units, strict=True)
    )


def call_alone(pair: PairData, terms: Terms) -> UnitCall:
    """Return the call of the only task, or of the mean of all as if nothing else were asked: at the whole of alpha."""
    if len(pair.tasks) == 1:
        return calls_of(pair, terms)[0]
    family = family_of(pair, n_resamples=terms.n_resamples, streams=terms.streams)
    compared = ComparedUnits.of([pair], [terms.margin], scaled=False)
    worths = [1.0] * len(pair.tasks)
    below = mean_below(family, pair, terms.margin, terms.alpha, worths, least=compared.kept)
    drop = float(alone(family.drops()[-1:])[0])
    single = drop if compared.silent[0] else float(compared.dropped[0])
    tested = Tested(
        alone=single,
        dropped=max(drop, float(compared.dropped[0])),
        risen=1.0,  # a rule asks for the limit of a drop: nobody hears of a rise
        kept=float(below.pvalues[0]),
        high=below.ends[0],
    )
    most = most_drops(parts_of(pair), worths)[-1]
    return _call(
        pair, reach_of(pair, terms.alarm, 1), tested, below.unknown[0], most, shown=pair, unit=1.0, terms=terms
    )


def _call(
    part: PairData,
    reach: Reach | None,
    tested: Tested,
    unknown: tuple[str, ...],
    most: float,
    *,
    shown: PairData,
    unit: float,
    terms: Terms,
) -> UnitCall:
    """Return the call of a part, whose numbers are given in the units of `shown`: 1 there is `unit` here."""
    chance = 0.0 if reach is None or terms.margin > most else reach.power(terms.margin)
    lacking = reach is not None and chance < terms.power and terms.margin <= most
    detectable = inf if reach is None else reach.detectable(terms.power)
    return UnitCall(
        **tested.judged(terms, chance),
        task=None if len(part.tasks) > 1 else part.tasks[0],
        margin=unit * terms.margin,
        baseline=shown.combined(1.0, 0.0).estimate,
        candidate=shown.combined(0.0, 1.0).estimate,
        sizes=(part.n_runs_a[0], part.n_runs_b[0]),
        drop=shown.difference,
        high=None if tested.high is None else unit * tested.high,
        detectable=unit * detectable if detectable <= most else inf,
        runs_needed=reach.runs_needed(terms.margin, terms.power) if reach is not None and lacking else None,
        unknown=unknown,
        most=unit * most,
        narrow=_narrow(part, terms.margin),
        speech=CallSpeech(unit=" margins" if terms.units and len(part.tasks) > 1 else ""),
    )


def _narrow(part: PairData, margin: float) -> bool:
    """Return whether few runs of the candidate on one task spread by a tenth of the baseline's, or by a twentieth of the margin, or less."""
    if len(part.tasks) > 1 or part.n_runs_b[0] >= FEW_RUNS:
        return False
    before, now = (float(cell.std(ddof=1)) for cell in part.cells)
    return now <= before / 10 or now <= margin / 20


def outcome(calls: Sequence[UnitCall]) -> GateCall:
    """Return the call of the whole: a regression if any unit has regressed, else the call of the mean, or of the only task."""
    return "regressed" if any(call.verdict == "regressed" for call in calls) else calls[-1].verdict


def parts_of(pair: PairData) -> list[PairData]:
    """Return each task as a pair of its own, and then the pair as it is if there are several."""
    tasks = [
        PairData(a=pair.a, b=pair.b, x=[x], y=[y], tasks=[task], binary=pair.binary, rates=pair.binary)
        for x, y, task in zip(pair.x, pair.y, pair.tasks, strict=True)
    ]
    return [*tasks, pair] if len(tasks) > 1 else tasks


def nights_of_items(terms: Terms) -> str:
    """Return what one false positive rate over all nights is, or would be, of items."""
    if terms.nights > 1:
        return f"One false positive rate over {terms.nights} nights, α = {digits(terms.alarm, 2)} on each."
    often = percent(1 - (1 - terms.alpha) ** MONTH)
    how = choice(f"nights={MONTH}", f"--nights {MONTH}")
    return (
        f"α = {exactly(terms.alpha)} is of one candidate: {MONTH} of them give a false positive with a chance of up to {often}; {how} has one "
        "false positive rate over all."
    )


def night_words(calls: Sequence[UnitCall], pair: PairData, terms: Terms) -> str:
    """Return what one false positive rate over all nights costs, or what it is without one."""
    if terms.nights == 1:
        nights = choice(f"nights={MONTH}", f"--nights {MONTH}")
        if terms.twice:
            once = f"α = {exactly(terms.alpha)} is of one night, and a drop must be called twice"
            return f"{once}; {nights} has one false positive rate over all nights."
        often = percent(1 - (1 - terms.alpha) ** MONTH)
        return (
            f"α = {exactly(terms.alpha)} is of one night: {MONTH} of them give a false positive with a chance of up to {often}; "
            f"{nights} has one false positive rate over all, {choice('confirm=', '--confirm RERUN')} asks fresh runs before it blocks."
        )
    parts = parts_of(in_margins(pair, terms.units))
    single = reaches_of(parts, terms.alpha)[-1]
    sizes = [inf if single is None else single.detectable(terms.power), calls[-1].detectable]
    then, now = (digits(size, 4) if size < inf else "" for size in sizes)
    what = " of the mean over tasks" if len(parts) > 1 else ""
    called = f"is called with {percent(terms.power)} power"
    if now:
        reach = f"smallest drop{what} that {called} {now}, for one night by itself {then}"
    else:
        reach = f"no drop{what} {called}, {f'for one night by itself one of {then}' if then else 'nor for one night by itself'}"
    return f"One false positive rate over {terms.nights} nights, α = {digits(terms.alarm, 2)} on each: {reach}.{_never_words(pair, terms)}"


MONTH = 30


def _never_words(pair: PairData, terms: Terms) -> str:
    """Return a sentence that names the tasks on which no drop is called on any night, however large; or nothing."""
    together = len(pair.tasks)
    share = terms.alarm * (1 - HALF) if together > 1 else terms.alarm
    sizes = pair.sizes * together if pair.shared else pair.sizes
    never = [
        task for task, size in zip(pair.tasks, sizes, strict=True) if n_labellings(size) < 1 / (share * (1 + ROUNDING))
    ]
    if not never:
        return ""
    return (
        f" On {some(never)} no drop can be called significant by itself: so few runs have too few permutations for "
        f"{counted([terms.nights], 'night')}; it takes {fewest_runs(share)} of each."
    )


# ── the calls in sentences ──────────


def call_words(call: UnitCall, terms: Terms, n_tasks: int) -> str:
    over = f"Over {n_tasks} tasks{', each in units of its margin,' if terms.units else ''}"
    where = call.speech.place or (over if call.task is None else f"On {call.task!r}")
    return f"{where} {CALLS[call.verdict].sentence(call, terms)}"


def drop_words(call: UnitCall) -> str:
    by, what = call.drop.estimate, call.speech.what
    if by == 0:
        return f"the candidate's {what} is the baseline's"
    return f"the candidate's {what} is {digits(abs(by), 4)}{call.speech.unit} {'lower' if by > 0 else 'higher'}"


def numbers_words(call: UnitCall) -> str:
    """Return both means, with as many digits as show that they differ."""
    return " after ".join(shown_apart(call.candidate, call.baseline))


def _regressed(call: UnitCall, _: Terms) -> str:
    margin = margin_text(call.margin)
    # Of a drop beyond the margin nobody asks whether it may be as large.
    beyond = f", more than the margin of {margin}"
    matters = beyond if call.drop.estimate > call.margin else f", and a drop of {margin} or more is not ruled out"
    return (
        f"the candidate has regressed: its {call.speech.what} is {digits(call.drop.estimate, 4)}{call.speech.unit} lower "
        f"({numbers_words(call)}; adjusted {p_equals(call.pvalue_adjusted)} for no drop){matters}."
    )


def _improved(call: UnitCall, _: Terms) -> str:
    by = f"{digits(-call.drop.estimate, 4)}{call.speech.unit}"
    return f"the candidate has improved: its {call.speech.what} is {by} higher ({numbers_words(call)})."


def _held(call: UnitCall, _: Terms) -> str:
    lower = ", though the candidate is lower" if call.dropped else ""
    few = f"; its runs {HARDLY}" if call.narrow else ""
    numbers = f"{drop_words(call)} ({numbers_words(call)}{end_words(call)})"
    return f"a drop of {margin_text(call.margin)} or more is ruled out{lower}: {numbers}{few}."


def end_words(call: UnitCall) -> str:
    if call.high is None:
        return ""
    if call.high < 0:
        return f"; at least {digits(-call.high, 4)}{call.speech.unit} higher"
    return f"; at most {digits(call.high, 4)}{call.speech.unit} lower"


def _suspect(call: UnitCall, terms: Terms) -> str:
    if call.power >= terms.power:
        why = f"although a drop of {margin_text(call.margin)} would have been called with {percent(call.power)} power"
    else:
        tested = f"{p_equals(call.pvalue)}; adjusted {p_equals(call.pvalue_adjusted)}"
        alone = f"this {call.speech.alone if call.task else 'mean'} by itself"
        if terms.nights > 1:
            alone, tested = (
                f"{alone}, on a single night,",
                f"{tested}; a night of {terms.nights} has α = {digits(terms.alarm, 2)}",
            )
        # Of a drop alone: half of the p-value of compare, which asks about both directions.
        why = f"although the test of {speech.call('compare')}, one-sided, finds {alone} lower ({tested})"
    neither = f"{_neither(call)}, {why}{needed_words(call)}{_held_back(call)}"
    return f"the candidate is suspect: {drop_words(call)} ({numbers_words(call)}), and {neither}."


def _underpowered(call: UnitCall, terms: Terms) -> str:
    if call.unjudged:
        return f"the candidate is not judged: {drop_words(call)} ({numbers_words(call)}{end_words(call)}), and {call.unjudged}."
    if call.drop.df is None:
        sample = call.speech.sample
        return f"nothing is known of other {sample}: {drop_words(call)} ({numbers_words(call)}), and {_neither(call)}; {_alike(call)}."
    reach = f"{_smallest(call, terms)}{needed_words(call)}{_held_back(call)}"
    few = "too little is known" if call.speech.sample == "items" else f"these {call.speech.sample} are too few"
    return f"{few}: {drop_words(call)} ({numbers_words(call)}), and {_neither(call)}; {reach}."


def needed_words(call: UnitCall) -> str:
    """Return a clause that says how many runs call a drop of the margin, where these are too few and some number would."""
    if call.runs_needed is None:
        return ""
    amount = counted([call.runs_needed], call.speech.sample.removesuffix("s"))
    return f"; about {amount}{call.speech.of} would call {margin_text(call.margin)}"


def _alike(call: UnitCall) -> str:
    """Return why nothing is known of other runs; of rates the score interval knows a little."""
    sample = call.speech.sample
    same = f"no {sample.removesuffix('s')} differs from another of its side"
    if call.high is not None:
        same = "the two agree on every item" if sample == "items" else same
        return (
            f"{same}, and with so few a drop of up to {digits(call.high, 4)} is possible: more {sample} rule out more"
        )
    return f"{same}, so that nothing is known of how runs vary, and more runs of the same do not help until one differs"


def _held_back(call: UnitCall) -> str:
    """Return a clause that names the tasks for which no drop can be ruled out."""
    if not call.unknown:
        return ""
    if call.task is not None:
        return "; its runs reach two scores only, nearer to each other than the margin, so that nothing is known of lower ones"
    return (
        f"; on {', '.join(call.unknown)} nothing is known of other runs, so that no drop of the mean can be ruled out"
    )


def _neither(call: UnitCall) -> str:
    return f"neither is a regression established nor a drop of {margin_text(call.margin)} ruled out"


def _smallest(call: UnitCall, terms: Terms) -> str:
    with_power = f"with {percent(terms.power)} power"
    if not isinf(call.detectable):
        return f"the smallest drop this could call {with_power} is {digits(call.detectable, 4)}"
    if isinf(call.most):
        return f"no drop could be called {with_power}: so few runs have too few permutations"
    return f"no possible drop could be called {with_power}: from the baseline's {digits(call.baseline, 4)} the largest is {digits(call.most, 4)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallKind:
    """One of the five calls: what it means, its sentence, and whether its tasks are named in the first sentence."""

    means: str
    sentence: Callable[[UnitCall, Terms], str]
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


def gate_words(calls: Sequence[UnitCall], terms: Terms) -> str:
    """Return the outcome in one sentence: the number of each call, and the call of the mean."""
    tasks = [call for call in calls if call.task is not None]
    overall = calls[-1]
    if len(calls) == 1:
        return call_words(overall, terms, 1)
    by_call = {name: [str(call.task) for call in tasks if call.verdict == name] for name in CALLS}
    shown = {name: f" ({', '.join(of)})" if CALLS[name].named else "" for name, of in by_call.items() if of}
    named = [f"{len(by_call[name])} {name}{tasks_shown}" for name, tasks_shown in shown.items()]
    regressed = by_call["regressed"] if overall.verdict != "regressed" else []
    narrow = ", ".join(str(call.task) for call in tasks if call.narrow and call.verdict == "held")
    hardly = f" On {narrow} the candidate's runs {HARDLY}." if narrow else ""
    first = f"The candidate has regressed on {', '.join(regressed)}. " if regressed else ""
    by = "benchmark" if overall.speech.place else "task"
    return f"{first}{call_words(overall, terms, len(tasks))} By {by}: {', '.join(named)}.{hardly}"


LEAST_HITS = 5
"""So many labellings are at least expected below the smallest share of the error rate."""


def refuse_few_draws(pair: PairData, terms: Terms) -> None:
    """Refuse an error rate that the labellings which are drawn cannot show: nothing would ever be called."""
    share = terms.alarm * (HALF if len(pair.tasks) > 1 else 1.0)
    if n_draws(pair.sizes, terms.n_resamples) < terms.n_resamples or share * terms.n_resamples >= LEAST_HITS:
        return
    needed = ceil(LEAST_HITS / share)
    # `share` is that of one night; share · nights, spread over so many nights, is just as rare as these draws can
    # show.
    most = int(terms.n_resamples * share * terms.nights / LEAST_HITS)
    repair = f"use {choice(f'n_resamples={needed}', f'--n-resamples {needed}')}"
    if needed > MOST_RESAMPLES or most >= 1:
        repair = (
            f"{repair if needed <= MOST_RESAMPLES else 'give a larger alpha'}, or at most {counted([most], 'night')}"
        )
    raise OptionError(
        f"alpha {terms.alpha:g} over {counted([terms.nights], 'night')} needs p-values as small as {share:.2g}, and "
        f"{terms.n_resamples:,} permutations do not reach them: {repair}."
    )
