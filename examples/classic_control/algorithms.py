"""The algorithms by name, with their hyper-parameters: one setting for all tasks, and the few exceptions."""

from examples.classic_control.agents.actor_critic import ActorCritic
from examples.classic_control.agents.cross_entropy import CrossEntropy
from examples.classic_control.agents.expected_sarsa import ExpectedSarsa
from examples.classic_control.agents.q_lambda import QLambda
from examples.classic_control.agents.random_search import RandomSearch
from examples.classic_control.agents.sarsa_lambda import SarsaLambda

_SARSA = (SarsaLambda, {"alpha": 0.3, "lambda_": 0.9, "epsilon": 0.05, "initial": 0.0})

ALGORITHMS = {
    "Sarsa(λ)": _SARSA,
    "Sarsa(λ) twin": _SARSA,  # the same code and setting; its runs have other seeds
    "Q(λ)": (QLambda, {"alpha": 0.3, "lambda_": 0.9, "epsilon": 0.05, "initial": 0.0}),
    "Expected Sarsa": (ExpectedSarsa, {"alpha": 0.5, "epsilon": 0.05, "initial": 0.0}),
    "Actor-Critic": (ActorCritic, {"alpha_actor": 0.1, "alpha_critic": 0.3}),
    "CEM": (CrossEntropy, {"population": 20, "elite": 5, "extra_noise": 0.25, "fade": 0.8}),
    "ARS": (RandomSearch, {"directions": 2, "top": 2, "step_size": 0.3, "noise": 0.3}),
}

EXCEPTIONS = {
    (SarsaLambda, "CliffWalking-v1"): {"alpha": 0.2, "lambda_": 0.5},
    (SarsaLambda, "FrozenLake-v1"): {"alpha": 0.1, "lambda_": 0.7, "epsilon": 0.1, "initial": 0.5},
    (QLambda, "CliffWalking-v1"): {"alpha": 0.2, "lambda_": 0.5},
    (QLambda, "FrozenLake-v1"): {"alpha": 0.1, "lambda_": 0.7, "epsilon": 0.1, "initial": 0.5},
    (ExpectedSarsa, "CliffWalking-v1"): {"alpha": 0.2},
    (ExpectedSarsa, "FrozenLake-v1"): {"alpha": 0.1, "epsilon": 0.1, "initial": 0.5},
    (CrossEntropy, "Acrobot-v1"): {"population": 8, "elite": 2, "extra_noise": 1.0, "fade": 0.9},
    (CrossEntropy, "FrozenLake-v1"): {"population": 50, "elite": 10, "extra_noise": 1.0, "fade": 0.9},
    (RandomSearch, "FrozenLake-v1"): {"directions": 4, "top": 4},
}


def hyperparameters(algorithm: str, task: str) -> dict:
    """The setting of an algorithm on a task."""
    kind, setting = ALGORITHMS[algorithm]
    return setting | EXCEPTIONS.get((kind, task), {})


def build(algorithm: str, task, rng):
    """A fresh agent."""
    kind, _ = ALGORITHMS[algorithm]
    setting = hyperparameters(algorithm, task.name)
    return kind(task.features(), len(task.actions), discount=task.discount, rng=rng, **setting)
