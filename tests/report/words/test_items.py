"""A report of items: accuracies, the paired difference, and a methods paragraph of models, items and attempts."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff.page.answers.all import answer
from runoff.page.files.records import record_of
from runoff.page.sheet.build import build
from runoff.page.words.headline import sentences
from runoff.page.words.paragraph import methods_paragraph


def answers_of(n_attempts=1, cluster=None, strata=None):
    rng = np.random.default_rng(3)
    data = {name: (rng.random((n_attempts, 60)) < rate) * 1.0 for name, rate in (("base", 0.4), ("tuned", 0.8))}
    scores = ro.Scores.from_dict(data, unit="episode" if n_attempts > 1 else "run")
    cluster = None if cluster is None else {task: str(t % cluster) for t, task in enumerate(scores.tasks)}
    numbers = {"alpha": 0.05, "seed": 0, "n_resamples": 100, "command": "", "over": "tasks", "cluster": cluster}
    numbers["strata"] = strata
    return answer(scores, **numbers)


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
    assert "tuned has the highest success rate" in text
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
    assert "R035" in {advice.code for advice in answers.advice}


def test_a_report_over_runs_has_no_strata():
    scores = ro.Scores.from_dict(
        {name: np.random.default_rng(1).normal(size=(5, 4)) for name in "AB"}, score_unit="shared"
    )
    strata = {task: task[-1] if t < 2 else "rest" for t, task in enumerate(scores.tasks)}
    with pytest.raises(ro.OptionError, match="a report has strata where tasks are the sample"):
        answer(scores, alpha=0.05, seed=0, n_resamples=100, command="", strata=strata)


def test_the_methods_of_several_attempts_speak_of_no_items_that_flipped():
    text = methods_paragraph(answers_of(n_attempts=4)).text
    assert "McNemar" not in text
    assert "only one of two models solved" not in text


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
    assert "A has the highest mean on 4 of 12 tasks; 6 are shared" in page
