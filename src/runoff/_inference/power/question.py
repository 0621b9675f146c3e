"""A question about power, checked, and its answers in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, isfinite, sqrt
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import special

from runoff._inference.power.design import POWER_FORMULAS, POWER_TESTS, PowerQuestion, power_of
from runoff._inference.power.search import LEAST, MOST_RUNS
from runoff.base.validate import check_alpha, check_choice, check_count, check_open_unit, is_number
from runoff.errors import OptionError
from runoff.words.numbers import counted, digits, exactly
from runoff.words.speech import option

Stds = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectUnitKind:
    """One way to state an effect: `raw(effect, stds)` in units of the scores."""

    title: str
    raw: Callable[[float, Stds], float]


def pooled(stds: Stds) -> float:
    """Return √((σ₁² + σ₂²) / 2), or σ of one sample."""
    # hypot, for the square of a standard deviation of 1e±200 is no double.
    return hypot(*stds) / sqrt(len(stds))


def improvement(raw: float, stds: Stds) -> float:
    """Return Φ(Δ / √(σ₁² + σ₂²)), the chance that a normal run of one beats one of the other, or the fixed value."""
    # The difference of two normal runs is normal with the variance σ₁² + σ₂²; of one sample, σ².
    return float(special.ndtr(raw / hypot(*stds)))


EFFECT_UNITS: Mapping[str, EffectUnitKind] = MappingProxyType(
    {
        "raw": EffectUnitKind(title="units of the scores", raw=lambda effect, _: effect),
        "sd": EffectUnitKind(
            title="standard deviations: σ, or √((σ₁² + σ₂²) / 2)",
            raw=lambda effect, stds: effect * pooled(stds),
        ),
        "improvement": EffectUnitKind(
            title="probability that a run of one beats a run of the other, Φ(Δ / √(σ₁² + σ₂²)) for normal runs",
            raw=lambda chance, stds: float(special.ndtri(chance)) * hypot(*stds),
        ),
    }
)


def checked_question(*, test: str, std: Any, unit: str, alpha: float, alternative: str, formula: str) -> PowerQuestion:
    check_choice("test", test, POWER_TESTS)
    check_choice("effect_unit", unit, EFFECT_UNITS)
    return PowerQuestion(
        test=test,
        stds=_stds(test, std, unit),
        alpha=check_alpha(alpha),
        alternative=check_choice("alternative", alternative, ("two-sided", "less", "greater")),
        formula=check_choice("formula", formula, POWER_FORMULAS),
    )


def _stds(test: str, std: Any, unit: str) -> tuple[float, ...]:
    n_samples = POWER_TESTS[test].n_samples
    if std is None and unit == "raw":
        message = f"{option('std')} is needed: how far runs spread decides how many it takes; with 1, differences are in standard deviations."
        raise OptionError(message)
    stds = (1.0,) if std is None else _numbers("std", std)
    if any(value <= 0 for value in stds):
        raise OptionError(f"std must be greater than 0, not {std!r}: runs that do not vary need no test.")
    if n_samples == 1 and len(stds) > 1:
        raise OptionError(f"std must be one number for {option('test', test)}, which has one sample, not {std!r}.")
    if POWER_TESTS[test].equal_spread and len(set(stds)) > 1:
        raise OptionError(
            f"{option('test', test)} assumes one standard deviation, not {std!r}; {option('test', 'welch')} takes two."
        )
    return stds * n_samples if len(stds) == 1 else stds


def raw_effect(effect: Any, unit: str, stds: tuple[float, ...]) -> float:
    if not is_number(effect):
        raise OptionError(f"effect must be a finite number, not {effect!r}.")
    if unit == "improvement":
        if not 0 < effect < 1:
            raise OptionError(f"effect must lie between 0 and 1 as a probability of improvement, not {effect!r}.")
        if effect == 0.5:
            message = "effect must not be 0.5: where each beats the other half the time there is no difference."
            raise OptionError(message)
    elif effect == 0:
        raise OptionError("effect must not be 0: without a difference every rejection is an error, at rate alpha.")
    raw = EFFECT_UNITS[unit].raw(float(effect), stds)
    if not isfinite(raw) or raw == 0:
        raise OptionError(f"effect {effect!r} with std {stds[0]!r} is beyond what a double holds; use other units.")
    return raw


def raw_effects(effect: Any, unit: str, question: PowerQuestion) -> tuple[float, ...]:
    """Return one or several true differences, each in the direction in which the test looks."""
    effect = effect.item() if isinstance(effect, np.ndarray) and effect.ndim == 0 else effect
    effects = list(effect) if isinstance(effect, Iterable) and not isinstance(effect, str) else [effect]
    if not effects:
        raise OptionError("effect must name at least one true difference, not an empty list.")
    raw = tuple(raw_effect(stated, unit, question.stds) for stated in effects)
    away = [stated for stated, value in zip(effects, raw, strict=True) if value * question.sign < 0]
    if away and question.alternative != "two-sided":
        unseen = f"does not look at the side of an effect of {away[0]!r}: no number of runs finds it."
        raise OptionError(f"{option('alternative', question.alternative)} {unseen}")
    if len(set(raw)) < len(raw):
        raise OptionError(f"effect must name each true difference once, not {effect!r}.")
    return raw


def checked_sizes(n_runs: Any, test: str) -> tuple[int, ...]:
    n_samples = POWER_TESTS[test].n_samples
    counts = list(n_runs) if isinstance(n_runs, list | tuple | np.ndarray) else [n_runs]
    if len(counts) not in (1, n_samples):
        wanted = "one number" if n_samples == 1 else "a number, or a pair of them"
        raise OptionError(f"n_runs must be {wanted} for {option('test', test)}, not {n_runs!r}.")
    sizes = tuple(check_count("n_runs", n, least=LEAST) for n in counts)
    if max(sizes) > MOST_RUNS:
        raise OptionError(f"n_runs must be at most {MOST_RUNS:,}, not {max(sizes)!r}.")
    return sizes * n_samples if len(sizes) == 1 else sizes


def required_power(power: float, alpha: float) -> float:
    if check_open_unit("power", power) <= alpha:
        raise OptionError(f"power must be greater than alpha ({alpha:g}), which chance alone gives, not {power!r}.")
    return float(power)


def checked_ratio(ratio: Any, cost: tuple[float, ...] | None, test: str) -> float | None:
    """Return runs of the second per run of the first; None asks for the cheapest."""
    n_samples = POWER_TESTS[test].n_samples
    if ratio is None:
        return 1.0 if cost is None or len(cost) == 1 else None
    if n_samples == 1:
        raise OptionError(f"ratio means nothing for {option('test', test)}, which has one sample.")
    if not is_number(ratio) or not 1e-3 <= ratio <= 1e3:
        message = f"ratio must lie between 0.001 and 1000 runs of the second per run of the first, not {ratio!r}."
        raise OptionError(message)
    return float(ratio)


def checked_cost(cost: Any, test: str) -> tuple[float, ...] | None:
    """Return the cost of a run: one for all, or of each algorithm."""
    if cost is None:
        return None
    costs = _numbers("cost_per_run", cost)
    if any(value <= 0 for value in costs):
        raise OptionError(f"cost_per_run must be greater than 0 a run, not {cost!r}.")
    if len(costs) > POWER_TESTS[test].n_samples:
        raise OptionError(
            f"cost_per_run must be one number for {option('test', test)}, which has one sample, not {cost!r}."
        )
    if max(costs) > 1e6 * min(costs):
        raise OptionError(f"cost_per_run must not differ by more than a factor of a million, not {cost!r}.")
    return costs


def _numbers(name: str, value: Any) -> tuple[float, ...]:
    values = list(value) if isinstance(value, list | tuple | np.ndarray) else [value]
    if len(values) not in (1, 2) or not all(is_number(number) for number in values):
        raise OptionError(f"{name} must be a finite number or a pair of them, not {value!r}.")
    return tuple(float(number) for number in values)


NBSP = "\u00a0"
NOTEWORTHY = 0.01
"""The smallest difference of two powers that a note mentions."""


def percent(share: float) -> str:
    """Return a share with one decimal, never as 0 or 100 % where it is neither.

    >>> percent(0.69419), percent(0.99999), percent(0.8)
    ('69.4\\xa0%', 'over 99.9\\xa0%', '80\\xa0%')
    """
    if 0 < share < 0.001:
        return f"under 0.1{NBSP}%"
    if 0.999 < share < 1:
        return f"over 99.9{NBSP}%"
    return f"{exactly(round(100 * share, 1))}{NBSP}%"


def runs_words(sizes: Sequence[int]) -> str:
    """Return "10 runs", "10 runs of each" or "10 runs of the first and 20 of the second"."""
    if len(sizes) == 1:
        return counted(sizes, "run")
    alike = len(set(sizes)) == 1
    return f"{sizes[0]} runs of each" if alike else f"{sizes[0]} runs of the first and {sizes[1]} of the second"


def effect_words(effect: float, stds: tuple[float, ...]) -> str:
    """Return "a true difference of 1382 (1.17 σ: a run of the higher beats one of the lower in 79.7 % of cases)"."""
    wins, two = percent(improvement(abs(effect), stds)), len(stds) == 2
    what = "a run of the higher beats one of the lower" if two else "a run lies on its side of the fixed value"
    in_std = digits(abs(effect) / pooled(stds))
    return f"a true difference of {digits(effect, 6)} ({in_std} σ: {what} in {wins} of cases)"


def test_words(question: PowerQuestion) -> str:
    """Return "Welch's t test (two-sided, α = 0.05)", with the approximation if it is one."""
    sides = question.alternative if question.alternative == "two-sided" else f"one-sided, {question.alternative}"
    formula = ", by the central t of Colas 2018" if question.formula == "colas2018" else ""
    return f"{POWER_TESTS[question.test].title} ({sides}, α = {exactly(question.alpha)}{formula})"


def spread_words(stds: tuple[float, ...]) -> str:
    """Return "normal runs with a standard deviation of 1"."""
    if len(set(stds)) == 1:
        return f"normal runs with a standard deviation of {digits(stds[0], 6)}"
    return f"normal runs with standard deviations of {digits(stds[0], 6)} and {digits(stds[1], 6)}"


def power_words(question: PowerQuestion, effect: float, sizes: tuple[int, ...], power: float) -> str:
    finding = f"finds {effect_words(effect, question.stds)} with {percent(power)} power and misses it with {percent(1 - power)}"
    return f"With {runs_words(sizes)}, {test_words(question)} {finding}, for {spread_words(question.stds)}."


def needed_words(question: PowerQuestion, effect: float, sizes: tuple[int, ...], power: float, reached: float) -> str:
    return (
        f"It takes {runs_words(sizes)} to find {effect_words(effect, question.stds)} with {percent(power)} power by "
        f"{test_words(question)}, for {spread_words(question.stds)}: the power is then {percent(reached)}."
    )


def detectable_words(question: PowerQuestion, effect: float, sizes: tuple[int, ...], power: float) -> str:
    return (
        f"With {runs_words(sizes)}, {test_words(question)} finds {effect_words(effect, question.stds)} with {percent(power)} power, for "
        f"{spread_words(question.stds)}; smaller differences are missed more often."
    )


LEFT_OUT = {
    "colas2018": "the central t is an approximation: the test itself has {} power",
    "noncentral": "this power is by the noncentral t; Welch's test also estimates its degrees of freedom, and its own power is {}",
}
"""What a formula leaves out, with a place for the power of the test itself."""


def caveats(question: PowerQuestion, effect: float, sizes: tuple[int, ...], power: float) -> tuple[str, ...]:
    """Return notes for readers of a power: what its formula leaves out, and a side at which the test does not look."""
    notes = []
    why = LEFT_OUT.get(question.formula)
    if why is not None and (question.formula != "noncentral" or question.test == "welch"):
        # The exact power costs an integral, so it is computed only where the formula leaves something out.
        itself = power_of(_exactly(question), effect, sizes)
        if abs(itself - power) >= NOTEWORTHY:
            notes.append(f"{why.format(percent(itself))} (the formula called exact)")
    if question.formula == "colas2018" and question.alternative == "two-sided":
        notes.append("the numbers of Colas 2018 are one-sided (alternative greater); this is two-sided")
    if question.alternative != "two-sided" and effect * question.sign < 0:
        notes.append(f"alternative {question.alternative} does not look at the side of this difference")
    return tuple(notes)


def more_runs(question: PowerQuestion, effect: float, sizes: tuple[int, ...], power: float) -> PowerQuestion | None:
    """Return the question of the test itself, where it takes more than these runs, which the noncentral t finds enough."""
    itself = _exactly(question)
    return itself if question.formula == "noncentral" and power_of(itself, effect, sizes) < power else None


def more_words(sizes: Sequence[int]) -> str:
    return f"the test itself reaches the required power with {runs_words(sizes)} (the formula called exact)"


def _exactly(question: PowerQuestion) -> PowerQuestion:
    return replace(question, formula="exact")
