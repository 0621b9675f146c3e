"""Texts with what several commands printed: each is a run that its arguments name, or the text is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import runoff as ro


def printed(command: str, first: float, start: int = 0) -> list[str]:
    return [command, *(f"step={start + k} return={first + k}" for k in range(1, 4))]


def read(put, *parts: list[str]) -> dict[tuple[str, str], list[float]]:
    """Return the scores of each run of a text."""
    frame = ro.load(put("a.log", "\n".join([line for part in parts for line in [*part, ""]]))).to_frame()
    runs: dict[tuple[str, str], list[float]] = {}
    for algorithm, run, score in zip(frame["algorithm"], frame["run"], frame["score"], strict=True):
        runs.setdefault((algorithm, run), []).append(score)
    return runs


@pytest.mark.parametrize(
    "form",
    [
        *(
            "python train.py --algo {} --seed {}",
            "$ python train.py --algo={} --seed={}",
            "python3 -m rl.train --algo {} --seed {}",
        ),
        *("+ srun python -u train.py algo={} seed={}", "(rl) me@host:~/x$ python train.py --algo {} --seed {}"),
        *("Namespace(algo='{}', seed={})", "python train.py +algo={} seed={} agent.lr=0.1"),
        *("torchrun --nproc_per_node=4 train.py --algo {} --seed {}", "deepspeed train.py --algo {} --seed {}"),
        *(
            "$ accelerate launch --num_processes 2 -m rl.train --algo {} --seed {}",
            "uv run train.py --algo={} --seed={}",
        ),
        *(
            "mpirun -np 4 python -u -W ignore train.py --algo {} --seed {}",
            "CUDA_VISIBLE_DEVICES=0 torchrun a.py algo={} seed={}",
        ),
    ],
)
@pytest.mark.parametrize("start", [0, 100])
def test_the_runs_of_several_commands_are_named_by_their_arguments(put, form, start):
    parts = [printed(form.format(a, s), 10 * s, start * s) for a, s in (("ppo", 1), ("ppo", 2), ("sac", 1))]
    assert read(put, *parts) == {("ppo", "1"): [11, 12, 13], ("ppo", "2"): [21, 22, 23], ("sac", "1"): [11, 12, 13]}


def test_commands_with_other_settings_are_configurations_of_their_own(put):
    parts = [printed(f"python train.py --algo ppo --seed 1 --lr {lr}", 10 * lr) for lr in (0.5, 0.25)]
    assert read(put, *parts) == {
        ("ppo", "config lr 0.5 run 1"): [6, 7, 8],
        ("ppo", "config lr 0.25 run 1"): [3.5, 4.5, 5.5],
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *(
            ("python ppo.py", "python sac.py"),
            ("./train.sh ppo 1", "./train.sh ppo 2"),
            ("python train.py ppo 1", "python train.py ppo 2"),
            ("torchrun --nproc_per_node 4 train.py ppo 1", "torchrun --nproc_per_node 4 train.py ppo 2"),
            ("bash -x run.sh ppo", "bash -x run.sh sac"),
            ("source ppo.sh", "source sac.sh"),
            ("> sh run.sh 1", "> sh run.sh 2"),
        ),
        ("python train.py --algo ppo --seed 1", "python train.py --algo ppo --seed 1 --lr 0.2"),
    ],
)
@pytest.mark.parametrize("start", [0, 100])
def test_commands_that_do_not_say_which_runs_they_are_of_are_refused(put, first, second, start):
    with pytest.raises(ro.DataError, match="line 6: this text is of several commands"):
        read(put, printed(first, 1), printed(second, 2, start))


def test_a_command_that_goes_on_with_a_run_is_the_same_run(put):
    command = "python train.py --algo ppo --seed 1"
    parts = printed(command, 1), printed(f"{command} --resume", 4, 3)
    assert read(put, *parts) == {("ppo", "1"): [2, 3, 4, 5, 6, 7]}


def test_evaluations_without_steps_are_those_of_each_command(put):
    parts = [[*printed(f"python a.py --algo ppo --seed {s}", s), f"eval: return={9 + s}"] for s in (1, 2)]
    assert read(put, *parts) == {("ppo", "1"): [10], ("ppo", "2"): [11]}
    with pytest.raises(ro.DataError, match="only one of them printed evaluations without steps"):
        read(put, parts[0], parts[1][:-1])


# ── below titles ──────────


@pytest.mark.parametrize(
    "titles",
    [
        ("Training PPO...", "Training SAC..."),
        ("=== ppo seed 0 ===", "=== sac seed 0 ==="),
        ("", "Running sac"),
        ("Task: cup", "Next: door"),
    ],
)
@pytest.mark.parametrize("beside", ["", "Using cuda device"])
def test_steps_that_begin_again_below_another_title_are_refused(put, titles, beside):
    parts = [[title, beside, *printed("", 1)] for title in titles]
    with pytest.raises(ro.DataError, match="the steps begin again below"):
        read(put, *parts)


@pytest.mark.parametrize("form", ["Seed {}", "=== run {} of 3 ===", "[{}] Using cuda device", ""])
@pytest.mark.parametrize("end", ["", "done, saved to model.zip", "test: loss 0.5"])
def test_steps_that_begin_again_below_the_same_title_are_runs_of_one_algorithm(put, form, end):
    parts = [[form.format(s), *printed("", s), end] for s in range(3)]
    assert read(put, *parts) == {("a", str(s)): [1 + s, 2 + s, 3 + s] for s in range(3)}


def test_steps_that_begin_again_where_a_run_was_resumed_are_asked_about_as_such(put):
    parts = printed("", 1), ["Resuming from checkpoint at step 2", *printed("", 2, 2)]
    with pytest.raises(ro.DataError):
        read(put, *parts)


@pytest.mark.parametrize("form", ["(pid={})", "(train pid={}, ip=10.0.0.1)"])
def test_lines_of_several_processes_in_turn_are_no_log_of_one_and_no_algorithms(put, form):
    with pytest.raises(ro.DataError, match="this log is not read"):
        read(put, [f"{form.format(100 + s)} step={k} return={k + s}" for k in range(3) for s in range(3)])
    assert read(put, [f"{form.format(7)} step={k} return={k}" for k in range(3)]) == {("a", "0"): [0, 1, 2]}


# ── beside a configuration ──────────


def configured(put, names: dict[str, tuple[str, int]], log: str = "train.log") -> Path:
    for folder, (algorithm, seed) in names.items():
        put(f"all/{folder}/config.json", f'{{"algo": "{algorithm}", "seed": {seed}, "env": "Hopper-v4"}}')
        path = put(f"all/{folder}/{log}", "\n".join([*printed("start", seed), ""]))
    return next(above for above in path.parents if above.name == "all")


@pytest.mark.parametrize("form", ["exp{}", "{}", "2024-01-01/10-00-00/{}", "job_{}"])
def test_logs_in_numbered_folders_are_named_by_the_configurations_beside_them(put, form):
    runs = [("ppo", 1), ("ppo", 2), ("sac", 1), ("sac", 2)]
    scores = ro.load(configured(put, {form.format(i): run for i, run in enumerate(runs)})).final(last=1)
    assert scores.to_dict() == {a: {"Hopper-v4": [4.0, 5.0]} for a in ("ppo", "sac")}


@pytest.mark.parametrize(
    "names",
    [
        {"exp0": ("ppo", 1), "exp1": ("ppo", 1), "exp2": ("sac", 1)},
        {"small/0": ("ppo", 1), "large/0": ("ppo", 2)},
        {"dqn/0": ("ppo", 1), "dqn/1": ("ppo", 2)},
    ],
)
def test_paths_that_say_more_or_configurations_that_are_alike_are_refused_as_before(put, names):
    with pytest.raises(ro.DataError):
        ro.load(configured(put, names))


def test_a_command_of_evaluation_behind_one_of_training_is_refused(put):
    parts = printed("python train.py --algo ppo --seed 0", 1), ["python eval.py --ckpt x.pt", "Mean reward: 99 +/- 2"]
    with pytest.raises(ro.DataError, match="what each printed has other names"):
        read(put, *parts)
