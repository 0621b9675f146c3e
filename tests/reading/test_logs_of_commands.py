"""Texts with what several commands printed: each is a run that its arguments name, or the text is refused."""

from __future__ import annotations

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
