"""NumPy's SFC64 stream, continued inside a kernel.

A kernel that needs an unknown number of random bits takes the state of a NumPy generator, four 64-bit words
(a, b, c, counter), and makes the very words that the generator itself would make; a test compares them bit by bit.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Words64

State = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
ELEVEN, TWENTY_FOUR, FORTY = np.uint64(11), np.uint64(24), np.uint64(40)
HALF, FIFTY_SIX = np.uint64(32), np.uint64(56)
LOW_HALF = np.uint64(0xFFFFFFFF)
BY_TWO = np.uint64(0x5555555555555555)
BY_FOUR = np.uint64(0x3333333333333333)
BY_EIGHT = np.uint64(0x0F0F0F0F0F0F0F0F)
SUM_OF_BYTES = np.uint64(0x0101010101010101)


def state_of(generator: np.random.Generator) -> Words64:
    """Return the SFC64 state of a generator as four words, for a kernel to go on from."""
    state: Words64 = np.array(generator.bit_generator.state["state"]["state"], dtype=np.uint64)
    return state


@kernel
def following(a: np.uint64, b: np.uint64, c: np.uint64, counter: np.uint64) -> tuple[np.uint64, State]:
    """Return the next word and the state after it (Doty-Humphrey's SFC64, as in NumPy)."""
    word = a + b + counter
    rotated = (c << TWENTY_FOUR) | (c >> FORTY)
    return word, (b ^ (b >> ELEVEN), c + (c << THREE), rotated + word, counter + ONE)


@kernel
def below(half_word: np.uint64, bound: np.uint64) -> int:
    """Map 32 random bits to 0 .. bound - 1; each value's probability is off by less than bound / 2³² of itself."""
    return int((half_word * bound) >> HALF)


@kernel
def ones(word: np.uint64) -> int:
    """Return the number of bits set."""
    word = word - ((word >> ONE) & BY_TWO)
    word = (word & BY_FOUR) + ((word >> TWO) & BY_FOUR)
    word = (word + (word >> FOUR)) & BY_EIGHT
    return int((word * SUM_OF_BYTES) >> FIFTY_SIX)


@kernel
def draw_words(state: Words64, n: int) -> Words64:
    """Return the next n words and leave `state` after them."""
    words = np.empty(n, dtype=np.uint64)
    now = (state[0], state[1], state[2], state[3])
    for i in range(n):
        words[i], now = following(now[0], now[1], now[2], now[3])
    state[0], state[1], state[2], state[3] = now
    return words
