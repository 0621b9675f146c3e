"""Small answers, made once, by the library's own methods with few resamples."""

from __future__ import annotations

import json
import re
import warnings
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import runoff as ro
from runoff.page.answers.all import Answers, answer
from runoff.page.sheet.drawing import DrawingPlan, plans
from tests.amount import THOROUGH

UNDRAWN = ("runoff.page.sheet.drawing.draw", lambda *_: ())
"""The function that draws all figures of a report, and another that draws none."""


def blank() -> Axes:
    """Return axes without a letter, whose font would be put into a PDF."""
    axes = Figure((1, 1)).subplots()
    axes.set_axis_off()
    return axes


def few_drawn(*names: str) -> tuple[str, Callable[[Answers], Iterator[DrawingPlan]]]:
    """Return the function that plans the figures of a report, and another, by which those of other names are blank in `make test`."""

    def own(answers: Answers, width: float | str | None = None) -> Iterator[DrawingPlan]:
        for plan in plans(answers, width):
            yield plan if THOROUGH or plan.name in names else replace(plan, show=blank)

    return "runoff.page.sheet.drawing.plans", own


HOSTILE = ("<script>alert(1)</script>", "=cmd()", "../../x", "🚀 rocket", "$x_1$ & {50 %} \\", "long " * 100 + "name")


def raw_scores(names: tuple[str, ...] = ("PPO", "A2C", "SAC"), n_tasks: int = 2, n_runs: int = 6) -> ro.Scores:
    """Scores of which nobody says that tasks have one unit."""
    rng = np.random.default_rng(0)
    return ro.Scores.from_dict(
        {name: {f"Task{t}": rng.normal(0.6 * a, 1.0, n_runs) for t in range(n_tasks)} for a, name in enumerate(names)}
    )


def scores(names: tuple[str, ...] = ("PPO", "A2C", "SAC"), n_tasks: int = 2, n_runs: int = 6) -> ro.Scores:
    """The same numbers, in one unit."""
    raw = raw_scores(names, n_tasks, n_runs)
    return raw.normalize(dict.fromkeys(raw.tasks, (0.0, 1.0)), assume_raw=True)


def answers_of(data: ro.Scores, **options: Any) -> Answers:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        return answer(data, alpha=0.05, seed=0, n_resamples=200, command="runoff report runs.csv", **options)


@cache
def answers() -> Answers:
    return answers_of(scores())


@cache
def by_chance() -> Answers:
    """Answers by the probability of improvement: tasks in units of their own."""
    return answers_of(raw_scores())


@cache
def hostile() -> Answers:
    return answers_of(scores(HOSTILE, n_runs=5))


def page_content(page: str) -> dict[str, Any]:
    """Return what the script of a page draws from."""
    packed = re.search(r'id="?known"?>(.*?)</script>', page, re.DOTALL)[1]
    return json.loads(zlib.decompress(b64decode(packed)))
