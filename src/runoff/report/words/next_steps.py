"""What to do next: at most three actions with their numbers, those of `runoff plan`, the most pressing first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np

from runoff._inference import planning
from runoff._inference.family import first_level
from runoff.report.answers.all import Answers
from runoff.results.base import withheld
from runoff.results.comparison import ComparisonResult
from runoff.results.pair import Pair, contrary
from runoff.results.standing import Standing
from runoff.results.unjudged import SAME_RUNS, repair_of
from runoff.words.measures import OF_TASKS, differences_words, even_of
from runoff.words.names import capital, measure_words
from runoff.words.numbers import NAMED, counted, decimals_of, listed, rounded, span
from runoff.words.speech import call

MOST = 3
"""The most actions."""
ENOUGH = 20
"""The most times as many runs that are named as a plan; if it takes more, the algorithms are a tie in practice."""
LEVEL = 1e-9
"""The share of the difference that runs find below which two are level: what rounding leaves of equal values."""
SAFE = 5
"""The runs of a cell from which the error rates of the tests are known to hold."""

TO_COMPARE = {
    "R020": "Bring all scores to one unit.",
    "R032": "Train all algorithms as long, or compare at a step that all reached.",
}
"""What has to be done, by the code of the advice because of which no verdict is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """An action, and what it buys or why it is needed; `runs_of` names those that it gives runs enough."""

    act: str
    why: str
    runs_of: frozenset[str] = frozenset()


def next_steps(answers: Answers, standing: Standing) -> tuple[NextStep, ...]:
    """Return the actions; none where nothing was compared."""
    if not standing.pairs:
        return ()
    if (advice := withheld(answers.comparison.advice)) is not None:
        return (NextStep(act=TO_COMPARE[advice.code], why="Until then no number of runs helps."),)
    short = _short(answers, standing)
    steps = [*_unjudged(standing), *_rivals(answers, standing, short), *_against(answers.comparison)]
    # A step that adds runs for the sake of power may add enough for the sake of the test too.
    trained = steps[0].runs_of if steps else frozenset()
    return tuple([*_few_runs(answers, short, trained), *steps][:MOST])


def _short(answers: Answers, standing: Standing) -> dict[str, int]:
    """Return whom of those that the headline names runs must be added to before a false positive rate is known, with the fewest of a cell."""
    comparison = answers.comparison
    # A dictionary as a set that keeps the order, which the sentence has.
    named = dict.fromkeys([standing.leader, comparison.nearest.b, *standing.those("no difference found")])
    cautioned = {
        name
        for pair in comparison.pairs
        for advice in pair.advice
        if advice.code == "R001" and {pair.a, pair.b} <= named.keys()
        for name in (pair.a, pair.b)
    }
    fewest = {name: min(cell.size for cell in answers.scores.cells(name) if cell.size) for name in named}
    over_tasks = comparison.over == "tasks"
    return {name: n for name, n in fewest.items() if n < SAFE and name in cautioned and not over_tasks}


def _few_runs(answers: Answers, short: dict[str, int], trained: frozenset[str]) -> Iterator[NextStep]:
    """Yield to whom runs must be added, if no other step does so."""
    unit = answers.scores.sampling.unit
    if short.keys() <= trained:
        return
    per = " per task" if answers.scores.n_tasks > 1 else ""
    sizes = ", ".join(f"{name} has {n}" for name, n in list(short.items())[:NAMED])
    more = " and so on" if len(short) > NAMED else ""
    why = (
        f"{sizes}{more}; with fewer than {SAFE} on so few tasks the false positive rate of the test is not guaranteed."
    )
    yield NextStep(act=f"Bring {listed(list(short))} to {SAFE} {unit}s{per}.", why=why)


def _unjudged(standing: Standing) -> Iterator[NextStep]:
    """Yield what to look at where the leader's runs are also those of another algorithm, and what to do where no error is known."""
    names = [pair.b for pair in standing.own if pair.unjudged == SAME_RUNS]
    others = [pair for pair in standing.own if pair.unjudged and pair.unjudged != SAME_RUNS]
    if others:
        alike = [pair.b for pair in others if pair.unjudged == others[0].unjudged]
        act = capital(repair_of(others[0].unjudged, others[0].measure, others[0].unit, others[0].n_tasks))
        yield NextStep(act=f"{act}.", why=f"Against {listed(alike)}, {others[0].unjudged}.")
    if names:
        act = f"Check that what sets {standing.leader} and {listed(names)} apart has an effect."
        yield NextStep(act=act, why=f"No number of runs helps while {SAME_RUNS}.")


