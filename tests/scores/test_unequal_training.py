"""Algorithms that were trained for unequal lengths: where they are compared, what says so, and what of it can be done."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import runoff as ro
from runoff.answer.base import compared_at
from runoff.methods.rank import critical_difference
from runoff.page.answers.all import answer
from runoff.page.answers.curves import answer_curves
from runoff.page.files.records import record_of
from runoff.page.tables import latex_tables
from runoff.page.words.headline import sentences
from runoff.words.speech import in_shell

POLICIES = ("auto", "drop", "carry", "worst")
FAST = {"n_resamples": 200}


def curves(ends: dict[str, dict[str, list[int]]], every: int = 10, first: int = 0) -> ro.Curves:
    """Runs that end at these steps, by algorithm and task; a score is the run's number plus a thousandth of the step, plus 5 for "ours"."""
    rows = [
        (name, task, run, step, 5.0 * (name == "ours") + run + step / 1000)
        for name, tasks in ends.items()
        for task, lasts in tasks.items()
        for run, last in enumerate(lasts)
        for step in range(last % every, last + 1, every)
        if step >= first
    ]
    heads = "algo", "env", "seed", "step", "score"
    return ro.Curves.from_frame(dict(zip(heads, zip(*rows, strict=True), strict=True)))


def pair(*lasts: int, every: int = 10) -> ro.Curves:
    """`ours`, four runs to step 1000, and `sac`, whose runs end at these steps."""
    return curves({"ours": {"Hopper": [1000] * 4}, "sac": {"Hopper": list(lasts)}}, every)


def final(data: ro.Curves, **how) -> ro.Scores:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        return data.final(**how)


@pytest.mark.parametrize("first", [0, 100])
@pytest.mark.parametrize(("last", "verdict"), [(500, True), (490, False)])
def test_the_share_that_is_common_is_counted_from_step_0_wherever_the_first_evaluation_lies(first, last, verdict):
    scores = final(curves({"ours": {"Hopper": [1000] * 4}, "sac": {"Hopper": [last] * 4}}, first=first))
    assert [caveat.code for caveat in scores.provenance.caveats] == ["R019" if verdict else "R032"]
    assert f"{last / 1000:.0%}" in scores.provenance.caveats[0].text


def test_the_step_of_runs_that_ended_at_several_is_said_to_be_that_of_half_of_them():
    facts = final(pair(700, 800, 900, 700)).provenance.notes[1:]
    assert facts[0].endswith("at step 800 of 1000 (80%), the last that half of the runs of 'sac' reached")
    assert facts[1].startswith("2 of 8 runs ended early, and their last scores stand for the end: algorithm 'sac'")


def report_of(scores: ro.Scores):
    return answer(scores, alpha=0.05, seed=0, n_resamples=200, command="")


@pytest.mark.parametrize("incomplete", POLICIES)
def test_a_whole_side_that_ended_early_is_compared_at_the_last_common_step_and_never_carried(incomplete):
    scores = final(pair(600, 600, 600, 600), incomplete=incomplete)
    assert np.array_equal(scores.values, pair(600, 600, 600, 600).at(600).values)
    assert scores.provenance.notes[-1] == (
        "training was unequal, so all algorithms are compared at step 600 of 1000 (60%), where 'sac' ended"
    )
    assert [(caveat.code, caveat.severity) for caveat in scores.provenance.caveats] == [("R019", "info")]


def test_by_default_a_python_warning_says_so():
    with pytest.warns(
        ro.RunoffWarning, match="training was unequal, so all algorithms are compared at step 600 of 1000"
    ):
        pair(600, 600).final()


@pytest.mark.parametrize(("every", "last"), [(10, 2), (10, "20%"), (7, 1), (250, 1)])
def test_what_counts_ends_at_the_common_step_between_evaluations_too(every, last):
    data = pair(600, 600, 600, 600, every=every)
    steps = data.curve(0)[0]
    until = np.unique([*steps[steps <= 600], 600.0])
    counted = until[-last:] if isinstance(last, int) else until[until >= 600 - 0.2 * (600 - until[0])]
    assert final(data, last=last).cell("ours", 0) == pytest.approx(5 + np.arange(4) + counted.mean() / 1000)


def test_an_area_ends_there_too():
    assert final(pair(600, 600, 600, 600)).n_runs.tolist() == [[4], [4]]
    with pytest.warns(ro.RunoffWarning, match="unequal"):
        areas = pair(600, 600, 600, 600).auc()
    assert areas.cell("ours", 0) == pytest.approx(5 + np.arange(4) + 0.3)


