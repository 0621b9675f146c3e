"""The sentences of comparisons tell the numbers and verdicts of their pairs."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

import runoff as ro

STILL = np.array([0.0, 0.1, 0.3, 0.2, 0.15, 0.05])
ALIKE_AND_APART = {"A": STILL, "B": STILL[::-1] + 0.01, "C": STILL + 2.0, "D": STILL + 2.02}


@pytest.mark.parametrize("margin", [None, 1.0])
def test_the_head_counts_pairs_that_differ_and_pairs_that_are_equivalent(margin):
    result = ro.compare(ALIKE_AND_APART, margin=margin)
    counts = Counter(pair.verdict for pair in result.pairs)
    _, head = str(result).split("\n\n")[0].split("\n", 1)
    assert head.startswith(f"{counts['a_better'] + counts['b_better']} of 6 pairs differ")
    assert (
        counts["equivalent"]
        == sum(map(int, re.findall(r"(\d+) (?:is|are) equivalent", head)))
        == (0 if margin is None else 2)
    )
