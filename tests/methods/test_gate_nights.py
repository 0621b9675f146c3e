"""One error rate over many nights, and a second run before a drop blocks: who is called, what it costs, what is refused."""

from __future__ import annotations

import json
from math import comb

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.testing import assert_no_regression
from tests.refusals import n_sentences

FAST = {"n_resamples": 6_000}
"""As many draws as 30 nights ask for; one night needs a third of them."""
TASKS = ("Pong", "Qbert", "Alien")


def cells(n, seed, drops=(0, 0, 0), tasks=TASKS):
    rng = np.random.default_rng(seed)
    return {"A": {task: rng.normal(10, 1, n) - drop for task, drop in zip(tasks, drops, strict=False)}}


BEFORE = cells(20, 0)
WORSE, FINE, WORSE_AGAIN = (cells(8, seed, (drop, 0, 0)) for seed, drop in ((1, 3), (2, 0), (3, 3)))


def some(side, *tasks):
    return {"A": {task: side["A"][task] for task in tasks}}


def gated(after, margin=2.5, before=BEFORE, **options):
    draws = FAST if options.keys() & {"nights", "alpha"} else {"n_resamples": 2_000}
    return ro.gate(before, after, margin=margin, **(draws | options))


def refusal(*given, **options):
    with pytest.raises(ro.RunoffError) as caught:
        gated(*given, **options)
    return str(caught.value)


# ── nights ──────────


@pytest.mark.slow
def test_a_night_has_its_share_of_the_false_alarms_and_all_of_the_error_of_held():
    for drop in (0.0, 1.0, 1.5):
        after = cells(8, 5, (drop, 0, 0))
        many, share, single = (gated(after, **options) for options in ({"nights": 30}, {"alpha": 0.05 / 30}, {}))
        assert [r.dropped for r in many.rows] == [r.dropped for r in share.rows]
        assert [r.power for r in many.rows] == [r.power for r in share.rows]
        assert [r.verdict == "held" for r in many.rows] == [r.verdict == "held" for r in single.rows]


def test_a_drop_of_one_night_is_suspect_among_many():
    after = some(cells(8, 5, (1, 0, 0)), "Pong")
    once, many = (gated(after, 0.5, some(BEFORE, "Pong"), **options) for options in ({}, {"nights": 30}))
    assert (once.verdict, many.verdict) == ("regressed", "suspect")
    assert (many.alpha, many.nights) == (0.05, 30)


def test_the_cost_of_many_nights_is_said_in_the_smallest_drop():
    once, many = (gated(FINE, **options) for options in ({}, {"nights": 30}))
    assert many.overall.detectable_drop > once.overall.detectable_drop
    words = f"power {many.overall.detectable_drop:.4g}, for one night by itself {once.overall.detectable_drop:.4g}."
    assert "One false positive rate over 30 nights, α = 0.0017 on each: " in many.notes[0]
    assert words in many.notes[0]


@pytest.mark.parametrize(("alpha", "chance"), [(0.05, "78.5"), (0.01, "26")])
def test_one_night_says_what_thirty_would_do(alpha, chance):
    assert f"30 of them give a false positive with a chance of up to {chance}\xa0%" in gated(FINE, alpha=alpha).notes[0]


@pytest.mark.parametrize("tasks", [TASKS, TASKS[:1]])
def test_runs_too_few_for_any_alarm_in_so_many_nights_are_named_with_the_runs_it_takes(tasks):
    before, after = (some(cells(5, seed), *tasks) for seed in (0, 1))
    note = gated(after, 9.0, before, nights=30).notes[0]
    share = 0.05 / 30 / (2 if len(tasks) > 1 else 1)
    needed = next(n for n in range(2, 99) if comb(2 * n, n) >= 1 / share)
    assert (
        f"On {', '.join(tasks)} no drop can be called significant by itself: so few runs have too few permutations"
        in note
    )
    assert note.endswith(f"for 30 nights; it takes {needed} of each.")
    enough = [some(cells(needed, seed), *tasks) for seed in (0, 1)]
    assert "no drop can be called" not in gated(enough[1], 9.0, enough[0], nights=30).notes[0]


@pytest.mark.parametrize("size", [5, 6])
def test_runs_with_too_few_labellings_have_no_power_and_those_with_enough_have_some(size):
    before, after = (some(cells(size, seed), "Pong") for seed in (0, 1))
    record = gated(after, 9.0, before, nights=30).overall
    able = comb(2 * size, size) >= 30 / 0.05
    assert (record.power > 0.5, record.detectable_drop is not None) == (able, able)
    gone = {"A": {"Pong": before["A"]["Pong"] - 99}}
    assert (gated(gone, 9.0, before, nights=30).verdict == "regressed") == able


