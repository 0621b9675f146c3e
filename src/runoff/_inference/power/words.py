"""Power in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runoff._inference.power.formulas import POWER_TESTS, Question, power_of
from runoff._inference.power.question import improvement, pooled
from runoff.words.numbers import counted, digits, exactly

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


def test_words(question: Question) -> str:
    """Return "Welch's t test (two-sided, α = 0.05)", with the approximation if it is one."""
    sides = question.alternative if question.alternative == "two-sided" else f"one-sided, {question.alternative}"
    formula = ", by the central t of Colas 2018" if question.formula == "colas2018" else ""
    return f"{POWER_TESTS[question.test].title} ({sides}, α = {exactly(question.alpha)}{formula})"


def spread_words(stds: tuple[float, ...]) -> str:
    """Return "normal runs with a standard deviation of 1"."""
    if len(set(stds)) == 1:
        return f"normal runs with a standard deviation of {digits(stds[0], 6)}"
    return f"normal runs with standard deviations of {digits(stds[0], 6)} and {digits(stds[1], 6)}"


def power_words(question: Question, effect: float, sizes: tuple[int, ...], power: float) -> str:
    """Return the chance of a design to find a difference, in a sentence."""
    finding = f"finds {effect_words(effect, question.stds)} with {percent(power)} power and misses it with {percent(1 - power)}"
    return f"With {runs_words(sizes)}, {test_words(question)} {finding}, for {spread_words(question.stds)}."


def needed_words(question: Question, effect: float, sizes: tuple[int, ...], power: float, reached: float) -> str:
    """Return how many runs are needed, in a sentence."""
    return (
        f"It takes {runs_words(sizes)} to find {effect_words(effect, question.stds)} with {percent(power)} power by "
        f"{test_words(question)}, for {spread_words(question.stds)}: the power is then {percent(reached)}."
    )


def detectable_words(question: Question, effect: float, sizes: tuple[int, ...], power: float) -> str:
    """Return the smallest difference that is found, in a sentence."""
    return (
        f"With {runs_words(sizes)}, {test_words(question)} finds {effect_words(effect, question.stds)} with {percent(power)} power, for "
        f"{spread_words(question.stds)}; smaller differences are missed more often."
    )


LEFT_OUT = {
    "colas2018": "the central t is an approximation: the test itself has {} power",
    "noncentral": "Welch's test estimates its degrees of freedom, which the noncentral t leaves out: its power is {}",
}
"""What a formula leaves out, with a place for the power of the test itself."""


def caveats(question: Question, effect: float, sizes: tuple[int, ...], power: float) -> tuple[str, ...]:
    """Return notes for readers of a power: what its formula leaves out, and a side at which the test does not look."""
    notes = []
    why = LEFT_OUT.get(question.formula)
    if why is not None and (question.formula != "noncentral" or question.test == "welch"):
        itself = power_of(_exactly(question), effect, sizes)
        if abs(itself - power) >= NOTEWORTHY:
            notes.append(f"{why.format(percent(itself))} (formula exact)")
    if question.formula == "colas2018" and question.alternative == "two-sided":
        notes.append("the numbers of Colas 2018 are one-sided (alternative greater); this is two-sided")
    if question.alternative != "two-sided" and effect * question.sign < 0:
        notes.append(f"alternative {question.alternative} does not look at the side of this difference")
    return tuple(notes)


def more_runs(question: Question, effect: float, sizes: tuple[int, ...], power: float) -> Question | None:
    """Return the question of the test itself, where it takes more than these runs, which the noncentral t finds enough."""
    itself = _exactly(question)
    return itself if question.formula == "noncentral" and power_of(itself, effect, sizes) < power else None


def more_words(sizes: Sequence[int]) -> str:
    """Return how many runs the test itself takes."""
    return f"the test itself reaches the required power with {runs_words(sizes)} (formula exact)"


def _exactly(question: Question) -> Question:
    return replace(question, formula="exact")
