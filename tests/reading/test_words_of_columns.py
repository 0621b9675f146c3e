"""Columns that are steps, times, rates or metrics are never scores or algorithms: their names are read word by word."""

from __future__ import annotations

import pytest

import runoff as ro
from runoff.tables.likely import candidates
from runoff.words.labels import (
    is_ablation,
    is_amount,
    is_summary,
    is_width,
    may_measure,
    measures_others,
    run_of,
    says_means,
)
from runoff.words.speech import in_shell
from runoff.words.words import kind, words


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("num_steps", "step"),
        ("EnvironmentSteps", "step"),
        ("TotalEnvInteracts", "step"),
        ("Epoch", "iteration"),
        ("episodes_total", "episode"),
        ("walltime", "time"),
        ("Wall time", "time"),
        ("sps", "rate"),
        ("learning_rate", "rate"),
        ("steps_per_second", "rate"),
        ("StdEpRet", "statistic"),
        ("eval/episode_reward", "score"),
        ("success_rate", "score"),
        ("success_pct", "score"),
        ("returned_episode_returns", "score"),
        ("pct", None),
        ("EpLen", "metric"),
        ("budget", "stage"),
        ("PPO", None),
        ("reward-shaping", None),
        ("λ", None),
    ],
)
def test_the_words_of_a_name_say_what_a_column_holds(name, meaning):
    assert kind(name) == meaning


def test_names_are_split_at_marks_and_capitals():
    assert words("Metrics/AverageEpRet_2") == ("metrics", "average", "ep", "ret", "2")
    assert words("épisode total") == ("épisode", "total")


RUNS_OF_LABELS = [
    *(("seed 1", "1"), ("run_03", "03"), ("s7", "7"), ("PPO", None), ("3", None), ("seed", None), ("seed one", None)),
    *(("2回目", "2"), ("第3次", "3"), ("4 차", "4"), ("5 회차", "5"), ("第6番", None), ("1000回", None)),
    *(("Sem. 2", "2"), ("répét. 2", "2"), ("Wdh. 1", "1"), ("SEM 2", None), ("seed 1 2", None)),
]


@pytest.mark.parametrize(("label", "run"), RUNS_OF_LABELS)
def test_a_label_names_a_run_if_it_says_so(label, run):
    assert run_of(label) == run


@pytest.mark.parametrize(
    ("label", "amount"),
    [
        *(("100k", True), ("2.5M", True), ("step_2000", True), ("0.1", False), ("PPO 100k", False)),
        *(("hour 10", True), ("time_100", True), ("Epoch 3", True), ("level 3", True), ("episode 3", False)),
        *(("step", False), ("seed 3", False), (" 100k ", True)),
    ],
)
def test_amounts_of_training_are_told_from_names(label, amount):
    assert is_amount(label) is amount


OTHER_LABELS = {
    is_summary: (
        "Mean|all games|Std Dev|σ|95% CI|Dev. std|TOTAL|Mean (3 seeds)",
        "dev|all_tricks|Best (ours)|best-of-8|Sem. 2|PPO mean",
    ),
    is_width: ("std|95% CI|±|SE|variance", "Max|mean|median|SAC std"),
    measures_others: (
        "Mean rank|# runs|#|№|p-value|Human Gap|num_levels|VRAM (Go)|GPU hours|num",
        "GPU PPO|human|best-of-n|PPO rank",
    ),
    may_measure: ("bill_usd|env_seed|tiles_per_s|crash rate|cost|timeouts", "DQN-PER|per|PER DQN|Cost-DQN|SAC"),
    says_means: ("Mean over 5 seeds|averages of 3 runs", "Return averaged over 100 episodes|5 seeds|mean return"),
    is_ablation: ("no entropy|w/o GAE|full model|only PPO|without x", "PPO|no|PPO no entropy|all"),
}


@pytest.mark.parametrize("rule", OTHER_LABELS, ids=lambda rule: rule.__name__)
def test_what_a_label_is_beside_contenders_is_said_by_its_words(rule):
    yes, no = (names.split("|") for names in OTHER_LABELS[rule])
    assert [name for name in (*yes, *no) if rule(name)] == yes


