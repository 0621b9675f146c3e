"""Do many algorithms differ at all, which of them, and which ranks are possible?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any, TypeVar, Unpack

import numpy as np

from runoff._inference.advice import CODES, opponents
from runoff._inference.bootstrap import cited
from runoff._inference.pairs import about_test, refuse_constant
from runoff.answer.base import Advice, most_severe_first
from runoff.answer.comparison import ComparisonResult
from runoff.answer.rank import (
    CriticalDifferenceResult,
    RankingResult,
    RankingRow,
    RankIntervalsResult,
    RankResult,
    foremost,
    ranked_everywhere,
)
from runoff.base.random import RNG
from runoff.base.validate import check_alpha, check_choice
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.methods.rank import critical_beside, rank_test
from runoff.methods.rank_intervals import rank_intervals
from runoff.words.names import METHODS, BlockedTestName, NullMethod, SingleValue, capital
from runoff.words.numbers import counted, digits, exactly, listed, p_equals, percent
from runoff.words.speech import Sentence, neutral

T = TypeVar("T")
LISTED = 8
"""The most algorithms that are listed."""


def rank(
    data: ScoresLike,
    *,
    test: BlockedTestName = "mack_skillings",
    method: NullMethod = "auto",
    control: str | None = None,
    single_value: SingleValue = "line",
    alpha: float = 0.05,
    n_resamples: int = 10_000,
    rng: RNG = 0,
    **of_data: Unpack[DataOptions],
) -> RankingResult:
    """Which algorithms are best, by their ranks on every task?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
    test, method, n_resamples
        Of the test of all algorithms, as in `rank_test`.
    control : str, optional
        The algorithm with which alone the others are compared.
    single_value : "line" or "tested"
        As for `compare`.
    alpha : float
        Level of the test, of the critical difference and of the possible ranks.
    rng : int or numpy.random.Generator
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    RankingResult
        A row for each algorithm; `omnibus` is the answer of `rank_test`, `critical` that of `critical_difference`, which belongs to
        Mack and Skillings's test and is left out beside another, and where it would call a pair though all algorithms together show
        no difference (Casesa 2024, §2.3.2, step 6), `places` that of `rank_intervals`; `left_out` says why one is missing.

    Raises
    ------
    DesignError
        Scores that are all equal, or what `rank_test` refuses.
    OptionError
        An unknown test, method or control.

    Examples
    --------
    >>> import runoff as ro
    >>> runs = {"A": [[3.0, 9.0], [4.0, 8.0], [5.0, 7.5]], "B": [[1.0, 5.0], [2.0, 6.0], [2.5, 4.0]], "C": [[1.5, 4.5], [2.2, 5.5], [0.5, 6.5]]}
    >>> [(row.algorithm, row.average_rank, row.letters) for row in ro.rank(runs)]
    [('A', 1.0, 'a'), ('B', 2.5, 'b'), ('C', 2.5, 'b')]
    """
    check_alpha(alpha)
    scores = as_scores(data, **of_data)
    if control is not None:
        check_choice("control", control, scores.algorithms)
    refuse_constant(scores)
    own: Any = {"test": test, "method": method, "n_resamples": n_resamples, "rng": rng}
    omnibus = rank_test(scores, single_value=single_value, **own)
    # After the omnibus test, which has a rule of its own for single values.
    tested, _ = opponents(scores, single_value, named=control)
    critical, why = (
        None,
        f"No critical difference is given: it belongs to the Mack-Skillings test, not to {omnibus.test}.",
    )
    # The critical difference is that of Mack-Skillings' rank sums (Casesa 2024, eq. 2.23): beside another test,
    # its letters could contradict it.
    if omnibus.test == "mack_skillings":
        critical, why = _critical(tested, omnibus, alpha, control)
    places, no_places = _places(tested, alpha, rng)
    left_out = tuple(sentence for sentence in (why, no_places) if sentence)
    return _ranked(tested, omnibus, critical, places, left_out=left_out, alpha=alpha).with_origin(scores)


def ranking(scores: Scores, comparison: ComparisonResult) -> RankingResult:
    """Return the statements on ranks that accompany the comparison in a report."""
    alpha, seed = comparison.alpha, comparison.seed
    omnibus, no_omnibus = _or_why(
        "test of all algorithms is", lambda: rank_test(scores, single_value="tested", rng=seed)
    )
    # Two algorithms are one pair, whose own test says more than their two ranks.
    critical, no_critical = _critical(scores, omnibus, alpha, None) if scores.n_algorithms > 2 else (None, "")
    places, no_places = _places(scores, alpha, seed, comparison.measure)
    left_out = tuple(dict.fromkeys(why for why in (no_omnibus, no_critical, no_places) if why))
    return _ranked(scores, omnibus, critical, places, left_out=left_out, alpha=alpha)


def _ranked(
    scores: Scores,
    omnibus: RankResult | None,
    critical: CriticalDifferenceResult | None,
    places: RankIntervalsResult | None,
    *,
    left_out: tuple[str, ...],
    alpha: float,
) -> RankingResult:
    weighed = weights_words(scores) if omnibus and omnibus.test == "mack_skillings" else ""
    parts = (
        weighed,
        omnibus and omnibus_words(omnibus, alpha),
        critical and critical_words(critical),
        places and places_words(places),
    )
    result = RankingResult(
        rows=_rows(omnibus, critical, places),
        omnibus=omnibus,
        critical=critical,
        places=places,
        left_out=left_out,
        alpha=alpha,
        sentences=tuple(words for words in parts if words),
        advice=_advice(omnibus, critical),
    )
    return replace(result, sentence=Sentence(f"{_sentence(result)} {weighed}".strip()))


def _rows(
    omnibus: RankResult | None, critical: CriticalDifferenceResult | None, places: RankIntervalsResult | None
) -> tuple[RankingRow, ...]:
    by_rank = critical or omnibus
    if by_rank is None:
        return ()
    # Letters are of all pairs; against a control only some were tested.
    of_pairs = critical is not None and critical.control is None
    letters = dict(zip(critical.algorithms, critical.letters, strict=True)) if critical and of_pairs else {}
    possible = {place.algorithm: place for place in (places.rows if places else ())}
    rows = []
    for name, mean in zip(by_rank.algorithms, by_rank.average_ranks, strict=True):
        place = possible.get(name)
        ends: Any = {} if place is None else {"low": place.joint_low, "high": place.joint_high, "p_best": place.p_best}
        ends |= {} if place is None else {"own_low": place.low, "own_high": place.high}
        rows.append(RankingRow(algorithm=name, average_rank=mean, letters=letters.get(name), **ends))
    return tuple(sorted(rows, key=lambda row: inf if row.average_rank is None else row.average_rank))


def _advice(omnibus: RankResult | None, critical: CriticalDifferenceResult | None) -> tuple[Advice, ...]:
    """Return all advice, each text once; of the critical difference only that on ranks, for the omnibus test gives the rest."""
    of_all, of_pairs = (result.advice if result else () for result in (omnibus, critical))
    return most_severe_first([*of_all, *(item for item in of_pairs if CODES[item.code].topic == "ranks")])


def _or_why(answer: str, question: Callable[[], T]) -> tuple[T | None, str]:
    try:
        return question(), ""
    except DesignError as refusal:
        return None, Sentence(f"No {answer} given: {neutral(refusal)}")


def _critical(
    scores: Scores, omnibus: RankResult | None, alpha: float, control: str | None
) -> tuple[CriticalDifferenceResult | None, str]:
    # The test of more algorithms, where single values were left out since, is another one.
    own = omnibus if omnibus and omnibus.algorithms == scores.algorithms else None
    critical, why = _or_why("critical difference is", lambda: critical_beside(scores, own, alpha, control))
    # The published procedure compares pairs after a rejection alone: letters that part some would deny the sentence.
    if critical and omnibus and omnibus.pvalue > alpha and any(pair.rejected for pair in critical.pairs):
        return (
            None,
            "No pair counts as different by the critical difference, because the test of all algorithms does not reject.",
        )
    return critical, why


def _places(scores: Scores, alpha: float, seed: RNG, measure: str = "auto") -> tuple[RankIntervalsResult | None, str]:
    """Return which ranks are possible by the measure, of three algorithms or more; two are a pair."""
    if scores.n_algorithms < 3:
        return None, ""
    options: Any = {"measure": measure, "confidence_level": 1 - alpha, "single_value": "tested", "rng": seed}
    return _or_why("possible ranks are", lambda: rank_intervals(scores, **options))


# ── words ──────────


def weights_words(scores: Scores) -> str:
    """Return that tasks with more runs count for more in Mack and Skillings's ranks, "" where all have as many.

    Ranks within a task are summed over its runs, so that the one with twenty runs can decide against three with three.
    """
    # A task of one algorithm alone ranks nothing.
    runs = np.where((scores.n_runs > 0).sum(axis=0) > 1, scores.n_runs.sum(axis=0), 0)
    if len({*runs[runs > 0].tolist()}) < 2:
        return ""
    most = int(runs.argmax())
    return f"In average ranks tasks weigh by their runs: {scores.tasks[most]} has {runs[most]} of {runs.sum()}."


def omnibus_words(result: RankResult, alpha: float) -> str:
    """Return whether the algorithms differ at all."""
    k, tasks = len(result.algorithms), counted([result.n_tasks], "task")
    algorithms = "both algorithms" if k == 2 else f"all {k} algorithms"
    # A smaller p is printed as "< 0.001", beside which an error says nothing.
    error = f" ± {digits(result.pvalue_error, 1)}" if result.pvalue_error and result.pvalue >= 0.0005 else ""
    freedom = ""
    if result.df is not None and result.method != "exact":
        df = result.df if isinstance(result.df, tuple) else (result.df,)
        freedom = f" with {' and '.join(digits(d, 4) for d in df)} degrees of freedom"
    numbers = (
        f"statistic {digits(result.statistic, 4)}{freedom}, {p_equals(result.pvalue)}{error}, {METHODS[result.method]}"
    )
    lead = f"{capital(about_test(result.test).title)} of {algorithms} over {tasks} ({numbers})"
    if result.pvalue <= alpha:
        return f"{lead} rejects, at α = {exactly(alpha)}, the hypothesis that {'they' if k == 2 else 'all'} are alike: {result.claim}."
    return f"{lead} does not reject at α = {exactly(alpha)}: no difference was found, which does not make them equal."


def critical_words(result: CriticalDifferenceResult) -> str:
    gap = result.critical_average_difference
    control = f" with the control, {result.control}," if result.control is not None else ""
    n, m = sum(pair.rejected for pair in result.pairs), len(result.pairs)
    some = n or ("None" if m > 1 else 0)
    rule = "" if result.control is not None else "; algorithms that share a letter do not"
    return (
        f"{some} of {counted([m], 'pair')}{control} {'differ' if n > 1 else 'differs'} in average rank by the critical difference, "
        f"{digits(gap)} at α = {exactly(result.alpha)}, or more{rule}."
    )


def places_words(result: RankIntervalsResult) -> str:
    """Return the words for the algorithms that can have rank 1."""
    metric, level = cited(result.measure), f"{percent(result.confidence_level)}"
    first = [record for record in result.best_first if record.joint_low == 1]
    candidates = "one algorithm only" if len(first) == 1 else f"{len(first)} of {len(result.rows)} algorithms"
    named, more = ", ".join(record.algorithm for record in first[:LISTED]), len(first) - LISTED
    named += f" and {more} more" if more > 0 else ""
    return (
        f"Rank 1 by {metric} is possible for {candidates}: {named}. Possible ranks are {level} "
        "confidence sets of all algorithms at once, by the tests of all pairs, among these algorithms."
    )


def _differ_by_pairs(places: RankIntervalsResult | None) -> str:
    """Return that tests of pairs find what the test of all does not, "" where they do not."""
    # Each pair that differs takes the best rank from one algorithm.
    differ = sum(row.joint_low - 1 for row in places.rows) if places else 0
    if not places or not differ:
        return ""
    pairs = len(places.rows) * (len(places.rows) - 1) // 2
    return f"; the tests of pairs behind the possible ranks find {differ} of {pairs} different"


def _sentence(ranking: RankingResult) -> str:
    """Return the sentence on the best average rank and the ranks that do not differ from it; with a control, on the ranks that differ from
    the control's."""
    ranks, critical, alpha = ranking.average_ranks, ranking.critical, ranking.alpha
    if ranking.omnibus is not None and ranking.omnibus.pvalue > alpha:
        by = about_test(ranking.omnibus.test).title
        none = f"By {by} no difference was found between these {len(ranking.rows)} algorithms, which does not make them equal"
        return f"{none}{_differ_by_pairs(ranking.places)}."
    if critical is not None and critical.control is not None:
        names = [pair.a for pair in critical.pairs if pair.rejected]
        whose = (
            f"The average {'rank' if len(names) == 1 else 'ranks'} of {listed(names)}" if names else "No average rank"
        )
        return f"{whose} {'differ' if len(names) > 1 else 'differs'} from that of {critical.control}, the control, by the critical difference."
    if not ranks:
        return ""
    whole = ranked_everywhere(ranking)
    if len(whole) < 2:
        return "No best average rank is named: no two algorithms have scores on all tasks."
    first, bests = whole[0], foremost(ranking)
    among = f" of the {len(whole)} algorithms with scores on all tasks" if len(whole) < len(ranking.rows) else ""
    pairs = critical.pairs if critical else ()
    near = [pair.b if pair.a == first else pair.a for pair in pairs if first in (pair.a, pair.b) and not pair.rejected]
    near = sorted((name for name in near if name not in bests), key=ranks.__getitem__)
    others = near or [name for name in ranks if name not in bests]
    few = near or len(others) == 1
    whose = f"{'that' if len(others) == 1 else 'those'} of {listed(others) if few else 'all others'}"
    verb = f"{'does' if len(others) == 1 else 'do'} not differ" if near else "differs" if len(others) == 1 else "differ"
    differ = f"; {whose} {verb} from it by the critical difference" if pairs and others else ""
    has = "has" if len(bests) == 1 else "have"
    best = "better" if len(whole) == 2 and len(bests) == 1 else "best"
    return f"{listed(bests)} {has} the {best} average rank{among}, {digits(ranks[first])}{differ}."
