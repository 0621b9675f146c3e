"""Many attempts of one trained policy, and one attempt at each item of a benchmark: what the rows are is asked, or said."""

from __future__ import annotations

import itertools
import json
import re

import pandas as pd
import pytest

import runoff as ro

NAMES = ("rollout", "attempt", "episode", "sample", "trial", "Rollout idx")


def robot(name: str, outcomes: tuple[str, str] = ("1", "0")) -> str:
    cells = itertools.product(("act", "pi0"), ("pour", "stack"), range(6))
    lines = [f"{policy},{task},{i},{outcomes[(i + len(task)) % 2]}" for policy, task, i in cells]
    return "\n".join([f"policy,task,{name},success", *lines, ""])


@pytest.mark.parametrize("name", NAMES)
def test_attempts_lead_to_one_question_and_both_answers_work(put, name):
    file = put("runs.csv", robot(name))
    with pytest.raises(
        ro.DataError, match=r"unit='episode' if they are attempts .* or columns=\{'run': '.*'\} if each is a training"
    ):
        ro.read_scores(file)
    for options in ({"unit": "episode"}, {"columns": {"run": name}}):
        assert ro.read_scores(file, **options).n_runs.tolist() == [[6, 6], [6, 6]]


def test_a_frame_of_attempts_leads_to_the_same_question():
    frame = {"policy": ["a", "a", "b", "b"], "rollout": [0, 1, 0, 1], "success": [True, False, False, False]}
    with pytest.raises(ro.DataError, match="unit='episode' if they are"):
        ro.Scores.from_frame(frame)
    scores = ro.Scores.from_frame(frame, unit="episode")
    assert (scores.n_runs.tolist(), scores.cell("a", "task").tolist()) == ([[2], [2]], [1.0, 0.0])


def test_trials_of_numbers_are_runs_as_ever(put):
    assert ro.read_scores(put("runs.csv", "agent,trial,return\nA,0,1.5\nA,1,2\n")).run_labels == ("0", "1")


def test_an_episode_that_is_the_progress_of_training_is_named_as_the_step(put):
    file = put("runs.csv", "agent,episode,return\nA,1,1.5\nA,2,2\n")
    with pytest.raises(ro.DataError, match=r"columns=\{'step': 'episode'\} if it is the progress of training"):
        ro.read_scores(file)
    assert ro.read_scores(file, columns={"step": "episode"}).values.tolist() == [2.0]


@pytest.mark.parametrize("middle", ["room,rollout", "seed,rollout"])
def test_episodes_are_rows_where_no_single_column_numbers_them(put, middle):
    lines = [
        f"{policy},{own},{i},{(i + own * k) % 2}"
        for policy in ("a", "b")
        for k, own in enumerate((7, 7 if "seed" in middle else 8))
        for i in range(3)
    ]
    text = "\n".join([f"policy,{middle},success", *lines, ""])
    assert ro.read_scores(put("runs.csv", text), unit="episode").n_runs.tolist() == [[6], [6]]


@pytest.mark.parametrize("name", ["rollout", "scene,rollout"])
def test_episodes_that_stand_there_twice_are_asked_about_by_their_number(put, name):
    parts = [",".join([*"01"[: name.count(",")], str(i)]) for i in range(5)]
    rows = [f"{policy},{part},{int(part[-1]) % 2}" for policy in "ab" for part in parts]
    file = put("runs.csv", "\n".join([f"policy,{name},success", *rows, *rows, ""]))
    with pytest.raises(
        ro.DataError, match=r"episode '0' stands in line 2 and again in line 12 .*10 such .*'first' .*'run': 'row'"
    ):
        ro.read_scores(file, unit="episode")
    with pytest.warns(ro.RunoffWarning, match=r"10 row\(s\) have the episode of another"):
        once = ro.read_scores(file, unit="episode", duplicates="first")
    assert once.n_runs.tolist() == [[5], [5]]
    assert ro.read_scores(file, unit="episode", columns={"run": "row"}).n_runs.tolist() == [[10], [10]]


