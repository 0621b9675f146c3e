"""Random streams: one seed in, one independent stream per block out.

Replicates are drawn in fixed-size blocks. Block b of a call takes the stream keyed by (purpose, ..., b), so the
numbers depend on the seed alone: not on threads, workers, scheduling or machine. NumPy's global state is not used.
"""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from runoff.errors import OptionError

RNG = int | np.random.Generator


@dataclass(frozen=True, slots=True)
class Streams:
    """A family of independent generators that grows from one reported seed."""

    seed: int

    def block(self, purpose: str, *key: int) -> np.random.Generator:
        """Return the generator of one block: the same (seed, purpose, key) gives the same numbers."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(crc32(purpose.encode()), *key))
        return np.random.Generator(np.random.SFC64(sequence))


def streams(rng: RNG) -> Streams:
    """Return the streams of a seed, or of one 63-bit seed drawn from a Generator.

    Raises
    ------
    OptionError
        `rng` is neither a non-negative integer nor a numpy Generator.
    """
    if isinstance(rng, np.random.Generator):
        return Streams(int(rng.integers(2**63)))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise OptionError(f"rng must be a non-negative integer or a numpy Generator, not {rng!r}.")
    return Streams(int(rng))
