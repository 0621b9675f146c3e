"""Is my baseline a good one: are my runs of a published algorithm consistent with the published runs?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import numpy as np
from scipy.special import stdtrit

from runoff._inference import advice as rules
from runoff._inference.family import adjust
from runoff._inference.pairs import PairData, check_margin, in_both, widest
from runoff._inference.power import detectable, fewest
from runoff.answer.reproduce import Consistency, ReproduceResult, ReproduceRow
from runoff.base.arrays import Floats
from runoff.base.validate import check_alpha
from runoff.data.given import ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError, RunoffError
from runoff.words.names import ASSUMED
from runoff.words.numbers import counted, digits, estimated
from runoff.words.speech import choice, neutral

FEWEST = 3
"""With fewer published algorithms on a task, their range is no measure of what matters there."""
MARGINS = " (in margins of the tasks)"
MOST = 10_000
"""The largest number of runs that is looked for."""


def reproduce(
    data: ScoresLike,
    published: str,
    *,
    algorithm: str | None = None,
    margin: float | None = None,
    protocol: Mapping[str, str] | None = None,
    assume_same_protocol: bool = False,
    alpha: float = 0.05,
) -> ReproduceResult:
    """Is my baseline a good one: do my runs of a published algorithm agree with the published runs?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
        One's own runs.
    published : str
        The algorithm of the archive that they are runs of: "simbav2:sac".
    algorithm : str, optional
        The own algorithm, where there are several.
    margin : float, optional
        The smallest difference of mean scores that matters, above 0; None: on each task half of the range of the mean scores of all
        algorithms of the set, which takes three of them.
    protocol, assume_same_protocol
        How one's own runs were made, as in `Scores.beside`.
    alpha : float
        False positive rate of the verdicts: over the tasks (Holm), and of the mean over all tasks. Each interval on its own is at 1 − alpha.

    Returns
    -------
    ReproduceResult
        A record for each task, and one over all. "agrees": a difference of the margin or more is ruled out, and over all no task is lower or
        higher. "lower" and "higher": the means differ, and a difference of the margin is not ruled out. "cannot_be_said": neither, with the
        runs that it takes, or over all tasks that are lower and higher.

    Raises
    ------
    OptionError
        An unknown set or algorithm, or a margin that is not above 0.
    DesignError
        Several own algorithms, several published ones, no shared task, another protocol or an unknown one, no margin.

    Notes
    -----
    The difference of means has the jackknife t distribution of `compare`, and two one-sided tests decide "agrees" (Schuirmann 1987): that no
    difference was found is no agreement. Over all tasks each difference is divided by the margin of its task.

    Examples
    --------
    >>> import runoff as ro
    >>> mine = {"my SAC": {"Hopper-v4": [2400.0, 3100.0, 2900.0, 2600.0], "Ant-v4": [4300.0, 4500.0, 4100.0, 4400.0]}}
    >>> result = ro.reproduce(mine, "simbav2:sac", assume_same_protocol=True)
    >>> [(record.task, record.verdict) for record in result.rows]
    [('Hopper-v4', 'cannot_be_said'), ('Ant-v4', 'lower'), (None, 'cannot_be_said')]
    """
    check_alpha(alpha)
    mine = as_scores(data)
    mine = mine if algorithm is None else mine.select(algorithms=[algorithm])
    how: Any = {"protocol": protocol, "assume_same_protocol": assume_same_protocol}
    both, margins = _beside_published(mine, published, margin, how)
    pair, counted = PairData.of(both, 0, 1), PairData.of(both, 0, 1, "mean")
    single = [_task(pair, at) for at in range(len(pair.tasks))]
    laws = [cells.law("mean") for cells in single]
    # Two families: to agree and to differ are two claims, each made at alpha.
    open_ = [task not in counted.lonely for task in pair.tasks]
    equivalent = _adjusted([law.equivalence_pvalue(own, 0.0) for law, own in zip(laws, margins, strict=True)], open_)
    different = _adjusted([law.pvalue(0.0) for law in laws], open_)
    # Needed runs are counted at the level of Holm's first step: the least that any task gets.
    level = alpha / len(single)
    rows = zip(single, margins, equivalent.tolist(), different.tolist(), strict=True)
    records = [_record(cells, own, p, q, alpha=alpha, level=level) for cells, own, p, q in rows]
    if len(records) > 1:
        # A task of a single run keeps its row, which cannot say anything, and does not count in the mean.
        own = [margins[pair.tasks.index(task)] for task in counted.tasks]
        whole = _over_all(counted, own, alpha=alpha)
        records.append(_unless_apart(whole, records, pair, alpha, _unit(own)))
    return ReproduceResult(
        rows=tuple(records),
        algorithm=pair.a,
        published=pair.b,
        alpha=alpha,
        confidence_level=1 - alpha,
        notes=tuple(note for note in both.provenance.notes if note not in mine.provenance.notes),
        advice=rules.collected(
            rules.few_runs(chain.from_iterable(pair.sizes), rules.pair(pair.a, pair.b)),
            rules.one_run(counted.lonely, rules.pair(pair.a, pair.b), others=counted.n_counted),
            *rules.about_data(both),
            unit=pair.unit,
        ),
    ).with_origin(mine)


def _beside_published(
    mine: Scores, published: str, margin: float | None, how: Mapping[str, Any]
) -> tuple[Scores, list[float]]:
    """Return the runs beside the published ones, and the margin of each task; refuse all that is lacking at once."""
    lacking: list[RunoffError] = []
    both = mine.beside(published, **how)
    several = mine.n_algorithms > 1 or both.n_algorithms > 2
    lacking += map(DesignError, _several(mine, both, published))
    try:
        both, _ = rules.opponents(both, "tested")
    except DesignError as refusal:
        lacking.append(refusal)
    margins: list[float] = []
    try:
        margins = [] if several and margin is None else _margins(mine, both, published, margin)
    except OptionError as refusal:
        lacking.append(refusal)
    if len(lacking) == 1:
        raise lacking[0]
    if lacking:
        raise DesignError(" Also: ".join(neutral(refusal) for refusal in lacking))
    return both, margins


def _several(mine: Scores, both: Scores, published: str) -> Iterator[str]:
    """Yield what is to be named where there are several algorithms on a side."""
    if mine.n_algorithms > 1:
        names = ", ".join(map(repr, mine.algorithms[:6]))
        yield f"these are runs of {mine.n_algorithms} algorithms ({names}): name one ({choice('algorithm=', '--algorithms')})."
    several = [name.removesuffix(ASSUMED) for name in both.algorithms if name not in mine.algorithms]
    if len(several) > 1:
        yield f"{published!r} has several published algorithms; name one of them: {', '.join(several)}."


def _margins(mine: Scores, both: Scores, published: str, margin: float | None) -> list[float]:
    """Return the margin of each task: that given, or half of the range of all published means."""
    if margin is not None:
        return [check_margin(margin)] * both.n_tasks
    every = mine.select(tasks=both.tasks).beside(published.partition(":")[0])
    margins = []
    for task in both.tasks:
        # Algorithm 0 is one's own.
        means = [float(every.cell(a, task).mean()) for a in range(1, every.n_algorithms) if every.cell(a, task).size]
        width = max(means) - min(means)
        if len(means) < FEWEST or width == 0:
            few = f"{counted([len(means)], 'published algorithm')}, and it takes {FEWEST} to say what matters"
            why = few if len(means) < FEWEST else "published algorithms of equal means, which do not say what matters"
            raise OptionError(f"on task {task!r} the set has {why}: name a margin ({choice('margin=', '--margin M')}).")
        margins.append(width / 2)
    return margins


def _adjusted(pvalues: Sequence[float], tested: Sequence[bool]) -> Floats:
    """Return p-values by Holm over the tasks that are tested: one of a single run can be no false positive, and its own is 1."""
    adjusted = np.ones(len(pvalues))
    adjusted[tested] = adjust(np.array(pvalues)[tested], "holm")
    return adjusted


def _task(pair: PairData, at: int) -> PairData:
    return replace(pair, x=pair.x[at : at + 1], y=pair.y[at : at + 1], tasks=pair.tasks[at : at + 1], shared=False)


def _unit(margins: Sequence[float]) -> str:
    """Return what a difference over all tasks is in: a task whose scores are ten times as large would else decide alone."""
    return MARGINS if len(set(margins)) > 1 else ""


def _over_all(pair: PairData, margins: Sequence[float], *, alpha: float) -> ReproduceRow:
    """Return the record of the mean over tasks: in the unit of the scores where margins are equal, else in margins."""
    unit = _unit(margins)
    if not unit:
        whole, margin = pair, margins[0]
    else:
        # Divided by margins, scores of 0 and 1 are no success rates any more.
        whole, margin = replace(pair.in_units(margins), binary=False, rates=False), 1.0
    law = whole.law("mean")
    p, q = law.equivalence_pvalue(margin, 0.0), law.pvalue(0.0)
    over = f"on average over {in_both(pair) if pair.left_out else f'{len(pair.tasks)} tasks'}"
    return _record(whole, margin, p, q, alpha=alpha, level=alpha, over=over, unit=unit)


def _unless_apart(
    whole: ReproduceRow, tasks: Sequence[ReproduceRow], pair: PairData, alpha: float, unit: str
) -> ReproduceRow:
    """Return the record over all tasks, which agree on average only if none was found lower or higher: they may cancel."""
    lower, higher = (sum(record.verdict == verdict for record in tasks) for verdict in ("lower", "higher"))
    if whole.verdict != "agrees" or lower + higher == 0:
        return whole
    verdict: Consistency = "cannot_be_said"
    if whole.pvalue_difference <= alpha:
        verdict = "lower" if whole.difference < 0 else "higher"
    on = [f"{word} on {counted([n], 'task')}" for word, n in (("lower", lower), ("higher", higher)) if n]
    size = f"{estimated(whole.difference, whole.low, whole.high)} on average, margin {digits(whole.margin)}{unit}"
    sentence = f"{pair.a} does not agree with {pair.b} on every task: it is {' and '.join(on)} of {len(tasks)} (difference {size})."
    return replace(whole, verdict=verdict, sentence=sentence)


def _record(
    pair: PairData,
    margin: float,
    equivalent: float,
    different: float,
    *,
    alpha: float,
    level: float,
    over: str = "",
    unit: str = "",
) -> ReproduceRow:
    """Return the record of the only task of a pair or, if `over` names the tasks, of the mean over them."""
    law, task = pair.law("mean"), None if over else pair.tasks[0]
    verdict: Consistency = "cannot_be_said"
    # Agreement comes first: runs that differ surely by less than what matters agree.
    if equivalent <= alpha:
        verdict = "agrees"
    elif different <= alpha:
        verdict = "lower" if law.value < 0 else "higher"
    needed = _needed(pair, margin, level) if verdict == "cannot_be_said" else None
    low, high = law.interval(1 - alpha) or (None, None)
    mean, published = (fmean(map(float, map(np.mean, side))) if task else None for side in (pair.x, pair.y))
    runs, published_runs = (tuple(side[0].tolist()) if task else () for side in (pair.x, pair.y))
    predicted = _predicted(published_runs, len(runs), 1 - alpha)
    return ReproduceRow(
        task=task,
        verdict=verdict,
        mean=mean,
        published_mean=published,
        scores=runs,
        published_scores=published_runs,
        predicted_low=predicted[0],
        predicted_high=predicted[1],
        difference=law.value,
        low=low,
        high=high,
        margin=margin,
        pvalue_equivalence=equivalent,
        pvalue_difference=different,
        n_runs=pair.n_runs_a,
        n_published=pair.n_runs_b,
        runs_needed=needed,
        sentence=_sentence(
            pair,
            verdict,
            where=over or f"on {task}",
            within=f"difference {estimated(law.value, low, high)}, margin {digits(margin)}{unit}",
            needed=needed,
        ),
    )


def _predicted(published: Sequence[float], n: int, confidence: float) -> tuple[float | None, float | None]:
    """Return Student's prediction interval for the mean of n new runs: m ± t s √(1/n + 1/N), of N published ones."""
    if len(published) < 2:
        return None, None
    t = float(stdtrit(len(published) - 1, (1 + confidence) / 2))
    half = t * stdev(published) * sqrt(1 / n + 1 / len(published))
    return fmean(published) - half, fmean(published) + half