@pytest.mark.parametrize("score", ["success", "return"])
def test_an_episode_that_stands_there_with_another_score_is_asked_about_whichever_column_is_the_score(put, score):
    rows = [[policy, i, i % 2, i % 2] for policy in "ab" for i in range(6)]
    again = ["a", 3, 1 - (score == "return"), 1 - (score == "success")]
    text = "\n".join(["policy,rollout,return,success", *(",".join(map(str, row)) for row in (*rows, again)), ""])
    with pytest.raises(ro.DataError, match="episode '3' stands in line 5 and again in line 14"):
        ro.read_scores(put("runs.csv", text), unit="episode", columns={"score": score})


def test_copied_episodes_of_a_frame_are_asked_about_as_those_of_a_file():
    frame = {"policy": list("aabb") * 2, "rollout": [0, 1] * 4, "success": [1, 0, 0, 1] * 2}
    with pytest.raises(ro.DataError, match="episode '0' stands in row 0 and again in row 4 with the same score"):
        ro.load(frame, unit="episode")
    assert ro.load(frame, unit="episode", columns={"run": "row"}).n_runs.tolist() == [[4], [4]]


def test_a_second_session_in_which_numbers_begin_anew_is_pooled(put):
    rows = [f"{policy},{i},{(i * i + session) % 3 % 2}" for session in (0, 1) for policy in "ab" for i in range(6)]
    file = put("runs.csv", "\n".join(["policy,rollout,success", *rows, ""]))
    assert ro.read_scores(file, unit="episode").n_runs.tolist() == [[12], [12]]


OF_TRAININGS = "policy,seed,rollout,success\na,0,0,1\na,0,1,0\na,1,0,1\na,1,1,1\n"


@pytest.mark.parametrize("how", [{}, {"duplicates": "mean"}])
@pytest.mark.parametrize("of_frame", [False, True])
def test_episodes_of_several_trainings_are_not_one_policy_and_their_means_are_runs(put, how, of_frame):
    file = put("runs.csv", OF_TRAININGS)
    data = pd.read_csv(file) if of_frame else file
    with pytest.raises(
        ro.DataError, match=r"'seed' numbers several .*use duplicates='mean' without unit='episode', so"
    ):
        ro.load(data, unit="episode", **how)
    with pytest.warns(ro.RunoffWarning, match="have the run of another"):
        scores = ro.load(data, duplicates="mean")
    assert (scores.values.tolist(), scores.sampling.unit) == ([0.5, 1.0], "run")


@pytest.mark.parametrize("unit", ["run", "episode"])
def test_a_column_of_seeds_is_no_step_and_no_setting_of_runs_that_were_named_otherwise(put, unit):
    file = put("runs.csv", OF_TRAININGS)
    elsewhere = " without unit='episode'" if unit == "episode" else ""
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(file, columns={"run": "rollout"}, unit=unit)
    assert f"use columns={{'run': 'seed'}}, duplicates='mean'{elsewhere} if" in str(refusal.value)
    assert not {"step", "settings"} & set(re.findall(r"\w+", str(refusal.value)))
    with pytest.warns(ro.RunoffWarning, match="have the run of another"):
        assert ro.read_scores(file, columns={"run": "seed"}, duplicates="mean").values.tolist() == [0.5, 1.0]


def test_a_mean_of_episodes_is_no_episode(put):
    file = put("runs.csv", "policy,seed,return\na,0,1.5\na,0,2.5\na,1,3.5\n")
    with pytest.raises(
        ro.DataError, match=r"a mean of episodes is no episode: use .* without unit='episode' if .*row'}"
    ):
        ro.read_scores(file, unit="episode", duplicates="mean")


def test_outcomes_of_attempts_are_no_learning_curve_of_their_run(put):
    rows = [f"{name},{seed},{episode},{(seed + episode) % 2}" for name in "ab" for seed in (0, 1) for episode in (0, 1)]
    file = put("runs.csv", "\n".join(["policy,seed,episode,success", *rows, ""]))
    with pytest.raises(
        ro.DataError, match=r"run '0' .*several scores.*use duplicates=.mean. if they are episodes of one run\.$"
    ):
        ro.read_scores(file)


@pytest.mark.parametrize("first", [0, 1])
def test_episodes_in_a_file_of_an_evaluation_are_no_learning_curve_of_the_run_in_the_path(put, first):
    rows = "".join(f"{episode},{episode % 3}.5\n" for episode in range(first, first + 6))
    file, _ = (put(f"PPO/Pong/s{seed}/eval_final.csv", f"episode,return\n{rows}") for seed in (0, 1))
    with pytest.raises(ro.DataError, match="the path names a run, and column 'episode' may number its attempts"):
        ro.load(file.parents[2])


