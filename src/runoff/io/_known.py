"""Names that the field knows: algorithms, tasks, runs, amounts of training. What a list of names is, if it can be told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal

from runoff.references import load_reference, registered, stem
from runoff.words.words import is_amount, kind, run_of, vocabulary

Said = Literal["algorithm", "task", "run", "runs_of", "number", "amount", "metric"]
RUN_AT_END = re.compile(
    r"(?P<rest>.*?)(?:(?i:(?:^|[\W_]+)(?:seed|run|trial|rep|s))|(?<=[a-z\d])(?:Seed|Run))[\W_]*(?P<run>\d+)"
)

ALGORITHMS = vocabulary(
    "ppo ppo2 ppg a2c a3c acktr acer trpo vpg npg reinforce impala appo sac td3 ddpg d4pg dqn ddqn doubledqn duelingdqn rainbow c51 iqn "
    "qrdqn fqf r2d2 r2d3 ngu agent57 apex apexdqn muzero efficientzero alphazero dreamer dreamerv1 dreamerv2 dreamerv3 planet simple "
    "der otrainbow curl spr srspr drq drqv2 slac redq droq tqc crossq bro simba bbf mbpo pets pilco tdmpc tdmpc2 cql iql bcq bear td3bc "
    "awac awr edac rem dt mappo ippo qmix vdn coma maddpg matd3 maa2c ia2c seac masac pqn mpo vmpo dmpo her cem cmaes ars plr daac "
    "idaac ucbdrac rad rlpd calql sarsa qlearning drqn dpg svg mve steve sunrise iris storm twm bc bdq cma crr es facmac gail ga3c "
    "happo hatrpo hasac isac itd3 laber lbf naf nfsp openaies pg ppolstm ppotrxl qplex qtran recppo recurrentppo rnd rppo sacd sacn "
    "sard td7 vtrace xql simbav2"
)
GYMNASIUM = vocabulary(
    "CartPole MountainCar MountainCarContinuous Acrobot Pendulum LunarLander LunarLanderContinuous BipedalWalker BipedalWalkerHardcore "
    "CarRacing Taxi FrozenLake FrozenLake8x8 CliffWalking Blackjack Ant HalfCheetah Hopper Humanoid HumanoidStandup InvertedPendulum "
    "InvertedDoublePendulum Pusher Reacher Swimmer Walker2d"
)
"""Environments of Gymnasium's own; those of Atari and Procgen come from the reference scores."""
ENVIRONMENTS = frozenset(name.casefold() for name in GYMNASIUM)
DOMAINS = vocabulary(
    "acrobot ball_in_cup cartpole cheetah cup finger fish hopper humanoid humanoid_CMU manipulator pendulum point_mass quadruped reach "
    "reacher swimmer walker dog stacker lqr"
)
VERBS = vocabulary(
    "swingup sparse catch balance run spin turn easy hard upright swim hop stand walk bring ball peg insertion insert escape fetch "
    "duplo top bottom swimmer6 swimmer15 trot 2 4"
)
ENVIRONMENT_ID = re.compile(r"(?:[\w.-]+/)?[A-Za-z][\w.]*?(?:-[A-Za-z][\w.]*?)*-v\d+")
SUBJECT = re.compile(
    r"(task|env|environment|game|map|scenario|maze|algo|algorithm|agent|method)[\s_-]?\w{1,3}", re.IGNORECASE
)


@cache
def is_algorithm(name: str) -> bool:
    """Return whether a name begins with that of a known algorithm: `PPO`, `DrQ(eps)`, `sac_lr0.1`, `TD3+BC`."""
    folded = name.strip().casefold()
    first = re.split(r"[\s_(+,:=/\[-]", folded, maxsplit=1)[0]
    subject = SUBJECT.fullmatch(name.strip())
    return bool({first, re.sub(r"[\s_-]", "", folded)} & ALGORITHMS) or bool(
        subject and subject[1].casefold() in ("algo", "algorithm", "agent", "method")
    )


@cache
def is_task(name: str) -> bool:
    """Return whether a name is that of a known environment: `Pong`, `ALE/Pong-v5`, `Hopper-v4`, `dmc_walker_walk`, `env_2`."""
    if is_algorithm(name):
        return False
    bare = re.sub(r"^(atari|dmc|dm_control|gym|gymnasium|mujoco|procgen)[_/-]", "", name.strip().casefold())
    subject = SUBJECT.fullmatch(name.strip())
    return bool({stem(bare), stem(name)} & _environments()) or _of_dm_control(bare) or bool(subject)


def is_environment_id(name: str) -> bool:
    """Return whether a name is spelled as registered environments are: `Custom-v0`."""
    return ENVIRONMENT_ID.fullmatch(name.strip()) is not None and not is_algorithm(name)


@cache
def _environments() -> frozenset[str]:
    references = (load_reference(name) for name in registered())
    return ENVIRONMENTS.union(stem(task) for reference in references for task in reference.scores)


def _of_dm_control(bare: str) -> bool:
    for domain in DOMAINS:
        rest = bare[len(domain) :] if bare.startswith(domain) else ""
        if len(rest) > 1 and rest[0] in "_-" and VERBS.issuperset(re.split(r"[_-]", rest[1:])):
            return True
    return False


def said_by(names: Iterable[str]) -> Said | None:
    """Return what a list of names names, if its members say so and do not contradict each other.

    >>> said_by(["PPO", "Ours"]), said_by(["Pong", "Alien"]), said_by(["seed 1", "seed 2"]), said_by(["100k", "500k"]), said_by(["A", "B"])
    ('algorithm', 'task', 'run', 'amount', None)
    """
    labels = list(dict.fromkeys(name.strip() for name in names))
    if not labels:
        return None
    if all(run_of(label) is not None for label in labels):
        return "run"
    if any((found := RUN_AT_END.fullmatch(label)) and found["rest"] for label in labels):
        return "runs_of"
    if metrics_among(labels):
        return "metric"
    if all(is_amount(label) for label in labels):
        return "amount"
    if len(labels) > 1 and all(re.fullmatch(r"\d+", label) for label in labels):
        return "number" if _consecutive(labels) else "amount"
    algorithms, tasks = sum(map(is_algorithm, labels)), sum(map(is_task, labels))
    if algorithms == tasks:
        return None
    return "algorithm" if algorithms > tasks else "task"


def metrics_among(labels: Sequence[str]) -> list[str]:
    """Return those of several labels that are named like metrics, steps or times.

    >>> metrics_among(["PPO", "PPO_std", "walltime"])
    ['PPO_std', 'walltime']
    """
    measures = ("score", "metric", "statistic", "rate", "time")
    return [name for name in labels if kind(name) in measures or _progress(name) or _measures_another(name, labels)]


def _measures_another(label: str, labels: Sequence[str]) -> bool:
    """Return whether a label is another one and a measure of it: `PPO_std` beside `PPO`."""
    head, _, last = re.sub(r"[ .:-]", "_", label).rpartition("_")
    return bool(head) and label[: len(head)] in labels and kind(last) in ("metric", "statistic", "time", "rate")


def _progress(label: str) -> bool:
    return kind(label) in ("step", "iteration", "episode") and not is_amount(label)


def _consecutive(labels: Sequence[str]) -> bool:
    numbers = sorted(map(int, labels))
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
