"""How many runs: the comparison, the report's next step and slider, the plan and its table name one number for one question."""

from __future__ import annotations

import re

import numpy as np
import pytest

import runoff as ro
from runoff.page.answers.all import standing_of
from runoff.page.words.more_runs import more_runs
from runoff.page.words.next_steps import next_steps
from tests.amount import amounts
from tests.report.made import answers_of

pytestmark = pytest.mark.usefixtures("few_relabellings")
SEEDS = pytest.mark.parametrize("n_seeds", amounts(3, 30, 300))
MEASURES = [pytest.param("auto", marks=pytest.mark.slow), "mean", "iqm", "improvement"]


def design(seed):
    """Two to four algorithms on one to seven tasks, of equal and unequal numbers of runs; every fourth of successes and failures."""
    rng = np.random.default_rng(seed)
    k, n_tasks, n = int(rng.integers(2, 5)), int(rng.choice([1, 2, 3, 7])), int(rng.integers(3, 9))
    lead, spread, rates = rng.exponential(0.4, k), rng.lognormal(-1, 0.5, n_tasks), seed % 4 == 3
    data = {}
    for a in range(k):
        m = n + (seed % 3 == 2) * int(rng.integers(0, 4))
        runs = rng.normal(1 + lead[a], spread, (m, n_tasks))
        data[f"A{a}"] = (runs > 1.2).astype(float) if rates else runs
    return ro.Scores.from_dict(data, score_unit="per_task" if rates or seed % 5 == 0 else "shared")


def nearest(result, table):
    pair = next(pair for pair in result.pairs if {pair.a, pair.b} == {table.a, table.b})
    return pair if pair.a == table.a else pair.turned()


@SEEDS
@pytest.mark.parametrize("measure", MEASURES)
def test_the_table_of_a_plan_has_the_numbers_of_the_comparison(measure, n_seeds):
    checked = 0
    for seed in range(n_seeds):
        scores = design(seed)
        result, table = ro.compare(scores, measure=measure), ro.plan(scores, measure=measure)
        pair, shown = nearest(result, table), table["detectable"]
        if pair.detectable_difference and shown.effect is not None:
            assert shown.effect == pytest.approx(pair.detectable_difference, rel=1e-6), seed
        if pair.outlook:
            assert table["margin"].effect == pytest.approx(pair.planning_margin), seed
            checked += 1
    assert checked >= n_seeds / 4


@SEEDS
@pytest.mark.parametrize("measure", MEASURES)
def test_a_row_of_the_table_is_the_plan_for_its_effect_whichever_algorithm_stands_first(measure, n_seeds):
    checked = 0
    for seed in range(0, n_seeds, 3):
        scores = design(seed)
        two = [ro.plan(scores, measure=measure).a, ro.plan(scores, measure=measure).b]
        for names in (two, two[::-1]):
            pilot = ro.Scores.from_dict(
                {name: scores.select(algorithms=[name]).to_dict()[name] for name in names}, score_unit="shared"
            )
            table = ro.plan(pilot, measure=measure)
            for row in table.rows:
                checked += same_as_plan(pilot, table, row, names)
    assert checked > n_seeds


def same_as_plan(pilot, table, row, names):
    """Compare a row with the plan for its effect, and return 1; 0 where it has none, or another start or other draws."""
    share, chance = row.question.endswith("%"), table.measure == "improvement"
    if row.n_runs is None or (not share and pilot.binary):
        return 0
    # What is planned for is looked for upwards from the leader.
    behind = names[0] != table.a
    effect = row.question if share else 0.5 + (-row.effect if behind else row.effect) if chance else row.effect
    unit = "improvement" if chance and not share else "raw"
    planned = ro.plan(pilot, effect=effect, effect_unit=unit, measure=table.measure)
    if planned.method == "simulated" and names[0] != table.a:
        return 0
    assert (planned.n_runs, planned.n_runs_naive, planned.n_runs_average) == (
        row.n_runs,
        row.n_runs_naive,
        row.n_runs_average,
    ), (names, row)
    return 1


@SEEDS
def test_the_next_step_and_the_slider_of_a_report_name_the_runs_of_the_comparison(n_seeds):
    checked = 0
    for seed in range(n_seeds):
        answers = answers_of(design(seed))
        standing = standing_of(answers)
        acts = [re.match(r"Train (A\d) and (A\d) to (\d+) runs", step.act) for step in next_steps(answers, standing)]
        for a, b, runs in (act.groups() for act in acts if act):
            assert answers.comparison[a, b].needed_runs == int(runs), seed
            plan = more_runs(answers, standing)
            assert plan is None or plan.grid[plan.start][1] == int(runs), seed
            checked += 1
    assert checked


@pytest.mark.parametrize("measure", ["mean", "iqm"])
@SEEDS
def test_runs_whose_interval_is_as_wide_as_the_margin_find_it_with_a_power_of_one_less_half_the_level(measure, n_seeds):
    checked = 0
    for seed in range(3 * n_seeds):
        scores = design(seed).select(algorithms=["A0", "A1"])
        (pair,) = ro.compare(scores, measure=measure).pairs
        if pair.test == "jackknife" and pair.needed_runs and pair.needed_runs > 20:
            planned = ro.plan(scores, effect=pair.planning_margin, measure=measure, power=0.975)
            assert planned.n_runs_naive == pytest.approx(pair.needed_runs, rel=0.03, abs=1), seed
            checked += 1
    assert checked