def test_a_wide_table_of_rollouts_has_no_algorithm_called_rollout(put):
    file = put("runs.csv", "rollout,pi0,ACT\n0,1,0\n1,1,1\n2,0,0\n")
    assert ro.read_scores(file, unit="episode").algorithms == ("ACT", "pi0")
    with pytest.raises(ro.DataError, match="unit='episode' if they are"):
        ro.read_scores(file)


PAIRS = (
    "successes,trials",
    "successes,failures",
    "wins,games",
    "n_success,n_episodes",
    "solved,attempts",
    "passed,n",
    "wins,losses",
)


@pytest.mark.parametrize("heads", [*PAIRS, "correct,total"])
def test_the_score_of_a_run_that_counts_successes_is_their_share(put, heads):
    of = (3, 2, 18) if {"failures", "losses"} & {*heads.split(",")} else (20, 20, 25)
    rows = [f"{name},{seed},{won},{n}" for name in "ab" for seed, won, n in zip("012", (17, 18, 7), of, strict=True)]
    file = put("runs.csv", "\n".join([f"policy,seed,{heads}", *rows, ""]))
    scores = ro.load(file)
    assert scores.cell("a", "task").tolist() == [0.85, 0.9, 0.28]
    assert any("17 of 20 in line 2" in note for note in scores.provenance.notes)
    assert ro.load(file, columns={"unused": heads.split(",")[1]}).cell("a", "task").tolist() == [17, 18, 7]
    with pytest.raises(ro.DataError, match=r"leave out unit=.episode., and the score of a run is its share"):
        ro.load(file, unit="episode")


def test_counts_beside_another_score_and_runs_without_a_count_are_no_shares(put):
    file = put("runs.csv", "algo,seed,return,wins,games\na,0,1.5,3,4\na,1,2.5,9,10\n")
    assert ro.load(file).values.tolist() == [1.5, 2.5]
    few = put("few.csv", "algo,seed,successes,trials\na,0,1,20\na,1,0,20\n")
    assert ro.load(few).values.tolist() == [0.05, 0]
    failed = put("failed.csv", "algo,seed,wins,games\na,0,3,4\na,1,9,10\na,2,,10\n")
    assert ro.load(failed, incomplete="drop").values.tolist() == [0.75, 0.9]


def test_what_episodes_cannot_say_stands_in_the_notes_and_their_tables(put):
    scores = ro.read_scores(put("runs.csv", robot("rollout")), unit="episode")
    assert any("say nothing of training them again" in note for note in scores.provenance.notes)
    assert "3 of 6 episodes: 50\xa0%" in scores._repr_html_()
    assert "6 episodes" in repr(scores)


@pytest.mark.parametrize("outcomes", [("true", "false"), ("True", "False"), ("TRUE", "FALSE")])
def test_true_and_false_are_one_and_zero(put, outcomes):
    scores = ro.read_scores(put("runs.csv", robot("rollout", outcomes)), unit="episode")
    assert scores == ro.read_scores(put("numbers.csv", robot("rollout")), unit="episode")


def test_an_empty_outcome_is_missing_and_no_failure(put):
    with pytest.raises(ro.DataError, match=r"line 3: the score \(column 'success'\) is missing"):
        ro.read_scores(put("runs.csv", "policy,success\na,true\na,\n"))


# ── one attempt at each item ──────────

MODELS = {"large": 0.7, "small": 0.4}
SOLVED = {name: {f"item {i}": (i * 7 % 20) / 20 < rate for i in range(20)} for name, rate in MODELS.items()}


def records(item: str, score: str) -> str:
    rows = [{"model": m, item: i, score: solved} for m, items in SOLVED.items() for i, solved in items.items()]
    return "\n".join(map(json.dumps, rows))


