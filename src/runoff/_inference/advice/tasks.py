"""Rules about tests over many tasks and comparisons of mean ranks (R2xx, and R016 of them)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runoff._inference.about import AboutTest
from runoff._inference.advice.codes import APPLIES, USUAL_ALPHA, advise
from runoff._inference.blocked import BlockedOutcome, smallest_pvalue
from runoff.answer.base import Advice
from runoff.base.arrays import Ints
from runoff.data.scores import Scores
from runoff.words.numbers import counted, digits, p_equals
from runoff.words.speech import RUN, advised, call, option

ENOUGH_RUNS = 4
"""The χ² distribution is adequate with more than 3 runs per cell (Hollander & Wolfe, quoted by Casesa 2024 section 2.3.3)."""


def rank_advice(
    name: str, test: AboutTest, outcome: BlockedOutcome, scores: Scores, *, two_sided: bool = True
) -> tuple[Advice, ...]:
    present = (scores.n_runs > 0).sum(axis=0)
    left_out = [task for task, count in zip(scores.tasks, present, strict=True) if count < 2]
    used = scores.n_runs[:, present >= 2]
    # Shared runs are relabelled as a whole: one task's numbers of runs are all there is.
    relabelled = used[:, :1] if scores.sampling.shared else used
    return (
        *_about_tasks(name, test, outcome, left_out, used),
        *_about_law(test, outcome, used),
        *_unattainable(test, outcome, relabelled, two_sided),
    )


def _about_tasks(
    name: str, test: AboutTest, outcome: BlockedOutcome, left_out: Sequence[str], used: Ints
) -> Iterator[Advice]:
    """R201 to R204: what the tasks and their cells give the test to work with."""
    if outcome.all_tied:
        yield advise(
            "R201",
            "all scores of every task are equal, so there is nothing to rank: the statistic is 0 and p = 1 by definition.",
        )
    if left_out:
        named = ", ".join(left_out[:5]) + (", …" if len(left_out) > 5 else "")
        lead = f"tasks with {RUN}s of fewer than two algorithms say nothing about differences"
        yield advise("R202", f"{lead}; {len(left_out)} left out: {named}.")
    if APPLIES["R203"](test) and used.max(initial=0) > 1:
        text = (
            f"prefer mack_skillings, which ranks all {RUN}s: {name} takes one value per algorithm and task, so the {RUN}s of a cell (up to "
            f"{int(used.max())}) were averaged and the spread among them is not used."
        )
        yield advise("R203", text)
    k = len(used)
    if not outcome.all_tied and isinstance(outcome.df, float) and outcome.df < k - 1:
        text = (
            f"the tasks connect the {k} algorithms into {k - int(outcome.df)} separate groups; algorithms in different groups share no "
            "informative task and were not compared."
        )
        yield advise("R204", text)


def _about_law(test: AboutTest, outcome: BlockedOutcome, used: Ints) -> Iterator[Advice]:
    fewest = int(used[used > 0].min(initial=ENOUGH_RUNS))
    if outcome.method == "asymptotic" and not outcome.all_tied and APPLIES["R205"](test) and fewest < ENOUGH_RUNS:
        text = (
            f"use {option('method', 'exact')} or monte_carlo: the p-value is from the χ² distribution, which is adequate with more than 3 "
            f"{RUN}s per cell, and some cells have {fewest}."
        )
        yield advise("R205", text)


def _unattainable(test: AboutTest, outcome: BlockedOutcome, used: Ints, two_sided: bool) -> Iterator[Advice]:
    """R016: no runs of this design could have shown a difference at 5 %."""
    if outcome.all_tied or not APPLIES["R016"](test):
        return
    # A test of averages relabels one value a cell, however many runs it has.
    counts = (used > 0).astype(int) if test.averages else used
    smallest = smallest_pvalue(tuple(map(tuple, counts.T.tolist())), two_sided=two_sided)
    if smallest > USUAL_ALPHA:
        fact = (
            f"{test.title} cannot find a difference at {USUAL_ALPHA} whatever the {RUN}s are; with so few of them the smallest exact "
            f"p-value is {digits(smallest, 2)}."
        )
        yield advise("R016", advised(f"add {RUN}s or tasks", fact))


def joint_ranks(
    differ: Mapping[tuple[str, str], bool], without: Mapping[str, Mapping[tuple[str, str], bool]]
) -> Advice | None:
    """R206: a difference of joint ranks changes when a third algorithm is left out.

    differ: whether each pair is found to differ where all are ranked together; without: the same of the pairs left without an algorithm.
    """
    turned = [(pair, name) for name, rest in without.items() for pair, now in rest.items() if now != differ[pair]]
    if not turned:
        return None
    pairs = list(dict.fromkeys(pair for pair, _ in turned))
    (a, b), third = turned[0]
    beside, alone = ("differ", "do not") if differ[a, b] else ("do not differ", "do")
    first = f"{a!r} and {b!r} {beside} beside {third!r} and {alone} without it"
    more = (
        f" ({counted([len(pairs) - 1], 'other pair')} {'depends' if len(pairs) == 2 else 'depend'} on a third one too)"
        if pairs[1:]
        else ""
    )
    repair = call("compare", test="mack_skillings")
    text = f"use {repair}, which ranks each pair by itself: all algorithms were ranked together, and {first}{more}."
    return advise("R206", text, subjects=[name for pair in pairs for name in pair])


def omnibus_disagrees(pvalue: float, alpha: float, n_apart: int) -> Advice | None:
    """R207: pairs differ although the omnibus test does not reject."""
    if pvalue <= alpha or n_apart == 0:
        return None
    which = "the pair that differs" if n_apart == 1 else f"the {n_apart} pairs that differ"
    text = (
        f"treat {which} as exploratory: the test of all algorithms does not reject ({p_equals(pvalue)}), and the published procedure "
        "compares pairs only after a rejection."
    )
    return advise("R207", text)
