"""The tasks: a Gymnasium environment, what the agents see of it, and how long they train.

Environments are used unwrapped with the time limit counted here: the same episodes as ``gymnasium.make``
gives, in less than half the time per step.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import atan2, pi

import gymnasium
import numpy as np

from examples.classic_control.features import OneHot, Tiles


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One environment and the plan of a run on it."""

    name: str  # of the Gymnasium environment, with its version
    features: Callable[[], OneHot | Tiles]
    actions: Sequence  # what is passed to the environment for action 0, 1, ...
    limit: int  # steps after which an episode is cut off
    steps: int  # environment steps of training in a run
    episodes: int  # of each offline evaluation
    discount: float
    reward_scale: float = 1.0  # of the rewards an agent learns from; scores are never rescaled
    options: tuple[tuple[str, object], ...] = ()

    def make(self) -> gymnasium.Env:
        """A fresh environment without wrappers."""
        return gymnasium.make(self.name, **dict(self.options)).unwrapped


def _acrobot_view(observation: np.ndarray) -> tuple[float, ...]:
    """Two angles and two angular velocities."""
    cos1, sin1, cos2, sin2, velocity1, velocity2 = observation.tolist()
    return atan2(sin1, cos1), atan2(sin2, cos2), velocity1, velocity2


def _pendulum_view(observation: np.ndarray) -> tuple[float, ...]:
    """Angle (0 is upright) and angular velocity."""
    cos, sin, velocity = observation.tolist()
    return atan2(sin, cos), velocity


def _torque(value: float) -> np.ndarray:
    return np.array([value], dtype=np.float32)


TASKS = {
    task.name: task
    for task in (
        Task(
            name="CartPole-v1",
            features=lambda: Tiles((-2.4, -3.0, -0.21, -3.0), (2.4, 3.0, 0.21, 3.0), bins=6),
            actions=range(2),
            limit=500,
            steps=21_000,
            episodes=5,
            discount=0.99,
        ),
        Task(
            name="Acrobot-v1",
            features=lambda: Tiles((-pi, -pi, -7.0, -14.0), (pi, pi, 7.0, 14.0), bins=6, view=_acrobot_view),
            actions=range(3),
            limit=500,
            steps=24_000,
            episodes=5,
            discount=1.0,
        ),
        Task(
            name="MountainCar-v0",
            features=lambda: Tiles((-1.2, -0.07), (0.5, 0.07), bins=8),
            actions=range(3),
            limit=200,
            steps=36_000,
            episodes=10,
            discount=1.0,
        ),
        Task(
            name="Pendulum-v1",
            features=lambda: Tiles((-pi, -8.0), (pi, 8.0), bins=10, degree=3, view=_pendulum_view),
            actions=tuple(_torque(value) for value in (-2.0, 0.0, 2.0)),
            limit=200,
            steps=36_000,
            episodes=10,
            discount=0.97,
            reward_scale=0.1,
        ),
        Task(
            name="CliffWalking-v1",
            features=lambda: OneHot(48),
            actions=range(4),
            limit=200,
            steps=24_000,
            episodes=10,
            discount=0.99,
            reward_scale=0.1,
            options=(("is_slippery", True),),
        ),
        Task(
            name="FrozenLake-v1",
            features=lambda: OneHot(16),
            actions=range(4),
            limit=100,
            steps=15_000,
            episodes=40,
            discount=0.99,
        ),
    )
}
