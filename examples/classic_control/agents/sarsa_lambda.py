"""Sarsa(λ) with replacing traces (Sutton & Barto 2018, §12.7)."""

from examples.classic_control.agents.base import ActionValues, Trail


class SarsaLambda:
    """On-policy: bootstraps on the action that is really taken next."""

    def __init__(self, features, n_actions, *, discount, rng, alpha, lambda_, epsilon, initial) -> None:
        self.q = ActionValues(features, n_actions, epsilon=epsilon, initial=initial, rng=rng)
        self.alpha, self.discount = alpha / features.n_active, discount
        self.trail = Trail(features.n_active, discount * lambda_)
        self.greedy = self.q.greedy

    def start(self, observation) -> int:
        """First action of an episode, with empty traces."""
        self.trail.clear()
        active = self.q.features.active(observation)
        return self._take(active, self.q.values(active))

    def step(self, reward, observation, terminated) -> int:
        """One temporal-difference update along the traces."""
        active = self.q.features.active(observation)
        values = self.q.values(active)
        action = self.q.choose(values)
        target = reward if terminated else reward + self.discount * values[action]
        self.trail.update(self.q.weights.reshape(-1), self.alpha * (target - self.value))
        return self._take(active, self.q.values(active), action)

    def _take(self, active, values, action=None) -> int:
        """Remember the pair (state, action) that the next reward will be credited to."""
        action = self.q.choose(values) if action is None else action
        self.value = values[action]
        self.trail.visit(active + action * self.q.n_features)
        return action
