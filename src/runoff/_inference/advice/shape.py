"""What the shape of runs asks of a comparison: the advice codes R302 to R304."""

from __future__ import annotations

from runoff._inference.advice.codes import advise, some
from runoff._inference.bootstrap import of_two_values
from runoff._inference.fits import two_humped
from runoff._inference.shape import LEAST_DAGOSTINO
from runoff.data.scores import Scores
from runoff.results.advice import Advice
from runoff.results.describe import CellRecord


def not_normal(records: tuple[CellRecord, ...], alpha: float) -> Advice | None:
    """R302: more cells than chance are not normal."""
    tested = [r for r in records if r.normal is not None]
    rejected = sum(not r.normal for r in tested)
    if rejected <= max(1.0, 2 * alpha * len(tested)):
        return None
    text = (
        "compare by ranks within tasks or by trimmed means, and base no claim on normality: it is rejected in "
        f"{rejected} of {len(tested)} cells (about {alpha * len(tested):.0f} would be expected by chance)."
    )
    return advise("R302", text)


def two_humps(found: list[tuple[str, str]]) -> Advice | None:
    """R303: cells whose runs fall into two groups, given as (algorithm, task)."""
    if not found:
        return None
    named = some(f"{a!r} on {t!r}" for a, t in found)
    text = (
        f"report the share of each group and look at the runs: those of {named} fall into two groups (some seeds fail, some succeed), so a "
        "mean describes no run there."
    )
    return advise("R303", text, subjects=[a for a, _ in found])


def humped_cells(scores: Scores) -> list[tuple[str, str]]:
    """Return the cells, as (algorithm, task), whose runs fall into two groups; of successes and failures that is known."""
    return [
        (a, t)
        for a in scores.algorithms
        for t in scores.tasks
        if not of_two_values([scores.cell(a, t)]) and two_humped(scores.cell(a, t))
    ]


def too_few_to_tell(records: tuple[CellRecord, ...]) -> Advice | None:
    """R304: cells with too few runs for their shape to be tested."""
    few = sum(r.n_runs < LEAST_DAGOSTINO for r in records)
    if not few:
        return None
    text = (
        f"do not judge the shape of so few runs: {few} of {len(records)} cells have fewer than {LEAST_DAGOSTINO}, and a normality test that "
        "does not reject says nothing there."
    )
    return advise("R304", text)
