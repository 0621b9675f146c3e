"""A report of items: accuracies, the paired difference, and a methods paragraph of models, items and attempts."""

from __future__ import annotations

import re

import numpy as np
import pytest

import runoff as ro
from runoff.page.answers.all import answer, standing_of
from runoff.page.files.records import record_of
from runoff.page.sheet.build import build
from runoff.page.tables import paper_tables
from runoff.page.words.headline import sentences
from runoff.page.words.next_steps import next_steps
from runoff.page.words.paragraph import methods_paragraph
from runoff.page.words.tiles import tiles
from runoff.words.speech import in_python
from tests.reference import items as plain


def answers_of(n_attempts=1, cluster=None, strata=None):
    rng = np.random.default_rng(3)
    data = {name: (rng.random((n_attempts, 60)) < rate) * 1.0 for name, rate in (("base", 0.4), ("tuned", 0.8))}
    scores = ro.Scores.from_dict(data, unit="episode" if n_attempts > 1 else "run")
    cluster = None if cluster is None else {task: str(t % cluster) for t, task in enumerate(scores.tasks)}
    numbers = {"alpha": 0.05, "seed": 0, "n_resamples": 100, "command": "", "over": "tasks", "cluster": cluster}
    numbers["strata"] = strata
    return answer(scores, **numbers)


UNSEEN = re.compile(r"(?s)<(script|style|code|pre)\b.*?</\1>|<ul class=.files-list.*?</ul>|<[^>]+>")
ELSEWHERE = re.compile(
    r"(?i)algorithms? from model|random seed|seed 0|same data, seed|procedure for three algorithms|plan\(over=\S{1,6}tasks|q\d+"
)
"""What is no word of a report about items: of the file, of the computation, of a method's name."""
OF_TRAINING = re.compile(r"(?i)\b(?:algorithm|task|run|episode|training|seed)s?\b.{0,40}")


def of_models(n_attempts=1, *, k=2, n=60, gap=False, equal=False, cluster=None, strata=False):
    """Return the answers about models m0, m1, … on items q0, q1, …; with a gap the first lacks three."""
    rng = np.random.default_rng(3)
    rates = {f"m{i}": 0.5 if equal else 0.4 + 0.2 * i for i in range(k)}
    data = {
        name: {f"q{t}": ((rng.random(n_attempts) < rate) * 1.0).tolist() for t in range(3 * (gap and name == "m0"), n)}
        for name, rate in rates.items()
    }
    scores = ro.Scores.from_dict(data, unit="episode" if n_attempts > 1 else "run")
    groups = {
        "cluster": {task: str(t % cluster) for t, task in enumerate(scores.tasks)} if cluster else None,
        "strata": {task: "ab"[t % 3 == 0] for t, task in enumerate(scores.tasks)} if strata else None,
    }
    return answer(scores, alpha=0.05, seed=0, n_resamples=100, command="", over="tasks", **groups)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"n_attempts": 4},
        {"k": 3},
        {"gap": True},
        {"n": 12},
        {"equal": True},
        {"cluster": 12},
        {"cluster": 4},
        {"strata": True},
        {"k": 3, "n_attempts": 3, "cluster": 12, "equal": True},
    ],
    ids=str,
)
def test_a_report_about_items_speaks_of_no_training(options):
    answers = of_models(**options)
    tables = [
        in_python(f"{t.caption} {[c.head for c in t.columns if isinstance(c.head, str)]}")
        for t in paper_tables(answers)
    ]
    page = ELSEWHERE.sub("", UNSEEN.sub(" ", build(answers)))
    assert OF_TRAINING.findall(ELSEWHERE.sub("", " ".join([page, *tables, *sentences(answers)]))) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "We compared 2 models on 60 items, answered once by each. The success rate of each model"),
        ({"n_attempts": 4}, "on 60 items, answered with 4 attempts of each."),
        ({"cluster": 12}, "Items that were drawn together were treated as clusters, 12 of them."),
        (
            {"n_attempts": 4, "cluster": 12},
            "with 4 attempts of each. Items that were drawn together were treated as clusters",
        ),
        ({}, "(Wilson 1927) of their number"),
        ({"n_attempts": 4}, "(Wilson 1927) of the number of items drawn by themselves that vary as much."),
        ({"cluster": 12}, "that vary as much as these clusters (after Korn & Graubard 1998), with the quantile of t"),
        ({}, "counted beside it, with McNemar's exact test as a cross-check."),
        ({"cluster": 12}, "solved are counted beside it. Where"),
    ],
)
def test_the_methods_speak_of_models_items_and_attempts(options, words):
    text = methods_paragraph(answers_of(**options)).text
    assert words in text
    assert "independent run" not in text
    assert "(Tango 1998)" in text


def test_the_accuracies_of_a_report_have_wilsons_interval_and_its_clusters():
    alone, together = answers_of().aggregates, answers_of(cluster=12).aggregates
    for result, cluster in ((alone, None), (together, {f"task {t + 1}": str(t % 12) for t in range(60)})):
        expected = ro.aggregate(answers_of().scores, over="tasks", cluster=cluster)["tuned", "mean"]
        assert (result["tuned", "mean"].low, result["tuned", "mean"].high) == (expected.low, expected.high)


