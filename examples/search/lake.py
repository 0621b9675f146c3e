"""FrozenLake (Gymnasium's 4 × 4 map, slippery) as a table of transitions, and one training run of a tabular agent on it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from examples.classic_control.agents.expected_sarsa import ExpectedSarsa
from examples.classic_control.features import OneHot

MAP = "SFFFFHFHFFFHHFFG"
SIDE, N_ACTIONS, GOAL = 4, 4, 15
MOVES = ((0, -1), (1, 0), (0, 1), (-1, 0))
LIMIT, DISCOUNT, N_EPISODES = 100, 0.99, 200


def landing(state: int, action: int) -> int:
    """Return where a step without slipping leads."""
    row, column = divmod(state, SIDE)
    down, right = MOVES[action]
    return SIDE * min(max(row + down, 0), SIDE - 1) + min(max(column + right, 0), SIDE - 1)


def next_states() -> np.ndarray:
    """Return the three states that an action leads to with equal chances, int (16, 4, 3); holes and the goal keep what is in them."""
    ends = [MAP[state] in "HG" for state in range(SIDE * SIDE)]
    return np.array(
        [
            [
                [state if ends[state] else landing(state, (action + slip) % N_ACTIONS) for slip in (-1, 0, 1)]
                for action in range(N_ACTIONS)
            ]
            for state in range(SIDE * SIDE)
        ]
    )


NEXT = next_states()


def success(policy: list[int]) -> float:
    """Return the chance that a policy reaches the goal within the limit, exactly."""
    chances = np.zeros((SIDE * SIDE, SIDE * SIDE))
    for state, action in enumerate(policy):
        for after in NEXT[state, action]:
            chances[state, after] += 1 / 3
    return float(np.linalg.matrix_power(chances, LIMIT)[0, GOAL])


def train(setting: Mapping[str, float], seed: int, n_steps: int = 3000) -> float:
    """Return the score of a run: the share of 200 episodes in which its greedy policy reaches the goal."""
    rng = np.random.default_rng(seed)
    agent = ExpectedSarsa(OneHot(SIDE * SIDE), N_ACTIONS, discount=DISCOUNT, rng=rng, **setting)
    slips = rng.integers(0, 3, n_steps)
    state, age = 0, 0
    action = agent.start(state)
    for slip in slips:
        state, age = int(NEXT[state, action, slip]), age + 1
        over = MAP[state] in "HG"
        action = agent.step(float(state == GOAL), state, over)
        if over or age == LIMIT:
            state, age = 0, 0
            action = agent.start(state)
    policy = [agent.greedy(state) for state in range(SIDE * SIDE)]
    return float(rng.binomial(N_EPISODES, success(policy)) / N_EPISODES)
