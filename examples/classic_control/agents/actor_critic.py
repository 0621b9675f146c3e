"""One-step actor-critic with a softmax policy (Sutton & Barto 2018, §13.5, without the factor discount^t)."""

import numpy as np


class ActorCritic:
    """Learns a policy and the value of its states side by side."""

    def __init__(self, features, n_actions, *, discount, rng, alpha_actor, alpha_critic) -> None:
        self.features, self.discount, self.rng = features, discount, rng
        self.actor = rng.uniform(-1e-3, 1e-3, size=(n_actions, features.n_features))
        self.critic = np.zeros(features.n_features)
        self.alpha_actor = alpha_actor / features.n_active
        self.alpha_critic = alpha_critic / features.n_active

    def start(self, observation) -> int:
        """First action of an episode."""
        return self._act(self.features.active(observation))

    def step(self, reward, observation, terminated) -> int:
        """Move critic and actor along the temporal-difference error."""
        active = self.features.active(observation)
        target = reward if terminated else reward + self.discount * self.critic[active].sum()
        error = target - self.critic[self.active].sum()
        self.critic[self.active] += self.alpha_critic * error
        score = -self.probability
        score[self.action] += 1.0  # gradient of log π(action) with respect to the preferences
        self.actor[:, self.active] += (self.alpha_actor * error * score)[:, None]
        return self._act(active)

    def greedy(self, observation) -> int:
        """The most probable action."""
        return int(self.actor[:, self.features.active(observation)].sum(axis=1).argmax())

    def _act(self, active) -> int:
        """Draw from the softmax over the preferences."""
        preference = self.actor[:, active].sum(axis=1)
        weight = np.exp(preference - preference.max())
        self.probability = weight / weight.sum()
        self.active = active
        self.action = int((self.probability.cumsum()[:-1] < self.rng.random()).sum())
        return self.action
