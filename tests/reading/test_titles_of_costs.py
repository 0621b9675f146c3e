"""Lines beside tables, corners and rows of units that say that less is better, or name a cost."""

from __future__ import annotations

import json

import polars as pl
import pytest

import runoff as ro
from tests.reading.test_repairs_of_tables import refused
from tests.reading.test_tables_of_a_spreadsheet_person import SHEETS, TRUTH, book, rows, sheets_of, wide

COSTS = {a: {t: [-x for x in xs] for t, xs in own.items()} for a, own in TRUTH.items()}
LESS = ["Energy use (lower is better)", "Verbrauch – kleiner ist besser", "Regret ↓", "エネルギー(低いほど良い)"]


def below(title: str, head: str) -> str:
    return f"{title}\n\n{head}\n{rows(chr(9), lambda a, t, r: TRUTH[a][t][r - 1] + 1)}"


ONE_MORE = {a: {t: [x - 1 for x in xs] for t, xs in own.items()} for a, own in COSTS.items()}


@pytest.mark.parametrize("title", LESS)
@pytest.mark.parametrize("head", ["score", "Energie [J]", "value", "cost", "Zeit"])
@pytest.mark.parametrize("name", ["t.tsv", "t.txt"])
def test_a_title_says_that_less_is_better_of_the_only_score_below_it(put, recwarn, title, head, name):
    path = put(name, below(title, f"Regler\tSzenario\tWiederholung\t{head}"))
    assert ro.load(path).to_dict() == ONE_MORE
    assert sum("less is better" in str(w.message) for w in recwarn) == 1
    named = ro.load(path, columns={"score": head}, lower_is_better=True)
    assert named.to_dict() == ONE_MORE


@pytest.mark.parametrize("title", LESS)
@pytest.mark.parametrize("layout", ["runs", "algorithms", "list", "object", "numbers"])
def test_a_title_says_that_less_is_better_of_all_scores_below_it(put, title, layout):
    own = [x + 1 for x in TRUTH["A"]["x"]]
    texts = {
        "runs": ("t.csv", f"{title}\n\nalgorithm,run 1,run 2,run 3\nA,{str(own)[1:-1]}\n"),
        "algorithms": ("t.csv", f"{title}\nrun,PPO,SAC\n" + "".join(f"{i},{x},{x}\n" for i, x in enumerate(own))),
        "list": (
            "t.md",
            f"## {title}\n\n| algorithm | run | score |\n|--|--|--|\n"
            + "".join(f"|A|{i}|{x}|\n" for i, x in enumerate(own)),
        ),
        "object": (
            "t.json",
            json.dumps({"metric": title, "results": {"PPO": {"Hopper": own}, "SAC": {"Hopper": own}}}),
        ),
        "numbers": ("A.txt", f"# {title}\n" + "".join(f"{x}\n" for x in own)),
    }
    with pytest.warns(ro.RunoffWarning, match="says that less is better: the scores are negated"):
        scores = ro.load(put(*texts[layout]))
    assert sorted(scores.cell(scores.algorithms[0], scores.tasks[0]).tolist()) == sorted(-x for x in own)
    assert ro.load(put(*texts[layout]), lower_is_better=True).to_dict() == scores.to_dict()


@pytest.mark.parametrize("head", ["return", "Belohnung", "win_rate", "success", "score ↑", "test accuracy"])
def test_a_title_turns_no_score_that_is_named_like_a_gain(put, head):
    with pytest.warns(ro.RunoffWarning, match="says that less is better: give lower_is_better=True"):
        own = ro.load(put("t.tsv", below(LESS[0], f"algorithm\ttask\trun\t{head}"))).to_dict()
    assert own == {a: {t: [x + 1 for x in xs] for t, xs in of.items()} for a, of in TRUTH.items()}


def test_a_title_turns_no_scores_below_0_and_a_title_that_names_a_cost_alone_turns_none(put):
    negative = f"{LESS[0]}\nalgorithm,task,run,score\n{rows(of=lambda a, t, r: -TRUTH[a][t][r - 1])}"
    cost = f"Crash rate\nalgorithm,task,run,score\n{rows()}"
    both = f"Energy ↓ and speed ↑\nalgorithm,task,run,score\n{rows()}"
    pointing = f"Results below ↓\nalgorithm,task,run,score\n{rows()}"
    for text, truth in ((negative, COSTS), (cost, TRUTH), (both, TRUTH), (pointing, TRUTH)):
        with pytest.warns(ro.RunoffWarning, match="give lower_is_better=True"):
            assert ro.load(put("t.csv", text)).to_dict() == truth


def test_files_of_which_one_says_that_less_is_better_are_refused(put, capsys):
    for name, title in (("A", f"{LESS[0]}\n"), ("B", "")):
        folder = put(f"runs/{name}.csv", f"{title}algorithm,run,score\n{name},1,2\n{name},2,3\n").parent
    message, _ = refused(capsys, "scan", str(folder))
    assert "and no line in" in message
    put("runs/B.csv", f"{LESS[0]}\nalgorithm,run,score\nB,1,2\nB,2,3\n")
    with pytest.warns(ro.RunoffWarning, match="the scores are negated"):
        assert ro.load(folder).values.max() == -2.0


