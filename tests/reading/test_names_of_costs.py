"""Names of costs are known by all of their words; names of tasks are never costs."""

from __future__ import annotations

import json
import shlex
import tomllib
import warnings
from importlib.resources import files
from itertools import product

import polars as pl
import pytest

import runoff as ro
from runoff.archive.sets import listed
from runoff.cli.app import run
from runoff.words.costs import direction

LOWER = """Crash rate;Crash rate (%);crashRate;crash_rate;Failure rate;Failures;Falls;Falls per hour;Number of falls;Error rate;Word error rate;
Interventions;Infractions;Infractions/km;Collision (%);Collisions per km;# collisions;No. of collisions;Steps to goal;Steps to threshold;
stepsToGoal;Timesteps to threshold (M);Steps until success;Time to goal (s);Time to 90 %;Distance to goal;Final distance to goal;Jerk;
Exploitability (mbb/h);NashConv;Cumulative regret;Optimality gap;Gap to optimal;Sample complexity;Constraint violations;Cost;EpCost;
Training loss;Latency (ms);Grasp failure rate;Deaths;Tracking error (cm);Travel time;Queue length;Makespan;Hopper / Cost;eval/collision_rate;
Negative log-likelihood;Penalty;Accidents;Out-of-bounds rate;Max drawdown (%);Fuel consumption;CO2 emissions;WER;ADE;Brier score;
Overestimation bias;Forgetting;Toxicity;Lateness;Infeasible (%);Overhead;Unsafe actions;Unsafe states visited;Sub-optimal actions (%);
HalfCheetah cost;path_cost;cost_eur;best_val_error;Bits per dim;Epochs to converge;Hazard entries;Calibration error (ECE);
weighted cost;Score (the lower the better);score (lower=better);Punkte (niedriger ist besser);plus bas mieux;return (higher is worse);
score ⇩;score 🔽;longueur de la tournée;Longueur totale de la tournée (km);lunghezza del tour;temps d'attente;temps d'attente moyen;
makespan, da minimizzare;score (to be minimized);Punkte, zu minimieren;чем меньше, тем лучше;오차 (낮을수록 좋음)"""
UNCLEAR = """Episode length;ep_len;Length;Steps;Time;Distance (m);Path length;Final distance;Air time;Time to failure;Time to collision;
Time to live;Distance to obstacle;Time between failures;Miles per intervention;km/collision;Failure-free distance;Error-free;Cost reduction;
Negative cost;-loss;1 - error;Return (cost < 25);No collision;Crash;Fall;Gap (%);Error Maze;Robot falls;
KL;Divergence;Contact force;Expected shortfall;Churn;Rewards lost;Job slowdown;Vehicles stopped;
win/loss ratio;win-loss;Profit and loss;no_collision_rate;negated cost;1/loss;1 / cost;exp(-loss);detected errors;weight loss"""
NEITHER = """Return (min);success (min);score (not lower is better);cost 🔼;error ⇧;Log-likelihood;Confidence bounds;Force Field;
Success rate;Return;Survival time;Time alive;Steps survived;Distance travelled;Collision avoidance;Fall recovery;Win rate;
Gap-Jump;LavaGap;Crash Bandicoot;Road Runner;Fishing Derby;Reacher;CoinRun;DistShift;GoToDoor;PickupDist;Ant Fall;Time Pilot;Step-Maze;
Two-step game;Pitfall;Free Way;Puissance, à maximiser;
longueur de l'épisode;entraîné à minimiser la taille;
Memory;MiniGrid-LavaGapS5-v0;SafetyPointGoal1-v0;PongNoFrameskip-v4;ms_pacman;Overcooked;PPO"""


def names_of(text):
    return [name.strip() for name in text.replace("\n", "").split(";")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [(n, way) for text, way in ((LOWER, "lower"), (UNCLEAR, "unclear"), (NEITHER, None)) for n in names_of(text)],
)
def test_a_name_says_that_lower_is_better_or_leaves_it_open_or_says_nothing(name, expected):
    assert direction(name) == expected


