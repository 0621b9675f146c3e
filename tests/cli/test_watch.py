"""A growing folder is looked at again and again, and every answer is that of the rule on the runs so far."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.cli.watch import rows_of, scores_of

MEANS = {"P": 0.0, "S": 0.6}


def rows(first, last):
    draw = {name: np.random.default_rng(place) for place, name in enumerate(MEANS)}
    scores = {(a, t, k): draw[a].normal(m, 1) for a, m in MEANS.items() for t in "xy" for k in range(20)}
    return [(*key, score) for key, score in scores.items() if first <= key[2] < last]


def written(path, lines):
    path.write_text("algorithm,task,run,score\n" + "".join(f"{a},{t},{k},{v!r}\n" for a, t, k, v in lines))


def batch(first, last):
    cells = {name: {task: [] for task in "xy"} for name in MEANS}
    for a, t, _, v in rows(first, last):
        cells[a][t].append(v)
    return cells


def looked(capsys, *words):
    assert run(["watch", *map(str, words), "--once", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_batches_of_a_growing_table_are_those_of_anytime(tmp_path, capsys):
    path, state = tmp_path / "runs.csv", tmp_path / "state.json"
    for last in (3, 3, 8):
        written(path, rows(0, last))
        answer = looked(capsys, path, "--state", state)
    assert answer["sentence"] == ro.anytime([batch(0, 3), batch(3, 8)]).sentence


def test_runs_that_one_algorithm_has_alone_wait_for_those_of_the_other(tmp_path, capsys):
    path, state = tmp_path / "runs.csv", tmp_path / "state.json"
    ahead = [row for row in rows(0, 9) if row[0] == "S" or row[2] < 3]
    written(path, ahead)
    assert looked(capsys, path, "--state", state)["sentence"] == ro.anytime([batch(0, 3)]).sentence
    assert {len(kept) for kept in json.loads(state.read_text())["batches"]} == {12}


def test_a_planned_look_is_made_when_its_runs_are_there_and_not_before(tmp_path, capsys):
    path, state, design = (tmp_path / name for name in ("runs.csv", "state.json", "design.toml"))
    design.write_text("looks = [4, 8]\n")
    answers = []
    for last in (3, 7, 7, 8):
        written(path, rows(0, last))
        answers.append(looked(capsys, path, "--design", design, "--state", state)["sentence"])
    own = [ro.sequential(batch(0, 4), design=design), ro.sequential(batch(4, 8), design=design, earlier=[batch(0, 4)])]
    assert answers[0] == "Look 1 of 2 takes 4 new runs of each algorithm on each task; 3 of them have ended."
    assert answers[1] == own[0].sentence
    assert answers[2] == "Look 2 of 2 takes 4 new runs of each algorithm on each task; 3 of them have ended."
    assert answers[3] == own[1].sentence


def test_a_run_that_was_judged_must_not_change(tmp_path, capsys, monkeypatch):
    path, state = tmp_path / "runs.csv", tmp_path / "state.json"
    written(path, rows(0, 3))
    looked(capsys, path, "--state", state)
    later = iter([[(a, t, k, v + (k == 1)) for a, t, k, v in rows(0, 4)]])
    monkeypatch.setattr(time, "sleep", lambda _: written(path, next(later)))  # no look after the one that finds it
    assert run(["watch", str(path), "--state", str(state)]) == 2
    assert "run '1' of 'P' on 'x' was judged, and is " in capsys.readouterr().err


def test_the_next_runs_are_commands_of_the_template(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    written(path, rows(0, 3))
    answer = looked(capsys, path, "--template", "train {algorithm} {task} --seed {run}")
    assert answer["next"] == [f"train {a} {t} --seed 3" for a in MEANS for t in "xy"]
    assert not answer["ended"]


@pytest.mark.parametrize("planned", [False, True])
def test_an_algorithm_whose_pairs_are_decided_runs_no_more(planned, tmp_path, capsys):
    path, state, design = (tmp_path / name for name in ("runs.csv", "state.json", "design.toml"))
    design.write_text("looks = [12, 20]\n")
    near = [(a, t, k, v - MEANS[a]) for a, t, k, v in rows(0, 20)]
    far = [("T", t, k, v + 30) for a, t, k, v in rows(0, 20) if a == "P"]
    words = [path, "--state", state, *(["--design", design] if planned else [])]
    written(path, [row for row in (*near, *far) if row[2] < 12])
    answer = looked(capsys, *words, "--template", "train {algorithm}")
    assert {command.split()[1] for command in answer["next"]} == {"P", "S"}
    # No further run of T is waited for.
    written(path, [*near, *(row for row in far if row[2] < 12)])
    after = looked(capsys, *words)["sentence"]
    assert after.startswith("After look 2 of 2" if planned else "After 2 batches")


@pytest.mark.parametrize(("there", "lacking"), [(4, 4), (6, 2), (8, 0)])
def test_runs_that_wait_for_the_next_look_are_not_started_again(there, lacking, tmp_path, capsys):
    path, state, design = (tmp_path / name for name in ("runs.csv", "state.json", "design.toml"))
    design.write_text("looks = [4, 8, 20]\n")
    written(path, [(a, t, k, v - MEANS[a]) for a, t, k, v in rows(0, there)])
    answer = looked(capsys, path, "--design", design, "--state", state, "--template", "train {algorithm} {task} {run}")
    assert answer["sentence"].startswith("After look 1 of 3")
    assert answer["next"] == [f"train {a} {t} {k}" for a in MEANS for t in "xy" for k in range(there, there + lacking)]


def test_the_next_runs_are_a_job_array_or_a_sweep_for_each_cell(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    written(path, rows(0, 3))
    answer = looked(capsys, path, "--template", "train {algorithm} {task} {run}", "--jobs", "slurm")
    script = tmp_path / "array.sh"
    script.write_text("\n".join(answer["next"]).replace("train", "echo"))
    ran = [
        subprocess.run(
            ["sh", script], env={"SLURM_ARRAY_TASK_ID": str(k)}, capture_output=True, text=True
        ).stdout.split()
        for k in range(1, 5)
    ]
    assert "#SBATCH --array=1-4" in answer["next"]
    assert ran == [[a, t, "3"] for a in MEANS for t in "xy"]


def test_commands_of_the_plan_are_the_runs_that_it_places(tmp_path, capsys):
    path, cells = tmp_path / "runs.csv", [(a, t) for a in MEANS for t in "xy"]
    written(path, rows(0, 3))
    words = ["plan", "--next-runs", str(path), "--budget", "9", "--template", "x {algorithm} {task} {run}", "--json"]
    answers = [run([*words, *jobs]) or json.loads(capsys.readouterr().out) for jobs in ([], ["--jobs", "hydra"])]
    more = {(row["algorithm"], row["task"]): row["more"] for row in answers[0]["records"]}
    assert answers[0]["next"] == [f"x {a} {t} {3 + k}" for a, t in cells for k in range(more[a, t])]
    swept = [f"x {a} {t} {','.join(str(3 + k) for k in range(more[a, t]))}" for a, t in cells if more[a, t]]
    assert answers[1]["next"] == swept
    assert sum(more.values()) == 9


def test_a_run_that_is_scored_on_all_tasks_is_one_command(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    written(path, rows(0, 3))
    answer = looked(capsys, path, "--runs", "shared", "--template", "train {algorithm} {run}")
    assert answer["next"] == [f"train {a} 3" for a in MEANS]
    assert run(["watch", str(path), "--once", "--runs", "shared", "--template", "train {task}"]) == 2
    assert "leave {task} out of --template" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--jobs", "slurm"], "--jobs sets the form of the commands"),
        (["--every", "0"], "--every is a number of seconds above 0"),
        (["--design", "d.toml"], "--design needs --state"),
        (["--design", "d.toml", "--state", "s.json", "--alpha", "0.1"], "--alpha belongs to the design"),
        (["--template", "train {seed}"], "--template may contain {algorithm}, {task} and {run}"),
    ],
)
def test_a_call_that_cannot_work_is_refused(words, message, tmp_path, capsys):
    written(tmp_path / "runs.csv", rows(0, 2))
    assert run(["watch", str(tmp_path / "runs.csv"), "--once", *words]) == 2
    assert message in capsys.readouterr().err


def test_learning_curves_are_judged_at_a_step_that_is_named(capsys):
    source = ["classic_control", "--algorithms", "ARS,CEM", "--tasks", "Pendulum-v1"]
    assert run(["watch", *source, "--once"]) == 2
    assert "say at which step a curve has ended (--at STEP)" in capsys.readouterr().err
    runs = ro.load_example("classic_control").select(algorithms=["ARS", "CEM"], tasks=["Pendulum-v1"])
    assert looked(capsys, *source, "--at", 12000)["sentence"] == ro.anytime([runs.at(12000)]).sentence


def test_options_are_those_of_the_first_look(tmp_path, capsys):
    path, state = tmp_path / "runs.csv", tmp_path / "state.json"
    written(path, rows(0, 3))
    looked(capsys, path, "--state", state, "--alpha", "0.1")
    written(path, rows(0, 6))
    for own in ([], ["--alpha", "0.05"], ["--alpha", "0.1", "--seed", "3"]):
        assert run(["watch", str(path), "--once", "--state", str(state), *own]) == 2
        assert "it is chosen before the first run" in capsys.readouterr().err
    own = ro.anytime([batch(0, 3), batch(3, 6)], alpha=0.1).sentence
    assert looked(capsys, path, "--state", state, "--alpha", "0.1")["sentence"] == own


def test_an_algorithm_that_was_judged_and_is_gone_is_noticed(tmp_path, capsys):
    path, state = tmp_path / "runs.csv", tmp_path / "state.json"
    written(path, [*rows(0, 3), *(("T", t, k, float(k)) for t in "xy" for k in range(3))])
    looked(capsys, path, "--state", state)
    written(path, rows(0, 6))
    assert run(["watch", str(path), "--once", "--state", str(state)]) == 2
    assert "run '0' of 'T' on 'x' was judged, and is gone" in capsys.readouterr().err


def test_runs_that_are_scored_on_all_tasks_stay_whole(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    written(path, rows(0, 6))
    answer = looked(capsys, path, "--runs", "shared")
    assert answer["sentence"] == ro.anytime([ro.read_scores(path, runs="shared")]).sentence


def test_a_last_line_that_is_being_written_is_left_for_the_next_look(tmp_path, capsys):
    path, state = tmp_path / "runs.csv", tmp_path / "state.json"
    written(path, rows(0, 3))
    whole = path.read_text()
    path.write_text(whole[:-6])
    assert run(["watch", str(path), "--once", "--state", str(state)]) == 2
    assert "its last line is incomplete" in capsys.readouterr().err
    assert not state.exists()
    path.write_text(whole)
    assert looked(capsys, path, "--state", state)["sentence"] == ro.anytime([batch(0, 3)]).sentence


def test_a_task_that_comes_later_is_answered_by_the_tasks_of_the_first_look(tmp_path, capsys):
    path, state = tmp_path / "runs.csv", tmp_path / "state.json"
    written(path, rows(0, 3))
    looked(capsys, path, "--state", state)
    late = [(a, "z", k, float(k)) for a in MEANS for k in range(6)]
    written(path, [*rows(0, 6), *late])
    assert run(["watch", str(path), "--once", "--state", str(state)]) == 2
    assert "--tasks x,y" in capsys.readouterr().err
    answer = looked(capsys, path, "--state", state, "--tasks", "x,y")
    assert answer["sentence"] == ro.anytime([batch(0, 3), batch(3, 6)]).sentence


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_one_signal_ends_a_watch_that_has_kept_its_state(tmp_path, number):
    path, state = tmp_path / "runs.csv", tmp_path / "state.json"
    written(path, rows(0, 3))
    words = [sys.executable, "-m", "runoff", "watch", str(path), "--state", str(state), "--every", "30"]
    # What a script starts in its background ignores SIGINT, and so would what is started here.
    handled = partial(signal.signal, number, signal.SIG_DFL)
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=handled
    ) as watching:
        assert watching.stdout.readline()
        time.sleep(0.3)
        try:
            watching.send_signal(number)
            assert watching.wait(30) == 128 + number
        finally:
            watching.kill()  # else a watch that ignores the signal is waited for without end
    assert state.exists()


@pytest.mark.parametrize("unit", ["run", "episode"])
@pytest.mark.parametrize("runs", ["per_task", "shared"])
@pytest.mark.parametrize("score_unit", ["per_task", "shared"])
def test_the_scores_of_some_rows_were_drawn_as_those_of_all(unit, runs, score_unit):
    cells = {name: {"x": [1.0, 2.0], "y": [3.0, 4.0]} for name in "PS"}
    like = ro.Scores.from_dict(cells, runs=runs, unit=unit, score_unit=score_unit)
    rows = [(*key, score) for key, score in rows_of(like).items()]
    assert scores_of(rows, like) == like
    assert scores_of(rows, like).sampling == like.sampling
