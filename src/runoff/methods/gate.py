"""May this change be merged? A candidate beside a baseline, for continuous integration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from math import ceil
from pathlib import Path

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import gate as gating
from runoff._inference.pairs import PairData, pair_data, refuse_other_than_means
from runoff._inference.power import required_power
from runoff.base.random import RNG, streams
from runoff.base.validate import MOST_RESAMPLES, check_alpha, check_count, check_resamples
from runoff.data.baseline import Baseline, baseline_of, read_baseline
from runoff.data.given import ScoresLike, as_scores
from runoff.data.protocol import digest, refuse_other_protocol, refuse_other_tasks
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.results.base import Advice, filled, most_severe_first
from runoff.results.gate import GateResult, GateRow
from runoff.words.names import MeasureName
from runoff.words.numbers import counted, digits, margin_text, p_equals
from runoff.words.speech import Sentence, choice, neutral, option

ALPHA = 0.05
SIDES = "baseline", "candidate"


def gate(
    baseline: ScoresLike,
    candidate: ScoresLike,
    *,
    margin: gating.Margin | None = None,
    measure: MeasureName = "auto",
    algorithm: str | None = None,
    candidate_algorithm: str | None = None,
    alpha: float | None = None,
    nights: int = 1,
    confirm: ScoresLike | None = None,
    power: float = 0.8,
    n_resamples: int = 20_000,
    rng: RNG = 0,
) -> GateResult:
    """May this change be merged: has the candidate lost against the baseline, task by task and over all?

    Parameters
    ----------
    baseline, candidate : Scores, or whatever `compare` takes; of the baseline also a file of `save_baseline`
        One algorithm each, on the same tasks, read and normalised alike. Higher is better.
    margin : float, str or dict, optional
        The smallest drop of the mean score that matters, above 0: in units of the scores; "1sd", "0.5sd": so many standard deviations of the
        baseline's runs on each task; ``{task: margin}``, every task named; None: that of a saved baseline. Name it before looking at the
        candidate.
    measure : "auto" or "mean"
        The gate judges means, whatever the tasks are; `compare` and `equivalence` have the other measures.
    algorithm : str, optional
        The algorithm to take where there are several.
    candidate_algorithm : str, optional
        Of the candidate, if it has another name there.
    alpha : float, optional
        False positive rate of each kind of call, over all tasks and their mean together; None: that of a saved baseline, or 0.05.
    nights : int
        How many candidates are judged by this baseline; `alpha` is then the chance of any false "regressed" in all of them, and half of it
        of any false "improved". "held" is about one candidate, and keeps `alpha`.
    confirm : as `candidate`, optional
        Fresh runs of the candidate on the tasks that have regressed, or on all tasks if their mean has: what has not regressed in them too, is
        "suspect".
    power : float
        With less power to call a drop of the margin, what is not decided is "underpowered".
    n_resamples : int
        Labellings that are drawn, about.
    rng : int or numpy.random.Generator

    Returns
    -------
    GateResult
        A record for every task and, last, for the mean over all if there are several: `verdict`, `drop`, its upper limit, power, the smallest
        drop that can be called, a sentence. `confirmation` is the gate of the fresh runs; `notes` say what many nights mean.

    Raises
    ------
    DesignError
        Other tasks, another protocol or normalisation than the baseline's; several algorithms; a single run, or fewer of a task than of
        another where the baseline has no fewer; one set of runs given twice;
        copies of its runs, told by continuous scores that are equal to the last digit; fresh runs that are those of the candidate or of the
        baseline, lack a task that has regressed, or are too few to confirm anything.
    OptionError
        No margin, or one that is not above 0, or of rates above 1, or out of all proportion to the scores, or that leaves a task out or names
        another; a margin or an alpha that is not the saved one; an error rate so small that no number of draws shows it.
    DataError
        A saved baseline that was changed by hand.

    Notes
    -----
    **The calls.** The first that holds: *improved*, the mean is higher, at alpha / 2; *held*, a drop of the margin or more is ruled out, at
    alpha; *regressed*, the mean is lower, at alpha; *suspect*, neither is established, although a drop of the margin would be called with
    `power`, or although `compare` finds the mean of this record lower, on a single night; *underpowered*, nothing of this.

    **Margins by task.** Where tasks have margins of their own, the mean over tasks is that of their drops in margins, and its margin is 1: each
    task weighs by what matters on it, whatever its unit. Numbers of a task stay in units of its scores. One number over tasks that spread
    unlike is named in the sentence, with the tasks on which it exceeds a standard deviation of the baseline.

    **Nights.** Without `nights` a month of candidates that change nothing is called at least once with a chance of up to 1 − 0.95³⁰ = 79 %.
    With it each night has alpha / nights (Bonferroni; nights share the luck of the baseline, so that less than alpha is spent). With
    `confirm`, a drop must be called twice, each time at the level of a night.

    **The tests.** Welch's t of the drop of every task, and of the mean over tasks, under one joint relabelling of the runs within tasks (whole
    runs where they are shared), which is exact where distributions are equal, whatever they are and however few or unequal the runs; for a drop
    of the margin, where they differ by such a shift. The mean over tasks has half of alpha and the tasks have the other half, or all of it where
    the mean is decided (Bretz et al. 2009); within the tasks the smallest tail of the t distributions decides, step by step (Westfall & Young
    1993). So the chance of any wrong call of a kind is at most alpha. Runs that reach one of two scores do not shift: a task of such is held by
    an exact limit of the difference of two rates, with Holm's procedure, and their mean by the distances to exact ends. Where all runs of a task
    have one score that is not 0 or 1, nothing is known of how runs vary: neither the task nor the mean over tasks is held.

    **Beside `compare`.** Lower, higher or held is called only where the test of `compare` by the mean says so too, one-sided at the same level
    (two-sided at twice that), of the same runs; and what it finds lower is regressed, suspect or held. Where no run differs from another of
    its side `compare` has no test, and relabelling decides alone.

    **Power.** Of normal runs that spread as these, averaged over what the standard error may be instead; with few labellings by simulation of
    the test. Where nothing could be called, `detectable_drop` is None.

    References
    ----------
    Westfall & Young 1993, algorithm 2.8; Bretz, Maurer, Brannath & Posch 2009; Chung & Romano 2013; Barnard 1947; Chan & Zhang
    1999; Clopper & Pearson 1934; Holm 1979.

    Examples
    --------
    >>> import numpy as np, runoff as ro
    >>> runs = np.random.default_rng(0)
    >>> before = {"PPO": {"Pong": runs.normal(20, 1, 5), "Qbert": runs.normal(15, 1, 5)}}
    >>> after = {"PPO": {"Pong": runs.normal(20, 1, 5), "Qbert": runs.normal(9, 1, 5)}}
    >>> result = ro.gate(before, after, margin=3.0)
    >>> [(record.task, record.verdict) for record in result.rows]
    [('Pong', 'held'), ('Qbert', 'regressed'), (None, 'regressed')]
    """
    refuse_other_than_means(measure, "the gate")
    before = _given(baseline, "baseline", algorithm)
    after = _given(candidate, "candidate", candidate_algorithm or algorithm)
    level = _alpha(alpha, before)
    margin = _margin(margin, before)
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
    _refuse_unlike(before, after, "candidate")
    result = _judged(before, after, margin, terms)
    if confirm is not None:
        fresh = _given(confirm, "second run", candidate_algorithm or algorithm)
        result = _confirmed(result, before, after, fresh, partial(_judged, terms=terms))
    return result.with_origin(after.scores)


def save_baseline(
    data: ScoresLike,
    path: str | Path,
    *,
    algorithm: str | None = None,
    margin: gating.Margin | None = None,
    alpha: float = ALPHA,
    force: bool = False,
) -> None:
    """Save runs as the baseline that later candidates are judged by, with how they came to be.

    Parameters
    ----------
    data : Scores, or whatever `compare` takes
    path : path
        A JSON file, for `gate`. It holds every run, the protocol and the normalisation, and a digest by which a later change is noticed.
    algorithm : str, optional
        The algorithm to take where there are several.
    margin : float, str or dict, optional
        Kept for every gate, as of `gate`.
    alpha : float
        Kept too.
    force : bool
        Replace a file that is there; without it none is.

    Raises
    ------
    DesignError
        Several algorithms, or a single run on a task.
    OutputError
        There is a file already, or nothing can be written there.

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
    chosen = _algorithm_of(as_scores(data), "baseline", algorithm)
    _refuse_single_runs(chosen)
    kept = None if margin is None else gating.margins_of(margin, chosen.tasks, list(chosen.cells(0)))
    by_task = dict(zip(chosen.tasks, kept, strict=True)) if isinstance(kept, tuple) else kept
    baseline_of(chosen, alpha=check_alpha(alpha), margin=by_task).write(path, force=force)


