"""Caveats about tests over many tasks (codes R2xx, and R016 of them), learning curves (R404, R405) and two samples (R101 to R109)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from runoff._inference.about import AboutTest
from runoff._inference.advice.codes import APPLIES, USUAL_ALPHA, advise
from runoff._inference.blocked import BlockedOutcome, smallest_pvalue
from runoff.base.arrays import Floats, Ints
from runoff.data.scores import Scores
from runoff.results.base import Advice
from runoff.words.numbers import digits, p_equals
from runoff.words.speech import call, option

ENOUGH_RUNS = 4
"""The χ² distribution is adequate with more than 3 runs per cell (Hollander & Wolfe, quoted by Casesa 2024 section 2.3.3)."""


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
            f"use {option('method', 'exact')} or monte_carlo: the p-value is from the χ² distribution, which is adequate with more than 3 runs "
            f"per cell, and some cells have {fewest}."
        )
        yield advise("R205", text)


def _unattainable(test: AboutTest, outcome: BlockedOutcome, used: Ints, two_sided: bool) -> Iterator[Advice]:
    """R016: no runs of this design could have shown a difference at 5 %."""
    if outcome.all_tied or not APPLIES["R016"](test):
        return
    counts = (used > 0).astype(int) if test.averages else used
    smallest = smallest_pvalue(counts.T, two_sided=two_sided)
    if smallest > USUAL_ALPHA:
        text = (
            f"add runs or tasks: {test.title} cannot find a difference at {USUAL_ALPHA} whatever the runs are; with so few of them "
            f"the smallest exact p-value is {digits(smallest, 2)}."
        )
        yield advise("R016", text)


def joint_ranks(k: int, control: str | None) -> Advice | None:
    """R206: a difference of joint ranks changes when other algorithms do."""
    if k <= 2:
        return None
    family = "comparisons with the control" if control else "pairs"
    repair = call("compare", test="mack_skillings")
    text = (
        f"use {repair} to control the false positive rate over the {family} whatever other algorithms do: all {k} algorithms were ranked "
        "together, so whether two differ also depends on the others, and that rate is controlled only when all algorithms are equal."
    )
    return advise("R206", text)


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


def risks_described(least: int) -> Advice:
    """R404: risks of training rest on falls that the runs at hand need not show."""
    few = "the worst run" if least <= 20 else "few"
    worst = f", and the worst 5 % of {least} runs are {few}" if least > 1 else ""
    text = (
        "read the three risks as descriptions of these runs: they rest on rare falls, which other runs may show and these not, so no interval "
        f"holds (those by t, measured on real curves: 50 to 96 %){worst}."
    )
    return advise("R404", text)


def one_task_curves(n_tasks: int, n_runs: int, band: str) -> Advice | None:
    """R405: on one task few runs need not show what others do, and nothing in such runs tells whether they do."""
    if n_tasks > 1 or not 1 < n_runs <= MEASURED_RUNS:
        return None
    share = "79 to 92" if band == "pointwise" else "88 to 96"
    text = (
        f"add tasks or runs, or read the {band} intervals as too narrow: on one task, those of 95 % held {share} % of real curves of 5 to "
        f"{MEASURED_RUNS} runs, because rare runs that fail or succeed are often not among few."
    )
    return advise("R405", text)


MEASURED_RUNS = 20
"""Runs of one task up to which intervals of real curves were measured."""


# ── two samples: each rule yields codes with their texts ──────────


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


def two_sample_advice(samples: Samples) -> tuple[Advice, ...]:
    rules = (_of_values, _of_pvalues, _of_test)
    return tuple(advise(code, text) for rule in rules for code, text in rule(samples))


def _of_values(s: Samples) -> Iterator[tuple[str, str]]:
    """R101 to R103: samples that do not vary, or are the same."""
    if s.constant_x and s.constant_y:
        alike = "they are equal, so p = 1"
        if s.difference != 0.0:
            alike = "p is that of an exact permutation test of complete separation"
        yield (
            "R101",
            f"check whether the runs had different seeds: all {s.n_x} values of x are equal and so are all {s.n_y} of y, so no test can "
            f"estimate how runs vary; {alike}.",
        )
    elif s.constant_x or s.constant_y:
        name, n = ("x", s.n_x) if s.constant_x else ("y", s.n_y)
        yield (
            "R102",
            f"all {n} values of {name} are equal; the spread of runs is estimated from the other sample alone.",
        )
    if s.x is not None and s.y is not None and not s.constant_x and np.array_equal(np.sort(s.x), np.sort(s.y)):
        yield "R103", f"check whether one file was read twice: x and y hold the same {s.n_x} values."


def _of_pvalues(s: Samples) -> Iterator[tuple[str, str]]:
    """R104 and R109: p-values that so few runs cannot have."""
    if APPLIES["R104"](s.test) and s.method != "asymptotic":
        smallest = smallest_pvalue(np.array([[s.n_x, s.n_y]]), two_sided=s.alternative == "two-sided")
        if smallest > USUAL_ALPHA:
            yield (
                "R104",
                f"add runs: with {s.n_x} and {s.n_y} runs the smallest p-value of this test is {digits(smallest)}, so it cannot fall below "
                f"{USUAL_ALPHA} whatever the data.",
            )
    if (
        APPLIES["R109"](s.test)
        and s.method == "asymptotic"
        and (rarest := 2 / comb(s.n_x + s.n_y, s.n_x)) > USUAL_ALPHA
    ):
        yield (
            "R109",
            f"take {option('test', 'mann_whitney')}, or add runs: of {s.n_x} and {s.n_y} runs no arrangement of ranks is rarer than "
            f"{digits(rarest)}, so a smaller p-value, which is that of a continuous distribution, is no false positive rate.",
        )


def _of_test(s: Samples) -> Iterator[tuple[str, str]]:
    """R105, R107 and R108: what the test can say, and what became of trimming and the standard error."""
    if APPLIES["R105"](s.test):
        yield (
            "R105",
            f"do not name a winner: {s.test.title} tells whether two distributions differ, not which is better.",
        )
    if APPLIES["R107"](s.test) and s.trim * max(s.n_x, s.n_y) < 1.0 - 1e-9:
        yield "R107", f"trim = {s.trim} of {s.n_x} and {s.n_y} runs is less than one run, so this is Welch's test."
    if not np.isfinite(s.statistic) and not (s.constant_x and s.constant_y):
        yield (
            "R108",
            "the standard error is 0, because the samples are completely separated or trimming left only equal values; p is that of an exact "
            "permutation test.",
        )
