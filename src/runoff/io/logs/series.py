"""One series made clean: steps that rise, one value each, no NaN; what was done is counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints
from runoff.io.logs.base import Happening, Series


def clean(series: Series) -> tuple[Series, list[Happening]]:
    """Return a series whose steps rise strictly, and what happened on the way.

    NaN means that nothing was measured: such points are left out. Where the steps go back the run was restarted: the later part replaces the
    earlier from there on. Of several values at one step the mean is taken, and the last time and number of episodes. Infinities stay, to be
    refused with their place.
    """
    happened: list[Happening] = []
    known, nans = _without_nan(series)
    happened += nans
    kept = _after_restarts(known.step)
    n_replaced = int((~kept).sum())
    if n_replaced:
        ends_earlier = known.step[kept][-1] < known.step.max()
        policy = (
            "mostly_replaced" if 5 * n_replaced >= 2 * kept.size else "ends_earlier" if ends_earlier else "restarted"
        )
        happened.append(Happening(policy=policy, count=n_replaced, where=f"at step {_turn(known.step):g}"))
        known = _at(known, kept)
    known, n_averaged = _one_value_a_step(known)
    if n_averaged:
        policy = "averaged" if known.step.size > 1 else "all_at_one_step"
        happened.append(Happening(policy=policy, count=n_averaged))
    return known, happened


def _without_nan(series: Series) -> tuple[Series, list[Happening]]:
    measured = ~(np.isnan(series.value) | np.isnan(series.step))
    if measured.all():
        return series, []
    if not measured.any():
        return _at(series, measured), []
    places = np.flatnonzero(measured)
    counts = {
        "no_value_yet": int(places[0]),
        "no_value_between": int((~measured[places[0] : places[-1]]).sum()),
        "no_value_at_end": int(measured.size - 1 - places[-1]),
    }
    return _at(series, measured), [Happening(policy=policy, count=n) for policy, n in counts.items() if n]


def _after_restarts(step: Floats) -> Bools:
    """Return which points no later part of the series replaces."""
    part = np.concatenate([[0], np.cumsum(np.diff(step) < 0)]) if step.size else np.empty(0, np.int64)
    starts = np.flatnonzero(np.concatenate([[True], np.diff(part) > 0])) if step.size else np.empty(0, np.int64)
    later = (
        np.concatenate([np.minimum.accumulate(step[starts][::-1])[::-1][1:], [np.inf]]) if step.size else np.empty(0)
    )
    return np.asarray(step < later[part]) if step.size else np.empty(0, bool)


def _turn(step: Floats) -> float:
    """Return the step to which a series goes back first."""
    return float(step[1:][np.diff(step) < 0][0])


def _one_value_a_step(series: Series) -> tuple[Series, int]:
    new = np.concatenate([[True], np.diff(series.step) > 0]) if series.step.size else np.empty(0, bool)
    if new.all():
        return series, 0
    starts: Ints = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, series.step.size))
    last = starts + sizes - 1
    with np.errstate(invalid="ignore", over="ignore"):
        means = np.add.reduceat(series.value, starts) / sizes
    one = np.where(sizes == 1, series.value[starts], means)
    reduced = replace(_at(series, last), value=one)
    return reduced, int((sizes - 1).sum())


def _at(series: Series, where: Bools | Ints) -> Series:
    """Return some points of a series."""
    return Series(
        step=series.step[where],
        value=series.value[where],
        time=None if series.time is None else series.time[where],
        episodes=None if series.episodes is None else series.episodes[where],
    )
