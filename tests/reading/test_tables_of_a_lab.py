"""Tables as a lab has them: what their cells decide is read, what they leave open is asked with a command that works."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from tests.reading.test_repairs_of_tables import refused, run


def test_an_algorithm_called_random_with_a_score_of_each_run_is_no_reference(put):
    head = "| Run | Random | DQN | Ours |\n|---|---|---|---|\n"
    scores = ro.load(put("a.md", head + "| 1 | 1.5 | 6.5 | 7.5 |\n| 2 | 1.25 | 6 | 8 |\n"))
    assert scores.cell("Random", "task").tolist() == [1.5, 1.25]
    with pytest.warns(ro.RunoffWarning, match="which are reference scores"):
        scores = ro.load(put("b.md", head + "| 1 | 1.5 | 6.5 | 7.5 |\n| 2 | 1.5 | 6 | 8 |\n"))
    assert scores.algorithms == ("DQN", "Ours")


def test_texts_beside_an_outcome_are_no_second_score(put):
    for model in ("base", "tuned"):
        rows = [{"task_id": f"t/{i}", "result": ("failed: x", "passed")[i % 2], "passed": i % 2 == 1} for i in range(8)]
        put(f"evals/{model}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    scores = ro.load(put("evals/README.md", "Two models.\n").parent)
    assert scores.cell("base", "t/1").tolist() == [1.0]
    assert any("columns not used: 'result'" in note for note in scores.provenance.notes)


def test_configurations_named_like_algorithms_without_a_column_of_these_are_asked_about(put):
    rows = "".join(f"{name},{seed},{seed + 1}\n" for name in ("baseline", "no_norm") for seed in range(3))
    file = put("configs.csv", "config,seed,score\n" + rows)
    with pytest.raises(ro.DataError, match="may name algorithms, or configurations of one") as error:
        ro.load(file)
    assert "columns={'algorithm': 'config'}" in str(error.value)
    assert ro.load(file, columns={"algorithm": "config"}).algorithms == ("baseline", "no_norm")


def test_the_proposed_algorithm_is_no_other_name_of_the_task_and_times_of_runs_part_nothing(put, capsys):
    head = "id,task,framework,seed,result,utc\n"
    rows = [
        f"openml/{t},{t},{f},{10 * k + s},0.{k}{s},2026-01-0{s + 1}T10:10:10\n"
        for k, (t, f) in enumerate((t, f) for t in ("adult", "kc1") for f in ("gluon", "tpot"))
        for s in range(3)
    ]
    file = put("amlb.csv", head + "".join(rows))
    _, (command, *_) = refused(capsys, "compare", str(file))
    assert command[-1] == "algorithm=framework"
    assert run(command) == 0


def test_an_algorithm_is_a_strategy_whatever_stands_before_it(put):
    rows = "".join(f"{p},{b},{s},{s + 1}\n" for p in ("zero-shot", "CoT") for b in ("gsm8k", "mmlu") for s in range(3))
    file = put("prompting.csv", "prompt_strategy,benchmark,seed,accuracy\n" + rows)
    with pytest.warns(ro.RunoffWarning, match="column 'prompt_strategy' is taken as the algorithm"):
        assert ro.load(file).algorithms == ("CoT", "zero-shot")


HEADS = "algo,env,seed"


def rows(more: str, n: int = 3) -> str:
    return "".join(
        f"{a},{e},{s},{more.format(k + s)}\n" for k, a in ((5, "u"), (9, "v")) for e in "xy" for s in range(n)
    )


@pytest.mark.parametrize("head", ["normierter score", "d4rl_normalized_score"])
def test_the_only_numbers_are_the_score_where_more_is_better_by_their_head(put, head):
    with pytest.warns(ro.RunoffWarning, match=f"column '{head}' is the only one of numbers"):
        assert ro.load(put("runs.csv", f"{HEADS},{head}\n" + rows("{}.5"))).cell("u", "x").tolist() == [5.5, 6.5, 7.5]


def test_files_of_algorithms_are_read_by_the_only_numbers_of_their_named_runs(put):
    for name in ("cql", "iql"):
        put(f"res/{name}.csv", "env,seed,d4rl_normalized_score\nx,0,5.5\nx,1,6.5\ny,0,7.5\n")
    with pytest.warns(ro.RunoffWarning, match="is the only one of numbers"):
        assert ro.load(put("res/.keep", "").parent).cell("cql", "x").tolist() == [5.5, 6.5]


@pytest.mark.parametrize(
    ("head", "values", "offered"),
    [
        ("elo_gain", "{}.5", ["score=elo_gain", "score=elo_gain"]),
        ("sharpe,max_drawdown", "{0}.5,0.{0}", ["score=max_drawdown", "score=sharpe"]),
        ("objective,gap_pct", "{0},{0}.5", ["score=objective", "score=gap_pct"]),
        ("Attempt,Points", "0,{}", ["score=Points", "score=Points"]),
    ],
)
def test_the_numbers_that_may_be_the_score_are_offered_with_their_direction(put, capsys, head, values, offered):
    error, commands = refused(capsys, "compare", str(put("runs.csv", f"{HEADS},{head}\n" + rows(values))))
    assert "--lower-is-better if less " in error
    assert [next(word for word in command if word.startswith("score=")) for command in commands] == offered
    both = len(offered) == 2 and len({*offered}) == 1  # upwards first
    lower = [False, True] if both else ["drawdown" in name for name in offered]
    assert ["--lower-is-better" in command for command in commands] == lower


def test_a_column_of_measures_beside_values_chooses_the_rows_of_the_score(put):
    for column, score in (("variable", "episode_return"), ("quantity", "accuracy"), ("metric", "accuracy")):
        lines = "".join(f"{a},x,0,{score},{k}.5\n{a},x,0,loss,99\n" for k, a in ((5, "u"), (9, "v")))
        with pytest.warns(ro.RunoffWarning, match=f"column '{column}' is not '{score}'"):
            assert ro.load(put(f"{column}.csv", f"{HEADS},{column},value\n{lines}")).cell("u", "x").tolist() == [5.5]
    with pytest.raises(ro.DataError, match=r"name it with columns={'algorithm': 'variable'}"):
        ro.load(put("melted.csv", "env,seed,variable,value\nx,0,PPO,5.5\nx,0,SAC,9.5\n" + "x,1,PPO,6.5\nx,1,SAC,7.5\n"))


def test_rounds_that_rise_in_every_run_are_steps_and_temperatures_are_none(put):
    lines = "".join(f"{a},{s},{t},{s + t}.5\n" for a in "uv" for s in (0, 1) for t in (100, 200, 300))
    with pytest.warns(ro.RunoffWarning, match="named like a cost"):
        curves = ro.load(put("bandit.csv", "algo,trial,t,cum_regret\n" + lines))
    assert curves.final().cell("u", "task").tolist() == [-300.5, -301.5]
    with pytest.raises(ro.DataError, match=r"column 't' is '0\.1' and '0\.2'"):
        ro.load(put("sampled.csv", "model,seed,t,score\n" + lines.replace(",100,", ",0.1,").replace(",200,", ",0.2,")))


@pytest.mark.parametrize(("score", "cost"), [("EpRet", "EpCost"), ("episode_return", "cost_return")])
def test_a_return_beside_its_cost_is_the_score_with_a_warning(put, score, cost):
    with pytest.warns(
        ro.RunoffWarning, match=f"'{score}' is the score, by its name; .*lower_is_better=True if '{cost}' is it"
    ):
        ro.load(put("safety.csv", f"{HEADS},{score},{cost}\n" + rows("{0}.5,{0}.25")))


def test_lists_below_ours_and_baseline_are_those_of_algorithms(put):
    lists = {"ours": [1.5, 2.5], "baseline": [0.5, 1.25]}
    assert ro.load(put("a.json", json.dumps(lists))).algorithms == ("baseline", "ours")
    assert ro.load(put("b.json", json.dumps({"easy": [1.5, 2.5], "hard": [0.5, 1.25]}))).tasks == ("easy", "hard")


def test_measures_below_env_runners_are_asked_about_by_their_own_heads(put):
    head = "config/algo_class,config/seed,env_runners/episode_return_mean,env_runners/episode_len_mean\n"
    lines = "".join(f"{a},{s},{k + s}.5,99\n" for k, a in ((5, "PPO"), (9, "APPO")) for s in range(3))
    assert ro.load(put("tune.csv", head + lines)).cell("PPO", "task").tolist() == [5.5, 6.5, 7.5]
    with pytest.raises(ro.DataError, match=r"found .*'env_pool/episode_return_mean', 'env_pool/episode_len_mean'"):
        ro.load(put("c.csv", head.replace("runners", "pool") + lines))


def test_judgements_of_pairs_are_refused_as_such_and_the_best_of_columns_of_scores_is_left_out(put):
    lines = "".join(f"{i},base,tuned,{('model_a', 'model_b', 'tie')[i % 3]}\n" for i in range(9))
    with pytest.raises(
        ro.DataError, match=r"column 'winner' names other columns \('model_a', 'model_b'\), so each row judges a pair"
    ):
        ro.load(put("arena.csv", "prompt_id,model_a,model_b,winner\n" + lines))
    wide = "env,seed,PPO,SAC,best\nx,0,5.5,6.5,SAC\nx,1,6.5,5.5,PPO\n"
    assert ro.load(put("wide.csv", wide), columns={"unused": "best"}).cell("PPO", "x").tolist() == [5.5, 6.5]


def test_numbers_of_known_tasks_below_names_are_single_scores(put):
    content = {name: {"gsm8k": k + 0.5, "math500": k + 1.5} for k, name in enumerate(("base", "sft", "rl"))}
    scores = ro.load(put("a.json", json.dumps(content)))
    assert scores.to_dict()["sft"] == {"gsm8k": [1.5], "math500": [2.5]}
    for other in ({"bleu": 1.5, "chrf": 2.5}, {"gsm8k": 1.5}):
        with pytest.raises(ro.DataError, match="none of the shapes that hold runs"):
            ro.load(put("b.json", json.dumps({"base": other, "sft": other})))


def test_lists_of_seeds_and_scores_below_a_name_are_runs_by_seed(put):
    own = {"PPO": {"seeds": [3, 7], "returns": [1.5, 2.5]}, "SAC": {"seeds": [3, 7], "returns": [4.5, 5.5]}}
    frame = ro.load(put("a.json", json.dumps(own))).to_frame()
    assert frame.filter(frame["algorithm"] == "PPO").select("run", "score").rows() == [("3", 1.5), ("7", 2.5)]
    own["SAC"]["seeds"] = [3]
    with pytest.raises(ro.DataError, match="'returns' among the names"):
        ro.load(put("b.json", json.dumps(own)))


@pytest.mark.parametrize(
    ("head", "less"), [("acc_seed_{}", 1), ("return_seed{}", 1), ("return (seed {})", 1), ("PPO_seed{}", 0)]
)
def test_heads_of_one_measure_and_runs_beside_named_algorithms_are_runs(put, head, less):
    file = put(
        "acc.csv", f"model,benchmark,{head.format(1)},{head.format(2)}\n7b,x,1.5,2.5\n7b,y,3,4\n8b,x,5,6\n8b,y,7,8\n"
    )
    if less:
        assert ro.load(file).to_dict()["7b"] == {"x": [1.5, 2.5], "y": [3.0, 4.0]}
        return
    with pytest.raises(ro.DataError, match="name algorithms and runs, but column 'model' names the algorithms already"):
        ro.load(file)