def test_a_name_of_several_levels_is_as_doubtful_as_the_most_doubtful_of_them():
    ways = {"path cost": "lower", "Crash rate": "lower", "Episode length": "unclear", "KL": "unclear", "Return": None}
    for (first, way), (second, other) in product(ways.items(), repeat=2):
        assert direction(f"{first} / {second}") == max(way, other, key=[None, "lower", "unclear"].index)


def known_tasks():
    """Yield the names of all tasks of the archive, of the reference scores and of the vocabularies."""
    for card in listed():
        yield from card.tasks
        yield from (name for names in card.tasks.values() for name in names)
    for file in files("runoff.references").iterdir():
        if file.name.endswith(".json"):
            for entry in json.loads(file.read_text(encoding="utf-8")).values():
                yield from entry.get("scores", {})
    vocabularies = tomllib.loads(files("runoff.reading").joinpath("names.toml").read_text(encoding="utf-8"))
    yield from (name for key in ("gymnasium", "dm_control") for name in vocabularies[key].split())


def test_no_task_of_a_known_benchmark_is_taken_for_a_cost():
    tasks = set(known_tasks())
    assert len(tasks) > 600
    assert [name for name in tasks if direction(name) is not None] == []


COSTS = {"algo": ["A", "A", "B", "B"], "seed": [0, 1, 0, 1], "error": [3.0, 4.0, 1.0, 2.0]}


def csv_of(columns):
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize("as_file", [True, False])
def test_a_cost_is_the_score_where_lower_was_said_to_be_better(put, as_file):
    data = put("runs.csv", csv_of(COSTS)) if as_file else COSTS
    scores = ro.load(data, lower_is_better=True)
    assert sorted(scores.values.tolist()) == [-4.0, -3.0, -2.0, -1.0]
    assert dict(scores.provenance.columns)["score"] == "error"


def test_where_lower_is_better_a_return_beside_a_cost_is_asked_about(put):
    table = {**COSTS, "return": [1.0, 2.0, 3.0, 4.0]}
    for data in (put("runs.csv", csv_of(table)), table):
        with pytest.raises(
            ro.DataError, match="'return' is named like a score of which more is better, and column 'error'"
        ):
            ro.load(data, lower_is_better=True)
        assert ro.load(data, lower_is_better=True, score="error").values.max() == -1.0
        assert ro.load(data).values.max() == 4.0


@pytest.mark.parametrize("more", [{"cost": [1.0, 2.0, 3.0, 4.0]}, {"score": [1.0, 2.0, 3.0, 4.0]}])
def test_a_cost_beside_another_or_beside_a_score_is_not_taken_for_it(put, more):
    data = put("runs.csv", csv_of({**COSTS, **more}))
    if "score" in more:
        assert dict(ro.load(data, lower_is_better=True).provenance.columns)["score"] == "score"
        return
    with pytest.raises(
        ro.DataError,
        match=r"'error'}, lower_is_better=True, or columns={'score': 'cost'}, lower_is_better=True, whichever",
    ):
        ro.load(data, lower_is_better=True)


def of_models(heads: str, more: str = "10,124.4") -> str:
    rows = [f"{m},{s},{more},{20 + s}.5,{30 + s}.5" for m in ("gpt", "mamba") for s in (1, 2)]
    return "\n".join([f"model,seed,tokens_B,size,{heads}", *rows, ""])


@pytest.mark.parametrize("heads", ["ptb_ppl,c4_ppl", "ppl_ptb,ppl_c4", "ptb perplexity,c4 perplexity"])
def test_heads_of_one_cost_of_known_tasks_are_these_tasks_and_the_cost_is_negated_aloud(put, heads):
    with pytest.warns(UserWarning, match="name a cost of each task, of which less is better: it is the score, negated"):
        scores = ro.load(put("t.csv", of_models(heads)))
    assert scores.to_dict()["gpt"] == {"c4": [-31.5, -32.5], "ptb": [-21.5, -22.5]}
    stated = ro.read_scores(put("t.csv", of_models(heads)), lower_is_better=True)
    assert stated.to_dict() == scores.to_dict()