def _given(given: ScoresLike, side: str, algorithm: str | None) -> Baseline:
    """Return a side as a baseline: the saved one, or one that is made of the scores now."""
    saved = read_baseline(given) if isinstance(given, str | Path) else None
    if saved is None:
        return baseline_of(_algorithm_of(as_scores(given), side, algorithm))
    _algorithm_of(saved.scores, side, algorithm)
    return saved


def _algorithm_of(scores: Scores, side: str, algorithm: str | None) -> Scores:
    """Return the scores of the algorithm that is asked for, or of the only one, on the tasks that it has."""
    if algorithm is None and scores.n_algorithms > 1:
        named = ", ".join(repr(name) for name in scores.algorithms[:6])
        raise DesignError(
            f"the {side} holds {scores.n_algorithms} algorithms ({named}), and a gate compares one with one: name it, as "
            f"{option('algorithm' if side == 'baseline' else 'candidate_algorithm', scores.algorithms[0])}."
        )
    name = algorithm or scores.algorithms[0]
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
        message = (
            f"a gate needs a margin, the smallest drop that matters, and the baseline keeps none: say {option('margin', '1sd')}, for one "
            "standard deviation of the baseline, or a number."
        )
        raise OptionError(message)
    if margin is None or kept is None:
        return kept if margin is None else margin  # type: ignore[return-value]
    tasks, cells = baseline.scores.tasks, list(baseline.scores.cells(0))
    saved, now = (gating.margins_of(side, tasks, cells) for side in (kept, margin))
    # A margin in standard deviations is computed anew from the saved runs, so it may differ in the last digits; one
    # number for all tasks and a tuple of the same numbers are judged in other units, and so differ.
    alike = np.isclose(saved, now, rtol=ALIKE, atol=0.0) & (isinstance(saved, tuple) == isinstance(now, tuple))
    if not alike.all():
        t = int(np.argmin(np.broadcast_to(alike, len(tasks))))
        first, second = (
            f"{margin_text(side[t])} on task {tasks[t]!r}" if isinstance(side, tuple) else margin_text(side)
            for side in (saved, now)
        )
        raise OptionError(
            f"the baseline was saved with margin {first}, and margin {second} is asked for; leave it out, or save the baseline anew."
        )
    return kept


