"""Colour and marker belong to the algorithm's name."""

from __future__ import annotations

import itertools

from runoff.plots import marks

NAMES = tuple(f"algorithm {i}" for i in range(12))


def test_the_order_of_names_does_not_matter():
    assert marks(NAMES) == marks(reversed(NAMES))


def test_a_name_alone_always_has_the_same_mark():
    assert marks(["PPO"])["PPO"] == marks(["PPO"])["PPO"]
    assert marks(["PPO", "ZZZ"])["PPO"] == marks(["PPO"])["PPO"]


def test_twelve_algorithms_have_twelve_colors_and_markers():
    twelve = marks(NAMES).values()
    assert len({mark.color for mark in twelve}) == 12
    assert len({mark.marker for mark in twelve}) == 12


def test_forty_algorithms_still_differ_in_color_or_marker():
    names = [f"a{i}" for i in range(40)]
    assert len(set(marks(names).values())) == 40


def test_colors_are_apart_for_every_eye():
    first = [mark.color for mark in marks(NAMES[:8]).values()]
    for first_mark, other in itertools.combinations(first, 2):
        distance = sum((int(first_mark[i : i + 2], 16) - int(other[i : i + 2], 16)) ** 2 for i in (1, 3, 5))
        assert distance > 40**2
