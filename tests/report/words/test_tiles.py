"""Three questions in a few words: they agree with the findings of the comparison, and with the drawings of the page."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff.page.answers.all import standing_of
from runoff.page.sheet import versus
from runoff.page.words.headline import headline, sentences
from runoff.page.words.paragraph import methods_paragraph
from runoff.page.words.tiles import tiles
from tests.report.designs import DESIGNS, answers
from tests.report.made import answers_of, by_chance

RNG = np.random.default_rng(7)


def tiles_of(results):
    return tiles(results, standing_of(results))


def cells(levels, n_runs=8, spread=0.02):
    return {f"t{k}": (level + RNG.normal(0, spread, n_runs)).tolist() for k, level in enumerate(levels)}


@pytest.mark.parametrize("design", DESIGNS)
def test_a_lead_is_called_real_where_it_was_found_and_nowhere_else(design):
    results = answers(design)
    real, *_ = tiles_of(results)
    assert real.answer.startswith("Yes") == (results.comparison.real.holds is True)
    assert real.tone == ("yes" if results.comparison.real.holds else "open")


def test_few_tasks_cannot_tell_whether_a_lead_holds_across_tasks():
    data = {"A": cells([0.5, 0.5, 0.5, 0.10]), "B": cells([0.49, 0.49, 0.49, 0.19])}
    results = answers_of(ro.Scores.from_dict(data))
    _, across, others, _ = tiles_of(results)
    assert results.comparison.leader == "A"
    assert results.comparison.nearest.ahead.a == "A"
    assert (across.answer, across.tone) == ("Cannot be said", "open")
    assert across.why == "Ahead on 2 of 4 tasks, against B; a test of that needs 6 tasks or more."
    assert (others.answer, others.tone) == ("No: B is first by the mean", "no")


def test_a_leader_that_is_behind_in_its_own_pair_is_told_so():
    low = {"x": [0.1, 0.2, 0.15], "y": [0.5, 0.4, 0.45]}
    data = {"A": {**low, "z": [0.9, 0.95, 0.92]}, "B": {task: [v + 0.01 for v in runs] for task, runs in low.items()}}
    data = {name: {**of, "even": [0.3, 0.4, 0.5]} for name, of in data.items()}
    results = answers_of(ro.Scores.from_dict(data))
    _, across, *_ = tiles_of(results)
    assert results.comparison.nearest.a == "A"
    assert (across.answer, across.tone) == ("Cannot be said", "open")
    assert across.why == "A is ahead on 0 of the tasks that both have, level on 1."
    assert results.comparison.sentence == (
        "A has the higher IQM over its own tasks, but these runs cannot tell it from B."
    )
    assert results.aggregates.sentence == "No leader is named: no two algorithms have scores on all tasks."


@pytest.mark.parametrize("level", [False, True])
def test_by_chances_the_tasks_are_counted_as_the_dots_are(level):
    even = {"x": [1.0, 2.0, 3.0, 4.0], "y": [10.0, 30.0, 20.0, 40.0], "z": [500.0, 700.0, 600.0, 900.0]}
    more = {**even, "y": [90.0, 80.0, 70.0, 85.0], "z": [950.0, 990.0, 970.0, 980.0]}
    results = answers_of(ro.Scores.from_dict({"A": more, "B": even})) if level else by_chance()
    leads = [record.estimate for record in results.leads[0].rows]
    _, across, *_ = tiles_of(results)
    n_ahead = sum(lead > 0.5 for lead in leads)
    assert across.why.startswith(f"Ahead on {n_ahead} of {len(leads)} tasks by the chance to win")
    assert ("level on 1" in across.why) == level == (0.5 in leads)


@pytest.mark.parametrize(
    ("leads", "answer", "tone", "why"),
    [
        ([0.1] * 7, "Yes, on tasks like these", "yes", "Ahead on 7 of 7 tasks, against B. By the Hodges-Lehmann"),
        ([0.4, 0.3, 0.2, 0.1, -0.1, -0.1, -0.1], "Not shown", "open", "Ahead on 4 of 7 tasks, against B. By the"),
    ],
)
def test_whether_a_lead_holds_across_tasks_is_tested_from_six_tasks_on(leads, answer, tone, why):
    data = {"A": cells([0.5 + lead for lead in leads]), "B": cells([0.5] * len(leads))}
    results = answers_of(ro.Scores.from_dict(data))
    across = tiles_of(results)[1]
    assert (across.answer, across.tone) == (answer, tone)
    assert across.why.startswith(why)
    assert f"{across.question} {across.answer}. {across.why}" in sentences(results)


@pytest.mark.slow
def test_the_first_of_the_leads_is_the_pair_of_the_headline():
    data = {"A": cells([0.6, 0.6]), "B": cells([0.55, 0.55]), "C": cells([0.54, 0.54], 3, 0.3)}
    noisy = answers_of(ro.Scores.from_dict(data))
    assert noisy.comparison.nearest.b != noisy.comparison.standing.own[0].b
    for results in (noisy, *map(answers, DESIGNS)):
        if results.leads:
            assert results.leads[0].b == results.comparison.nearest.b
            assert len({lead.b for lead in results.leads}) == len(results.leads)


def test_where_units_differ_nobody_is_named_anywhere_on_the_first_screen():
    data = {"raw": cells([1400.0, 900.0, 2100.0], spread=60.0), "normed": cells([0.4, 0.6, 0.5], spread=0.02)}
    results = answers_of(ro.Scores.from_dict(data))
    first = headline(results, standing_of(results))
    assert results.comparison.incomparable
    assert first.answer.startswith("No leader is named")
    assert (tiles_of(results), first.beaten, first.sure) == ([], "", "")
    assert [step.act for step in first.steps] == ["Bring all scores to one unit."]


def test_two_that_are_equivalent_have_no_lead_and_the_p_value_of_the_two_one_sided_tests():
    rng = np.random.default_rng(3)
    data = {name: {f"t{t}": rng.normal(0.7, 0.02, 8).tolist() for t in range(8)} for name in ("A", "B")}
    results = answers_of(ro.Scores.from_dict(data), margin=0.1)
    (pair,) = results.comparison.pairs
    real, *others = tiles_of(results)

    assert pair.pvalue_equivalence_adjusted < 0.001 < pair.pvalue_adjusted
    assert real.why.endswith("Two one-sided tests against a margin of 0.1: p < 0.001.")
    assert [tile.answer for tile in others] == ["There is no lead to hold"] * 3
    (row,) = versus.picture(results, standing_of(results))["view"].rows
    assert (versus.KINDS[row.verdict][1], row.p) == ("equivalent", "p < 0.001")
    assert "showed the difference of IQMs to be smaller than the margin of 0.1, at α = 0.05." in str(
        methods_paragraph(results)
    )


def test_who_is_ahead_of_the_leader_on_shared_tasks_is_not_said_to_be_ahead_on_tasks_like_these_without_a_finding():
    rng = np.random.default_rng(4)
    shared = {f"t{t}": rng.uniform(0.2, 0.5, 5).round(6) for t in range(7)}
    shifts = [0.002, -0.001, 0.003, -0.002, 0.001, 0.002, -0.001]
    other = {task: runs + shift for (task, runs), shift in zip(shared.items(), shifts, strict=True)}
    more = {task: rng.uniform(0.94, 0.99, 5).round(6) for task in ("u", "v", "w", "x")}
    results = answers_of(ro.Scores.from_dict({"A": {**shared, **more}, "B": other}))
    pair = results.comparison.nearest
    assert (pair.a, pair.ahead.a, pair.ahead.over_tasks.verdict) == ("A", "B", "no_difference_found")
    assert (tiles_of(results)[1].answer, tiles_of(results)[1].tone) == ("Not shown", "open")


LEVEL, LOW, ALL, HALF = [0.4, 0.5, 0.6], [0.3, 0.4, 0.5], [1, 1, 1, 0], [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("a", "b", "answer", "why"),
    [
        # By the IQM A is ahead and by the mean B, for A fails in one run of four.
        ([[0.0, 0.6, 0.61, 0.62]] * 5, [[0.5, 0.55, 0.56, 0.57]] * 5, "No lead in the mean", "A is not ahead of B."),
        ([ALL, HALF, ALL, HALF, ALL], [HALF, ALL, ALL, ALL, HALF], "There is no lead to hold", "A and B are level."),
        ([LEVEL, LEVEL, LEVEL, LOW[:1], LOW[:1]], [LOW] * 3 + [LOW[:1]] * 2, "Cannot be said", "and there are 3."),
    ],
)
def test_tasks_are_said_to_be_sought_only_where_there_is_a_lead_that_they_add_up_to(a, b, answer, why):
    data = {name: {f"t{k}": cell for k, cell in enumerate(side)} for name, side in {"A": a, "B": b}.items()}
    *_, carried = tiles_of(answers_of(ro.Scores.from_dict(data, score_unit="shared")))
    assert (carried.answer, why in carried.why, "looked for" in carried.why) == (answer, True, False)


def test_of_chances_of_runs_that_tasks_share_no_task_was_sought():
    rows = RNG.normal(size=(6, 5))
    *_, carried = tiles_of(answers_of(ro.Scores.from_dict({"A": rows + 1, "B": rows}, runs="shared")))
    assert (carried.answer, "looked for" in carried.why) == ("Not tested", False)