def test_average_return_and_environment_steps_are_a_curve_not_two_algorithms(put):
    table = "Metrics/EnvironmentSteps,Metrics/AverageReturn\n1000,183\n2000,155\n"
    folder = put("PPO/run0.csv", table).parents[1]
    put("PPO/run1.csv", table)
    put("SAC/run0.csv", table)
    curves = ro.read_curves(folder)
    assert (curves.algorithms, curves.n_runs.ravel().tolist()) == (("PPO", "SAC"), [2, 1])
    assert dict(curves.provenance.columns)["score"] == "Metrics/AverageReturn"


def test_logs_with_heads_in_capitals_are_read_from_a_text_file(put):
    heads = "Epoch\tAverageEpRet\tStdEpRet\tEpLen\tTotalEnvInteracts\tTime\n"
    scores = ro.read_scores(put("PPO.txt", heads + "1\t5\t9\t100\t4000\t3.1\n2\t7\t9\t100\t8000\t6.2\n"))
    assert scores.to_dict() == {"PPO": {"task": [7.0]}}
    assert dict(scores.provenance.columns) == {"score": "AverageEpRet", "step": "TotalEnvInteracts"}


def test_prose_with_commas_that_mentions_returns_is_no_table(put):
    folder = put("PPO.csv", "return\n1\n2\n").parent
    put("SOURCE.txt", "CSV columns: agent, return, score\nsee the paper, section 2, and its data, all of it\n")
    assert ro.read_scores(folder).algorithms == ("PPO",)


def test_an_evaluation_comes_before_training_and_two_evaluations_are_refused(put):
    scores = ro.read_scores(put("PPO.csv", "train/return,eval/return\n1,2\n"))
    assert scores.values.tolist() == [2.0]
    with pytest.raises(ro.DataError, match=r"'eval/return', 'test/return' could each be the score; .*'eval/return'"):
        ro.read_scores(put("SAC.csv", "eval/return,test/return\n1,2\n"))


def test_heads_that_are_metrics_are_no_algorithms(put):
    with pytest.raises(ro.DataError, match=r"'loss' is named like a setting or a metric; .*keys='algorithm'"):
        ro.read_scores(put("wide.csv", "PPO,SAC,loss\n1,2,3\n"))
    assert ro.read_scores(put("wide.csv", "PPO,SAC,loss\n1,2,3\n"), keys="algorithm").algorithms[-1] == "loss"


def test_times_and_rates_beside_algorithms_are_left_out_and_named(put):
    scores = ro.read_scores(put("wide.csv", "PPO,SAC,walltime,sps\n1,2,3,4\n"))
    assert scores.algorithms == ("PPO", "SAC")
    assert "columns not used: 'walltime', 'sps'" in scores.provenance.notes


@pytest.mark.parametrize(("heads", "score"), [("PPO,SAC", "return"), ("Ours,Theirs", "score"), ("FlowQ,Octo", "wins")])
def test_columns_headed_by_algorithms_are_asked_for_beside_a_score_and_each_repair_works(put, heads, score):
    file = put("wide.csv", f"task,seed,{heads},{score}\nx,1,1,2,3\nx,2,2,3,4\n")
    with pytest.raises(
        ro.DataError, match=f"headed by algorithms, but column '{score}' is named like a score"
    ) as refusal:
        ro.read_scores(file)
    repairs = [f"--columns unused={score}", f"--columns score={score}"]
    assert [repair in in_shell(refusal.value.args[0]) for repair in repairs] == [True, True]
    assert ro.read_scores(file, columns={"unused": score}).algorithms == tuple(sorted(heads.split(",")))
    assert ro.read_scores(file, columns={"score": score}).cell("wide", "x").tolist() == [3, 4]