@pytest.mark.parametrize(
    ("item", "score"),
    [
        ("question", "correct"),
        ("instance_id", "resolved"),
        ("item", "passed"),
        ("task_id", "success"),
        ("problem_id", "is_correct"),
    ],
)
def test_records_of_a_harness_are_models_on_items(put, item, score):
    scores = ro.read_scores(put("runs.jsonl", records(item, score)))
    assert scores == ro.read_scores(put("runs.json", json.dumps(SOLVED)))
    assert scores.cell("small", "item 0").tolist() == [1.0]


def test_a_usual_name_wins_over_a_model_and_an_outcome(put):
    scores = ro.read_scores(put("runs.csv", "algo,model,env,item,return,solved\nPPO,x,Pong,0,3.5,true\n"))
    assert (scores.algorithms, scores.tasks, scores.values.tolist()) == (("PPO",), ("Pong",), [3.5])


@pytest.mark.parametrize("runs", ["per_task", "shared"])
def test_one_attempt_at_each_item_has_no_verdict_over_runs_and_the_repair_has(put, runs):
    text = "\n".join(line.replace("}", ', "attempt": 0}') for line in records("question", "correct").splitlines())
    scores = ro.read_scores(put("runs.jsonl", text), runs=runs, columns={"run": "attempt"})
    with pytest.raises(ro.DesignError, match=r"compare\(over='tasks'\)"):
        ro.compare(scores, over="runs")
    (pair,) = ro.compare(scores).pairs
    assert (pair.test, pair.verdict) == ("tango", "a_better")


def test_attempts_at_continuous_items_are_items_by_their_name_or_unit():
    columns = {"model": ["a", "a", "b", "b"], "score": [0.2, 0.7, 0.4, 0.9]}
    tasks = ["x", "y", "x", "y"]
    assert ro.Scores.from_frame({**columns, "question": tasks}).of_items
    assert ro.Scores.from_frame({**columns, "env": tasks}, unit="episode").of_items
    assert not ro.Scores.from_frame({**columns, "env": tasks}).of_items


def test_outcomes_of_a_single_name_are_no_benchmark(put):
    with pytest.raises(ro.DataError, match="none of the shapes"):
        ro.read_scores(put("flags.json", '{"options": {"render": true}}'))


def report_of_swe_bench(resolved: list[int], **more: object) -> str:
    ids = {
        "submitted_ids": [f"django__django-{i}" for i in range(4)],
        "resolved_ids": [f"django__django-{i}" for i in resolved],
    }
    counts = {
        "total_instances": 300,
        "submitted_instances": 4,
        "resolved_instances": len(resolved),
        "schema_version": 2,
    }
    return json.dumps({**counts, **ids, "error_ids": [], "unresolved_ids": [], **more})


def test_reports_of_swe_bench_are_instances_of_models(put):
    put("reports/gpt-5.run1.json", report_of_swe_bench([0, 1]))
    scores = ro.read_scores(
        put("reports/qwen-3.run1.json", report_of_swe_bench([1], error_ids=["django__django-0"])).parent
    )
    assert (len(scores.algorithms), scores.tasks[0], scores.of_items) == (2, "django__django-0", True)
    assert [scores.cell(a, "django__django-1").tolist() for a in (0, 1)] == [[1.0], [1.0]]
    assert scores.values.sum() == 3


def test_a_report_of_swe_bench_without_instances_is_refused(put):
    with pytest.raises(ro.DataError, match="no instance was submitted"):
        ro.read_scores(put("a.json", report_of_swe_bench([], submitted_ids=[])))


def test_reports_of_swe_bench_on_single_instances_are_left_for_those_of_the_models(put, tmp_path):
    report = {"django__django-1": {"patch_is_None": False, "patch_exists": True, "resolved": True, "tests_status": {}}}
    put("logs/run_evaluation/run/a/django__django-1/report.json", json.dumps(report))
    with pytest.raises(ro.DataError, match=r"an instance without a patch has none: read .* MODEL\.RUN\.json"):
        ro.read_scores(tmp_path)


def test_each_row_is_a_run_across_several_files_too(put):
    for name in ("one", "two"):
        file = put(f"runs/{name}.csv", "algo,env,host,return\nA,x,a,1\nA,x,b,2\nA,x,a,3\nA,x,b,4\n")
    assert ro.read_scores(file.parent, columns={"run": "row"}).n_runs.tolist() == [[8]]


