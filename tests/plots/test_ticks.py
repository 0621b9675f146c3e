"""Numbers and words of axes."""

from __future__ import annotations

import pytest

from runoff.plots._ticks import LONGEST, end_labels, score_words, signed_tick, tick_label


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (5e-17, "0"),
        (9999.0, "9999"),
        (1e4, "10k"),
        (999999.0, "999.999k"),
        (1e6, "1M"),
        (-2.5e9, "−2.5G"),
        (1000001.0, "1.000001M"),
    ],
)
def test_a_tick_is_short_and_unlike_its_neighbours(value, label):
    assert tick_label(value) == label


@pytest.mark.parametrize(
    ("ends", "labels"),
    [
        ((1 / 3, 1 / 3), ("0.333", "0.333")),
        ((-1 / 3, -1 / 3), ("−0.333", "−0.333")),
        ((0.0, 0.0), ("0", "0")),
        ((0.0, 1.0), ("0", "1")),
        ((100.01, 100.04), ("100.01", "100.04")),
        ((1e9 + 0.1, 1e9 + 0.2), None),
    ],
)
def test_the_ends_of_an_axis_are_named_as_near_as_its_length_asks(ends, labels):
    assert end_labels(*ends) == labels


def test_a_signed_tick_of_0_has_no_sign():
    assert [signed_tick(value) for value in (1e4, -1e4, 0.0)] == ["+10k", "−10k", "0"]


def test_words_for_0_and_1_as_long_as_a_label_may_be_are_printed_and_longer_ones_left_out():
    rest = len("normalised score (0 = , 1 = human)")
    whole, more = ("x" * (LONGEST - rest + extra) for extra in (0, 1))
    assert len(score_words(f"r: 0 is {whole}, 1 is human; a paper")) == LONGEST
    assert score_words(f"r: 0 is {more}, 1 is human; a paper") == "normalised score"
    assert score_words("r: 0 is low, 1 is high") == "normalised score"