def test_only_the_tasks_on_which_training_is_unequal_are_read_earlier():
    ends = {
        name: {"Ant": [1000] * 3, "Hopper": [600 if name == "sac" else 1000] * 3} for name in ("ours", "ppo", "sac")
    }
    scores = final(curves(ends))
    assert scores.cell("ppo", "Ant").tolist() == [1.0, 2.0, 3.0]
    assert scores.cell("ppo", "Hopper").tolist() == [0.6, 1.6, 2.6]
    assert "compared on 'Hopper' at step 600 of 1000 (60%), where 'sac' ended" in scores.provenance.notes[-1]


def test_of_three_lengths_the_shortest_decides_and_is_the_one_that_is_named():
    ends = {name: {"Hopper": [last] * 3} for name, last in (("ours", 1000), ("ppo", 800), ("sac", 600))}
    note = final(curves(ends)).provenance.notes[-1]
    assert note.endswith("compared at step 600 of 1000 (60%), where 'sac' ended")
    less = final(curves(ends | {"td3": {"Hopper": [300] * 3}})).provenance.notes[-1]
    assert less.endswith(
        "'ppo' ended at step 800 of 1000 (80%); 'sac' ended at step 600 of 1000 (60%); 'td3' ended at step 300 of 1000 (30%)"
    )


def test_where_one_task_has_no_common_step_no_answer_begins_with_that_of_another():
    ends = {"ours": {"Ant": [1000] * 3, "Hopper": [1000] * 3}, "sac": {"Ant": [600] * 3, "Hopper": [300] * 3}}
    result = ro.compare(final(curves(ends)), **FAST)
    assert [advice.severity for advice in result.advice if advice.code in ("R019", "R032")] == ["info", "warning"]
    assert result.sentence.startswith("No leader is named")
    assert compared_at(result.advice) == ""


def test_half_budgets_on_opposite_tasks_are_both_named():
    ends = {"ours": {"Ant": [1000] * 3, "Hopper": [500] * 3}, "sac": {"Ant": [500] * 3, "Hopper": [1000] * 3}}
    scores = final(curves(ends))
    assert scores.cell("ours", "Ant").tolist() == pytest.approx([5.5, 6.5, 7.5])
    assert all(f"at step 500 of 1000 (50%), where '{name}' ended" in scores.provenance.notes[-1] for name in ends)


def test_a_run_of_the_short_side_that_crashed_is_a_single_run_with_the_rules_of_one():
    scores = final(pair(600, 600, 600, 400))
    assert scores.cell("ours", 0).tolist() == pytest.approx([5.6, 6.6, 7.6, 8.6])
    assert scores.cell("sac", 0).tolist() == pytest.approx([0.6, 1.6, 2.6, 3.4])
    assert [caveat.severity for caveat in scores.provenance.caveats] == ["info", "warning"]
    assert final(pair(600, 600, 600, 400), incomplete="drop").n_runs.tolist() == [[4], [3]]


def test_one_run_that_went_on_does_not_move_the_common_step():
    assert "at step 600 of" in final(pair(600, 600, 600, 800)).provenance.notes[-1]


def test_a_cell_that_mixes_short_and_full_runs_keeps_the_rules_of_single_runs():
    scores = final(pair(600, 600, 600, 1000))
    assert scores.cell("ours", 0).tolist() == [6.0, 7.0, 8.0, 9.0]
    assert [(caveat.code, caveat.severity) for caveat in scores.provenance.caveats] == [("R019", "warning")]


def test_the_strict_policy_refuses_and_says_how_to_go_on():
    with pytest.raises(
        ro.DesignError, match=r"the last step that each algorithm reached with incomplete='drop'.*at\(600\)"
    ):
        pair(600, 600, 600).final(incomplete="error")


# ── where no step is common ──────────


HALF = curves({"ours": {"Hopper": [1000] * 5}, "sac": {"Hopper": [400] * 5}})
NO_CURVE = ro.Curves.from_frame(
    {"algo": ["a"] * 3 + ["b"] * 3, "seed": [0, 1, 2] * 2, "step": [900] * 3 + [600] * 3, "score": [1, 2, 4, 7, 8, 10]}
)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (HALF, "less than half of it is common: 'sac' ended at step 400"),
        (NO_CURVE, "not all were evaluated by the last common step"),
    ],
)
@pytest.mark.parametrize("incomplete", POLICIES)
def test_no_leader_is_named_where_no_step_can_stand_for_the_end(data, why, incomplete):
    result = ro.compare(final(data, incomplete=incomplete), **FAST)
    assert (result.leader, result.pairs[0].verdict, result.pairs[0].winner) == (None, "no_verdict", None)
    assert why in result.sentence
    assert result.sentence.startswith("No leader is named: train all algorithms as long")
    assert "No verdict is given" in result.pairs[0].sentence
    assert ro.aggregate(final(data), **FAST).sentence.startswith("No leader is named")