@pytest.mark.parametrize("where", ["above", "each", "one"])
def test_titles_of_several_tables_say_that_less_is_better_of_all_or_of_none(put, where):
    titles = {t: f"Task: {t}" + " (lower is better)" * (where == "each" or (where == "one" and t == "x")) for t in "xy"}
    blocks = "".join(
        f"{titles[t]}\nalgorithm,s0,s1,s2\n" + "".join(f"{a},{str(TRUTH[a][t])[1:-1]}\n" for a in "AB") + "\n"
        for t in "xy"
    )
    with pytest.warns(ro.RunoffWarning, match="less is better"):
        scores = ro.load(put("t.csv", f"{LESS[0]}\n\n" * (where == "above") + blocks))
    assert scores.to_dict() == (TRUTH if where == "one" else COSTS)


@pytest.mark.parametrize("corner", ["makespan", "Regret", "Tour length", "Energie ↓"])
def test_a_cost_above_the_labels_of_rows_is_that_of_the_scores(put, recwarn, corner):
    truth = {SHEETS[a]: own for a, own in COSTS.items()}
    assert ro.load(book(put, sheets_of(corner))).to_dict() == truth
    assert sum("less is better" in str(w.message) for w in recwarn) == 1
    for lines in sheets_of(corner).items():
        path = put(f"d/{lines[0]}.csv", "\n".join(",".join(map(str, line)) for line in lines[1]) + "\n")
    assert ro.load(path.parent).to_dict() == truth
    assert ro.load(path.parent, lower_is_better=True).to_dict() == truth
    assert ro.load(path, columns={"task": corner}).values.max() < 0
    named = ro.load(path, columns={"algorithm": corner})  # losses are what is compared here
    assert named.values.max() > 0


def test_scores_below_0_beside_labels_of_a_cost_stay(put):
    lines = sheets_of("makespan")[SHEETS["A"]]
    text = "\n".join(",".join(str(-x if isinstance(x, float) else x) for x in line) for line in lines)
    assert ro.load(put("PPO.csv", text + "\n"), columns={"task": "makespan"}).values.max() < 0


@pytest.mark.parametrize("unit", ["cost", "regret", "RMSE"])
def test_a_row_of_units_that_names_a_cost_turns_the_scores(put, unit):
    text = wide(f"algorithm,task,run1,run2,run3\n,,{unit},{unit},{unit}")
    with pytest.warns(
        ro.RunoffWarning, match=f"the line '{unit}' names a cost, of which less is better: the scores are neg"
    ):
        assert ro.load(put("t.csv", text)).to_dict() == COSTS


@pytest.mark.parametrize("heads", ["value", "Value"])
@pytest.mark.parametrize("layout", ["file", "frame"])
def test_values_of_which_nothing_says_what_they_are_are_warned_of(put, heads, layout):
    path = put("t.csv", f"policy,scenario,run,{heads}\n{rows()}")
    with pytest.warns(
        ro.RunoffWarning, match="is the only one of numbers beside names and runs: it is the score; use lower_is_better"
    ):
        assert ro.load(path if layout == "file" else pl.read_csv(path)).to_dict() == TRUTH


@pytest.mark.filterwarnings("error")
def test_values_of_which_something_says_what_they_are_are_no_doubt(put):
    texts = [
        ("returns.csv", f"policy,scenario,run,value\n{rows()}", {}),
        ("t.csv", f"# Return: last evaluation\npolicy,scenario,run,value\n{rows()}", {}),
        ("t.csv", "policy,scenario,run,value,metric\n" + rows().replace("\n", ",return\n"), {}),
        ("t.csv", f"policy,scenario,run,value\n{rows()}", {"columns": {"score": "value"}}),
        ("t.csv", f"policy,scenario,run,score\n{rows()}", {}),
    ]
    for name, text, how in texts:
        assert ro.load(put(name, text), **how).to_dict() == TRUTH
    costs = ro.load(put("t.csv", f"policy,scenario,run,value\n{rows()}"), lower_is_better=True)
    assert costs.to_dict() == COSTS


@pytest.mark.parametrize("other", ["rm_score", "judge score", "d4rl_scores"])
@pytest.mark.parametrize("plain", ["win_rate", "success rate", "test accuracy"])
def test_numbers_called_a_score_of_something_beside_the_score_are_warned_of(put, other, plain):
    text = f"policy,task,seed,{other},{plain}\n" + rows(of=lambda a, t, r: f"{r}.25,{TRUTH[a][t][r - 1]}")
    with pytest.warns(ro.RunoffWarning, match=f"column '{plain}' is the score, by its name; use columns="):
        assert ro.load(put("t.csv", text)).to_dict() == TRUTH
    assert ro.load(put("t.csv", text), score=other).cell("A", "x").tolist() == [1.25, 2.25, 3.25]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("other", "plain"), [("random_score", "win_rate"), ("rm_score", "return"), ("kl", "win_rate")])
def test_references_and_other_measures_beside_the_score_are_no_doubt(put, other, plain):
    text = f"policy,task,seed,{other},{plain}\n" + rows(of=lambda a, t, r: f"{r}.25,{TRUTH[a][t][r - 1]}")
    assert ro.load(put("t.csv", text)).to_dict() == TRUTH
