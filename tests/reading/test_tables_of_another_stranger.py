"""Tables of a stranger who had not seen the readers: each law is a kind of file that was refused or misread once."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

import runoff as ro
from tests.reading.test_repairs_of_tables import refused

MODELS = [(m, s, 30.0 + 7 * a + s) for a, m in enumerate(("alpha-7b", "beta-13b")) for s in (1, 2, 3)]


def of_settings(name: str, value: str, tasks: str = "HumanEval,MBPP") -> str:
    return f"model,{name},seed,{tasks}\n" + "".join(f"{m},{value},{s},{x},{x + 9.5}\n" for m, s, x in MODELS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("top_p", "0.95"),
        ("max_tokens", "512"),
        ("ema", "0.999"),
        ("warmup", "1000"),
        ("n_shot", "5"),
        ("whatever", "0.7"),
        ("frame_stack", "4"),
    ],
)
def test_a_column_of_one_number_beside_tasks_is_a_setting_and_not_a_task(put, name, value):
    scores = ro.load(put("t.csv", of_settings(name, value)))
    assert scores.tasks == ("HumanEval", "MBPP")
    assert any(name in note for note in scores.provenance.notes)


def test_a_task_behind_the_labels_on_which_all_score_the_same_stays_one(put):
    rows = "".join(f"{m},{s},{x},-200\n" for m, s, x in MODELS)
    assert ro.load(put("t.csv", f"method,seed,reach,climb\n{rows}")).tasks == ("climb", "reach")


@pytest.mark.parametrize("value", ["0", "1", "100"])
def test_a_task_that_nobody_or_everybody_solves_stays_one(put, value):
    text = of_settings("gsm8k", value)
    assert ro.load(put("t.csv", text)).tasks == ("HumanEval", "MBPP", "gsm8k")


def test_keys_take_a_column_of_one_number_for_a_task(put):
    scores = ro.read_scores(put("t.csv", of_settings("whatever", "0.7")), keys="task")
    assert "whatever" in scores.tasks


@pytest.mark.parametrize("order", [("{t}/{a}/seed{s}"), ("{a}/{t}/seed{s}"), ("seed{s}/{t}/{a}")])
@pytest.mark.parametrize("algorithms", [("ours_lr3e-4", "ours_lr1e-3"), ("x", "y")])
def test_paths_in_a_column_of_runs_name_what_their_known_parts_leave(put, order, algorithms):
    rows = [order.format(t=t, a=a, s=s) for t in ("HalfCheetah-v4", "Ant-v4") for a in algorithms for s in (1, 2, 3)]
    scores = ro.load(put("t.csv", "run,final_return\n" + "".join(f"{name},{i}.5\n" for i, name in enumerate(rows))))
    assert (set(scores.algorithms), set(scores.tasks), scores.n_runs.tolist()) == (
        {*algorithms}, {"HalfCheetah-v4", "Ant-v4"}, [[3, 3], [3, 3]],
    )  # fmt: skip


def test_paths_of_which_two_parts_are_unknown_are_refused_in_words(put):
    rows = [f"{a}/{b}/seed{s}" for a in ("p", "q") for b in ("u", "v") for s in (1, 2)]
    text = "run,final_return\n" + "".join(f"{name},{i}.5\n" for i, name in enumerate(rows))
    with pytest.raises(ro.DataError, match="nothing shows which part is the algorithm; use keys="):
        ro.load(put("t.csv", text))


@pytest.mark.parametrize("title", ['"Success rates, lab B"', "# WebArena; success rate (%)", "Return"])
def test_columns_below_a_title_that_names_the_score_are_tasks(put, title):
    table = "Method,Seed,Pick apple,Place mug\n" + "".join(f"{m},{s},{x},{x - 5}\n" for m, s, x in MODELS)
    assert ro.load(put("t.csv", f"{title}\n\n{table}")).tasks == ("Pick apple", "Place mug")
    with pytest.raises(ro.DataError, match="no column is recognised as the score"):
        ro.load(put("u.csv", table))
    with pytest.raises(ro.DataError):
        ro.load(put("v.csv", f"{title}\n\n{table.replace('Place mug', 'collisions')}"))


def test_records_of_a_cost_below_a_key_are_read(put):
    records = [{"model": m, "dataset": "lambada", "seed": s, "perplexity": x} for m, s, x in MODELS]
    with pytest.warns(ro.RunoffWarning, match="names a cost, of which less is better"):
        scores = ro.load(put("p.json", json.dumps({"metric": "perplexity", "results": records})))
    assert scores.to_dict()["alpha-7b"] == {"lambada": [-31.0, -32.0, -33.0]}


def test_an_object_of_measures_is_the_run_that_its_file_names(put):
    for algorithm, task, seed in [(a, t, s) for a in ("ppo", "sac") for t in ("Ant-v4", "Hopper-v4") for s in (0, 1)]:
        record = {"success_rate": 0.5 + 0.125 * seed, "n_episodes": 50, "mean_length": 137.8}
        root = put(f"e/{algorithm}_{task}_s{seed}.json", json.dumps(record)).parent
    assert ro.load(root).to_dict()["sac"] == {"Ant-v4": [0.5, 0.625], "Hopper-v4": [0.5, 0.625]}


@pytest.mark.parametrize("name", ["metrics.json", "results.json", "final_results.json", "summary.csv", "metrics.csv"])
@pytest.mark.parametrize("config", ["config.json", "args.yaml"])
def test_one_score_beside_a_configuration_is_the_run_that_this_names(put, name, config):
    for i, (algorithm, task, seed) in enumerate(
        (a, t, s) for a in ("ours", "base") for t in ("maze", "hall") for s in (0, 1)
    ):
        own = {"agent": algorithm, "env": task, "seed": seed, "lr": 0.01}
        text = json.dumps(own) if config.endswith("json") else "".join(f"{k}: {v}\n" for k, v in own.items())
        root = put(f"e/run_{i:03}/{config}", text).parent.parent
        record = {"final_return": 10.0 * i + seed, "wall_time_s": 100.5}
        rows = "".join(",".join(map(str, row)) + "\n" for row in (record, record.values()))
        put(f"e/run_{i:03}/{name}", json.dumps(record) if name.endswith("json") else rows)
    assert ro.load(root).final().to_dict() == {
        "base": {"hall": [60.0, 71.0], "maze": [40.0, 51.0]}, "ours": {"hall": [20.0, 31.0], "maze": [0.0, 11.0]},
    }  # fmt: skip


def test_steps_in_such_a_file_are_those_of_its_score(put):
    put("e/r/config.json", '{"algo": "ppo", "env": "maze", "seed": 3}')
    root = put(
        "e/r/metrics.json", '{"eval_return": 4.5, "total_steps": 1000, "all": {"eval_return": [4.5]}}'
    ).parent.parent
    curves = ro.read_curves(root)
    assert (curves.steps.tolist(), curves.values.tolist()) == ([1000.0], [4.5])


def test_a_scan_with_options_refuses_a_folder_without_runs_in_a_sentence(put, capsys):
    root = put("e/x_s0.json", '{"nothing": "here"}').parent
    message, _ = refused(capsys, "scan", str(root), "--columns", "score=nothing")
    assert "none of the shapes that hold runs" in message


def test_heads_of_rates_in_other_languages_are_scores(put):
    for head in ("taux de réussite (%)", "tasa de éxito", "taxa de sucesso"):
        rows = "".join(f"{m},{s},{x}\n" for m, s, x in MODELS)
        assert dict(ro.load(put("t.csv", f"model,seed,{head}\n{rows}")).provenance.columns)["score"] == head


def test_subsets_of_questions_stay_in_their_names(put):
    rows = "".join(
        f"{m},{t},{t}_{q},{s},{q % 2}\n"
        for m in ("a", "b")
        for t in ("algebra", "geometry")
        for q in (0, 1, 2)
        for s in (0, 1)
    )
    assert ro.load(put("t.csv", f"model,subset,question_id,seed,correct\n{rows}")).tasks[0] == "algebra/algebra_0"


def test_drivers_on_tracks_are_algorithms_and_tasks(put):
    rows = "".join(
        f"{d},{t},{s},{3 * s + len(d)}\n" for d in ("MPCC", "ours") for t in ("oval", "monza") for s in (1, 2)
    )
    with pytest.warns(ro.RunoffWarning, match="less is better"):
        scores = ro.load(put("t.csv", f"driver,track,run,lap time [s] ↓\n{rows}"))
    assert (scores.algorithms, scores.tasks) == (("MPCC", "ours"), ("monza", "oval"))


def test_replications_are_runs(put):
    rows = "".join(f"{p};{b};{r};{r + 1}.5\n" for p in ("UCB1", "TS") for b in ("b10", "b2") for r in range(4))
    with pytest.warns(ro.RunoffWarning, match="named like a cost"):
        assert ro.load(put("t.csv", f"policy;problem;replication;cumulative_regret\n{rows}")).n_runs.tolist() == [
            [4, 4],
            [4, 4],
        ]


def test_another_score_beside_the_one_that_is_read_is_named_with_the_option_that_reads_it(put):
    rows = "".join(f"{m},{s},{x},{x / 100}\n" for m, s, x in MODELS)
    for head, offered in (("success", True), ("train_success", False), ("entropy", False)):
        notes = " ".join(ro.load(put("t.csv", f"method,seed,reward,{head}\n{rows}")).provenance.notes)
        assert f"columns not used: '{head}'" in notes
        assert (f"'score': '{head}'" in notes) == offered


@pytest.mark.parametrize("tasks", [("PointGoal1", "CarButton1"), ("Hopper-v4", "Ant-v4")])
@pytest.mark.parametrize("turned", [False, True])
def test_folders_of_algorithms_and_of_environments_that_nobody_knows_are_both(put, tasks, turned):
    for algorithm, task, seed in [(a, t, s) for a in ("CPO", "PPO") for t in tasks for s in (1, 2)]:
        folders = f"{task}/{algorithm}" if turned else f"{algorithm}/{task}"
        root = put(f"r/{folders}/seed{seed}.csv", f"step,return\n1,2\n2,{seed}.5\n").parents[2]
    curves = ro.read_curves(root)
    assert (set(curves.algorithms), set(curves.tasks)) == ({"CPO", "PPO"}, {*tasks})


@pytest.mark.parametrize("settings", [("BatchSize64", "BatchSize128"), ("lr3", "lr1"), ("v1", "v2")])
def test_folders_of_settings_below_algorithms_are_no_tasks(put, settings):
    for algorithm, setting, seed in [(a, t, s) for a in ("CPO", "PPO") for t in settings for s in (1, 2)]:
        root = put(f"r/{algorithm}/{setting}/seed{seed}.csv", f"step,return\n1,2\n2,{seed}.5\n").parents[2]
    with suppress(ro.DataError):  # asked
        assert ro.read_curves(root).tasks == ("task",)


def test_the_name_of_an_experiment_without_the_task_of_its_configuration_is_the_algorithm(put):
    for algorithm, task, seed in [(a, t, s) for a in ("ppo", "ours") for t in ("cheetah", "yard") for s in (0, 1)]:
        name = f"{algorithm}_{task}"
        config = {"exp_name": name, "env_name": task, "seed": seed}
        put(f"d/{name}/{name}_s{seed}/config.json", json.dumps(config))
        rows = "Epoch\tAverageEpRet\tTotalEnvInteracts\n1\t2\t100\n2\t3\t200\n"
        root = put(f"d/{name}/{name}_s{seed}/progress.txt", rows).parents[2]
    curves = ro.read_curves(root)
    assert (set(curves.algorithms), set(curves.tasks)) == ({"ppo", "ours"}, {"cheetah", "yard"})


@pytest.mark.parametrize(
    ("names", "offered"),
    [
        (("cup_ppo", "cup_sac", "lid_ppo", "lid_sac"), ["{task}_{algorithm}_s{run}"]),
        (("ppo_cup", "sac_cup", "ppo_lid", "sac_lid"), ["{algorithm}_{task}_s{run}"]),
        (("u_p", "u_q", "v_p", "v_q"), ["{algorithm}_{task}_s{run}", "{task}_{algorithm}_s{run}"]),
    ],
)
def test_names_of_two_parts_are_offered_in_the_orders_that_they_may_have(put, names, offered):
    for name in names:
        for seed in (0, 1):
            root = put(f"e/{name}_s{seed}.csv", f"success\n0.{seed + 4}\n").parent
    with pytest.raises(ro.DataError) as refusal:
        ro.load(root)
    assert [
        order for order in ("{algorithm}_{task}_s{run}", "{task}_{algorithm}_s{run}") if order in str(refusal.value)
    ] == offered


def test_a_record_whose_score_nobody_knows_is_one_by_the_option(put):
    for a, s in [(a, s) for a in ("CoLight", "Fixed") for s in (1, 2)]:
        root = put(
            f"y/{a}_{s}.yaml", f"controller: {a}\nnetwork: h4\nseed: '{s}'\nsim_seconds: 36\navg_blurb_s: {s}.5\n"
        ).parent
    with pytest.raises(ro.DataError, match=r"'avg_blurb_s'}, whichever is the score, beside lower_is") as refusal:
        ro.load(root)
    assert "shapes" not in str(refusal.value)
    assert ro.load(root, score="avg_blurb_s").n_runs.tolist() == [[2], [2]]


@pytest.mark.parametrize(
    ("head", "less"),
    [("平均回报", False), ("mittlere Wartezeit [s]", True), ("error_cuadratico_medio", True)],
)
def test_more_heads_are_known(put, head, less):
    text = f"agent,game,seed,{head}\n" + "".join(f"{m},Amidar,{s},{x}\n" for m, s, x in MODELS)
    if less:
        with pytest.warns(ro.RunoffWarning, match="negated"):
            assert ro.load(put("t.csv", text)).values.max() < 0
    else:
        assert ro.load(put("t.csv", text)).values.min() > 0


def test_counts_of_numbered_attempts_are_offered_as_episodes_and_as_runs(put):
    rows = "".join(f"{m},verified,{s},{100 + s},500\n" for m, s, _ in MODELS)
    path = put("t.csv", f"agent,benchmark,attempt,resolved,total\n{rows}")
    with pytest.raises(ro.DataError, match=r"columns=\{'run': 'attempt'\} if each row is a run"):
        ro.load(path)
    assert ro.load(path, run="attempt").n_runs.tolist() == [[3], [3]]


def test_a_scan_of_a_folder_without_logs_says_why_its_tables_are_none(put, capsys):
    root = put("e/a.txt", "Rollout 1: fine\nRollout 2: bad\n").parent
    message, _ = refused(capsys, "scan", str(root))
    assert "line 1" in message


def test_a_learning_curve_comes_before_the_last_score_beside_it(put):
    put("e/r/config.json", '{"algo": "ppo", "env": "maze", "seed": 3}')
    put("e/r/results.json", '{"return": 9.5}')
    root = put("e/r/progress.csv", "step,return\n1,2.5\n2,4.5\n").parent.parent
    assert ro.read_curves(root).values.tolist() == [2.5, 4.5]
