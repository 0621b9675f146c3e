"""Files of a stranger who had not seen the readers, in JSON, YAML, arrays and databases: each law is a kind that was refused or misread once."""

from __future__ import annotations

import io
import json
from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest

import runoff as ro

ALGORITHMS, TASKS, SEEDS = ("fast-weights", "slow-weights"), ("lift", "stack", "door"), (11, 12, 13)
RUNS = [(a, t, s, (37 * i) % 23 + 0.5) for i, (a, t, s) in enumerate(product(ALGORITHMS, TASKS, SEEDS))]
SCORES = {a: {t: [x for b, u, _, x in RUNS if (b, u) == (a, t)] for t in TASKS} for a in ALGORITHMS}


def assert_refused(file, sentence: str) -> None:
    with pytest.raises(ro.DataError, match=sentence):
        ro.load(file)


def records(key: str, names: tuple[str, str, str], **measured: str) -> str:
    """Return the records of all runs, their names below a key."""
    ((below, what),) = measured.items()
    rows = [{key: dict(zip(names, run[:3], strict=True)), below: {what: run[3], "length": 9}} for run in RUNS]
    return json.dumps(rows)


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("exp", ("agent", "gym_id", "seed")),
        ("cfg", ("method", "task", "seed")),
        ("metadata", ("algorithm", "env", "seed")),
        ("run", ("algo", "environment", "seed")),
        ("setup", ("model", "scenario", "seed")),
    ],
)
@pytest.mark.parametrize("measured", [{"result": "return"}, {"metrics": "accuracy"}, {"results": "success_rate"}])
def test_a_run_that_a_record_names_below_a_key_is_read(put, key, names, measured):
    assert ro.load(put("r.json", records(key, names, **measured))).to_dict() == SCORES


def test_the_seed_of_an_evaluation_below_its_key_is_no_run(put):
    assert_refused(
        put("r.json", records("eval", ("agent", "env", "seed"), result="return")), "no column names the runs"
    )
    rows = json.loads(records("exp", ("agent", "env", "seed"), result="return"))
    both = [{**row, "config": {"seed": 7}} for row in rows]
    assert_refused(put("s.json", json.dumps(both)), "could each be the run")


def test_returns_of_training_beside_results_are_asked_about(put):
    rows = [
        {"exp": {"agent": a, "env": t, "seed": s}, "train": {"return": 1}, "result": {"return": x}}
        for a, t, s, x in RUNS
    ]
    assert_refused(put("r.json", json.dumps(rows)), "could each be the score")


def test_curves_below_a_key_stand_at_their_steps(put):
    rows = [
        {"exp": {"agent": a, "gym_id": t, "seed": s}, "evaluations": {"timesteps": [10, 20], "mean_returns": [0, x]}}
        for a, t, s, x in RUNS
    ]
    curves = ro.load(put("r.json", json.dumps(rows)))
    assert isinstance(curves, ro.Curves)
    assert curves.final().to_dict() == SCORES


@pytest.mark.parametrize(
    ("short", "mean"), [("Sem.", "Media"), ("Wdh.", "Mittelwert"), ("Rép.", "moyenne"), ("Ejec.", "Promedio"), ("Tent.", "Média")]
)  # fmt: skip
def test_runs_whose_word_is_cut_short_stand_beside_their_mean(put, short, mean):
    rows = [(a, t, *own, sum(own) / 3) for a, by_task in SCORES.items() for t, own in by_task.items()]
    lines = [
        " | ".join(map(str, row))
        for row in [("Algoritmo", "Tarea", *(f"{short} {k}" for k in (1, 2, 3)), mean), "--- " * 6, *rows]
    ]
    lines[1] = " | ".join(["---"] * 6)
    weeks = pytest.warns(ro.RunoffWarning, match="if they are weeks") if short == "Sem." else nullcontext()
    with weeks:
        assert ro.load(put("t.md", "\n".join(lines) + "\n")).to_dict() == SCORES


def test_errors_of_the_mean_that_are_numbered_are_no_runs(put):
    rows = "".join(f"{a},{t},{x},0.2,{y},0.3\n" for a, by in SCORES.items() for t, (x, y, _) in by.items())
    assert_refused(put("t.csv", f"Method,Task,Mean 1,SEM 1,Mean 2,SEM 2\n{rows}"), "sum up")


def test_accents_of_latex_are_letters_of_names(put):
    rows = "".join(
        rf"{t} & {a} & " + " & ".join(map(str, own)) + r" \\" + "\n"
        for a, by in SCORES.items()
        for t, own in by.items()
    )
    head = r"Sc\'enario & M\'{e}thode & ex\'ecution 1 & ex\'ecution 2 & ex\'ecution 3 \\ \midrule"
    table = rf"\begin{{tabular}}{{llccc}}{head}" + f"\n{rows}" + r"\end{tabular}"
    assert ro.load(put("t.tex", table)).to_dict() == SCORES
    assert_refused(put("u.tex", table.replace(r"M\'{e}", r"M\'1")), "prints is unknown")


