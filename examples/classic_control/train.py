"""One run: an agent trains, and is evaluated offline at fixed numbers of environment steps."""

from time import perf_counter
from zlib import crc32

import numpy as np

from examples.classic_control.algorithms import build
from examples.classic_control.tasks import TASKS, Task

SEED = 20_190_412
N_EVALUATIONS = 30  # and one more before training


def streams(algorithm: str, task: str, run: int) -> list[np.random.SeedSequence]:
    """Three independent streams of a run: for the agent, its training and its evaluation environment."""
    entropy = (SEED, crc32(algorithm.encode()), crc32(task.encode()), run)
    return np.random.SeedSequence(entropy).spawn(3)


def train(algorithm: str, task_name: str, run: int) -> dict:
    """The learning curve of one run: arrays ``step`` and ``score``, and the ``seconds`` it took."""
    begin = perf_counter()
    task = TASKS[task_name]
    for_agent, for_training, for_evaluation = streams(algorithm, task_name, run)
    agent = build(algorithm, task, np.random.default_rng(for_agent))
    training, evaluation = seeded(task, for_training), seeded(task, for_evaluation)
    interval = task.steps // N_EVALUATIONS
    scores = [evaluate(agent, task, evaluation)]
    for _ in practise(agent, task, training, interval):
        scores.append(evaluate(agent, task, evaluation))
    steps = interval * np.arange(N_EVALUATIONS + 1)
    return {"step": steps, "score": np.array(scores), "seconds": perf_counter() - begin}


def practise(agent, task: Task, env, interval: int):
    """Train for the task's number of steps and pause after every ``interval`` steps."""
    age = task.limit
    for step in range(1, task.steps + 1):
        if age == task.limit:
            action, age = agent.start(env.reset()[0]), 0
        observation, reward, terminated, _, _ = env.step(task.actions[action])
        action = agent.step(task.reward_scale * float(reward), observation, terminated)
        age = task.limit if terminated else age + 1
        if step % interval == 0:
            yield step


def evaluate(agent, task: Task, env) -> float:
    """Mean undiscounted return of the greedy policy over the task's number of episodes."""
    return float(np.mean([episode(agent.greedy, task, env) for _ in range(task.episodes)]))


def episode(policy, task: Task, env) -> float:
    """Undiscounted return of one episode."""
    total, (observation, _) = 0.0, env.reset()
    for _ in range(task.limit):
        observation, reward, terminated, _, _ = env.step(task.actions[policy(observation)])
        total += float(reward)
        if terminated:
            break
    return total


def seeded(task: Task, seed: np.random.SeedSequence):
    """An environment whose random numbers all follow from the seed."""
    env = task.make()
    env.reset(seed=int(seed.generate_state(1)[0]))
    return env
