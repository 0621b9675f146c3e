"""The measure of a pair under other choices: a task or a run left out, other reference scores; in words too.

What is left out is found as the record of an estimate finds it, not by computing everything again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from runoff._inference.bootstrap import Metric, seen, value_of, without_each
from runoff._inference.pairs.chance import EVEN
from runoff._inference.pairs.rates import ROUNDING
from runoff.base.arrays import Floats
from runoff.words.numbers import counted, joined, span

if TYPE_CHECKING:
    from runoff.answer.robustness import RobustnessRow

VariedCells = Sequence[Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class Varied:
    """One algorithm's measure under variations, larger being better.

    value: of all runs; size: how large what it sums is; without_task: (n_tasks,), empty with one task; without_run: (n_left_out,), one per run
    that can be left out; which: (task, position in the cell) of each of those runs, or (None, row) if runs are shared by tasks.
    """

    value: float
    size: float
    without_task: Floats
    without_run: Floats
    which: tuple[tuple[int | None, int], ...]


def varied(cells: VariedCells, metric: Metric, *, shared: bool = False) -> Varied:
    """Return an algorithm's metric under variations; cells float64 (n_runs,) each, none empty."""
    which = _places(cells, shared)
    # Whole runs are cut of those that are left, not the share that they are of all; a user's function knows no weights.
    if not shared and not metric.whole and metric.own is None and min(cell.size for cell in cells) > 1:
        without_run = _sign(metric) * np.concatenate(without_each(seen(cells, metric), metric))
    else:
        left = ([np.delete(cell, i) if t in (None, s) else cell for s, cell in enumerate(cells)] for t, i in which)
        without_run = np.array([aggregate(some, metric) for some in left])
    return Varied(
        value=aggregate(cells, metric),
        size=size_of(cells, metric),
        without_task=_without_each_task(cells, metric) if len(cells) > 1 else np.empty(0),
        without_run=without_run,
        which=which,
    )


def _without_each_task(cells: VariedCells, metric: Metric) -> Floats:
    if not metric.averages:
        return np.array([aggregate([*cells[:t], *cells[t + 1 :]], metric) for t in range(len(cells))])
    # A mean of means: of each task the sums before and after it, so that thousands are not added up thousands of times. (A task taken from the
    # sum of all would leave the rounding of its own size.)
    means = np.array([cell.mean() for cell in seen(cells, metric)])
    before, after = (np.concatenate([[0.0], np.cumsum(side[:-1])]) for side in (means, means[::-1]))
    return np.asarray(_sign(metric) * (before + after[::-1]) / (means.size - 1))


def aggregate(cells: VariedCells, metric: Metric) -> float:
    return _sign(metric) * value_of(cells, metric)


def size_of(cells: VariedCells, metric: Metric) -> float:
    """Return how large an estimate is, or the scores that it sums, which may cancel to 0; what a user's function sums is not seen."""
    own = abs(value_of(cells, metric))
    return own if metric.own is not None else max(own, value_of([np.abs(cell) for cell in cells], metric))


def _sign(metric: Metric) -> float:
    return 1.0 if metric.higher_is_better else -1.0


def _places(cells: VariedCells, shared: bool) -> tuple[tuple[int | None, int], ...]:
    """Return the runs that can be left out: (task, position), or (None, row) of shared runs; not the only run of a cell."""
    if shared:
        return tuple((None, i) for i in range(cells[0].size)) if cells[0].size > 1 else ()
    return tuple((t, i) for t, cell in enumerate(cells) if cell.size > 1 for i in range(cell.size))


def varied_chances(x: VariedCells, y: VariedCells, *, shared: bool = False) -> tuple[Varied, Varied]:
    """Return the probability of improvement of x over y as the first side and ½ as the second, so that their differences are leads."""
    of_tasks, (of_a, of_b) = _placed(x, y), (_places(cells, shared) for cells in (x, y))
    by_task, n = np.array([float(p.mean()) for p, _ in of_tasks]), len(of_tasks)
    chance = float(by_task.mean())
    without_a, without_b = (_changes(side, by_task, shared) for side in zip(*of_tasks, strict=True))
    first = Varied(
        value=chance,
        size=1.0,
        # Means, so what is left out is subtracted, and nothing computed anew.
        without_task=(by_task.sum() - by_task) / (n - 1) if n > 1 else np.empty(0),
        without_run=chance + without_a,
        which=of_a,
    )
    other = Varied(
        value=EVEN,
        size=1.0,
        without_task=np.full(first.without_task.size, EVEN),
        without_run=EVEN - without_b,
        which=of_b,
    )
    return first, other


def _placed(x: VariedCells, y: VariedCells) -> list[tuple[Floats, Floats]]:
    """Return of each task the share of y below each x, and what the share of x below each y lacks of 1; ties count half."""
    if len({(a.size, b.size) for a, b in zip(x, y, strict=True)}) > 1:
        return [task for a, b in zip(x, y, strict=True) for task in _placed([a], [b])]
    a, b = np.array(x)[:, :, None], np.array(y)[:, None, :]
    below = (a > b) + 0.5 * (a == b)
    return list(zip(below.mean(axis=2), 1.0 - (1.0 - below).mean(axis=1), strict=True))