@pytest.mark.parametrize("name", ["model", "checkpoint", "agent_name"])
def test_episodes_of_several_policies_are_not_pooled_as_one(put, name):
    file = put("runs.csv", f"policy,{name},task,success\na,m1,x,true\na,m2,x,false\n")
    with pytest.raises(ro.DataError, match=f"column '{name}' takes several values for one algorithm.*several policies"):
        ro.read_scores(file, unit="episode")


def test_questions_of_several_tasks_are_items_of_their_own(put):
    lines = [
        f"{task},{i},{model},{(i + len(model)) % 2}"
        for task in ("gsm8k", "mmlu")
        for i in range(5)
        for model in ("a", "bb")
    ]
    file = put("runs.csv", "\n".join(["task,question,model,correct", *lines, ""]))
    with pytest.raises(ro.DataError, match=r"column 'question' names items.*use columns=\{'task': 'task/question'\}"):
        ro.read_scores(file)
    assert ro.read_scores(file, columns={"task": "task/question"}).n_tasks == 10
    scores = ro.read_scores(file, unit="episode")
    assert (scores.n_tasks, scores.tasks[0], scores.of_items) == (10, "gsm8k/0", True)
    assert not any("columns not used" in note for note in scores.provenance.notes)


def test_rows_of_swe_bench_are_models_on_instances(put):
    rows = [{"instance_id": i, "model_name_or_path": m, "resolved": i == m} for i in ("x", "y") for m in ("x", "z")]
    scores = ro.read_scores(put("runs.jsonl", "\n".join(map(json.dumps, rows))))
    assert (scores.algorithms, scores.tasks, scores.values.tolist()) == (("x", "z"), ("x", "y"), [1, 0, 0, 0])


def test_a_wide_table_of_true_and_false_by_item_is_one_of_scores(put):
    scores = ro.read_scores(put("items.csv", "question_id,gpt,llama\nq1,true,False\nq2,false,True\n"))
    assert scores.to_dict() == {"gpt": {"q1": [1.0], "q2": [0.0]}, "llama": {"q1": [0.0], "q2": [1.0]}}


def test_rows_of_true_and_false_without_a_name_are_asked_for(put):
    file = put("wide.csv", "gpt,llama\ntrue,false\nfalse,\n")
    with pytest.raises(ro.DataError, match=r"unit='episode' if they are attempts .* columns=\{'run': 'row'\} if each"):
        ro.read_scores(file)
    for options in ({"unit": "episode"}, {"columns": {"run": "row"}}):
        assert ro.read_scores(file, **options).to_dict() == {"gpt": {"task": [1.0, 0.0]}, "llama": {"task": [0.0]}}


BENCHMARKS = ["arc/1", "arc/2", "gsm8k/1", "gsm8k/2"]


@pytest.mark.parametrize("names", ["benchmark,question_id", "suite,item", "dataset_name,id"])
def test_questions_that_begin_anew_in_each_benchmark_are_called_by_both(put, names):
    cells = itertools.product(("gpt", "llama"), ("gsm8k", "arc"), (1, 2))
    lines = [f"{model},{suite},{i},{len(suite) % 2}" for model, suite, i in cells]
    file = put("items.csv", "\n".join([f"model,{names},correct", *lines, ""]))
    scores = ro.read_scores(file)
    assert (scores.tasks, scores.n_runs.tolist()) == (tuple(BENCHMARKS), [[1] * 4] * 2)
    assert dict(scores.provenance.columns)["task"] == names.replace(",", "/")
    assert not any("not used" in note for note in scores.provenance.notes)


def test_a_wide_table_of_benchmarks_and_their_questions_has_both_as_tasks(put):
    rows = "gsm8k,1,1,0\ngsm8k,2,0,0\narc,1,1,1\narc,2,0,1\n"
    scores = ro.read_scores(put("items.csv", "benchmark,question_id,gpt,llama\n" + rows))
    assert (scores.algorithms, scores.tasks) == (("gpt", "llama"), tuple(BENCHMARKS))


def test_a_frame_of_benchmarks_is_read_as_the_file_is():
    frame = {
        "model": ["a"] * 4,
        "benchmark": ["arc", "arc", "gsm8k", "gsm8k"],
        "item": [1, 2, 1, 2],
        "score": [1.0] * 4,
    }
    assert ro.Scores.from_frame(frame).tasks == tuple(BENCHMARKS)


