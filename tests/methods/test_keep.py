"""`Ledger`: what a call is answered, what is refused, and what stands in the file."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import runoff as ro
from runoff._inference.search import Strict, Trial, level_of

RNG = np.random.default_rng(4)
BASE = RNG.normal(size=40).tolist()
BETTER = (3.0 + RNG.normal(size=40)).tolist()
NOTHING = (RNG.normal(size=40) - 0.2).tolist()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "night.jsonl"


@pytest.fixture
def ledger(path):
    night = ro.Ledger(path)
    night.champion(BASE[:8], name="base")
    return night


def judged(night: ro.Ledger, runs: list[float], name: str, champion: list[float], n_champion: int = 8):
    """Return the answer about a candidate that is run as it is asked for, and the runs of the champion by then."""
    n = 0
    while (answer := night.propose(runs[:n], name=name)).decision == "run_more":
        n, n_champion = n + answer.n_candidate, n_champion + answer.n_champion
        night.champion(champion[:n_champion], name=answer.champion)
    return answer, n_champion


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["strict", pytest.param("gain", marks=pytest.mark.slow)])
def test_a_night_of_few_runs_ends_within_its_budget_whatever_is_asked_for_first(path, mode):
    """In gain a new champion's level comes before the next candidate's first run: the same call is then asked again with its runs."""
    rng, night = np.random.default_rng(7), ro.Ledger(path, mode=mode, budget=120)
    champion = rng.normal(size=8).tolist()
    night.champion(champion, name="base")
    level, kept = 0.0, 0
    for k in range(25):
        runs: list[float] = []
        for _ in range(60):
            answer = night.propose(runs, name=f"change {k}", champion=champion)
            if answer.decision != "run_more":
                break
            runs += (level + k % 2 + rng.normal(size=answer.n_candidate)).tolist()
            champion = champion + (level + rng.normal(size=answer.n_champion)).tolist()
        assert answer.decision != "run_more"
        if answer.decision == "keep":
            level, champion, kept = level + k % 2, runs, kept + 1
    assert answer.n_runs <= 120
    assert kept > 0


def test_a_champion_of_one_run_needs_seven_more(path):
    answer = ro.Ledger(path).champion(BASE[:1], name="base")
    assert (answer.decision, answer.n_champion) == ("run_more", 7)
    assert answer.sentence.startswith("Run 7 more of the champion base")


def test_a_change_that_helps_is_kept_on_fresh_runs(ledger):
    answer, _ = judged(ledger, BETTER, "better", BASE)
    assert (answer.decision, answer.reason, answer.champion) == ("keep", "shown", "better")
    assert answer.n_champion == 4
    row = answer["better"]
    assert (row.n_runs, row.confirmation, row.level) == (10, 1, level_of(0.1, 1))
    assert row.pvalue <= row.level / 4


def test_the_ledger_decides_what_the_law_decides_from_the_same_runs(path):
    law, night = Strict(), ro.Ledger(path)
    for value in BASE[:8]:
        law.champion_run(value)
    night.champion(BASE[:8], name="base")
    for name, runs in {"a": NOTHING, "b": BETTER}.items():
        answer, _ = judged(night, runs, name, BASE)
        trial, n = Trial(name), 8
        while (step := law.step(trial)).decision == "run_more":
            for value in BASE[n : n + step.n_champion]:
                law.champion_run(value, f"c{value}")
            n += step.n_champion
            for value in runs[len(trial.values) :][: step.n_candidate]:
                trial.values.append(value)
                trial.labels.append(str(value))
                law.use(trial)
        law.close(trial, step)
        assert (answer.decision, answer.lead, answer.pvalue) == (step.decision, step.lead, step.pvalue)


def test_the_record_rests_on_runs_that_did_not_choose_the_champion(ledger):
    answer, n = judged(ledger, BETTER, "better", BASE)
    fresh = BETTER[20:24]
    answer = ledger.champion(BETTER[:10] + fresh, name="better")
    assert answer.n_record == 4
    assert answer.record_level == pytest.approx(np.mean(fresh))
    assert answer.gain == pytest.approx(np.mean(fresh) - np.mean(BASE[:n]))
    assert answer.low < answer.gain < answer.high
    assert [step.champion for step in answer.steps] == ["base", "better"]


def test_what_a_greedy_rule_would_have_claimed_is_the_highest_first_run(ledger):
    for name, value in {
        "a": BASE[0] + 5.123456789,
        "b": BASE[0] - 5.123456789,
        "c": BASE[0] + 9.123456789,
        "d": BASE[0] + 2.123456789,
    }.items():
        answer = ledger.propose([value], name=name)
    assert answer.greedy_kept == 2
    assert answer.greedy_gain == pytest.approx(9.123456789)


def test_the_same_question_again_gets_the_same_answer_and_no_line(ledger, path):
    first = ledger.propose([-9.0], name="a")
    before = path.read_bytes()
    again = ledger.propose([-9.0], name="a")
    assert (again.decision, again.sentence) == (first.decision, first.sentence) == ("discard", first.sentence)
    assert path.read_bytes() == before


def test_a_keep_is_told_again_to_a_process_that_was_killed_before_it_heard(ledger):
    answer, _ = judged(ledger, BETTER, "better", BASE)
    again = ledger.propose(BETTER[:10], name="better")
    assert (again.decision, again.lead) == ("keep", answer.lead)


def test_runs_after_a_discard_propose_the_candidate_again(ledger):
    assert ledger.propose([-9.0], name="a").decision == "discard"
    answer = ledger.propose([-9.0, 8.0], name="a")
    assert (answer.decision, answer.reason) == ("run_more", "screening")
    assert [(row.turn, row.n_runs) for row in answer["a"]] == [(1, 1), (2, 1)]


def test_a_keep_ends_other_trials_whose_share_is_gone(ledger):
    other = ledger.propose([4.0, 4.1], name="other")
    assert other.reason == "confirming"
    answer, _ = judged(ledger, BETTER, "better", BASE)
    assert answer.decision == "keep"
    assert answer["better"].confirmation == 2
    ended = ledger.propose([4.0, 4.1, 4.2], name="other")
    assert (ended.decision, ended.reason) == ("discard", "superseded")
    assert ended.alpha_spent == pytest.approx(level_of(0.1, 1) + level_of(0.1, 2))
    assert ledger.propose([4.0, 4.1, 4.2, 9.9], name="other").reason == "level"


def test_runs_that_were_made_at_once_are_judged_one_by_one(ledger):
    answer = ledger.propose(NOTHING[:12], name="a", champion=BASE[:30])
    assert answer.decision == "discard"
    assert (answer["a"].n_runs, answer.n_runs) == (12, 42)


@pytest.mark.parametrize(("runs", "n_fresh"), [(BETTER[:18], 8), ([9.0, 9.5, *NOTHING[:12]], 1)])
def test_a_sentence_counts_the_fresh_runs_that_decided_not_those_that_were_made(ledger, runs, n_fresh):
    answer = ledger.propose(runs, name="a", champion=BASE[:30])
    assert f" on {n_fresh} fresh run" in answer.sentence
    assert answer.lead == pytest.approx(np.mean(runs[2 : 2 + n_fresh]) - np.mean(BASE[:30]))


def test_a_budget_ends_the_search_before_it_is_overdrawn(path):
    night = ro.Ledger(path, budget=20)
    night.champion(BASE[:8], name="base")
    answer, _ = judged(night, BETTER, "better", BASE)
    assert (answer.decision, answer.reason) == ("discard", "budget")
    assert answer.n_runs <= 20


@pytest.mark.parametrize(("mode", "start"), [("strict", 8), ("gain", 6)])
def test_a_candidate_without_a_run_is_not_begun_on_a_spent_budget(path, mode, start):
    night = ro.Ledger(path, mode=mode, budget=20)
    night.champion(BASE[: start + (12 if mode == "strict" else 8)], name="base")
    answer = night.propose([], name="late")
    assert (answer.decision, answer.reason, answer.n_candidate) == ("discard", "budget", 0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_costs_turn_signs(path, sign):
    night = ro.Ledger(path, lower_is_better=sign < 0)
    night.champion([sign * x for x in BASE[:8]], name="base")
    answer = night.propose([sign * 7.0], name="a")
    assert (answer.decision, answer.lead > 0) == ("run_more", True)
    assert answer.record_level == pytest.approx(np.mean(BASE[:8]))


def several(rng, n, shift=0.0):
    return {"Pong": rng.normal(20 * shift, 20, n), "Qbert": rng.normal(1000 + 500 * shift, 500, n)}


def test_several_tasks_are_scaled_by_the_start_and_stay_so(path):
    rng, night = np.random.default_rng(0), ro.Ledger(path)
    start = several(rng, 8)
    night.champion({"base": start})
    new = several(rng, 1, 3.0)
    answer = night.propose({"a": new})
    z = [(new[task][0] - x.mean()) / x.std(ddof=1) for task, x in start.items()]
    assert answer.lead == pytest.approx(np.mean(z))
    assert answer.score_unit == "standard deviations of the start, mean of 2 tasks"
    again = ro.Ledger(path).propose({"b": {"Qbert": new["Qbert"] + 1, "Pong": new["Pong"] + 1}})
    assert again.lead == pytest.approx(
        np.mean([z[0] + 1 / start["Pong"].std(ddof=1), z[1] + 1 / start["Qbert"].std(ddof=1)])
    )


def test_scores_0_and_1_of_several_tasks_are_items_whose_share_is_the_run(path):
    rng, night = np.random.default_rng(1), ro.Ledger(path)
    rows = (rng.random((8, 50)) < 0.6).astype(float)
    rows[:, 0] = 1.0
    night.champion({"base": rows})
    better = (rng.random((1, 50)) < 0.9).astype(float)
    answer = night.propose({"a": better})
    assert answer.lead == pytest.approx(better.mean() - rows.mean())
    assert answer.score_unit == "shares of 50 items"


def test_gain_keeps_more_and_promises_nothing(path):
    night = ro.Ledger(path, mode="gain", budget=100, proposals=5)
    night.champion(BASE[:6], name="base")
    answer, _ = judged(night, BETTER, "better", BASE, 6)
    assert answer.decision == "keep"
    assert 0 < answer.pvalue < 0.5
    assert "guarantees nothing" in answer.sentence
    assert answer["better"].n_runs < 10


def test_the_record_of_gain_rests_on_runs_since_the_last_decision_alone(path):
    night = ro.Ledger(path, mode="gain", budget=100, proposals=5)
    night.champion(BASE[:6], name="base")
    answer, _ = judged(night, BETTER, "better", BASE, 6)
    runs = BETTER[: answer["better"].n_runs] + BETTER[30:34]
    assert night.champion(runs, name="better").n_record == 4
    worse = [x - 9.0 for x in NOTHING]
    answer, n = judged(night, worse, "worse", [*runs, *BETTER[12:30]], len(runs))
    assert answer.decision == "discard"
    # Beside it stand champions with runs that did not choose them, of which there are some.
    assert answer.record_sentence.startswith("Each run of the champion better was used by a decision")
    runs = [*runs, *BETTER[12:30]][:n]
    answer = night.champion([*runs, 3.25, 3.5], name="better")
    assert (answer.n_record, answer.record_level) == (2, 3.375)
    assert "by 2 runs that no decision has used" in answer.record_sentence


def test_the_first_line_holds_the_settings_and_each_call_is_one_line(ledger, path):
    ledger.propose([9.0], name="a")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert (lines[0]["schema"], lines[0]["mode"], lines[0]["alpha"]) == ("runoff.ledger/1", "strict", 0.1)
    assert [line["candidate"] for line in lines[1:]] == [None, "a"]
    assert lines[2]["runs"] == [{"run": "1", "scores": [9.0]}]


# ── what is refused ──────────


REFUSALS = {
    "another score": (lambda night: night.champion([9.0, *BASE[1:8]], name="base"), "run '1' of 'base' had the score"),
    "a repeat": (lambda night: night.propose(BASE[2:3], name="a"), "has the score of run '3' of 'base'"),
    "another task": (lambda night: night.propose({"a": {"Pong": [1.0]}}), "task 'Pong' is not of this ledger"),
    "another champion": (lambda night: night.champion([1.0], name="other"), "the champion is 'base'"),
    "no name": (lambda night: night.propose([1.0]), "use name="),
    "two candidates": (lambda night: night.propose({"a": [1.0], "b": [2.0]}), "are runs of 2 algorithms"),
    "other settings": (
        lambda night: ro.Ledger(night.path, alpha=0.05).propose([1.0], name="a"),
        "has alpha 0.1, not 0.05",
    ),
    "costs": (
        lambda night: ro.Ledger(night.path, lower_is_better=True).propose([1.0], name="a"),
        "has lower_is_better False",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_does_not_belong_to_the_search_is_refused_and_not_written(case, ledger, path):
    call, words = REFUSALS[case]
    before = path.read_bytes()
    with pytest.raises(ro.RunoffError, match=re.escape(words)):
        call(ledger)
    assert path.read_bytes() == before


def test_settings_that_change_between_runs_are_refused_while_a_candidate_is_on_trial(ledger):
    ledger.propose([9.0], name="a", settings={"lr": 1e-3})
    ledger.propose([9.0], name="a", settings={"lr": 1e-3})
    with pytest.raises(ro.DataError, match="the settings of 'a' changed between its runs"):
        ledger.propose([9.0, 8.0], name="a", settings={"lr": 2e-3})


def test_runs_without_spread_are_refused_and_the_ledger_keeps_what_it_had(path):
    night = ro.Ledger(path)
    night.champion([1.0] * 7, name="base")
    before = path.read_bytes()
    with pytest.raises(ro.DesignError, match="the 8 runs of the champion all have the score 1"):
        night.champion([1.0] * 8, name="base")
    assert path.read_bytes() == before


def test_scores_that_come_again_by_chance_are_no_repeats(path):
    night = ro.Ledger(path)
    scores = [0.61, 0.62, 0.61, 0.6, 0.63, 0.62, 0.59, 0.6]
    assert night.champion(scores, name="base").n_runs == 8


def test_a_candidate_before_the_champion_is_refused_with_the_call_that_is_lacking(path):
    with pytest.raises(ro.DesignError, match=r"has no champion yet: give its runs first, ledger\.champion\(runs\)"):
        ro.Ledger(path).propose([1.0], name="a")
    assert not path.exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mode": "greedy"}, "mode must be one of strict, gain"),
        ({"alpha": 2.0}, "alpha must lie strictly between 0 and 1"),
        ({"budget": 5}, "budget must be a whole number of at least 20"),
        ({"mode": "gain", "renew": True}, "renew= belongs to the mode 'strict'"),
        ({"proposals": 3}, "proposals= belongs to the mode 'gain'"),
    ],
)
def test_options_that_no_search_has_are_refused(path, options, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.Ledger(path, **options)


def curves(name, seed, last, shift=0.0):
    rng = np.random.default_rng(seed)
    steps = list(range(1, last + 1))
    rows = [(name, str(run), step, float(rng.normal(shift + step / 10))) for run in range(8) for step in steps]
    return ro.Curves.from_frame(
        dict(zip(("algorithm", "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True))
    )


def test_runs_of_another_length_are_refused(path):
    night = ro.Ledger(path)
    night.champion(curves("base", 0, 10).final())
    with pytest.raises(ro.DesignError, match="they are no runs of one experiment; train as long"):
        night.propose(curves("a", 1, 20).final())
