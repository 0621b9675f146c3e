"""Names among algorithms and tasks that are none: left out by their words where these are certain, by their numbers, or asked for."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runoff as ro
from runoff.tables.summaries import LEVELS, sums_up
from runoff.words.speech import shell_parts

ROWS = {"x": (1.5, 2.5, 3.75), "y": (4.25, 3.5, 2.0), "z": (7.0, 5.5, 6.25)}
NAMES = ("PPO", "SAC", "Mine")
TABLES = ("long", "wide")
LAYOUTS = (*TABLES, "json")
METHODS = ("Max", "Mean", "MaxMin", "Best", "Total", "Average", "Overall", "IQM")


def laid_out(layout: str, scores: dict[str, dict[str, float]]) -> tuple[str, str]:
    """Return the name and the text of a file of {algorithm: {task: score}}."""
    tasks = list(next(iter(scores.values())))
    if layout == "json":
        rows = ", ".join(f'"{a}": {{{", ".join(f"{t!r}: [{own[t]}]" for t in tasks)}}}' for a, own in scores.items())
        return "t.json", f"{{{rows}}}".replace("'", '"')
    if layout == "long":
        cells = [f"{a},{t},{own[t]}" for a, own in scores.items() for t in tasks]
        return "t.csv", "\n".join(["algo,env,return", *cells, ""])
    rows = [",".join([t, *(str(own[t]) for own in scores.values())]) for t in tasks]
    return "t.csv", "\n".join([f"env,{','.join(scores)}", *rows, ""])


def beside(more: dict[str, tuple[float, ...]]) -> dict[str, dict[str, float]]:
    """Return the scores of three algorithms on three tasks, with those of more algorithms."""
    every = {name: tuple(own[at] for own in ROWS.values()) for at, name in enumerate(NAMES)} | more
    return {name: dict(zip(ROWS, own, strict=True)) for name, own in every.items()}


def below(task: str, own: tuple[float, ...]) -> dict[str, dict[str, float]]:
    """Return the scores of three algorithms on three tasks and one more."""
    return {name: {**tasks, task: own[at]} for at, (name, tasks) in enumerate(beside({}).items())}


def repaired(file: Path, refusal: str) -> list[Any]:
    """Return what is read with each option that a refusal names."""
    options = [shlex.split(part) for part in shell_parts(refusal)]
    assert len(options) == 2
    given = [{name[2:]: dict([value.split("=")]) if name == "--columns" else value} for name, value in options]
    return [ro.load(file, **how) for how in given]


@pytest.mark.parametrize("layout", TABLES)
@pytest.mark.parametrize("name", ["Mean rank", "Average Rank", "p-value", "Median HNS", "GPU hours", "Mean", "Total"])
def test_a_row_that_measures_tasks_by_its_words_is_none_of_them(put, layout, name):
    file = put(*laid_out(layout, below(name, (1, 2, 3))))
    with pytest.warns(ro.RunoffWarning, match=f"left out: 3 row.* of task '{name}', which summarise or measure"):
        assert ro.load(file).tasks == ("x", "y", "z")


@pytest.mark.parametrize("layout", TABLES)
@pytest.mark.parametrize("name", ["Wins", "rank", "runs", "energy", "year"])
def test_a_row_that_may_be_a_task_or_a_measure_is_asked_for_and_each_repair_works(put, layout, name):
    file = put(*laid_out(layout, below(name, (1, 2, 3))))
    with pytest.raises(ro.DataError, match=f"task '{name}' is named like a measure of the others") as refusal:
        ro.load(file)
    none, task = sorted(repaired(file, refusal.value.args[0]), key=lambda scores: len(scores.tasks))
    assert (none.tasks, set(task.tasks)) == (("x", "y", "z"), {"x", "y", "z", name})
    assert f"left out by request: '{name}'" in none.provenance.notes


@pytest.mark.parametrize("layout", TABLES)
@pytest.mark.parametrize("others", [("a", "b", "x"), ("a", "walk", "x"), ("run", "walk", "x")])
def test_a_letter_beside_a_letter_is_a_name_whatever_it_may_measure(put, layout, others):
    tasks = dict(zip(ROWS, others, strict=True))
    rows = {name: {tasks[task]: score for task, score in own.items()} | {"n": 12.5} for name, own in beside({}).items()}
    assert set(ro.load(put(*laid_out(layout, rows))).tasks) == {*others, "n"}


@pytest.mark.parametrize("layout", TABLES)
@pytest.mark.parametrize("name", METHODS)
def test_a_method_that_is_called_like_a_summary_and_is_none_by_its_numbers_is_asked_for(put, layout, name):
    file = put(*laid_out(layout, beside({name: (3, 2, 9.5)})))
    with pytest.raises(
        ro.DataError, match=f"'{name}' is named like a summary of the others, but its numbers are not a summary"
    ) as refusal:
        ro.load(file)
    none, method = repaired(file, refusal.value.args[0])
    assert (none.algorithms, set(method.algorithms)) == (("Mine", "PPO", "SAC"), {*NAMES, name})


@pytest.mark.parametrize("layout", TABLES)
@pytest.mark.parametrize("keys", [None, "algorithm"])
@pytest.mark.parametrize(("name", "level"), [("Mean", "mean"), ("Best", "max"), ("min", "min"), ("TOTAL", "sum")])
def test_what_sums_up_the_algorithms_by_name_and_numbers_is_none_whatever_is_said(put, layout, keys, name, level):
    own = tuple(round(float(getattr(np, level)(row)), 2) for row in ROWS.values())
    file = put(*laid_out(layout, beside({name: own})))
    with pytest.warns(ro.RunoffWarning, match=rf"left out: .*'{name}', which summarise"):
        assert ro.load(file, keys=keys).algorithms == ("Mine", "PPO", "SAC")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["SAC rank", "Rank SAC", "PPO gpu hours", "GPU PPO", "SAC+PPO"])
def test_a_measure_of_an_algorithm_and_a_sum_of_two_are_asked_for(put, layout, name):
    own = tuple(ppo + sac for ppo, sac, _ in ROWS.values())
    file = put(*laid_out(layout, beside({name: own})))
    with pytest.raises(ro.DataError, match=r"is the sum of|is named like a measure of") as refusal:
        ro.load(file)
    none, method = repaired(file, refusal.value.args[0])
    assert (none.algorithms, set(method.algorithms)) == (("Mine", "PPO", "SAC"), {*NAMES, name})


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_repair_of_several_measures_names_all_of_them(put, layout):
    own = tuple(ppo + sac for ppo, sac, _ in ROWS.values())
    file = put(*laid_out(layout, beside({"SAC rank": own, "GPU PPO": own})))
    with pytest.raises(ro.DataError, match=r"is named like a measure of|like it; say") as refusal:
        ro.load(file)
    none, methods = repaired(file, refusal.value.args[0])
    assert (none.algorithms, set(methods.algorithms)) == (("Mine", "PPO", "SAC"), {*NAMES, "SAC rank", "GPU PPO"})


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["SAC+PPO", "SAC-N", "no gain", "GPU A2C"])
def test_methods_that_are_no_sums_and_no_measures_are_algorithms(put, layout, name):
    scores = ro.load(put(*laid_out(layout, beside({name: (3, 2, 9.5)}))))
    assert set(scores.algorithms) == {*NAMES, name}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("more", "measures"),
    [
        (("SAC N", "PPO rank"), {"PPO rank"}),
        (("SAC N", "PPO N"), {"SAC N", "PPO N"}),
    ],
)
def test_a_letter_behind_a_name_measures_it_where_all_that_are_measured_have_it(put, layout, more, measures):
    file = put(*laid_out(layout, beside(dict.fromkeys(more, (3.5, 2.25, 9.5)))))
    with pytest.raises(ro.DataError, match="is named like a measure of") as refusal:
        ro.load(file)
    none, methods = repaired(file, refusal.value.args[0])
    assert ({*none.algorithms}, {*methods.algorithms}) == ({*NAMES, *more} - measures, {*NAMES, *more})


def test_files_that_are_called_like_summaries_are_algorithms_unless_they_sum_up_the_others(put, tmp_path):
    for name, own in (("ppo", (1.5, 2.5)), ("sac", (3.5, 4.75)), ("max", (3, 9.25))):
        put(f"{name}.csv", "".join(["task,score\n", *(f"{t},{v}\n" for t, v in zip("xy", own, strict=True))]))
    assert ro.load(tmp_path).algorithms == ("max", "ppo", "sac")
    put("max.csv", "task,score\nx,3.5\ny,4.75\n")
    with pytest.warns(ro.RunoffWarning, match="of algorithm 'max', which summarise or measure"):
        assert ro.load(tmp_path).algorithms == ("ppo", "sac")


@pytest.mark.parametrize(
    "text",
    [
        "env,PPO_seed1,PPO_seed2,Max_seed1,Max_seed2\nx,1,2,9,4\n",
        "algo,env,return\nPPO_s1,x,1\nPPO_s2,x,2\nMax_s1,x,9\nMax_s2,x,4\n",
    ],
)
def test_the_repairs_of_a_method_whose_name_holds_its_run_keep_the_runs(put, text):
    file = put("t.csv", text)
    with pytest.raises(ro.DataError, match="'Max' is named like a summary") as refusal:
        ro.load(file)
    none, method = repaired(file, refusal.value.args[0])
    assert (none.to_dict(), method.to_dict()) == (
        {"PPO": {"x": [1, 2]}},
        {"PPO": {"x": [1, 2]}, "Max": {"x": [9, 4]}},
    )


def test_a_frame_of_runs_that_no_option_reaches_names_the_call_that_reads_it():
    frame = {"algorithm": ["A", "B", "Max"] * 2, "task": [*"xxxyyy"], "score": [1.5, 2.5, 9.0, 3.5, 4.5, 1.0]}
    with pytest.raises(ro.DataError, match=r"drop its rows .* load\(frame, keys='algorithm'\)"):
        ro.Scores.from_frame(frame)
    assert ro.load(frame, keys="algorithm").algorithms == ("A", "B", "Max")


@pytest.mark.parametrize("seed", range(20))
def test_rounded_levels_are_those_of_rounded_numbers_and_chance_is_none(seed):
    g = np.random.default_rng(seed)
    others, digits = g.normal(50, 20, (6, 4)), g.integers(0, 4, 2)
    shown = others.round(digits[0])
    assert all(sums_up(level(others, axis=1).round(digits[1]), shown, [name]) for name, level in LEVELS.items())
    assert not sums_up(g.normal(50, 20, 6).round(digits[1]), shown)


def test_rows_of_means_are_left_out_of_runs_and_of_tasks_together(put):
    rows = [
        f"{a},{t},{s},{v}"
        for a in ("PPO", "SAC")
        for t in ("x", "y", "Average")
        for s, v in (("1", 2.0), ("2", 4.0), ("mean", 3.0))
    ]
    with pytest.warns(ro.RunoffWarning) as warned:
        scores = ro.load(put("t.csv", "\n".join(["algo,env,seed,return", *rows, ""])))
    assert [str(w.message).partition("left out: ")[2][:12] for w in warned] == ["6 row(s) of ", "6 row(s) of "]
    assert scores.to_dict() == {name: {"x": [2.0, 4.0], "y": [2.0, 4.0]} for name in ("PPO", "SAC")}


@pytest.mark.parametrize("name", ["average", "Total", "best"])
@pytest.mark.parametrize("means", [True, False])
def test_a_task_with_runs_that_is_called_like_a_summary_is_left_out_if_it_is_one(put, name, means):
    rows = [
        (a, task, seed, 10 * k + seed + (task == "hard"))
        for k, a in enumerate("ab")
        for task in ("easy", "hard")
        for seed in range(3)
    ]
    of = {"average": 0.5, "Total": None, "best": 1}[name]
    summary = {
        (a, s): 2 * (10 * k + s) + 1 if of is None else 10 * k + s + of for k, a in enumerate("ab") for s in range(3)
    }
    rows += [(a, name, seed, score if means else 3 * score + seed + 7) for (a, seed), score in summary.items()]
    file = put("t.csv", "algorithm,task,seed,score\n" + "".join(f"{','.join(map(str, row))}\n" for row in rows))
    if means:
        with pytest.warns(ro.RunoffWarning, match="left out: 6 row"):
            assert ro.read_scores(file).tasks == ("easy", "hard")
    else:
        with pytest.raises(ro.DataError, match="its numbers are not a summary"):
            ro.read_scores(file)


def test_the_policy_that_takes_the_best_of_many_is_an_algorithm(put):
    file = put(
        "t.csv",
        "algorithm,task,seed,score\nbest-of-n,x,0,9\nbest-of-n,x,1,8\nBest of 8,x,0,5\ngreedy,x,0,4\ngreedy,x,1,3\n",
    )
    assert ro.read_scores(file).algorithms == ("Best of 8", "best-of-n", "greedy")


@pytest.mark.parametrize("name", ["min", "max"])
def test_an_extreme_of_equal_digits_is_one_of_the_numbers_and_a_rounded_one_is_near(name):
    others = np.array([[1.5, 2.5], [3.5, 4.5], [2.5, 6.5]])
    level = LEVELS[name](others, axis=1)
    assert sums_up(level, others, (name,))
    assert not sums_up(level + np.array([0, 0, 0.1]), others, (name,))
    finer = others + 0.03
    assert sums_up(np.round(LEVELS[name](finer, axis=1), 1), finer, (name,))
    assert not sums_up(np.round(LEVELS[name](finer, axis=1), 1) + np.array([0, 0.1, 0]), finer, (name,))


@pytest.mark.parametrize("name", ["mean", "median", "sum"])
def test_a_level_of_rounded_numbers_may_be_off_by_what_was_rounded_away_and_no_more(name):
    others = np.array([[1.5, 2.5], [3.5, 4.5], [2.5, 6.5]])
    level = LEVELS[name](others, axis=1)
    assert sums_up(level + np.array([0, 0, 0.1]), others, (name,))
    assert not sums_up(level + np.array([0, 0, 0.2]), others, (name,))


@pytest.mark.parametrize("name", ["CI", "SE", "SD", "sd"])
def test_initials_of_summaries_are_names_of_algorithms(put, name):
    rows = [(a, s, v + s) for a, v in (("PPO", 1.5), ("SAC", 2.5), (name, 3.5)) for s in range(3)]
    scores = ro.load(put("r.csv", "algo,seed,score\n" + "".join(f"{a},{s},{v}\n" for a, s, v in rows)))
    assert scores.cell(name, "task").tolist() == [3.5, 4.5, 5.5]


def test_a_row_of_a_count_below_numbered_runs_and_a_mean_of_runs_that_are_not_there_are_refused(put):
    rows = "algo,seed,score\n" + "".join(f"{a},{s},{s}.5\n" for a in ("PPO", "SAC") for s in range(3))
    with pytest.raises(ro.DataError, match="line 8: run 'p' stands among runs that are numbers"):
        ro.load(put("a.csv", f"{rows}PPO,p,0.03\n"))
    with pytest.raises(ro.DataError, match="line 8: run 'mean' sums up runs of algorithm 'TD3' on task 'task' that"):
        ro.load(put("b.csv", f"{rows}TD3,mean,0.03\n"))