STEPS = np.array([1000, 2000, 3000])


def archive(put, name: str, *names: str):
    """Return an archive of arrays beside their steps, the k-th of which ends with k."""
    file = io.BytesIO()
    np.savez(file, timesteps=STEPS, **{name: np.array([5.0, 1.0, k]) for k, name in enumerate(names)})
    return put(name, file.getvalue())


@pytest.mark.parametrize(
    ("names", "runs"),
    [
        (["x_seed3", "x_seed4", "y_seed3"], {"x": [0, 1], "y": [2]}),
        (["x/run_1", "x/run_2", "y/run_1"], {"x": [0, 1], "y": [2]}),
        (["eval_return/x_s1", "eval_return/x_s2", "eval_return/y_s1"], {"x": [0, 1], "y": [2]}),
        (["return_seed0", "return_seed1"], {"mine": [0, 1]}),
        (["seed0", "seed1", "seed2"], {"mine": [0, 1, 2]}),
    ],
)
def test_arrays_that_are_named_by_their_run_beside_steps_are_its_curve(put, names, runs):
    curves = ro.load(archive(put, "mine.npz", *names))
    assert (curves.steps.tolist()[:3], {a: own["task"] for a, own in curves.final().to_dict().items()}) == (
        STEPS.tolist(),
        runs,
    )


@pytest.mark.parametrize("names", [["loss_seed0", "return_seed0"], ["x_seed0", "y"], ["x_seed0", "x-seed0"]])
def test_arrays_of_several_measures_or_of_one_run_twice_are_asked_about(put, names):
    assert_refused(archive(put, "mine.npz", *names), "name an algorithm and a run together")


@pytest.mark.parametrize(
    "head",
    [
        "测试集AUC",
        "测试准确率",
        "测试回报",
        "评估得分",
        "テスト精度",
        "Top1准确率",
        "F1",
        "exact_match",
        "acc_norm,none",
    ],
)
@pytest.mark.parametrize("run", ["第几次运行", "运行编号", "种子"])
def test_a_measure_of_what_was_tested_is_the_score_whatever_letters_it_has(put, head, run):
    rows = [
        {"模型": a, "任务": t, run: s, head: x, "参数量(百万)": 38.6 + s, "耗时(分钟)": 196 + s} for a, t, s, x in RUNS
    ]
    content = {"项目": "对比", "日期": "2023年11月", "结果": rows}
    assert ro.load(put("r.json", json.dumps(content, ensure_ascii=False))).to_dict() == SCORES


@pytest.mark.parametrize("head", ["训练集AUC", "训练回报", "参数量", "match"])
def test_what_was_trained_on_and_counts_and_costs_are_no_score_by_name(put, head):
    rows = "".join(f"{a},{t},{s},{x},{x + 9}\n" for a, t, s, x in RUNS)
    assert_refused(put("t.csv", f"模型,任务,种子,{head},耗时\n{rows}"), "score")


def test_a_mean_of_what_was_counted_is_no_setting(put):
    rows = "".join(f"{a},{t},{s},{x},{x + 1.5},{100 + s}\n" for a, t, s, x in RUNS)
    scores = ro.load(put("t.csv", f"method,task,seed,exact_match,mean_tokens,latency_ms\n{rows}"))
    assert scores.to_dict() == SCORES


@pytest.mark.parametrize("head", ["手法", "方法", "Méthode", "Algoritmo", "Verfahren", "알고리즘"])
def test_a_printed_table_names_its_methods_in_several_languages(put, head):
    rows = "".join(f"| {a} | {x} ± 0.4 | {x + 1} ± 0.3 |\n" for a, x in (("x", 21.2), ("y", 24.6), ("z", 29.5)))
    table = f"Mean ± sd of 5 runs\n\n| {head} | 日→英 | 中→日 |\n|---|---|---|\n{rows}"
    assert {claim.a for claim in ro.claims(put("t.md", table)).claims} == {"z"}


def of_tasks(key: str, value, **more) -> list[dict]:
    """Return a record for each run of an algorithm, with the value of each task below a key."""
    rows = {(a, s): {t: value(x) for b, t, r, x in RUNS if (b, r) == (a, s)} for a, s in product(ALGORITHMS, SEEDS)}
    return [{"model": a, "seed": s, key: own, **more} for (a, s), own in rows.items()]


@pytest.mark.parametrize("key", ["results", "metrics", "scores"])
@pytest.mark.parametrize(
    ("measure", "other"), [("acc,none", "acc_stderr,none"), ("success_rate", "time_s"), ("return", "n")]
)
def test_records_that_hold_the_measures_of_several_tasks_are_rows_of_each(put, key, measure, other):
    rows = of_tasks(key, lambda x: {"alias": "", measure: x, other: 0.25}, versions=dict.fromkeys(TASKS, 1.0))
    assert ro.load(put("r.json", json.dumps(rows))).to_dict() == SCORES