def test_a_benchmark_alone_is_a_task(put):
    alone = ro.read_scores(put("alone.csv", "model,benchmark,seed,score\na,arc,0,1\na,gsm8k,0,2\n"))
    assert alone.to_dict() == {"a": {"arc": [1.0], "gsm8k": [2.0]}}


@pytest.mark.parametrize("column", ["attempt", "successes"])
def test_a_frame_that_a_method_refuses_is_read_by_the_option_that_is_named(column):
    own = {"attempt": [0, 1, 0, 1], "success": [1, 0, 0, 1]}
    counts = {"successes": [3, 4, 5, 6], "trials": [9, 9, 9, 9]}
    frame = {"policy": list("aabb"), **(own if column == "attempt" else counts)}
    with pytest.raises(ro.DataError, match="use unit='episode'"):
        ro.compare(frame)
    assert ro.compare(frame, unit="episode") == ro.compare(ro.load(frame, unit="episode"))


def test_draws_beside_wins_and_losses_are_asked(put):
    rows = [
        f"{a},t,{k},{won},{even},{lost}" for a, won, even, lost in (("P", 6, 3, 1), ("Q", 2, 7, 1)) for k in range(3)
    ]
    path = put("runs.csv", "\n".join(["policy,task,seed,wins,draws,losses", *rows]))
    with pytest.raises(ro.DataError, match="column 'draws' counts attempts that were neither won nor lost"):
        ro.load(path)
    shares = ro.load(path, columns={"unused": "draws"})
    assert shares.cell("P", "t").tolist() == [6 / 7] * 3


@pytest.mark.parametrize(
    "text",
    ["task,ACT,Ours\nPick,1/3,2/3\nStack,0/2,1/2\n", "policy,Pick,Stack\nACT,1/3,0/2\nOurs,2/3,1/2\n"],
)
def test_counts_under_several_heads_are_those_of_one_count_a_row(put, text):
    tall = put("tall.csv", "policy,task,success\nACT,Pick,1/3\nACT,Stack,0/2\nOurs,Pick,2/3\nOurs,Stack,1/2\n")
    wide, own = (ro.read_scores(file, unit="episode") for file in (put("wide.csv", text), tall))
    for a in range(2):
        assert [cell.tolist() for cell in wide.cells(a)] == [cell.tolist() for cell in own.cells(a)]
    assert (wide.algorithms, wide.tasks) == (own.algorithms, own.tasks)


def test_of_several_columns_of_counts_the_chosen_one_is_the_score_and_others_stay_unused(put):
    file = put("two.csv", "policy,task,any,strict\nACT,Pick,2/3,1/3\nOurs,Pick,3/3,2/3\n")
    scores = ro.read_scores(file, unit="episode", columns={"score": "strict"})
    assert (scores.algorithms, scores.tasks) == (("ACT", "Ours"), ("Pick",))
    assert sorted(scores.cell("Ours", "Pick").tolist()) == [0, 1, 1]


@pytest.mark.parametrize("wrong", ["22", "17.5", "-1"])
def test_of_two_counts_one_that_is_none_is_refused(put, wrong):
    with pytest.raises(ro.DataError, match="which is no count of successes and attempts"):
        ro.read_scores(put("two.csv", f"policy,successes,trials\nours,17,20\nbase,{wrong},20\n"), unit="episode")


@pytest.mark.parametrize("unique", [True, False])
@pytest.mark.parametrize("suites", [("gsm8k", "mmlu"), ("gsm8k",)])
def test_items_of_several_benchmarks_are_named_by_both_whether_their_names_repeat_or_not(put, unique, suites):
    rows = [
        f"{m},{suite},{f'{suite}-' * unique}{i},{(i + len(m)) % 2}"
        for m in ("a", "bb")
        for suite in suites
        for i in range(8)
    ]
    scores = ro.load(put("runs.csv", "\n".join(["model,benchmark,question_id,correct", *rows, ""])))
    alone = len(suites) == 1
    names = {f"{f'{suite}/' * (not alone)}{f'{suite}-' * unique}{i}" for suite in suites for i in range(8)}
    assert {*scores.tasks} == names
    result = ro.compare(scores)
    assert ("R037" in {advice.code for advice in result.advice}) == (not alone)