PERCENT = ro.Scores.from_dict(
    {"ours": np.linspace(0.2, 0.6, 10).reshape(5, 2), "sac": np.linspace(30, 70, 10).reshape(5, 2)}
)
SAME = ro.Scores.from_dict({name: np.random.default_rng(1).uniform(0.2, 0.6, (5, 2)) for name in ("ours", "sac")})


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (lambda: final(HALF), "no leader is named: train all algorithms as long"),
        (lambda: PERCENT, "no leader is named: bring both to one unit"),
        (lambda: SAME, "No verdict is given between ours and sac because their runs are the same numbers"),
    ],
    ids=["R032", "R020", "R031"],
)
@pytest.mark.parametrize(
    "ask",
    [
        ro.rank_test,
        critical_difference,
        ro.rank_intervals,
        ro.inferential_intervals,
        ro.robustness,
        lambda scores: ro.where(scores, "ours", "sac"),
        lambda scores: ro.anytime([scores]),
        lambda scores: ro.sequential(scores, design=ro.SequentialDesign(looks=(5, 10))),
        lambda scores: ro.next_runs(scores, budget=10),
        ro.plan,
        lambda scores: ro.plan(scores, effect="10%"),
        ro.runs_needed,
    ],
)
def test_what_would_judge_all_the_same_refuses(ask, data, why):
    with pytest.raises(ro.DesignError, match=why):
        ask(data())
    assert ro.compare(data(), **FAST).sentence.lower().startswith(why.lower())


def test_the_gate_refuses_a_candidate_in_another_unit():
    sides = [PERCENT.select(algorithms=[name]).rename(algorithms={name: "PPO"}) for name in PERCENT.algorithms]
    with pytest.raises(ro.DesignError, match="no leader is named: bring both to one unit: the scores of 'candidate'"):
        ro.gate(*sides, margin=0.1)
    with pytest.raises(ro.DesignError, match="the scores of 'baseline' are about 100 times"):
        ro.gate(*reversed(sides), margin=0.1)


def test_no_exit_of_a_report_names_a_leader():
    answers = report_of(final(HALF))
    record = record_of(answers)
    assert (record["leader"], "standing" in record, record["pairs"][0]["verdict"]) == (None, False, "no_verdict")
    assert (answers.ranking.omnibus, answers.robustness, answers.leads) == (None, None, ())
    assert answers.comparison.pairs[0].spoken == answers.comparison.pairs[0].deciding
    texts = {table.name: table.caption for table in latex_tables(answers)}
    assert "Bold" not in " ".join(texts.values())
    assert "No verdict is given: training was too unequal." in texts["pairs"]
    assert sentences(answers)[1:] == (
        "Train all algorithms as long, or compare at a step that all reached. Until then no number of runs helps.",
    )


def test_without_those_that_ended_the_others_are_compared_at_their_end():
    data = curves({"ours": {"Hopper": [1000] * 3}, "ppo": {"Hopper": [1000] * 3}, "sac": {"Hopper": [300] * 3}})
    assert ro.compare(final(data), **FAST).leader is None
    result = ro.compare(data.select(algorithms=["ours", "ppo"]).final(), **FAST)
    assert (result.leader, result.sentence[:13]) == ("ours", "ours has the ")


# ── what the answers say ──────────


def test_the_answer_begins_with_the_step():
    scores = final(pair(600, 600, 600, 600))
    step = "Training was unequal, so all algorithms are compared at step 600 of 1000 (60%), where 'sac' ended."
    answers = report_of(scores)
    named = ro.compare(scores, **FAST), ro.plan(scores), ro.plan(scores, effect="10%"), ro.anytime([scores])
    assert all(answer.sentence.startswith(step) for answer in named)
    assert sentences(answers)[0].startswith(f"{step} ours has the higher mean")
    assert record_of(answers)["headline"][0].startswith(step)
    assert step in record_of(answers)["methods_text"]
    assert all(step[:-1] in table.caption for table in latex_tables(answers) if table.name in ("aggregates", "pairs"))