def test_the_headline_speaks_of_no_run_where_each_item_was_answered_once():
    text = " ".join(sentences(answers_of()))
    assert "tuned has the higher success rate" in text
    assert "a run of it" not in text


def test_sections_that_need_runs_are_absent():
    answers = answers_of()
    assert (answers.robustness, answers.leads, answers.profiles.result) == (None, (), None)
    assert answers.ranking.omnibus is None
    assert answers.comparison.pairs[0].won_tasks


def test_a_report_over_strata_has_each_by_itself_and_says_their_weights():
    tasks = [f"task {t + 1}" for t in range(60)]
    strata = {task: "quiz" if t < 15 else "exam" for t, task in enumerate(tasks)}
    answers = answers_of(strata=strata)
    text, page = methods_paragraph(answers).text, build(answers)
    assert "on 60 items in 2 strata of equal weight, answered once by each." in text
    assert "is the weighted mean of the strata, with a 95\u00a0% interval made of their score intervals" in text
    assert "Each stratum was compared by itself by the score test" in text
    assert "corrected over the 2 lines by Holm" in text
    assert "counted beside it, with McNemar's exact test as a cross-check." in text
    assert page.count("Strata, each by itself") == 1
    assert page.count("Mean of each stratum") == 1
    record = record_of(answers)["by_stratum"]
    assert [line["stratum"] for line in record["pairs"]] == ["exam", "quiz"]
    assert [row["stratum"] for row in record["aggregates"]] == ["exam", "exam", "quiz", "quiz"]


def test_clusters_within_strata_are_named_in_the_methods_and_cautioned_in_the_report():
    tasks = [f"task {t + 1}" for t in range(60)]
    answers = answers_of(cluster=14, strata={task: "quiz" if t % 14 < 7 else "exam" for t, task in enumerate(tasks)})
    text = methods_paragraph(answers).text
    assert "Items that were drawn together were treated as clusters, 7 of them." in text
    assert "(Bell & McCaffrey 2002; Pustejovsky & Tipton 2018)" in text
    every, of_strata = (
        {(advice.code, advice.text) for part in parts for advice in part.advice}
        for parts in ([answers], answers.comparison.by_stratum)
    )
    assert {code for code, _ in of_strata} == {"R035"}
    assert of_strata < every


SUITES = {f"task {t + 1}": "dmc" if t < 6 else "atari" for t in range(9)}


def of_suites(lead=0.8, weights="equal", score_unit="shared"):
    """Three algorithms on two suites, of six tasks and three, by four runs each."""
    rng = np.random.default_rng(1)
    data = {name: rng.normal(k * lead, 1.0, (4, 9)) for k, name in enumerate("ABC")}
    scores = ro.Scores.from_dict(data, score_unit=score_unit)
    options = {"strata": SUITES, "weights": weights}
    answers = answer(scores, alpha=0.05, seed=0, n_resamples=100, command="", **options)
    return answers, ro.compare(scores, n_resamples=100, **options)


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["equal", "tasks", {"dmc": 3, "atari": 1}])
def test_a_report_has_the_numbers_of_compare_for_each_suite_of_tasks_and_their_mean(weights):
    answers, comparison = of_suites(weights=weights)
    record = record_of(answers)
    assert answers.comparison.to_records() == comparison.to_records()
    assert [line["estimate"] for line in record["by_stratum"]["pairs"]] == [p.estimate for p in comparison.by_stratum]
    # Leaders are ranked by the aggregates, which are the values that the pairs are compared by.
    means = {name: answers.aggregates[name, comparison.measure].estimate for name in "ABC"}
    assert means == pytest.approx(dict(comparison.values))


@pytest.mark.slow
def test_the_interval_of_an_aggregate_over_suites_is_made_of_theirs():
    answers, _ = of_suites(weights="tasks")
    measure, shares = answers.comparison.measure, dict(answers.aggregates.weights)
    lines = {
        row.stratum: row for row in answers.aggregates.by_stratum if (row.algorithm, row.measure) == ("A", measure)
    }
    ends = [(row.estimate, row.low, row.high) for row in lines.values()]
    expected = plain.mover(ends, [shares[name] for name in lines])
    row = answers.aggregates["A", measure]
    assert (row.estimate, row.low, row.high) == pytest.approx(expected)
    assert shares == pytest.approx({"atari": 3 / 9, "dmc": 6 / 9})


@pytest.mark.slow
def test_a_report_over_suites_has_nothing_that_weighs_every_task_alike():
    answers, _ = of_suites()
    page, text = build(answers), methods_paragraph(answers).text
    assert answers.ranking.omnibus is None
    assert (answers.robustness, answers.profiles.result, answers.leads) == (None, None, ())
    assert "on 9 tasks in 2 strata of equal weight" in text
    assert "Each stratum was compared by itself by the jackknife t test" in text
    assert "int(N / 4)" not in text  # the IQM of all runs at once
    assert page.count("Strata, each by itself") == 1


