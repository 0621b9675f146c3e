"""What the last evaluations of a run stand for: values that are mostly noise (R406), windows over unequal parts of training (R403)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.data.ends import TENTH, RunEnds
from runoff.data.provenance import Caveat
from runoff.words.speech import advised, choice, option

# For white noise half the mean squared difference of neighbours is the variance (von Neumann 1941), and their ratio
# has a standard error near 1/√n: with 25 points in half a run, 0.8 is one of these below 1. A trend lowers the ratio.
POINTS, WITHOUT_TREND, NOISY = 50, 0.8, 4.0
"""When a curve is mostly noise: the fewest points, the share of the variance in a run's second half that differences of neighbours explain,
and its ratio to the variance between runs."""
UNEQUAL = 1.5
"""The ratio of the parts of training that the last evaluations of two algorithms cover, from which on they are unequal."""
SMALL = 0.02
"""The part of training that such windows may cover without a word: at its end scores hardly change."""


def noisy(curves: Sequence[Floats], cells: Ints) -> tuple[Caveat, ...]:
    """Return a caveat if scores are single last values of curves that vary without trend, and by more than runs differ.

    The noise variance is half the mean squared difference of neighbours in the second half of a run; there is no trend if it is nearly the
    whole variance there. The variance between runs is that of the means of their last tenths.
    """
    shares, white = [], []
    for cell in np.unique(cells):
        own = [curves[i] for i in np.flatnonzero(cells == cell).tolist()]
        # The variance between runs needs two, and without points there is no judging a trend.
        if len(own) < 2 or min(map(len, own)) < POINTS:
            continue
        halves = [values[values.size // 2 :] for values in own]
        noise = [float(np.square(np.diff(half)).mean() / 2) for half in halves]
        white += [of / float(half.var(ddof=1)) for of, half in zip(noise, halves, strict=True) if of > 0]
        ends = [float(values[-(values.size // 10) :].mean()) for values in own]
        shares += [float(np.var(ends, ddof=1) / np.mean(noise))] if sum(noise) > 0 else []
    if not shares or np.median(white) < WITHOUT_TREND or np.mean(shares) * NOISY > 1:
        return ()
    text = (
        f"take the mean over the end of training, {choice(f'curves.final(last={TENTH!r})', option('last', TENTH))}: a single value of a run has "
        f"{NOISY:g} times the variance of runs or more, so that the last value alone is mostly noise, and hides differences."
    )
    return (Caveat(code="R406", severity="caution", text=text),)


def spans_of(ends: RunEnds, windows: Sequence[Floats]) -> tuple[tuple[str, float], ...]:
    """Return for each task how many steps the last evaluations of half of its runs span; a single one spans none."""
    spans = _spans(windows)
    firsts = [int(np.argmax(ends.tasks == t)) for t in np.unique(ends.tasks)]
    medians = [(ends.names(i)[1], float(np.median(spans[ends.tasks == ends.tasks[i]]))) for i in firsts]
    return tuple((task, steps) for task, steps in medians if steps > 0)


def are_unequal(first: float, second: float, training: float) -> bool:
    """Return whether the last evaluations of two sides cover unequal parts of a training of so many steps."""
    narrow, wide = sorted((first, second))
    return wide > max(UNEQUAL * narrow, SMALL * training)


def _spans(windows: Sequence[Floats]) -> Floats:
    return np.array([steps[-1] - steps[0] for steps in windows])


def unequal_windows(ends: RunEnds, windows: Sequence[Floats]) -> tuple[Caveat, ...]:
    """Return a caveat if the last evaluations of one algorithm, at these steps, cover more of the training than those of another on the task.

    Where algorithms still learn, earlier evaluations are lower.
    """
    spans = _spans(windows)
    # Of each cell its part of the training, and one of its runs.
    cells = [
        (float(np.median(ends.part(spans)[ends.cells == c])), int(np.argmax(ends.cells == c)))
        for c in np.unique(ends.cells)
    ]
    pairs = [
        (wide - narrow, wide, narrow, i, j)
        for (wide, i), (narrow, j) in product(cells, cells)
        if ends.tasks[i] == ends.tasks[j] and wide > narrow and are_unequal(wide, narrow, 1.0)
    ]
    if not pairs:
        return ()
    _, wide, narrow, i, j = max(pairs)
    (algorithm, task), (other, _) = ends.names(i), ends.names(j)
    fact = (
        f"the last {len(windows[i])} evaluations cover {wide:.0%} of the training of {algorithm!r} on {task!r}, and {narrow:.0%} of that of "
        f"{other!r}."
    )
    repair = f"take the same part of training, {choice(f'curves.final(last={TENTH!r})', option('last', TENTH))}"
    return (Caveat(code="R403", severity="warning", text=advised(repair, fact), subjects=(algorithm, other)),)