def _needed(pair: PairData, margin: float, level: float) -> int | None:
    """Return own runs of every task that find the observed difference, or rule one of the margin out, with 80 % power; None: none do."""
    observed = abs(pair.law("mean").value)

    def enough(n: int) -> bool:
        law = pair.law_at("mean", n_a=n)
        # To find the observed difference is a two-sided test at `level`; to rule the margin out is two one-sided
        # tests at `level`, which the distance from the difference to the margin decides, as a two-sided one at twice
        # the level.
        for distance, two_sided in ((observed, level), (margin - observed, 2 * level)):
            error, df = widest(law, 1 - two_sided)
            if df is not None and detectable(error, df, two_sided) <= distance:
                return True
        return False

    return None if pair.least < 2 else fewest(enough, MOST)


def _sentence(pair: PairData, verdict: Consistency, *, where: str, within: str, needed: int | None) -> str:
    if verdict == "agrees":
        return f"{pair.a} agrees with {pair.b} {where}: a difference of the margin is ruled out ({within})."
    if verdict != "cannot_be_said":
        return f"{pair.a} is {verdict} than {pair.b} {where} ({within})."
    if pair.least < 2:
        runs = "A single run has no spread."
    elif needed is None:
        few = counted([min(pair.n_runs_b)], "published run")
        runs = f"If the difference is as large as observed, no number of own runs decides it with 80 % power: the {few} are too few."
    else:
        runs = f"If the difference is as large as observed, {counted([needed], 'own run')} decide it with 80 % power."
    return f"It cannot be said yet whether {pair.a} agrees with {pair.b} {where} ({within}). {runs}"
