"""Tables of runs as trackers of experiments export them, and lines of what models answered."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import runoff as ro
from tests.reading.test_repairs_of_tables import refused, run

# ── answers of models ──────────


def answers(model: str, **more: object) -> str:
    rows = [
        {
            "id": f"{task}-{i}",
            "task": task,
            "model": model,
            **more,
            "prediction": str(i % 3),
            "target": "1",
            "correct": (i + len(model)) % 3 == 1,
        }
        for task in ("arc", "boolq")
        for i in range(8)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_the_id_beside_what_models_answered_names_the_items(put):
    put("outputs/phi.jsonl", answers("phi", prompt="Which?"))
    scores = ro.load(put("outputs/qwen.jsonl", answers("qwen", prompt="Which?")).parent)
    assert (scores.algorithms, scores.n_tasks, scores.tasks[0]) == (("phi", "qwen"), 16, "arc/arc-0")
    assert scores.cell("qwen", "boolq/boolq-0").tolist() == [1.0]
    assert dict(scores.provenance.columns)["task"] == "task/id"


def test_answers_without_names_of_items_are_attempts_and_their_texts_play_no_role(put, capsys):
    rows = [
        {"task": t, "output": f"{i % 3}", "expected": "1", "score": i % 2} for t in ("arc", "boolq") for i in range(8)
    ]
    for model in ("phi", "qwen"):
        folder = put(f"outputs/{model}.jsonl", "".join(json.dumps(row) + "\n" for row in rows)).parent
    error, commands = refused(capsys, "compare", str(folder))
    assert "column 'output' holds what a model was asked or answered" in error
    assert [command[-1] for command in commands] == ["episode", "run=row"]
    assert run(commands[0]) == 0


def test_samples_of_each_item_are_its_attempts(put, capsys):
    rows = [json.loads(line) | {"sample": k} for k in range(3) for line in answers("phi").splitlines()]
    file = put("phi.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    _, commands = refused(capsys, "scan", str(file))
    assert [command[-1] for command in commands] == ["episode", "run=sample"]
    scores = ro.load(file, unit="episode")
    assert (scores.n_tasks, scores.n_runs.max()) == (16, 3)


def test_numbers_of_items_that_begin_anew_in_each_subject_are_named_with_it(put, capsys):
    rows = [
        {"uid": i, "model": m, "subject": t, "question": f"q{i}", "answer": "a", "correct": (i + len(m)) % 2}
        for m in ("phi", "qwen")
        for t in ("law", "art")
        for i in range(6)
    ]
    file = put("all.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    _, commands = refused(capsys, "scan", str(file))
    assert [command[-1] for command in commands] == ["task=subject/uid", "run=uid"]
    assert ro.load(file, columns={"task": "subject/uid"}).n_tasks == 12


def test_the_version_at_the_end_of_the_name_of_a_model_is_no_run(put):
    names = ("Mistral-7B-v0.1", "Mistral-7B-v0.3", "Qwen2.5-7B")
    for k, name in enumerate(names):
        results = {"boolq": {"acc,none": 0.5 + k / 8}, "rte": {"acc,none": 0.25}}
        content = {"results": results, "config": {"model": "hf", "model_args": f"pretrained={name}"}}
        folder = put(f"results/{name}/results_2024-09-12T10-11-12.123456.json", json.dumps(content)).parent.parent
    curves = ro.load(folder)
    assert curves.algorithms == names
    assert {*curves.run_labels} == {*names}


# ── arrays ──────────


@pytest.mark.parametrize(
    ("n_runs", "name", "first"),
    [(16, "returns", "run,step"), (26, "ppo", "task,run"), (26, "scores", "run,step")],
)
def test_an_array_with_as_many_rows_as_a_benchmark_has_tasks_may_hold_curves(put, capsys, n_runs, name, first):
    rng = np.random.default_rng(0)
    drawn = rng.normal(size=(n_runs, 60))
    file = put("results/ppo.npz", "")
    np.savez(file, **{name: drawn.cumsum(axis=1) if name == "scores" else drawn})
    _, commands = refused(capsys, "scan", str(file))
    assert commands[0][-1] == first
    assert {command[-1] for command in commands} >= {"task,run", "run,task"}
    assert run(commands[0]) == 0


def test_the_name_of_an_array_may_say_that_its_rows_are_curves(put, capsys):
    drawn = np.random.default_rng(1).normal(size=(10, 60))
    for name, first in (("episode_returns", "run,step"), ("ppo", None)):
        file = put(f"{name}/a.npz", "")
        np.savez(file, **{name: drawn})
        if first is None:
            assert ro.load(file).n_tasks == 60
        else:
            _, commands = refused(capsys, "scan", str(file))
            assert [command[-1] for command in commands] == [first, "run,task"]


# ── tables of runs ──────────

CELLS = [(a, t, s) for a in ("ppo", "sac") for t in ("hopper", "ant") for s in (1, 2, 3)]


def test_names_of_runs_in_a_table_hold_the_algorithm_the_task_and_the_run(put):
    rows = "".join(f"{a}-{t}-seed{s},finished,{s + len(a)}.5,-3.2,1000\n" for a, t, s in CELLS)
    scores = ro.load(put("wandb.csv", "Name,State,eval/return,train/actor_loss,global_step\n" + rows)).final()
    assert (scores.algorithms, scores.tasks) == (("ppo", "sac"), ("ant", "hopper"))
    assert scores.n_runs.tolist() == [[3, 3], [3, 3]]


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("Experiment", "{0} {1} (seed {2})"),
        ("tags.mlflow.runName", "{0}-{1}-seed{2}"),
        ("NAME", "{1}__{0}__{2}__1700000000"),
        ("name", "algo={0},env={1},seed={2}"),
    ],
)
def test_names_of_runs_are_read_below_any_head_that_trackers_have(put, head, name):
    rows = "".join(f'"{name.format(a, t, s)}",{h:032x},{s + len(a)}.5\n' for h, (a, t, s) in enumerate(CELLS, 2**77))
    scores = ro.load(put("runs.csv", f"{head},run_id,eval_return\n" + rows))
    assert (scores.algorithms, scores.tasks) == (("ppo", "sac"), ("ant", "hopper"))
    assert scores.cell("sac", "ant").tolist() == [4.5, 5.5, 6.5]


def test_groups_of_algorithm_and_task_leave_the_names_to_the_runs(put):
    rows = "".join(f"calm-sea-{i},{a}-{t},{i}.5,{900 + i}\n" for i, (a, t, _) in enumerate(CELLS))
    scores = ro.load(put("runs.csv", "Name,Group,eval/return,Runtime\n" + rows))
    assert scores.n_runs.tolist() == [[3, 3], [3, 3]]
    assert "calm-sea-0" in scores.run_labels


def test_groups_of_algorithm_and_task_are_read_where_a_column_names_the_task_and_asked_about_elsewhere(put):
    cells = [(a, t, s) for a in ("ppo", "sac") for t in ("easy", "hard") for s in (1, 2)]
    rows = [f"calm-sea-{i},{a}-{t},{s}.5" for i, (a, t, s) in enumerate(cells)]
    with pytest.raises(ro.DataError, match="column 'Group' holds text: is it the algorithm"):
        ro.load(put("a.csv", "\n".join(["Name,Group,eval/return", *rows, ""])))
    more = [f"{row},{t}" for row, (_, t, _) in zip(rows, cells, strict=True)]
    scores = ro.load(put("b.csv", "\n".join(["Name,Group,eval/return,env", *more, ""])))
    assert (scores.algorithms, scores.tasks) == (("ppo", "sac"), ("easy", "hard"))


def test_a_loss_alone_beside_names_of_runs_is_the_score_negated(put):
    rows = "".join(f"{a}-cifar10-seed{s},finished,0.{s}5\n" for a in ("vit", "mlp") for s in (1, 2, 3))
    with pytest.warns(ro.RunoffWarning, match="'val_loss' is named like a cost, .* it is the score, negated"):
        scores = ro.load(put("runs.csv", "Name,State,val_loss\n" + rows))
    assert scores.cell("vit", "cifar10").tolist() == [-0.15, -0.25, -0.35]


def test_groups_and_tags_may_name_the_tasks_and_the_algorithms(put):
    rows = "".join(f"calm-sea-{i},{t},{a},{i}.5\n" for i, (a, t, _) in enumerate(CELLS))
    scores = ro.load(put("runs.csv", "Name,Group,Tags,eval/return\n" + rows))
    assert (scores.algorithms, scores.tasks) == (("ppo", "sac"), ("ant", "hopper"))
    assert scores.cell("ppo", "ant").tolist() == [3.5, 4.5, 5.5]


def test_a_run_that_crashed_and_was_started_again_has_its_name_twice(put, capsys):
    rows = "".join(f"{a}-{t}-seed{s},finished,{s}.5\n" for a, t, s in CELLS)
    file = put("runs.csv", "Name,State,eval/return\nppo-ant-seed1,crashed,0.25\n" + rows)
    _, commands = refused(capsys, "scan", str(file))
    assert commands[0][-2:] == ["--incomplete", "drop"]
    assert ro.load(file, incomplete="drop").cell("ppo", "ant").tolist() == [1.5, 2.5, 3.5]


def test_of_several_columns_called_scores_none_is_taken_and_no_loss_is_proposed(put, capsys):
    rows = "".join(f"{a},{t},{s},0.{s},{s}.5,{s}.25\n" for a, t, s in CELLS)
    file = put("runs.csv", "algo,env,seed,q_loss,score_d4rl,bc_score\n" + rows)
    _, commands = refused(capsys, "scan", str(file))
    assert [command[-1] for command in commands] == ["score=score_d4rl", "score=bc_score"]


def test_names_that_a_tracker_made_up_name_no_algorithm(put):
    words = ("fluffy-owl", "fluffy-sun", "wise-owl", "wise-sun")
    rows = "".join(f"{name}-{i},finished,{i}.5\n" for i, name in enumerate(words, 17))
    with pytest.raises(ro.DataError, match="no column is recognised as the algorithm"):
        ro.load(put("wandb.csv", "Name,State,eval/return\n" + rows))


def test_groups_of_runs_name_the_algorithms_and_a_score_comes_before_losses(put):
    rows = "".join(f"fluffy-owl-{i},{a}-D4RL,{t},{s},0.1,{s + 40}.5,-{s}.5\n" for i, (a, t, s) in enumerate(CELLS))
    file = put("runs.csv", "name,group,env,seed,actor_lr,d4rl_normalized_score,actor_loss\n" + rows)
    with pytest.warns(ro.RunoffWarning, match="'d4rl_normalized_score' is the only one that is named like a score"):
        scores = ro.load(file)
    assert scores.algorithms == ("ppo-D4RL", "sac-D4RL")
    assert scores.cell("ppo-D4RL", "ant").tolist() == [41.5, 42.5, 43.5]


def printed() -> str:
    rows = [
        (
            {"reward": i + len(a) + 0.5, "_step": 900, "loss": float("nan")},
            {"algo": a, "env": t, "seed": s, "lr": 0.1},
            f"{a}-{i}",
        )
        for i, (a, t, s) in enumerate(CELLS)
    ]
    return "summary,config,name\n" + "".join(f'"{summary}","{config}",{name}\n' for summary, config, name in rows)


def test_dictionaries_in_cells_are_columns(put):
    scores = ro.load(put("project.csv", printed())).final()
    assert (scores.algorithms, scores.tasks) == (("ppo", "sac"), ("ant", "hopper"))
    assert scores.cell("sac", "hopper").tolist() == [9.5, 10.5, 11.5]
    assert dict(scores.provenance.columns)["algorithm"] == "config.algo"


def test_what_only_looks_like_a_dictionary_stays_a_text(put):
    with pytest.raises(ro.DataError, match=r"columns=\{'score': 'NAME'\}"):
        ro.load(put("project.csv", printed().replace("{'reward'", "{open('reward')", 1)))


def test_a_frame_of_dictionaries_is_read_as_the_file_that_it_is_saved_as(put):
    frame = pd.DataFrame(
        [
            {"summary": {"reward": i + 0.5}, "config": {"algo": a, "env": t, "seed": s}}
            for i, (a, t, s) in enumerate(CELLS)
        ]
    )
    file = put("project.csv", "")
    frame.to_csv(file)
    assert ro.load(frame).to_dict() == ro.load(file).to_dict()
    assert ro.load(frame).cell("ppo", "ant").tolist() == [3.5, 4.5, 5.5]


def test_settings_are_never_proposed_as_scores(put, capsys):
    error, commands = refused(capsys, "scan", str(put("config.yaml", "algo: ppo\nlr: 0.1\nseed: 1\n")))
    assert "no column is recognised as the score" in error
    assert commands == []
