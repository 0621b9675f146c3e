"""Rows that are no runs as the others: summaries, runs that failed, and runs of other settings."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from runoff.tables.values import YES_NO

HEAD = "algorithm,task,seed,score\n"


def rows(*lines: str, head: str = HEAD) -> str:
    return head + "".join(f"{line}\n" for line in lines)


# ── summaries ──────────


@pytest.mark.parametrize("name", ["mean", "Std", "AVG", "all", "Average over seeds", "sem"])
def test_rows_that_sum_up_runs_are_left_out_with_a_warning(put, name):
    file = put("runs.csv", rows("PPO,Pong,0,1", "PPO,Pong,1,3", f"PPO,Pong,{name},2"))
    with pytest.warns(ro.RunoffWarning, match=f"left out: 1 row.* of run '{name}', which summarise the other runs"):
        scores = ro.read_scores(file)
    assert scores.cell("PPO", "Pong").tolist() == [1, 3]
    assert any("left out" in note for note in scores.provenance.notes)


@pytest.mark.parametrize(
    "content",
    [
        rows("PPO,Pong,0,1", "PPO,Alien,0,3", "PPO,Total,0,4", "SAC,Pong,0,5", "SAC,Alien,0,6", "SAC,Total,0,11"),
        rows("PPO,0,1,3,2", "SAC,0,5,6,5.5", head="algorithm,seed,Pong,Alien,overall\n"),
        rows("PPO,Pong,0,1", "SAC,Pong,0,5", "PPO,Alien,0,3", "SAC,Alien,0,6", "Best,Pong,0,5", "Average,Alien,0,4.5"),
    ],
)
def test_tasks_and_algorithms_that_sum_up_others_are_left_out(put, content):
    with pytest.warns(ro.RunoffWarning, match="left out"):
        scores = ro.read_scores(put("runs.csv", content))
    assert (scores.algorithms, scores.tasks, scores.n_runs.tolist()) == (
        ("PPO", "SAC"),
        ("Alien", "Pong"),
        [[1, 1]] * 2,
    )


@pytest.mark.parametrize("label", ["0", "7"])  # a run of the others, or none of theirs
def test_an_average_of_all_runs_of_a_task_is_left_out_whatever_its_own_run_is_called(put, label):
    of_others = [
        f"{name},Pong,{run},{score}"
        for name, score in (("PPO", 1), ("SAC", 5))
        for run, score in ((0, score), (1, score + 2))
    ]
    with pytest.warns(ro.RunoffWarning, match="algorithm 'Average'"):
        scores = ro.read_scores(put("runs.csv", rows(*of_others, f"Average,Pong,{label},4.25")))
    assert scores.algorithms == ("PPO", "SAC")


def test_a_file_that_sums_up_others_is_left_out(put):
    for name in ("PPO", "SAC", "all"):
        folder = put(f"{name}.csv", rows("Pong,0,1", "Pong,1,2", head="task,seed,score\n")).parent
    with pytest.warns(ro.RunoffWarning, match="algorithm 'all'"):
        assert ro.read_scores(folder).algorithms == ("PPO", "SAC")


@pytest.mark.parametrize(
    ("last", "sentence"),
    [("SAC,Pong,mean,5", "run 'mean' sums up runs"), ("SAC,Total,0,5", "task 'Total' sums up tasks")],
)
def test_summaries_of_what_is_not_there_are_refused(put, last, sentence):
    with pytest.raises(ro.DataError, match=f"{sentence} of algorithm 'SAC'"):
        ro.read_scores(put("runs.csv", rows("PPO,Pong,0,1", "PPO,Pong,1,3", last)))


def test_one_task_of_all_scores_is_a_task(put):
    scores = ro.read_scores(put("runs.csv", rows("PPO,overall,0,1", "SAC,overall,0,3")))
    assert scores.tasks == ("overall",)


def test_frames_are_read_as_files_are():
    frame = {"algorithm": ["a"] * 3, "run": ["0", "1", "mean"], "score": [1.0, 3.0, 2.0]}
    with pytest.warns(ro.RunoffWarning, match="left out"):
        assert ro.Scores.from_frame(frame).cell("a", "task").tolist() == [1, 3]


@pytest.mark.parametrize("ends", ["mean std", "mean min max", "Mean Std"])
def test_heads_of_means_and_spreads_are_no_algorithms(put, ends):
    names = [f"{name}_{end}" for name in ("PPO", "SAC") for end in ends.split()]
    content = rows("Pong," + ",".join("1" for _ in names), head=f"task,{','.join(names)}\n")
    with pytest.raises(ro.DataError, match="are named like metrics"):
        ro.read_scores(put("runs.csv", content))
    with pytest.raises(ro.DataError, match="are named like metrics"):
        ro.read_scores(put("runs.json", json.dumps({name: [1.0, 2.0] for name in names})))


# ── runs that failed ──────────

FAILED = rows(
    "PPO,Pong,0,ok,5",
    "PPO,Pong,1,failed,0",
    "SAC,Pong,0,ok,3",
    "SAC,Pong,1,ok,4",
    head="algorithm,task,seed,status,score\n",
)


@pytest.mark.parametrize(
    ("incomplete", "counted"), [("drop", [5]), ("complete", [5]), ("worst", [5, 0]), ("carry", [5, 0])]
)
def test_failed_runs_count_as_is_said(put, incomplete, counted):
    scores = ro.read_scores(put("runs.csv", FAILED), incomplete=incomplete)
    assert scores.cell("PPO", "Pong").tolist() == counted
    assert any("1 of 4 rows are runs that did not finish successfully" in note for note in scores.provenance.notes)


@pytest.mark.parametrize("status", ["failed", "CRASHED", "killed", "timed out", "running"])
def test_failed_runs_are_refused_until_it_is_said_what_they_count(put, status):
    file = put("runs.csv", FAILED.replace("failed", status))
    for incomplete in (None, "auto", "error"):
        with pytest.raises(ro.DataError, match=r"incomplete='drop'.*incomplete='worst'.*incomplete='carry'"):
            ro.read_scores(file, incomplete=incomplete)


def test_a_failed_run_that_is_better_than_the_worst_counts_as_the_worst(put):
    scores = ro.read_scores(put("runs.csv", FAILED.replace("failed,0", "failed,9")), incomplete="worst")
    assert scores.cell("PPO", "Pong").tolist() == [5, 3]


def test_the_worst_of_costs_is_the_largest(put):
    scores = ro.read_scores(put("runs.csv", FAILED), incomplete="worst", lower_is_better=True)
    assert scores.cell("PPO", "Pong").tolist() == [-5, -5]


@pytest.mark.parametrize("missing", ["nan", ""])
def test_a_score_that_is_missing_counts_as_is_said(put, missing):
    file = put("runs.csv", rows("PPO,Pong,0,5", f"PPO,Pong,1,{missing}", "SAC,Pong,0,3"))
    with pytest.raises(ro.DataError):
        ro.read_scores(file)
    assert ro.read_scores(file, incomplete="worst").cell("PPO", "Pong").tolist() == [5, 3]
    assert ro.read_scores(file, incomplete="drop").cell("PPO", "Pong").tolist() == [5]


def test_a_policy_for_runs_that_all_ended_is_refused(put):
    with pytest.raises(ro.OptionError, match="is for learning curves and failed runs"):
        ro.read_scores(put("runs.csv", rows("PPO,Pong,0,5")), incomplete="drop")


def test_a_policy_that_there_is_not_is_refused_beside_failed_runs(put):
    with pytest.raises(ro.OptionError, match=r"incomplete must be one of .*worst.*, not 'dorp'\. Did you mean 'drop'"):
        ro.read_scores(put("runs.csv", FAILED), incomplete="dorp")


# ── variants ──────────


def test_runs_of_two_settings_are_two_configurations(put):
    lines = [f"PPO,Pong,{lr},{i}" for lr in ("0.1", "0.01") for i in range(3)]
    file = put("runs.csv", rows(*lines, "SAC,Pong,0.1,7", head="algorithm,task,lr,score\n"))
    read = ro.read_scores(file)
    assert any(
        "the runs of 'PPO' differ in 'lr': each value is of a configuration" in note for note in read.provenance.notes
    )
    scores = read.variants()
    assert dict(zip(scores.algorithms, scores.n_runs[:, 0].tolist(), strict=True)) == {
        "PPO (lr 0.01)": 3,
        "PPO (lr 0.1)": 3,
        "SAC": 1,
    }


def test_trials_of_a_sweep_are_not_pooled(put):
    lines = [f"{i},ppo,{1e-3 * (i + 1)},{i}" for i in range(5)]
    scores = ro.read_scores(put("sweep.csv", rows(*lines, head="trial,algo,lr,score\n"))).variants()
    assert scores.n_runs.tolist() == [[1]] * 5


@pytest.mark.parametrize("column", ["lr", "entropy", "batch", "gradient_steps"])
def test_settings_that_do_not_differ_and_measurements_are_none(put, column):
    values = [3, 3, 3] if column == "lr" else [0.25, 0.5, 0.75] if column == "entropy" else [1, 2, 3]
    lines = [f"PPO,{i},{value},{i}" for i, value in enumerate(values)]
    scores = ro.read_scores(put("runs.csv", rows(*lines, head=f"algorithm,seed,{column},score\n")))
    assert (scores.algorithms, scores.n_runs.tolist()) == (("PPO",), [[3]])


def test_a_schedule_within_a_run_makes_no_variants(put):
    lines = [f"PPO,{run},{step},{0.1 / step},{step}" for run in (0, 1) for step in (1, 2, 3)]
    curves = ro.read_curves(put("runs.csv", rows(*lines, head="algorithm,seed,step,lr,score\n")))
    assert (curves.algorithms, curves.n_runs.tolist()) == (("PPO",), [[2]])


# ── tables that trackers export ──────────

EXPORTS = {
    "neptune": (
        "sys/id,sys/name,sys/state,sys/failed,parameters/algo,parameters/env,parameters/seed,eval/return",
        "RL-{n},{a}-{n},idle,{failed},{a},{t},{s},{n}",
    ),
    "clearml": (
        "TYPE,NAME,STATUS,ITERATION,hyperparams.Args.algo,hyperparams.Args.env,hyperparams.Args.seed,eval.return",
        "Training,{a} {t} {s},{status},3000,{a},{t},{s},{n}",
    ),
    "mlflow": (
        "run_id,experiment_id,status,artifact_uri,params.algo,params.env,params.seed,metrics.eval_return",
        "0{n}f,1,{status},x/{n},{a},{t},{s},{n}",
    ),
    "plain": ("config/algo,algo,config/env,env,seed,eval/return", "x,{a},{n},{t},{s},{n}"),
}
"""Heads and rows."""


def export(tool: str, *, failed: bool = False) -> str:
    """Return a table of 8 runs, the last of which failed or did not."""
    head, row = EXPORTS[tool]
    runs = [(a, t, s) for a in ("td3", "td3-v2") for t in ("Hopper-v4", "Walker2d-v4") for s in (1, 2)]
    ends = [failed and n == len(runs) - 1 for n in range(len(runs))]
    status = {True: "FAILED", False: "FINISHED"}
    lines = [row.format(a=a, t=t, s=s, n=n, failed=ends[n], status=status[ends[n]]) for n, (a, t, s) in enumerate(runs)]
    return rows(*lines, head=f"{head}\n")


@pytest.mark.parametrize("tool", EXPORTS)
def test_exports_of_trackers_are_named_by_their_configuration(put, tool):
    scores = ro.read_scores(put("runs.csv", export(tool)))
    assert (scores.algorithms, scores.tasks) == (("td3", "td3-v2"), ("Hopper-v4", "Walker2d-v4"))
    assert scores.n_runs.tolist() == [[2, 2], [2, 2]]


@pytest.mark.parametrize("tool", ["neptune", "clearml", "mlflow"])
def test_a_run_that_failed_in_a_tracker_is_refused_until_it_is_said_what_it_counts(put, tool):
    file = put("runs.csv", export(tool, failed=True))
    with pytest.raises(ro.DataError, match="incomplete='drop'"):
        ro.read_scores(file)
    assert ro.read_scores(file, incomplete="drop").n_runs.sum() == 7


# ── rows of several metrics, kinds of data, episodes ──────────


def told_apart(name: str, values: tuple[str, ...], score: str = "return") -> str:
    rows = [f"{a},{s},{value},{i}{s}" for a in ("PPO", "SAC") for s in range(3) for i, value in enumerate(values, 1)]
    return "\n".join([f"algo,seed,{name},{score}", *rows, ""])


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("split", ("train", "test")),
        ("mode", ("eval", "training")),
        ("checkpoint", ("best", "final")),
        ("metric", ("ep_length", "return")),
        ("metric", ("train/return", "eval/return", "loss")),
    ],
)
def test_rows_of_one_kind_are_read_and_the_others_left_out_aloud(put, name, values):
    file = put("runs.csv", told_apart(name, values, "value" if name == "metric" else "return"))
    main = {"training": "eval"}.get(values[1], values[1])
    with pytest.warns(ro.RunoffWarning, match=f"left out: .* whose column '{name}' is not '{main}'"):
        scores = ro.read_scores(file)
    at = values.index(main) + 1
    assert scores.cell("SAC", "task").tolist() == [10 * at, 10 * at + 1, 10 * at + 2]


def test_several_metrics_are_refused_until_one_is_the_score(put):
    file = put("runs.csv", told_apart("metric", ("win_rate", "return"), "value"))
    with pytest.raises(
        ro.DataError, match=r"several metrics \('win_rate', 'return'\); .* columns=\{'score': 'win_rate'\}"
    ):
        ro.read_scores(file)
    with pytest.warns(ro.RunoffWarning, match="is not 'win_rate'"):
        assert ro.read_scores(file, columns={"score": "win_rate"}).cell("PPO", "task").tolist() == [10, 11, 12]


def test_no_algorithm_is_lost_with_its_kind_of_rows(put):
    lost = "".join(f"{name},0,train,3\n" for name in ("SAC", "TD3", "A2C", "DQN", "TRPO", "DDPG"))
    file = put("runs.csv", f"algo,seed,split,return\nPPO,0,train,1\nPPO,0,test,2\n{lost}")
    with pytest.raises(ro.DataError, match="column 'split' is 'test' in no row of SAC"):  # the first, in every process
        ro.read_scores(file)


def test_several_rows_of_a_run_by_text_are_not_called_progress(put):
    with pytest.raises(
        ro.DataError,
        match=r"'left' and 'right'; use \S+ 'mode'} if it names tasks, or use \S+ 'mode'} if it is a setting of the algorithm\.$",
    ):
        ro.read_scores(put("runs.csv", told_apart("mode", ("left", "right"))))


def test_an_evaluation_is_the_mean_of_its_episodes(put):
    rows = [f"PPO,{s},{step},{e},{step + e + 10 * s}" for s in (0, 1) for step in (100, 200) for e in (0, 1, 2)]
    curves = ro.read_curves(put("runs.csv", "\n".join(["algo,seed,step,episode,return", *rows, ""])))
    assert (curves.steps.tolist(), curves.values.tolist()) == ([100, 200] * 2, [101, 201, 111, 211])
    assert any("mean of its episodes (3 at a step" in note for note in curves.provenance.notes)
    without = [row.replace("PPO,0,", "PPO,").replace("PPO,1,", "PPO,") for row in rows]
    file = put("without.csv", "\n".join(["algo,step,episode,return", *without[:6], ""]))
    with pytest.raises(ro.DataError, match="column 'episode' numbers several episodes at one step"):
        ro.read_curves(file)


def test_kinds_of_data_that_are_tasks_or_algorithms_stay(put):
    content = "agent,env,score\nfinal,train,1\nfinal,test,2\nlast,train,3\nlast,test,4\n"
    scores = ro.read_scores(put("runs.csv", content))
    assert (scores.algorithms, scores.tasks) == (("final", "last"), ("test", "train"))


@pytest.mark.parametrize("label", ["Ave", "Moyenne", "Summe", "Grand total", "CV"])
def test_a_row_that_sums_up_runs_is_left_out_in_other_words_too(put, label):
    file = put("wide.csv", f"Seed,PPO,SAC\n0,1.5,2.5\n1,3,4\n{label},9,9\n")
    with pytest.warns(ro.RunoffWarning, match="which summarise the other runs"):
        assert ro.load(file).cell("PPO", "task").tolist() == [1.5, 3]


@pytest.mark.parametrize("label", ["n", "p-value", "rank", "Δ vs PPO"])
def test_a_text_among_runs_that_are_numbers_is_asked(put, label):
    with pytest.raises(ro.DataError, match=f"line 4.*run '{label}' stands among runs that are numbers"):
        ro.load(put("wide.csv", f"Seed,PPO,SAC\n0,1.5,2.5\n1,3,4\n{label},9,9\n"))
    named = "algo,seed,return\nA,one,1\nA,two,2\nB,one,3\nB,two,4\n"
    assert ro.load(put("named.csv", named)).n_runs.tolist() == [[2], [2]]


FLAGS = [("valid", "True", "False"), ("exclude", "", "x"), ("outlier", "no", "yes"), ("include", "1", "0")]


@pytest.mark.parametrize(("flag", "counts", "marked"), [*FLAGS, ("done", "TRUE", "FALSE"), ("error", "", "CUDA OOM")])
def test_runs_that_a_flag_marks_are_asked_and_all_repairs_work(put, flag, counts, marked):
    rows = [f"A,{run},{run},{marked if run == 2 else counts}" for run in range(4)]
    file = put("runs.csv", "\n".join([f"algo,seed,return,{flag}", *rows, ""]))
    with pytest.raises(ro.DataError, match=f"1 of 4 rows are runs that are marked .column '{flag}': '{marked}'"):
        ro.load(file)
    assert ro.load(file, incomplete="drop").values.tolist() == [0, 1, 3]
    for options in ({"incomplete": "carry"}, {"columns": {"unused": flag}}):
        assert ro.load(file, **options).values.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("flag", ["include", "keep", "use"])
def test_curves_that_a_flag_marks_are_asked_and_done_beside_steps_may_be_of_an_evaluation(put, flag):
    rows = [f"A,{run},{step},{step + run},{int(run > 0)}" for run in range(3) for step in (1, 2)]
    text = "\n".join([f"algo,seed,step,return,{flag}", *rows, ""])
    with pytest.raises(ro.DataError, match=f"2 of 6 rows are runs that are marked .column '{flag}': '0'"):
        ro.load(put("runs.csv", text))
    assert ro.load(put("runs.csv", text), incomplete="drop").n_runs.tolist() == [[2]]
    assert ro.load(put("runs.csv", text.replace(flag, "done"))).n_runs.tolist() == [[3]]


@pytest.mark.parametrize(("flag", "values"), [("error", "0.1 0.2 0 1"), ("valid", "no no no no"), ("done", "1 2 3 0")])
def test_measures_and_flags_of_all_rows_mark_no_run(put, flag, values):
    rows = [f"A,{run},{run},{value}" for run, value in enumerate(values.split())]
    assert ro.load(put("runs.csv", "\n".join([f"algo,seed,return,{flag}", *rows, ""]))).n_runs.tolist() == [[4]]


def test_rows_of_a_frame_that_are_labelled_as_summaries_are_refused():
    frame = pytest.importorskip("pandas").DataFrame({"PPO": [1.5, 2.5, 3.0], "SAC": [2.0, 3.0, 5.0]})
    with pytest.raises(
        ro.DataError, match=r"'count', 'mean'.* summarise runs and are not runs; give the score of every run"
    ):
        ro.load(frame.describe())
    frame.loc["mean"] = frame.mean()
    with pytest.raises(ro.DataError, match=r"drop them: frame.drop\(index=\['mean'\]\)"):
        ro.load(frame)
    assert ro.load(frame.drop(index=["mean"])).n_runs.tolist() == [[3], [3]]


@pytest.mark.parametrize(
    ("head", "outcomes", "marked"),
    [
        ("model,question,passed,error", (1, 0), False),  # why an attempt was not solved
        ("model,question,passed,error", (1, 1), True),
        ("model,question,passed,error", (0, 0), True),  # nothing tells that 0 is an outcome
        ("model,question,score,error", (2.5, 0), True),
        ("model,seed,passed,error", (1, 0), True),  # a training that broke off
    ],
)
def test_errors_of_attempts_that_count_as_not_solved_mark_none(put, head, outcomes, marked):
    rows = [f"{m},{i},{outcomes[i % 2]},{'Timeout' * (i % 2)}" for m in "AB" for i in range(4)]
    file = put("items.csv", "\n".join([head, *rows, ""]))
    if marked:
        with pytest.raises(ro.DataError, match=r"4 of 8 rows are runs that are marked \(column 'error': 'Timeout'\)"):
            ro.load(file)
    else:
        assert ro.load(file).cell("A", "1").tolist() == [0.0]
        assert ro.load(file).values.sum() == 4


SOLVED = (
    *(
        "success failure",
        "success fail",
        "success failed",
        "succeeded failed",
        "pass fail",
        "passed failed",
        "solved unsolved",
        "yes no",
    ),
    *(
        "y n",
        "win loss",
        "won lost",
        "correct incorrect",
        "correct wrong",
        "true false",
        "ja nein",
        "ja nee",
        "oui non",
        "sí no",
        "si no",
        "是 否",
    ),
    *("\u2713 \u2717", "\u2714 \u2718", "\u2705 \u274c"),
)
"""Words for an item that was solved, and for one that was not."""


def test_the_words_of_outcomes_are_these():
    assert sorted(map(" ".join, YES_NO)) == sorted(SOLVED)


@pytest.mark.parametrize("pair", SOLVED)
def test_words_for_yes_and_no_are_outcomes(put, pair):
    solved, unsolved = pair.split()
    rows = [f"{m},{i},{[unsolved, solved][(i + (m == 'A')) % 2].title()}" for m in "AB" for i in range(6)]
    scores = ro.load(put("items.csv", "\n".join(["model,question,success", *rows, ""])))
    assert [scores.cell("A", str(i))[0] for i in range(6)] == [float((i + 1) % 2) for i in range(6)]


def test_rows_of_validation_count_where_an_object_says_of_what_data_a_metric_is(put):
    rows = [
        f'm,{run},accuracy,"{{""subset"": ""{kind}""}}",{step},{run + step + bonus}'
        for run in range(2)
        for step in (1, 2)
        for kind, bonus in (("train", 9), ("val", 0))
    ]
    file = put("aim.csv", "\n".join(["hparams.model,hparams.seed,metric.name,metric.context,step,value", *rows]))
    with pytest.warns(ro.RunoffWarning, match="left out: 4 row.* whose column 'metric.context' is not "):
        assert ro.read_scores(file).to_dict() == {"m": {"task": [2.0, 3.0]}}


def test_tasks_of_another_metric_are_not_lost_without_a_question(put):
    rows = [
        f"{model},{data},{metric},{fold},{fold + 0.5}"
        for model in ("mlp", "xgb")
        for data, metric in (("adult", "auc"), ("boston", "rmse"))
        for fold in range(3)
    ]
    file = put("bench.csv", "\n".join(["model,dataset,metric,fold,value", *rows]))
    with pytest.raises(ro.DataError, match="'auc' in no row whose column 'dataset' is 'boston'"):
        ro.read_scores(file)
    with pytest.warns(ro.RunoffWarning, match="left out: 6 row"):
        assert ro.read_scores(file, columns={"score": "auc"}).tasks == ("adult",)


def test_what_describes_a_metric_is_no_task_that_would_be_lost(put):
    rows = [
        f"{m},{run},{metric},{unit},{run}"
        for m in "ab"
        for run in range(3)
        for metric, unit in (("return", "points"), ("length", "steps"))
    ]
    file = put("units.csv", "\n".join(["algorithm,seed,metric,unit,value", *rows]))
    with pytest.warns(ro.RunoffWarning, match="left out: 6 row"):
        assert ro.read_scores(file).n_runs.tolist() == [[3], [3]]


@pytest.mark.parametrize(
    "flag", ["diverged", "crashed", "outlier", "is_outlier", "Exclude", "ignored", "invalid", "skip"]
)
@pytest.mark.parametrize("mark", ["yes", "x", "1", "TRUE"])
def test_a_run_that_any_flag_marks_is_asked_about(put, flag, mark):
    rows = [(a, s, f"{s}.5", mark if (a, s) == ("PPO", 1) else "") for a in ("PPO", "SAC") for s in range(3)]
    text = f"algo,seed,score,{flag}\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    with pytest.raises(ro.DataError, match=f"1 of 6 rows are runs that are marked .column '{flag}': '{mark}'"):
        ro.load(put("r.csv", text))
