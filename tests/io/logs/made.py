"""What the makers of samples share: values that look like a training run."""

from __future__ import annotations

from typing import Any

import numpy as np

Oracle = dict[str, Any]
START = 1_700_000_000.0


def curve(seed: int, n: int = 12, level: float = 10.0) -> np.ndarray:
    """Return values that rise and jitter, single precision so that every tool can keep them."""
    rng = np.random.default_rng(seed)
    return (level * np.linspace(0.1, 1.0, n) + rng.normal(0, 0.3, n)).astype(np.float32).astype(np.float64)
