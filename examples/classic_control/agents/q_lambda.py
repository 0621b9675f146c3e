"""Watkins's Q(λ) with replacing traces (Sutton & Barto 2018, §12.10)."""

from examples.classic_control.agents.base import ActionValues, Trail


class QLambda:
    """Off-policy: bootstraps on the best next action, and cuts the traces when it explores."""

    def __init__(self, features, n_actions, *, discount, rng, alpha, lambda_, epsilon, initial) -> None:
        self.q = ActionValues(features, n_actions, epsilon=epsilon, initial=initial, rng=rng)
        self.alpha, self.discount = alpha / features.n_active, discount
        self.trail = Trail(features.n_active, discount * lambda_)
        self.greedy = self.q.greedy

    def start(self, observation) -> int:
        """First action of an episode, with empty traces."""
        self.trail.clear()
        return self._act(self.q.features.active(observation))

    def step(self, reward, observation, terminated) -> int:
        """One temporal-difference update along the traces."""
        active = self.q.features.active(observation)
        target = reward if terminated else reward + self.discount * self.q.values(active).max()
        self.trail.update(self.q.weights.reshape(-1), self.alpha * (target - self.value))
        return self._act(active)

    def _act(self, active) -> int:
        """Choose, and remember what the next reward will be credited to."""
        values = self.q.values(active)
        action = self.q.choose(values)
        if values[action] < values.max():
            self.trail.clear()
        self.value = values[action]
        self.trail.visit(active + action * self.q.n_features)
        return action
