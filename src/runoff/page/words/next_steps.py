"""What to do next: at most three actions with their numbers, those of `runoff plan`, the most pressing first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from runoff._inference import planning
from runoff._inference.pairs import IMPROVEMENT, PairData
from runoff.answer.base import withheld
from runoff.answer.comparison import ComparisonResult
from runoff.answer.outlook import either_words, largest_lead, lead_above, margin_words, outlook_words
from runoff.answer.pair import Pair, contrary
from runoff.answer.standing import Standing
from runoff.answer.unjudged import SAME_RUNS, repair_of
from runoff.base.arrays import of_shares
from runoff.page.answers.all import Answers
from runoff.page.words.more_runs import needed_for
from runoff.words.measures import OF_TASKS, even_of
from runoff.words.names import capital, measure_words
from runoff.words.numbers import NAMED, counted, digits, exactly, listed, p_equals, percent, span
from runoff.words.speech import call, choice, neutral

MOST = 3
"""The most actions."""
NEAR = 2.0
"""A p-value within this factor of α is near it."""
SAFE = 5
"""The runs of a cell from which the error rates of the tests are known to hold."""

TENTH, POWER = 0.1, 0.8
"""The difference of two shares that items are planned for where no margin is named, a tenth of their range as of runs; and the power."""
FEW = frozenset({"R001", "R002", "R016"})
"""The codes of few runs."""
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
    comparison = answers.comparison
    steps = [
        *_unjudged(standing),
        *_rivals(answers, standing),
        *_near(comparison),
        *_small(comparison),
        *_against(comparison),
    ]
    # A step that adds runs for the sake of power may add enough for the sake of the test too.
    trained = steps[0].runs_of if steps else frozenset()
    steps = [*_few_runs(answers, short, trained), *steps]
    # Where the data may be wrong, that comes before more of them.
    return tuple([*_cautioned(answers, alone=not steps), *steps][:MOST])


def _short(answers: Answers, standing: Standing) -> dict[str, int]:
    """Return the algorithms in the headline that need more runs before the false positive rate is known, with their fewest runs on a task."""
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
    """Yield the step that adds runs to some algorithms, if no other step does so."""
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
        act = f"Check that the setting in which {standing.leader} and {listed(names)} differ has an effect."
        yield NextStep(act=act, why=f"No number of runs helps while {SAME_RUNS}.")


def _rivals(answers: Answers, standing: Standing) -> Iterator[NextStep]:
    """Yield how many runs say whether the leader leads the first beside which no difference was found, or that a lead is ruled out."""
    pair = next((pair for pair in standing.own if pair.verdict == "no_difference_found"), None)
    if pair is None:
        return
    if pair.weights:
        yield from _stratum(answers.comparison, pair)
        return
    if pair.over == "tasks":
        yield from _items(answers, pair)
        return
    runs = f"{pair.unit}s"
    if pair.outlook == "ruled_out":
        smaller = choice("margin=", "--margin")
        why = f"{outlook_words(pair)} If a smaller one matters, name it ({smaller}); the page then says how many {runs} it takes."
        yield NextStep(act=f"Add no {runs} to separate {pair.a} and {pair.b}.", why=why)
    elif pair.needed_runs is None:
        yield _uncomputed(answers, pair)
    else:
        n, per = pair.needed_runs, " per task" if pair.n_tasks > 1 else ""
        sizes = {pair.a: pair.n_runs_a, pair.b: pair.n_runs_b}
        # Published runs are often enough already, and nobody can add to them.
        short = [name for name, counts in sizes.items() if min(counts) < n]
        now = span([size for name in short for size in sizes[name]])
        enough = "".join(f"; {name} has {span(sizes[name])}" for name in sizes if name not in short)
        train = "Run" if pair.episodes else "Train"
        act = f"{train} {listed(short)} to {counted([n], pair.unit)}{per} (now {now}{enough})."
        either = either_words(pair, lead_above(pair))
        first = f"{outlook_words(pair, runs=False)} With {n}, {either}{_at_best(answers, pair)}."
        again = f"Test again only then, or plan the looks ({call('sequential')}): each test more adds to the false positive rate."
        why = " ".join(filter(None, (first, _cost(answers, pair), _calm(answers, pair), again)))
        yield NextStep(act=act, why=why, runs_of=frozenset((pair.a, pair.b)) if n >= SAFE else frozenset())


def _stratum(comparison: ComparisonResult, pair: Pair) -> Iterator[NextStep]:
    """Yield in which stratum more of the sample narrows the mean of all most, and how many runs of it decide it by itself."""
    weights = dict(pair.weights)
    lines = [
        line for line in comparison.by_stratum if {line.a, line.b} == {pair.a, pair.b} and line.own_low is not None
    ]
    if not lines:
        return
    # The squared width of the mean is the sum of those of the strata times their squared weights.
    line = max(lines, key=lambda line: weights[line.stratum] * ((line.own_high or 0.0) - (line.own_low or 0.0)))
    more = "items" if pair.over == "tasks" else f"{pair.unit}s"
    why = pair.deciding_stratum or f"No other stratum makes more of the width of {pair.a} against {pair.b}."
    if line.needed_runs is not None:
        now = span([*line.n_runs_a, *line.n_runs_b])
        amount = f"{counted([line.needed_runs], pair.unit)} per task (now {now})"
        why += f" By itself it takes {amount} to leave out either none or the lead that matters."
    yield NextStep(act=f"Add {more} in {line.stratum}.", why=why)


def _items(answers: Answers, pair: Pair) -> Iterator[NextStep]:
    """Yield how many items, with how many attempts at each, find a difference of the margin, or of a tenth; items are drawn by themselves."""
    scores, comparison = answers.scores, answers.comparison
    if pair.n_clusters is not None or not of_shares(scores.values) or pair.measure != "mean":
        now = counted([pair.n_clusters], "cluster") if pair.n_clusters else pair.n_tasks
        act = f"Compare {pair.a} and {pair.b} on more {pair.sampled} (now {now})."
        yield NextStep(act=act, why="How many decide is not known in advance: the test has no formula for its power.")
        return
    first, second = map(scores.algorithms.index, (pair.a, pair.b))
    cells = PairData.of(scores, first, second)
    question = planning.NestedQuestion(
        pair=cells,
        model=planning.of_items(cells.x, cells.y),
        costs=planning.NestedCosts(None, None, of_items=True),
        n_pilot=len(cells.tasks),
        n_pilot_repeats=cells.least,
        effect=pair.margin or TENTH,
        alpha=planning.family_level(scores, comparison.alpha)[0],
        power=POWER,
    )
    rows, size = question.rows(), f"a difference of {exactly(question.effect)} between {pair.a} and {pair.b}"
    chosen = question.chosen(rows)
    if chosen.n_units is not None and chosen.n_units <= question.n_pilot:
        smaller = choice("margin=", "--margin")
        why = (
            f"These items find it with {percent(POWER)} power. If a smaller one matters, name it ({smaller}); the page then says how many "
            "items it takes."
        )
        yield NextStep(act=f"Add no items to find {size}.", why=why)
        return
    notes = " ".join(f"{capital(neutral(note))}." for note in question.notes()[1:])
    why = f"{neutral(question.sentence(rows))} {notes} {call('plan', over='tasks')} has other numbers of attempts."
    now = f"{counted([question.n_pilot], 'item')} with {counted([question.n_pilot_repeats], 'attempt')}"
    yield NextStep(act=f"Ask {pair.a} and {pair.b} more (now {now}).", why=why)


def _at_best(answers: Answers, pair: Pair) -> str:
    """Return how many runs are enough if the lead is the largest that the interval allows."""
    largest, cells = largest_lead(pair), planning.pilot_between(answers.scores, pair.a, pair.b, pair.measure).pair
    # A shade less, for the largest itself is not ruled out.
    n = needed_for(cells, pair, answers.comparison, largest * (1 - 1e-9))
    end = even_of(pair.measure) + largest
    what, size = ("probability", percent(end, 2)) if pair.measure == IMPROVEMENT else ("lead", digits(end, 2))
    return f"; {n} are enough if the {what} is the largest that these allow, {size}"


def _cost(answers: Answers, pair: Pair) -> str:
    """Return the number of additional runs, and their steps and hours if the curves record how long a run takes."""
    needed, cells = pair.needed_runs or 0, zip(*map(answers.scores.cells, (pair.a, pair.b)), strict=True)
    both = [sizes for x, y in cells if min(sizes := (x.size, y.size))]
    # One training is a run on all tasks where they are shared.
    both = both[:1] if answers.scores.sampling.runs == "shared" else both
    more = sum(max(needed - size, 0) for sizes in both for size in sizes)
    steps, seconds = (None, None) if answers.curves is None else answers.curves.run_length
    costs = [f"{counted([more], pair.unit)} more"]
    costs += [f"{digits(more * steps, 2)} steps of training"] if steps else []
    costs += [f"{digits(more * seconds / 3600, 2)} hours"] if seconds else []
    return f"That is {listed(costs)}."


def _calm(answers: Answers, pair: Pair) -> str:
    """Return which run makes most of the spread, and how many runs it takes without that."""
    if pair.test != "jackknife":
        return ""
    pilot = planning.pilot_between(answers.scores, pair.a, pair.b, pair.measure)
    run = planning.outlying(pilot)
    if run is None:
        return ""
    return planning.pooled_words(run, needed_for(planning.pooled(pilot, run).pair, pair, answers.comparison))


def _near(comparison: ComparisonResult) -> Iterator[NextStep]:
    """Yield that the claim hangs on few runs where the p-value is hardly below α: the same experiment again is as likely as not to miss it."""
    pair, alpha = comparison.nearest, comparison.alpha
    p = pair.pvalue_adjusted
    if pair.winner and p is not None and p > alpha / NEAR:
        act = f"Repeat {pair.a} and {pair.b} with new {pair.sampled} before much rests on it."
        yield NextStep(act=act, why=f"{capital(p_equals(p))} is within a factor of two of α = {exactly(alpha)}.")


def _small(comparison: ComparisonResult) -> Iterator[NextStep]:
    """Yield that a lead is real and not known to matter, where a margin was named that its interval does not reach, or does not leave out."""
    pair = comparison.nearest.ahead
    low, high = pair.deciding
    if not pair.winner or pair.margin is None or low is None or high is None:
        return
    even = even_of(pair.measure)
    least, most = sorted((abs(low - even), abs(high - even)))
    if most <= pair.margin:
        act = f"Do not call the lead of {pair.a} over {pair.b} one that matters."
        yield NextStep(
            act=act, why=f"It was found, and the interval rules out {lead_above(pair)} ({margin_words(pair)})."
        )
    elif least <= pair.margin:
        act = f"Say of {pair.a} that it leads {pair.b}, not that it does by enough."
        yield NextStep(
            act=act, why=f"These {pair.sampled} cannot say whether it has {lead_above(pair)} ({margin_words(pair)})."
        )


def _cautioned(answers: Answers, *, alone: bool) -> Iterator[NextStep]:
    """Yield the warnings that stand, and, where nothing else is to be done, all cautions; beside other steps those that more runs repair are
    left out.
    """
    codes = dict.fromkeys(
        advice.code
        for advice in answers.advice
        if advice.severity == "warning" or (alone and advice.severity == "caution")
    )
    shown = [code for code in codes if alone or code not in FEW]
    if shown:
        which, it = ("this caution", "It") if len(shown) == 1 else ("these cautions", "They")
        yield NextStep(
            act=f"Weigh {which}: {listed(shown)}.", why=f"{it} may change the claim above, or how far to trust it."
        )


def _against(comparison: ComparisonResult) -> Iterator[NextStep]:
    """Yield what belongs beside the claim: the few tasks that make it, and the measures that say otherwise."""
    pair = comparison.nearest.ahead
    # By another measure than the mean few tasks may make a lead that is not the one claimed: the tile tells it.
    if pair.lead_tasks and comparison.real.holds and pair.measure in OF_TASKS:
        n = len(pair.lead_tasks)
        yield NextStep(
            act=f"Name {listed(pair.lead_tasks)} with the claim.",
            why=f"{counted([n], 'task')} {'makes' if n == 1 else 'make'} the lead of {pair.a} over {pair.b}.",
        )
    for (rival, leads), measures in contrary(comparison.standing.own).items():
        if pair.verdict == "equivalent" and not leads:
            continue
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
