"""What every agent can do, and the two parts that the value-based agents share."""

from typing import Protocol

import numpy as np


class Agent(Protocol):
    """Driven from outside, one environment step at a time."""

    def start(self, observation) -> int:
        """Begin an episode: the first action."""

    def step(self, reward: float, observation, terminated: bool) -> int:
        """Learn from what the last action brought and return the next action."""

    def greedy(self, observation) -> int:
        """The best action known, without exploring or learning."""


class ActionValues:
    """Linear action values over binary features, with ε-greedy choice."""

    def __init__(self, features, n_actions: int, *, epsilon: float, initial: float, rng) -> None:
        self.features, self.n_actions, self.epsilon, self.rng = features, n_actions, epsilon, rng
        self.n_features = features.n_features
        noise = rng.uniform(-1e-3, 1e-3, size=(n_actions, self.n_features))  # breaks ties at random
        self.weights = (initial + noise) / features.n_active

    def values(self, active: np.ndarray) -> np.ndarray:
        """Q(s, ·), shape (n_actions,)."""
        return self.weights[:, active].sum(axis=1)

    def choose(self, values: np.ndarray) -> int:
        """A random action with probability ε, else the greedy one."""
        if self.rng.random() < self.epsilon:
            return int(self.rng.integers(self.n_actions))
        return int(values.argmax())

    def greedy(self, observation) -> int:
        """The action of highest value."""
        return int(self.values(self.features.active(observation)).argmax())


class Trail:
    """Replacing eligibility traces, kept as the list of what was visited, newest last.

    A weight visited again has two entries; NumPy's indexed assignment lets the last one win,
    which is the newest: that is the replacing trace. Entries are forgotten once they weigh less than 1 %.
    """

    def __init__(self, n_active: int, decay: float) -> None:
        length = max(1, int(np.log(0.01) / np.log(decay)))
        self._length, self._end = length, 0
        self._visited = np.empty((50 * length, n_active), dtype=np.int64)
        self._strength = np.repeat(decay ** np.arange(length)[::-1], n_active)
        self._n_active, self._begin = n_active, 0

    def clear(self) -> None:
        """Forget everything, as at the start of an episode."""
        self._begin = self._end = 0

    def visit(self, weights: np.ndarray) -> None:
        """Append the weights just used, flat indices of shape (n_active,)."""
        if self._end == len(self._visited):
            self._visited[: self._length] = self._visited[-self._length :]
            self._begin, self._end = 0, self._length
        self._visited[self._end] = weights
        self._end += 1
        self._begin = max(self._begin, self._end - self._length)

    def update(self, weights: np.ndarray, amount: float) -> None:
        """Add ``amount``, faded by age, to all visited weights; in place, ``weights`` is flat."""
        visited = self._visited[self._begin : self._end].ravel()
        weights[visited] += amount * self._strength[-len(visited) :]
