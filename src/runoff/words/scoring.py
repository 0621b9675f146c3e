"""Which of several names is that of the score, and which names are those of costs, or of what is no score."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from runoff.words.columns import names_quality, preferred
from runoff.words.costs import direction
from runoff.words.labels import is_summary
from runoff.words.measured import common_measure, without_measure
from runoff.words.words import kind, vocabulary, words

_BESIDE = vocabulary("length lengths len losses")
_OF_NETWORKS = vocabulary(
    "actor critic policy value model q qf alpha entropy bellman td train training val validation test"
)
"""Whose costs of training stand beside each other."""


def is_no_score(name: str) -> bool:
    """Return whether a name is that of times, steps, lengths of episodes or losses of training, which are compared nowhere by themselves.

    >>> is_no_score("episode_lengths"), is_no_score("losses"), is_no_score("loss"), is_no_score("steps to goal"), is_no_score("PPO")
    (True, True, False, False, False)
    """
    if kind(name) is None or "goal" in words(name):
        return False
    return kind(name) in ("time", "rate", "step", "iteration", "episode") or not _BESIDE.isdisjoint(words(name))


def is_cost(name: str) -> bool:
    """Return whether a whole name is that of a cost, of which less is better."""
    return direction(name) == "lower" and not is_no_score(name)


def is_metric(name: str) -> bool:
    """Return whether a whole name is that of a measure, whatever it is of: `returns`, `regret`, but not `push_loss`."""
    return kind(name) in ("score", "metric") or names_quality(name) or (is_cost(name) and len(words(name)) == 1)


def score_of(names: Sequence[str]) -> str:
    """Return the one of several names that is that of the score: a return, or else a quality, or else a cost; "" for none and for several.

    >>> score_of(["returns", "losses"]), score_of(["regret", "time"]), score_of(["ppo", "sac"]), score_of(["return", "success"])
    ('returns', 'regret', '', '')
    """
    ways = (
        preferred([name for name in names if kind(name) == "score"]),
        [name for name in names if names_quality(name)],
        [name for name in names if is_cost(name)],
    )
    scores = next(filter(None, ways), [])
    return scores[0] if len(scores) == 1 else ""


_COSTS = vocabulary("regret regrets makespan exploitability suboptimality mse rmse mae nrmse mape smape mase crps fid")
"""Costs by which no method is called."""


def measure_of(names: Sequence[str]) -> tuple[str, Mapping[str, str]]:
    """Return what was measured of each of several names, with what is left of these; ("", {}) where they do not say.

    >>> measure_of(["ppo_loss", "sac_loss"]), measure_of(["regret UCB", "regret TS"])[0], measure_of(["ppo", "sac_loss"])
    (('loss', {'ppo_loss': 'ppo', 'sac_loss': 'sac'}), 'regret', ('', {}))
    """
    if len(names) < 2 or any(kind(name) for name in names):
        return "", {}
    if measure := common_measure(names):
        scored = kind(measure) == "score" or names_quality(measure) or direction(measure) == "lower"
        if is_summary(measure) or not (scored or is_no_score(measure)):
            return "", {}
        bare = {name: without_measure(name, measure) for name in names}
    else:
        measure, bare = _cost_of(names)
    of_networks = any({*words(name)} <= _OF_NETWORKS for name in bare.values())
    return (measure, bare) if len({*bare.values()}) == len(names) and not of_networks else ("", {})


def _cost_of(names: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return the cost that is the first, or the last, word of all names, and these without it."""
    ends = [(re.split(r"[\s_./:-]+", name)[0], re.split(r"[\s_./:-]+", name)[-1]) for name in names]
    for side, strip in ((0, str.removeprefix), (1, str.removesuffix)):
        costs = {own[side] for own in ends}
        if len(costs) == 1 and (cost := costs.pop()).casefold() in _COSTS:
            return cost, {name: strip(name, cost).strip(" _./:-") for name in names}
    return "", {}