@pytest.mark.parametrize("nights", [0, -1, 1e9, 2.5, True, "30"])
def test_nights_are_a_whole_number_above_0(nights):
    assert "nights must be a whole number of at least 1, not" in refusal(FINE, nights=nights)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"nights": 10**9}, "6,000 permutations do not reach them: give a larger alpha, or at most 30 nights."),
        ({"nights": 365}, "6,000 permutations do not reach them: use n_resamples=73000, or at most 30 nights."),
        ({"alpha": 1e-6}, "alpha 1e-06 over 1 night needs p-values as small as 5e-07, and 6,000 permutations"),
    ],
)
def test_an_error_rate_that_no_draw_shows_is_refused_not_silent(options, words):
    assert words in refusal(FINE, **options)


# ── a second run ──────────


def test_what_fresh_runs_do_not_confirm_is_suspect():
    result = gated(WORSE, confirm=some(FINE, "Pong"))
    assert (result.verdict, result.rows[0].verdict, result.confirmation.verdict) == ("suspect", "suspect", "held")
    assert result.sentence.startswith(
        "The candidate is suspect: it had regressed (Pong), and fresh runs do not confirm it."
    )
    assert (
        "and fresh runs do not confirm it. The second run: On 'Pong' a drop of 2.5 or more is ruled out"
        in result.rows[0].sentence
    )
    assert result.rows[1:] == gated(WORSE).rows[1:]


def test_what_fresh_runs_confirm_has_regressed():
    result = gated(WORSE, confirm=some(WORSE_AGAIN, "Pong"))
    again = gated(some(WORSE_AGAIN, "Pong"), before=some(BEFORE, "Pong"))
    assert (result.verdict, result.rows[0].verdict) == ("regressed", "regressed")
    assert result.confirmation.to_records() == again.to_records()
    assert result.sentence.endswith("Fresh runs confirm it (Pong).")
    assert result.rows[0].sentence.endswith(f"Fresh runs confirm it: {again.overall.drop:.4g} lower.")


def test_what_is_suspect_in_fresh_runs_is_not_confirmed():
    normal = np.random.default_rng(5).normal(0, 1, 20)
    normal = (normal - normal.mean()) / normal.std(ddof=1)
    before, worse, again = ({"A": {"Pong": runs}} for runs in (normal, normal - 3.01, 0.999 * normal - 0.46))
    result = gated(worse, margin=0.92, before=before, confirm=again)
    assert result.confirmation.verdict == result.verdict == "suspect"


def test_each_of_several_tasks_is_confirmed_for_itself():
    worse, again = cells(8, 1, (4, 4, 0)), cells(8, 2, (4, 0, 0))
    result = gated(worse, 3.9, confirm=again)
    assert [record.verdict for record in gated(worse, 3.9).rows[:2]] == ["regressed", "regressed"]
    assert [record.verdict for record in result.rows[:2]] == ["regressed", "suspect"]
    assert "Fresh runs confirm it (Pong" in result.sentence
    assert "; Qbert" in result.sentence


def test_where_the_mean_has_regressed_all_tasks_are_run_again():
    worse = cells(8, 1, (3, 3, 3))
    assert "the second run lacks 'Qbert', 'Alien'" in refusal(worse, 1.0, confirm=some(FINE, "Pong"))
    result = gated(worse, 1.0, confirm=FINE)
    assert {record.verdict for record in result.rows} == {"suspect"}
    assert len(result.confirmation.rows) == 4


def test_a_second_run_that_is_not_needed_or_too_large_is_said_to_be_unjudged():
    assert gated(FINE, confirm=WORSE).notes[-1] == "Nothing has regressed, so that the second run is not judged."
    notes = gated(WORSE, confirm=WORSE_AGAIN).notes
    assert notes[-1] == "Qbert, Alien had not regressed, and are not judged in the second run."
    assert (
        gated(WORSE, confirm=some(WORSE_AGAIN, "Pong", "Alien"))
        .notes[-1]
        .startswith("Alien had not regressed, and is not")
    )


def test_with_a_second_run_neither_it_nor_the_alarms_without_it_are_spoken_of():
    note = gated(WORSE, confirm=some(FINE, "Pong")).notes[0]
    assert note == (
        "α = 0.05 is of one night, and a drop must be called twice; nights=30 has one false positive rate over all nights."
    )


