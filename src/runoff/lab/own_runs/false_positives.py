"""False positive rates on your own runs: tests on repeated random splits of one algorithm's runs into two groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import exp, sqrt

import numpy as np
from scipy.special import gammaln, stdtr

import runoff._inference.pairs as pairs
from runoff._inference.blocked import BLOCKED
from runoff._inference.two_sample import TWO_SAMPLE, boschloo
from runoff.answer.study import FalsePositiveResult, FalsePositiveRow
from runoff.base.arrays import Bools, Floats
from runoff.base.random import RNG
from runoff.base.validate import check_alpha, check_choice
from runoff.data.given import ScoresLike, as_scores
from runoff.errors import OptionError
from runoff.lab.contenders import CONTENDERS
from runoff.lab.contenders.registry import Batch, ContenderDecision
from runoff.lab.own_runs import runs as own
from runoff.words.measures import even_of
from runoff.words.numbers import percent

AUTO = "auto"
"""The default test of `compare`, by the design."""
BY_TASK: Mapping[str, str] = {
    "welch": "welch_by_task",
    "studentized_permutation": "studentized_permutation_by_task",
    "stratified_permutation": "stratified_permutation_by_task",
    "mack_skillings": "mack_skillings_by_task",
    "van_elteren": "mack_skillings_by_task",  # with equal numbers of runs they are one test
    "friedman": "friedman",
    "iman_davenport": "iman_davenport",
    "skillings_mack": "skillings_mack",
}
"""The method of studies that stands for each test over several tasks."""


def false_positive_rate(
    data: ScoresLike,
    *,
    test: str | Sequence[str] | None = None,
    n_runs: int | Sequence[int] | None = None,
    n_repeats: int = 1000,
    alpha: float = 0.05,
    n_resamples: int = 2000,
    rng: RNG = 0,
    threads: int | None = None,
) -> FalsePositiveResult:
    """Return how often tests find a difference between two groups of runs of one algorithm; arguments and method as in `check`."""
    scores = as_scores(data)
    plan = own.CheckPlan.of(check_alpha(alpha), n_repeats, n_resamples, rng)
    algorithms, notes = own.own_runs(scores)
    cells = [
        own.CheckCell(runs=algorithm, names=chosen_tests(algorithm, test), n=n)
        for algorithm in algorithms
        for n in own.group_sizes(algorithm, n_runs)
    ]

    def blocks(cell: own.CheckCell) -> Iterable[tuple[int, int]]:
        splits = own.n_splits(cell.runs, cell.n)
        return [(0, splits)] if splits <= plan.n_repeats else plan.blocks()

    records = [
        record
        for cell, tallies in own.by_cell(cells, blocks, partial(_rejections, plan), threads)
        for record in _records(cell, tallies, plan)
    ]
    return FalsePositiveResult(
        rows=tuple(records),
        alpha=plan.alpha,
        n_resamples=plan.n_resamples,
        seed=plan.streams.seed,
        labels=tuple((name, label_of(name)) for name in dict.fromkeys(record.test for record in records)),
        notes=tuple(notes),
        sentence=about_rates(records, plan.alpha),
    ).with_origin(scores)


def _rejections(plan: own.CheckPlan, cell: own.CheckCell, block: int, size: int) -> dict[str, int]:
    if own.n_splits(cell.runs, cell.n) <= plan.n_repeats:
        scores = own.all_splits(cell.runs, cell.n)
    else:
        scores = own.halves(cell.runs, cell.n, size, plan.generator("halves", cell, block))
    batch, decide = plan.batch(scores, cell, block), applicable(cell.runs)
    names = dict.fromkeys(resolved_test(cell.runs, name, cell.n) for name in cell.names)
    # Two names may be one test, which then decides once.
    rejected = {test: int(np.count_nonzero(test(batch))) for test in {decide[name] for name in names}}
    return {name: rejected[decide[name]] for name in names}


def _records(cell: own.CheckCell, tallies: Sequence[dict[str, int]], plan: own.CheckPlan) -> Iterator[FalsePositiveRow]:
    runs, splits = cell.runs, own.n_splits(cell.runs, cell.n)
    counted, n = splits <= plan.n_repeats, min(splits, plan.n_repeats)
    for name in cell.names:
        itself = resolved_test(runs, name, cell.n)
        rate = sum(tally[itself] for tally in tallies) / n
        yield FalsePositiveRow(
            algorithm=runs.algorithm,
            test=name,
            actual_test=itself,
            n_runs=cell.n,
            rate=rate,
            rate_error=0.0 if counted else sqrt(rate * (1.0 - rate) / n),
            n_repeats=n,
            counted=counted,
            n_disjoint=runs.n_all // (2 * cell.n),
            n_all=runs.n_all,
            n_tasks=len(runs.tasks),
        )


# ── the tests that two groups of runs can be put to ──────────


def rate_decision(batch: Batch) -> Bools:
    """Return whether Miettinen and Nurminen's score test finds a difference between two groups of zeros and ones."""
    return pairs.rates_apart(batch.scores[:, 0], batch.scores[:, 1], batch.alpha)


