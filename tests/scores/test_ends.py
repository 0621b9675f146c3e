"""Runs that end before the others of their task: what each policy does, what it says, and how far that reaches."""

from __future__ import annotations

import warnings

import pytest

import runoff as ro
from runoff.page.answers.all import answer
from runoff.page.words.headline import sentences


def curves(**last: int) -> ro.Curves:
    """Two algorithms, four runs each on one task, evaluated every 10 steps to 1000; `last` ends runs earlier, by a2=990."""
    rows = [
        {"algo": name, "env": "Hopper", "seed": run, "step": step, "score": level + run + step / 1000}
        for name, level in (("a", 0.0), ("b", 9.0))
        for run in range(4)
        for step in range(0, last.get(f"{name}{run}", 1000) + 1, 10)
    ]
    return ro.Curves.from_frame({column: [row[column] for row in rows] for column in rows[0]})


def codes(result) -> list[str]:
    return [advice.code for advice in result.advice]


@pytest.mark.parametrize("end", [990, 1000])
def test_ends_within_one_per_cent_count_as_equal(end):
    scores = curves(a2=end).final()
    assert scores.provenance.caveats == ()
    assert any("within 1.0% of each other" in note for note in scores.provenance.notes) == (end == 990)


def test_a_run_that_lacks_more_is_carried_with_a_warning_that_names_it():
    with pytest.warns(ro.RunoffWarning, match="1 of 8 runs ended early") as warning:
        scores = curves(a2=980).final()
    assert "algorithm 'a', task 'Hopper', run '2' at step 980 of 1000 (98%)" in str(warning[0].message)
    assert scores.cell("a", "Hopper").tolist() == [1.0, 2.0, 2.98, 4.0]


def test_a_run_that_lacks_half_has_no_end_score():
    with pytest.raises(ro.DesignError, match=r"run '2' at step 400 of 1000 \(40%\) is no end score: leave .*at\(400\)"):
        curves(a2=400).final()


def test_the_strict_policy_refuses_any_run_that_lacks_more_than_one_per_cent():
    assert curves(a2=990).final(incomplete="error").n_runs.sum() == 8
    with pytest.raises(ro.DesignError, match="no end score"):
        curves(a2=980).final(incomplete="error")


def test_dropped_runs_are_counted_and_named():
    scores = curves(a2=400, b0=700).final(incomplete="drop")
    assert scores.n_runs.tolist() == [[3], [3]]
    assert scores.provenance.notes[-1].startswith("2 of 8 runs ended early, and they are left out: algorithm 'a'")
    assert "algorithm 'b', task 'Hopper', run '0' at step 700 of 1000 (70%)" in scores.provenance.notes[-1]


def test_a_cell_that_would_lose_most_of_its_runs_is_not_thinned():
    early = curves(a0=400, a1=500, a2=600)
    with pytest.raises(ro.DesignError, match=r"most runs would be left out where algorithm 'a'.*at\(400\)"):
        early.final(incomplete="drop")
    with pytest.raises(ro.DesignError) as refusal:
        early.final()
    assert "leave such runs out" not in str(refusal.value)
    assert early.at(500, incomplete="drop").n_runs.tolist() == [[3], [4]]


def test_a_common_step_is_offered_only_where_all_runs_were_evaluated():
    late = ro.Curves.from_frame(
        {"algo": ["a", "a", "a"], "seed": [0, 0, 1], "step": [500, 1000, 100], "score": [1, 2, 3]}
    )
    with pytest.raises(ro.DesignError) as refusal:
        late.final()
    assert "at(" not in str(refusal.value)


def test_carried_scores_are_those_of_the_runs_own_last_evaluations():
    scores = curves(a2=400).final(last=2, incomplete="carry")
    assert scores.cell("a", "Hopper").tolist() == pytest.approx([0.995, 1.995, 2.395, 3.995])


def test_many_early_runs_are_named_from_the_shortest_on_and_counted():
    scores = curves(a0=900, a1=800, b0=700, b1=600).final(incomplete="carry")
    note = scores.provenance.notes[-1]
    assert note.index("at step 600") < note.index("at step 700") < note.index("at step 800")
    assert note.endswith("; and 1 more")
    assert scores.provenance.caveats[0].subjects == ("a", "b")


def test_an_unknown_policy_is_refused():
    with pytest.raises(ro.OptionError, match="incomplete must be one of auto, error, drop, carry"):
        curves().final(incomplete="ignore")