@pytest.mark.slow
def test_the_tiles_of_suites_claim_no_search_that_was_not_made():
    answers, _ = of_suites()
    text = " ".join(f"{tile.answer} {tile.why}" for tile in tiles(answers, standing_of(answers)))
    assert "looked for and not found" not in text
    assert "compare(over='tasks') with the same strata tests that" in in_python(text)


@pytest.mark.slow
def test_the_next_step_of_an_undecided_mean_is_the_suite_that_makes_its_width():
    answers, comparison = of_suites(lead=0.02)
    steps = [step.act for step in next_steps(answers, standing_of(answers))]
    pair = comparison.standing.own[0]
    widths = {
        line.stratum: line.own_high - line.own_low
        for line in comparison.by_stratum
        if {line.a, line.b} == {pair.a, pair.b}
    }
    assert f"Add runs in {max(widths, key=widths.get)}." in steps


def test_suites_in_units_of_their_own_are_reported_by_chances():
    answers, comparison = of_suites(score_unit="per_task")
    assert answers.comparison.measure == comparison.measure == "improvement"
    assert 0 <= answers.aggregates["A", "improvement"].low <= answers.aggregates["C", "improvement"].high <= 1
    assert "Strata, each by itself" in build(answers)


@pytest.mark.parametrize("n_attempts", [1, 4])
def test_the_next_step_of_undecided_items_is_the_plan_of_these(n_attempts):
    rng = np.random.default_rng(5)
    data = {name: (rng.random((n_attempts, 60)) < 0.5) * 1.0 for name in ("base", "tuned")}
    scores = ro.Scores.from_dict(data, unit="episode" if n_attempts > 1 else "run")
    answers = answer(scores, alpha=0.05, seed=0, n_resamples=100, command="", over="tasks")
    (step, *_) = next_steps(answers, standing_of(answers))
    plan = ro.plan(scores, over="tasks", effect=0.1)
    assert f"It takes {plan.n_units} items with {plan.n_repeats} attempt" in step.why
    assert step.act.endswith(f"more (now 60 items with {n_attempts} attempt{'s' * (n_attempts > 1)}).")


def test_items_that_suffice_for_the_margin_are_not_asked_for_again():
    rng = np.random.default_rng(6)
    right = rng.random(400) < 0.5
    other = right ^ (rng.random(400) < 0.1)
    scores = ro.Scores.from_dict({"base": right[None] * 1.0, "tuned": other[None] * 1.0})
    answers = answer(scores, alpha=0.05, seed=0, n_resamples=100, command="", over="tasks")
    acts = [step.act for step in next_steps(answers, standing_of(answers))]
    assert any(act.startswith("Add no items to find a difference of 0.1 between ") for act in acts)


def test_the_methods_of_several_attempts_speak_of_no_items_that_flipped():
    text = methods_paragraph(answers_of(n_attempts=4)).text
    assert "McNemar" not in text
    assert "only one of two models solved" not in text


def test_the_page_aligns_names_of_models_with_their_heads_in_the_table_of_items_that_flipped():
    right = np.random.default_rng(6).random((2, 30)) < 0.6
    scores = ro.Scores.from_dict({"base": right[:1] * 1.0, "tuned": right[1:] * 1.0})
    page = build(answer(scores, alpha=0.05, seed=0, n_resamples=100, command="", over="tasks"))
    table = page.partition('id="c-flips"')[2].partition("</table>")[0]
    (head,) = re.findall(r"<th([^>]*)>Second</th>", table)
    (cell,) = re.findall(r"</th><td([^>]*)><bdi>(?:base|tuned)</bdi></td>", table)
    assert head == cell == ' class="words"'


def test_with_four_clusters_the_tables_have_the_interval_of_the_sentence():
    answers = answers_of(cluster=4)
    (pair,) = answers.comparison.pairs
    assert (pair.n_clusters, pair.verdict) == (4, "no_verdict")
    chance = percent_ends(pair.ahead.improvement_low, pair.ahead.improvement_high)
    assert chance in pair.ahead.sentence
    assert chance in build(answers)
    assert chance in plain_latex(answers.comparison.to_latex())


def percent_ends(low, high):
    return f"[{100 * low:.0f}, {100 * high:.0f}]"


def plain_latex(text):
    return text.replace("{[}", "[").replace("{]}", "]")


def test_tasks_on_which_two_are_level_are_nobodys():
    scores = {"A": [[1.0, 1.0, 0.0, 1.0, 0.0, 0.0] * 2], "B": [[1.0, 0.0, 0.0, 0.0, 0.0, 1.0] * 2]}
    numbers = {"alpha": 0.05, "seed": 0, "n_resamples": 100, "command": "", "over": "tasks"}
    page = build(answer(ro.Scores.from_dict(scores), **numbers))
    assert "A has the higher success rate on 4 of 12 items; 6 are shared" in page
