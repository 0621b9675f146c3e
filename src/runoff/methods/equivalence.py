"""Are two algorithms the same, for practical purposes?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import pairs as pairing
from runoff._inference.bootstrap import Ends
from runoff._inference.family import OF_PVALUES, adjust, correction_of, first_level
from runoff.base.random import RNG, streams
from runoff.base.validate import check_alpha, check_choice, check_resamples
from runoff.data.given import ScoresLike, as_scores
from runoff.results.base import Advice
from runoff.results.equivalence import EquivalencePair, EquivalenceResult, EquivalenceVerdict
from runoff.results.pair import even_of
from runoff.results.unjudged import SAME_RUNS, unjudged_words
from runoff.words.names import MeasureName, PvalueCorrection, SingleValue
from runoff.words.numbers import digits, estimated, exactly, p_adjusted


def equivalence(
    scores: ScoresLike,
    *,
    margin: float,
    measure: MeasureName = "auto",
    pairs: Literal["all"] | Sequence[tuple[str, str]] = "all",
    control: str | None = None,
    correction: Literal["auto", "shaffer"] | PvalueCorrection = "auto",
    single: SingleValue = "line",
    alpha: float = 0.05,
    n_resamples: int = 50_000,
    rng: RNG = 0,
    threads: int | None = None,
) -> EquivalenceResult:
    """Are they the same, for practical purposes: do they differ by less than a margin?

    Parameters
    ----------
    scores : Scores, data frame, dictionary or path
    margin : float
        The smallest difference that matters, above 0, in units of the scores. Name it before looking at the runs.
    measure : str
        What is compared, as in `compare`; the margin of "improvement" is one of its distance from ½.
    pairs : "all" or sequence of (a, b)
    control, single, alpha
        As in `compare`.
    correction : str
        Of both families of p-values, as in `compare`; where that is Shaffer's, those of equivalence have Holm's, for two pairs can be
        equivalent while the third is not.
    n_resamples, rng, threads
        As in `compare`.

    Returns
    -------
    EquivalenceResult
        "undetermined" is what few runs often give: they show neither a difference nor its absence.

    Raises
    ------
    DesignError
        Fewer than two algorithms, an unknown name, or a pair without a shared task.
    OptionError
        A margin that is not above 0, or one of the improvement of ½ or more; an unknown measure or correction.

    Notes
    -----
    Two one-sided tests (Schuirmann 1987): p is the larger of the p-values against a difference ≤ −margin and ≥ margin, by the distribution of
    `compare`; p ≤ alpha if and only if its 1 − 2 alpha interval lies within the margins.

    A difference can be found and be smaller than the margin: that is "equivalent", with `differs`. Runs without any spread give p = 1 and
    "undetermined". Tasks of a single run are left out as in `compare`.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [5.0, 6.0, 7.0, 6.5, 5.5], "B": [5.2, 6.1, 6.9, 6.4, 5.6]})
    >>> pair = ro.equivalence(scores, margin=2.0).pairs[0]
    >>> pair.verdict, round(pair.smallest_margin, 2)
    ('equivalent', 0.9)
    """
    about_data, named = rules.about_data(as_scores(scores)), control if isinstance(pairs, str) else pairs
    scores, left_out = rules.opponents(as_scores(scores), single, named=named)
    pairing.check_margin(margin)
    kind = pairing.measure_of(scores, measure)
    check_choice("correction", correction, ("auto", "shaffer", *OF_PVALUES))
    check_alpha(alpha)
    options = pairing.PairOptions(streams=streams(rng), n_resamples=check_resamples(n_resamples), measure=kind)
    chosen = pairing.tested_pairs(scores, pairs, control)
    first = first_level(alpha, len(chosen), correction)
    data = pairing.all_pairs(scores, chosen, kind, pairing.Relabelling(level=first, streams=options.streams))
    pairing.check_margin_of(kind, margin)
    outcomes = pairing.run_pairs("auto", data, options, threads)
    of_differences = correction_of(correction, scores, len(data), values=pairing.of_values(kind, data, outcomes))
    adjusting = of_differences if of_differences in OF_PVALUES else "holm"
    equal = [outcome.pvalue for outcome in outcomes]
    even, laws = even_of(kind), [pair.law(kind) for pair in data]
    raw = [law.equivalence_pvalue(margin, even) for law in laws]
    family = zip(raw, adjust(raw, adjusting).tolist(), equal, adjust(equal, of_differences).tolist(), strict=True)
    ends = [_less(law.interval(1 - 2 * alpha), even) for law in laws]
    least = smallest_margins(laws, ends, even, adjusting, alpha)
    rows = zip(data, laws, ends, family, least, strict=True)
    answers = (_answer(*row, measure=kind, margin=margin, alpha=alpha) for row in rows)
    same = rules.of_same_runs(scores)
    return EquivalenceResult(
        pairs=tuple(_of_same_runs(pair) if {pair.a, pair.b} in same else pair for pair in answers),
        measure=kind,
        method="jackknife",
        margin=margin,
        alpha=alpha,
        correction=adjusting,
        n_resamples=n_resamples,
        seed=options.streams.seed,
        advice=rules.collected(
            rules.multiple(len(data), adjusting, alpha, control, "equivalence"),
            rules.missing(scores),
            left_out,
            *about_data,
            unit=scores.sampling.unit,
        ),
    ).with_origin(scores)


def _less(ends: Ends | None, by: float) -> Ends | None:
    return ends and (ends[0] - by, ends[1] - by)


def smallest_margins(
    laws: Sequence[pairing.PairLaw], ends: Sequence[Ends | None], even: float, correction: str, alpha: float
) -> list[float | None]:
    """Return, for each pair, the least margin with which it would be shown equivalent, all pairs being judged by the same margin.

    None without an interval. An adjusted p-value falls as the margin grows, and depends on the others': of Holm's steps it is known where, of
    other corrections it is found by bisection.
    """
    if correction == "holm":
        return _by_steps(laws, even, alpha)

    def shown(margin: float, i: int) -> bool:
        return bool(adjust([law.equivalence_pvalue(margin, even) for law in laws], correction)[i] <= alpha)

    margins: list[float | None] = []
    for i, own in enumerate(ends):
        if own is None:
            margins.append(None)
            continue
        low = max(map(abs, own))  # that of the pair alone
        high = low
        while not shown(high, i):  # at infinity the p-values of other pairs may still be too large
            high *= 2
            if not np.isfinite(high):
                break
        for _ in range(60 if high > low else 0):  # halvings: beyond the digits of a double
            middle = (low + high) / 2
            low, high = (low, middle) if shown(middle, i) else (middle, high)
        margins.append(high if np.isfinite(high) else None)
    return margins


def _reach(law: pairing.PairLaw, level: float, even: float) -> float:
    """Return how far from the even value the interval of a level reaches."""
    return max(map(abs, _less(law.interval(level), even) or (-np.inf, np.inf)))


def _by_steps(laws: Sequence[pairing.PairLaw], even: float, alpha: float) -> list[float | None]:
    """Return the margins under Holm's correction: the more pairs are shown already, the less the next has to reach."""
    margins: list[float | None] = [None] * len(laws)
    waiting, margin = [i for i, law in enumerate(laws) if law.interval(1 - 2 * alpha) is not None], 0.0
    for step in range(len(waiting)):
        level = 1 - 2 * alpha / (len(laws) - step)
        # The t law alone reaches less far, and is known at once: who cannot be the first by it is not relabelled.
        least = {i: _reach(pairing.t_law_of(laws[i]), level, even) for i in waiting}
        first, nearest = waiting[0], np.inf
        for i in sorted(waiting, key=least.__getitem__):
            if least[i] < nearest and (reach := _reach(laws[i], level, even)) < nearest:
                first, nearest = i, reach
        margin = max(margin, nearest)
        margins[first] = margin
        waiting.remove(first)
    return margins


