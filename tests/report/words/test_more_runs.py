"""The numbers of the slider are those of the table of pairs."""

from __future__ import annotations

import re
from dataclasses import replace
from math import ceil

import pytest

from runoff.report.answers.all import standing_of
from runoff.report.words.more_runs import more_runs, multiple_for, slider_words, two_digits
from runoff.results.comparison import needed_text
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


def words_of(design="nothing_differs"):
    return slider_words(plan_of(design))


def test_a_smaller_difference_needs_more_runs_and_the_one_that_was_seen_is_on_the_slider():
    sizes, _, multiples = zip(*plan_of().grid, strict=True)
    assert list(sizes) == sorted(set(sizes))
    assert list(multiples) == sorted(multiples, reverse=True)
    assert abs(plan_of().pairs[0].difference) in sizes
    assert len(set(map(two_digits, sizes))) == len(sizes)


def test_the_runs_are_those_of_the_first_pair_and_of_the_slowest_that_the_headline_names():
    plan = plan_of()
    assert len(plan.pairs) == 2
    for size, first, slowest in plan.grid:
        multiples = [multiple_for(pair, size, answers("nothing_differs")) for pair in plan.pairs]
        assert [first, slowest] == pytest.approx([multiples[0], max(multiples)], rel=0.01)


@EVERY
def test_the_slider_stands_at_the_runs_that_there_are(design):
    plan = plan_of(design)
    if plan is not None:
        assert plan.grid[plan.start][:2] == (plan.pairs[0].detectable_difference, 1.0)
        assert re.match(r"(\d+ runs|as many runs) per algorithm", slider_words(plan)["needs"][plan.start])


def test_there_is_no_slider_where_the_leader_is_better_than_all():
    assert plan_of("fully_apart") is None


def test_the_words_are_those_of_the_grid():
    words, grid = words_of(), plan_of().grid
    assert [float(size) for size in words["sizes"]] == [two_digits(size) for size, _, _ in grid]
    for needs, (_, first, slowest) in zip(words["needs"], grid, strict=True):
        both = [f"{ceil(6 * m)} runs" if 6 * m <= 1000 else "more than 1000 runs" for m in (first, slowest)]
        assert needs.startswith(f"{both[0]} per algorithm and task to separate SPR and DrQ")
        assert (", " in needs) == (both[0] != both[1])
        assert both[1] in needs


def test_cells_of_unequal_runs_are_told_by_how_many_times():
    pair = replace(plan_of().pairs[0], n_runs_a=(3, 6))
    assert needed_text(replace(pair, needed_multiple=2.44)) == "×2.4"
    assert needed_text(replace(pair, needed_multiple=None)) == ""
    words = slider_words(replace(plan_of(), pairs=(pair,)))
    assert words["needs"][-1].startswith("0.3 times as many runs per algorithm and task as there are to separate")
    assert sum("more than 1000" in needs for needs in words["needs"]) == sum(3 * m > 1000 for _, _, m in plan_of().grid)