@pytest.mark.parametrize(
    "heads",
    [
        "算法,地图,随机种子,胜率",
        "模型,任务,种子,得分",
        "手法,環境,シード,スコア",
        "Verfahren,Aufgabe,Durchlauf,Erfolgsquote",
        "méthode,tâche,exécution,récompense",
    ],
)
def test_heads_of_other_languages_have_their_roles(put, heads):
    rows = [f"{a},{t},{run},{run + len(a)}" for a in ("A", "BB") for t in "xy" for run in range(3)]
    scores = ro.load(put("runs.csv", "\n".join([heads, *rows, ""])))
    assert scores.to_dict() == {a: {t: [len(a), 1 + len(a), 2 + len(a)] for t in "xy"} for a in ("A", "BB")}


def test_a_column_of_steps_in_another_language_makes_curves(put):
    rows = [f"{a},{run},{step},{run + step}" for a in "AB" for run in range(2) for step in (100, 200)]
    curves = ro.load(put("runs.csv", "\n".join(["算法,种子,步数,奖励", *rows, ""])))
    assert (sorted({*curves.steps}), curves.n_runs.tolist()) == ([100, 200], [[2], [2]])


@pytest.mark.parametrize("texts", [("best.pt", "best.pt"), ("/a/s1/best.pt", "/a/s2/best.pt")])
def test_texts_in_a_column_that_is_named_like_steps_are_no_steps(put, texts):
    rows = [f"{a},{run},{texts[run]},{run + 0.5}" for a in "AB" for run in range(2)]
    scores = ro.load(put("runs.csv", "\n".join(["algo,seed,checkpoint,score", *rows, ""])))
    assert isinstance(scores, ro.Scores)
    assert scores.cell("A", "task").tolist() == [0.5, 1.5]
    with pytest.raises(ro.DataError, match=r"the step \(column 'checkpoint'\) is .*best.pt', which is not a number"):
        ro.load(put("runs.csv", "\n".join(["algo,seed,checkpoint,score", *rows, ""])), columns={"step": "checkpoint"})


def test_texts_that_part_the_rows_of_a_run_are_asked_about_whatever_they_are_called(put):
    rows = [f"{a},{run},{text},{run + 0.5}" for a in "AB" for run in range(2) for text in ("best.pt", "last.pt")]
    with pytest.raises(ro.DataError, match=r"several scores, .* where column 'checkpoint' is 'best.pt' and 'last.pt'"):
        ro.load(put("runs.csv", "\n".join(["algo,seed,checkpoint,score", *rows, ""])))


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("smac_test_battle_won.csv", "test_battle_won_mean"),
        ("test-return.csv", "test_return_mean"),
        ("smac.csv", None),
        ("test_battle_won_and_return.csv", None),
    ],
)
def test_of_several_scores_the_one_that_the_file_is_called_by_is_read(put, name, score):
    rows = [f"{a},{run},{run / 4},{run * 7}" for a in "AB" for run in range(3)]
    file = put(name, "\n".join(["algo,seed,test_battle_won_mean,test_return_mean", *rows, ""]))
    if score is None:
        with pytest.raises(ro.DataError, match="'test_battle_won_mean', 'test_return_mean' could each be the score"):
            ro.load(file)
    else:
        assert ("score", score) in ro.load(file).provenance.columns


PREFIXES = "config. cfg/ hparams. args/ exp. experiment/ run. setup. settings. spec. meta. Metadata/ params. param/ hyperparams.Args."
ENCLOSING = "eval. evaluation. result. results. metric. metrics. Info."


@pytest.mark.parametrize("prefix", PREFIXES.split())
def test_prefixes_of_trackers_are_no_part_of_the_names_of_a_configuration(prefix):
    names = [f"{prefix}algo", f"{prefix}env_id", f"{prefix}seed", "return", "loss"]
    assert [candidates(names, role) for role in ("algorithm", "task", "run", "score")] == [[n] for n in names[:4]]


@pytest.mark.parametrize("prefix", ENCLOSING.split())
def test_keys_of_evaluations_are_no_part_of_the_names_beside_their_scores(prefix):
    names = [f"{prefix}model", f"{prefix}benchmark", f"{prefix}accuracy", f"{prefix}other"]
    assert [candidates(names, role) for role in ("algorithm", "task", "score")] == [[n] for n in names[:3]]
    assert candidates([f"{prefix}model", "model"], "algorithm") == ["model"]