def _answer(
    pair: pairing.PairData,
    law: pairing.PairLaw,
    ends: Ends | None,
    pvalues: tuple[float, float, float, float],
    smallest: float | None,
    *,
    measure: str,
    margin: float,
    alpha: float,
) -> EquivalencePair:
    """Return what is said of a pair; pvalues: of a difference of the margin and adjusted, of none and adjusted."""
    difference = law.value - even_of(measure)
    low, high = ends or (None, None)
    p, adjusted, equal, equal_adjusted = pvalues
    differs = equal_adjusted <= alpha
    verdict: EquivalenceVerdict = "equivalent" if adjusted <= alpha else "different" if differs else "undetermined"
    null = f"null of a difference of at least {exactly(margin)}"
    numbers = f"difference {estimated(difference, low, high)}; {null}: {p_adjusted(p, adjusted)}"
    return EquivalencePair(
        a=pair.a,
        b=pair.b,
        n_tasks=len(pair.tasks),
        left_out=pair.left_out,
        difference=difference,
        low=low,
        high=high,
        margin=margin,
        pvalue=p,
        pvalue_adjusted=adjusted,
        pvalue_difference=equal,
        pvalue_difference_adjusted=equal_adjusted,
        differs=differs,
        smallest_margin=smallest,
        verdict=verdict,
        sentence=_sentence(pair, verdict, numbers, differs=differs, margin=margin, smallest=smallest),
        advice=_advice(pair, measure, has_interval=ends is not None),
    )


def _of_same_runs(pair: EquivalencePair) -> EquivalencePair:
    """Return a pair whose runs are the same numbers (R031): they do not show that other runs would be alike."""
    sentence = unjudged_words(pair.a, pair.b, SAME_RUNS)
    return replace(pair, verdict="undetermined", smallest_margin=None, sentence=f"{sentence}.")


def _sentence(
    pair: pairing.PairData,
    verdict: EquivalenceVerdict,
    numbers: str,
    *,
    differs: bool,
    margin: float,
    smallest: float | None,
) -> str:
    names, runs = f"{pair.a} and {pair.b}", f"{pair.unit}s"
    names = f"the policies of {names}" if pair.episodes else names
    first = names[0].upper() + names[1:] if pair.episodes else names
    if verdict == "equivalent":
        also = " (they do differ, by less than that)" if differs else ""
        return f"{first} are equivalent within a margin of {exactly(margin)}{also} ({numbers})."
    if verdict == "different":
        return (
            f"{first} differ, and these {runs} do not show that they differ by less than {exactly(margin)} ({numbers})."
        )
    needed = "" if smallest is None else f" They would show equivalence only for margins above {digits(smallest)}."
    return f"These {runs} show neither that {names} differ nor that they differ by less than {exactly(margin)} ({numbers}).{needed}"


def _advice(pair: pairing.PairData, measure: str, *, has_interval: bool) -> tuple[Advice, ...]:
    both = rules.pair(pair.a, pair.b)
    flat = [] if pair.single_runs or has_interval else ["the difference"]
    return rules.collected(
        rules.few_runs(chain.from_iterable(pair.sizes), both),
        rules.iqm_of_few(measure, len(pair.tasks), both),
        rules.one_run(pair.lonely, both, others=pair.n_counted),
        rules.no_spread(flat, both),
        unit=pair.unit,
    )
