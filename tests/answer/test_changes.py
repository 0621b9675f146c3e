"""What changed between two results: every number of a pair is looked at."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from runoff.answer.changes import _change
from runoff.answer.saved import SavedPair

PAIR = SavedPair(
    a="A",
    b="B",
    verdict="no_difference_found",
    measure="mean",
    estimate=0.1,
    test="welch",
    own_low=-0.2,
    own_high=0.4,
    low=-0.3,
    high=0.5,
    pvalue_adjusted=0.4,
)
NUMBERS = [own.name for own in fields(SavedPair) if isinstance(getattr(PAIR, own.name), float)]


def test_of_equal_pairs_nothing_changed():
    assert _change(PAIR, replace(PAIR)) is None
    assert _change(PAIR, PAIR.turned().turned()) is None


@pytest.mark.parametrize("name", NUMBERS)
def test_a_pair_of_which_a_single_number_differs_has_changed(name):
    others = [replace(PAIR, **{name: getattr(PAIR, name) + 0.01})]
    others += [replace(PAIR, **{name: None})] if name != "estimate" else []
    for other in others:
        assert _change(PAIR, other) == _change(other, PAIR) == "numbers"