def test_a_suspect_of_many_nights_is_so_by_the_level_of_a_single_night():
    record = gated(some(cells(8, 5, (1, 0, 0)), "Pong"), 0.5, some(BEFORE, "Pong"), nights=30).rows[0]
    assert 0.05 / 30 < record.pvalue <= 0.05
    assert (
        "although the test of compare(), one-sided, finds this task by itself, on a single night, lower"
        in record.sentence
    )
    assert "a night of 30 has α = 0.0017" in record.sentence


def test_where_no_drop_is_called_on_any_night_none_is_said_to_be_the_smallest():
    note = gated(some(cells(5, 1), "Pong"), 9.0, some(cells(5, 0), "Pong"), nights=30).notes[0]
    assert "no drop is called with 80\xa0% power, for one night by itself one of " in note


def joined(*sides):
    return {"A": {"Pong": np.concatenate([side["A"]["Pong"] for side in sides])}}


@pytest.mark.parametrize("stale", [WORSE, some(WORSE, "Pong"), joined(WORSE, WORSE_AGAIN)])
def test_runs_of_the_candidate_confirm_nothing(stale):
    words = "the second run has the candidate's scores on task 'Pong': only fresh runs, of other seeds and kept apart"
    assert words in refusal(WORSE, confirm=stale)


def test_runs_of_the_baseline_or_of_another_task_confirm_nothing():
    assert "given twice" in refusal(WORSE, confirm=some(BEFORE, "Pong"))
    assert "the second run lacks 'Pong': what has regressed is to be run again" in refusal(
        WORSE, confirm=some(WORSE_AGAIN, "Qbert")
    )
    assert "single run" in refusal(WORSE, confirm={"A": {"Pong": [7.0]}})


def test_points_of_a_game_that_come_again_are_fresh():
    before = {"A": {"Pong": [19.0, 20.0, 21.0] * 4}}
    after, fresh = ({"A": {"Pong": runs}} for runs in ([10.0, 11.0, 12.0, 12.0], [12.0, 10.0, 11.0, 12.0, 11.0]))
    assert gated(after, 2.0, before, confirm=fresh).verdict == "regressed"


@pytest.mark.parametrize(("old", "whose"), [(WORSE, "candidate"), (BEFORE, "baseline")])
def test_a_second_run_with_one_old_score_is_refused(old, whose):
    runs = WORSE_AGAIN["A"]["Pong"].copy()
    runs[3] = old["A"]["Pong"][5]
    assert f"1 of the second run's 8 scores on task 'Pong' is the {whose}'s" in refusal(
        WORSE, confirm={"A": {"Pong": runs}}
    )


def too_few(n_fresh, nights, before=BEFORE, tasks=("Pong",), after=WORSE):
    fresh = {"A": {task: 10 - 50 - np.random.default_rng(9).random(n_fresh) for task in tasks}}
    return gated(after, before=before, nights=nights, confirm=fresh)


@pytest.mark.parametrize("nights", [15, 30])
def test_a_second_run_too_small_to_confirm_anything_is_refused_with_the_runs_it_takes(nights):
    needed = next(m for m in range(2, 99) if comb(20 + m, m) >= nights / 0.05)
    with pytest.raises(ro.DesignError, match=rf"it takes {needed} fresh runs\. Until then the candidate has regressed"):
        too_few(needed - 1, nights)
    assert too_few(needed, nights).verdict == "regressed"


def test_shared_runs_and_their_mean_take_the_runs_of_whichever_needs_the_most():
    rng = np.random.default_rng(0)
    before, after, fresh = (ro.Scores.from_dict({"A": rng.normal(-d, 1, (n, 3))}, runs="shared") for n, d in SHARED)
    needed = next(m for m in range(2, 99) if comb(10 + m, m) >= 2 * 30 / 0.05)
    words = "that the mean has regressed, whatever it scored: 3 runs beside 10 of the baseline reach no p-value below"
    message = refusal(after, 1.0, before, nights=30, confirm=fresh)
    assert words in message
    assert f"it takes {needed} fresh runs on every task. Until then the candidate has regressed (" in message


SHARED = (10, 0), (10, 6), (3, 6)
"""Runs, and how much lower they are."""