def _rivals(answers: Answers, standing: Standing, short: dict[str, int]) -> Iterator[NextStep]:
    """Yield how many runs would find a difference between the leader and the first beside which none was found, or why no number helps."""
    own = [pair for pair in standing.own if pair.verdict == "no_difference_found"]
    pair = own[0] if own else None
    if pair is None or pair.over == "tasks":
        return
    runs, per = f"{pair.unit}s", " per task" if pair.n_tasks > 1 else ""
    two = f"{pair.a} and {pair.b}"
    if pair.test == "boschloo":
        yield NextStep(
            act=f"Ask runoff plan how many {runs} separate {two}.",
            why="The report does not compute the power of Boschloo's test.",
        )
        return
    if pair.detectable_difference is None:
        yield _uncomputed(answers, pair)
        return
    power, gap = _sizes(pair, per)
    n, multiple = min(pair.n_runs_a[0], pair.n_runs_b[0]), pair.needed_multiple
    if not gap:
        act = f"Name the smallest difference that matters between {two}."
        yield NextStep(act=act, why=f"{power}; the two are level in these {runs}.")
    elif multiple is None:
        why = f"{power}, and the one seen is {gap}; how many {runs} find that is not told of a cell of one."
        yield NextStep(act=f"Add {runs} of {two} where there is one.", why=why)
    elif not isfinite(multiple) or multiple > ENOUGH:
        why = f"{power}. The one seen is {gap}: finding that takes more than {ENOUGH} times as many."
        # Beside the advice to add some for the sake of the test, no step says to add none.
        do = f"expect {SAFE} {runs}" if short.keys() & {pair.a, pair.b} else f"add {runs}"
        yield NextStep(act=f"Do not {do} to separate {two}.", why=why)
    elif multiple <= 1:
        why = f"{power}, and the one seen is {gap}: these {runs} should have sufficed."
        yield NextStep(act=f"Add a few {runs} of {two}.", why=why)
    else:
        do, words = "Run" if pair.episodes else "Train", differences_words(pair.measure, binary=pair.rates)
        needed, calm = _of_each(answers, pair, n * multiple)
        more = f"{call('plan')} says how many are enough with assurance"
        why = f"That finds a {words} as large as the one seen, {gap}, four times in five on average; {more}. {power}.{calm}"
        enough = frozenset((pair.a, pair.b)) if needed >= SAFE else frozenset()
        now = span([*pair.n_runs_a, *pair.n_runs_b])
        yield NextStep(act=f"{do} {two} to {counted([needed], pair.unit)}{per} (now {now}).", why=why, runs_of=enough)


def _of_each(answers: Answers, pair: Pair, needed: float) -> tuple[int, str]:
    """Return the runs of each, as `plan` names them on average, and which run makes most of the spread; needed: of equal numbers of runs."""
    if pair.test != "jackknife":
        return ceil(needed), ""
    comparison, lead = answers.comparison, pair.estimate - even_of(pair.measure)
    level = first_level(comparison.alpha, len(comparison.pairs), comparison.correction)
    pilot = planning.pilot_between(answers.scores, pair.a, pair.b, pair.measure)
    # The multiple is of equal cells; unequal ones are planned from the pilot itself, run by run.
    if len({*pair.n_runs_a, *pair.n_runs_b}) > 1:
        needed = planning.runs_of_each(pilot, lead, level)
    run = planning.outlying(pilot)
    calm = None if run is None else planning.runs_of_each(planning.pooled(pilot, run), lead, level)
    words = planning.pooled_words(run, None if calm is None else max(2, ceil(calm)))
    return ceil(needed), f" {words}" if words else ""


def _sizes(pair: Pair, per: str) -> tuple[str, str]:
    """Return what these runs find, in words, and the difference that was seen; "" where none was seen."""
    words, even = differences_words(pair.measure, binary=pair.rates), even_of(pair.measure)
    lead, smallest = abs(pair.estimate - even), pair.detectable_difference or 0.0
    # Sums of equal scores in another order differ in the last bits.
    lead = 0.0 if lead < LEVEL * smallest else lead
    places = decimals_of([smallest], 2)
    now = f"With {counted({*pair.n_runs_a, *pair.n_runs_b}, pair.unit)}{per}"
    power = f"{now}, a true {words} of {rounded(even + smallest, places)} is found four times in five"
    # A chance ends at 1, so that what these runs can find may lie beyond all that there is.
    if even and even + smallest > 1:
        power = f"{now}, even a probability of improvement of 1 is found less than four times in five"
    return power, rounded(even + lead, max(places, decimals_of([lead], 2))) if lead else ""


def _against(comparison: ComparisonResult) -> Iterator[NextStep]:
    """Yield what belongs beside the claim: the few tasks that make it, and the measures that say otherwise."""
    pair = comparison.nearest.ahead
    if pair.few and comparison.real.holds:
        n = len(pair.few)
        verb, by = "makes" if n == 1 else "make", "" if pair.measure in OF_TASKS else "by the mean "
        yield NextStep(
            act=f"Name {listed(pair.few)} with the claim.",
            why=f"{counted([n], 'task')} {verb} the lead {by}of {pair.a} over {pair.b}.",
        )
    for (rival, leads), measures in contrary(comparison.standing.own).items() if comparison.standing.own else ():
        much = "leads" if leads else "is ahead, though not by a margin that these runs establish"
        bare = [words.removeprefix("the ") for words in measures]
        yield NextStep(
            act=f"Report the {listed(bare)} with the {measure_words(comparison.measure)}.",
            why=f"By {listed(measures)} {rival} {much}.",
        )


def _uncomputed(answers: Answers, pair: Pair) -> NextStep:
    two, runs = f"{pair.a} and {pair.b}", f"{pair.unit}s"
    for name in (pair.a, pair.b):
        for task, cell in zip(answers.scores.tasks, answers.scores.cells(name), strict=True):
            if cell.size > 1 and np.ptp(cell) == 0:
                why = f"No number of {runs} can be suggested: all {runs} of {name} on {task} have the same score."
                return NextStep(act=f"Look at {two} by eye.", why=why)
    return NextStep(act=f"Add {runs} of {two}.", why="How many more are needed cannot be computed from so few.")
