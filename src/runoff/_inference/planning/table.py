"""The table of differences that a reader of a pilot would ask about: what each takes, in numbers and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from runoff._inference import pairs as pairing
from runoff._inference.family import first_level
from runoff._inference.planning.chance import EXACT_POWER, MOST_SIMULATED, PLAN_TESTS, PlanOptions
from runoff._inference.planning.needed import (
    Needed,
    average_runs,
    runs_of,
    simulated_beyond,
    smallest_shown,
)
from runoff._inference.planning.pilot import Pilot, outlying, pilot_of
from runoff._inference.planning.words import (
    pooled_words,
    small_pilot,
    still_words,
    unassured_words,
    where_words,
)
from runoff._inference.planning.world import TrueLead
from runoff._inference.power import POWER_TESTS, percent, required_power
from runoff.answer.base import Advice, compared_at, filled
from runoff.answer.plan import PlanRow, PlanTable
from runoff.base.random import streams
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.measures import differences_words
from runoff.words.numbers import counted, digits, span
from runoff.words.speech import Sentence, choice, neutral, option

SHARES = {"5%": 0.05, "10%": 0.1, "20%": 0.2}
"""The shares of the leader's mean that are asked about."""
WORK, LIGHT = 2_500, 8_000
"""The most scores of an experiment that a table simulates, and by a light test; beyond, it says what a t test takes."""
NEAR_ENOUGH = 0.85
"""The number of a t test is not that of the simulated one: a plan is pointed to where up to this share of the most runs would do."""
REPEATS, ASSURANCE = 2_000, 0.9
"""The defaults of `plan`."""
SHADE = 1e-7
"""A difference is taken larger by this share, so that the runs that show it are not one too few by rounding."""


