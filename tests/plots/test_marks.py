"""Colour and marker belong to the algorithm's name."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_hex

import runoff as ro
from runoff.plots import marks
from runoff.plots._marks import GREY, hue_of
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


@pytest.mark.parametrize("k", [2, 4, 6])
def test_as_many_algorithms_as_there_are_hues_differ_in_hue_and_the_first_keeps_its_own(k):
    draw = np.random.default_rng(k)
    for _ in range(200):
        names = sorted({f"algorithm {n}" for n in draw.choice(999, k, replace=False)})
        of = marks(names)
        assert len({hue_of(mark.color) for mark in of.values()}) == len(names)
        assert of[names[0]] == marks(names[:1])[names[0]]


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
    pinned = marks(NAMES, colors={"algorithm 5": color.lower(), "another": "#123456"})
    assert set(pinned) == set(NAMES)
    assert [name for name, mark in pinned.items() if mark.color == color] == ["algorithm 5"]
    published = marks(["SAC", "atari_100k:SPR", "atari_100k:DER"], colors={"atari_100k:SPR": "#D00000"})
    assert [published[f"atari_100k:{name}"].color for name in ("SPR", "DER")] == ["#D00000", GREY]


def test_colours_alone_leave_the_markers_apart():
    names = [f"algorithm {k}" for k in range(12)]
    own = ro.plots.marks(names, colors=dict.fromkeys(names, "#123456"))
    assert len({mark.marker for mark in own.values()}) == 12
    assert {mark.color for mark in own.values()} == {"#123456"}


def test_a_figure_takes_colours_and_a_subset_keeps_those_of_the_whole():
    result = ro.aggregate({"A": [[1.0], [2.0], [3.0]], "B": [[2.0], [3.0], [5.0]]}, measure=["mean"], n_resamples=100)
    for colors in ({"A": "#D00000"}, {"A": marks(NAMES)["algorithm 3"], "algorithm 3": "#000000"}):
        wanted = marks("A", colors=colors)["A"]
        key = next(
            key for key in keys_of(ro.plots.aggregates(result, colors=colors)[0]) if key.get_color() == wanted.color
        )
        assert key.get_marker() == wanted.marker


@pytest.mark.parametrize("color", ["rot", "#12345", 3])
def test_a_colour_that_is_no_colour_is_refused_by_name(color):
    with pytest.raises(ro.OptionError, match=f"colors has {color!r} for 'A', which is no color of matplotlib"):
        marks(["A"], colors={"A": color})


@pytest.mark.parametrize(
    ("color", "shown"), [("red", "#FF0000"), ("C0", "#1F77B4"), ((0, 0, 1), "#0000FF"), ("#ab12cd", "#AB12CD")]
)
def test_colours_are_written_as_matplotlib_takes_them(color, shown):
    assert marks(["A", "B"], colors={"A": color})["A"].color == shown


@pytest.mark.parametrize(
    ("palette", "shown"),
    [
        (["red", "blue"], ["#FF0000", "#0000FF", "#FF0000"]),
        ({"B": "red"}, [None, "#FF0000", None]),
        ("tab10", ["#1F77B4", "#FF7F0E", "#2CA02C"]),
        ("viridis", ["#440154", "#21918C", "#FDE725"]),
    ],
)
def test_a_palette_gives_colours_in_the_order_of_the_data_and_colors_go_before_it(palette, shown):
    runs = {"C": [1.0, 2.0, 3.0], "B": [2.0, 4.0, 5.0], "A": [3.0, 4.0, 6.0]}
    for pinned in ({}, {"A": "#010203"}):
        ax = ro.aggregate(runs, measure=["mean"]).plot(palette=palette, colors=pinned).axes[0]
        drawn = {to_hex(color).upper() for color in colours_of(ax)}
        wanted = dict(zip("CBA", shown, strict=True)) | pinned
        assert {color for color in wanted.values() if color} <= drawn


def test_a_palette_that_is_none_is_refused():
    for palette, words in (("Set22", "Did you mean 'Set2'"), ([], "names no color")):
        with pytest.raises(ro.OptionError, match=words):
            ro.aggregate({"A": [1.0, 2.0], "B": [2.0, 3.0]}).plot(palette=palette)


# ── some algorithms of a set ──────────


def colours_of(ax):
    return {key.get_color() for key in keys_of(ax)}


def test_some_algorithms_of_a_set_keep_the_colours_of_the_whole_through_choices_names_and_answers():
    whole = ro.Scores.from_dict({name: {"t": [1.0 + k, 2.0 + k, 4.0]} for k, name in enumerate(NAMES[:9])})
    colors, some = marks(whole.algorithms), whole.select(algorithms=[*NAMES[:4]]).select(algorithms=[*NAMES[2:4]])
    assert some.origin.whole == whole.algorithms
    (ax,) = ro.plots.aggregates(ro.aggregate(some, measure=["mean"], n_resamples=100))
    assert colours_of(ax) == {colors[name].color for name in some.algorithms}
    assert some.rename(algorithms={NAMES[2]: "mine"}).origin.whole[2] == "mine"


def test_no_two_of_a_few_share_a_colour_though_they_do_in_a_large_set():
    many = [f"algorithm {i}" for i in range(40)]
    whole = marks(many)
    shared = [name for name in many if whole[name].color == whole["algorithm 0"].color]
    few = marks(shared, whole=many)
    assert few[min(shared)] == whole[min(shared)]
    assert len({mark.color for mark in few.values()}) == len(shared) > 1
    assert marks(many[:20], whole=many) == {name: whole[name] for name in many[:20]}