def test_numbers_below_names_of_known_tasks_are_their_scores_and_others_are_asked_about(put):
    of_models = dict(zip(TASKS, ("gsm8k", "mmlu", "humaneval"), strict=True))
    rows = of_tasks("results", lambda x: x)
    named = [{**row, "results": {of_models[t]: x for t, x in row["results"].items()}} for row in rows]
    assert ro.load(put("r.json", json.dumps(named))).to_dict() == {
        a: {of_models[t]: x for t, x in own.items()} for a, own in SCORES.items()
    }
    other = json.dumps(rows).replace("lift", "hits").replace("stack", "spread").replace("door", "pull")
    assert_refused(put("s.json", other), "are tasks, use keys=")


OF_NONE = [("train", "eval"), ("seed_0", "seed_1"), ("reward", "length"), ("lr=0.1", "lr=0.2"), ("100k", "200k")]


@pytest.mark.parametrize("names", OF_NONE)
def test_what_is_no_task_below_a_key_makes_none(put, names):
    rows = [
        {"model": a, "seed": s, "results": {name: {"return": s} for name in names}}
        for a, s in product(ALGORITHMS, SEEDS)
    ]
    assert_refused(put("r.json", json.dumps(rows)), "score")


def harness(model: dict, seed: int, x: float) -> dict:
    tasks = {"mmlu": {"acc,none": 0.5}, "mmlu_law": {"acc,none": x}, "mmlu_art": {"acc,none": x + 1}}
    groups = {"mmlu": ["mmlu_law", "mmlu_art"], "mmlu_law": [], "mmlu_art": []}
    return {"results": tasks, "group_subtasks": groups, "config": {"model": "hf", **model, "fewshot_seed": seed}}


@pytest.mark.parametrize("named", [True, False])
def test_evaluations_of_models_name_what_was_loaded_and_no_group_of_tasks(put, named):
    models = [
        {"model_args": f"pretrained=org/{a},dtype=auto", **({"model_name": f"org/{a}"} if named else {})} for a in "xy"
    ]
    rows = [harness(model, seed, 3.5 + seed) for model in models for seed in (0, 1)]
    own = {"mmlu_law": [3.5, 4.5], "mmlu_art": [4.5, 5.5]}
    assert ro.load(put("r.json", json.dumps(rows))).to_dict() == {"org/x": own, "org/y": own}


def below(levels: list, record) -> dict:
    """Return names below keys that say nothing or what they are of: [["methods", [names]], …], and lists of records below the last."""
    (key, names), *others = levels
    own = {
        name: below(others, lambda *more, name=name: record(name, *more)) if others else record(name) for name in names
    }
    return {key: own} if key else own


@pytest.mark.parametrize(
    ("outer", "inner", "turned"),
    [("controllers", "sites", False), ("methods", "", False), ("results", "tasks", False), ("environments", "", True), ("maps", "agents", True)],
)  # fmt: skip
def test_records_below_names_whose_roles_are_said_are_read(put, outer, inner, turned):
    def record(first, second):
        a, t = (second, first) if turned else (first, second)
        return [{"run": s, "return": x} for b, u, s, x in RUNS if (b, u) == (a, t)]

    levels = [[outer, ALGORITHMS], [inner, TASKS]]
    names = [[outer, TASKS], [inner, ALGORITHMS]] if turned else levels
    assert ro.load(put("r.json", json.dumps({"horizon": 24, **below(names, record)}))).to_dict() == SCORES


@pytest.mark.parametrize("outer", ["layers", "", "metrics"])
def test_records_below_names_of_which_nothing_says_the_role_are_refused(put, outer):
    content = below([[outer, ("train", "eval")]], lambda name: [{"run": s, "return": s} for s in SEEDS])
    assert_refused(put("r.json", json.dumps(content)), "none of the shapes")
    seeded = {"methods": {a: {"seed": 3, "sites": {"x": [{"return": 1}], "y": [{"return": 2}]}} for a in ALGORITHMS}}
    assert_refused(put("s.json", json.dumps(seeded)), "none of the shapes")


@pytest.mark.parametrize("objective", ["cost per day, minimise", "to be minimized: cost", "cost (minimisation)"])
def test_the_cost_that_an_objective_names_is_negated_beside_others(put, objective):
    rows = [{"run": s, "cost_eur": s + 0.5, "solve_time_s": s} for s in SEEDS]
    content = below([["methods", ALGORITHMS], ["sites", TASKS]], lambda *names: rows)
    with pytest.warns(ro.RunoffWarning, match="negated"):
        scores = ro.load(put("r.json", json.dumps({"objective": objective, **content})))
    assert scores.to_dict() == {a: {t: [-s - 0.5 for s in SEEDS] for t in TASKS} for a in ALGORITHMS}
    assert_refused(put("s.json", json.dumps(content)), "score")
