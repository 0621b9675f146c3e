"""Rates and costs beside the number of their attempts: with `unit="episode"` they are counts, or asked about, and never single episodes."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import runoff as ro

COUNTS = {("P", "a"): 18, ("P", "b"): 12, ("Q", "a"): 5, ("Q", "b"): 20}
SHARES = ["success_rate", "accuracy", "test_acc", "win rate", "success", "Erfolgsrate", "成功率"]
PERCENTS = ["success (%)", "win rate (%)", "accuracy (%)", "accuracy", "success_percent", "success"]


def table(head: str, cells: dict[tuple[str, str], object], n: int = 20, seeds: int = 0) -> str:
    runs = [str(seed) for seed in range(seeds)] or [""]
    rows = [f"{p},{t},{f'{s},' * bool(s)}{cell},{n}" for ((p, t), cell), s in itertools.product(cells.items(), runs)]
    return "\n".join([f"policy,task,{'seed,' * bool(seeds)}{head},n", *rows, ""])


@pytest.mark.parametrize(("head", "whole"), [*((h, 1) for h in SHARES), *((h, 100) for h in PERCENTS)])
def test_a_rate_beside_attempts_is_the_count_that_it_is_a_rate_of(put, head, whole):
    rates = {cell: whole * won / 20 for cell, won in COUNTS.items()}
    scores = ro.load(put("rates.csv", table(head, rates)), unit="episode")
    counts = ro.load(put("counts.csv", table("successes", COUNTS)), unit="episode")
    assert [scores.cell(*c).tolist() for c in COUNTS] == [counts.cell(*c).tolist() for c in COUNTS]


# Below a head in percent .9 may be 90 %, and 7 % of 20 attempts are no count.
@pytest.mark.parametrize(
    ("head", "rates"),
    [("success (%)", (0.9, 0.6, 0.2, 0.5)), ("success_percent", (1, 0, 0, 1)), ("accuracy", (7, 9, 3, 12))],
)
def test_a_rate_that_may_be_another_number_is_refused(put, head, rates):
    file = put("t.csv", table(head, dict(zip(COUNTS, rates, strict=True)), n=100 if head != "accuracy" else 20))
    with pytest.raises(ro.DataError, match=r"line 2: .*no rate that one number of successes alone has"):
        ro.load(file, unit="episode")


@pytest.mark.parametrize("head", [*SHARES, *(head for head in PERCENTS if "percent" not in head)])
def test_rates_of_runs_are_scores_of_runs_and_no_attempts(put, head):
    rates = {cell: (5 * won if "%" in head else won / 20) for cell, won in COUNTS.items()}
    file = put("t.csv", table(head, rates, seeds=3))
    with pytest.raises(ro.DataError, match=r"rate of several attempts for each run .*leave out unit='episode'"):
        ro.load(file, unit="episode")
    assert {cell: ro.load(file).cell(*cell).tolist() for cell in rates} == {c: [x] * 3 for c, x in rates.items()}


def test_a_rate_in_percent_that_could_be_a_count_stays_one_without_the_option(put):
    file = put("t.csv", table("success (%)", COUNTS, seeds=2))
    assert ro.load(file).cell("Q", "a").tolist() == [5, 5]


@pytest.mark.parametrize("head", ["errors", "failures", "error_rate", "failure rate (%)", "crash rate"])
@pytest.mark.parametrize("seeds", [0, 2])
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_failures_among_attempts_are_asked_about_with_the_column_to_write(put, head, seeds):
    rate = head not in ("errors", "failures")
    cells = {cell: won / 20 if rate else won for cell, won in COUNTS.items()}
    written = "n − the number of failures" if rate else f"n − {head}"
    with pytest.raises(ro.DataError, match=f"write a column `successes`, {written}, in place of") as refusal:
        ro.load(put("t.csv", table(head, cells, seeds=seeds)), unit="episode")
    assert ("leave out unit='episode'" in str(refusal.value)) == (seeds > 0)
    assert "name it" not in str(refusal.value)


@pytest.mark.parametrize("head", ["score", "pass@1", "f1", "return"])
def test_shares_of_another_name_are_asked_about(put, head):
    file = put("t.csv", table(head, {cell: won / 20 for cell, won in COUNTS.items()}))
    with pytest.raises(ro.DataError, match="name it `success_rate` if it is the share of attempts that succeeded"):
        ro.load(file, unit="episode")


@pytest.mark.parametrize("other", ["batch", "height"])
def test_what_is_no_score_is_not_asked_about_beside_one(put, other):
    rows = [f"{p},{t},{won / 20},{k},20" for k, ((p, t), won) in enumerate(COUNTS.items(), 2)]
    scores = ro.load(put("t.csv", "\n".join([f"policy,task,accuracy,{other},n", *rows, ""])), unit="episode")
    assert {cell: scores.cell(*cell).sum() for cell in COUNTS} == COUNTS


@pytest.mark.parametrize("counts", ["successes,n", "success_rate,n", "successes"])
def test_a_mean_beside_counts_is_not_the_score_of_each_attempt(put, counts):
    cells = {"successes,n": "18,20", "success_rate,n": "0.90,20", "successes": "18/20"}[counts]
    file = put("t.csv", f"policy,task,return,{counts}\nP,a,1.5,{cells}\nQ,a,2.5,{cells}\n")
    name = counts.partition(",")[0]
    for chosen in ({}, {"score": "return"}):
        with pytest.raises(ro.DataError, match=rf"'return' is not the score of a single one: use .*'score': '{name}'"):
            ro.load(file, unit="episode", columns=chosen)
    assert ro.load(file, unit="episode", columns={"score": name}).cell("P", "a").sum() == 18


@pytest.mark.parametrize("heads", ["successes,n", "wins,games", "k,n"])
def test_one_success_of_several_attempts_is_a_count(put, heads):
    scores = ro.load(put("t.csv", f"policy,{heads}\nP,1,20\nQ,0,20\n"), unit="episode")
    assert [np.mean(scores.cell(name, 0)) for name in "PQ"] == [0.05, 0]


@pytest.mark.parametrize("wrong", ["wrong", "incorrect", "unsolved"])
def test_answers_that_were_wrong_are_attempts_too(put, wrong):
    scores = ro.load(put("t.csv", f"model,correct,{wrong}\nP,8,2\nQ,6,4\n"), unit="episode")
    assert [scores.cell(name, 0).tolist() for name in "PQ"] == [[1] * 8 + [0] * 2, [1] * 6 + [0] * 4]


@pytest.mark.parametrize("n", ["num_eval_episodes", "n_test_episodes", "count", "N"])
def test_the_number_of_attempts_has_many_names(put, n):
    rates = {cell: won / 20 for cell, won in COUNTS.items()}
    scores = ro.load(put("t.csv", table("success_rate", rates).replace(",n\n", f",{n}\n")), unit="episode")
    assert {cell: scores.cell(*cell).sum() for cell in COUNTS} == COUNTS


@pytest.mark.parametrize("name", ["n", "total"])
def test_of_two_numbers_of_attempts_none_is_ignored(put, name):
    text = "policy,success_rate,n,total\nP,0.80,10,20\nQ,0.60,10,20\n"
    with pytest.raises(ro.DataError, match=rf"'n', 'total' could each be the number .*\{{'unused': '{name}'\}}"):
        ro.load(put("t.csv", text), unit="episode")
    kept = ro.load(put("t.csv", text), unit="episode", columns={"unused": name})
    assert kept.cell("P", 0).size == {"n": 20, "total": 10}[name]
    equal = ro.load(put("t.csv", text.replace("20", "10")), unit="episode")
    assert equal.cell("P", 0).size == 10


@pytest.mark.parametrize("head", ["errors", "failures", "failed"])
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_of_runs_that_count_failures_the_score_is_their_share_negated(put, head):
    file = put("t.csv", f"policy,seed,{head},n\nP,0,3,10\nP,1,1,4\nQ,0,5,20\nQ,1,0,20\n")
    scores = ro.load(file, columns={"score": head}, lower_is_better=True)
    assert scores.to_dict() == {"P": {"task": [-0.3, -0.25]}, "Q": {"task": [-0.25, 0]}}
    assert any("share of its attempts that failed, 3 of 10 in line 2" in note for note in scores.provenance.notes)


def test_what_a_robot_measured_is_left_out_beside_the_record_of_its_attempt(put):
    rows = "t,q0,q1\n" + "".join(f"{i / 10},{i * 0.3},{i * 7 % 5}\n" for i in range(6))
    for i, (policy, trial) in enumerate([(p, k) for p in ("bc", "vla") for k in range(3)]):
        record = {"policy": policy, "task": "plug", "trial": trial, "success": i % 2 == 0, "operator": "mk"}
        put(f"rollouts/2024-05-13_{i}/states.csv", rows)
        folder = put(f"rollouts/2024-05-13_{i}/meta.json", json.dumps(record)).parents[1]
    with pytest.raises(ro.DataError, match="column 'trial' may number attempts"):
        ro.load(folder)
    with pytest.warns(ro.RunoffWarning, match="6 file.* are left out .*meta.json has the outcome of the run"):
        assert ro.load(folder, unit="episode").to_dict() == {"bc": {"plug": [1, 0, 1]}, "vla": {"plug": [0, 1, 0]}}
