"""What tools print and keep: the ends of several logs, databases of costs, scores that were computed again, means in workbooks."""

from __future__ import annotations

import json
import sqlite3
from itertools import product

import pytest

import runoff as ro
from runoff.errors import DataError

RUNS = list(product(("ppo", "sac"), range(3)))
ENDS = {a: [2.0 + s + 10 * (a == "sac") for s in range(3)] for a in ("ppo", "sac")}


def tail(line: str, path: str = "logs/{a}/hopper_seed{s}.log", steps=("700k", "1000k")) -> str:
    """Return what `tail` prints of the logs of all runs."""
    parts = []
    for a, s in RUNS:
        lines = (line.format(k=k, x=x) for k, x in zip(steps, (0.5, ENDS[a][s]), strict=True))
        parts.append("\n".join([f"==> {path.format(a=a, s=s)} <==", *lines, ""]))
    return "\n".join(["(env) me@gpu:~$ tail -n 2 logs/*/*.log", *parts])


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("[2024-05-13 08:07:13] INFO step={k}  return={x}  len=3", ("700k", "1000k")),
        ("step {k} | return {x} | loss 0.1", ("700000", "1000000")),
        ("step: {k}, return: {x}", ("700000", "1000000")),
    ],
)
@pytest.mark.parametrize("name", ["out.log", "out.txt"])
@pytest.mark.parametrize("path", ["logs/{a}/hopper_seed{s}.log", "{a}_hopper_s{s}/train.log"])
def test_the_ends_of_several_logs_are_runs_that_their_paths_name(put, line, steps, name, path):
    curves = ro.load(put(name, tail(line, path, steps)))
    assert {a: own["hopper"] for a, own in curves.final().to_dict().items()} == ENDS
    assert sorted({*curves.steps.tolist()}) == [700_000, 1_000_000]


@pytest.mark.parametrize("path", ["logs/{a}{s}.log", "logs/{a}.log"])
def test_ends_of_logs_whose_paths_say_too_little_are_asked_about(put, path):
    with pytest.raises(DataError):
        ro.load(put("out.log", tail("step={k} return={x} len=3", path)))


def test_logs_of_which_one_holds_no_evaluation_are_not_pooled(put):
    text = tail("step={k} return={x} len=3", steps=(1, 2)).rsplit("step=1 ", 1)[0] + "Killed\n"
    with pytest.raises(DataError, match="holds the lines of 6 files"):
        ro.load(put("out.log", text))


def test_steps_that_are_all_amounts_are_steps_and_texts_are_none(put):
    rows = "".join(f"{a},{s},{k},{x}\n" for a, s in RUNS for k, x in (("700k", 0.5), ("1.5M", ENDS[a][s])))
    curves = ro.load(put("runs.csv", f"algo,seed,checkpoint,return\n{rows}"))
    assert curves.final().cell("sac", "task").tolist() == ENDS["sac"]
    with pytest.raises(DataError, match="several scores"):
        ro.load(
            put("texts.csv", f"algo,seed,checkpoint,return\n{rows}".replace("700k", "a.pt").replace("1.5M", "b.pt"))
        )


def database(tmp_path, head: str) -> str:
    path = tmp_path / "runs.db"
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE migrations (version TEXT, loss REAL)")
        base.execute(
            f"CREATE TABLE experiments (id INTEGER, solver TEXT, benchmark TEXT, rep INTEGER, {head} REAL, cpu_seconds REAL)"
        )
        rows = [(i, a, "ft10", s, ENDS[a][s], 0.5 + i) for i, (a, s) in enumerate(RUNS)]
        base.executemany("INSERT INTO experiments VALUES (?, ?, ?, ?, ?, ?)", rows)
    return str(path)


@pytest.mark.parametrize("head", ["makespan", "regret", "val_loss"])
def test_a_database_whose_only_measure_is_a_cost_is_read_negated_with_a_warning(tmp_path, head):
    with pytest.warns(ro.RunoffWarning, match=f"column '{head}' is named like a cost"):
        scores = ro.load(database(tmp_path, head))
    assert scores.to_dict() == {a: {"ft10": [-x for x in own]} for a, own in ENDS.items()}