def boschloo_decision(batch: Batch) -> Bools:
    """Return whether Boschloo's test finds a difference, on one task."""
    # Its p depends on the two counts alone, which few experiments do not share.
    won, n = batch.scores.sum(axis=(2, 3)).astype(np.int64), batch.n_runs
    results, which = np.unique(won, axis=0, return_inverse=True)
    pvalues = np.array([boschloo(last, n, first, n) for first, last in results.tolist()])
    return np.asarray(pvalues[which.reshape(-1)] <= batch.alpha)


def jackknife_decision(runs: own.OwnRuns, batch: Batch) -> Bools:
    """Return whether the jackknife t test of the measure for these runs finds a difference between two groups."""
    if runs.measure == pairs.IMPROVEMENT and len(runs.tasks) > 1 and not runs.shared:
        return np.asarray(improvement_pvalues(batch.scores[:, 1], batch.scores[:, 0]) <= batch.alpha)
    even = even_of(runs.measure)
    decisions, one_by_one = np.zeros(batch.n_batch, np.bool_), np.ones(batch.n_batch, np.bool_)
    if runs.measure == "mean" and not runs.shared:
        decisions = np.asarray(CONTENDERS["jackknife_by_task"].decide(batch))
        # The t law is wanted for what relabelling has to find too; how many tasks vary differs from draw to draw.
        n_varied = (np.ptp(batch.scores, axis=(1, 3)) > 0).sum(axis=1)
        able = [pairs.may_relabel(np.full((k, 2), batch.n_runs), batch.alpha) for k in range(len(runs.tasks) + 1)]
        one_by_one = np.array(able)[n_varied] & (len(runs.tasks) > 1)
    for i in np.flatnonzero(one_by_one).tolist():
        x, y = batch.scores[i]
        how = pairs.Relabelling(level=batch.alpha)
        pair = pairs.PairData(a="a", b="b", x=list(x), y=list(y), tasks=runs.tasks, shared=runs.shared, relabelling=how)
        law = pair.law(runs.measure)
        # What the t distributions do not find need not be relabelled.
        decisions[i] = pairs.t_law_of(law).pvalue(even) <= batch.alpha and law.pvalue(even) <= batch.alpha
    return decisions


def of_means(decide: ContenderDecision) -> ContenderDecision:
    """Return the decision on shared runs, each with its mean over the tasks, as `compare` does for two-sample tests."""
    return lambda batch: decide(replace(batch, scores=batch.scores.mean(axis=2, keepdims=True), _cache={}))


def applicable(runs: own.OwnRuns) -> Mapping[str, ContenderDecision]:
    """Return the names of the tests that apply to these runs."""
    tests: dict[str, ContenderDecision] = {pairs.JACKKNIFE: partial(jackknife_decision, runs)}
    if runs.rates:
        tests = {pairs.MIETTINEN_NURMINEN: rate_decision}
        if len(runs.tasks) == 1:
            tests["boschloo"] = boschloo_decision
    if runs.shared:
        able = [name for name, test in TWO_SAMPLE.items() if test.about.claim is not None and not test.about.by_rank]
        return tests | {name: of_means(CONTENDERS[name].decide) for name in able}
    if len(runs.tasks) > 1:
        return tests | {name: CONTENDERS[at].decide for name, at in BY_TASK.items()}
    return tests | {name: CONTENDERS[name].decide for name in TWO_SAMPLE}


