"""The numbers under the slider are those of "Runs to find it"."""

from __future__ import annotations

import re
from dataclasses import replace
from math import ceil

import pytest

from runoff.report.answers.all import standing_of
from runoff.report.words.more_runs import more_runs, multiple_for, needed_text, slider_words, two_digits
from tests.report.designs import DESIGNS, answers

EVERY = pytest.mark.parametrize("design", DESIGNS)


@EVERY
def test_the_difference_that_was_seen_needs_the_runs_that_the_table_of_pairs_says(design):
    results = answers(design)
    for pair in results.comparison.pairs:
        if pair.needed_multiple is not None and pair.detectable_difference:
            lead = abs(pair.estimate - (0.5 if pair.measure == "improvement" else 0.0))
            assert multiple_for(pair, lead, results) == pytest.approx(pair.needed_multiple, rel=1e-3)


@EVERY
def test_the_difference_that_these_runs_find_needs_these_runs(design):
    results = answers(design)
    for pair in results.comparison.pairs:
        if pair.detectable_difference:
            assert multiple_for(pair, pair.detectable_difference, results) == pytest.approx(1, abs=0.002)


def plan_of(design="nothing_differs"):
    results = answers(design)
    return more_runs(results, standing_of(results))


def test_a_smaller_difference_needs_more_runs_and_the_one_that_was_seen_is_on_the_slider():
    sizes, multiples = zip(*plan_of().grid, strict=True)
    assert list(sizes) == sorted(set(sizes))
    assert list(multiples) == sorted(multiples, reverse=True)
    assert abs(plan_of().pair.difference) in sizes
    assert len(set(map(two_digits, sizes))) == len(sizes)


@EVERY
def test_the_slider_stands_at_the_runs_that_there_are(design):
    plan = plan_of(design)
    if plan is not None:
        assert plan.grid[plan.start] == (plan.pair.detectable_difference, 1.0)
        words = slider_words(plan)["needs"][plan.start]
        assert re.search(r"^(\d+) runs of each.* \(now \1\)$|^as many runs .*as there are$", words)


def test_there_is_no_slider_where_the_leader_is_better_than_all():
    assert plan_of("fully_apart") is None


def test_the_words_are_those_of_the_grid():
    words, grid = slider_words(plan_of()), plan_of().grid
    assert [float(size) for size in words["sizes"]] == [two_digits(size) for size, _ in grid]
    few = [f"{ceil(6 * multiple)} runs of each on each task (now 6)" for _, multiple in grid if 6 * multiple <= 1000]
    many = ["more than 1000 runs of each"] * (len(grid) - len(few))
    assert words["needs"] == many + few
    assert many


def test_a_tie_is_a_finding_only_where_the_interval_lies_within():
    words, pair = slider_words(plan_of()), plan_of().pair
    seen, reach = abs(pair.difference), max(abs(pair.difference_low), abs(pair.difference_high))
    margins = [two_digits(size) for size, _ in plan_of().grid]
    assert words["ties"] == [0 if margin <= two_digits(seen) else 1 + (margin > reach) for margin in margins]
    assert {0, 1, 2} == set(words["ties"])
    no, choice, by_interval = words["tie"]
    assert "{d} does not make" in no
    assert "as a choice, not as a finding" in choice
    assert "may be called a tie: they differ" in by_interval


def test_cells_of_unequal_runs_are_told_by_how_many_times():
    pair = replace(plan_of().pair, n_runs_a=(3, 6))
    assert needed_text(pair, 2.44) == "×2.4"
    assert needed_text(pair, None) == "–"
    assert slider_words(replace(plan_of(), pair=pair))["needs"][-1].endswith(
        " times as many runs on each task as there are"
    )
