"""Spreadsheets of a fourth stranger: gaps to an optimum, totals, attempts in French, and headers of two lines; each law is a kind of file."""

from __future__ import annotations

import pytest

import runoff as ro

RUNS = {
    "Arno": {"Nord": [1.5, 2.5, 3.5], "Sud": [4.5, 5.5, 6.5]},
    "Bela": {"Nord": [7.5, 8.5, 9.5], "Sud": [2.5, 1.5, 0.5]},
}
CELLS = [(a, t, i, x) for a, tasks in RUNS.items() for t, own in tasks.items() for i, x in enumerate(own)]
pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


# ── gaps ──────────

BEST = {"Nord": 200.0, "Sud": 50.0}


def instances(gap: str, best: str, sign: float, scale: float = 1.0) -> str:
    """Return a table of values and their gaps, in percent unless scaled, to a number of each instance."""
    head = f"instance,size,{best},method,run,value_x,{gap},cpu_s"
    rows = [
        f"{t},{len(t)},{BEST[t]},{a},{r},{BEST[t] * (1 + sign * x / 100)},{x * scale},{r + 0.25}"
        for a, t, r, x in CELLS
    ]
    return "\n".join([head, *rows, ""])


@pytest.mark.parametrize(
    ("gap", "best"), [("gap_pct", "opt"), ("Gap (%)", "best_known"), ("gap", "BKS"), ("gap_to", "lb")]
)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("scale", [1, 0.01])
def test_a_gap_to_the_optimum_of_each_task_is_a_cost_whatever_was_optimised(put, gap, best, sign, scale):
    read = ro.load(put("t.csv", instances(gap, best, sign, scale))).to_dict()
    assert read["Bela"]["Sud"] == pytest.approx([-2.5 * scale, -1.5 * scale, -0.5 * scale])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (instances("gap_pct", "baseline", 1), "value_x"),
        (instances("gap_pct", "opt", 1).replace("9.5,2.25", "9.75,2.25"), "gap_pct"),
        (instances("part_pct", "opt", 1), "part_pct"),
    ],
)
def test_a_gap_to_what_is_no_optimum_and_one_that_is_none_are_asked_about(put, text, named):
    with pytest.raises(ro.DataError, match=f"no column is named like a score.*{named}") as refusal:
        ro.load(put("t.csv", text))
    assert "'score': 'opt'" not in str(refusal.value)


# ── totals, attempts, repeats ──────────


@pytest.mark.parametrize(
    "word", ["Medel", "Genomsnitt", "Standardavvikelse", "Gjennomsnitt", "Gemiddelde", "Średnia", "Desv. est.", "Summa"]
)
def test_rows_that_sum_up_runs_are_left_out_in_several_languages(put, word):
    rows = [
        f"{t},{r},{x},{y}" for t in BEST for r, (x, y) in enumerate(zip(RUNS["Arno"][t], RUNS["Bela"][t], strict=True))
    ]
    sums = [f"{t},{word},9.25,9.75" for t in BEST]
    assert (
        ro.load(put("t.csv", "\n".join(["Uppgift,Körning,Arno,Bela", *rows, *sums, ""])), keys="algorithm").to_dict()
        == RUNS
    )


HEADS = ("Essai", "Versuch", "Ensayo", "Försök", "Trial")


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("total", ["", ";;TOTAL réussites;5;\n", ";;Total successes;5;\n"])
def test_attempts_of_several_languages_are_asked_about_and_their_total_is_none(put, head, total):
    rows = [f"{a};{r};{t};{'oui' if x % 2 > 1 else 'non'};{x}" for a, t, r, x in CELLS]
    path = put("t.csv", "\n".join([f"Politique;{head};Tâche;Réussite;Durée (s)", *rows, total]))
    with pytest.raises(ro.DataError, match="may number attempts, which are not trainings"):
        ro.load(path)
    assert ro.load(path, columns={"run": head}).to_dict()["Arno"]["Nord"] == [1.0, 0.0, 1.0]