def chosen_tests(runs: own.OwnRuns, choice: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the requested tests, by default all that apply; refuse a test that does not apply to this number of tasks."""
    able = (AUTO, *applicable(runs))
    if choice is None:
        return able
    names = own.listed("test", choice, f"some of {', '.join(able)}")
    for name in names:
        check_choice(
            "tests",
            name,
            dict.fromkeys((AUTO, pairs.JACKKNIFE, *TWO_SAMPLE, *BLOCKED, "boschloo", pairs.MIETTINEN_NURMINEN)),
        )
        if name not in able:
            repair = "; or select one task" if len(runs.tasks) > 1 and name in TWO_SAMPLE and not runs.shared else ""
            raise OptionError(f"{name} is not made for {_kind(runs)}; tests that are: {', '.join(able)}{repair}.")
    return tuple(names)


def _kind(runs: own.OwnRuns) -> str:
    if runs.shared:
        return "the means of runs that are scored on all tasks"
    scores = "scores of 0 and 1" if runs.rates else "scores that are not only 0 and 1"
    return f"{scores} on {len(runs.tasks)} tasks" if len(runs.tasks) > 1 else f"{scores} on one task"


def resolved_test(runs: own.OwnRuns, name: str, n: int) -> str:
    """Return the test behind a name: the design decides `auto`."""
    if name != AUTO:
        return name
    cells = [np.zeros(n)] * len(runs.tasks)
    pair = pairs.PairData(a="a", b="b", x=cells, y=cells, tasks=runs.tasks, rates=runs.rates)
    return pairs.chosen_test(pair, runs.measure)


def label_of(name: str) -> str:
    """Return the name of a test in figures and tables."""
    return "default of compare" if name == AUTO else pairs.about_test(name).label


# ── in words ──────────


def about_rates(records: Sequence[FalsePositiveRow], alpha: float) -> str:
    """Return sentences on the rates of the tests, and on which to use."""
    judged = [record for record in records if record.n_all >= own.FEW]
    if not judged:
        return own.too_few(records)
    n = own.usual(record.n_runs for record in judged)
    here = [record for record in judged if record.n_runs == n]
    rates = {name: [r.rate for r in here if r.test == name] for name in dict.fromkeys(r.test for r in here)}
    beyond = {r.test for r in here if r.rate > alpha + own.beyond_chance(alpha, r.n_repeats, len(here))}
    liberal = [name for name in rates if name in beyond]
    spoken = AUTO if AUTO in rates else next(iter(rates))
    sentences = [
        f"With {n} runs, {_called(spoken, here)} finds a difference that is not there in {own.per_cent(rates[spoken])} of the splits"
        f"{own.of_algorithms(here, 'of')}, at \u03b1 = {percent(alpha)}."
    ]
    others = [name for name in liberal if name != spoken]
    if others:
        listed = ", ".join(f"{label_of(name)} ({own.per_cent(rates[name])})" for name in others)
        sentences.append(f"Too often do: {listed}.")
    return " ".join([*sentences, _test_to_use(spoken, liberal, rates, here)])


def _called(name: str, here: Sequence[FalsePositiveRow]) -> str:
    if name != AUTO:
        return label_of(name)
    tests = dict.fromkeys(label_of(record.actual_test) for record in here if record.test == name)
    return f"the test that compare takes ({' or '.join(tests)})"


def _test_to_use(
    spoken: str, liberal: Sequence[str], rates: dict[str, list[float]], here: Sequence[FalsePositiveRow]
) -> str:
    sound = [name for name in rates if name not in liberal and max(rates[name]) > 0.0]
    if spoken not in liberal and max(rates[spoken]) > 0.0:
        return f"Use {_called(spoken, here)}."
    if not sound:
        return "None of the tests tried both keeps its level and can reject: train more runs."
    best = max(sound, key=lambda name: min(rates[name]))
    why = "rejected in no group" if spoken not in liberal else "rejects too often"
    return f"It {why}: use {label_of(best)} ({own.per_cent(rates[best])})."


def improvement_pvalues(x: Floats, y: Floats) -> Floats:
    """Return the p-values (n_batch,) of the improvement for many experiments of one size on several tasks, (n_batch, n_tasks, n_runs) on
    each side.

    They are the same as those of `improvement_law`.
    """
    n_batch, n_tasks, n = x.shape
    # The two rarest of C(2n, n)^T labellings: no law of these runs has a smaller p-value, as in `improvement_law`.
    rarest = 2 * exp(-n_tasks * float(gammaln(2 * n + 1) - 2 * gammaln(n + 1)))
    pvalues, step = np.empty(n_batch), max(1, 1_000_000 // (n_tasks * n * n))
    for rows in (slice(start, start + step) for start in range(0, n_batch, step)):
        a, b = x[rows, :, :, None], y[rows, :, None, :]
        ahead = (a > b) + 0.5 * (a == b)
        # Placements (DeLong et al. 1988): the share of the other side that a run beats; their variances make that of
        # the chance.
        of_x, of_y = ahead.mean(axis=3), ahead.mean(axis=2)
        chances, size = of_x.mean(axis=2), np.array(float(n))
        spread = (of_x.var(axis=2, ddof=1) + of_y.var(axis=2, ddof=1)) / n
        parts = (spread + pairs.guarded(chances, size, size)) / (2 * n_tasks**2)
        total = parts.sum(axis=1)
        df = np.clip((2 * n - 2) / np.square(parts / total[:, None]).sum(axis=1), 2 * n - 2, n_tasks * (2 * n - 2))
        pvalues[rows] = 2 * stdtr(df, -np.abs(chances.mean(axis=1) - pairs.EVEN) / np.sqrt(total))
    return np.maximum(pvalues, rarest)