def test_a_second_run_of_rates_is_judged_by_the_failures_that_are_left():
    sides = [{"A": {"reach": np.repeat([1.0, 0.0], counts)}} for counts in ((12, 8), (0, 12), (0, 3), (0, 6))]
    before, after, few, enough = sides
    with pytest.raises(ro.DesignError, match="it takes 4 fresh runs"):
        gated(after, 0.2, before, confirm=few)
    assert gated(after, 0.2, before, confirm=enough).verdict == "regressed"
    p = [comb(8 + m, m) / comb(20 + m, m) for m in (3, 4)]
    assert p[0] > 0.05 >= p[1]


def test_margins_by_task_hold_for_the_second_run_too():
    margin = {"Pong": 2.5, "Qbert": "1sd", "Alien": 4}
    result = gated(WORSE, margin, confirm=some(WORSE_AGAIN, "Pong"))
    assert (result.verdict, result.confirmation.margin) == ("regressed", 2.5)


def test_the_assertion_asks_fresh_runs_first():
    assert assert_no_regression(BEFORE, WORSE, margin=2.5, confirm=some(FINE, "Pong"), **FAST).verdict == "suspect"
    with pytest.raises(AssertionError, match="Fresh runs confirm it"):
        assert_no_regression(BEFORE, WORSE, margin=2.5, confirm=WORSE_AGAIN, nights=3, **FAST)


# ── on the command line ──────────


@pytest.fixture
def files(tmp_path):
    sides = {"base": BEFORE, "new": WORSE, "fine": FINE, "again": WORSE_AGAIN}
    for name, side in sides.items():
        ro.Scores.from_dict(side).to_frame().write_csv(tmp_path / f"{name}.csv")
    return {name: str(tmp_path / f"{name}.csv") for name in sides}


def gate(files, *options):
    return run(["gate", files["base"], files["new"], "--margin", "2.5", "--n-resamples", "6000", *options])


def test_the_exit_code_is_that_of_the_confirmed(files, capsys):
    codes = [gate(files, *options) for options in ([], ["--confirm", files["again"]], ["--confirm", files["fine"]])]
    assert (codes, gate(files, "--confirm", files["fine"], "--fail-on", "suspect")) == ([1, 1, 0], 1)
    assert "fresh runs do not confirm it" in " ".join(capsys.readouterr().out.split())


def test_nights_are_told_on_the_screen_and_in_the_summary(files, capsys):
    gate(files, "--nights", "30")
    assert "One false positive rate over 30 nights, α = 0.0017 on each" in " ".join(capsys.readouterr().out.split())
    gate(files, "--markdown", "-")
    assert (
        "--nights 30 has one false positive rate over all, --confirm RERUN asks fresh runs" in capsys.readouterr().out
    )


def test_the_json_is_that_of_the_library(files, capsys):
    gate(files, "--nights", "3", "--confirm", files["again"], "--json")
    result = ro.gate(files["base"], files["new"], margin=2.5, nights=3, confirm=files["again"], **FAST)
    answer = json.loads(capsys.readouterr().out)
    assert (answer["records"], answer["verdict"]) == (result.to_records(), "regressed")
    assert answer["confirmation"]["records"] == result.confirmation.to_records()
    assert (answer["data"]["path"], answer["warnings"]) == (files["new"], [])
    assert set(result.notes) <= set(answer["notes"])


@pytest.mark.parametrize(("options", "heading"), [((), "suspect"), (("--fail-on", "underpowered"), "suspect")])
def test_the_heading_of_a_summary_is_the_call_that_decides(files, capsys, options, heading):
    gate(files, "--confirm", files["fine"], "--markdown", "-", *options)
    assert capsys.readouterr().out.startswith(f"### runoff gate: {heading}\n")


def test_the_title_has_the_level_of_a_night(files, capsys):
    gate(files, "--nights", "30")
    assert "α = 0.05 over all rows of 30 nights, 0.0017 on each" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--nights", "0"], "nights must be a whole number of at least 1, not 0"),
        (["--nights", "1000000000"], "6,000 permutations do not reach them: give a larger alpha, or at most 30 nights"),
        (["--confirm", "new"], "the second run has the candidate's scores on task 'Pong'"),
        (["--confirm", "base"], "given twice"),
        (["--confirm", "--"], "--confirm needs the fresh runs"),
    ],
)
def test_a_misuse_is_one_sentence(files, capsys, options, words):
    assert gate(files, *(files.get(option, option) for option in options)) == 2
    out, error = capsys.readouterr()
    assert (out, n_sentences(error)) == ("", 1)
    assert words in error