def _changes(placed: VariedCells, by_task: Floats, shared: bool) -> Floats:
    """Return by how much the chance changes without each run; placed: the placements of one side, task by task."""
    if shared:
        rows = np.mean(placed, axis=0)
        # (n θ − own)/(n − 1) − θ = (θ − own)/(n − 1), the run's own placement being a mean over the tasks.
        return np.asarray((by_task.mean() - rows) / (rows.size - 1)) if rows.size > 1 else np.empty(0)
    parts = [(own - p) / (p.size - 1) / by_task.size for own, p in zip(by_task, placed, strict=True) if p.size > 1]
    return np.concatenate([np.empty(0), *parts])


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How often an order of two algorithms survives n variations, which variations reverse it, smallest lead first, and its smallest lead."""

    n_variations: int
    kept: int
    reversed_by: tuple[str, ...]
    smallest_lead: float | None
    smallest_at: str | None


def kept(leads: Iterable[tuple[Callable[[], str] | str, float, float]]) -> Kept:
    """Return how often a lead stays above 0; leads: label, lead, and the size of what it is a difference of."""
    variations = list(leads)
    ahead = [lead > ROUNDING * size for _, lead, size in variations]
    # By size, then by place: of equal leads the first tried is named first, however Python sorts labels.
    lost = sorted((lead, i) for i, (_, lead, _) in enumerate(variations) if not ahead[i])
    least = min(((lead, i) for i, (_, lead, _) in enumerate(variations)), default=None)

    def label(i: int) -> str:
        # Labels of runs are made only where they are shown: there are as many as runs.
        words = variations[i][0]
        return words if isinstance(words, str) else words()

    return Kept(
        n_variations=len(variations),
        kept=sum(ahead),
        reversed_by=tuple(label(i) for _, i in lost),
        smallest_lead=None if least is None else float(least[0]),
        smallest_at=None if least is None else label(least[1]),
    )


MOST = 3
"""The largest number of pairs, or of variations, that a sentence names; the rest is counted."""
TRIED = {
    "measure": "other measure{}",
    "reference": "other reference{}",
    "last": "other window{}",
    "task": "task{} left out",
    "run": "{unit}{} left out",
}
"""The words for one variation of each kind, with the place of the s of the plural."""
PLAIN = "This describes these {}s, and is no test: whether two algorithms differ is decided by the test named before."


def robustness_words(records: Sequence[RobustnessRow], metric: str, unit: str = "run") -> str:
    """Return the sentence of the whole grid; metric in words, "the mean"; unit: what a row is of."""
    by_pair: dict[tuple[str, str], list[RobustnessRow]] = {}
    for record in records:
        by_pair.setdefault((record.a, record.b), []).append(record)
    pairs, plain = list(by_pair.values()), PLAIN.format(unit)
    if len(pairs) == 1:
        return f"By {metric}, {_clause(pairs[0], alone=True, unit=unit)}. {plain}"
    firm = [all(cell.kept == cell.n_variations for cell in cells) and cells[0].ahead is not None for cells in pairs]
    # The least firm first, for only three are named.
    weak = sorted((cells for cells, holds in zip(pairs, firm, strict=True) if not holds), key=_share_kept)
    tried = _listed(
        _range(kind, [cells[i].n_variations for cells in pairs], unit)
        for i, kind in enumerate(r.kind for r in pairs[0])
    )
    lead = f"By {metric}, the order of {len(pairs) - len(weak)} of {len(pairs)} pairs is the same under all that was tried (for a pair: {tried})"
    named = [_clause(cells, alone=False, unit=unit) for cells in weak[:MOST]]
    if len(weak) > MOST:
        named.append(f"and so for {counted([len(weak) - MOST], 'other pair')}")
    return f"{'; '.join([lead, *named])}. {plain}"


def _share_kept(cells: Sequence[RobustnessRow]) -> float:
    return sum(cell.kept for cell in cells) / max(1, sum(cell.n_variations for cell in cells))


def _clause(cells: Sequence[RobustnessRow], *, alone: bool, unit: str) -> str:
    first = cells[0]
    if first.ahead is None:
        return f"{first.a} and {first.b} are level"
    behind = first.b if first.ahead == first.a else first.a
    if not alone:
        return (
            f"{first.ahead} before {behind} is not kept {', '.join(_lost(cell) for cell in cells if cell.reversed_by)}"
        )
    parts = [_kept(cell, unit) for cell in cells if cell.n_variations]
    stays = f"stays so under {_listed(parts)}" if parts else "nothing could be varied"
    return f"{first.ahead} is ahead of {behind}, and {stays}"


def _lost(cell: RobustnessRow) -> str:
    more = len(cell.reversed_by) - MOST
    words = _listed([*cell.reversed_by[:MOST], f"{more} more" if more > 0 else ""])
    return f"by {words}" if cell.kind in ("measure", "reference", "last") else words


def _kept(cell: RobustnessRow, unit: str) -> str:
    many = _range(cell.kind, [cell.n_variations], unit)
    if cell.kept == cell.n_variations:
        return f"{'each of ' if cell.n_variations > 1 else ''}{many}"
    return f"{cell.kept} of {many} (not {_lost(cell)})"


def _range(kind: str, counts: Iterable[int], unit: str) -> str:
    """Return "3 other measures", "6 to 8 tasks left out", or nothing where nothing was varied."""
    numbers = sorted({n for n in counts if n})
    if not numbers:
        return ""
    return f"{span(numbers)} {TRIED[kind].format('s' * (numbers[-1] > 1), unit=unit)}"


def _listed(parts: Iterable[str]) -> str:
    words = [part for part in parts if part]
    return joined(words) if words else "nothing"