@pytest.mark.parametrize("head", ["duration", "amount"])
def test_a_database_of_which_nothing_says_what_is_measured_is_asked_about(tmp_path, head):
    with pytest.raises(DataError, match="no table of this database has a column that is recognised as the score"):
        ro.load(database(tmp_path, head))


@pytest.mark.parametrize(
    ("score", "other"), [("score", "score_new"), ("return", "return_fixed"), ("score", "Score (corrected)")]
)
def test_a_score_beside_one_that_was_computed_again_is_asked_about(put, score, other):
    rows = [{"model": a, "seed": s, score: ENDS[a][s], other: 1.5 * s} for a, s in RUNS]
    with pytest.raises(DataError, match="could each be the score"):
        ro.load(put("runs.json", json.dumps(rows)))
    kept = put("old.json", json.dumps(rows).replace(other, f"{score}_old"))
    assert ro.load(kept).cell("sac", "task").tolist() == ENDS["sac"]


def test_attempts_with_an_outcome_are_asked_about_by_heads_in_japanese_too(put):
    rows = [
        {"方策": a, "課題": "移動", "試行": s, "成功": s % 2 == 0, "所要時間_秒": 3.5 + s, "失敗理由": None}
        for a, s in RUNS
    ]
    path = put("runs.json", json.dumps({"実施日": "2025-01-22", "結果": rows}, ensure_ascii=False))
    with pytest.raises(DataError, match="column '試行' may number attempts"):
        ro.load(path)
    assert ro.load(path, unit="episode").cell("sac", "移動").tolist() == [1, 0, 1]


@pytest.mark.parametrize("title", ["Table 4: returns, mean ± std over 5 seeds", "Returns of all algorithms", None])
def test_a_workbook_of_means_and_spreads_is_sent_to_claims_which_read_it(tmp_path, title):
    openpyxl = pytest.importorskip("openpyxl")
    book, path = openpyxl.Workbook(), tmp_path / "table.xlsx"
    rows = [["Environment", "PPO", "SAC"], ["Hopper", "1.2 ± 0.1", "2.4 ± 0.2"], ["Ant", "3.5 ± 0.3", "4.5 ± 0.2"]]
    for row in [[title], *rows] if title else rows:
        book.active.append(row)
    book.save(path)
    with pytest.raises(DataError, match=r"means and spreads, not runs; judge what such a table claims with"):
        ro.load(path)
    claims = ro.claims(path, spread="sd", n_runs=5).claims
    assert {(claim.a, claim.b) for claim in claims} == {("SAC", "PPO")}
    book.create_sheet("more").append(["a", "b"])
    book.save(path)
    with pytest.raises(DataError, match=r"has 2 sheets .*; save the one with the table as CSV"):
        ro.claims(path)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("logs/{a}/hopper/seed_{s}/train.log", "Final return: {x}"),
        ("{a}_hopper_s{s}.log", "12:step=1000 return={x} loss=0.5"),
    ],
)
def test_lines_behind_the_paths_of_logs_are_of_the_runs_that_these_name(put, path, line):
    lines = [f"{path.format(a=a, s=s)}:{line.format(x=ENDS[a][s])}" for a, s in RUNS]
    scores = ro.read_scores(put("grep.txt", "\n".join(lines) + "\n"))
    assert {a: own["hopper"] for a, own in scores.to_dict().items()} == ENDS


def test_arrays_that_scripts_print_over_several_lines_are_lists_of_runs(put):
    arrays = {a: f"[{own[0]} {own[1]}\n {own[2]}]" for a, own in ENDS.items()}
    text = "\n\n".join(f"Environment {t}\n" + "\n".join(f"{a}: {own}" for a, own in arrays.items()) for t in ("u", "v"))
    scores = ro.load(put("out.txt", f"final returns of seeds 0 to 2\n\n{text}\n"), dims="run")
    assert scores.to_dict() == {a: {"u": own, "v": own} for a, own in ENDS.items()}
    with pytest.raises(DataError):
        ro.load(put("out.txt", f"mean of returns over seeds 0 to 2\n\n{text}\n"), dims="run")
