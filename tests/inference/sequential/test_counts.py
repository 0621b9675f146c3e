"""The boundary on success counts: every history by itself, the level at every look, and intervals that agree with the claims."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.pairs import Book, PairData, with_book
from runoff._inference.sequential import spent_by
from runoff._inference.sequential.counts import SHARES, count_boundary
from tests.reference import sequential as slow

SMALL = (1, 2, 3, 5)
"""Looks after so many pairs, the last so early that all 1,024 pairs of histories are followed."""
SPENT = (0.1, 0.2, 0.35, 0.5)
EVERY = tuple(range(1, 51))


def quadratic(looks, alpha=0.05):
    return tuple(alpha * (n / looks[-1]) ** 2 for n in looks)


def designed(looks):
    return count_boundary(looks, quadratic(looks))


def ended(boundary):
    """Return every end: the look, the successes of both, and whether it is a claim."""
    last = len(boundary.looks) - 1
    stops = [
        (k, a, b, True)
        for k, of in enumerate(boundary.stopped)
        for a, b in zip(of.a.tolist(), of.b.tolist(), strict=True)
    ]
    going = boundary.going[last]
    return stops + [(last, a, b, False) for a, b in zip(going.a.tolist(), going.b.tolist(), strict=True)]


def test_histories_stop_where_they_do_when_each_is_followed_by_itself():
    paths, stop = slow.histories(SMALL, SPENT, SHARES)
    boundary = count_boundary(SMALL, SPENT)
    sums = [paths[:, :, :n].sum(axis=2) for n in SMALL]
    stops = [np.abs(s[:, 0] - s[:, 1]) >= leads[s.sum(axis=1)] for s, leads in zip(sums, boundary.leads, strict=True)]
    first = [next((k for k, beyond in enumerate(history) if beyond), -1) for history in np.transpose(stops).tolist()]
    assert first == stop.tolist()
    assert set(first) == {-1, 1, 2, 3}


@pytest.mark.parametrize("d", [-0.4, 0.0, 0.3])
def test_the_tail_of_an_end_is_that_of_all_histories(d):
    paths, stop = slow.histories(SMALL, SPENT, SHARES)
    boundary = count_boundary(SMALL, SPENT)
    orders = [slow.order(path, k, SMALL) for path, k in zip(paths, stop.tolist(), strict=True)]
    pa = max(0.0, -d) + (min(1.0, 1.0 - d) - max(0.0, -d)) * SHARES[::20]
    for i in range(5, len(paths), 97):
        a, b = paths[i, :, : SMALL[stop[i]]].sum(axis=1).tolist()
        wanted = [slow.as_extreme(paths, orders, orders[i], p, p + d) for p in pa.tolist()]
        tails = boundary.tails(int(stop[i]) % len(SMALL), a, b, d)
        assert tails[::20] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("looks", [EVERY[:20], EVERY, EVERY[4::5]], ids=["20", "50", "50, each 5"])
def test_by_no_look_have_equal_rates_spent_more_than_their_share(looks):
    boundary, shares = designed(looks), np.array(quadratic(looks))
    for p in np.arange(1, 10) / 10:
        above, below = slow.claims(looks, boundary.leads, p, p)
        assert above == pytest.approx(below, abs=1e-15)
        # Sums of up to 2,500 products in another order: 1e-15 each.
        assert (np.cumsum(above + below) <= shares + 1e-12).all()


@pytest.mark.parametrize("n", [50, pytest.param(200, marks=pytest.mark.slow)])
def test_without_a_last_look_equal_rates_spend_less_than_alpha_by_any(n):
    looks = tuple(range(1, n + 1))
    spent = spent_by("open", 0.05, looks)
    boundary = count_boundary(looks, spent)
    for p in (0.1, 0.3, 0.5, 0.9):
        above, below = slow.claims(looks, boundary.leads, p, p)
        assert (np.cumsum(above + below) <= np.array(spent) + 1e-12).all()


def test_without_a_last_look_more_looks_change_no_lead_before():
    short, long = (tuple(range(1, n + 1)) for n in (20, 45))
    leads = [count_boundary(looks, spent_by("open", 0.05, looks)).leads for looks in (short, long)]
    assert all((a == b).all() for a, b in zip(*leads, strict=False))


def test_what_a_limit_buys():
    above, below = slow.claims(EVERY, count_boundary(EVERY, spent_by("open", 0.05, EVERY)).leads, 0.5, 0.8)
    pairs = float((above + below) @ np.array(EVERY) + 50 * (1 - (above + below).sum()))
    assert (round(float(above.sum()), 3), round(pairs, 1)) == (0.780, 31.6)


def test_the_level_is_nearly_spent_at_the_end():
    ends = [sum(map(sum, slow.claims(EVERY, designed(EVERY).leads, p, p))) for p in np.arange(1, 10) / 10]
    assert 0.049 < min(ends) <= max(ends) <= 0.05


def test_half_against_four_fifths_is_seen_with_two_thirds_of_the_pairs():
    above, below = slow.claims(EVERY, designed(EVERY).leads, 0.5, 0.8)
    pairs = float((above + below) @ np.array(EVERY) + 50 * (1 - (above + below).sum()))
    assert (round(float(above.sum()), 3), round(pairs, 1)) == (0.864, 31.8)


@pytest.mark.parametrize("looks", [EVERY[:20], EVERY[9::10]], ids=["20", "50, each 10"])
def test_compare_denies_no_claim(looks):
    boundary = designed(looks)
    for n, of in zip(looks, boundary.stopped, strict=True):
        for a, b in zip(of.a.tolist(), of.b.tolist(), strict=True):
            if b > a:
                x, y = (np.repeat([1.0, 0.0], [wins, n - wins]) for wins in (a, b))
                data = PairData(a="a", b="b", x=[x], y=[y], tasks=["t"], binary=True, rates=True)
                assert with_book(data, Book()).law("mean").pvalue(0.0) <= 0.05


@pytest.mark.slow
def test_an_interval_leaves_out_0_where_a_difference_is_claimed_and_only_there():
    boundary = designed(EVERY[:11])
    for look, a, b, claimed in ended(boundary):
        low, high = boundary.interval(look, a, b, 0.05)
        assert low <= (b - a) / EVERY[look] <= high
        assert (low > 0 or high < 0) == claimed


@pytest.mark.slow
@pytest.mark.parametrize(("pa", "pb"), [(0.5, 0.5), (0.2, 0.5), (0.55, 0.9), (0.05, 0.1)])
def test_the_interval_covers_the_difference(pa, pb):
    looks = EVERY[:12]
    boundary, covered, total = designed(looks), 0.0, 0.0
    for look, a, b, claimed in ended(boundary):
        low, high = boundary.interval(look, a, b, 0.05)
        of = boundary.stopped[look] if claimed else boundary.going[look]
        at = np.flatnonzero((of.a == a) & (of.b == b))
        chance = float(of.chances(looks[look], np.array([pa]), np.array([pb]))[at, 0].sum())
        total, covered = total + chance, covered + chance * (low <= pb - pa <= high)
    assert total == pytest.approx(1.0, abs=1e-12)
    assert covered >= 0.95


def test_the_sides_change_places():
    boundary = designed(EVERY[:20])
    low, high = boundary.interval(11, 3, 10, 0.05)
    assert boundary.interval(11, 10, 3, 0.05) == (-high, -low)
