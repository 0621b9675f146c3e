"""Sentences of a claim, of the family that it belongs to, and of what a table does not let anyone say."""

from __future__ import annotations

from collections.abc import Sequence

from runoff._inference.summaries.contrast import SPREADS, Contrast
from runoff._inference.summaries.tests import MOST_RUNS
from runoff.results.claims import ClaimReading, PublishedTable, Supported
from runoff.words.numbers import count, digits, exactly, p_equals
from runoff.words.speech import option


def sentence(contrast: Contrast, supported: Supported, readings: Sequence[ClaimReading]) -> str:
    """Return one sentence on a claim."""
    where = f"over {len(contrast.x)} tasks" if contrast.joint else f"on {contrast.task}"
    first, second = (
        digits(contrast.side(cells)) if contrast.joint else cells[0].text for cells in (contrast.x, contrast.y)
    )
    numbers = f"{first} against {second}{', lower is better' if max(contrast.signs) < 0 else ''}"
    claim = f"That {contrast.a} is better than {contrast.b} {where} ({numbers})"
    tested = contrast.difference > 0 and any(reading.pvalue is not None for reading in readings)
    constant = tested and all(cell.spread == 0.0 for cell in contrast.cells)
    separated = "; ± is 0 on both sides, so p is that of the exact test of runs that are all apart" if constant else ""
    return f"{claim} {_verdict(contrast, supported, readings)}{separated}."


def _verdict(contrast: Contrast, supported: Supported, readings: Sequence[ClaimReading]) -> str:
    if not readings:
        without = [cell for cell in contrast.cells if cell.spread is None]
        who = " and ".join(dict.fromkeys(cell.algorithm for cell in without))
        have = "has" if len({cell.algorithm for cell in without}) == 1 else "have"
        tasks = ", ".join(dict.fromkeys(cell.task for cell in without))
        return f"cannot be said: {who} {have} no ±" + (f" on {tasks}" if contrast.joint else "")
    if contrast.difference <= 0:
        return "is not supported: " + (
            "the means are equal" if contrast.difference == 0 else f"the table itself has {contrast.b} ahead"
        )
    if readings[0].pvalue is None:
        return _by_runs(supported, readings)
    if supported in ("yes", "no"):
        return f"is {'' if supported == 'yes' else 'not '}supported: {_pvalues(readings)}"
    if supported == "depends_on_spread":
        yes, no = ([reading for reading in readings if reading.carried is answer] for answer in (True, False))
        return f"depends on what ± means: supported if it is {_kinds(yes)}, not if it is {_kinds(no)}"
    unclear = [reading for reading in readings if reading.carried is None]
    rounded = "; ".join(
        f"{_adjusted(r.pvalue_adjusted)} as printed, up to {_p(r.pvalue_rounded)} within the rounding" for r in unclear
    )
    what = "" if len(readings) == 1 else f" if ± is the {SPREADS[unclear[0].spread].title}"
    return f"cannot be said: too few digits are printed to decide{what} ({rounded})"


def _by_runs(supported: Supported, readings: Sequence[ClaimReading]) -> str:
    """Return the numbers of runs that would carry the claim."""
    if supported == "no":
        kinds = " or ".join(SPREADS[reading.spread].title for reading in readings)
        return f"is not supported: no number of runs up to {count(MOST_RUNS)} would carry it, be ± the {kinds}"
    if supported == "yes":
        return "is supported by any number of runs, from 2 in each cell on"
    numbers = "; ".join(_needed(reading) for reading in readings)
    return f"{'depends on what ± means' if supported == 'depends_on_spread' else 'cannot be said without n'}: {numbers}"


def _needed(reading: ClaimReading) -> str:
    spread, n = SPREADS[reading.spread], reading.n_needed_printed
    how = "" if spread.shrinks else " (n counts by the degrees of freedom only)"
    if n is None:
        runs = "no number of runs would do"
    elif reading.carried:
        runs = "any number of runs from 2 on would do"
    else:
        runs = f"it takes {n} runs in each cell{_if_rounded(reading)}"
    return f"if ± is the {spread.title}, {runs}{how}"


def _if_rounded(reading: ClaimReading) -> str:
    """Return what rounding changes about the number of runs."""
    if reading.n_needed == reading.n_needed_printed:
        return ""
    if reading.n_needed is None:
        return " by the numbers as printed, and no number would do had rounding gone against it"
    return f" by the numbers as printed, {count(reading.n_needed)} had rounding gone against it"


def _kinds(readings: Sequence[ClaimReading]) -> str:
    return " or ".join(f"the {SPREADS[r.spread].title} ({_adjusted(r.pvalue_adjusted)})" for r in readings)


def _pvalues(readings: Sequence[ClaimReading]) -> str:
    if len(readings) == 1:
        return _adjusted(readings[0].pvalue_adjusted)
    return ", ".join(f"{_adjusted(r.pvalue_adjusted)} if ± is the {SPREADS[r.spread].title}" for r in readings)


def _adjusted(pvalue: float | None) -> str:
    return f"adjusted {_p(pvalue)}"


def _p(pvalue: float | None) -> str:
    return "no p-value" if pvalue is None else p_equals(pvalue)


def family_words(table: PublishedTable, family: Sequence[Contrast], algorithm: str | None, alpha: float) -> str:
    """Return the family over which Holm's correction is made."""
    joint = sum(contrast.joint for contrast in family)
    single = len(family) - joint
    whose = "every pair of algorithms" if algorithm is None else f"{algorithm} against each other algorithm"
    tasks = "the one task" if len(table.tasks) == 1 else f"{len(table.tasks)} tasks"
    where = f"on {tasks}" + (f", and {joint} over all tasks" if joint else "")
    compared = f"{len(family)} comparison{'' if len(family) == 1 else 's'}"
    return f"α = {exactly(alpha)}, Holm over {compared}: {whose}, {single} {where}"


def limits(spreads: Sequence[str], *, lost: int, average: bool, fewest: int | None) -> tuple[str, ...]:
    """Return notes on what cannot follow from a table of means, and on what its answers rest."""
    notes = [
        "Not supported does not mean equal: the table says nothing of differences that it is too small to show.",
        "How runs are distributed is not in it: Welch's test takes means for normal, and with few skewed or two-peaked runs it errs more often "
        "than α says" + (f" (here n = {fewest})." if fewest is not None and fewest < 10 else "."),
        "Whether ± is over runs, episodes or evaluations, and whether runs or checkpoints were picked, is not in it: each cell is taken for "
        "the mean of independent runs, none left out.",
        "IQMs, medians, ranks and the probability of improvement need the runs themselves.",
    ]
    if average:
        notes.insert(
            2,
            "Averages over tasks are in the units of the table, so that tasks with large numbers decide; and they take all cells for "
            "independent: runs that were scored on several tasks would move together, which the table does not show.",
        )
    if "sd" in spreads:
        notes.append(
            "A standard deviation is taken to have n − 1 in its denominator; NumPy's default has n, which makes it too small: "
            f"say {option('spread', 'population_sd')} where that was used"
            + (f" ({lost} of the supported claims would not be)." if lost else ".")
        )
    return tuple(notes)