@pytest.mark.parametrize("heads", ["mnist_acc,cifar10_acc", "mnist return,cifar10 return"])
def test_heads_of_one_quality_of_known_tasks_are_these_tasks(put, heads):
    assert ro.load(put("t.csv", of_models(heads))).to_dict()["gpt"] == {"cifar10": [31.5, 32.5], "mnist": [21.5, 22.5]}


@pytest.mark.parametrize(
    "heads",
    ["teacher_ppl,student_ppl", "ptb_ppl,student_ppl", "word_ppl,byte_ppl", "train_ppl,val_ppl", "top1_acc,top5_acc",
     "ptb_ppl,c4_acc", "actor_loss,critic_loss"],
)  # fmt: skip
def test_measures_of_one_thing_or_of_unknown_things_are_asked_about(put, heads):
    with pytest.raises(ro.DataError):
        ro.load(put("t.csv", of_models(heads)))


def test_another_number_of_each_run_beside_such_heads_is_asked_about(put):
    text = of_models("ptb_ppl,c4_ppl").replace("124.4", "{}").format(*(0.25 * i for i in range(4)))
    with pytest.raises(ro.DataError):
        ro.load(put("t.csv", text.replace("size", "zeta")))
    with pytest.warns(UserWarning, match="name a cost of each task"):  # what a run took is no score
        assert ro.load(put("t.csv", text.replace("size", "gpu_hours"))).tasks == ("c4", "ptb")


@pytest.mark.parametrize(
    "head", ["score ↓", "↓return", "accuracy (lower is better)", "Elo (down)", "fitness (less is better)"]
)
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("as_file", [True, False])
def test_a_head_that_says_that_less_is_better_is_believed(put, head, named, as_file):
    columns = {"algo": ["A", "A", "B", "B"], "seed": [0, 1, 0, 1], head: [3.0, 4.0, 1.0, 2.0]}
    chosen = {"score": head} if named else {}
    with pytest.warns(ro.RunoffWarning, match="says that less is better: its scores are negated"):
        scores = ro.load(put("runs.csv", csv_of(columns)) if as_file else pl.DataFrame(columns), columns=chosen)
    assert sorted(scores.values.tolist()) == [-4.0, -3.0, -2.0, -1.0]


@pytest.mark.parametrize("head", ["cost ↑", "return ↑", "error (higher is better)", "score ↑↓"])
def test_a_head_that_says_that_more_is_better_or_both_turns_nothing(put, head):
    columns = {"algo": ["A", "A", "B", "B"], "seed": [0, 1, 0, 1], head: [3.0, 4.0, 1.0, 2.0]}
    assert ro.load(put("runs.csv", csv_of(columns)), columns={"score": head}).values.max() == 4.0


