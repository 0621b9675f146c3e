"""Caveats about tests over many tasks (codes R2xx, and R016 of them), learning curves (R403, R404) and two samples (R101 to R109)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from types import MappingProxyType

import numpy as np

from runoff._inference.about import AboutTest
from runoff._inference.advice.codes import APPLIES, USUAL_ALPHA, Subject, advise
from runoff._inference.blocked import BlockedOutcome, smallest_pvalue
from runoff._inference.shape import tied
from runoff.base.arrays import Floats, Ints
from runoff.data.scores import Scores
from runoff.results.base import Advice
from runoff.words.numbers import digits, p_equals
from runoff.words.speech import call, option

ENOUGH_RUNS = 4
"""The χ² law is adequate with more than 3 runs per cell (Hollander & Wolfe, quoted by Casesa 2024 section 2.3.3)."""


def rank_advice(
    name: str, test: AboutTest, outcome: BlockedOutcome, scores: Scores, *, two_sided: bool = True
) -> tuple[Advice, ...]:
    present = (scores.n_runs > 0).sum(axis=0)
    left_out = [task for task, count in zip(scores.tasks, present, strict=True) if count < 2]
    used = scores.n_runs[:, present >= 2]
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
        lead = "tasks with runs of fewer than two algorithms say nothing about differences"
        yield advise("R202", f"{lead}; {len(left_out)} left out: {named}.")
    if APPLIES["R203"](test) and used.max(initial=0) > 1:
        text = (
            f"prefer mack_skillings, which ranks all runs: {name} takes one value per algorithm and task, so the runs of a cell (up to "
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
            f"use {option('method', 'exact')} or monte_carlo: the p-value is from the χ² law, which is adequate with more than 3 runs per cell, "
            f"and some cells have {fewest}."
        )
        yield advise("R205", text)


def _unattainable(test: AboutTest, outcome: BlockedOutcome, used: Ints, two_sided: bool) -> Iterator[Advice]:
    """R016: no runs of this design could have been told apart at 5 %."""
    if outcome.all_tied or not APPLIES["R016"](test):
        return
    counts = (used > 0).astype(int) if test.averages else used
    smallest = smallest_pvalue(counts.T, two_sided=two_sided)
    if smallest > USUAL_ALPHA:
        text = (
            f"add runs or tasks: {test.title} cannot tell these algorithms apart at {USUAL_ALPHA} whatever the runs are; with so few of them "
            f"the smallest exact p-value is {digits(smallest, 2)}."
        )
        yield advise("R016", text)


def joint_ranks(k: int, control: str | None, *, shared: bool) -> Advice | None:
    """R206: a difference of joint ranks changes when other algorithms do."""
    if k <= 2:
        return None
    family = "comparisons with the control" if control else "pairs"
    repair = call("compare", test="mack_skillings", correction="holm" if shared else "max_t")
    text = (
        f"use {repair} to control the error rate over the {family} whatever other algorithms do: all {k} algorithms were ranked together, so "
        "whether two are apart also depends on the others, and that rate is controlled only when all algorithms are equal."
    )
    return advise("R206", text)


def omnibus_disagrees(pvalue: float, alpha: float, n_apart: int) -> Advice | None:
    """R207: pairs are apart although the omnibus test does not reject."""
    if pvalue <= alpha or n_apart == 0:
        return None
    which = "the pair that is" if n_apart == 1 else f"the {n_apart} pairs that are"
    text = (
        f"treat {which} apart as exploratory: the test of all algorithms does not reject ({p_equals(pvalue)}), and the published procedure "
        "compares pairs only after a rejection."
    )
    return advise("R207", text)


def steps_beyond_relabelling(unreachable: bool, subject: Subject) -> Advice | None:
    """R403: no relabelling of so few runs is rare enough for max-T."""
    if not unreachable:
        return None
    text = (
        f"use {option('correction', 'holm')}, or add runs: {subject.words} has so few that no relabelling of them is rare enough for max-T, so "
        "nothing can be found at any step."
    )
    return advise("R403", text, subjects=subject.names)


def worst_of_few(least: int, needed: int) -> Advice | None:
    """R404: the worst 5 % of few runs is the worst run."""
    if least >= needed:
        return None
    text = (
        f"read risk across runs as a description of these runs: the worst 5 % of {least} runs is little more than the worst run, so the risk "
        f"is above what more runs would show, and has no interval below {needed} runs."
    )
    return advise("R404", text)


# ── two samples: a rule returns its text, or None ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """The facts that the rules judge by; x and y are None where only summaries are known."""

    test: AboutTest
    alternative: str
    method: str
    statistic: float
    difference: float
    n_x: int
    n_y: int
    constant_x: bool
    constant_y: bool
    trim: float = 0.0
    x: Floats | None = None
    y: Floats | None = None


def no_variance(samples: Samples) -> str | None:
    if not (samples.constant_x and samples.constant_y):
        return None
    same = (
        "they are equal, so p = 1"
        if samples.difference == 0.0
        else "p is that of an exact permutation test of complete separation"
    )
    return (
        f"check whether the runs had different seeds: all {samples.n_x} values of x are equal and so are all {samples.n_y} of y, so no test "
        f"can estimate how runs vary; {same}."
    )


def one_constant(samples: Samples) -> str | None:
    if samples.constant_x == samples.constant_y:
        return None
    name, n = ("x", samples.n_x) if samples.constant_x else ("y", samples.n_y)
    return f"all {n} values of {name} are equal; the spread of runs is estimated from the other sample alone."


def same_values(samples: Samples) -> str | None:
    if samples.x is None or samples.y is None or samples.constant_x or samples.n_x != samples.n_y:
        return None
    if not np.array_equal(np.sort(samples.x), np.sort(samples.y)):
        return None
    return f"check whether one file was read twice: x and y hold the same {samples.n_x} values."


def too_few(samples: Samples) -> str | None:
    counts = np.array([[samples.n_x, samples.n_y]])
    smallest = smallest_pvalue(counts, two_sided=samples.alternative == "two-sided")
    if samples.method == "asymptotic" or smallest <= USUAL_ALPHA:
        return None
    return (
        f"add runs: with {samples.n_x} and {samples.n_y} runs the smallest p-value of this test is {digits(smallest)}, "
        f"so it cannot fall below {USUAL_ALPHA} whatever the data."
    )


def no_winner(samples: Samples) -> str | None:
    return f"do not name a winner: {samples.test.title} tells whether two distributions differ, not which is better."


def ties(samples: Samples) -> str | None:
    if samples.x is None or samples.y is None:
        return None
    pooled = np.concatenate([samples.x, samples.y])
    n_tied = tied(pooled)
    if not n_tied:
        return None
    null = "; the exact null distribution is conditional on these ties" if samples.method == "exact" else ""
    return f"{n_tied} of {pooled.size} values are tied and share mid-ranks{null}."


def nothing_trimmed(samples: Samples) -> str | None:
    if samples.trim * max(samples.n_x, samples.n_y) >= 1.0 - 1e-9:
        return None
    return (
        f"trim = {samples.trim} of {samples.n_x} and {samples.n_y} runs is less than one run, so this is Welch's test."
    )


def no_error(samples: Samples) -> str | None:
    if np.isfinite(samples.statistic) or (samples.constant_x and samples.constant_y):
        return None
    return (
        "the standard error is 0, because the samples are completely separated or trimming left only equal values; "
        "p is that of an exact permutation test."
    )


def rarer_than_any(samples: Samples) -> str | None:
    smallest = 2 / comb(samples.n_x + samples.n_y, samples.n_x)
    if samples.method != "asymptotic" or smallest <= USUAL_ALPHA:
        return None
    return (
        f"take {option('test', 'mann_whitney')}, or add runs: of {samples.n_x} and {samples.n_y} runs no arrangement of ranks is rarer than "
        f"{digits(smallest)}, so a smaller p-value, which is that of a continuous law, is no error rate."
    )


RULES: Mapping[str, Callable[[Samples], str | None]] = MappingProxyType(
    {
        "R101": no_variance,
        "R102": one_constant,
        "R103": same_values,
        "R104": too_few,
        "R109": rarer_than_any,
        "R105": no_winner,
        "R106": ties,
        "R107": nothing_trimmed,
        "R108": no_error,
    }
)
"""The rule of each code, in the order in which advice is given; asked only about the tests that `APPLIES` lets it concern."""


def two_sample_advice(samples: Samples) -> tuple[Advice, ...]:
    rules = ((code, rule) for code, rule in RULES.items() if code not in APPLIES or APPLIES[code](samples.test))
    texts = ((code, rule(samples)) for code, rule in rules)
    return tuple(advise(code, text) for code, text in texts if text is not None)
