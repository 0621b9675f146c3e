"""May this change be merged? A candidate beside a baseline, for continuous integration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import gate as gating
from runoff._inference.pairs import OfStratum, PairData, in_strata, refuse_other_than_means, sample_over, split
from runoff._inference.power import required_power
from runoff.answer.gate import GateResult
from runoff.base.random import RNG, streams
from runoff.base.validate import check_alpha, check_count, check_resamples
from runoff.data.baseline import Baseline, baseline_of, read_baseline
from runoff.data.given import ScoresLike, SideOptions, as_scores
from runoff.data.policy import Policy, policy_of
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.measures import meant_as_share
from runoff.words.names import MeasureName, OverName, StratumWeights
from runoff.words.numbers import digits, margin_text, some
from runoff.words.speech import Sentence, choice, option

OfTerms = Callable[..., gating.Terms]
ALPHA = 0.05


def gate(
    baseline: ScoresLike,
    candidate: ScoresLike,
    *,
    margin: gating.Margin | None = None,
    policy: str | Path | Mapping[str, Any] | None = None,
    measure: MeasureName = "auto",
    over: OverName = "auto",
    cluster: Mapping[str, str] | None = None,
    strata: Mapping[str, str] | None = None,
    weights: StratumWeights | Mapping[str, float] = "equal",
    algorithm: str | None = None,
    candidate_algorithm: str | None = None,
    alpha: float | None = None,
    nights: int = 1,
    confirm: ScoresLike | None = None,
    power: float = 0.8,
    n_resamples: int = 20_000,
    rng: RNG = 0,
    **of_data: Unpack[SideOptions],
) -> GateResult:
    """May this change be merged, or this model released: is the candidate worse than the baseline, on any task or over all?

    Parameters
    ----------
    baseline, candidate : Scores, or whatever `compare` takes; of the baseline also a file of `save_baseline`
        One algorithm on each side, on the same tasks, read and normalised alike. Higher is better.
    margin : float, str or dict, optional
        The smallest drop of the mean score that matters, above 0: in units of the scores; "1sd", "0.5sd": in standard deviations of the
        baseline's runs on each task; "10%": as a share of the baseline's mean on each task, not of rates; ``{task: margin}``, with every task;
        None: the margin of a saved baseline. Choose it before you look at the candidate.
    policy : path or mapping, optional
        In place of a margin, what each benchmark must show: a TOML file, or a mapping with its keys: ``{"alpha": 0.05, "benchmarks":
        {"gsm8k": {"rule": "must not lose", "margin": 0.02}, "mmlu": {"rule": "must win"}}}``. A benchmark is a stratum, or a task where runs
        are the sample. The candidate passes where all rules are shown to hold (Notes).
    over : "auto", "runs" or "tasks"
        The sample, as in `compare`: the runs, or the tasks as items like these; "auto" takes the items where each was attempted once.
    cluster : {task: cluster}, optional
        Which items were drawn together, as in `compare`.
    strata : {task: benchmark}, optional
        The benchmark of every item, or, with a policy, of every task: each benchmark has a row, and without a policy their mean has one too.
    weights : "equal", "tasks" or {benchmark: weight}
        The weights of the benchmarks in that mean.
    measure : "auto" or "mean"
        The gate judges means, whatever the tasks are; for other measures use `compare` and `equivalence`.
    algorithm : str, optional
        The algorithm to take where there are several.
    candidate_algorithm : str, optional
        The name of the algorithm in the candidate's runs, if it differs; of several the one called as the baseline's is taken.
    alpha : float, optional
        False positive rate of each kind of call, over all tasks and their mean together; None: the rate of a saved baseline, or 0.05.
    nights : int
        The number of candidates that this baseline judges; `alpha` is then the chance of any false "regressed" in all of them, and half of
        it that of any false "improved". "held" is about a single candidate, and keeps `alpha`.
    confirm : as `candidate`, optional
        Fresh runs of the candidate on the tasks that have regressed, or on all tasks if their mean has. A task that does not regress in
        these runs too is "suspect".
    power : float
        An undecided task is "underpowered" if its power to detect a drop of the margin is below this.
    n_resamples : int
        Approximate number of permutations that are drawn.
    rng : int or numpy.random.Generator
    **of_data
        How all sides are read (`score="return"`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them (`tasks`,
        `exclude`), which score of a run counts (`last`, `at`), and `normalize`; a saved baseline is taken as it was saved.

    Returns
    -------
    GateResult
        A record for every task and, last, for the mean over all if there are several: `verdict`, `drop`, its upper limit, power, the
        smallest drop that can be called, a sentence. `confirmation` is the gate of the fresh runs; `notes` explain what many nights mean.

    Raises
    ------
    DesignError
        The tasks, the protocol or the normalisation are not the baseline's; there are several algorithms, a single run, or fewer runs on one
        task than on another where the baseline has no fewer; one set of runs is given twice; the candidate has copies of the baseline's runs
        (continuous scores equal to the last digit); the fresh runs are those of the candidate or of the baseline, lack a task that has
        regressed, or are too few to confirm anything.
    OptionError
        There is no margin, or it is not above 0, is 1 or more of rates, out of all proportion to the scores, leaves a task out, names an
        unknown one; the policy has a benchmark that the data lack, or no rule for one of theirs; the margin or alpha is not the saved one;
        the error rate is so small that no number of draws can show it.
    DataError
        A saved baseline was changed by hand.

    Notes
    -----
    **The calls.** The verdict is the first of these that holds: *improved*, the mean is higher, at alpha / 2; *held*, a drop of the margin
    or more is ruled out, at alpha; *regressed*, the mean is lower, at alpha; *suspect*, none of these is established, although a drop of the
    margin would be called with `power`, or although `compare`, on a single night, finds the mean of this record lower; *underpowered*, none
    of the above.

    **Margins by task.** Where tasks have margins of their own, the mean over tasks is the mean of their drops in units of their margins, and
    its margin is 1: each task is weighted by what matters on it, whatever its unit. A task's own numbers stay in units of its scores. If one
    margin covers tasks with different spreads, the sentence says so, and names the tasks on which it exceeds a standard deviation of the
    baseline.

    **Nights.** Without `nights`, a month of candidates that change nothing has a chance of up to 1 − 0.95³⁰ = 79 % of at least one call.
    With it each night has alpha / nights (Bonferroni; nights share the luck of the baseline, so less than alpha is spent). With `confirm`, a
    drop must be called twice, each time at the level of a night.

    **The tests.** Welch's t of every task's drop, and of the mean over tasks, under one joint permutation of the runs within tasks (of whole
    runs where they are shared). It is exact where distributions are equal, whatever they are and however few or unequal the runs; for a drop
    of the margin, where they differ by such a shift. The mean over tasks has half of alpha and the tasks have the other half, or all of it
    where the mean is decided (Bretz et al. 2009); within the tasks the smallest tail of the t distributions decides, step by step (Westfall
    & Young 1993). So the chance of any wrong call of a kind is at most alpha. A shift does not describe runs with one of two scores: such a
    task is held by an exact limit of the difference of two rates, with Holm's procedure, and the mean of such tasks by the distances to
    exact ends. Where all runs of a task have one score that is not 0 or 1, nothing is known about how runs vary: neither the task nor the
    mean over tasks is held.

    **Beside `compare`.** Lower, higher or held is called only where the test of `compare` by the mean, on the same runs and one-sided at the
    same level (two-sided at twice that), agrees; and what that test finds lower is regressed, suspect or held. Where all runs of each side
    are equal, `compare` has no test, and the permutation test decides alone.

    **Items.** The method of `compare` over tasks: the score test of the paired difference (Tango 1998), with its variance scaled to several
    attempts and to clusters; with fewer than five clusters nothing is called. Each row is one-sided, the benchmarks have Holm's correction
    in place of the joint permutation, and their mean has MOVER's limit. `confirm` does not apply to items.

    **A policy.** A rule holds where the upper limit of the drop is below the margin, one-sided at the policy's alpha; "must win" has the
    margin 0. Items and clusters are tested as in `compare`, success rates by Miettinen and Nurminen's score, other scores by the tests
    above, each benchmark as if it were the only one. To pass, all rules must hold. The null hypothesis is that at least one does not, and
    whichever that is, its own test lets it through with a chance of at most alpha (an intersection–union test, Berger 1982). So a false pass
    has a chance of at most alpha without any correction, and much less where several rules are broken.

    **Power** is that of normal runs with these spreads, averaged over what the standard error may really be; where there are few
    permutations, the test is simulated. Where nothing could be called, `detectable_drop` is None.

    References
    ----------
    Berger 1982; Tango 1998; Miettinen & Nurminen 1985; Westfall & Young 1993, algorithm 2.8; Bretz, Maurer, Brannath & Posch 2009; Chung &
    Romano 2013; Barnard 1947; Chan & Zhang 1999; Clopper & Pearson 1934; Holm 1979.

    Examples
    --------
    >>> import numpy as np, runoff as ro
    >>> runs = np.random.default_rng(0)
    >>> before = {"PPO": {"Pong": runs.normal(20, 1, 5), "Qbert": runs.normal(15, 1, 5)}}
    >>> after = {"PPO": {"Pong": runs.normal(20, 1, 5), "Qbert": runs.normal(9, 1, 5)}}
    >>> result = ro.gate(before, after, margin=3.0)
    >>> [(record.task, record.verdict) for record in result.rows]
    [('Pong', 'held'), ('Qbert', 'regressed'), (None, 'regressed')]
    >>> policy = {"benchmarks": {"Pong": {"rule": "must not lose", "margin": 3.0}, "Qbert": {"rule": "must win"}}}
    >>> [(record.task, record.verdict) for record in ro.gate(before, after, policy=policy)]
    [('Pong', 'passed'), ('Qbert', 'failed')]
    """
    refuse_other_than_means(measure, "the gate")
    named_weights = None if weights == "equal" else weights
    own = {"margin": margin, "alpha": alpha, "confirm": confirm, "weights": named_weights}
    rule = None if policy is None else _policy(policy, nights=nights, **own)
    before = _given(baseline, "baseline", algorithm, **of_data)
    sought = (candidate_algorithm or algorithm, before.scores.algorithms[0])
    after = _given(candidate, "candidate", *sought, **of_data)
    level = _alpha(alpha if rule is None else rule.alpha, before)
    # The margin comes later: of a multiple of the standard deviation it is known when the runs are.
    terms = partial(
        gating.Terms,
        alpha=level,
        nights=check_count("nights", nights),
        twice=confirm is not None,
        power=required_power(power, level),
        n_resamples=check_resamples(n_resamples),
        streams=streams(rng),
    )
    named = _margin(margin, before) if rule is None else None
    # What the sample is follows from both: where one of them has several attempts at an item, they are no items of one attempt.
    wanted = over if after.scores.of_items or cluster is not None or over != "auto" else "runs"
    over = sample_over(before.scores, wanted, "auto", cluster=cluster, strata=strata, weights=weights)
    if named is not None and over == "runs":
        _refuse_strata(strata)
        judged = partial(_of_runs, terms=terms)
        result = judged(before, after, named)
        if confirm is not None:
            fresh = _given(confirm, "second run", *sought, **of_data)
            result = gating.confirmed(result, before, after, fresh, judged)
        return result.with_origin(after.scores)
    if confirm is not None:
        raise OptionError(
            f"{option('confirm')} asks fresh runs, and here items are the sample: the same items again are no fresh ones; leave it out."
        )
    sides = gating.Sides.of(before, after, over=over, cluster=cluster, rates=rule is not None)
    judge: Callable[..., GateResult] = (
        partial(_of_items, margin=named, weights=weights) if rule is None else partial(_by_policy, policy=rule)
    )
    return judge(sides, strata=strata, terms=terms).with_origin(after.scores)


def save_baseline(
    data: ScoresLike,
    path: str | Path,
    *,
    algorithm: str | None = None,
    margin: gating.Margin | None = None,
    alpha: float = ALPHA,
    force: bool = False,
    **of_data: Unpack[SideOptions],
) -> None:
    """Save runs as the baseline for later candidates, with the way in which they were read.

    Parameters
    ----------
    data : Scores, or whatever `compare` takes
    path : path
        A JSON file, for `gate`. It holds every run, the protocol, the normalisation, and a digest that reveals a later change.
    algorithm : str, optional
        The algorithm to take where there are several.
    margin : float, str or dict, optional
        The margin of every later gate, as in `gate`.
    alpha : float
        Kept too.
    force : bool
        Replace an existing file; without it, an existing file is an error.
    **of_data
        How `data` are read (`score="return"`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them (`tasks`,
        `exclude`), which score of a run counts (`last`, `at`), and `normalize`.

    Raises
    ------
    DesignError
        There are several algorithms, or a task has a single run.
    OutputError
        The file exists, or it cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import runoff as ro
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "baseline.json")
    >>> ro.save_baseline({"PPO": {"Pong": [18, 20, 19, 20.5, 18.5]}}, file, margin=3.0)
    >>> ro.gate(file, {"PPO": {"Pong": [9, 11, 10, 10.5, 9.5]}}).overall.verdict
    'regressed'
    >>> folder.cleanup()
    """
    chosen = _algorithm_of(as_scores(data, **of_data), "baseline", algorithm)
    if not chosen.of_items:
        gating.refuse_single_runs(chosen)
    kept = None if margin is None else gating.margins_of(margin, chosen.tasks, list(chosen.cells(0)))
    by_task = dict(zip(chosen.tasks, kept, strict=True)) if isinstance(kept, tuple) else kept
    baseline_of(chosen, alpha=check_alpha(alpha), margin=by_task).write(path, force=force)


def _policy(policy: str | Path | Mapping[str, Any], *, nights: int, **others: object) -> Policy:
    """Return the policy; refuse options that it holds, or that mean nothing beside it."""
    for name, value in others.items() if nights == 1 else [("nights", nights)]:
        if value is not None:
            raise OptionError(
                f"{option(name)} is of a gate without a policy, which has a rule for each benchmark and one level for all: leave it out."
            )
    return policy_of(policy)


def _refuse_strata(strata: object) -> None:
    if strata is not None:
        raise OptionError(
            f"{option('strata')} says of what benchmark each item is, or each task that a policy has a rule for: name a policy "
            f"({option('policy', 'FILE.toml')}), or leave it out."
        )


def _given(
    given: ScoresLike, side: str, algorithm: str | None, usual: str | None = None, **of_data: Unpack[SideOptions]
) -> Baseline:
    """Return a side as a baseline: the saved one, or one that is made of the scores now."""
    saved = read_baseline(given) if isinstance(given, str | Path) else None
    if saved is None:
        return baseline_of(_algorithm_of(as_scores(given, **of_data), side, algorithm, usual))
    _algorithm_of(saved.scores, side, algorithm)
    return saved


def _algorithm_of(scores: Scores, side: str, algorithm: str | None, usual: str | None = None) -> Scores:
    """Return the scores of the algorithm that is asked for, or of the only one, or of the baseline's name, on the tasks that it has."""
    if algorithm is None and scores.n_algorithms > 1 and usual in scores.algorithms:
        algorithm = usual
    if algorithm is None and scores.n_algorithms > 1:
        named = ", ".join(repr(name) for name in scores.algorithms[:6])
        raise DesignError(
            f"the {side} holds {scores.n_algorithms} algorithms ({named}), and a gate compares one with one: name it, as "
            f"{option('algorithm' if side == 'baseline' else 'candidate_algorithm', scores.algorithms[0])}."
        )
    name = algorithm or scores.algorithms[0]
    if usual is not None and name not in scores.algorithms:
        own = f"{option('candidate_algorithm', scores.algorithms[0])} names it by its own"
        raise OptionError(f"the {side} has no algorithm {name!r}, but {some(map(repr, scores.algorithms))}: {own}.")
    rules.refuse_untested(scores, [name])
    return scores.select(algorithms=[name])


def _alpha(alpha: float | None, baseline: Baseline) -> float:
    if alpha is None:
        return ALPHA if baseline.alpha is None else baseline.alpha
    # The level was chosen before the candidate was seen; another one now may have been chosen to let it pass.
    if baseline.alpha not in (None, check_alpha(alpha)):
        raise OptionError(
            f"the baseline was saved with alpha {baseline.alpha:g}, and alpha {alpha:g} is asked for; leave it out, or save the baseline anew."
        )
    return alpha


def _margin(margin: gating.Margin | None, baseline: Baseline) -> gating.Margin:
    """Return the margin; refuse none, and another than the saved one, which was named before the candidate was seen."""
    kept = baseline.margin
    if margin is None and kept is None:
        items = baseline.scores.of_items
        how = f"{option('margin', '1sd')}, for one standard deviation of the baseline, {option('margin', '10%')}, for a share of its mean"
        how = f"{how}, or a number"
        how = f"{option('margin', '0.02')}, for two points of accuracy" if items else how
        raise OptionError(
            f"a gate needs a margin, the smallest drop that matters, and the baseline has none: give {how}."
        )
    if margin is None or kept is None:
        return kept if margin is None else margin  # type: ignore[return-value]
    tasks, cells = baseline.scores.tasks, list(baseline.scores.cells(0))
    saved, now = (gating.margins_of(side, tasks, cells) for side in (kept, margin))
    # A margin in standard deviations is computed anew from the saved runs, so it may differ in the last digits; one
    # number for all tasks and a tuple of the same numbers are judged in other units, and so differ.
    alike = np.broadcast_to(np.isclose(saved, now, rtol=ALIKE, atol=0.0), len(tasks))
    by_task = isinstance(saved, tuple), isinstance(now, tuple)
    if not alike.all() or by_task[0] != by_task[1]:
        t = int(np.argmin(alike))
        first, second = (
            f"{margin_text(side[t])} on task {tasks[t]!r}"
            if isinstance(side, tuple)
            else margin_text(side) + " for all tasks" * any(by_task)
            for side in (saved, now)
        )
        raise OptionError(
            f"the baseline was saved with margin {first}, and margin {second} is asked for; leave it out, or save the baseline anew."
        )
    return kept


ALIKE = 1e-9


def _refuse_more_than_rates(pair: PairData, margins: float | tuple[float, ...]) -> None:
    most = float(np.max(margins))
    if pair.binary and most >= 1:
        raise OptionError(
            f"margin, the smallest drop that matters, is {margin_text(most)}, and success rates drop by 1 at most: name it in "
            "units of the scores, as 0.1 for ten percentage points."
        )


def _share_words(margin: gating.Margin, pair: PairData) -> tuple[Sentence, ...]:
    """Return the note on a margin that may be meant as a share of scores far larger, if it may."""
    note = (
        "" if isinstance(margin, str | Mapping) else meant_as_share("margin", margin, [cell.mean() for cell in pair.x])
    )
    return (Sentence(f"{note}."),) if note else ()


def _of_runs(before: Baseline, after: Baseline, margin: gating.Margin, *, terms: OfTerms) -> GateResult:
    """Return the calls of a candidate whose runs are the sample."""
    sides = gating.Sides.of(before, after, over="runs")
    pair = sides.pair()
    # A margin in standard deviations is of the baseline's runs, which the candidate cannot change.
    margins = gating.margins_of(margin, pair.tasks, pair.x)
    own = margins if isinstance(margins, tuple) else None
    # Tasks with margins of their own are judged in units of these: the mean over tasks of drop/margin beside a margin
    # of 1.
    options = terms(margin=1.0 if isinstance(margins, tuple) else margins, units=own)
    _refuse_more_than_rates(pair, margins)
    gating.refuse_few_draws(pair, options)
    calls = gating.calls_of(pair, options)
    return sides.answer(
        options,
        [gating.row_of(call, pair, options, n_tasks=sides.both.n_tasks) for call in calls],
        f"{gating.gate_words(calls, options)}{'' if own else _wide_words(pair, options.margin)}",
        verdict=gating.outcome(calls),
        notes=(*_share_words(margin, pair), Sentence(gating.night_words(calls, pair, options))),
        advice=sides.advice([pair]),
    )


def _of_items(
    sides: gating.Sides,
    *,
    margin: gating.Margin | None,
    strata: Mapping[str, str] | None,
    weights: StratumWeights | Mapping[str, float],
    terms: OfTerms,
) -> GateResult:
    """Return the calls of a candidate that is judged on items like these, with several benchmarks on each of them too."""
    if not isinstance(margin, int | float):
        raise OptionError(f"the margin of items is a number, as 0.02 for two points of accuracy, not {margin!r}.")
    both = sides.both
    if strata is None:
        pair: PairData = sides.pair()
        units: list[tuple[str | None, PairData]] = [(None, pair)]
    else:
        parted = in_strata(both, strata, weights, measure="mean", chosen=[(0, 1)], pairs_of=_pairs_of(sides))
        pair = parted.pairs[0]
        units = [*parted.lines, (None, pair)]
    options = terms(margin=gating.margins_of(margin, pair.tasks, pair.x))
    _refuse_more_than_rates(pair, options.margin)
    calls = gating.calls_by_law(units, options)
    rows = [
        gating.row_of(call, own, options, n_tasks=both.n_tasks) for call, (_, own) in zip(calls, units, strict=True)
    ]
    pooled = rules.benchmarks_as_one(both) if strata is None else None
    return sides.answer(
        options,
        rows,
        gating.gate_words(calls, options),
        verdict=gating.outcome(calls),
        notes=(Sentence(gating.nights_of_items(options)),),
        advice=sides.advice([own for _, own in units], pooled),
    )


def _pairs_of(sides: gating.Sides) -> OfStratum:
    return lambda scores, _: ([sides.pair(scores)], "mean")


def _by_policy(sides: gating.Sides, *, policy: Policy, strata: Mapping[str, str] | None, terms: OfTerms) -> GateResult:
    """Return whether the candidate shows what a policy asks of each benchmark: of each stratum, or of each task where runs are the sample."""
    both = sides.both
    if strata is None and sides.over == "tasks":
        raise OptionError(
            f"the policy has a rule for each benchmark, and the {both.n_tasks} tasks are items: say which benchmark each is of "
            f"({choice('strata={task: benchmark}', '--strata COLUMN')}; of logs of lm-eval and Inspect {option('strata', 'benchmark')})."
        )
    parts = dict(zip(both.tasks, ([task] for task in both.tasks), strict=True))
    if strata is not None:
        names, own, _ = split(both, strata, "equal", least=1)
        parts = {name: list(part.tasks) for name, part in zip(names, own, strict=True)}
    policy.refuse_other(tuple(parts), "task" if strata is None else "benchmark")
    pairs = {name: sides.pair(both.select(tasks=tasks)) for name, tasks in parts.items()}
    rulings = gating.rulings_of(pairs, policy, terms, by_law=sides.over == "tasks" or both.rates)
    deciding = max(rulings, key=lambda ruling: ruling.call.pvalue_held).call
    options = terms(alpha=policy.alpha, margin=deciding.margin)
    return sides.answer(
        options,
        [gating.row_of(r.call, pairs[r.name], options, n_tasks=both.n_tasks, ruling=r) for r in rulings],
        gating.policy_words(rulings),
        verdict="passed" if all(ruling.holds for ruling in rulings) else "failed",
        advice=sides.advice(list(pairs.values())),
    )


def _wide_words(pair: PairData, margin: float) -> str:
    width = float(np.ptp(np.concatenate(pair.cells)))
    if 0 < width < margin:
        return f" The margin is larger than the range of all scores, {digits(width, 4)}."
    return gating.unlike_words(margin, pair.tasks, pair.x)
