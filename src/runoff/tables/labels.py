"""The labels of a column as codes, in one order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.base.arrays import Ints
from runoff.tables.repeated import Repeated


def label_order(role: str, labels: Sequence[str]) -> list[str]:
    """Return the distinct labels of a column, sorted; runs by their number where they are numbers."""
    distinct = set(labels.names if isinstance(labels, Repeated) else labels)
    return sorted(distinct, key=natural if role == "run" else None)


def label_codes(labels: Sequence[str], names: Sequence[str]) -> Ints:
    """Return the position of each label among `names`, int64 (n_rows,)."""
    position = {name: i for i, name in enumerate(names)}
    if isinstance(labels, Repeated):
        return np.repeat(label_codes(labels.names, names), labels.counts)
    return np.array([position[name] for name in labels], dtype=np.int64)


def natural(label: str) -> tuple[int, float, str]:
    """Sort key: numbers by value, then text."""
    return (0, float(label), label) if label.replace(".", "", 1).isdecimal() else (1, 0.0, label)