@pytest.mark.parametrize(("lasts", "promised"), [((600,) * 4, True), ((1000, 1000, 1000, 600), False)])
def test_an_error_rate_is_promised_where_all_are_read_at_one_step_and_not_where_a_run_is_carried(lasts, promised):
    data = curves({"ours": {"Hopper": [1000] * 8}, "sac": {"Hopper": [*lasts, *lasts]}})
    text = " ".join(sentences(report_of(final(data))))
    assert ("this test finds a difference in about" in text) == promised


@pytest.mark.parametrize("incomplete", ["error", "carry"])
def test_curves_are_compared_up_to_the_common_step_and_nothing_is_carried_beyond(incomplete):
    data = pair(600, 600, 600, 600)
    answers = answer_curves(data, incomplete=incomplete)
    assert answers.efficiency.steps[-1] == answers.comparison.rows[-1].step == 600
    assert any("compared up to step 600 of 1000 (60%), where 'sac' ended" in note for note in answers.efficiency.notes)
    for policy in ("drop", "carry", "worst"):
        with pytest.raises(ro.DesignError, match="all runs of algorithm 'sac' on task 'Hopper' ended before step 1000"):
            ro.curves(data, steps=[0, 1000], incomplete=policy)


def test_of_runs_that_are_censored_nothing_is_said_to_be_carried():
    reached = ro.time_to_threshold(pair(600, 600, 600, 500), 2.0, test="logrank", n_resamples=200)
    assert {"R019", "R032"}.isdisjoint(advice.code for advice in reached.advice)


# ── what a refusal offers ──────────


@pytest.mark.parametrize("policy", ["drop", "carry", "worst"])
def test_beyond_the_end_of_a_whole_side_no_score_is_made_up(policy):
    with pytest.raises(
        ro.DesignError, match=r"all runs of algorithm 'sac' .* ended before step 800, the last at 600.*at\(600\)"
    ):
        pair(600, 600, 600, 600).at(800, incomplete=policy)


CRASHES = {
    "at the start": (pair(1000, 980, 980, 0), ["at(980, incomplete='drop')"]),
    "one of many": (pair(1000, 1000, 1000, 0), ["incomplete='drop'"]),
    "trained a little": (pair(1000, 400, 300, 980), ["at(980, incomplete='drop')", "incomplete='carry'", "at(300)"]),
    "all but one at the start": (pair(1000, 0, 0, 0), []),
    "late": (pair(1000, 980, 980, 480), ["at(980, incomplete='drop')", "incomplete='carry'", "at(480)"]),
    "of one that ends early": (pair(600, 600, 100), ["incomplete='drop'", "incomplete='carry'", "at(100)"]),
}


@pytest.mark.parametrize("crash", CRASHES)
def test_a_refusal_offers_what_works_and_never_a_score_of_no_training(crash):
    data, expected = CRASHES[crash]
    with pytest.raises(ro.DesignError) as refusal:
        final(data)
    offered = re.findall(r"at\(\d+(?:, incomplete='drop')?\)|(?<!, )incomplete='\w+'", str(refusal.value))
    assert offered == expected
    for way in offered:
        call = way if way.startswith("at(") else f"final({way})"
        assert eval(f"data.{call}", {"data": data}).n_runs.min() >= 2  # noqa: S307  # what the message says to call


def test_in_the_shell_the_step_has_all_its_digits():
    step, run = [0, 12345678901, 0, 12111111111, 0], [0, 0, 1, 1, 2]
    data = ro.Curves.from_frame({"algo": ["a"] * 5, "seed": run, "step": step, "score": range(5)})
    with pytest.raises(ro.DesignError) as refusal:
        data.final()
    assert "--at 12111111111 --incomplete drop" in in_shell(refusal.value.args[0])


def test_scores_at_the_common_step_are_said_to_be_so():
    ends = {"A": 100, "B": 140}
    rows = [(a, r, s, float(s + r)) for a, end in ends.items() for r in range(3) for s in range(0, end + 1, 20)]
    columns = dict(zip(("algorithm", "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True))
    with pytest.warns(ro.RunoffWarning, match="training was unequal"):
        scores = ro.Curves.from_frame(columns).final()
    assert scores.cell("B", "task").tolist() == [100.0, 101.0, 102.0]
    assert scores.provenance.score == "the last evaluation of its learning curve, up to the common step"
    alone = ro.Curves.from_frame(columns).select(algorithms=["B"]).final()
    assert alone.provenance.score == "the last evaluation of its learning curve"
