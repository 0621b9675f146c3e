"""At which steps two algorithms differ, when all steps of all pairs are looked at; and the stretches of such steps in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import floor
from types import MappingProxyType

import numpy as np

from runoff._inference.family import CORRECTIONS, OF_PVALUES, adjust
from runoff._inference.steps.differences import STEP_TESTS, Differences, Relabelled
from runoff.base.arrays import Floats
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.results.curves import Stretch
from runoff.words.numbers import exactly, step_text


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTests:
    """One pair: its differences, the p-values of the test, and what relabelling gave (None where nothing was relabelled)."""

    differences: Differences
    pvalues: Floats
    relabelled: Relabelled | None


Adjust = Callable[[Sequence[StepTests], float], list[Floats]]
"""p-values (n_steps,) of every pair, adjusted; the second argument is the share of steps of the criterion."""


def _of_pvalues(name: str) -> Adjust:
    def adjusted(tested: Sequence[StepTests], criterion: float) -> list[Floats]:
        del criterion
        every = adjust(np.concatenate([pair.pvalues for pair in tested]), name)
        return [np.asarray(part) for part in np.split(every, len(tested))]

    return adjusted


def _max_t(tested: Sequence[StepTests], criterion: float) -> list[Floats]:
    """Return the max-T p-values over the steps of a pair, times the number of pairs (Bonferroni)."""
    del criterion
    adjusted = []
    for pair in tested:
        assert pair.relabelled is not None
        adjusted.append(np.minimum(np.maximum(pair.pvalues, pair.relabelled.adjusted) * len(tested), 1.0))
    return adjusted


def _colas(tested: Sequence[StepTests], criterion: float) -> list[Floats]:
    """Return p N_c / N_crit of each step, or, if that is larger, of the step by which more than N_crit of one direction reject."""
    adjusted = []
    for pair in tested:
        n = pair.pvalues.size
        needed = criterion_count(n, criterion)
        scaled = np.minimum(pair.pvalues * (n / needed) * len(tested), 1.0)
        whole = np.ones(n)
        for sign in (1.0, -1.0):
            same = np.sign(pair.differences.estimates) == sign
            if same.sum() > needed:
                whole[same] = np.sort(scaled[same])[needed]
        adjusted.append(np.maximum(scaled, whole))
    return adjusted


def criterion_count(n_steps: int, criterion: float) -> int:
    """Return N_crit: more rejections than this in one direction, of N_c = n_steps, decide (Colas et al. 2019 §7.2)."""
    return max(1, floor(criterion * n_steps + 1e-9))


STEP_CORRECTIONS: Mapping[str, Adjust] = MappingProxyType(
    {name: _of_pvalues(name) for name in OF_PVALUES} | {"max_t": _max_t, "colas2019": _colas}
)


def check_step_correction(correction: str, criterion: float) -> None:
    """Refuse an unknown correction, and a criterion that is no share of the steps."""
    check_choice("correction", correction, STEP_CORRECTIONS)
    if isinstance(criterion, bool) or not isinstance(criterion, int | float) or not 0 < criterion < 1:
        raise OptionError(f"criterion is the share of steps that have to reject, between 0 and 1, not {criterion!r}.")


def adjusted_steps(tested: Sequence[StepTests], correction: str, criterion: float) -> list[Floats]:
    """Return the adjusted p-values (n_steps,) of every pair."""
    return STEP_CORRECTIONS[correction](tested, criterion)


def stretches(a: str, b: str, steps: Floats, differences: Floats, rejected: Sequence[bool]) -> tuple[Stretch, ...]:
    """Return the runs of neighbouring steps at which one of the two is found ahead."""
    ahead = np.where(rejected, np.sign(differences), 0.0).astype(np.int64)
    edges = np.flatnonzero(np.diff(ahead)) + 1
    stretches_of_pair = []
    for part in np.split(np.arange(steps.size), edges):
        if ahead[part[0]]:
            winner, other = (a, b) if ahead[part[0]] > 0 else (b, a)
            first, last = float(steps[part[0]]), float(steps[part[-1]])
            stretches_of_pair.append(Stretch(a=a, b=b, ahead=winner, behind=other, first=first, last=last, n_steps=int(part.size)))
    return tuple(stretches_of_pair)


def pair_words(
    a: str, b: str, stretches_of_pair: Sequence[Stretch], *, n_steps: int, axis: str, test: str, correction: str, alpha: float
) -> str:
    """Return what was found of a pair in one sentence."""
    how = f"{STEP_TESTS[test]}, {_corrected(correction)}, α = {exactly(alpha)}"
    noun = {"step": "step", "time": "second", "episodes": "episode"}[axis]
    if not stretches_of_pair:
        return f"No difference between the means of {a} and {b} was found at any of {n_steps} steps ({how}), which does not make them equal."
    if correction == "colas2019":
        winner, behind, count = stretches_of_pair[0].ahead, stretches_of_pair[0].behind, sum(stretch.n_steps for stretch in stretches_of_pair)
        return (
            f"The mean of {winner} is above that of {behind}: {count} of {n_steps} steps reject, more than the criterion asks for ({how}), "
            "which is one claim about the pair, and none about a single step."
        )
    clauses = []
    for winner in dict.fromkeys(stretch.ahead for stretch in stretches_of_pair):
        own = [stretch for stretch in stretches_of_pair if stretch.ahead == winner]
        where = [
            f"at {noun} {step_text(stretch.first)}"
            if stretch.n_steps == 1
            else f"from {noun} {step_text(stretch.first)} to {step_text(stretch.last)}"
            for stretch in own
        ]
        count = sum(stretch.n_steps for stretch in own)
        clauses.append(
            f"the mean of {winner} is above that of {own[0].behind} {_joined(where)} ({count} of {n_steps} steps)"
        )
    sentence = "; ".join(clauses)
    return f"{sentence[0].upper()}{sentence[1:]}: {how}."


def _joined(texts: Sequence[str], most: int = 4) -> str:
    shown = list(texts[:most]) + ([f"on {len(texts) - most} more stretches"] if len(texts) > most else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _corrected(correction: str) -> str:
    if correction == "colas2019":
        return "the criterion of Colas et al. 2019 §7.2 over the steps"
    return (
        "max-T over the steps"
        if correction == "max_t"
        else f"{CORRECTIONS[correction].label} correction over the steps"
    )
