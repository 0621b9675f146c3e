"""Guards seldom suspect honest data: runs like those of the archive, in both precisions, sorted and not."""

from __future__ import annotations

import pytest

from docs.make_guards import GUARDS, RIGHT, WAYS, counts

N = 100


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_no_guard_speaks_of_more_than_two_honest_data_sets_in_a_hundred(way):
    single, ordered = way
    suspected = counts(0, N, single=single, ordered=ordered)
    assert suspected.keys() <= set(GUARDS)
    assert all(suspected[guard] <= 0.02 * N for guard in GUARDS if not (ordered and guard in RIGHT))
    assert not ordered or suspected["R030, no run named"] == N
