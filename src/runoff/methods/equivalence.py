"""Are two algorithms the same, for practical purposes?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from runoff._inference import advice as rules
from runoff._inference.bootstrap import Ends
from runoff._inference.family import OF_PVALUES, adjust, correction_of
from runoff._inference.pairs import (
    EVEN,
    IMPROVEMENT,
    PairData,
    PairLaw,
    PairOptions,
    all_pairs,
    check_margin,
    check_margin_of,
    measure_of,
    run_pairs,
    tested_pairs,
    tryon,
)
from runoff.base.random import RNG, Streams, streams
from runoff.base.validate import check_alpha, check_choice, check_resamples
from runoff.errors import OptionError
from runoff.io.given import ScoresLike, as_scores
from runoff.results.base import Advice
from runoff.results.comparison import EquivalencePair, EquivalenceResult, EquivalenceVerdict
from runoff.words.names import EquivalenceMethod, MeasureName, PvalueCorrection, SingleValue
from runoff.words.numbers import digits, estimated, exactly, p_adjusted


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    measure: str
    margin: float
    correction: str
    of_differences: str
    alpha: float
    n_resamples: int
    streams: Streams
    threads: int | None


def equivalence(
    scores: ScoresLike,
    *,
    margin: float,
    measure: MeasureName = "auto",
    method: EquivalenceMethod = "jackknife",
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
    scores : Scores
        Or a data frame, a dictionary or a path of which `Scores` can be made.
    margin : float
        The smallest difference that matters, above 0, in units of the scores. Name it before looking at the runs.
    measure : str
        What is compared, as in `compare`; the margin of "improvement" is one of its distance from ½.
    method : "jackknife" or "tryon"
        Two one-sided tests by the law of `compare`, or Tryon's reading of inferential intervals, for the mean.
    pairs : "all" or sequence of (a, b)
    control : str, optional
        Compare each other algorithm with this one instead.
    correction : str
        Of both families of p-values, as in `compare`; where that is Shaffer's, those of equivalence have Holm's, for two pairs can be
        equivalent while the third is not. "tryon" has none to adjust and takes alpha over the number of pairs unless it is "none".
    single : "line" or "opponent"
        As in `compare`.
    alpha : float
    n_resamples : int
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only.

    Returns
    -------
    EquivalenceResult
        "undetermined" is what few runs often give: they show neither a difference nor its absence.

    Raises
    ------
    DesignError
        Fewer than two algorithms, an unknown name, or a pair without a shared task.
    OptionError
        A margin that is not above 0, or one of the improvement of ½ or more; an unknown measure, method or correction; "tryon" for another
        measure than the mean.

    Notes
    -----
    Two one-sided tests (Schuirmann 1987): p is the larger of the p-values against a difference ≤ −margin and ≥ margin, by the law that
    `compare` has of the measure; p ≤ alpha if and only if its 1 − 2 alpha interval lies within the margins.

    Tryon (2001), with the correction of Tryon & Lewis (2008): inferential intervals are apart if and only if Welch's test rejects, and two
    algorithms are equivalent if the distance from the lowest to the highest end is at most the margin. That is stricter than two one-sided
    tests.

    A difference can be found and be smaller than the margin: that is "equivalent", and `differs` says that it was found.

    Runs without any spread, or single runs, give p = 1 and "undetermined": they say nothing about other runs.

    References
    ----------
    Schuirmann 1987. Tryon 2001, Tryon & Lewis 2008, Psychological Methods. Casesa 2024 §2.4.

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
    check_margin(margin)
    kind = measure_of(scores, measure)
    chosen = check_choice("method", method, METHODS)
    check_choice("correction", correction, ("auto", "shaffer", *OF_PVALUES))
    check_alpha(alpha)
    check_resamples(n_resamples)
    family = streams(rng)
    data = all_pairs(scores, tested_pairs(scores, pairs, control))
    check_margin_of(kind, margin)
    of_differences = correction_of(correction, scores, len(data), values=kind != IMPROVEMENT)
    of_likeness = of_differences if of_differences in OF_PVALUES else "holm"
    options = _Options(
        measure=kind,
        margin=margin,
        correction=of_likeness,
        of_differences=of_differences,
        alpha=alpha,
        n_resamples=n_resamples,
        streams=family,
        threads=threads,
    )
    answers = METHODS[chosen](data, options)
    return EquivalenceResult(
        pairs=tuple(answers),
        measure=kind,
        method=chosen,
        margin=margin,
        alpha=alpha,
        correction=of_likeness,
        n_resamples=n_resamples,
        seed=family.seed,
        advice=rules.collected(
            rules.multiple(len(answers), of_likeness, alpha, control),
            rules.missing(scores),
            left_out,
            *about_data,
        ),
    )


def _by_law(data: Sequence[PairData], options: _Options) -> list[EquivalencePair]:
    settings = PairOptions(streams=options.streams, n_resamples=options.n_resamples, measure=options.measure)
    of_tests = [outcome.pvalue for outcome in run_pairs("auto", data, settings, options.threads)]
    even, laws = EVEN if options.measure == IMPROVEMENT else 0.0, [pair.law(options.measure) for pair in data]
    raw = [law.equivalence_pvalue(options.margin, even) for law in laws]
    adjusted, different = adjust(raw, options.correction).tolist(), adjust(of_tests, options.of_differences).tolist()
    ends = [_less(law.interval(1 - 2 * options.alpha), even) for law in laws]
    least = smallest_margins(laws, ends, even, options.correction, options.alpha)
    null = f"null of a difference of at least {exactly(options.margin)}"
    return [
        _answer(
            pair,
            law.value - even,
            own,
            options.margin,
            pvalues=dict(zip(PVALUES, (p, q, f, d), strict=True)),
            differs=d <= options.alpha,
            smallest=smallest,
            within=q <= options.alpha,
            basis=f"{null}: {p_adjusted(p, q)}",
        )
        for pair, law, own, p, q, f, d, smallest in zip(
            data, laws, ends, raw, adjusted, of_tests, different, least, strict=True
        )
    ]


def _less(ends: Ends | None, by: float) -> Ends | None:
    return ends and (ends[0] - by, ends[1] - by)


def _by_tryon(data: Sequence[PairData], options: _Options) -> list[EquivalencePair]:
    # Without p-values to adjust, the correction is Bonferroni's.
    if options.measure != "mean":
        raise OptionError('method="tryon" is about means; use measure="mean", or leave it out.')
    level = options.alpha if options.correction == "none" else options.alpha / len(data)
    answers = []
    for pair in data:
        reading, none = tryon(pair, level), "no inferential intervals"
        answers.append(
            _answer(
                pair,
                reading.difference,
                reading.ends,
                options.margin,
                pvalues=dict.fromkeys(PVALUES),
                differs=reading.differs,
                smallest=reading.largest,
                within=reading.largest is not None and reading.largest <= options.margin,
                basis=none if reading.largest is None else f"inferential intervals span {digits(reading.largest)}",
            )
        )
    return answers


METHODS: Mapping[str, Callable[[Sequence[PairData], _Options], list[EquivalencePair]]] = MappingProxyType(
    {"jackknife": _by_law, "tryon": _by_tryon}
)


def smallest_margins(
    laws: Sequence[PairLaw], ends: Sequence[Ends | None], even: float, correction: str, alpha: float
) -> list[float | None]:
    """Return, for each pair, the least margin with which it would be shown equivalent, all pairs being judged by the same margin.

    None without an interval. An adjusted p-value falls as the margin grows, and depends on the others', so it is found by bisection.
    """

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


PVALUES = ("pvalue", "pvalue_adjusted", "pvalue_difference", "pvalue_difference_adjusted")
"""The fields of a pair that a reading without tests leaves None."""


def _answer(
    pair: PairData,
    difference: float,
    ends: Ends | None,
    margin: float,
    *,
    pvalues: Mapping[str, float | None],
    differs: bool,
    smallest: float | None,
    within: bool,
    basis: str,
) -> EquivalencePair:
    """Return what is said of a pair: it lies `within` the margin or not, on the `basis` that the sentence gives."""
    low, high = ends or (None, None)
    verdict: EquivalenceVerdict = "equivalent" if within else "different" if differs else "undetermined"
    numbers = f"difference {estimated(difference, low, high)}; {basis}"
    return EquivalencePair(
        a=pair.a,
        b=pair.b,
        n_tasks=len(pair.tasks),
        difference=difference,
        low=low,
        high=high,
        margin=margin,
        **pvalues,
        differs=differs,
        smallest_margin=smallest,
        verdict=verdict,
        sentence=_sentence(pair, verdict, numbers, differs=differs, margin=margin, smallest=smallest),
        advice=_advice(pair),
    )


def _sentence(
    pair: PairData, verdict: EquivalenceVerdict, numbers: str, *, differs: bool, margin: float, smallest: float | None
) -> str:
    names = f"{pair.a} and {pair.b}"
    if verdict == "equivalent":
        also = " (they do differ, by less than that)" if differs else ""
        return f"{names} are equivalent within a margin of {exactly(margin)}{also} ({numbers})."
    if verdict == "different":
        return (
            f"{names} differ, and these runs do not show that they differ by less than {exactly(margin)} ({numbers})."
        )
    needed = "" if smallest is None else f" They would show equivalence only for margins above {digits(smallest)}."
    return f"These runs show neither that {names} differ nor that they differ by less than {exactly(margin)} ({numbers}).{needed}"


def _advice(pair: PairData) -> tuple[Advice, ...]:
    both, single = rules.pair(pair.a, pair.b), pair.single_runs
    flat = [] if single or pair.difference.df is not None else ["the difference"]
    return rules.collected(
        rules.few_runs(pair.least, both, df=sum(n + m - 2 for n, m in pair.sizes)),
        rules.one_run(single, both),
        rules.no_spread(flat, both),
    )
