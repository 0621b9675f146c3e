"""Reference scores: what a random policy gets (low) and what counts as solved (high)."""

import numpy as np

from examples.classic_control.tasks import TASKS, Task
from examples.classic_control.train import SEED, episode, seeded

N_EPISODES = 2_000

DOCUMENTED = {  # Gymnasium's documentation and its registered reward thresholds
    "CartPole-v1": 500.0,  # the time limit (the threshold is 475)
    "Acrobot-v1": -100.0,  # reward threshold
    "MountainCar-v0": -110.0,  # reward threshold
    "Pendulum-v1": -150.0,  # no threshold exists: see SOURCE
}

SOURCE = (
    f"low: measured, mean return of the uniform random policy over {N_EPISODES} episodes. "
    "high: CartPole the time limit; Acrobot and MountainCar the reward thresholds registered in Gymnasium; "
    "CliffWalking and FrozenLake (both slippery) the exact optimum within the time limit, by backward induction "
    "on Gymnasium's own transition tables; Pendulum has no threshold: -150 is a chosen round value, about what "
    "well-trained agents reach (swinging up from the random starts costs that much on average)."
)


def reference_scores() -> dict:
    """The content of ``reference.json``."""
    scores = {name: [random_return(task), solved_return(task)] for name, task in TASKS.items()}
    entry = {
        "title": "Classic control, from random to solved",
        "low": "uniform random policy",
        "high": "solved",
        "source": SOURCE,
        "unit": "raw return",
    }
    return {"classic_control": entry | {"scores": scores}}


def random_return(task: Task) -> float:
    """Mean return of the uniform random policy."""
    for_policy, for_env = np.random.SeedSequence(SEED).spawn(2)
    rng, env = np.random.default_rng(for_policy), seeded(task, for_env)
    returns = [episode(lambda _: rng.integers(len(task.actions)), task, env) for _ in range(N_EPISODES)]
    return round(float(np.mean(returns)), 3)


def solved_return(task: Task) -> float:
    """The documented value, or the exact optimum where the transition table is known."""
    if task.name in DOCUMENTED:
        return DOCUMENTED[task.name]
    env = task.make()
    value = np.zeros(len(env.P))
    for _ in range(task.limit):
        value = np.array([max(_expected(outcomes, value) for outcomes in row.values()) for row in env.P.values()])
    return round(float(env.initial_state_distrib @ value), 3)


def _expected(outcomes, value: np.ndarray) -> float:
    """Expected reward and value to go of one action."""
    return sum(p * (reward + (0.0 if done else value[state])) for p, state, reward, done in outcomes)
