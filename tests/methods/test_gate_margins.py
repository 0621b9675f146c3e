"""Margins of a gate: by task, in standard deviations of the baseline, and one number over tasks that spread unlike."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.testing import assert_no_regression
from tests.refusals import n_sentences

FAST = {"n_resamples": 2_000}
SPREADS = (1.0, 10.0, 100.0)


def cells(n, seed, drops=(0, 0, 0), spreads=SPREADS):
    rng = np.random.default_rng(seed)
    means = zip(spreads, drops, strict=True)
    return {"A": {f"t{i}": rng.normal(10 * s, s, n) - s * drop for i, (s, drop) in enumerate(means)}}


BEFORE, AFTER = cells(12, 0), cells(8, 1, drops=(4, 0, 0))
RATES = [{"A": {"a": [1.0] * n + [0.0] * 2, "b": [1.0] * n + [0.0]}} for n in (10, 7)]


def of(result, *names):
    return [tuple(getattr(record, name) for name in names) for record in result.rows]


def refusal(margin, before=BEFORE, after=AFTER):
    with pytest.raises(ro.RunoffError) as caught:
        ro.gate(before, after, margin=margin, **FAST)
    return str(caught.value)


# ── margins by task ──────────


def test_a_multiple_is_that_of_the_standard_deviation_of_the_baselines_runs():
    margins = {task: 0.5 * np.std(runs, ddof=1) for task, runs in BEFORE["A"].items()}
    multiple, by_task, mixed = (
        ro.gate(BEFORE, AFTER, margin=m, **FAST) for m in ("0.5sd", margins, margins | {"t1": ".5sd"})
    )
    assert [record.margin for record in multiple.rows] == [*margins.values(), 1.0]
    assert multiple.to_records() == by_task.to_records() == mixed.to_records()


def test_a_drop_that_one_margin_holds_has_regressed_in_units_of_its_own():
    single, own = (ro.gate(BEFORE, AFTER, margin=margin, **FAST) for margin in (37.0, "1sd"))
    assert (single.tasks[0].verdict, own.tasks[0].verdict) == ("held", "regressed")


def test_the_unit_of_a_task_changes_no_call_if_its_margin_has_it_too():
    units, margins = {"t0": 1e3, "t1": 1e-3, "t2": 7.0}, {"t0": 1.0, "t1": 20.0, "t2": 90.0}
    turned = [{"A": {task: units[task] * runs for task, runs in side["A"].items()}} for side in (BEFORE, AFTER)]
    here = ro.gate(BEFORE, AFTER, margin=margins, **FAST)
    there = ro.gate(*turned, margin={task: units[task] * margin for task, margin in margins.items()}, **FAST)
    assert of(here, "verdict", "runs_needed") == of(there, "verdict", "runs_needed")
    for name in ("pvalue_adjusted", "pvalue_held", "power"):
        assert of(there, name) == [pytest.approx(values, rel=1e-6) for values in of(here, name)]
    assert there.overall.drop_high == pytest.approx(here.overall.drop_high)


@pytest.mark.parametrize(("before", "after", "margin"), [(BEFORE, AFTER, 20.0), (*RATES, 0.4)])
def test_equal_margins_by_task_say_what_one_number_says_but_for_the_unit_of_the_mean(before, after, margin):
    single = ro.gate(before, after, margin=margin, **FAST)
    own = ro.gate(before, after, margin=dict.fromkeys(before["A"], margin), **FAST)
    assert of(own, "verdict", "runs_needed") == of(single, "verdict", "runs_needed")
    for name in ("pvalue_adjusted", "pvalue_held", "power"):
        assert of(own, name) == [pytest.approx(values, rel=1e-6) for values in of(single, name)]
    for name in ("drop", "drop_high", "detectable_drop"):
        assert getattr(own.overall, name) == pytest.approx(getattr(single.overall, name) / margin, rel=1e-4)
        assert of(own, name)[:-1] == [pytest.approx(values, rel=1e-4) for values in of(single, name)[:-1]]


def test_the_mean_is_that_of_drops_in_margins_and_says_so():
    margins = {"t0": 1.0, "t1": 20.0, "t2": 90.0}
    result = ro.gate(BEFORE, AFTER, margin=margins, **FAST)
    drops = [record.drop / record.margin for record in result.tasks]
    assert result.overall.drop == pytest.approx(np.mean(drops))
    assert of(result, "drop_unit") == [("score",)] * 3 + [("margin",)]
    assert "Over 3 tasks, each in units of its margin, the candidate" in result.sentence
    assert (
        f"{abs(result.overall.drop):.4g} margins {'lower' if result.overall.drop > 0 else 'higher'} ("
        in result.sentence
    )
    assert not any("margins " in record.sentence for record in result.tasks)
    assert (result.margin, [record.margin for record in result.tasks]) == (1.0, list(margins.values()))


def test_a_task_of_one_score_holds_the_mean_back_in_margins_too():
    before, after = ({"A": {"t": [500.0] * n, "u": BEFORE["A"]["t1"][:n]}} for n in (9, 8))
    after["A"]["u"] = AFTER["A"]["t1"]
    result = ro.gate(before, after, margin={"t": 5.0, "u": 50.0}, **FAST)
    assert (result.tasks[1].verdict, result.overall.drop_high) == ("held", None)


# ── what is kept ──────────


@pytest.mark.parametrize("margin", ["1sd", {"t0": 1, "t1": "2sd", "t2": 80.5}, {"t2": 80.5, "t1": "2sd", "t0": 1}, 9])
def test_a_saved_baseline_keeps_margins_of_any_kind(tmp_path, margin):
    ro.save_baseline(BEFORE, tmp_path / "kept.json", margin=margin)
    kept = ro.gate(tmp_path / "kept.json", AFTER, **FAST)
    assert kept.to_records() == ro.gate(BEFORE, AFTER, margin=margin, **FAST).to_records()


def test_a_baseline_with_fewer_margins_than_tasks_is_refused(tmp_path):
    from runoff.base.signed import digest_of

    path = tmp_path / "kept.json"
    ro.save_baseline(BEFORE, path, margin="1sd")
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["sha256"]
    content["margins"] = [1.0]
    path.write_text(json.dumps({**content, "sha256": digest_of(content)}), encoding="utf-8")
    with pytest.raises(ro.DataError, match="the baseline has 1 margins and 3 tasks; save it anew"):
        ro.gate(path, AFTER)


def test_the_assertion_takes_margins_of_any_kind():
    with pytest.raises(AssertionError, match="On 't0' the candidate has regressed"):
        assert_no_regression(BEFORE, AFTER, margin="1sd", **FAST)


# ── one margin over unlike tasks ──────────


def test_one_margin_over_unlike_tasks_names_those_that_it_exceeds():
    words = ro.gate(BEFORE, AFTER, margin=37.0, **FAST).sentence
    ratio = 37 / np.std(BEFORE["A"]["t0"], ddof=1)
    assert f"in standard deviations of the baseline it is {ratio:.2g} on t0, " in words
    assert "on t2" not in words
    assert "One margin" not in ro.gate(BEFORE, AFTER, margin={"t0": 37, "t1": 37, "t2": 37}, **FAST).sentence


@pytest.mark.parametrize(("margin", "named"), [(2.5, False), (3.2, True)])
def test_a_task_is_named_where_its_spread_is_surely_below_the_margin(margin, named):
    runs = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
    narrow, wide = (
        runs / runs.std(ddof=1),
        10 * runs,
    )  # of 5 runs that spread by 1 the limit is √(4 / χ²(.025, 4)) = 2.87
    result = ro.gate({"A": {"n": narrow, "w": wide}}, {"A": {"n": narrow + 0.01, "w": wide + 0.1}}, margin=margin)
    assert ("on n" in result.sentence) == named


def test_tasks_that_spread_alike_and_rates_are_not_named():
    alike = [cells(n, seed, spreads=(1.0, 1.2, 0.9)) for n, seed in ((12, 0), (8, 1))]
    assert "One margin" not in ro.gate(*alike, margin=2.5, **FAST).sentence
    assert "One margin" not in ro.gate(*RATES, margin=0.9, **FAST).sentence


# ── what is refused ──────────


@pytest.mark.parametrize("margin", ["1 sd", "sd", "-1sd", "1e3sd", "x", {"t0": "y", "t1": 1, "t2": 1}])
def test_a_text_that_is_no_multiple_is_refused(margin):
    assert 'or a share of its mean as "10%", not ' in refusal(margin)


@pytest.mark.parametrize("margin", [1e307, 1e160, 1e-40])
def test_a_margin_out_of_all_proportion_to_the_scores_is_refused(margin):
    assert "one must be at most 1e+15 times the other" in refusal(margin)
    own = dict.fromkeys(BEFORE["A"], 1.0) | {next(iter(BEFORE["A"])): margin}
    assert "on task" in refusal(own)


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), "0sd", True, None])
def test_a_margin_of_a_task_is_above_0(value):
    assert "that matters on task 't1', must be a finite number above 0" in refusal({"t0": 1, "t1": value, "t2": 1})


@pytest.mark.parametrize(
    ("margin", "words"),
    [
        ({"t0": 1}, "margin names 1 task and not 't1', 't2': name one for every task of the baseline"),
        ({}, "margin names 0 tasks and not 't0', 't1', 't2'"),
        ({"t0": 1, "t1": 1, "t2": 1, "t00": 1}, "margin names 't00', which is no task of the baseline. Did you mean"),
    ],
)
def test_margins_name_every_task_and_no_other(margin, words):
    assert words in refusal(margin)


def test_a_multiple_of_nothing_is_refused():
    level = {"A": {"t": [500.0] * 5}}
    assert "the baseline's runs on task 't' are all alike, so that it would be 0" in refusal("1sd", level, level)
    assert "success rates drop by 1 at most" in refusal("3sd", *RATES)


# ── on the command line ──────────


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / "base.csv", tmp_path / "new.csv"]
    for path, side in zip(paths, (BEFORE, AFTER), strict=True):
        ro.Scores.from_dict(side).to_frame().write_csv(path)
    return [str(path) for path in paths]


def gate(*arguments):
    return run(["gate", *arguments, "--n-resamples", "2000"])


def test_margins_are_said_once_or_for_each_task(files, capsys):
    for options, margin in (
        (["1sd"], "1sd"),
        (["t0=1", "t1=2sd", "t2=80.5"], {"t0": 1.0, "t1": "2sd", "t2": 80.5}),
    ):
        assert gate(*files, *(part for option in options for part in ("--margin", option)), "--json") == 1
        assert json.loads(capsys.readouterr().out)["records"] == ro.gate(*files, margin=margin, **FAST).to_records()


def test_the_table_shows_margins_by_task(files, capsys):
    assert gate(*files, "--margin", "1sd", "--markdown", "-") == 1
    lines = capsys.readouterr().out.splitlines()
    assert "| Task | Runs | Baseline | Candidate | Drop | At most | Margin | Verdict |" in lines
    assert {line.count(" | ") for line in lines if line.startswith("|")} == {7}
    assert any("margins by task, all tasks in units of these, α = 0.05" in line for line in lines)
    assert gate(*files, "--margin", "1sd") == 1
    assert "Means: margins by task, all tasks in units of these" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["1", "2"], "give --margin once, as 0.1 or 1sd, or for each task, as Pong=2"),
        (["t0=1", "2"], "give --margin once, as 0.1 or 1sd, or for each task, as Pong=2"),
        (["t0=1", "t0=2"], "--margin names a task twice"),
        (["t0=1", "t1="], "margin names 2 tasks and not 't2'"),
        (["1 sd"], "not '1 sd'"),
    ],
)
def test_a_margin_that_cannot_be_meant_is_one_sentence(files, capsys, options, words):
    assert gate(*files, *(part for option in options for part in ("--margin", option))) == 2
    out, error = capsys.readouterr()
    assert (out, n_sentences(error)) == ("", 1)
    assert words in error


def test_a_share_of_the_mean_is_that_share_on_each_task_and_none_of_rates():
    before = {"A": {"t": [10.0, 12.0, 11.0, 13.0], "u": [-4.0, -6.0, -5.0, -5.0]}}
    after = {"A": {"t": [10.5, 12.5, 11.2, 13.1], "u": [-4.1, -6.1, -5.3, -5.2]}}
    assert [row.margin for row in ro.gate(before, after, margin="10%").tasks] == pytest.approx([1.15, 0.5])
    successes = {"A": {"t": [1.0, 0.0, 1.0, 1.0]}}
    with pytest.raises(ro.OptionError, match=r"Name it as a rate, 0\.1 for that many points"):
        ro.gate(successes, {"A": {"t": [1.0, 0.0, 0.0, 1.0]}}, margin="10%")
    with pytest.raises(ro.OptionError, match="the baseline's mean on task 't' is 0"):
        ro.gate({"A": {"t": [-1.0, 1.0, 2.0, -2.0]}}, {"A": {"t": [1.5, 0.2, 0.1, 1.0]}}, margin="10%")


@pytest.mark.parametrize(("margin", "noted"), [(0.05, True), (0.5, False), ("5%", False), (5.0, False)])
def test_a_margin_far_below_the_scores_is_said_to_be_in_their_units(margin, noted):
    rng = np.random.default_rng(3)
    before, after = ({"A": {t: rng.normal(mean, 2, 8) for t, mean in (("t", 30.0), ("u", 80.0))}} for _ in "ab")
    notes = ro.gate(before, after, margin=margin, **FAST).notes
    assert (
        ("0.05 is in the units of the scores" in " ".join(notes))
        == noted
        == ("margin='5%' is a share" in " ".join(notes))
    )