ALIKE = 1e-9


def _refuse_single_runs(scores: Scores) -> None:
    for a, name in enumerate(scores.algorithms):
        for t, task in enumerate(scores.tasks):
            if scores.cell(a, t).size < 2:
                whose = f"the {name}" if name in SIDES else repr(name)
                raise DesignError(
                    f"{whose} has a single run on task {task!r}: one run says nothing of how runs spread, so no drop could be told from chance; "
                    "give at least two of each, better five or more."
                )


def _refuse_more_than_rates(pair: PairData, margins: float | tuple[float, ...]) -> None:
    most = float(np.max(margins))
    if pair.binary and most > 1:
        raise OptionError(
            f"margin, the smallest drop that matters, is {margin_text(most)}, and success rates cannot drop by more than 1: name it in "
            "units of the scores, as 0.1 for ten percentage points."
        )


def _refuse_unlike(before: Baseline, after: Baseline, new: str) -> None:
    """Refuse what is no candidate of the baseline: other tasks, another protocol, or runs of the baseline itself."""
    refuse_other_tasks(before.scores.tasks, after.scores.tasks)
    refuse_other_protocol(before.protocol, after.protocol)
    gating.refuse_seen(before.scores, after.scores, (SIDES[0], new))


def _beside(baseline: Baseline, candidate: Baseline) -> Scores:
    """Return both as algorithms of one set of scores, on the tasks of the baseline."""
    before, after = baseline.scores, candidate.scores
    named = [
        scores.rename(algorithms={scores.algorithms[0]: side}).select(tasks=before.tasks)
        for scores, side in zip((before, after), SIDES, strict=True)
    ]
    grid = {(a, t): scores.labelled(0, t) for a, scores in enumerate(named) for t in range(before.n_tasks)}
    caveats = [caveat for scores in named for caveat in scores.provenance.caveats]
    origin = replace(before.provenance, caveats=tuple(dict.fromkeys(caveats)))
    both = Scores.from_grid(SIDES, before.tasks, grid, origin, before.sampling)
    _refuse_single_runs(both)
    gating.refuse_lost(both)
    return both


