"""Event files as training frameworks lay them out. Tags, steps and folders are written by hand after the sources of rl_games 1.6.5,
rsl_rl 5.5.1, skrl 2.1.1, Tianshou 2.0.1 and CleanRL's scripts, whose packages need a simulator or a GPU's software to write them themselves."""

from __future__ import annotations

from tests.reference import logs as twin

VALUES = (1.0, 3.0, 8.0)


def cleanrl(put, folder: str, level: float, lr: float = 0.00025) -> None:
    """A text that is the table of all arguments, as its scripts log it, and the return of every episode."""
    env_id, exp_name, seed, _ = folder.rsplit("/", 1)[-1].split("__")
    arguments = {"exp_name": exp_name, "seed": seed, "env_id": env_id, "learning_rate": lr}
    table = "|param|value|\n|-|-|\n" + "\n".join(f"|{key}|{value}|" for key, value in arguments.items())
    events = [
        twin.event(
            500 * (i + 1), {"charts/episodic_return": level + value, "charts/episodic_length": 9.0, "charts/SPS": 99.0}
        )
        for i, value in enumerate(VALUES)
    ]
    put(
        f"{folder}/events.out.tfevents.1.host",
        twin.event_file(twin.text_event("hyperparameters/text_summary", table), *events),
    )


def rl_games(put, folder: str, level: float) -> None:
    """One series on three axes: frames, epochs, and seconds as whole numbers; a part of the reward beside it."""
    events = []
    for epoch, value in enumerate(VALUES, start=1):
        for axis, step in (("step", 4096 * epoch), ("iter", epoch), ("time", 7 * epoch)):
            events.append(twin.event(step, {f"rewards/{axis}": level + value, f"shaped_rewards/{axis}": 0.01 * value}))
        events.append(twin.event(epoch, {"Episode/rew_alive": 99.0}))
    put(f"{folder}/summaries/events.out.tfevents.1.host", twin.event_file(*events))


def rsl_rl(put, folder: str, level: float) -> None:
    events = []
    for i, value in enumerate(VALUES):
        events.append(
            twin.event(i, {"Episode/rew_torques": 99.0, "Loss/value": 0.1, "Train/mean_reward": level + value})
        )
        events.append(twin.event(9 * i, {"Train/mean_reward/time": level + value}))
    put(f"{folder}/events.out.tfevents.1.host", twin.event_file(*events))


def skrl(put, folder: str, level: float) -> None:
    tags = ("Reward / Total reward (max)", "Reward / Total reward (mean)", "Info / Episode_Reward/alive")
    events = [
        twin.event(800 * (i + 1), dict(zip(tags, (99.0, level + value, 99.0), strict=True)))
        for i, value in enumerate(VALUES)
    ]
    put(f"{folder}/events.out.tfevents.1.host", twin.event_file(*events))


def tianshou(put, folder: str, level: float) -> None:
    events = [
        twin.event(
            1000 * (i + 1),
            {"test/env_step": 1000 * (i + 1), "test/returns_stat/mean": level + value, "train/returns_stat/mean": 99.0},
        )
        for i, value in enumerate(VALUES)
    ]
    put(f"{folder}/events.out.tfevents.1.host", twin.event_file(*events))


FRAMEWORKS = {maker.__name__: maker for maker in (cleanrl, rl_games, rsl_rl, skrl, tianshou)}
