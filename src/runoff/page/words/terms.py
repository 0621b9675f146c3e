"""The terms of the report, each explained in a sentence or two for those who meet it for the first time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runoff.words.nouns import OF_ITEMS, OF_RUNS, Nouns
from runoff.words.numbers import indefinite, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    title: str
    means: str


_TERMS = """
run | {run} | one independent training with a seed of its own; the unit that is counted and resampled.
score | score | what {a_run} achieved on {a_task} at its end; higher is better. Normalised: 0 and 1 are the reference scores of the {task}.
iqm | IQM | interquartile mean: the mean of the middle half of all {run}s of all {task}s. A few very good or very bad {run}s hardly move it.
iqm_whole | whole-run IQM | the IQM with int(N / 4) whole {run}s of N cut from each end, as rliable and SciPy cut it.
mean | {mean} | the mean of the {task}s' means; every {task} weighs the same, however many {run}s it has.
median | median | the median of the {task}s' means: half of the {task}s lie above it.
optimality_gap | optimality gap | how far {run}s fall short of the score 1 on average; what lies above 1 does not count. Lower is better.
interval | interval | the values that these {run}s leave plausible: made like this, {level} of such intervals hold the true value. Each is
    made on its own.
chance | chance to beat | probability of improvement: how often a random {run} of one {algorithm} scores higher than one of another on the same
    {task}, averaged over {task}s; ties count half. At 50 % neither is ahead.
improvement | chance to beat others | how often a random {run} of the {algorithm} scores higher than one of another on the
    same {task}, averaged over {task}s and over the other {algorithm}s; ties count half.
corrected | corrected interval | at the level at which the comparison was decided among all; it leaves out 0 (of chances: 50 %)
    where a difference was found.
difference | difference | the measure of the first {algorithm} minus that of the second, over the {task}s that both have.
p | p | how often a difference at least this clear would be seen if the two {algorithm}s were alike.
p_adjusted | adjusted p | p made larger for the number of pairs that were tested; a difference is claimed where it is at most α.
verdict | verdict | which of the two the test finds ahead by the measure, if any. “No difference found” is not a finding of equality.
detectable | detectable | the true difference (of chances: the true chance) that new {run}s of this design
    would find 80 % of the time; smaller ones may well be missed.
needed | {run}s per task to decide | the {run}s of each algorithm on each task after which the interval, if {run}s spread as these, leaves out
    either no lead or the one that matters: a tenth of the range of their {run}s, or the margin named.
tally | {task}s +/=/− | on how many {task}s the mean of the first {algorithm} is higher, equal and lower.
profile | profile | the share of {run}s that score above τ, for every τ. Where one is nowhere below another, its algorithm did as well or better.
rank | average rank | the rank of {a_run} among one {run} of each algorithm on the same task, 1 being best, averaged over all such draws.
letters | letters | algorithms that share a letter have average ranks that do not differ by the critical difference.
places | possible ranks | the ranks by the measure, 1 being best, that these {run}s leave possible, for all
    algorithms together.
p_best | P(best) | the share of resamples of the {run}s in which the algorithm comes first; no p-value.
robustness | variation | the same {run}s summed up by another measure, other reference scores, or with one task or one {run} left out.
"""
EPISODE = Term(
    title="episode",
    means="one episode of one trained policy; the unit that is counted and resampled. Other trainings are not in the claim.",
)


ATTEMPT = Term(title="attempt", means="one answer of one model to one item. Items are the unit that is counted.")
ANSWER = Term(title="score", means="1 if the attempt solved the item, 0 if it did not.")
NOT_OF_ITEMS = ("needed", "profile", "rank", "letters", "places", "p_best", "robustness")
"""Terms of what a report over items does not have."""


def terms_of(of: Nouns, level: float = 0.95) -> Mapping[str, Term]:
    """Return the terms by the names that templates call them, for rows that are runs, or episodes, or attempts at items.

    level: that of the intervals of the page
    """
    words = {"run": of.run, "a_run": indefinite(of.run), "task": of.task, "a_task": indefinite(of.task)}
    words |= {"algorithm": of.algorithm, "mean": of.mean, "level": percent(level)}
    lines = _TERMS.replace("\n    ", " ").format(**words).strip().splitlines()
    own = {name: Term(title=title, means=means) for name, title, means in (line.split(" | ") for line in lines)}
    if of == OF_ITEMS:
        return {
            name: term for name, term in (own | {"run": ATTEMPT, "score": ANSWER}).items() if name not in NOT_OF_ITEMS
        }
    return own if of == OF_RUNS else {**own, "run": EPISODE}
