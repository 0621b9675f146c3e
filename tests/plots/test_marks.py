"""Colour and marker belong to the algorithm's name."""

from __future__ import annotations

import itertools

import pytest

import runoff as ro
from runoff.plots import marks
from tests.plots.seen import keys_of

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


def test_a_pinned_colour_is_kept_and_no_other_name_takes_it():
    free = marks(NAMES)
    color = free["algorithm 3"].color
    pinned = marks(NAMES, colours={"algorithm 5": color.lower(), "another": "#123456"})
    assert set(pinned) == set(NAMES)
    assert [name for name, mark in pinned.items() if mark.color == color] == ["algorithm 5"]


def test_a_figure_takes_colours_and_a_subset_keeps_those_of_the_whole():
    result = ro.aggregate({"A": [[1.0], [2.0], [3.0]], "B": [[2.0], [3.0], [5.0]]}, metrics=["mean"], n_resamples=100)
    for colours in ({"A": "#D00000"}, {"A": marks(NAMES)["algorithm 3"], "algorithm 3": "#000000"}):
        wanted = marks("A", colours=colours)["A"]
        key = next(
            key for key in keys_of(ro.plots.aggregates(result, colours=colours)[0]) if key.get_color() == wanted.color
        )
        assert key.get_marker() == wanted.marker


@pytest.mark.parametrize("colour", ["red", "#12345", 3])
def test_a_colour_that_is_no_colour_is_refused_by_name(colour):
    with pytest.raises(ro.OptionError, match=f"'#rrggbb', and that of 'A' is {colour!r}"):
        marks(["A"], colours={"A": colour})


# ── some algorithms of a set ──────────


def colours_of(ax):
    return {key.get_color() for key in keys_of(ax)}


def test_some_algorithms_of_a_set_keep_the_colours_of_the_whole_through_choices_names_and_answers():
    whole = ro.Scores.from_dict({name: {"t": [1.0 + k, 2.0 + k, 4.0]} for k, name in enumerate(NAMES[:9])})
    colours, some = marks(whole.algorithms), whole.select(algorithms=[*NAMES[:4]]).select(algorithms=[*NAMES[2:4]])
    assert some.origin.whole == whole.algorithms
    (ax,) = ro.plots.aggregates(ro.aggregate(some, metrics=["mean"], n_resamples=100))
    assert colours_of(ax) == {colours[name].color for name in some.algorithms}
    assert some.rename(algorithms={NAMES[2]: "mine"}).origin.whole[2] == "mine"


def test_no_two_of_a_few_share_a_colour_though_they_do_in_a_large_set():
    many = [f"algorithm {i}" for i in range(40)]
    whole = marks(many)
    shared = [name for name in many if whole[name].color == whole["algorithm 0"].color]
    few = marks(shared, whole=many)
    assert few[min(shared)] == whole[min(shared)]
    assert len({mark.color for mark in few.values()}) == len(shared) > 1
    assert marks(many[:20], whole=many) == {name: whole[name] for name in many[:20]}
