"""The numbers under the slider are those of "Runs to find it"."""

from __future__ import annotations

import re
from dataclasses import replace
from math import ceil

import pytest

from runoff.report.answers.more_runs import more_runs, multiple_for, two_digits
from runoff.report.answers.standing import standing
from runoff.report.words.more_runs import needed_text, slider_words
from tests.report.designs import DESIGNS, answers

EVERY = pytest.mark.parametrize("design", DESIGNS)


@EVERY
def test_the_difference_that_was_seen_needs_the_runs_that_the_table_of_pairs_says(design):
    made = answers(design)
    for pair in made.comparison.pairs:
        if pair.needed_multiple is not None and pair.detectable_difference:
            assert multiple_for(pair, pair.difference, made) == pytest.approx(pair.needed_multiple, rel=1e-3)


@EVERY
def test_the_difference_that_these_runs_find_needs_these_runs(design):
    made = answers(design)
    for pair in made.comparison.pairs:
        if pair.detectable_difference:
            assert multiple_for(pair, pair.detectable_difference, made) == pytest.approx(1, abs=0.002)


def found(design="nothing_differs"):
    made = answers(design)
    return more_runs(made, standing(made))


def test_a_smaller_difference_needs_more_runs_and_the_one_that_was_seen_is_on_the_slider():
    sizes, multiples = zip(*found().grid, strict=True)
    assert list(sizes) == sorted(set(sizes))
    assert list(multiples) == sorted(multiples, reverse=True)
    assert abs(found().pair.difference) in sizes
    assert len(set(map(two_digits, sizes))) == len(sizes)


@EVERY
def test_the_slider_stands_at_the_runs_that_there_are(design):
    known = found(design)
    if known is not None:
        assert known.grid[known.start] == (known.pair.detectable_difference, 1.0)
        told = slider_words(known)["needs"][known.start]
        assert re.search(r"^(\d+) runs of each.* \(now \1\)$|^as many runs .*as there are$", told)


def test_there_is_no_slider_where_the_leader_is_better_than_all():
    assert found("fully_apart") is None


def test_the_words_are_those_of_the_grid():
    told, grid = slider_words(found()), found().grid
    assert [float(one) for one in told["sizes"]] == [two_digits(size) for size, _ in grid]
    few = [f"{ceil(6 * multiple)} runs of each on each task (now 6)" for _, multiple in grid if 6 * multiple <= 1000]
    many = ["more than 1000 runs of each"] * (len(grid) - len(few))
    assert told["needs"] == many + few
    assert many


def test_a_tie_is_a_finding_only_where_the_interval_lies_within():
    told, pair = slider_words(found()), found().pair
    seen, reach = abs(pair.difference), max(abs(pair.difference_low), abs(pair.difference_high))
    margins = [two_digits(size) for size, _ in found().grid]
    assert told["ties"] == [0 if margin <= two_digits(seen) else 1 + (margin > reach) for margin in margins]
    assert {0, 1, 2} == set(told["ties"])
    no, choice, held = told["tie"]
    assert "{d} does not make" in no
    assert "as a choice, not as a finding" in choice
    assert "may be called a tie: they differ" in held


def test_cells_of_unequal_runs_are_told_by_how_many_times():
    pair = replace(found().pair, n_runs_a=(3, 6))
    assert needed_text(pair, 2.44) == "×2.4"
    assert needed_text(pair, None) == "–"
    assert slider_words(replace(found(), pair=pair))["needs"][-1].endswith(
        " times as many runs on each task as there are"
    )
