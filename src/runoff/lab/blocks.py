"""One block of one cell of a study: drawn, given to every method, counted, and stored in a folder of Parquet parts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from runoff.answer.base import filled
from runoff.base.arrays import Floats
from runoff.base.interrupts import WRITTEN_FILES
from runoff.base.locks import locked
from runoff.base.random import streams
from runoff.base.writing import make_folders, refuse_link, take_away, write_whole
from runoff.errors import OptionError, OutputError, warn
from runoff.lab.contenders import CONTENDERS
from runoff.lab.contenders.registry import Batch
from runoff.lab.spec import Study, StudyCell


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The counts of a block by method, in the study's order: n repetitions; total and squares: sums of decisions or estimates, (n_methods,)."""

    n: int
    total: Floats
    squares: Floats


def run_block(study: Study, cell: StudyCell, block: int) -> Tally:
    """Return the counts of one block; they depend only on the study's seed, the cell and the block number."""
    key = (int(cell.key, 16), block)
    family = streams(study.seed)
    draw = cell.world.draw_curves if cell.world.has_curves else cell.world.draw
    drawn = draw(family.block("study/scores", *key), study.block_size(block), cell.n_runs)
    _shift(study, cell, drawn)
    curves = drawn if cell.world.has_curves else None
    scores = drawn if curves is None else np.ascontiguousarray(curves[..., -1])
    batches = {"mean": _batch(study, cell, scores, key, curves)}
    if study.center == "target" and any(CONTENDERS[name].target == "median" for name in study.contenders):
        # Tests of ranks are put to worlds whose medians are equal: where shapes differ, equal means are no null for
        # them (Colas 2019 §4.1).
        batches["median"] = _batch(study, cell, scores - cell.world.median_shift()[None, :, :, None], key)
    with_sign = study.right_sign and cell.effect != 0.0
    values = np.empty((len(study.contenders), scores.shape[0]))
    for i, name in enumerate(study.contenders):
        method = CONTENDERS[name]
        batch = batches.get(method.target, batches["mean"])
        values[i] = method.decide(batch)
        if with_sign and method.signed:
            difference = batch.scores[:, -1].mean(axis=(1, 2)) - batch.scores[:, 0].mean(axis=(1, 2))
            # A rejection in the wrong direction is no power.
            values[i] *= np.sign(difference) == np.sign(cell.effect)
    return Tally(n=scores.shape[0], total=values.sum(axis=1), squares=np.square(values).sum(axis=1))


def _shift(study: Study, cell: StudyCell, scores: Floats) -> None:
    if study.effect_unit == "lift":
        scores[:, -1] *= 1.0 + cell.effect
    else:
        added = cell.effect * study.unit(cell.world)
        # Shape (n_tasks, 1 …) for runs, and for evaluations where scores are curves; the last algorithm is the better
        # one.
        scores[:, -1] += added.reshape(-1, *[1] * (scores.ndim - 3))


def _batch(study: Study, cell: StudyCell, scores: Floats, key: tuple[int, int], curves: Floats | None = None) -> Batch:
    return filled(Batch, study, cell, scores=scores, streams=streams(study.seed), key=key, curves=curves)


# ── where finished blocks are kept ──────────


DECLARATION = "study.json"


@dataclass(frozen=True, slots=True)
class Store:
    """The finished blocks of one study.

    The folder contains `study.json`, the declaration to which the parts belong, and `parts/CELL-BLOCK.parquet` with one row per method. A
    part is complete or absent, even after `kill -9`. Several processes may share the folder.
    """

    folder: Path
    study: Study

    def open(self) -> None:
        """Create the folder; refuse one of another study, naming the differences."""
        # The version belongs to it, which draws the numbers.
        mine = json.loads(json.dumps({"runoff": version("runoff"), **self.study.to_dict()}))
        path = self.folder / DECLARATION
        for place in (self.folder, self.folder / "parts", path):
            refuse_link(place)
        new_folders: list[Path] = []
        WRITTEN_FILES.note(f"the store {self.folder}, with its finished blocks", last=False)
        try:
            new_folders += make_folders(self.folder / "parts")
            with locked(path, "declaration"):
                if not path.exists():
                    write_whole(path, json.dumps(mine, indent=1, sort_keys=True), "declaration", answer=False)
                    return
                theirs = json.loads(path.read_text())
        except ValueError as error:
            raise OutputError(f"{path} is not readable ({error}); name another store.") from error
        except OSError as error:
            take_away(new_folders)
            if isinstance(error, OutputError):
                raise
            raise OutputError(f"the store {self.folder} cannot be used: {error}.") from error
        changed = list(differences(theirs, mine))
        if changed:
            raise OptionError(
                f"{self.folder} holds another study: {'; '.join(changed[:4])}"
                f"{f' and {len(changed) - 4} more' if len(changed) > 4 else ''}. Name another store, or undo the change."
            )

    def load(self, cell: StudyCell, block: int) -> Tally | None:
        """Return a finished block, or None; a corrupt part is named in a warning and counts as absent."""
        path = self._path(cell, block)
        if not path.exists():
            return None
        try:
            return self._read(path, self.study.block_size(block))
        # On a torn file polars raises panics of its own; whatever it is, the part is computed again.
        except Exception as error:
            text = str(error).splitlines()[0] if str(error) else type(error).__name__
            warn(f"{path} is corrupt ({text}); it is computed again.")
            return None

    def save(self, cell: StudyCell, block: int, counts: Tally) -> None:
        """Write a finished block."""
        import polars as pl

        frame = pl.DataFrame(
            {"method": self.study.contenders, "n": counts.n, "total": counts.total, "squares": counts.squares}
        )
        part = BytesIO()  # not the file: on a full disk polars raises errors of its own
        frame.write_parquet(part, compression="uncompressed")
        write_whole(self._path(cell, block), part.getvalue(), "block", answer=False)

    def _path(self, cell: StudyCell, block: int) -> Path:
        return self.folder / "parts" / f"{cell.key}-{block:05d}.parquet"

    def _read(self, path: Path, n: int) -> Tally:
        import polars as pl

        frame = pl.read_parquet(path)
        total, squares = frame["total"].to_numpy(), frame["squares"].to_numpy()
        if tuple(frame["method"]) != self.study.contenders or set(frame["n"]) != {n}:
            raise ValueError("its contenders or repetitions are not the study's")
        if not (np.isfinite(total).all() and np.isfinite(squares).all()):
            raise ValueError("it holds values that are not finite")
        return Tally(n=n, total=total.astype(np.float64), squares=squares.astype(np.float64))


def differences(theirs: Mapping[str, Any], mine: Mapping[str, Any]) -> Iterator[str]:
    """Yield the differences, in a few words each."""
    for key in sorted({*theirs, *mine}):
        texts = (json.dumps(value) for value in (theirs.get(key), mine.get(key)))
        old, new = (text if len(text) <= 60 else f"{text[:57]}..." for text in texts)
        if theirs.get(key) != mine.get(key):
            yield f"{key} was {old} and is {new}"
