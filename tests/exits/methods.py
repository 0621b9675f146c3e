"""Every method that answers, asked of any scores: what a law about all exits, or all answers, goes through."""

from __future__ import annotations

import inspect
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import get_type_hints

import numpy as np

import runoff as ro
from runoff import lab
from runoff.answer.base import Result
from runoff.errors import DesignError, RunoffWarning

WITHOUT_SCORES = {"scan", "run_study"}
"""Those that read a folder or simulate; they have tests of their own."""
METHODS = {
    "the data": lambda scores: scores,
    "the data along training": lambda scores: learning(scores),
    "the sets of the archive": lambda scores: ro.archive.list(),
    "compare": ro.compare,
    "compare by names of tests": lambda scores: ro.compare(
        scores, test="welch" if scores.n_tasks == 1 else "permutation"
    ),
    "compare with a margin": lambda scores: ro.compare(scores, margin=0.25),
    "diff": lambda scores: ro.diff(scores, fewer(scores)),
    "aggregate": ro.aggregate,
    "task_means": lambda data: ro.aggregate(data, by="task"),
    "where": lambda scores: ro.where(scores, *scores.algorithms[:2]),
    "anytime": lambda scores: ro.anytime([even(scores)], n_resamples=200),
    "sequential": lambda scores: ro.sequential(
        even(scores), design=ro.SequentialDesign(looks=(2, 40), n_resamples=100)
    ),
    "claims": lambda scores: ro.claims(printed(scores), n_runs=5 if scores.n_tasks % 2 else None, accept_wide=True),
    "gate": lambda scores: ro.gate(*sides(scores), margin=margins(scores), n_resamples=500),
    "gate by a policy": lambda scores: ro.gate(*sides(scores), policy=policy(scores), n_resamples=500),
    "keep": lambda scores: searched(scores),
    "tuning": lambda scores: ro.tuning(configured(scores)),
    "tuning one setting": lambda scores: ro.tuning(configured(scores), view="one_setting"),
    "runs_needed": lambda scores: ro.runs_needed(effect=[1.0, 2.5], std=(1.5, 1.0), ratio=scores.n_tasks),
    "plan": lambda scores: ro.plan(scores, effect=1.0, effect_unit="sd"),
    "plan without an effect": ro.plan,
    "plan of trainings and rollouts": lambda scores: ro.plan(shares(scores), effect=0.3, rollouts=20),
    "next_runs": lambda scores: ro.next_runs(scores, budget=10),
    "sample_efficiency": lambda scores: ro.curves(learning(scores)),
    "time_to_threshold": lambda scores: ro.time_to_threshold(learning(scores), float(np.median(scores.values))),
    "reliability": lambda scores: ro.reliability(learning(scores)),
    "false_positive_rate": lambda scores: lab.false_positive_rate(
        scores, test=["auto", "van_elteren"] if scores.n_tasks > 1 else ["welch"], n_repeats=10, n_resamples=100
    ),
    "check": lambda scores: ro.check(scores, test="auto", interval="t", n_repeats=10, n_resamples=100),
    "coverage": lambda scores: lab.coverage(scores, measure="mean", interval=["t"], n_repeats=10, n_resamples=100),
    "equivalence": lambda scores: ro.equivalence(scores, margin=0.5 * float(np.ptp(scores.values)), measure="mean"),
    "inferential_intervals": lambda scores: ro.inferential_intervals(scores, measure="mean"),
    "compare_curves": lambda scores: ro.compare_curves(learning(scores), n_resamples=200),
    "summarize_curves": lambda scores: ro.curves(learning(scores), by="task"),
    "two_sample_test": lambda scores: ro.two_sample_test(*(scores.cell(a, -1) for a in scores.algorithms[:2])),
    "test_from_summary": lambda scores: ro.test_from_summary(
        mean_x=1.0, std_x=0.3 * scores.n_tasks, n_x=5, mean_y=2.0, std_y=0.5, n_y=6
    ),
    "power": lambda scores: ro.power(effect=1.0, std=0.5 * scores.n_tasks, n_runs=5),
    "detectable_effect": lambda scores: ro.detectable_effect(std=0.5 * scores.n_tasks, n_runs=(3, 5)),
    "reproduce": lambda scores: ro.reproduce(published(scores), "atari_100k:SPR", protocol={"unit": "raw return"}),
}
PUBLISHED = ("Alien", "Qbert", "Seaquest")


def design(seed: int) -> ro.Scores:
    """Return a few algorithms, tasks and runs, with scores of any size, ties and gaps."""
    rng = np.random.default_rng(seed)
    n_algorithms, n_tasks, size = rng.integers(2, 5), rng.integers(1, 7), 10.0 ** rng.integers(-3, 5)
    cells = {}
    for a in range(n_algorithms):
        runs = {f"task {t}": rng.normal(a, rng.choice([0.2, 1, 3]), rng.integers(2, 7)) for t in range(n_tasks)}
        cells[f"algo_{a} & co"] = {t: (np.round(r, 1) if seed % 3 == 0 else r) * size for t, r in runs.items()}
    if seed % 4 == 0 and n_tasks > 2:
        del cells["algo_0 & co"]["task 1"]
    return ro.Scores.from_dict(cells)


def configured(scores: ro.Scores) -> dict[str, list]:
    """Return a sweep on one task: each run is a configuration, which has three."""
    cells = {name: scores.cell(name, scores.tasks[0]) for name in scores.algorithms}
    rows = [
        (name, "t", f"c{c}", str(run), value * (1 + 0.01 * run * (-1) ** c))
        for name, values in cells.items()
        for c, value in enumerate(values)
        for run in range(3)
    ]
    return dict(zip(("algorithm", "task", "config", "seed", "score"), map(list, zip(*rows, strict=True)), strict=True))


