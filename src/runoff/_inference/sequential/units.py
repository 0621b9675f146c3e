"""The units of the scores that looks and batches judge by their means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runoff._inference.advice import other_units, unlike_tasks
from runoff._inference.pairs import make_one_unit, one_unit
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.speech import Sentence


def refuse_unlike_tasks(scores: Scores) -> None:
    """Refuse means over tasks whose scores are of sizes far apart (R029): such a mean is that of the largest, and nobody named it."""
    units = None if one_unit(scores) else unlike_tasks(scores, make_one_unit())
    if units is not None:
        raise DesignError(units.text)


def unit_notes(one_unit: bool) -> tuple[Sentence, ...]:
    """Return the note on means over tasks that nobody has declared to have one unit, and whose scores are not so far apart as R029 asks."""
    if one_unit:
        return ()
    why = "The means take scores as they are, and each task has a unit of its own, so that tasks with large scores weigh most"
    return (Sentence(f"{why}: {make_one_unit()}."),)


def refuse_other_unit(
    noun: str, n: int, before: Mapping[str, Sequence[float]], now: Mapping[str, Sequence[float]]
) -> None:
    """Refuse a look whose scores seem to be in another unit than those before (R020), though each look alone is in one; scores by cell."""
    alike = [cell for cell in now if cell in before]
    if not alike:
        return
    sides = {f"{noun} 1{f' to {n - 1}' if n > 2 else ''}": before, f"{noun} {n}": now}
    both = Scores.from_dict({name: {cell: list(side[cell]) for cell in alike} for name, side in sides.items()})
    units = other_units(both)
    if units is not None:
        raise DesignError(units.text)
