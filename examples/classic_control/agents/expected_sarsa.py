"""One-step Expected Sarsa (Sutton & Barto 2018, §6.6)."""

from examples.classic_control.agents.base import ActionValues


class ExpectedSarsa:
    """Bootstraps on the mean over what the ε-greedy policy might do next; no traces."""

    def __init__(self, features, n_actions, *, discount, rng, alpha, epsilon, initial) -> None:
        self.q = ActionValues(features, n_actions, epsilon=epsilon, initial=initial, rng=rng)
        self.alpha, self.discount = alpha / features.n_active, discount
        self.greedy = self.q.greedy

    def start(self, observation) -> int:
        """First action of an episode."""
        return self._act(self.q.features.active(observation))

    def step(self, reward, observation, terminated) -> int:
        """Move the value of the last action towards the expected target."""
        active = self.q.features.active(observation)
        values, epsilon = self.q.values(active), self.q.epsilon
        expected = epsilon * values.mean() + (1.0 - epsilon) * values.max()
        target = reward if terminated else reward + self.discount * expected
        self.q.weights[self.action, self.active] += self.alpha * (target - self.value)
        return self._act(active)

    def _act(self, active) -> int:
        """Choose, and remember what the next reward will be credited to."""
        values = self.q.values(active)
        self.active, self.action = active, self.q.choose(values)
        self.value = values[self.action]
        return self.action