def test_a_run_of_an_algorithm_called_like_a_total_is_no_total(put):
    rows = [f"{a},{t},{r},{x}," for a, t, r, x in CELLS] + ["Max reward,Nord,0,4.5,", "Max reward,Sud,0,5.5,late"]
    assert "Max reward" in ro.load(put("t.csv", "\n".join(["algo,env,run,score,comment", *rows, ""]))).algorithms


@pytest.mark.parametrize("head", ["hostname", "machine", "operator"])
def test_runs_again_on_another_machine_are_asked_about_as_repeats(put, head):
    again = [f"{a},{t},{r},{x + i},{'abc'[i]}1" for a, t, r, x in CELLS for i in range(2)]
    path = put("t.csv", "\n".join([f"algo,env,seed,return,{head}", *again, ""]))
    with pytest.raises(ro.DataError, match=r"appears twice.*duplicates='last'"):
        ro.load(path)
    assert ro.load(path, duplicates="first").to_dict() == RUNS


def test_qualities_of_recommendations_are_all_named_in_the_question(put):
    rows = [f"{a},{t},{r},{x / 10},{x / 20},{x / 30}" for a, t, r, x in CELLS]
    with pytest.raises(ro.DataError, match=r"'NDCG@10', 'HR@10', 'Hits@5' could each be the score"):
        ro.load(put("t.csv", "\n".join(["model,dataset,fold,NDCG@10,HR@10,Hits@5", *rows, ""])))


# ── headers of two lines ──────────

PAIRS = [(a, t) for t in ("Nord", "Sud") for a in ("PPO", "SAC")]
NAMED = {"PPO": RUNS["Arno"], "SAC": RUNS["Bela"]}


@pytest.mark.parametrize("above", ["Planta", "Task", "System", "Anlage"])
@pytest.mark.parametrize("below", ["Seed", "Ensayo", "run"])
def test_a_cell_above_the_head_of_runs_names_the_line_of_names_beside_it(put, above, below):
    heads = [f"{above},Nord,,Sud,", f"{below},PPO,SAC,PPO,SAC"]
    rows = [",".join([str(r), *(str(NAMED[a][t][r]) for a, t in PAIRS)]) for r in range(3)]
    text = "\n".join(["Ensayos de control", "", *heads, *rows, "Media,1,2,3,4", ""])
    assert ro.load(put("t.csv", text)).to_dict() == NAMED


def test_seeds_below_the_name_of_their_line_stay_runs(put):
    heads = ["algo,PPO,,SAC,", "seed,0,1,0,1", "env,,,,"]
    rows = ["Pong,1.5,2.5,3.5,4.5", "Breakout,5.5,6.5,7.5,8.5"]
    read = ro.load(put("t.csv", "\n".join([*heads, *rows, ""]))).to_dict()
    assert read == {
        "PPO": {"Breakout": [5.5, 6.5], "Pong": [1.5, 2.5]},
        "SAC": {"Breakout": [7.5, 8.5], "Pong": [3.5, 4.5]},
    }


DAYS = "Task,Octo,,OpenVLA,,notes\n,Mon,Tue,Mon,Tue,\ncup,3/10,5/12,6/10,9/12,\ndoor,2/10,3/12,4/10,6/12,dark\n"


@pytest.mark.parametrize("total", ["", "Total,5/20,8/24,10/20,15/24,\n"])
def test_counts_below_two_lines_are_asked_about_and_their_total_is_no_task(put, total):
    path = put("t.csv", DAYS + total)
    with pytest.raises(ro.DataError, match="keys='algorithm/run'"):
        ro.load(path)
    read = ro.load(path, keys="algorithm/run").to_dict()
    assert read["Octo"] == {"cup": [0.3, pytest.approx(5 / 12)], "door": [0.2, 0.25]}


def test_a_last_row_of_counts_that_is_no_sum_is_asked_about_and_one_that_is_not_called_a_sum_is_a_task(put):
    asked_of = put("total.csv", DAYS + "Total,5/12,8/12,9/12,9/12,\n")
    with pytest.raises(ro.DataError, match="its numbers are not a summary"):
        ro.load(asked_of, keys="algorithm/run")
    named = put("t.csv", DAYS + "drawer,5/20,8/20,10/20,15/20,\n")
    assert ro.load(named, keys="algorithm/run").to_dict()["Octo"]["drawer"] == [0.25, 0.4]
