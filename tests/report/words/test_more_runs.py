"""The numbers of the slider are those of the table of pairs, and what it says is what `compare` says at that margin."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import pytest

import runoff as ro
from runoff.report.answers.all import standing_of
from runoff.report.words import more_runs as more_runs_module
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


def words_of(design="nothing_differs"):
    return slider_words(plan_of(design), answers(design))


def test_a_smaller_difference_needs_more_runs_and_the_one_that_was_seen_is_on_the_slider():
    sizes, multiples = zip(*plan_of().grid, strict=True)
    assert list(sizes) == sorted(set(sizes))
    assert list(multiples) == sorted(multiples, reverse=True)
    assert abs(plan_of().pairs[0].difference) in sizes
    assert len(set(map(two_digits, sizes))) == len(sizes)


def test_the_runs_are_those_of_the_slowest_of_all_pairs_that_the_headline_names():
    plan = plan_of()
    assert len(plan.pairs) == 2
    for size, multiple in plan.grid:
        multiples = [multiple_for(pair, size, answers("nothing_differs")) for pair in plan.pairs]
        assert multiple == pytest.approx(max(multiples), rel=0.01)


def test_there_is_no_slider_where_the_leader_is_better_than_all_or_pairs_are_very_many(monkeypatch):
    assert plan_of("fully_apart") is None
    monkeypatch.setattr(more_runs_module, "MOST_PAIRS", 2)
    assert plan_of() is None


def test_the_words_are_those_of_the_grid():
    words, grid = words_of(), plan_of().grid
    assert [float(size) for size in words["sizes"]] == [two_digits(size) for size, _ in grid]
    few = [f"{ceil(6 * multiple)} runs per algorithm and task (now 6)" for _, multiple in grid if 6 * multiple <= 1000]
    many = ["more than 1000 runs per algorithm and task"] * (len(grid) - len(few))
    assert words["needs"] == many + few


def test_each_place_says_what_compare_says_at_its_margin():
    words, results = words_of(), answers("nothing_differs")
    for size, answer, verdicts in zip(words["sizes"], words["answers"], words["verdicts"], strict=True):
        same = ro.compare(results.scores, margin=float(size), rng=0)
        assert answer == same.sentence
        assert [code == "3" for code in verdicts] == [pair.verdict == "equivalent" for pair in same.standing.pairs]
    assert "3" in words["verdicts"][-1]
    assert "3" not in words["verdicts"][0]


def test_cells_of_unequal_runs_are_told_by_how_many_times():
    pair = replace(plan_of().pairs[0], n_runs_a=(3, 6))
    assert needed_text(pair, 2.44) == "×2.4"
    assert needed_text(pair, None) == "–"
    words = slider_words(replace(plan_of(), pairs=(pair,)), answers("nothing_differs"))
    assert words["needs"][-1].endswith(" times as many runs per algorithm and task as there are")
