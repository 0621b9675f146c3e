"""Cross-entropy method with decreasing extra noise (Szita & Lőrincz 2006)."""

import numpy as np

from examples.classic_control.agents.policy_search import PolicySearch


class CrossEntropy(PolicySearch):
    """A Gaussian over policies, refitted to the elite of each population."""

    def __init__(self, features, n_actions, *, discount, rng, population, elite, extra_noise, fade) -> None:  # noqa: ARG002
        super().__init__(features, n_actions, batch=population, rng=rng)
        self.elite, self.extra_noise, self.fade = elite, extra_noise, fade
        self.deviation = np.ones_like(self.best)

    def propose(self) -> np.ndarray:
        """A population drawn from the Gaussian."""
        shape = (self.batch, *self.best.shape)
        return self.best + self.deviation * self.rng.standard_normal(shape)

    def learn(self, returns: np.ndarray) -> None:
        """Mean and deviation of the elite, plus extra noise that fades by generation."""
        elite = self.candidates[np.argsort(-returns, kind="stable")[: self.elite]]
        self.best = elite.mean(axis=0)
        self.deviation = np.sqrt(elite.var(axis=0) + self.extra_noise)
        self.extra_noise *= self.fade