def _judged(before: Baseline, after: Baseline, margin: gating.Margin, terms: Callable[..., gating.Terms]) -> GateResult:
    """Return the calls of a candidate beside a baseline."""
    both = rules.comparable(_beside(before, after))
    pair = pair_data(both, 0, 1)
    # A margin in standard deviations is of the baseline's runs, which the candidate cannot change.
    margins = gating.margins_of(margin, pair.tasks, pair.x)
    own = margins if isinstance(margins, tuple) else None
    # Tasks with margins of their own are judged in units of these: the mean over tasks of drop/margin beside a margin
    # of 1.
    options = terms(margin=1.0 if isinstance(margins, tuple) else margins, units=own)
    _refuse_more_than_rates(pair, margins)
    _refuse_few_draws(pair, options)
    calls, names = gating.calls_of(pair, options), (before.scores.algorithms[0], after.scores.algorithms[0])
    other = f" The candidate is {names[1]!r}, the baseline {names[0]!r}." if names[0] != names[1] else ""
    return filled(
        GateResult,
        options,
        verdict=gating.outcome(calls),
        rows=tuple(_record(call, options, both.n_tasks) for call in calls),
        required=options.power,
        baseline=names[0],
        candidate=names[1],
        baseline_sha256=digest(before.scores),
        candidate_sha256=digest(after.scores),
        seed=options.streams.seed,
        sentence=Sentence(
            f"{gating.gate_words(calls, options)}{'' if own else _wide_words(pair, options.margin)}{other}"
        ),
        notes=(Sentence(gating.night_words(calls, pair, options)),),
        advice=_advice(both, pair),
    )


def _wide_words(pair: PairData, margin: float) -> str:
    width = float(np.ptp(np.concatenate(pair.cells)))
    if 0 < width < margin:
        return f" The margin is larger than the range of all scores, {digits(width, 4)}."
    return gating.unlike_words(margin, pair.tasks, pair.x)


def _advice(both: Scores, pair: PairData) -> tuple[Advice, ...]:
    return rules.collected(
        rules.few_runs(chain.from_iterable(pair.sizes), rules.pair(*SIDES)),
        rules.spreads_otherwise(pair.x, pair.y, pair.tasks, rules.pair(*SIDES)),
        rules.fewer_runs([[both.labelled(a, t)[0] for a in range(2)] for t in range(both.n_tasks)]),
        rules.in_groups(rules.cells_in_groups(both), both.n_tasks),
        *rules.about_data(both),
        unit=pair.unit,
    )


LEAST_HITS = 5
"""So many labellings are at least expected below the smallest share of the error rate."""


def _refuse_few_draws(pair: PairData, options: gating.Terms) -> None:
    """Refuse an error rate that the labellings which are drawn cannot show: nothing would ever be called."""
    share = options.alarm * (gating.HALF if len(pair.tasks) > 1 else 1.0)
    if (
        gating.n_draws(pair.sizes, options.n_resamples) < options.n_resamples
        or share * options.n_resamples >= LEAST_HITS
    ):
        return
    needed = ceil(LEAST_HITS / share)
    # `share` is that of one night; share · nights, spread over so many nights, is just as rare as these draws can
    # show.
    most = int(options.n_resamples * share * options.nights / LEAST_HITS)
    repair = f"{choice(f'n_resamples={needed}', f'--n-resamples {needed}')} shows it"
    if needed > MOST_RESAMPLES or most >= 1:
        repair = f"{repair if needed <= MOST_RESAMPLES else 'give a larger alpha'}, or {most} nights and fewer"
    raise OptionError(
        f"alpha {options.alpha:g} over {counted([options.nights], 'night')} asks for relabellings as rare as {share:.2g}, and "
        f"{options.n_resamples:,} draws do not show them: {repair}."
    )


