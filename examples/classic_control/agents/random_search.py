"""Augmented random search, version V1-t (Mania, Guy & Recht 2018)."""

import numpy as np

from examples.classic_control.agents.policy_search import PolicySearch


class RandomSearch(PolicySearch):
    """Steps along the better ends of random directions, in units of the returns' standard deviation."""

    def __init__(self, features, n_actions, *, discount, rng, directions, top, step_size, noise) -> None:  # noqa: ARG002
        super().__init__(features, n_actions, batch=2 * directions, rng=rng)
        self.directions, self.top, self.step_size, self.noise = directions, top, step_size, noise

    def propose(self) -> np.ndarray:
        """Both ends of every direction: first all the plus ends, then all the minus ends."""
        self.delta = self.rng.standard_normal((self.directions, *self.best.shape))
        return np.concatenate([self.best + self.noise * self.delta, self.best - self.noise * self.delta])

    def learn(self, returns: np.ndarray) -> None:
        """A finite-difference step along the directions with the best ends."""
        plus, minus = returns.reshape(2, self.directions)
        top = np.argsort(-np.maximum(plus, minus), kind="stable")[: self.top]
        deviation = np.concatenate([plus[top], minus[top]]).std()
        if deviation > 0:
            slope = np.tensordot((plus - minus)[top], self.delta[top], axes=1)
            self.best = self.best + self.step_size / (self.top * deviation) * slope
