"""One task, two samples: does one algorithm do better than the other?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from runoff._inference import two_sample
from runoff._inference.advice import Samples, two_sample_advice
from runoff.answer.base import filled
from runoff.answer.effects import TwoSampleResult, TwoSampleTable
from runoff.base.random import RNG, streams
from runoff.base.validate import check_confidence, check_count, check_sample, is_number
from runoff.errors import DataError
from runoff.words.names import Alternative, BootstrapTestInterval, NullMethod, TwoSampleTestName


def two_sample_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    test: TwoSampleTestName = "welch",
    alternative: Alternative = "two-sided",
    method: NullMethod = "auto",
    rng: RNG = 0,
    n_resamples: int = 50_000,
    trim: float = 0.1,
    interval: BootstrapTestInterval = "studentized",
    confidence_level: float = 0.95,
) -> TwoSampleResult:
    """Test whether two samples of final scores differ.

    Differences are x - y. The samples are independent; runs are never paired by seed. The direction of a one-sided test is the one you
    choose; it is never taken from the data.

    Parameters
    ----------
    x, y : array of shape (n_x,) and (n_y,)
        Scores of the runs of two algorithms on one task; finite.
    test : str
        ======================= ========================================================== ======================== =======
        test                    null hypothesis                                            methods                  least n
        ======================= ========================================================== ======================== =======
        student                 the means of x and y are equal, and so are their variances asymptotic               1
        welch                   the means of x and y are equal                             asymptotic               2
        yuen                    the trimmed means of x and y are equal                     asymptotic               2
        mann_whitney            x and y come from one distribution                         exact, asymptotic        1
        ranked_t                x and y come from one distribution                         asymptotic               1
        brunner_munzel          P(X > Y) + P(X = Y) / 2 is 1/2                             exact, asymptotic, drawn 2
        permutation             x and y come from one distribution                         exact, drawn             1
        studentized_permutation the means of x and y are equal                             exact, drawn             2
        bootstrap               the means of x and y are equal                             drawn                    2
        kolmogorov_smirnov      x and y come from one distribution                         exact, asymptotic        1
        ======================= ========================================================== ======================== =======
    alternative : "two-sided", "greater" or "less"
        "greater": x tends to be larger than y. kolmogorov_smirnov is two-sided only.
    method : "auto", "exact", "asymptotic" or "monte_carlo"
        "auto" takes "exact" where it is affordable, otherwise "monte_carlo" or, for rank tests, "asymptotic". "asymptotic" includes every
        test whose reference is Student's t, which is exact only under normality.
    rng : int or numpy Generator
        Seed of the draws.
    n_resamples : int
        Number of draws of a Monte Carlo permutation test or of a bootstrap.
    trim : float
        Share of values that `yuen` trims at each end, in [0, 0.5).
    interval : "studentized", "basic" or "percentile"
        The interval of the difference of means that `bootstrap` inverts. Colas 2019 used the basic one, with 1,000 draws.
    confidence_level : float
        The level of the two-sided t interval of the difference, for "welch" and "student".

    Raises
    ------
    DataError
        A sample is not one-dimensional or holds values that are not finite.
    DesignError
        A sample is too small for the test, or `method="exact"` is not affordable.
    OptionError
        A name is unknown, or a value is out of range; the message lists the names.

    Notes
    -----
    **student** t = d / sqrt(s² (1/n_x + 1/n_y)), s² the pooled variance, df = n_x + n_y - 2.
    **welch** t = d / sqrt(s_x²/n_x + s_y²/n_y), df by Satterthwaite (Colas 2018, eq. 4).
    **yuen** t of trimmed means with winsorised variances (Yuen 1974); WRS2 (which prints |t|) and SciPy (``trim=``) agree. Where trimming
    leaves only constants, the remaining values are permuted.
    **mann_whitney** U = #(x > y) + #(x = y)/2. Exact: P over all permutations of the mid-ranks, two-sided P(|U - n_x n_y/2| ≥ |u - n_x
    n_y/2|), for n_x n_y ≤ 10,000 (≤ 2,500 with ties; ≤ 40,000 on demand). Asymptotic: tie-corrected normal with continuity 1/2. SciPy's
    exact method ignores ties and R's silently falls back to the normal, so both differ from ours with ties; coin and exactRankTests agree.
    **ranked_t** Student's t on the mid-ranks of both samples (Conover & Iman 1981).
    **brunner_munzel** T = (p̂ - 1/2) / sqrt(s_x²/n_x + s_y²/n_y) with s² the variances of the placements over the other sample's size; t
    with Satterthwaite df, or its permutation distribution (Neubert & Brunner 2007) where there are ≤ 200,000 permutations. Our sign is that
    of x - y; SciPy and R's packages have the opposite sign.
    **permutation** The distribution of d over all permutations where there are ≤ 200,000 of them (and ≤ 1024 values), otherwise p = (1 +
    hits) / (1 + draws) (Phipson & Smyth 2010). Two-sided p = P(|d*| ≥ |d|); SciPy's ``permutation_test`` doubles the smaller tail instead,
    which differs when n_x ≠ n_y. Sums that differ by less than rounding (8 ε Σ|score|) are equal, so that 0.1 + 0.2 ties with 0.3.
    **studentized_permutation** The same with Welch's t: exact when the distributions are equal, and of the right size in the limit when only
    the means are (Janssen 1997, Chung & Romano 2013).
    **bootstrap** p = twice the smaller share of deviations δ* = d* - d at or beyond d (basic), -d (percentile), or of t* beyond t
    (studentised), with the +1 rule: 1 - p is the level of the widest equal-tailed interval that excludes 0. Two samples without variance
    leave nothing to resample: p is 1 if they are equal, otherwise the p-value of complete separation.
    **kolmogorov_smirnov** D = max |F_x - F_y|; exact by counting paths, conditional on ties.

    Degenerate samples have defined answers, with advice: a standard error of 0 and equal centres give statistic 0 and p = 1 (R stops, SciPy
    returns NaN); a standard error of 0 and different centres give statistic ±inf and the exact permutation p-value of complete separation, 2
    / C(n_x + n_y, n_x) or half of it one-sided, never 0 (SciPy returns 0 or NaN). For `yuen` the sizes are those after trimming.

    Checked against R (t.test, wilcox.test, WRS2, brunnermunzel, coin, exactRankTests), SciPy and exact fractions.

    References
    ----------
    The reference of each test stands at its formula, and in docs/names.md. Chung & Romano 2013, "Exact and asymptotically robust permutation
    tests"; Efron & Tibshirani 1993, ch. 12, 15, 16; Phipson & Smyth 2010; Schröer & Trenkler 1995; Colas et al. 2018, 2019.

    Examples
    --------
    >>> x, y = [-0.842, -1.366, -0.802, 0.712, 0.874], [-0.256, 3.372, 1.844, 0.43, 0.975]
    >>> print(two_sample_test(x, y, test="mann_whitney").pvalue)
    0.09523809523809523
    >>> round(two_sample_test(x, y).pvalue, 6)
    0.08222
    """
    sample_x, sample_y = check_sample("x", x), check_sample("y", y)
    drawn = streams(rng)
    outcome = two_sample.run_two_sample(
        test,
        sample_x[None],
        sample_y[None],
        alternative=alternative,
        method=method,
        streams=drawn,
        n_resamples=n_resamples,
        trim=trim,
        interval=interval,
    )
    samples = Samples(
        test=two_sample.TWO_SAMPLE[test].about,
        alternative=alternative,
        method=str(outcome.method[0]),
        statistic=float(outcome.statistic[0]),
        difference=float(two_sample.difference_of_means(sample_x[None], sample_y[None])[0]),
        n_x=sample_x.size,
        n_y=sample_y.size,
        constant_x=bool((sample_x == sample_x[0]).all()),
        constant_y=bool((sample_y == sample_y[0]).all()),
        trim=trim,
        x=sample_x,
        y=sample_y,
    )
    result = _result(test, samples, outcome, seed=drawn.seed, n_resamples=n_resamples)
    # Variances of huge or tiny scores would overflow or vanish: the interval is computed on a scale of its own.
    exponent = _exponent([*sample_x.tolist(), *sample_y.tolist()])
    scaled = [np.ldexp(sample, -exponent) for sample in (sample_x, sample_y)]
    spreads = [(float(np.var(cell, ddof=1)) if cell.size > 1 else 0.0, cell.size) for cell in scaled]
    return _with_interval(result, spreads, exponent, confidence_level)


@overload
def test_from_summary(  # type: ignore[overload-overlap]  # numbers alone are no table
    *,
    mean_x: float,
    std_x: float,
    n_x: int,
    mean_y: float,
    std_y: float,
    n_y: int,
    names: None = None,
    test: Literal["welch", "student"] = "welch",
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> TwoSampleResult: ...


@overload
def test_from_summary(
    *,
    mean_x: float | Sequence[float],
    std_x: float | Sequence[float],
    n_x: int | Sequence[int],
    mean_y: float | Sequence[float],
    std_y: float | Sequence[float],
    n_y: int | Sequence[int],
    names: Sequence[str] | None = None,
    test: Literal["welch", "student"] = "welch",
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> TwoSampleTable: ...


def test_from_summary(
    *,
    mean_x: float | Sequence[float],
    std_x: float | Sequence[float],
    n_x: int | Sequence[int],
    mean_y: float | Sequence[float],
    std_y: float | Sequence[float],
    n_y: int | Sequence[int],
    names: Sequence[str] | None = None,
    test: Literal["welch", "student"] = "welch",
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> TwoSampleResult | TwoSampleTable:
    """Test whether two means differ, from a published table of mean, standard deviation and number of runs.

    Parameters
    ----------
    mean_x, mean_y : float, or sequence of float
        Means; sequences are the lines of a table, and a number beside them holds for every line.
    std_x, std_y : float, or sequence of float
        Sample standard deviations (n - 1 in the denominator), not standard errors; ≥ 0.
    n_x, n_y : int, or sequence of int
        Numbers of runs.
    names : sequence of str, optional
        What the lines are called, for example tasks.
    test : "welch" or "student"
        Other tests need the runs.
    alternative : "two-sided", "greater" or "less"
    confidence_level : float
        The level of the two-sided t interval of the difference.

    Returns
    -------
    TwoSampleResult, or TwoSampleTable
        A table, with one row per line, where lines were given. Its p-values are not adjusted for their number.

    Raises
    ------
    DataError
        A mean is not finite, a standard deviation is negative or not finite, or lines lack numbers.
    DesignError
        Too few runs.
    OptionError
        An unknown or unsuitable test, an unknown alternative, a count that is not a whole number.

    Notes
    -----
    The formulas are those of `two_sample_test`; standard deviations of 0 have the answers described there.

    Examples
    --------
    Example 2 of Colas 2018 (section 4.3), 10 runs of each algorithm. The paper prints p = 0.0037, which does not follow from
    the means and standard deviations that it prints:

    >>> result = test_from_summary(mean_x=3690, std_x=1086, n_x=10, mean_y=5323, std_y=1454, n_y=10, alternative="less")
    >>> print(f"t = {result.statistic:.3f}, df = {result.df:.1f}, p = {result.pvalue:.4f}")
    t = -2.845, df = 16.7, p = 0.0057

    A table of two lines:

    >>> table = test_from_summary(
    ...     names=["Pong", "Boxing"], mean_x=[19.0, 80.0], std_x=[1.0, 9.0], n_x=5, mean_y=[17.0, 78.0], std_y=[1.2, 8.0], n_y=5
    ... )
    >>> table.to_polars().select("line", "difference", "pvalue").rows()[0][:2]
    ('Pong', 2.0)
    """
    columns = {"mean_x": mean_x, "std_x": std_x, "n_x": n_x, "mean_y": mean_y, "std_y": std_y, "n_y": n_y}
    options: dict[str, Any] = {"test": test, "alternative": alternative, "confidence_level": confidence_level}
    if names is None and all(np.ndim(column) == 0 for column in columns.values()):
        return _one_line(columns, **options)
    lines = _lines(columns, names)
    named = tuple(f"line {i}" for i in range(1, len(lines) + 1)) if names is None else tuple(map(str, names))
    return TwoSampleTable(lines=named, results=tuple(_one_line(line, **options) for line in lines))


def _lines(columns: Mapping[str, Any], names: Sequence[str] | None) -> list[dict[str, Any]]:
    lengths = {name: len(column) for name, column in columns.items() if np.ndim(column) > 0}
    lengths |= {} if names is None else {"names": len(names)}
    # A single number stands for every line; a column that is shorter than the table is refused, for it is not known
    # which lines it is of.
    n = max(lengths.values())
    short = next((name for name, length in lengths.items() if length != n), None)
    if short is not None or n == 0:
        longest = max(lengths, key=lengths.__getitem__)
        message = f"the lines of a table have all numbers: {longest} has {n}, {short or longest} has {lengths[short or longest]}."
        raise DataError(message)
    whole = {name: np.ravel(np.asarray(column)).tolist() for name, column in columns.items()}
    return [{name: column[i if len(column) == n else 0] for name, column in whole.items()} for i in range(n)]


def _one_line(line: Mapping[str, Any], *, test: str, alternative: str, confidence_level: float) -> TwoSampleResult:
    numbers = {name: line[name] for name in ("mean_x", "std_x", "mean_y", "std_y")}
    for name, value in numbers.items():
        spread = name.startswith("std")
        if not is_number(value) or (spread and value < 0):
            raise DataError(f"{name} must be a finite number{' of at least 0' if spread else ''}, not {value!r}.")
    n_x, n_y = check_count("n_x", line["n_x"]), check_count("n_y", line["n_y"])
    exponent = _exponent(numbers.values())
    # A power of two changes no digit: t, p and df are those of the numbers as they are, and 1e200 squared does not
    # overflow.
    scaled = {name: np.ldexp([float(value)], -exponent) for name, value in numbers.items()}
    outcome = two_sample.outcome_from_moments(
        test,
        (scaled["mean_x"], scaled["std_x"] ** 2, n_x),
        (scaled["mean_y"], scaled["std_y"] ** 2, n_y),
        alternative=alternative,
    )
    samples = Samples(
        test=two_sample.TWO_SAMPLE[test].about,
        alternative=alternative,
        method=str(outcome.method[0]),
        statistic=float(outcome.statistic[0]),
        difference=float(line["mean_x"]) - float(line["mean_y"]),
        n_x=n_x,
        n_y=n_y,
        constant_x=line["std_x"] == 0,
        constant_y=line["std_y"] == 0,
    )
    result = _result(test, samples, outcome, seed=0, n_resamples=0)
    spreads = [(float(scaled[std][0]) ** 2, n) for std, n in (("std_x", n_x), ("std_y", n_y))]
    return _with_interval(result, spreads, exponent, confidence_level)


def _exponent(values: Iterable[float]) -> int:
    """Return a power of two beyond all values: divided by it, they can be squared without overflow or loss."""
    return int(np.frexp(max(abs(value) for value in values))[1])


def _with_interval(
    result: TwoSampleResult, spreads: Sequence[tuple[float, int]], exponent: int, confidence_level: float
) -> TwoSampleResult:
    """Return a result with the interval of its difference; `spreads` are (variance, n) of each sample over 4 ** exponent."""
    level = check_confidence(confidence_level)
    half = two_sample.half_width(result.test, spreads[0], spreads[1], result.df, level)
    if half is None:
        return replace(result, confidence_level=level)
    reach = float(np.ldexp(half, exponent))
    low, high = result.difference - reach, result.difference + reach
    return replace(result, difference_low=low, difference_high=high, confidence_level=level)


# The contract's name looks like a test to pytest; users' test files may import it all the same.
test_from_summary.__test__ = False  # type: ignore[attr-defined]


def _result(
    test: str, samples: Samples, outcome: two_sample.TwoSampleOutcome, *, seed: int, n_resamples: int
) -> TwoSampleResult:
    drawn, entry = samples.method == "monte_carlo", two_sample.TWO_SAMPLE[test]
    return filled(
        TwoSampleResult,
        samples,
        test=test,
        pvalue=float(outcome.pvalue[0]),
        pvalue_error=float(outcome.pvalue_error[0]),
        df=None if outcome.df is None else float(outcome.df[0]),
        null=entry.null.format(both=two_sample.BOTH),
        claim=entry.claims[samples.alternative].format(both=two_sample.BOTH),
        seed=seed if drawn else None,
        n_resamples=n_resamples if drawn else None,
        advice=two_sample_advice(samples),
    )
