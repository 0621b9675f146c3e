"""Random 64-bit words in a kernel, and relabellings of a pooled sample as bit masks made of them.

A mask of n values has ceil(n / 64) words. Drawn masks are uniform over all C(n, k): fair coins first, then values are
removed from (or added to) x, one uniformly chosen at a time, until k are left. Given the number of heads the coins are
uniform, so the result is. Where k is far from n / 2 the empty set is the start instead, which takes fewer steps.

A kernel that needs an unknown number of random bits takes the state of a NumPy generator, four 64-bit words
(a, b, c, counter), and makes the very words that the generator itself would make; a test compares them bit by bit.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Words64

# ── words ──────────


GeneratorState = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

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
def following(a: np.uint64, b: np.uint64, c: np.uint64, counter: np.uint64) -> tuple[np.uint64, GeneratorState]:
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
    # Bits are counted in pairs, then in fours and eights, side by side; the
    # product adds up all bytes in the highest (Warren, Hacker's Delight 5-1).
    word = word - ((word >> ONE) & BY_TWO)
    word = (word & BY_FOUR) + ((word >> TWO) & BY_FOUR)
    word = (word + (word >> FOUR)) & BY_EIGHT
    return int((word * SUM_OF_BYTES) >> FIFTY_SIX)


NONE = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def used_bits(n: int, word: int) -> np.uint64:
    """Return the bits of one word that stand for values."""
    # A shift by 64 is not defined, so a whole word is its own case.
    left = n - 64 * word
    return ALL if left >= 64 else (ONE << np.uint64(left)) - ONE


@kernel
def first_mask(n: int, k: int) -> Words64:
    """Return the mask that puts the first k of n values into x."""
    mask = np.empty((n + 63) // 64, dtype=np.uint64)  # `zeros` would compile as long as the rest
    for w in range(mask.size):
        mask[w] = NONE
    for i in range(k):
        mask[i >> 6] |= ONE << np.uint64(i & 63)
    return mask


@kernel
def flip(mask: Words64, position: int, surplus: int) -> int:
    """Move one value out of x (surplus > 0) or into x (surplus < 0) if it is on the other side; return the surplus left."""
    bit = ONE << np.uint64(position & 63)
    inside = (mask[position >> 6] & bit) != NONE
    if surplus > 0 and inside:
        mask[position >> 6] ^= bit
        return surplus - 1
    if surplus < 0 and not inside:
        mask[position >> 6] ^= bit
        return surplus + 1
    return surplus


@kernel
def draw_masks(state: Words64, n: int, k: int, masks: Words64) -> None:
    """Fill `masks` (n_draws, n_words) with independent uniform k-subsets of n; k ≤ n / 2; `state` moves on."""
    bound = np.uint64(n)
    # A step moves one value. From coins it takes n/2 − k of them and the 0.4 √n by which a number of heads is off; from the empty set, k.
    coins = n / 2 - k + 0.4 * np.sqrt(n) < k
    now = (state[0], state[1], state[2], state[3])
    for r in range(masks.shape[0]):
        surplus = -k
        for w in range(masks.shape[1]):
            word = NONE
            if coins:
                word, now = following(now[0], now[1], now[2], now[3])
                word &= used_bits(n, w)
            masks[r, w] = word
            surplus += ones(word)
        while surplus != 0:
            word, now = following(now[0], now[1], now[2], now[3])
            surplus = flip(masks[r], below(word & LOW_HALF, bound), surplus)
            surplus = flip(masks[r], below(word >> HALF, bound), surplus)
    state[0], state[1], state[2], state[3] = now
