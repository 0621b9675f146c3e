"""What a table is about: algorithms, tasks and runs, or models, items and attempts."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Nouns:
    """What is compared, on what, and what a score is of; each as one and as several."""

    algorithm: str = "algorithm"
    algorithms: str = "algorithms"
    task: str = "task"
    tasks: str = "tasks"
    run: str = "run"
    runs: str = "runs"
    score: str = "score"
    mean: str = "mean"


OF_RUNS = Nouns()
OF_EPISODES = replace(OF_RUNS, run="episode", runs="episodes")
OF_ITEMS = Nouns(
    algorithm="model",
    algorithms="models",
    task="item",
    tasks="items",
    run="attempt",
    runs="attempts",
    score="answer",
    mean="success rate",
)


def nouns_of(unit: str, *, items: bool = False) -> Nouns:
    """Return the nouns of rows that are runs, or episodes, or of items answered yes or no, which are the sample.

    >>> nouns_of("episode").run, nouns_of("run", items=True).tasks
    ('episode', 'items')
    """
    return OF_ITEMS if items else OF_EPISODES if unit == "episode" else OF_RUNS
