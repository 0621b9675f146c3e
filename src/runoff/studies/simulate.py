"""One block of one cell: draw the scores, let every method decide, count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.random import streams
from runoff.studies.batch import Batch
from runoff.studies.contenders import CONTENDERS
from runoff.studies.spec import Cell, Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What a block says about each method, in the study's order of methods.

    n: repetitions; total, squares: float64 (n_methods,) sums of the decisions (0 or 1) or estimates and of their squares.
    """

    n: int
    total: Floats
    squares: Floats


def run_block(study: Study, cell: Cell, block: int) -> Tally:
    """Return the counts of one block; they depend on the study's seed, the cell and the block number alone."""
    key = (int(cell.key, 16), block)
    family = streams(study.seed)
    draw = cell.world.draw_curves if cell.world.has_curves else cell.world.draw
    drawn = draw(family.block("study/scores", *key), study.block_size(block), cell.n_runs)
    _shift(study, cell, drawn)
    curves = drawn if cell.world.has_curves else None
    scores = drawn if curves is None else np.ascontiguousarray(curves[..., -1])
    batches = {"mean": _batch(study, cell, scores, key, curves)}
    if study.centre == "target" and any(CONTENDERS[name].target == "median" for name in study.methods):
        batches["median"] = _batch(study, cell, scores - cell.world.median_shift()[None, :, :, None], key)
    with_sign = study.right_sign and cell.effect != 0.0
    values = np.empty((len(study.methods), scores.shape[0]))
    for i, name in enumerate(study.methods):
        method = CONTENDERS[name]
        batch = batches.get(method.target, batches["mean"])
        values[i] = method.decide(batch)
        if with_sign and method.signed:
            values[i] *= _sign(batch.scores) == np.sign(cell.effect)
    return Tally(n=scores.shape[0], total=values.sum(axis=1), squares=np.square(values).sum(axis=1))


def _shift(study: Study, cell: Cell, scores: Floats) -> None:
    """Add the effect to the last algorithm's scores, or to all scores of its curves."""
    if study.effect_unit == "lift":
        scores[:, -1] *= 1.0 + cell.effect
    else:
        added = cell.effect * study.unit(cell.world)
        scores[:, -1] += added.reshape(-1, *[1] * (scores.ndim - 3))


def _sign(scores: Floats) -> Floats:
    """Return the sign (n_batch,) of the last algorithm's mean less the first's."""
    difference: Floats = scores[:, -1].mean(axis=(1, 2)) - scores[:, 0].mean(axis=(1, 2))
    return np.sign(difference)


def _batch(study: Study, cell: Cell, scores: Floats, key: tuple[int, int], curves: Floats | None = None) -> Batch:
    return Batch(
        scores=scores,
        world=cell.world,
        alpha=study.alpha,
        n_resamples=study.n_resamples,
        streams=streams(study.seed),
        key=key,
        curves=curves,
    )
