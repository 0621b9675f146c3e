"""Small answers, made once, by the library's own methods with few resamples."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np

import runoff as ro
from runoff.report.answers.all import Answers, answer

HOSTILE = ("<script>alert(1)</script>", "=cmd()", "../../x", "🚀 rocket", "$x_1$ & {50 %} \\", "long " * 100 + "name")


def scores(names: tuple[str, ...] = ("PPO", "A2C", "SAC"), n_tasks: int = 2, n_runs: int = 6) -> ro.Scores:
    rng = np.random.default_rng(0)
    return ro.Scores.from_dict(
        {name: {f"Task{t}": rng.normal(0.6 * a, 1.0, n_runs) for t in range(n_tasks)} for a, name in enumerate(names)}
    )


def answers_of(data: ro.Scores) -> Answers:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        return answer(data, alpha=0.05, seed=0, n_resamples=200, command="runoff report runs.csv")


@cache
def answers() -> Answers:
    return answers_of(scores())


@cache
def hostile() -> Answers:
    return answers_of(scores(HOSTILE, n_runs=5))