@pytest.mark.parametrize("incomplete", ["error", "auto"])
def test_a_score_at_a_step_is_not_carried_unless_asked(incomplete):
    with pytest.raises(
        ro.DesignError, match="run '2' was evaluated from step 0 to 400, not at 600: leave such runs out"
    ):
        curves(a2=400).at(600, incomplete=incomplete)


@pytest.mark.parametrize("step", [float("nan"), float("inf"), "600"])
def test_a_step_that_is_no_finite_number_is_refused(step):
    with pytest.raises(ro.OptionError, match="the step at which curves are read must be a finite number"):
        curves().at(step)


def test_at_a_step_early_runs_are_dropped_or_carried():
    assert curves(a2=400).at(600, incomplete="drop").cell("a", "Hopper").tolist() == pytest.approx([0.6, 1.6, 3.6])
    assert curves(a2=400).at(600, incomplete="carry").cell("a", "Hopper").tolist() == pytest.approx(
        [0.6, 1.6, 2.4, 3.6]
    )


def test_a_step_that_all_reached_needs_no_policy_and_no_caveat():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = curves(a2=400).at(400)
    assert scores.provenance.caveats == ()
    assert not any("equal" in note for note in scores.provenance.notes)


def test_no_score_is_made_up_before_the_first_evaluation():
    late = ro.Curves.from_frame({"algo": ["a", "a"], "seed": [0, 0], "step": [10, 20], "score": [1, 2]})
    with pytest.raises(ro.DesignError, match=r"from step 10 to 20, not at 5\.$"):
        late.at(5, incomplete="carry")


def test_areas_have_the_same_policies():
    assert curves(a2=400).auc(incomplete="drop").n_runs.tolist() == [[3], [4]]
    with pytest.raises(ro.DesignError, match="no end score"):
        curves(a2=400).auc()


def test_the_area_of_a_run_that_is_carried_has_its_last_score_up_to_the_end_of_the_others():
    steps = {(a, seed): 10 if (a, seed) != ("b", 1) else 6 for a in "ab" for seed in (0, 1, 2)}
    rows = [(a, seed, step, step * 1.0) for (a, seed), last in steps.items() for step in range(last + 1)]
    data = ro.Curves.from_frame(dict(zip(("algo", "seed", "step", "score"), zip(*rows, strict=True), strict=True)))
    areas = data.auc(incomplete="carry").to_dict()
    # 6² / 2 up to its end and 6 over the last four steps, divided by ten.
    assert areas == {"a": {"task": [5.0] * 3}, "b": {"task": [5.0, (18 + 24) / 10, 5.0]}}
    assert data.auc(incomplete="worst").to_dict()["b"]["task"] == [5.0, 3.0, 5.0]
    assert data.auc(incomplete="drop").to_dict()["b"]["task"] == [5.0, 5.0]


def test_the_code_reaches_every_answer():
    scores = curves(a2=400).final(incomplete="carry")
    assert "R019" in codes(ro.compare(scores, n_resamples=200))
    assert "R019" in codes(ro.aggregate(scores, n_resamples=200))
    assert "R019" in codes(ro.rank_test(scores))
    assert "R019" in codes(ro.effect_sizes(scores))


def test_the_caution_of_the_report_names_the_run():
    scores = curves(a2=400).final(incomplete="carry")
    text = " ".join(sentences(answer(scores, alpha=0.05, seed=0, n_resamples=200, command="")))
    assert (
        "R019: Finish such runs, or compare at a step that all reached, at(400): 1 of 8 runs ended early, and its last score stands for the "
        "end: algorithm 'a', task 'Hopper', run '2' at step 400 of 1000 (40%)." in text
    )


def test_a_caveat_leaves_with_its_algorithm():
    scores = curves(a2=400).final(incomplete="carry")
    assert scores.select(algorithms=["b"]).provenance.caveats == ()
    assert scores.select(algorithms=["a"]).provenance.caveats == scores.provenance.caveats


def test_training_begins_at_the_least_step_below_0():
    rows = [("A", "X", run, step, run + step / 10) for run in (0, 1) for step in (-10 * run, 0, 10)]
    table = dict(zip(("algorithm", "task", "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True))
    table["step"][1] = 5
    assert ro.Curves.from_frame(table).ends().start.tolist() == [-10, -10]
