"""Checks that scores and steps of files, and of algorithms, have the same unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from runoff.base.arrays import Floats
from runoff.errors import DataError, warn
from runoff.reading._joined import Read
from runoff.reading._paths import shown
from runoff.tables.columns import ROLES
from runoff.tables.missing import names_gain
from runoff.tables.tidy import PERCENT
from runoff.words.columns import preferred
from runoff.words.costs import HEADS
from runoff.words.speech import LESS_IS_BETTER, column
from runoff.words.words import vocabulary, words

RATES = vocabulary("success successes win wins solved accuracy acc rate")
"""Words in names of scores that are shares, or percentages."""
OF_TRAINING = vocabulary("return returns reward rewards train training loss")
"""Words in names of scores that training has as well as evaluations."""


def refuse_unlike_units(read: Sequence[Read], score: str | None) -> None:
    """Refuse scores of which some are in percent, or rates, and others are not; a score that the user names is taken to have one unit."""
    _refuse_percent(read)
    named = {entry.part.tidy.mapping["score"]: entry for entry in reversed(read) if "score" in entry.part.tidy.mapping}
    rates = [name for name in named if RATES.intersection(words(name))]
    if score is None:
        _refuse_training(named)
    if score is not None or not rates:
        return
    other = next((name for name in named if name not in rates), None)
    if other is not None:
        raise DataError(
            f"{shown(named[rates[0]].file.path)} has rates ({rates[0]!r}) and {shown(named[other].file.path)} other scores ({other!r}), which "
            f"are not runs of one experiment; read files of one kind, or name the column that all files have: {column('score')}."
        )
    _refuse_fractions(read, rates[0])


def _refuse_training(named: Mapping[str, Read]) -> None:
    """Refuse returns beside those of evaluations in other files, {name of the score: file}: they are of training, or of another kind of run."""
    evaluated = preferred([*named])
    plain = next((name for name in named if OF_TRAINING.intersection(words(name)) and name not in evaluated), None)
    if plain is not None:
        own, other = (shown(named[name].file.path) for name in (evaluated[0], plain))
        raise DataError(
            f"{own} has evaluations ({evaluated[0]!r}) and {other} has {plain!r} alone, which may be of training; read files of one kind, "
            f"rename the column if both are evaluations, or use {column('score', plain)} if all files have it."
        )


def _refuse_fractions(read: Sequence[Read], name: str) -> None:
    """Refuse rates that are fractions for one algorithm and in percent for another."""
    fraction, percent = "", ""
    for entry in read:
        labels = entry.part.tidy.labels["algorithm"]
        for code in np.unique(labels.codes).tolist():
            own = entry.part.tidy.score[labels.codes == code]
            what = f"{labels.names[code]!r} in {shown(entry.file.path.name)}"
            if own.min() >= 0 and own.max() <= 1 and (own % 1 != 0).any():
                fraction = fraction or f"{what} ({own[0]:g})"
            elif own.min() >= 0 and np.median(own) > 1 and own.max() <= 100:
                percent = percent or f"{what} ({own[0]:g})"
    if fraction and percent:
        raise DataError(
            f"{name!r} of {fraction} is a fraction and that of {percent} is in percent; give all in one unit, or use {column('score', name)} if "
            "they have one unit nevertheless."
        )


def _refuse_percent(read: Sequence[Read]) -> None:
    percent = [entry for entry in read if PERCENT in entry.part.tidy.notes]
    other = next((entry for entry in read if percent and PERCENT not in entry.part.tidy.notes), None)
    if other is not None:
        raise DataError(
            f"the scores of {shown(percent[0].file.path)} are in percent and those of {shown(other.file.path)} are not; give all in percent, or "
            "none."
        )


def noted_names(read: Sequence[Read]) -> Iterator[str]:
    """Yield a note for each role whose columns have different names in the files."""
    for role in ROLES:
        names = {entry.part.tidy.mapping[role]: entry for entry in reversed(read) if role in entry.part.tidy.mapping}
        if len(names) > 1:
            calls = ", ".join(f"{name!r} in {shown(entry.file.path.name)}" for name, entry in names.items())
            note = f"the files name the {role} differently ({calls})"
            if role in ("step", "score"):
                note += ": make sure that they share one unit"
                warn(note)
            yield note


MULTIPLES = (2, 3, 4, 5, 8, 10, 16, 100, 1000)
"""Usual factors between steps: frames per agent step, parallel environments, or omitted thousands."""


def noted_steps(read: Sequence[Read]) -> Iterator[str]:
    """Yield a note, and warn, if the steps of one algorithm are the same multiple of another's at every evaluation."""
    grids: dict[str, Floats] = {}
    for entry in read:
        labels, steps = entry.part.tidy.labels["algorithm"], entry.part.tidy.step
        for code, algorithm in enumerate(labels.names if steps is not None else ()):
            grids.setdefault(algorithm, np.unique(steps[labels.codes == code]))  # type: ignore[index]
    (first, grid), *others = grids.items() if len(grids) > 1 else [("", np.empty(0))]
    for algorithm, own in others:
        low, high = (grid, own) if own[-1:].sum() > grid[-1:].sum() else (own, grid)
        if low.size != high.size or low.size < 5:  # fewer are the same multiple by chance
            continue
        for k in MULTIPLES:
            if np.array_equal(low * k, high):
                more, less = (algorithm, first) if high is own else (first, algorithm)
                note = (
                    f"the steps of {more!r} are {k} times those of {less!r} at each of {low.size} evaluations: if one counts frames or several "
                    "environments, give all steps in one unit"
                )
                warn(note)
                yield note
                return


def warn_of_cost(read: Sequence[Read], sign: float) -> None:
    """Warn if all names of files have the word for a cost, which their column of scores does not deny, and higher is taken for better."""
    stems = [set(words(entry.file.path.stem)) for entry in read]
    shared = set.intersection(*stems) & HEADS - {"error", "errors"}
    denied = names_gain(read[0].part.tidy.mapping.get("score", ""))
    # Costs that were negated before lie at or below 0.
    if shared and sign > 0 and not denied and any((entry.part.tidy.score > 0).any() for entry in read):
        warn(f"the name of the file says {min(shared)!r}, which is a cost: if less is better, give {LESS_IS_BETTER}")
