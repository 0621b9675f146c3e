"""What is the chance to see a difference, how many runs does it take, and how small a difference can be seen?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, overload

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import planning
from runoff._inference import power as powers
from runoff.answer.base import filled
from runoff.answer.plan import PlanTable
from runoff.answer.power import PowerPoint, PowerResult, RunsNeededResult, RunsNeededRow
from runoff.base.validate import check_alpha, check_count
from runoff.data.given import ScoresLike, pilot_scores
from runoff.errors import DesignError, OptionError
from runoff.words.names import Alternative, EffectUnit, PowerFormulaName, PowerTestName

POINTS = 200
"""The number of points of a curve, about, at most."""


def power(
    *,
    effect: float,
    n_runs: int | tuple[int, int],
    std: float | tuple[float, float] | None = None,
    effect_unit: EffectUnit = "raw",
    test: PowerTestName = "welch",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    formula: PowerFormulaName = "noncentral",
) -> PowerResult:
    """What is the chance that a test finds a true difference of this size with this number of runs?

    Parameters
    ----------
    effect : float
        The true difference, first − second; not 0.
    n_runs : int or pair of int
        Runs of each algorithm, or of the first and of the second; at least 2.
    std : float or pair of float
        True standard deviations of the runs: of both, or of the first and of the second. Not needed for an effect that is stated in another
        `unit`: then it is 1.
    effect_unit : "raw", "sd" or "improvement"
        The unit of `effect`: units of the scores; standard deviations, σ or √((σ₁² + σ₂²) / 2); or the probability that a run of the first
        beats one of the second, Φ(Δ / √(σ₁² + σ₂²)) for normal runs.
    test : "welch", "student" or "one_sample"
        The last is a test of one algorithm against a fixed value.
    alternative : "two-sided", "greater" or "less"
        "greater": the test looks for a first that is better than the second. Two-sided power counts rejections on both sides, as R does with
        ``strict = TRUE``.
    alpha : float
        Level of the test: in a family of pairs, that of its first step.
    formula : "noncentral", "exact" or "colas2018"
        "noncentral": the noncentral t. "exact": of Welch's test itself, whose degrees of freedom are estimated. "colas2018": a central t
        shifted by the true difference.

    Raises
    ------
    OptionError
        A value that means nothing here; the message says what would.

    Notes
    -----
    Power is that of normal runs whose standard deviations are known; for those of a few pilot runs see `plan`.

    **noncentral** T' with the noncentrality Δ / √(σ₁²/n₁ + σ₂²/n₂) and, for Welch's test, the degrees of freedom of Satterthwaite at the
    true variances. Exact for Student's test; for Welch's too high with very few runs: 0.107 instead of 0.055 with 2 in the example below.
    **exact** One integral over the share of the first sample in the pooled variance, given which Welch's statistic is a noncentral t with
    n₁ + n₂ − 2 degrees of freedom.
    **colas2018** P(T + δ > t) of a central T. The paper's numbers are those of ``alternative="greater"``.

    Checked against R (power.t.test, pwr, MESS), SciPy, a two-dimensional quadrature for Welch's test, and simulation; agreement to 1e-9.

    References
    ----------
    Colas et al. 2018, "How many random seeds?", section 5 and eq. 8; Cohen 1988.

    Examples
    --------
    The example of Colas 2018 (section 5): 1,382 between algorithms that spread by 1,341 and 990.

    >>> import runoff as ro
    >>> print(f"{ro.power(effect=1382, std=(1341, 990), n_runs=10).power:.4f}")
    0.6942
    >>> print(f"{ro.power(effect=1382, std=(1341, 990), n_runs=10, formula='colas2018', alternative='greater').beta:.4f}")
    0.1958
    """
    question = powers.checked_question(
        test=test, std=std, unit=effect_unit, alpha=alpha, alternative=alternative, formula=formula
    )
    difference = powers.raw_effect(effect, effect_unit, question.stds)
    sizes = powers.checked_sizes(n_runs, test)
    outcome = powers.power_of(question, difference, sizes)
    return _result(question, difference, sizes, outcome, powers.power_words(question, difference, sizes, outcome))


def detectable_effect(
    *,
    n_runs: int | tuple[int, int],
    std: float | tuple[float, float],
    power: float = 0.8,
    test: PowerTestName = "welch",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    formula: PowerFormulaName = "noncentral",
) -> PowerResult:
    """What is the smallest true difference that this number of runs finds with the required power?

    Parameters
    ----------
    n_runs, std, test, alternative, alpha, formula
        As of `power`.
    power : float
        Required; above alpha.

    Returns
    -------
    PowerResult
        `effect` is the answer, with `effect_in_std` and `improvement`: the size of the difference, negative for ``alternative="less"``.

    Raises
    ------
    OptionError
        A value that means nothing here.

    Examples
    --------
    >>> import runoff as ro
    >>> answer = ro.detectable_effect(n_runs=5, std=1.0)
    >>> print(f"{answer.effect:.2f} standard deviations: P(improvement) = {answer.improvement:.2f}")
    2.02 standard deviations: P(improvement) = 0.92
    """
    question = powers.checked_question(
        test=test, std=std, unit="raw", alpha=alpha, alternative=alternative, formula=formula
    )
    sizes = powers.checked_sizes(n_runs, test)
    difference = powers.smallest_effect(question, powers.required_power(power, question.alpha), sizes)
    # The root is 0 where alpha alone gives the power that is asked for.
    if difference == 0:
        raise OptionError(f"power must be greater than {power:g}, which chance alone gives in this design.")
    sentence = powers.detectable_words(question, difference, sizes, power)
    return _result(question, difference, sizes, powers.power_of(question, difference, sizes), sentence)


@overload
def runs_needed(
    pilot: ScoresLike | Sequence[Any], *, power: float = 0.8, alpha: float = 0.05, cost_per_run: float | None = None
) -> PlanTable: ...
@overload
def runs_needed(
    *,
    effect: float | Sequence[float],
    std: float | tuple[float, float] | None = None,
    power: float = 0.8,
    effect_unit: EffectUnit = "raw",
    test: PowerTestName = "welch",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    formula: PowerFormulaName = "noncentral",
    ratio: float | None = None,
    cost_per_run: float | tuple[float, float] | None = None,
    curve_to: int | None = None,
) -> RunsNeededResult: ...
def runs_needed(
    pilot: ScoresLike | Sequence[Any] | None = None,
    *,
    effect: float | Sequence[float] | None = None,
    std: float | tuple[float, float] | None = None,
    power: float = 0.8,
    effect_unit: EffectUnit = "raw",
    test: PowerTestName = "welch",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    formula: PowerFormulaName = "noncentral",
    ratio: float | None = None,
    cost_per_run: float | tuple[float, float] | None = None,
    curve_to: int | None = None,
) -> RunsNeededResult | PlanTable:
    """How many runs does it take to find a true difference of this size?

    Parameters
    ----------
    pilot : Scores, or whatever `compare` takes; numbers; a pair of lists of numbers
        In place of an effect and a spread: the differences that a reader of these runs would ask about, the table of `plan`. It takes `power`,
        `alpha` and one `cost`.
    effect : float or sequence of float
        One true difference or several, each with its own answer and curve.
    std, effect_unit, test, alternative, alpha, formula
        As of `power`.
    power : float
        Required; above alpha.
    ratio : float, optional
        Runs of the second for each run of the first; None is 1, or what is cheapest if `cost` is a pair.
    cost_per_run : float or pair of float, optional
        Of a run, in any unit. One number only prices the answer; a pair, of the first and of the second, asks for the allocation that costs
        least.
    curve_to : int, optional
        Number of runs at which the curves, from 2 on, end; None: somewhat beyond the largest answer.

    Returns
    -------
    RunsNeededResult or PlanTable
        With a single effect, `n_runs` is its answer; of a pilot a table.

    Raises
    ------
    OptionError
        A value that means nothing here, or an effect on the side at which the test does not look.
    DesignError
        More than ten million runs would be needed.

    Notes
    -----
    The formulas are those of `power`. For the allocation that costs least, all are tried where equal counts would be at most 30, and those
    near the best up to 1,000; beyond that, the ratio is σ₂/σ₁ · √(c₁/c₂).

    Examples
    --------
    Colas 2018 concludes that 10 runs are enough in its example. Its formula is one-sided, its test two-sided, and takes 13:

    >>> import runoff as ro
    >>> ro.runs_needed(effect=1382, std=(1341, 990)).n_runs
    13
    >>> answer = ro.runs_needed(effect=1382, std=(1341, 990), cost_per_run=(1, 5)).rows[0]
    >>> (answer.n_runs, answer.n_runs_b, answer.cost)
    (19, 8, 59.0)
    """
    if pilot is not None:
        others = {"effect": effect, "std": std, "ratio": ratio, "curve_to": curve_to}
        # Defaults cannot be told from values that were given, and so pass: only another value says that a pilot was
        # misunderstood.
        others |= {"unit": effect_unit != "raw", "test": test != "welch", "alternative": alternative != "two-sided"}
        return _of_pilot(pilot, power, alpha, cost_per_run, others | {"formula": formula != "noncentral"})
    if effect is None:
        raise OptionError("runs_needed takes a difference (effect=1.5, std=2.0) or pilot runs (runs_needed(scores)).")
    question = powers.checked_question(
        test=test, std=std, unit=effect_unit, alpha=alpha, alternative=alternative, formula=formula
    )
    differences = powers.raw_effects(effect, effect_unit, question)
    prices = powers.checked_cost(cost_per_run, test)
    wanted = _Wanted(
        question=question,
        power=powers.required_power(power, question.alpha),
        ratio=powers.checked_ratio(ratio, prices, test),
        cost=prices,
    )
    top = None if curve_to is None else check_count("curve_to", curve_to, least=powers.LEAST + 1)
    sizes_of = {difference: _needed(wanted, difference) for difference in differences}
    most = max(sizes[0] for sizes in sizes_of.values())
    # The curve goes a third beyond the answer, so that it is seen to flatten.
    end = min(top or max(10, most + 3, ceil(1.3 * most)), powers.MOST_RUNS)
    return filled(
        RunsNeededResult,
        question,
        rows=tuple(_record(wanted, difference, sizes) for difference, sizes in sizes_of.items()),
        curve=tuple(
            point for difference, sizes in sizes_of.items() for point in _curve(wanted, difference, sizes, end)
        ),
        power=wanted.power,
        **_stds(question),
    )


def _of_pilot(pilot: Any, power: float, alpha: float, cost: Any, others: Mapping[str, Any]) -> PlanTable:
    for name, value in others.items():
        if value is not None and value is not False:
            raise OptionError(
                f"{name} means nothing of pilot runs here: plan(pilot, effect=…) has an effect, a unit and a test."
            )
    if np.ndim(cost) > 0:
        raise OptionError(
            f"cost_per_run must be one number with a pilot, because both algorithms get the same number of runs, not {cost!r}."
        )
    price = powers.checked_cost(cost, "one_sample")
    scores = rules.comparable(pilot_scores(pilot))
    advice = rules.collected(rules.missing(scores), *rules.about_data(scores))
    return planning.default_table(
        scores, power=power, alpha=check_alpha(alpha), cost=None if price is None else price[0], advice=advice
    ).with_origin(scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """The power that runs are needed for, and their allocation; `ratio` None is the cheapest."""

    question: powers.PowerQuestion
    power: float
    ratio: float | None
    cost: tuple[float, ...] | None


def _needed(wanted: _Wanted, difference: float) -> tuple[int, ...]:
    question, cost = wanted.question, wanted.cost
    if wanted.ratio is None and cost is not None:
        sizes = powers.cheapest_runs(question, difference, wanted.power, (cost[0], cost[1]))
    else:
        sizes = powers.fewest_runs(question, difference, wanted.power, wanted.ratio or 1.0)
    if sizes is None:
        raise DesignError(
            f"more than {powers.MOST_RUNS:,} runs would be needed for a true difference of {difference:.4g} with a standard deviation of "
            f"{max(question.stds):.4g}; check their units, or ask for a larger difference."
        )
    return sizes


def _record(wanted: _Wanted, difference: float, sizes: tuple[int, ...]) -> RunsNeededRow:
    question = wanted.question
    outcome = powers.power_of(question, difference, sizes)
    cost, notes = wanted.cost, powers.caveats(question, difference, sizes, outcome)
    itself = powers.more_runs(question, difference, sizes, wanted.power)
    if itself is not None:  # the noncentral t is content with fewer runs than Welch's test itself
        notes = (*notes, powers.more_words(_needed(replace(wanted, question=itself), difference)))
    return RunsNeededRow(
        **_sized(question, difference, sizes),
        n_real=powers.real_runs(question, difference, wanted.power, wanted.ratio) if wanted.ratio is not None else None,
        power=outcome,
        beta=1 - outcome,
        # One price is of a run of either side.
        cost=None if cost is None else float(np.dot(cost * len(sizes) if len(cost) == 1 else cost, sizes)),
        sentence=powers.needed_words(question, difference, sizes, wanted.power, outcome),
        notes=notes,
    )


def _curve(wanted: _Wanted, difference: float, sizes: tuple[int, ...], end: int) -> list[PowerPoint]:
    """Return power from two runs to `end`, and about what is needed, in the allocation of the answer."""
    ratio = wanted.ratio or sizes[-1] / sizes[0]
    # So many points that the line is smooth, and each number of runs where it meets the requirement.
    spaced = range(powers.LEAST, end + 1, max(1, ceil(end / POINTS)))
    near = range(max(powers.LEAST, sizes[0] - 3), min(sizes[0] + 4, end + 1))
    points = []
    for n in sorted({*spaced, *near, end}):
        runs = sizes if n == sizes[0] else powers.whole_sizes(wanted.question, n, ratio)
        outcome = powers.power_of(wanted.question, difference, runs)
        second = runs[1] if len(runs) > 1 else None
        points.append(PowerPoint(effect=difference, n_runs=runs[0], n_runs_b=second, power=outcome, beta=1 - outcome))
    return points


def _result(
    question: powers.PowerQuestion, difference: float, sizes: tuple[int, ...], chance: float, sentence: str
) -> PowerResult:
    design = question.design(sizes)
    return filled(
        PowerResult,
        question,
        **_sized(question, difference, sizes),
        **_stds(question),
        power=chance,
        beta=1 - chance,
        noncentrality=difference / design.error,
        df=design.df,
        sentence=sentence,
        notes=powers.caveats(question, difference, sizes, chance),
    )


def _sized(question: powers.PowerQuestion, difference: float, sizes: tuple[int, ...]) -> dict[str, Any]:
    return {
        "effect": difference,
        "effect_in_std": difference / powers.pooled(question.stds),
        "improvement": powers.improvement(difference, question.stds),
        "n_runs": sizes[0],
        "n_runs_b": sizes[1] if len(sizes) > 1 else None,
    }


def _stds(question: powers.PowerQuestion) -> dict[str, float | None]:
    return {"std": question.stds[0], "std_b": question.stds[1] if len(question.stds) > 1 else None}
