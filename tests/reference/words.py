"""The words of a kernel's generator, one after the other."""

from __future__ import annotations

import numpy as np

from runoff._kernels.two_sample.masks import following


def draw_words(state, n):
    """Return the next n words and leave `state` after them."""
    words = np.empty(n, np.uint64)
    for i in range(n):
        words[i], now = following(*state)
        state[:] = now
    return words
