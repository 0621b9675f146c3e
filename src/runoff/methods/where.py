"""Where does a lead come from? The tasks that differ, the few that make the lead, and how much leads vary."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isinf
from typing import Any, Literal, Unpack

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import pairs as pairing
from runoff._inference.bootstrap import of_two_values
from runoff._inference.family import adjust, decided_levels
from runoff._inference.groups import two_groups
from runoff._inference.power import needed_multiple
from runoff.answer.where import Heterogeneity, WhereResult, WhereRow, WhereVerdict
from runoff.base.random import RNG, streams
from runoff.base.validate import check_alpha, check_choice, check_resamples
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.words.measures import even_of
from runoff.words.numbers import counted, estimated, listed, p_equals, percent

MEASURES = ("auto", "mean", pairing.IMPROVEMENT)
"""What has a value on one task: not the IQM, which is of all."""


def where(
    data: ScoresLike,
    a: str,
    b: str,
    *,
    measure: Literal["auto", "mean", "improvement"] = "auto",
    alpha: float = 0.05,
    n_resamples: int = 10_000,
    rng: RNG = 0,
    **of_data: Unpack[DataOptions],
) -> WhereResult:
    """Where does the lead of an algorithm over another come from: which tasks differ, and do few of them make it?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
    a, b : str
        Algorithms; every difference is a − b.
    measure : "auto", "mean" or "improvement"
        "auto" is the improvement where `compare` would take it, for tasks in units of their own; else the mean.
    alpha : float
        False positive rate over the tasks; all intervals hold at once at 1 − alpha.
    n_resamples, rng
        For the permutations behind Q.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    WhereResult
        One record for each task that both have, except tasks with a single run, which `compare` leaves out (advice R002).

    Raises
    ------
    DesignError
        An algorithm is unknown, or the two have no task in common.
    OptionError
        The measure is unknown, or alpha is outside (0, 1).

    Notes
    -----
    Leads of tasks are not shrunk towards each other: on Atari runs partial pooling has larger errors (large leads lie on noisy games), and
    its intervals cover .73 to .89. Each task has the test of `compare` on one task: t for a difference of means; Mann-Whitney's exact test
    for probabilities of improvement and, as a difference of rates, for scores of 0 and 1. Holm's procedure covers the tasks that can be
    called: both algorithms have two runs or more, the runs vary, and they do not fall into two groups, for which no distribution holds.

    `lead_tasks`: with k = ⌈T/10⌉ of T tasks, five or more, the mean lead without its k highest and k lowest tasks lies a standard error or
    more below half of the mean lead. An empty `lead_tasks` does not show that the lead is spread over the tasks: with 26 games the rule
    finds one case in five.

    On Atari 100k, where runs are skewed, the intervals of means hold all true differences at once in .77 to .91 of experiments. Between runs
    of one algorithm a task is called in .01 to .04.

    Heterogeneity: Q = Σ (d_t − d̄)² / v̄; under one common difference the runs of a, less d̄, and those of b can be permuted within tasks
    (with 5 runs or more it rejects in .07 to .08 at .05 where shapes differ). τ² = s²(d) − v̄ (Hedges & Olkin 1985 §9.3), with an interval
    for normal leads (Williams 1962). Of runs that tasks share, v̄ is what varies within runs: what one has on all tasks moves all d_t alike.

    Examples
    --------
    >>> import runoff as ro
    >>> a = {"x": [9.1, 9.4, 9.0, 9.3], "y": [5.0, 5.2, 4.9, 5.1], "z": [2.0, 2.2, 2.1, 1.9]}
    >>> b = {"x": [5.1, 5.4, 5.0, 5.2], "y": [5.1, 5.0, 5.2, 4.9], "z": [2.1, 1.9, 2.0, 2.2]}
    >>> lead = ro.where({"A": a, "B": b}, "A", "B", measure="mean")
    >>> [(record.task, record.verdict) for record in lead.rows]
    [('x', 'a_better'), ('y', 'no_difference_found'), ('z', 'no_difference_found')]
    """
    scores = rules.comparable(as_scores(data, **of_data), (a, b))
    check_choice("measure", measure, MEASURES)
    check_alpha(alpha)
    check_resamples(n_resamples)
    family = streams(rng)
    by: str = measure
    if by == "auto":
        by = pairing.IMPROVEMENT if pairing.measure_of(scores) == pairing.IMPROVEMENT else "mean"
    pair = pairing.PairData.of(scores, *pairing.chosen_pairs(scores, [(a, b)], None)[0], by)
    reasons = [_reason(pair, task) for task in range(len(pair.tasks))]  # why each is not called, "" where it can be
    records = _records(pair, by, reasons, alpha)
    few = pairing.few_tasks(pair, by)
    spread = None if by == pairing.IMPROVEMENT else pairing.spread_of_leads(pair, family, n_resamples, 1 - alpha)
    runs = _runs_to_call(pair, by, reasons, alpha)
    return WhereResult(
        rows=records,
        a=a,
        b=b,
        measure=by,
        lead_tasks=few,
        heterogeneity=spread,
        runs_to_test=runs,
        alpha=alpha,
        confidence_level=1 - alpha,
        n_resamples=n_resamples if spread else 0,
        seed=family.seed,
        sentence=_sentence(pair, records, few, spread, runs, by=by, alpha=alpha),
        advice=rules.collected(
            rules.one_run(pair.lonely, rules.pair(a, b), others=pair.n_counted or None),
            *rules.about_data(scores),
            rules.missing(scores),
        ),
    ).with_origin(scores)


def tasks_of(
    scores: Scores, pairs: Sequence[tuple[str, str]], *, measure: Literal["mean", "improvement"], alpha: float
) -> tuple[WhereResult, ...]:
    """Return the tasks of each pair alone, without what makes the lead and how much they differ."""
    data = pairing.all_pairs(scores, pairing.chosen_pairs(scores, pairs, None), measure) if pairs else []
    return tuple(_tasks_alone(pair, measure, alpha) for pair in data)


def _tasks_alone(pair: pairing.PairData, measure: Literal["mean", "improvement"], alpha: float) -> WhereResult:
    reasons = [_reason(pair, task) for task in range(len(pair.tasks))]
    return WhereResult(
        rows=_records(pair, measure, reasons, alpha),
        a=pair.a,
        b=pair.b,
        measure=measure,
        lead_tasks=(),
        heterogeneity=None,
        runs_to_test=None,
        alpha=alpha,
        confidence_level=1 - alpha,
        n_resamples=0,
        seed=0,
        sentence="",
    )


def _reason(pair: pairing.PairData, task: int) -> str:
    if min(pair.x[task].size, pair.y[task].size) < 2:
        return "one of both has a single run"
    sides = {pair.a: pair.x[task], pair.b: pair.y[task]}
    for name, cell in {} if of_two_values(list(sides.values())) else sides.items():
        if (groups := two_groups(cell)) is not None:
            return f"the runs of {name} fall into two groups, {groups[0]} low and {groups[1]} high"
    return "" if pairing.task_law(pair, task, "mean").interval(0.95) is not None else "the runs of each side are alike"


def _records(pair: pairing.PairData, measure: str, reasons: Sequence[str], alpha: float) -> tuple[WhereRow, ...]:
    laws = [pairing.task_law(pair, task, measure) for task in range(len(pair.tasks))]
    called = [task for task, reason in enumerate(reasons) if not reason]
    raw = [laws[task].pvalue(even_of(measure)) for task in called]
    # Only tasks that can be called are a family: the others ask no question.
    adjusted = adjust(raw, "holm").tolist()
    steps = decided_levels(raw, adjusted, "holm", alpha)
    decided = dict(zip(called, zip(raw, adjusted, steps, strict=True), strict=True))
    leads = pairing.task_leads(pair, measure)
    # Leads of both signs may cancel, to 0 or to rounding beside the scores, and then no task has a share: as in `robustness`, none is ahead.
    size = 1.0 if measure == "improvement" else max(float(np.abs(cell).max()) for cell in (*pair.x, *pair.y))
    ahead = pairing.kept([("", abs(float(leads.mean())), size)]).kept == 1
    shares = leads / leads.sum() if ahead else None
    return tuple(
        WhereRow(
            task=pair.tasks[task],
            estimate=law.value,
            share=None if shares is None else float(shares[task]),
            reason=reasons[task],
            **_decision(law, decided.get(task), alpha / max(len(called), 1), alpha=alpha, even=even_of(measure)),
        )
        for task, law in enumerate(laws)
    )


def _decision(
    law: pairing.PairLaw, decided: tuple[float, float, float] | None, first: float, *, alpha: float, even: float
) -> dict[str, Any]:
    """Return the p-values, intervals and verdict of a task; none where it is not called."""
    if decided is None:
        empty = dict.fromkeys(("low", "high", "joint_low", "joint_high", "pvalue", "pvalue_adjusted"))
        return {**empty, "verdict": "not_tested"}
    p, q, step = decided
    (joint_low, joint_high), (low, high) = (law.interval(1 - part) or (None, None) for part in (first, step))
    verdict: WhereVerdict = "no_difference_found" if q > alpha else "a_better" if law.value > even else "b_better"
    ends = {"low": low, "high": high, "joint_low": joint_low, "joint_high": joint_high}
    return {**ends, "pvalue": p, "pvalue_adjusted": q, "verdict": verdict}


def _runs_to_call(pair: pairing.PairData, measure: str, reasons: Sequence[str], alpha: float) -> int | None:
    called = [task for task, reason in enumerate(reasons) if not reason]
    # Ranks and rates have a smallest p-value for every number of runs: what counts is from which n on it can reach
    # the level at all.
    if measure == pairing.IMPROVEMENT or pair.binary:
        return pairing.fewest_to_call(len(called or reasons), alpha, rates=pair.binary)
    if not called:
        return None  # no error of a mean is known
    laws = {task: pairing.task_law(pair, task, measure) for task in called}
    # The fewest runs that call any task: that whose lead is the largest number of standard errors.
    clearest = max(called, key=lambda task: abs(laws[task].value) / pairing.widest(laws[task], 0.95)[0])
    error, df = pairing.widest(laws[clearest], 1 - alpha / len(called))
    if df is None or not laws[clearest].value:
        return None
    n = min(pair.x[clearest].size, pair.y[clearest].size)
    multiple = needed_multiple(laws[clearest].value, error, df, n, alpha / len(called))
    return None if isinf(multiple) else max(2, ceil(n * multiple))


def _sentence(
    pair: pairing.PairData,
    records: Sequence[WhereRow],
    few: Sequence[str],
    spread: Heterogeneity | None,
    runs: int | None,
    *,
    by: str,
    alpha: float,
) -> str:
    calls = [record.verdict for record in records]
    above, below, open_tasks = (calls.count(call) for call in ("a_better", "b_better", "not_tested"))
    tasks = counted([len(records)], "task")
    words = [f"Of {tasks} {pair.a} was found above {pair.b} on {above}, and below it on {below}."]
    if few:
        words.append(f"{counted([len(few)], 'task')} {'makes' if len(few) == 1 else 'make'} the lead: {listed(few)}.")
    if not above + below and runs is not None and runs > pair.least:
        # Of orders of runs and rates the design alone says it; of means it rests on a lead that may only look so large.
        by_design = by == pairing.IMPROVEMENT or pair.binary
        fewest = f"With fewer than {runs} {pair.unit}s of each none can be called."
        clearest = (
            f"If the clearest lead is as large as it looks, {runs} {pair.unit}s of each call it four times in five."
        )
        words.append(fewest if by_design else clearest)
    if open_tasks:
        first = next(record for record in records if record.reason)
        words.append(f"{counted([open_tasks], 'task')} cannot be called: on {first.task} {first.reason}.")
    if spread is not None:
        tau = estimated(spread.tau, spread.tau_low, spread.tau_high)
        differ = "The true differences differ between tasks" if spread.pvalue <= alpha else NOT_SHOWN
        words.append(f"{differ} (Q by permutation, {p_equals(spread.pvalue)}; τ = {tau}, I² = {percent(spread.i2)}).")
    return " ".join(words)


NOT_SHOWN = "That the true differences differ between tasks was not found"