def family_level(scores: Scores, alpha: float, *, control: str | None = None) -> tuple[float, int]:
    """Return the level of the first step over the pairs of the algorithms, or of the control, as `compare` corrects them, and their number."""
    k = scores.n_algorithms
    n_pairs = max(k * (k - 1) // 2 if control is None else k - 1, 1)
    return first_level(alpha, n_pairs, "auto"), n_pairs


def as_planned(pilot: Pilot, test: str) -> Pilot:
    """Return the pilot as a test sees it: one that looks at nothing but the means of shared runs sees one task."""
    means = pilot.pair.shared and test in ("studentized_permutation", *POWER_TESTS)
    return pilot.as_one_task() if means else pilot


def default_table(
    scores: Scores, *, power: float, alpha: float, cost: float | None, advice: tuple[Advice, ...]
) -> PlanTable:
    """Return the table by the measure and the test that `compare` takes for such runs, with 90 % assurance."""
    given, options, needed, n_pairs = _defaults(scores, pairing.measure_of(scores), power, alpha)
    return table_of(given, options, needed, n_pairs=n_pairs, prices=(None, cost), advice=advice)


def budget_words(scores: Scores, measure: str, *, power: float, alpha: float, control: str | None) -> str:
    """Return how many runs the lead that matters would take, of the leader, or of a control, and its nearest rival, in words."""
    given, options, needed, _ = _defaults(scores, measure, power, alpha, control)
    pilot = as_planned(given, options.test)
    row = _row("margin", margin_effect(pilot), pilot, options, needed, prices=(None, None))
    if row.n_runs is None:
        return f"no number is known for {given.pair.a!r} and {given.pair.b!r}, for {row.reason}"
    wanted = row.n_runs_average or row.n_runs
    where = where_words(given.pair.shared, given.n_tasks)
    return (
        f"a {_margin_words(row, given)} would take about {wanted} {given.pair.unit}s {where} ({row.n_runs} with {percent(ASSURANCE)} "
        f"assurance), where there are {span(pilot.sizes)}"
    )


def _defaults(
    scores: Scores, measure: str, power: float, alpha: float, control: str | None = None
) -> tuple[Pilot, PlanOptions, Needed, int]:
    """Return the defaults of `plan`, and the number of pairs; with a control, only its pairs count."""
    given = pilot_of(scores, measure, leader_first=True, control=control)
    level, n_pairs = family_level(scores, alpha, control=control)
    options = PlanOptions(
        effect=margin_effect(given),
        test=pairing.chosen_test(given.pair, measure),
        alpha=level,
        n_repeats=REPEATS,
        n_resamples=REPEATS,
        streams=streams(0),
        threads=None,
    )
    return given, options, Needed(power=required_power(power, level), assurance=ASSURANCE), n_pairs


def table_of(
    given: Pilot,
    options: PlanOptions,
    needed: Needed,
    *,
    n_pairs: int,
    prices: tuple[float | None, float | None],
    advice: tuple[Advice, ...],
) -> PlanTable:
    """Return the table of a pilot; a difference that cannot be planned for has its reason in place of runs."""
    pilot = as_planned(given, options.test)
    questions = _questions(pilot, options, needed.power)
    rows = tuple(_row(question, effect, pilot, options, needed, prices=prices) for question, effect in questions)
    return filled(
        PlanTable,
        given.pair,
        given,
        options,
        needed,
        rows=rows,
        title=PLAN_TESTS[options.test].title,
        n_pairs=n_pairs,
        n_pilot=given.sizes[0],
        n_pilot_most=given.sizes[1],
        shared=given.pair.shared,
        outlying=outlying(pilot),
        sentence=Sentence(f"{compared_at(advice)} {_sentence(rows, given, options, needed)}".strip()),
        notes=_notes(rows, given, options, n_pairs),
        advice=advice,
    )


def margin_effect(pilot: Pilot) -> TrueLead:
    """Return the difference that matters where none is named, a tenth of the range of the runs as `compare` has it, as an effect."""
    size = pairing.margin_of_range(pilot.pair, pilot.measure)
    if pilot.measure == pairing.IMPROVEMENT and not pilot.binary:
        return TrueLead(value=pairing.EVEN + size, unit="improvement")
    return _shift(pilot, size)


def _shift(pilot: Pilot, size: float) -> TrueLead:
    """Return a difference of the measure as a shift: downwards where the leader's rate leaves no room above."""
    points = size * _points(pilot)
    up = not pilot.binary or float(pilot.means.mean()) + points < 1
    return TrueLead(value=points if up else -points, unit="raw")


def _margin_words(row: PlanRow, given: Pilot) -> str:
    """Return the difference that matters with whose and what it is."""
    a, b = given.pair.a, given.pair.b
    between = (
        "" if given.alike else f" of {a} over {b}" if given.measure == pairing.IMPROVEMENT else f" between {a} and {b}"
    )
    what = differences_words(given.measure, binary=given.pair.binary)
    return f"{what} of {size_words(row.effect, given.measure)}{between} (a tenth of {_range_words(given)})"


def _range_words(given: Pilot) -> str:
    if given.pair.binary:
        return "the range of success rates"
    return "its range above ½" if given.measure == pairing.IMPROVEMENT else f"the range of the {given.pair.unit}s"


def _points(pilot: Pilot) -> float:
    """Return the difference of rates that a measure's unit is: of the improvement, two."""
    return 2.0 if pilot.binary and pilot.measure == pairing.IMPROVEMENT else 1.0


def size_words(effect: float | None, measure: str) -> str:
    """Return a difference, of the improvement the chance itself; a dash for none."""
    return digits(effect if effect is None or measure != pairing.IMPROVEMENT else pairing.EVEN + effect)


def _questions(pilot: Pilot, options: PlanOptions, power: float) -> Iterator[tuple[str, TrueLead | str]]:
    """Yield the questions with their effects, or the reason why there is none."""
    yield "margin", margin_effect(pilot)
    for name, share in SHARES.items():
        yield name, TrueLead(value=share, unit="lift")
    size, untold = smallest_shown(pilot, options, power)
    if size is None:
        yield "detectable", untold
    elif pilot.measure == pairing.IMPROVEMENT and not pilot.binary:
        certain = (
            f"with so few {pilot.pair.unit}s even a probability of 1 is found with less than {percent(power)} power"
        )
        yield (
            "detectable",
            certain
            if pairing.EVEN + size >= 1
            else TrueLead(value=pairing.EVEN + size * (1 + SHADE), unit="improvement"),
        )
    else:
        yield "detectable", _shift(pilot, size * (1 + SHADE))


NOTHING: Mapping[str, Any] = MappingProxyType(
    dict.fromkeys(f.name for f in fields(PlanRow) if f.name not in ("question", "effect_unit", "reason"))
)


def _row(
    question: str,
    effect: TrueLead | str,
    pilot: Pilot,
    options: PlanOptions,
    needed: Needed,
    *,
    prices: tuple[float | None, float | None],
) -> PlanRow:
    row: PlanRow = PlanRow(question=question, effect_unit="" if isinstance(effect, str) else effect.unit, **NOTHING)
    if isinstance(effect, str):
        return replace(row, reason=Sentence(effect))
    own = replace(options, effect=effect)
    try:
        size = abs(effect.lead(pilot))
        row = replace(row, effect=size)
        most = _most(options.test, pilot.n_tasks)
        # A report is made while one waits: what would be simulated for minutes is named by its closed form instead.
        likely = simulated_beyond(pilot, own, needed, most)
        if likely is not None:
            return replace(
                row, n_runs_average=average_runs(pilot, own, needed.power), reason=Sentence(_slow(effect, most, likely))
            )
        runs = runs_of(pilot, own, needed)
    # A question that cannot be answered does not take the other rows with it.
    except (DesignError, OptionError) as refusal:
        return replace(row, reason=Sentence(neutral(refusal).rstrip(".")))
    total = 2 * runs.n_runs * (1 if pilot.pair.shared else pilot.n_tasks)
    hours, cost = (None if price is None else price * total for price in prices)
    return replace(
        row,
        n_runs=runs.n_runs,
        n_runs_naive=runs.naive,
        n_runs_average=runs.average,
        n_runs_pooled=runs.pooled,
        total_runs=total,
        hours=hours,
        cost=cost,
    )


def _slow(effect: TrueLead, most: int, likely: int) -> str:
    reason = f"a table does not simulate more than {most:,} runs; a t test would take about {likely:,}"
    if likely > NEAR_ENOUGH * MOST_SIMULATED:
        return reason
    size = f"{100 * effect.value:g}%" if effect.unit == "lift" else f"{effect.value:.6g}"
    python, shell = f"effect={size!r}", f"--effect {size}"
    if effect.relative:
        python, shell = f"{python}, effect_unit={effect.unit!r}", f"{shell} --effect-unit {effect.unit}"
    return f"{reason}, and {choice(f'plan({python})', f'runoff plan {shell}')} simulates them"


def _most(test: str, n_tasks: int) -> int:
    light = test in ("welch", pairing.MIETTINEN_NURMINEN, "mack_skillings", "van_elteren")
    return (LIGHT if light else WORK) // (2 * n_tasks)


def _sentence(rows: Sequence[PlanRow], given: Pilot, options: PlanOptions, needed: Needed) -> str:
    """Return what the first row that has runs takes, whose difference that is, and the smallest that so many runs as the pilot's find."""
    # Without any number the last share (20 %) gives the reason; the very last row is what these runs can find.
    row = next((row for row in rows[:-1] if row.n_runs is not None), rows[-2])
    a, unit = given.pair.a, given.pair.unit
    words = []
    if row.n_runs is not None:
        wanted = _margin_words(row, given)
        if row.question in SHARES:
            wanted = f"difference of {percent(SHARES[row.question])} of {a}'s mean"
        average = "" if row.n_runs_average is None else f" ({row.n_runs_average} on average over such luck)"
        assured = f"with {percent(needed.assurance)} assurance against a pilot that spread too little by luck{average}"
        unassured = f"{unassured_words(row.n_runs_average)} (a probability that is stated has no number with assurance)"
        words.append(
            f"It takes {row.n_runs} {unit}s {where_words(given.pair.shared, given.n_tasks)} to find a true {wanted} with "
            f"{percent(needed.power)} power by {PLAN_TESTS[options.test].title} (two-sided, α = {digits(options.alpha)}), "
            f"{assured if row.assured else unassured}."
        )
        words.append(pooled_words(outlying(given), row.n_runs_pooled))
    else:
        words.append(
            f"No number of {unit}s is known for {percent(SHARES['20%'])} of {a}'s mean: {neutral(row.reason)}."
        )
    smallest = rows[-1].effect
    if smallest is not None:
        what = differences_words(given.measure, binary=given.pair.binary)
        now = counted({*given.sizes}, unit)
        words.append(
            f"With {now} a {what} of {size_words(smallest, given.measure)} is found with {percent(needed.power)} power."
        )
    return " ".join(word for word in words if word)


def _notes(rows: Sequence[PlanRow], given: Pilot, options: PlanOptions, n_pairs: int) -> tuple[str, ...]:
    otherwise = given.binary or given.alike or given.measure == pairing.IMPROVEMENT  # of means a lift is a shift
    notes = [
        small_pilot(given),
        f"shares are lifts of the mean of {given.pair.a!r} on every task, as {option('effect', '10%')} plans for"
        + otherwise
        * f"; the other rows shift the measure, and may take another number of {given.pair.unit}s for the same size",
        still_words(given),
    ]
    notes += family_notes(given.pair, options.alpha, n_pairs)
    enumerated = given.n_tasks == 1 and given.binary and options.test in EXACT_POWER
    if options.test != pairing.JACKKNIFE and not enumerated and any(row.n_runs for row in rows):
        notes.append(
            f"{PLAN_TESTS[options.test].title} is simulated in {options.n_repeats:,} experiments (seed {options.streams.seed})"
        )
    return tuple(Sentence(note) for note in notes if note)


def family_notes(pair: pairing.PairData, alpha: float, n_pairs: int) -> tuple[str, ...]:
    """Return which pair of several a plan is about, and its level."""
    if n_pairs < 2:
        return ()
    both = f"{pair.a!r} and {pair.b!r}, the leader and its nearest rival"
    return (
        f"of the pilot's {n_pairs} pairs this is {both}, and α = {digits(alpha)} is the first step over all of them; choose two with "
        f"{choice('scores.select(algorithms=…)', '--algorithms')}",
    )