@pytest.mark.parametrize("head", ["time", "Zeit", "時間", "episode_length"])
def test_what_may_be_better_either_way_is_asked_about_with_both_answers(put, head, capsys):
    file = put("runs.csv", csv_of({"algo": ["A", "A", "B", "B"], "seed": [0, 1, 0, 1], head: [3.0, 4.0, 1.0, 2.0]}))
    assert run(["compare", str(file)]) == 2
    first, second = (line.strip() for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff"))
    assert first == f"{second} --lower-is-better"
    assert run(shlex.split(second)[1:]) == 0


@pytest.mark.parametrize("head", ["score ↓", "regret (lower is better)", "loss"])
@pytest.mark.parametrize("stepped", [True, False])
def test_every_reader_of_a_table_turns_the_same_heads(put, head, stepped):
    columns = {"algo": ["A", "A", "B", "B"], "seed": [0, 1, 0, 1], head: [3.0, 4.0, 1.0, 2.0]}
    columns |= {"step": [10] * 4} if stepped else {}
    file, frame = put("runs.csv", csv_of(columns)), pl.DataFrame(columns)
    kind, read = (ro.Curves, ro.read_curves) if stepped else (ro.Scores, ro.read_scores)
    with pytest.warns(ro.RunoffWarning, match="negated"):
        all_read = [ro.load(file), ro.load(frame), read(file), read(frame), kind.from_frame(frame)]
    assert [sorted(data.values.tolist()) for data in all_read] == [[-4.0, -3.0, -2.0, -1.0]] * 5
    assert all(data.provenance.of_costs for data in all_read)


def long_of(metric, column="metric"):
    runs = [(a, s, m, v + 0.1 * s) for a, v in (("A", 3.0), ("B", 1.0)) for s in (0, 1) for m in metric.split(";")]
    return f"algo,seed,{column},value\n" + "".join(f"{a},{s},{m},{v}\n" for a, s, m, v in runs)


@pytest.mark.parametrize(
    ("metric", "chosen"),
    [
        ("loss", {}),
        ("error rate", {}),
        ("quality ↓", {}),
        ("loss;accuracy", {"rows": "metric=loss"}),
        ("score ↓;accuracy", {"score": "score ↓"}),
    ],
)
def test_a_cost_that_a_column_of_metrics_names_is_negated(put, metric, chosen):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        scores = ro.load(put("runs.csv", long_of(metric)), columns=chosen)
    assert "less is better: the scores are negated; rename it if more is better" in " ".join(
        str(w.message) for w in heard
    )
    assert ro.compare(scores, measure="mean")["A", "B"].difference == -2.0


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_a_frame_of_such_rows_has_the_sign_of_their_file(put):
    file = put("runs.csv", long_of("loss"))
    frame = pl.read_csv(file)
    assert {data.values.max() for data in (ro.load(file), ro.load(frame), ro.Scores.from_frame(frame))} == {-1.0}


def test_a_cost_that_a_column_names_beside_heads_of_tasks_is_negated(put):
    with pytest.warns(ro.RunoffWarning, match="of the metric 'loss' less is better"):
        scores = ro.load(
            put("runs.csv", "algo,seed,metric,Ant,Hopper\nA,0,loss,1,2\nA,1,loss,2,3\nB,0,loss,4,5\nB,1,loss,5,6\n")
        )
    assert scores.to_dict()["A"] == {"Ant": [-1, -2], "Hopper": [-2, -3]}


@pytest.mark.parametrize("metric", ["accuracy", "return ↑", "loss ↑"])
def test_a_metric_that_is_no_cost_turns_nothing(put, metric):
    assert ro.compare(put("runs.csv", long_of(metric)), measure="mean")["A", "B"].difference == 2.0


def test_a_cost_below_0_was_negated_before(put):
    text = long_of("loss").replace(",loss,", ",loss,-")
    assert ro.compare(put("runs.csv", text), measure="mean")["A", "B"].difference == -2.0


def test_of_a_metric_that_was_named_by_its_word_a_warning_asks(put):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        scores = ro.load(put("runs.csv", long_of("loss;accuracy")), columns={"score": "loss"})
    question = "the metric 'loss' is the name of a cost: if less is better, give lower_is_better=True"
    assert question in " ".join(str(w.message) for w in heard)
    assert scores.values.min() > 0


@pytest.mark.parametrize(
    "heads", [("A ↓", "B ↓"), ("A score ↓", "B score ↓"), ("A (lower is better)", "B (lower is better)")]
)
def test_names_whose_heads_all_say_that_less_is_better_are_negated(put, heads):
    table = csv_of({"seed": [0, 1, 2], heads[0]: [3.0, 4.0, 3.5], heads[1]: [1.0, 2.0, 1.5]})
    with pytest.warns(ro.RunoffWarning, match="heads say that less is better .*: all scores are negated"):
        assert ro.load(put("runs.csv", table)).values.max() == -1.0


def test_tasks_in_two_directions_are_refused(put):
    table = csv_of({"seed": [0, 1, 2], "maze ↓": [3.0, 4.0, 1.5], "hall ↑": [1.0, 2.5, 3.0]})
    with pytest.raises(ro.DataError, match="the head 'maze ↓' says that less is better, and 'hall ↑' that more is"):
        ro.load(put("runs.csv", table), keys="task")


def of_two(put, second):
    heads = (("A", "score ↓", 1.0), ("B", second, 2.0))
    return [put(f"{a}.csv", csv_of({"algo": [a] * 2, "seed": [0, 1], head: [v, v + 1]})) for a, head, v in heads]


@pytest.mark.parametrize("second", ["score", "score ↑", "return"])
def test_files_in_two_directions_are_refused(put, second):
    with pytest.raises(
        ro.DataError, match=r"the head 'score ↓' says that less is better, and .* does not: give both one head"
    ):
        ro.load(of_two(put, second))


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize("second", ["score ↓", "↓score"])
def test_files_whose_heads_all_say_that_less_is_better_are_negated(put, second):
    assert sorted(ro.load(of_two(put, second)).values.tolist()) == [-3.0, -2.0, -2.0, -1.0]


def test_algorithms_that_are_all_named_like_costs_are_negated_where_a_file_names_them_and_otherwise_asked_about(put):
    named = {"ours loss": [1.0, 1.2, 1.1], "base loss": [2.0, 2.1, 2.2]}
    with pytest.warns(ro.RunoffWarning, match="heads name 'loss', a cost, of which less is better"):
        compared = ro.compare(put("runs.csv", csv_of({"seed": [0, 1, 2], **named})))
    assert "R028" not in {item.code for item in compared.advice}
    assert (
        ro.load(put("turned.csv", csv_of({"seed": [0, 1], "a loss": [-1, -2], "b loss": [-3, -4]}))).values.max() == -1
    )
    advice = {item.code: item.text for item in ro.compare(ro.load(named)).advice}
    assert "'ours loss', 'base loss' are names of costs" in advice["R028"]


def test_scores_in_two_directions_in_one_table_are_asked_about(put):
    table = csv_of(
        {
            "algo": ["A", "A", "B", "B"],
            "seed": [0, 1, 0, 1],
            "score ↓": [3.0, 4.0, 1.0, 2.0],
            "return ↑": [1.0, 2.5, 3.0, 2.0],
        }
    )
    with pytest.raises(ro.DataError, match="'score ↓', 'return ↑' could each be the score, and not in one direction"):
        ro.load(put("runs.csv", table))


def test_a_request_counts_against_a_head_with_a_warning(put):
    table = csv_of({"algo": ["A", "A", "B", "B"], "seed": [0, 1, 0, 1], "return ↑": [1.0, 2.5, 3.0, 2.0]})
    with pytest.warns(ro.RunoffWarning, match="says that more is better, and less is by request: the request counts"):
        assert ro.load(put("runs.csv", table), lower_is_better=True).values.max() == -1.0


@pytest.mark.parametrize(
    "heads",
    [
        *[("return", "eval_return"), ("score", "eval/score"), ("return", "test_return"), ("returns", "eval_returns")],
        *[
            ("return", "val_return"),
            ("train_return", "val_return"),
            ("return", "eval_return_mean"),
            ("val_return", "test_return"),
        ],
        *[("train_return", "holdout_return"), ("train/return", "dev/return"), ("return", "validation_return")],
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_evaluations_come_before_training_whatever_the_usual_name(put, heads, turned):
    columns = {"algo": ["A", "A", "B", "B"], "seed": [0, 1, 0, 1]} | dict(
        zip(heads, ([1.0, 2.0, 3.0, 4.0], [8.0, 7.0, 6.0, 5.0]), strict=True)
    )
    table = csv_of(dict(reversed(columns.items())) if turned else columns)
    assert ro.load(put("runs.csv", table)).provenance.columns[-1] == ("score", heads[1])


def test_one_head_of_several_that_says_that_less_is_better_turns_nothing_and_is_warned_of(put):
    table = csv_of({"seed": [0, 1, 2], "A ↓": [3.0, 4.0, 3.5], "B": [1.0, 2.0, 1.5]})
    with pytest.warns(ro.RunoffWarning, match="the head 'A ↓' says that less is better, and others say nothing"):
        assert ro.load(put("runs.csv", table)).values.min() == 1.0


def test_of_one_algorithm_named_like_a_cost_nothing_is_asked():
    runs = {"ours loss": [1.0, 1.2, 1.1], "base loss": [2.0, 2.1, 2.2]}
    assert "R028" in {item.code for item in ro.compare(runs).advice}
    runs["ours"] = runs.pop("ours loss")
    assert "R028" not in {item.code for item in ro.compare(runs).advice}


def test_heads_that_say_a_direction_are_scores_though_their_words_are_those_of_a_role(put):
    rows = "".join(f"{a},{s},{m + s},{m - s}\n" for a, m in (("PPO", 30), ("SAC", 10)) for s in range(3))
    with pytest.warns(ro.RunoffWarning, match="heads say that less is better"):
        scores = ro.load(put("runs.csv", f"algo,seed,maze ↓,hall ↓\n{rows}"))
    assert scores.to_dict()["SAC"] == {"hall ↓": [-10.0, -9.0, -8.0], "maze ↓": [-10.0, -11.0, -12.0]}


def test_learning_curves_of_one_cost_are_negated_aloud(put):
    for algorithm, at in (("PPO", 3.0), ("SAC", 1.0)):
        for seed in range(2):
            root = put(f"runs/{algorithm}_seed{seed}.csv", f"step,loss\n100,9\n200,{at + seed}\n").parent
    with pytest.warns(ro.RunoffWarning, match="column 'loss' is named like a cost"):
        assert ro.load(root).final().to_dict() == {"PPO": {"task": [-3.0, -4.0]}, "SAC": {"task": [-1.0, -2.0]}}


@pytest.mark.parametrize("head", ["neg_exploitability", "negative regret"])
def test_a_cost_that_its_name_says_to_be_negated_is_the_score_where_no_number_lies_above_0(put, head):
    for algorithm, at in (("PPO", 3.0), ("SAC", 1.0)):
        root = put(f"runs/{algorithm}_seed0.csv", f"step,{head}\n100,-9\n200,{-at}\n").parent
    with pytest.warns(ro.RunoffWarning, match="is the only one of numbers .*: it is the score"):
        assert ro.load(root).final().to_dict() == {"PPO": {"task": [-3.0]}, "SAC": {"task": [-1.0]}}
    put("runs/SAC_seed0.csv", f"step,{head}\n100,9\n200,1\n")
    with pytest.raises(ro.DataError):
        ro.load(root)


# ── files, and columns, of which some are costs ──────────


def rows_of(head, algorithm, *, named=True):
    lines = [f"{f'{algorithm},' * named}{task},{seed},{seed + 3}.5" for task in "xy" for seed in range(3)]
    return "\n".join([f"{'algo,' * named}task,seed,{head}", *lines, ""])


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("heads", ["loss,score", "return,cost", "val_loss,accuracy", "error,loss", "score,loss"])
@pytest.mark.parametrize("lower", [True, False])
def test_a_file_of_a_cost_beside_files_of_another_score_is_not_left_out_nor_pooled(put, heads, named, lower):
    for algorithm, head in zip(("base", "ours", "third"), [*heads.split(","), heads.split(",")[0]], strict=True):
        root = put(f"runs/{algorithm}.csv", rows_of(head, algorithm, named=named)).parent
    for data in (root, [str(file) for file in sorted(root.iterdir())]):
        with pytest.raises(ro.DataError, match=r"is named like a cost, and the score in .* give both one head"):
            ro.load(data, lower_is_better=lower)


def test_names_of_costs_and_of_scores_that_head_single_columns_are_no_algorithms(put):
    put("runs/ours.csv", "rmse\n3.0\n3.1\n3.2\n")
    with pytest.raises(ro.DataError, match=r"'rmse', is named like a cost, and the score in .* is 'r2'"):
        ro.load(put("runs/base.csv", "r2\n0.3\n0.4\n0.5\n").parent)


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_other_measures_of_the_same_runs_are_left_out_as_before(put):
    for name, head in (("return", "return"), ("cost", "cost")):
        root = put(f"safe/{name}.csv", rows_of(head, "", named=False)).parent
    assert ro.load(root).algorithms == ("return",)
    for name, head in (("eval", "return"), ("train", "loss")):
        for algorithm in ("ppo", "sac"):
            curves = put(f"logs/{algorithm}/seed0/{name}.csv", f"step,{head}\n100,1\n200,2\n300,3\n").parents[2]
    assert ro.load(curves).algorithms == ("ppo", "sac")
    for name, head in (("a", "return"), ("b", "loss")):
        tables = put(f"tables/{name}.csv", rows_of(head, "ppo")).parent
    assert ro.load(tables).provenance.columns[-1] == ("score", "return")


def test_several_costs_are_offered_in_their_direction(put, capsys):
    lines = [f"{a},{t},{s},{s + 1}.5,{s + 2}.5" for a in "pq" for t in "xy" for s in range(3)]
    file = put("runs.csv", "\n".join(["algo,task,seed,train_loss,val_loss", *lines, ""]))
    assert run(["compare", str(file)]) == 2
    commands = [shlex.split(line) for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff ")]
    assert [command[-3:] for command in commands] == [
        ["--columns", f"score={name}", "--lower-is-better"] for name in ("train_loss", "val_loss")
    ]
    assert run(commands[1][1:]) == 0
    with pytest.raises(ro.DataError, match=r"\{'score': 'train_loss'\}, lower_is_better=True, or .*, lower_is_better="):
        ro.load(file)


@pytest.mark.parametrize("metrics", [("loss",), ("loss", "length")])
def test_the_metric_of_all_rows_is_a_score_by_its_name_as_that_of_some_is(put, metrics):
    lines = [f"{a},x,{s},{m},{s + 1}.5" for a in "pq" for s in range(3) for m in metrics]
    file = put("runs.csv", "\n".join(["algo,task,seed,metric,value", *lines, ""]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = ro.load(file, score="loss", lower_is_better=True)
    assert scores.to_dict() == {a: {"x": [-1.5, -2.5, -3.5]} for a in "pq"}


@pytest.mark.parametrize(
    "head", ["Ошибка", "Потери", "Errore", "Perdita", "Custo", "Erro", "오차", "비용", "Förlust", "Koszt"]
)
def test_costs_in_other_languages_are_negated_with_a_warning(put, head):
    path = put("t.csv", f"algorithm,seed,{head}\nppo,1,3.5\nppo,2,4.5\nsac,1,5.5\nsac,2,6.5\n")
    with pytest.warns(ro.RunoffWarning, match="is named like a cost, .* negated"):
        scores = ro.read_scores(path)
    assert scores.to_dict() == {"ppo": {"task": [-3.5, -4.5]}, "sac": {"task": [-5.5, -6.5]}}


def test_a_head_of_which_nothing_is_known_is_offered_with_both_directions(put):
    path = put("t.csv", "algorithm,seed,odchyl\nppo,1,3.5\nppo,2,4.5\nsac,1,5.5\nsac,2,6.5\n")
    with pytest.raises(
        ro.DataError, match=r"'odchyl'\}, or with columns=\{'score': 'odchyl'\}, lower_is_better=True if less of it is"
    ):
        ro.read_scores(path)


@pytest.mark.parametrize("label", ["Gesamtergebnis", "Razem", "Ogółem", "Всего", "합계", "Celkem"])
def test_totals_in_other_languages_are_no_algorithms(put, label):
    rows = "".join(f"{a},{s},{x}\n" for a, s, x in (("ppo", 1, 3.5), ("ppo", 2, 4.5), ("sac", 1, 5.5), ("sac", 2, 6.5)))
    with pytest.warns(ro.RunoffWarning, match="1 row.s. of the table that sum up others"):
        scores = ro.read_scores(put("t.csv", f"algorithm,seed,return\n{rows}{label},,20\n"))
    assert scores.algorithms == ("ppo", "sac")


def test_a_cost_of_exactly_0_is_a_cost(put):
    with pytest.warns(ro.RunoffWarning, match="'rmse' is named like a cost"):
        scores = ro.load(put("runs.csv", "method,seed,rmse\nA,0,0\nA,1,0.5\nB,0,1.5\nB,1,2\n"))
    assert scores.to_dict() == {"A": {"task": [0.0, -0.5]}, "B": {"task": [-1.5, -2.0]}}
