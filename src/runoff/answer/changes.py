"""The differences between two saved comparisons: runs, pairs, cautions, and what only one side contains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from typing import Any, TypeAlias

from runoff.answer.base import SEVERITIES, Advice
from runoff.answer.diff import (
    CHANGES,
    TEST,
    VERSION,
    Cause,
    DiffCaution,
    DiffOption,
    DiffPair,
    DiffRuns,
    PairChangeName,
)
from runoff.answer.saved import RunCell, SavedComparison, SavedPair
from runoff.words.numbers import listed
from runoff.words.speech import choice, option

ROUNDING = 1e-9
"""Numbers of a pair that differ by less than this share of the largest are equal, because another machine may sum in another order."""
NUMBERS = ("estimate", "low", "high", "own_low", "own_high", "pvalue_adjusted")


def runs_that_differ(
    before: SavedComparison, after: SavedComparison, *, alike: bool
) -> tuple[tuple[DiffRuns, ...], list[str]]:
    """Return the algorithms and tasks whose runs differ, and notes on what cannot be known about runs; alike: whether the scores of both
    sides are the same kind of number."""
    silent = [called for called, side in (("old", before), ("new", after)) if not side.data.algorithms]
    if silent:
        return (), [f"nothing is known of the runs of the {side} side" for side in silent]
    scored = alike and before.scores is not None and after.scores is not None
    counts = [_counts(side, scored=scored) for side in (before, after)]
    rows = []
    for cell in dict.fromkeys([*counts[0], *counts[1]]):
        old, new = counts[0].get(cell, 0), counts[1].get(cell, 0)
        runs = [dict((side.scores or {}).get(cell, {})) for side in (before, after)]
        tally = _tally(*runs) if scored else (None, None, None)
        if any(tally) or old != new:
            means = [sum(own.values()) / len(own) if own else None for own in runs]
            rows.append(_row(cell, (old, new), tally, means))
    same_file = before.data.sha256 is not None and before.data.sha256 == after.data.sha256
    if scored or (same_file and alike):
        return tuple(rows), []
    lacking = [called for called, side in (("old", before), ("new", after)) if side.scores is None]
    why = (
        "scores of the two sides are other numbers"
        if not alike
        else f"the {' and the '.join(lacking)} side holds no scores"
    )
    return tuple(rows), [f"whether runs of one number are the same is not known: {why}"]


def _row(
    cell: RunCell, counts: tuple[int, int], tally: tuple[int | None, ...], means: Sequence[float | None]
) -> DiffRuns:
    added, removed, rescored = tally
    return DiffRuns(
        algorithm=cell[0],
        task=cell[1],
        old_runs=counts[0],
        new_runs=counts[1],
        added=added,
        removed=removed,
        rescored=rescored,
        old_mean=means[0],
        new_mean=means[1],
    )


def _counts(side: SavedComparison, *, scored: bool) -> dict[RunCell, int]:
    """Return the number of runs by algorithm and task; scored: counted from their scores."""
    if scored:
        return {cell: len(runs) for cell, runs in (side.scores or {}).items()}
    return {
        (algorithm, task): n
        for algorithm, row in zip(side.data.algorithms, side.data.n_runs, strict=True)
        for task, n in zip(side.data.tasks, row, strict=True)
    }


def _tally(old: Mapping[str, float], new: Mapping[str, float]) -> tuple[int, int, int]:
    """Return how many runs were added, how many were removed, and how many kept their label but have another score.

    >>> _tally({"0": 1.0, "1": 2.0, "2": 3.0}, {"0": 3.0, "1": 4.0, "2": 1.0, "3": 5.0})
    (1, 0, 1)
    """
    gone, come = _rest(old, new), _rest(new, old)
    rescored = len(gone & come)
    return len(come) - rescored, len(gone) - rescored, rescored


def _rest(runs: Mapping[str, float], others: Mapping[str, float]) -> set[str]:
    """Return the labels of runs whose scores do not occur among the others; each score of the others matches one run."""
    there = Counter(others.values())
    labels = set()
    # Of equal scores the run of the same label is the same run.
    for label, score in sorted(runs.items(), key=lambda run: others.get(run[0]) != run[1]):
        if there[score]:
            there[score] -= 1
        else:
            labels.add(label)
    return labels


def pairs_that_differ(
    before: SavedComparison, after: SavedComparison, options: Sequence[DiffOption], runs: Sequence[DiffRuns]
) -> tuple[DiffPair, ...]:
    """Return the pairs that changed, those with another verdict first."""
    old, new = ({pair.names: pair for pair in side.pairs} for side in (before, after))
    changed = {row.algorithm for row in runs}
    retested = {key for key in old.keys() & new.keys() if old[key].test != new[key].test}
    corrected = max(len(old), len(new)) > 1 and "none" not in (
        side.settings.get("correction") for side in (before, after)
    )
    differing = {row.option for row in options} - {TEST}
    rows = []
    for key in dict.fromkeys([*old, *new]):
        x, y = old.get(key), new.get(key)
        change = _change(x, y if x is None or y is None or y.a == x.a else y.turned())
        if change is None:
            continue
        others = old.keys() != new.keys() or changed - key or retested - {key}
        concerning: dict[Cause, bool] = {
            "runs": bool(changed & key),
            "test": key in retested,
            "family": corrected and bool(others),
            "options": bool(differing - {VERSION}),
            "version": VERSION in differing,
        }
        why = tuple(cause for cause, concerns in concerning.items() if concerns) or ("unknown",)
        rows.append(_pair(x, y, change, () if x is None or y is None else why))
    order = list(CHANGES)
    return tuple(sorted(rows, key=lambda row: order.index(row.change)))


def _change(old: SavedPair | None, new: SavedPair | None) -> PairChangeName | None:
    """Return the change of a pair that both sides give in the same order; None if there is none."""
    if old is None or new is None:
        return "only_new" if old is None else "only_old"
    if old.verdict != new.verdict:
        return "verdict"
    numbers = [(getattr(old, name), getattr(new, name)) for name in NUMBERS]
    present = [abs(number) for both in numbers for number in both if number is not None]
    same = old.measure == new.measure and all(_equal(x, y, ROUNDING * max(present)) for x, y in numbers)
    return None if same else "numbers"


def _equal(x: float | None, y: float | None, rounding: float) -> bool:
    return x is y if x is None or y is None else isclose(x, y, rel_tol=0.0, abs_tol=rounding)


def _pair(old: SavedPair | None, new: SavedPair | None, change: PairChangeName, why: tuple[Cause, ...]) -> DiffPair:
    first = old or new
    assert first is not None
    if new is not None and new.a != first.a:
        new = new.turned()
    sides: dict[str, Any] = {}
    for called, pair in (("old", old), ("new", new)):
        ends = (None, None) if pair is None else pair.ends
        own = {} if pair is None else {"verdict": pair.verdict, "measure": pair.measure, "estimate": pair.estimate}
        own |= {"low": ends[0], "high": ends[1], "pvalue": None if pair is None else pair.pvalue_adjusted}
        sides |= {
            f"{called}_{name}": own.get(name) for name in ("verdict", "measure", "estimate", "low", "high", "pvalue")
        }
    return DiffPair(a=first.a, b=first.b, change=change, why=why, **sides)


CautionKey: TypeAlias = tuple[str, tuple[str, ...]]


def cautions_that_differ(before: SavedComparison, after: SavedComparison) -> tuple[tuple[DiffCaution, ...], list[str]]:
    """Return the advice that only one side has, or has with another severity, by code; and notes on advice that cannot be compared."""
    notes: list[str] = []
    whole: list[Sequence[Advice]] = [side.report or () for side in (before, after)]
    if before.report is None or after.report is None:
        # A report has advice on what a comparison does not answer.
        own = [side.advice for side in (before, after)]
        whole = [advice or () for advice in own] if None not in own else [(), ()]
        notes = [
            "one side does not say which cautions are of its pairs together: those of single pairs are compared"
        ] * (None in own)
    old, new = (_by_subject(side, advice) for side, advice in zip((before, after), whole, strict=True))
    rows: dict[tuple[Any, ...], list[tuple[CautionKey, str]]] = {}
    for subject in dict.fromkeys([*old, *new]):
        both = [side[subject].severity if subject in side else None for side in (old, new)]
        if both[0] != both[1]:
            item = new[subject] if subject in new else old[subject]
            rows.setdefault((subject[0], *both), []).append((subject, item.text))
    cautions = [
        DiffCaution(
            code=code,
            old_severity=x,
            new_severity=y,
            subjects=tuple(dict.fromkeys(name for (_, names), _ in of for name in names)),
            text=of[0][1],
        )
        for (code, x, y), of in rows.items()
    ]
    rank = {severity: place for place, severity in enumerate(SEVERITIES)}
    cautions.sort(key=lambda row: (min(rank[s] for s in (row.old_severity, row.new_severity) if s), row.code))
    return tuple(cautions), notes


def _by_subject(side: SavedComparison, whole: Sequence[Advice]) -> dict[CautionKey, Advice]:
    """Return the advice of a side by its code and its subjects; of several, the most severe."""
    of_pairs = [(item, _subjects(item, pair)) for pair in side.pairs for item in pair.advice]
    single = {item for item, _ in of_pairs}
    every = [*of_pairs, *((item, tuple(sorted(item.subjects))) for item in whole if item not in single)]
    by_subject: dict[CautionKey, Advice] = {}
    for item, names in sorted(every, key=lambda about: SEVERITIES.index(about[0].severity)):
        by_subject.setdefault((item.code, names), item)
    return by_subject


def _subjects(item: Advice, pair: SavedPair) -> tuple[str, ...]:
    """Return the one algorithm that advice on a pair names, or the pair as "A – B" in alphabetical order."""
    both = sorted((pair.a, pair.b))
    return tuple(item.subjects) if len(item.subjects) == 1 else (" – ".join(both),)


def one_sided(before: SavedComparison, after: SavedComparison) -> Iterator[str]:
    """Yield sentences on the algorithms and tasks that only one side has, and on those that seem to have another name."""
    if not (before.data.algorithms and after.data.algorithms):
        return
    for at, noun in enumerate(("algorithm", "task")):
        old, new = (getattr(side.data, f"{noun}s") for side in (before, after))
        gone, come = [name for name in old if name not in new], [name for name in new if name not in old]
        for called, names in (("old", gone), ("new", come)):
            if names:
                yield f"only the {called} side has the {noun}{'s' * (len(names) > 1)} {listed(names)}"
        had = {name: _scores_of(before, at, name) for name in gone}
        for name in come:
            scores = _scores_of(after, at, name)
            was = next((other for other, own in had.items() if own and own == scores), None)
            if was is not None:
                rename = choice(f"rename({noun}s={{{was!r}: {name!r}}})", option("rename", f"{was}={name}"))
                yield f"{name} has the scores of {was}: if it is the same {noun}, call both alike ({rename})"


def _scores_of(side: SavedComparison, at: int, name: str) -> dict[str, list[float]]:
    """Return the scores of an algorithm (at 0) by task, or of a task (at 1) by algorithm."""
    return {cell[1 - at]: sorted(runs.values()) for cell, runs in (side.scores or {}).items() if cell[at] == name}