def _record(call: gating.UnitCall, options: gating.Terms, n_tasks: int) -> GateRow:
    return filled(
        GateRow,
        call,
        drop=call.drop.estimate,
        drop_high=call.high,
        drop_unit="margin" if options.units and call.task is None else "score",
        detectable_drop=None if np.isinf(call.detectable) else call.detectable,
        n_runs_baseline=call.sizes[0],
        n_runs_candidate=call.sizes[1],
        sentence=Sentence(gating.call_words(call, options, n_tasks)),
    )


# ── a second run ──────────


def _confirmed(
    first: GateResult,
    before: Baseline,
    after: Baseline,
    fresh: Baseline,
    judged: Callable[[Baseline, Baseline, gating.Margin], GateResult],
) -> GateResult:
    """Return the answer where only what has regressed in the fresh runs too, by themselves, has regressed."""
    lost = [record for record in first.rows if record.verdict == "regressed"]
    if not lost:
        return replace(first, notes=(*first.notes, "Nothing has regressed, so that the second run is not judged."))
    # The record of the mean is the last: where it has regressed, all tasks are judged again, for it is of all.
    tasks = [record.task for record in lost if record.task is not None and lost[-1].task is not None]
    tasks = tasks or list(before.scores.tasks)
    # Runs that were judged once cannot confirm themselves.
    gating.refuse_stale(after.scores, fresh.scores, tasks)
    spare = [task for task in fresh.scores.tasks if task not in tasks]
    are = "is" if len(spare) == 1 else "are"
    unused = (
        f"{', '.join(spare[:3])}{', …' * (len(spare) > 3)} had not regressed, and {are} not judged in the second run."
    )
    kept, rerun = (replace(side, scores=side.scores.select(tasks=tasks)) for side in (before, fresh))
    _refuse_unlike(kept, rerun, "second run")
    # A second run of so few runs that no p-value could reach the level would turn every alarm into "suspect".
    gating.refuse_unable(kept.scores, rerun.scores, [record.task for record in lost], first.alpha / first.nights)
    own = {str(record.task): record.margin for record in first.rows if record.task in tasks}
    second = judged(kept, rerun, own if first.overall.drop_unit == "margin" else first.margin)
    again = {record.task: record for record in second.rows}
    records = tuple(_seen_again(record, again[record.task]) if record in lost else record for record in first.rows)
    return replace(
        first,
        verdict="regressed" if any(r.verdict == "regressed" for r in records) else "suspect",
        rows=records,
        confirmation=second,
        notes=(*first.notes, *[unused] * bool(spare)),
        sentence=Sentence(_twice_words(first, records, second)),
        advice=most_severe_first((*first.advice, *second.advice)),
    )


def _seen_again(record: GateRow, again: GateRow) -> GateRow:
    if again.verdict == "regressed":
        words = f"{neutral(record.sentence)} Fresh runs confirm it: {digits(again.drop, 4)} lower."
        return replace(record, sentence=Sentence(words))
    where = "Over all tasks" if record.task is None else f"On {record.task!r}"
    sentence = (
        f"{where} the candidate is suspect: it had regressed ({digits(record.drop, 4)} lower, adjusted {p_equals(record.pvalue_adjusted)}), and "
        f"fresh runs do not confirm it. {_of_second(again)}"
    )
    return replace(record, verdict="suspect", sentence=Sentence(sentence))


def _of_second(answer: GateRow | GateResult) -> str:
    return f"The second run: {neutral(answer.sentence)}"


def _twice_words(first: GateResult, records: Sequence[GateRow], second: GateResult) -> str:
    by_call: dict[str, list[str]] = {"regressed": [], "suspect": []}
    for before, record in zip(first.rows, records, strict=True):
        if before.verdict == "regressed":
            by_call[record.verdict].append(record.task or "the mean")
    again, not_again = (", ".join(by_call[call]) for call in ("regressed", "suspect"))
    if not again:
        return f"The candidate is suspect: it had regressed ({not_again}), and fresh runs do not confirm it. {_of_second(second)}"
    rest = f"; {not_again} not, suspect" if not_again else ""
    return f"{neutral(first.sentence)} Fresh runs confirm it ({again}{rest})."