def even(scores: ro.Scores) -> ro.Scores:
    """Return two runs of each algorithm on the tasks that all have."""
    tasks = [task for task, counts in zip(scores.tasks, scores.n_runs.T, strict=True) if counts.all()]
    return ro.Scores.from_dict({a: {task: scores.cell(a, task)[:2] for task in tasks} for a in scores.algorithms})


def shares(scores: ro.Scores) -> ro.Scores:
    """Return the first task with scores between 0 and 1, as success rates of trainings."""
    task = next(task for task, counts in zip(scores.tasks, scores.n_runs.T, strict=True) if counts.all())
    low, reach = float(scores.values.min()), float(np.ptp(scores.values)) or 1.0
    return ro.Scores.from_dict({a: {task: (scores.cell(a, task) - low) / reach} for a in scores.algorithms})


def fewer(scores: ro.Scores) -> ro.Scores:
    """Return the scores without the first run of each cell that has three, and the last algorithm under another name where there are three."""
    cells = {a: {task: x[1:] if len(x) > 2 else x for task, x in of.items()} for a, of in scores.to_dict().items()}
    last = scores.algorithms[-1]
    return ro.Scores.from_dict({"other" if name == last and len(cells) > 2 else name: of for name, of in cells.items()})


def sides(scores: ro.Scores) -> list[dict[str, dict]]:
    """Return the first two algorithms, each by itself, on the tasks that all have."""
    return [{name: tasks} for name, tasks in list(even(scores).to_dict().items())[:2]]


def margins(scores: ro.Scores) -> dict[str, float]:
    """Return a margin for each task that all have."""
    return {task: (k + 1) * np.ptp(scores.values) / 9 for k, task in enumerate(even(scores).tasks)}


def policy(scores: ro.Scores) -> dict[str, dict]:
    """Return a policy under which every second task must win."""
    rules = [{"rule": "must not lose", "margin": float(m)} for m in margins(scores).values()]
    rules[1::2] = [{"rule": "must win"}] * len(rules[1::2])
    return {"benchmarks": dict(zip(margins(scores), rules, strict=True))}


def printed(scores: ro.Scores) -> str:
    """Return means and standard deviations of an even part of the scores as a published table."""
    cells = even(scores).to_dict()
    tasks = list(cells[scores.algorithms[0]])
    rows = [[name, *(f"{np.mean(x):.6f} ± {np.std(x, ddof=1):.6f}" for x in of.values())] for name, of in cells.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in [["Method", *tasks], ["---"] * (len(tasks) + 1), *rows])


def learning(scores: ro.Scores) -> ro.Curves:
    """Return two curves of each algorithm on the tasks that all have, which end near its scores."""
    rows = [
        (name, task, run, step, float(value * (1 - 0.8**step) + 0.1 * value * np.sin(step)))
        for name, tasks in even(scores).to_dict().items()
        for task, values in tasks.items()
        for run, value in enumerate(values)
        for step in range(8)
    ]
    heads = ("algorithm", "task", "run", "step", "score")
    return ro.Curves.from_frame(dict(zip(heads, map(list, zip(*rows, strict=True)), strict=True)))


def searched(scores: ro.Scores) -> Result:
    """Return the record of a search whose champion is the first algorithm on its first task, with runs to either side of each."""
    task = next(task for task, n in zip(scores.tasks, scores.n_runs[0], strict=True) if n)
    runs = list(dict.fromkeys(float(x) for x in scores.cell(scores.algorithms[0], task)))  # a run counts once
    size = float(np.ptp(scores.values)) + 1.0
    base = [x + size * k / 7 for k in range(4) for x in runs][:8]
    with tempfile.TemporaryDirectory() as folder:
        ledger = ro.Ledger(Path(folder, "night.jsonl"))
        ledger.champion([*base, *(base[0] - size * k / 11 for k in range(1, 9))][:20], name=scores.algorithms[0])
        ledger.propose([base[0] - 9 * size], name=scores.algorithms[-1])
        return ledger.propose([base[0] + 9 * size, base[0] + 8.5 * size], name="a & b")


def published(scores: ro.Scores) -> ro.Scores:
    """Return the runs of the first algorithm, as if they were on published tasks."""
    largest = abs(scores.values).max()
    runs = [[1000 * x / largest for x in cell] for cell in scores.to_dict()[scores.algorithms[0]].values()]
    return ro.Scores.from_dict({"mine": dict(zip(PUBLISHED, runs, strict=False))})


def answering() -> set[str]:
    """Return the public functions whose return type is an answer."""
    functions = {name: getattr(ro, name) for name in ro.__all__ if inspect.isfunction(getattr(ro, name))}
    returned = {name: get_type_hints(function).get("return") for name, function in functions.items()}
    return {name for name, kind in returned.items() if inspect.isclass(kind) and issubclass(kind, Result)}


# A method that answers about runs alone needs no line above.
METHODS |= {
    name: getattr(ro, name) for name in sorted(answering() - WITHOUT_SCORES - {name.split()[0] for name in METHODS})
}


@cache
def answers_about(seed: int, step: int = 6):
    """Return every sixth method's answer about a design, with the method's name; none that the method refuses."""
    scores, answered = design(seed), []
    for name, method in list(METHODS.items())[seed % step :: step]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RunoffWarning)
            try:
                result = method(scores)
            except DesignError:  # such as ranks of tasks that not all have
                continue
        answered.append((name, result))
    return answered
