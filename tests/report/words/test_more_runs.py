"""The numbers of the slider are those of the pairs."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff._inference.planning.pilot import pilot_between
from runoff.page.answers.all import answer, standing_of
from runoff.page.words.more_runs import more_runs, needed_for, slider_words, two_digits
from tests.report.designs import DESIGNS, answers

EVERY = pytest.mark.parametrize("design", DESIGNS)


def plan_of(design="nothing_differs"):
    results = answers(design)
    return more_runs(results, standing_of(results))


def words_of(design="nothing_differs"):
    return slider_words(plan_of(design))


def test_a_smaller_lead_needs_more_runs_and_no_two_are_shown_alike():
    sizes, first, slowest = zip(*plan_of().grid, strict=True)
    assert list(sizes) == sorted(set(sizes))
    assert len(set(map(two_digits, sizes))) == len(sizes)
    for needed in (first, slowest):
        assert list(needed) == sorted(needed, reverse=True)
        assert needed[0] > needed[-1]


@EVERY
def test_the_slider_stands_at_the_lead_that_matters_with_the_runs_of_the_pairs(design):
    plan = plan_of(design)
    if plan is not None:
        first = plan.pairs[0]
        assert plan.grid[plan.start][:2] == (first.planning_margin, first.needed_runs or first.n_runs_a[0])


def test_the_runs_are_those_of_the_first_pair_and_of_the_slowest_that_the_headline_names():
    plan = plan_of()
    assert len(plan.pairs) == 2
    turned = replace(plan, grid=tuple((size, slowest, slowest) for size, _, slowest in plan.grid))
    assert slider_words(turned)["needs"][0].endswith("for SPR and DrQ")


def test_there_is_no_slider_where_the_leader_is_better_than_all():
    assert plan_of("fully_apart") is None


def test_a_chance_on_the_slider_is_a_percentage_as_in_the_sentence_above_it():
    tasks, draw = {"hop": 3_000.0, "run": 40.0, "ant": 7.0}, np.random.default_rng(2)
    scores = {
        name: {task: level * draw.normal(1.0, 0.2, 5) for task, level in tasks.items()} for name in ("SAC", "TD3")
    }
    results = answer(ro.load(scores), alpha=0.05, seed=0, n_resamples=200, command="runoff report runs.csv")
    words = slider_words(more_runs(results, standing_of(results)))
    assert all(size.endswith("\N{NO-BREAK SPACE}%") for size in words["sizes"])
    assert words["sizes"][words["start"]] == "60\N{NO-BREAK SPACE}%"


def test_the_words_are_those_of_the_grid():
    words, grid = words_of(), plan_of().grid
    assert [float(size) for size in words["sizes"]] == [two_digits(size) for size, _, _ in grid]
    for needs, (_, first, slowest) in zip(words["needs"], grid, strict=True):
        both = [f"{n} runs per algorithm and task" if n > 6 else "these runs rule it out" for n in (first, slowest)]
        assert needs.startswith(f"{both[0]} for SPR and DrQ")
        assert (", " in needs) == (both[0] != both[1])
        assert both[1] in needs
    assert any(re.match("these runs rule it out", needs) for needs in words["needs"])


@EVERY
def test_the_slowest_pair_needs_as_many_runs_as_any(design):
    plan, results = plan_of(design), answers(design)
    pairs = plan.pairs if plan is not None else ()
    cells = [pilot_between(results.scores, pair.a, pair.b, pair.measure).pair for pair in pairs]
    for size, first, slowest in plan.grid if plan is not None else ():
        every = [needed_for(own, pair, results.comparison, size) for own, pair in zip(cells, pairs, strict=True)]
        assert (first, slowest) == (every[0], sorted(every)[-1])
