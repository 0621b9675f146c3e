"""What the agents that search whole policies share: they learn from returns of episodes, not from steps."""

import numpy as np


class PolicySearch:
    """Plays one candidate policy per episode; a subclass says which, and learns when a batch is complete.

    A policy is a matrix of shape (n_actions, n_basis); its action is the row with the largest product.
    """

    def __init__(self, features, n_actions, *, batch: int, rng) -> None:
        self.features, self.batch, self.rng = features, batch, rng
        self.best = np.zeros((n_actions, features.n_basis))
        self.returns: list[float] = []
        self.candidates = None

    def propose(self) -> np.ndarray:
        """Candidates of the next batch, shape (batch, n_actions, n_basis)."""
        raise NotImplementedError

    def learn(self, returns: np.ndarray) -> None:
        """Improve ``self.best`` from the returns of the batch."""
        raise NotImplementedError

    def start(self, observation) -> int:
        """Next candidate; after the last of a batch, learn and propose anew."""
        if self.candidates is None or len(self.returns) == self.batch:
            if self.returns:
                self.learn(np.array(self.returns))
            self.candidates, self.returns = self.propose(), []
        self.policy = self.candidates[len(self.returns)]
        self.returns.append(0.0)
        return self._act(self.policy, observation)

    def step(self, reward, observation, terminated) -> int:  # noqa: ARG002
        """Only count the reward."""
        self.returns[-1] += reward
        return self._act(self.policy, observation)

    def greedy(self, observation) -> int:
        """Action of the best policy so far, not of a candidate."""
        return self._act(self.best, observation)

    def _act(self, policy, observation) -> int:
        return int((policy @ self.features.basis(observation)).argmax())
