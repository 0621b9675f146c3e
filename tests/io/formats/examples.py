"""One small file of each format: two runs of PPO, 1 and 2, as far as the format can say so."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

import numpy as np
import polars as pl

TIDY = pl.DataFrame({"algorithm": ["PPO", "PPO"], "task": ["Pong", "Pong"], "run": ["0", "1"], "score": [1.0, 2.0]})


def _bytes(write: Callable[[io.BytesIO], object]) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


EXAMPLES: Mapping[str, bytes] = {
    "parquet": _bytes(TIDY.write_parquet),
    "feather": _bytes(TIDY.write_ipc),
    "npz": _bytes(lambda buffer: np.savez(buffer, PPO=np.array([[1.0], [2.0]]))),
    "npy": _bytes(lambda buffer: np.save(buffer, np.array([1.0, 2.0]))),
    "ndjson": TIDY.write_ndjson().encode(),
    "json": b'{"PPO": {"Pong": [1.0, 2.0]}}',
    "text": b"1.0\n2.0\n",
    "csv": TIDY.write_csv().encode(),
    "tsv": TIDY.write_csv(separator="\t").encode(),
}
