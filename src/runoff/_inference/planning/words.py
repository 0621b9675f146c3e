"""Plans in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from runoff._inference.pairs import EVEN, IMPROVEMENT
from runoff._inference.planning.chance import PlanOptions
from runoff._inference.planning.pilot import Pilot, flat
from runoff._inference.planning.world import TrueLead
from runoff._inference.power import percent
from runoff.answer.plan import OutlyingRun
from runoff.base.arrays import Ints
from runoff.words.measures import differences_words, meant_as_share
from runoff.words.numbers import all_of, counted, digits, exactly, indefinite, some
from runoff.words.speech import Sentence, option

RECOMMENDED = 20
"""Pilot runs of a cell: its standard deviation is then known to a factor of 0.76 to 1.46 (95 %, normal runs)."""


def effect_words(effect: TrueLead, lead: float, pilot: Pilot) -> str:
    """Return "a lift of 10 % of PPO's mean (a difference of IQMs of 0.083)" or "a true difference of means of 1382"."""
    chance = pilot.measure == IMPROVEMENT
    what = differences_words(pilot.measure, binary=pilot.pair.binary)
    size = f"a {what} of {percent(EVEN + lead) if chance else digits(lead, 4)}"
    words = {
        "raw": f"a true {what} of {digits(effect.value, 6)}"
        if not chance
        else f"{digits(effect.value, 6)} on every task ({size})",
        "sd": f"a true difference of {exactly(effect.value)} standard deviations ({size} as the pilot spreads)",
        "improvement": f"a probability of improvement of {percent(effect.value)}"
        + ("" if chance else f" ({size} as the pilot spreads)"),
        "lift": f"a lift of {percent(effect.value)} of {pilot.pair.a}'s mean ({size})",
    }
    return words[effect.unit]


def unit_words(effect: TrueLead, pilot: Pilot) -> str:
    """Return "0.1 is in the units of the scores, and 10% would be a share of PPO's mean" of an effect without a unit."""
    share = f"{exactly(effect.value)} is in the units of the scores, and 10% would be a share of {pilot.pair.a}'s mean"
    return share if effect.unit == "raw" and not pilot.binary else ""


def unassured_words(average: int | None) -> str:
    """Return what the runs are that an effect takes which is stated relative to the spread."""
    return "as the pilot spreads" if average is None else "on average over what the pilot leaves open"


def where_words(shared: bool, n_tasks: int) -> str:
    """Return "of each algorithm on each of 26 tasks"."""
    if n_tasks == 1:
        return "of each algorithm"
    tasks = f"on each of {n_tasks} tasks" if not shared else f"each scored on {all_of(n_tasks, 'task')},"
    return f"of each algorithm{',' if shared else ''} {tasks}"


def cost_words(total: int, hours: float | None, cost: float | None, unit: str) -> str:
    priced = [
        f"{digits(value, 6)} {unit}" for value, unit in ((hours, "hours"), (cost, "in cost")) if value is not None
    ]
    return f" That is {', '.join([f'{total:,} {unit}s', *priced])} in all."


def plan_notes(
    pilot: Pilot, options: PlanOptions, *, method: str, n_runs: int, after: int | None, low: int | None
) -> tuple[str, ...]:
    notes = [small_pilot(pilot, n_runs, after), again_words(pilot, n_runs, low)]
    if options.effect.unit == "raw":
        notes.insert(0, meant_as_share("effect", options.effect.value, pilot.means.tolist()))
    if options.effect.relative:
        notes.append(
            "an effect stated relative to the spread of the runs takes as many runs whatever that spread is, so there is nothing to be "
            "assured of"
        )
    notes.append(still_words(pilot))
    if method == "simulated":
        notes.append(f"power is a share of {options.n_repeats:,} simulated experiments (seed {options.streams.seed})")
    if pilot.pair.episodes:
        unit = option("unit", "episode")
        notes.append(f"rows are episodes of one policy ({unit}): the plan is for more of them, not for more trainings")
    return tuple(Sentence(note) for note in notes if note)


def pooled_words(run: OutlyingRun | None, n_runs: int | None) -> str:
    """Return which run makes most of the spread, and the runs without it; "" where none does."""
    if run is None or n_runs is None:
        return ""
    return (
        f"One run of {run.algorithm} on {run.task} ({digits(run.score)}) makes {percent(round(run.share, 2))} of the spread; with the spread of "
        f"the other tasks of {run.algorithm} in place of that cell's it takes about {n_runs}."
    )


def small_pilot(pilot: Pilot, n_runs: int = 0, after: int | None = None) -> str:
    """Return that the pilot is small, and what more runs of it would save; "" where it is not."""
    given = pilot.sizes
    if given[0] >= RECOMMENDED:
        return ""
    has = f"the pilot has {given[0]} {pilot.pair.unit}s"
    if given[0] != given[1]:
        has = f"{has} in its smallest cell ({given[1]} in its largest)"
    if after is None:
        return f"{has}; {RECOMMENDED} are recommended"
    if after >= n_runs:
        return f"{has}; {RECOMMENDED} are recommended, though here as many would be planned"
    return f"{has}; had it {RECOMMENDED} that spread alike, {after} instead of {n_runs} would do: that is what a small pilot costs"


def again_words(pilot: Pilot, n_runs: int, low: int | None) -> str:
    """Return how to plan again with fewer runs than such a pilot asks for; "" where no fewer are enough."""
    first = max(low or n_runs, pilot.sizes[1] + 1)
    if first >= n_runs:
        return ""
    unit = pilot.pair.unit
    return (
        f"to be assured for less, bring each cell to {first} {unit}s first, plan again with all of them for the same effect, and test once, "
        f"when the {unit}s of the new plan are there: as long as the difference is not looked at, the false positive rate stays"
    )


def still_words(pilot: Pilot) -> str:
    """Return which runs do not vary; "" where all do."""
    pair = pilot.pair
    sides = ((pair.a, pair.x),) if pilot.alike else ((pair.a, pair.x), (pair.b, pair.y))
    still = [
        f"{name!r} on {task!r}"
        for name, side in sides
        for task, cell in zip(pair.tasks, side, strict=True)
        if flat(cell)
    ]
    if pilot.binary or not still:
        return ""
    return f"{pair.unit}s of {some(still, 1)} do not vary, and the plan takes this for true"


# ── what to run next ──────────


MOST_TOLD = 4
"""Cells that a sentence names; it counts the others."""
FEW = 5
"""With fewer runs than this, the standard deviation of a cell is hardly known."""


class AllocatedCell(Protocol):
    """A cell and the runs that it gets."""

    @property
    def algorithm(self) -> str: ...
    @property
    def task(self) -> str | None: ...
    @property
    def more(self) -> int: ...


def next_words(
    records: Sequence[AllocatedCell],
    measure: str,
    errors: Sequence[float],
    sees: Sequence[float | None],
    *,
    power: float,
    unit: str,
) -> str:
    """Return where runs go, and what they buy; errors: before, after, and of an even share; sees: before and after."""
    placed = sorted((record for record in records if record.more), key=lambda record: -record.more)
    places = [
        f"{record.more} of {record.algorithm!r}" + ("" if record.task is None else f" on {record.task!r}")
        for record in placed[:MOST_TOLD]
    ]
    left = placed[MOST_TOLD:]
    if left:
        places.append(f"{sum(record.more for record in left)} in {counted([len(left)], 'other cell')}")
    total, what = sum(record.more for record in placed), differences_words(measure)
    lead = "lead over 50\u00a0%" if measure == IMPROVEMENT else "difference"
    before, after = ("none" if size is None else digits(size, 4) for size in sees)
    shrunk, even = (f"{digits(100 * (1 - error / errors[0]))} %" for error in errors[1:])
    seen = f", and the {lead} that is found with {percent(power)} power from {before} to {after}" if any(sees) else ""
    runs = f"this {unit} shrinks" if total == 1 else f"these {total} {unit}s shrink"
    return (
        f"Run {', '.join(places)}: {runs} the standard error of the {what} from {digits(errors[0], 4)} to "
        f"{digits(errors[1], 4)} (by {shrunk}; spread evenly, by {even}){seen}."
    )


def next_notes(sizes: Ints, n_pairs: int, *, several_prices: bool, unit: str) -> tuple[str, ...]:
    least = int(sizes.min())
    notes = []
    if least < FEW:
        notes.append(
            f"a cell has {counted([least], unit)}, whose spread may be off by a factor of two and more, and {unit}s with heavy tails bring "
            "less: ask again when some of these are there"
        )
    if n_pairs > 1:
        notes.append(f"errors are of {n_pairs} differences, the root of their mean square")
    if several_prices:
        notes.append(
            f"prices differ, so that another allocation may be better by less than {indefinite(unit)} is worth"
        )
    notes.append(
        f"which algorithm leads does not influence where {unit}s are placed; test once, when all of them are there"
    )
    return tuple(notes)
