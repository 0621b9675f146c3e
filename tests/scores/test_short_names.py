"""Names are shortened to what tells them apart, and no two get one label."""

from __future__ import annotations

import re
import string
from os.path import commonprefix

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.words.shorten import (
    END,
    GAP,
    ISOLATE,
    _partings,
    distinct_labels,
    isolated,
    isolated_in,
    one_line,
    short_names,
)

LONG = "a name of sixty characters that says what was changed, and how: "
ALIKE = st.text(alphabet="ab -\u200b", max_size=12).map(lambda tail: "the same beginning " * 2 + tail)


@given(st.lists(st.text(alphabet="ab", max_size=6), min_size=1, max_size=12))
def test_a_name_parts_from_each_other_one_where_what_they_share_ends(texts):
    for text, lengths in _partings(texts).items():
        others = {*texts} - {text}
        shared = {len(commonprefix([text, other])) for other in others}  # noqa: RUF071 - of characters
        assert lengths == sorted(shared, reverse=True)


def test_two_long_names_keep_the_place_where_they_differ():
    labels = short_names([f"{LONG}0.001, then all else the same", f"{LONG}0.003, then all else the same"], 20)
    first, other = labels.values()
    assert ("1" in first, "3" in first, "1" in other, "3" in other) == (True, False, False, True)


def test_what_names_have_in_common_gives_way_first():
    assert short_names([f"{LONG}A", f"{LONG}B"], 8) == {f"{LONG}A": "… how: A", f"{LONG}B": "… how: B"}


def test_a_name_that_fits_stays_and_a_lone_long_one_keeps_both_ends():
    labels = short_names(["PPO", string.ascii_letters], 11)
    assert labels["PPO"] == "PPO"
    assert labels[string.ascii_letters] == "abcde…VWXYZ"


@given(st.sets(ALIKE | st.text(max_size=40), max_size=12), st.integers(1, 30))
def test_no_two_names_share_a_label(names: set[str], room: int):
    labels = short_names(names, room)
    assert set(labels) == names
    assert len(set(labels.values())) == len(names)
    assert "" not in labels.values()


@given(st.lists(st.text(string.ascii_letters + " ", min_size=4, max_size=60), unique=True, max_size=8))
def test_the_order_of_names_does_not_matter_and_labels_fit(names: list[str]):
    labels = short_names(names, 12)
    assert short_names(reversed(names), 12) == labels
    assert max(map(len, labels.values()), default=0) <= 12


@given(st.sets(st.text(alphabet=string.ascii_lowercase + string.digits, min_size=1, max_size=50), max_size=8))
def test_a_label_is_made_of_pieces_of_its_name_in_order(names: set[str]):
    for name, label in short_names(names, 30).items():
        pieces = map(re.escape, label.split("#")[0].rstrip().split(GAP))
        assert re.search(".*".join(pieces), name)


def test_names_that_look_alike_are_numbered_but_for_the_one_that_is_its_own_label():
    assert distinct_labels(["a b", "a  b", "a\u200b b"]) == {"a b": "a b", "a  b": "a b #1", "a\u200b b": "a b #2"}
    assert distinct_labels(["x", "y"], lambda _: "") == {"x": "#1", "y": "#2"}


def test_characters_that_cannot_be_seen_are_left_out_but_for_joiners():
    assert one_line("a\u202eb\n\tc\u200dd") == "ab c\u200dd"


@pytest.mark.parametrize("name", ["PPO", "λ-SAC", "強化学習", "🚀"])
def test_a_name_without_right_to_left_letters_is_not_touched(name: str):
    assert isolated(name) == name
    assert isolated_in(f"{name} vs {name}") == f"{name} vs {name}"


def test_each_right_to_left_name_of_a_sentence_is_isolated_on_its_own():
    text = isolated_in("خوارزمية أولى tends to score higher than שיטה, v2, ב")
    inside = [part.split(END)[0] for part in text.split(ISOLATE)[1:]]
    assert inside == ["خوارزمية أولى", "שיטה", "ב"]
    assert isolated_in(text) == text


@pytest.mark.parametrize(
    "names",
    [
        ["first of many letters", "last"],
        ["one two three four", "five two three four"],
        ["a" * 30 + "x", "a" * 30 + "y"],
    ],
)
def test_a_label_that_is_not_the_whole_name_shows_each_end_at_which_it_was_cut(names):
    for name, label in short_names(names, 8).items():
        parts = label.partition("#")[0].strip().split("…")
        assert (len(parts) > 1) == (label != name)
        assert name.startswith(parts[0])
        assert name.endswith(parts[-1])
