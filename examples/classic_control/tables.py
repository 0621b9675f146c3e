"""The generated parts of the data set's README."""

import platform
from importlib.metadata import version
from string import Template

import numpy as np
import polars as pl

from examples.classic_control.algorithms import ALGORITHMS, hyperparameters
from examples.classic_control.tasks import TASKS
from examples.classic_control.train import N_EVALUATIONS, SEED


def readme(template: str, frame: pl.DataFrame, reference: dict) -> str:
    """The template with every table filled in from what was trained."""
    return Template(template).substitute(
        seed=SEED,
        evaluations=N_EVALUATIONS,
        rows=frame.height,
        runs=frame["run"].n_unique(),
        algorithms=", ".join(ALGORITHMS),
        cost=_cost(frame),
        versions=_versions(),
        tasks=_tasks(reference["classic_control"]["scores"]),
        source=reference["classic_control"]["source"],
        settings=_settings(),
        cells=_cells(frame),
        twins=_twins(frame),
        seconds=_seconds(frame),
    )


def markdown(header: list[str], rows: list[list]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(value) for value in line) + " |" for line in lines)


def final_scores(table: pl.DataFrame) -> dict[tuple[str, str], np.ndarray]:
    """Scores at the last evaluation, by (task, algorithm), in the order of the declarations."""
    last = table.filter(pl.col("step") == pl.col("step").max().over("task"))
    cells = {key: frame["score"].to_numpy() for key, frame in last.group_by("task", "algorithm")}
    return {(task, name): cells[task, name] for task in TASKS for name in ALGORITHMS}


def shape_of(scores: np.ndarray) -> list[str]:
    """Median, quartiles, extremes, skewness, and the share of the commonest value, as printed."""
    low, q1, median, q3, high = np.quantile(scores, [0.0, 0.25, 0.5, 0.75, 1.0])
    values, counts = np.unique(scores, return_counts=True)
    commonest = f"{counts.max() / len(scores):.0%} at {values[counts.argmax()]:.4g}" if counts.max() > 1 else "none"
    return [
        f"{median:.4g}",
        f"{q1:.4g} to {q3:.4g}",
        f"{low:.4g} to {high:.4g}",
        _skewness(scores),
        commonest,
    ]


def _skewness(scores: np.ndarray) -> str:
    """Third standardised moment; a constant cell has none."""
    spread = scores.std()
    return "constant" if spread == 0 else f"{np.mean(((scores - scores.mean()) / spread) ** 3):+.2f}"


def _cells(frame: pl.DataFrame) -> str:
    rows = [[task, name, *shape_of(scores)] for (task, name), scores in final_scores(frame).items()]
    return markdown(["task", "algorithm", "median", "quartiles", "range", "skewness", "commonest score"], rows)


def _twins(frame: pl.DataFrame) -> str:
    """The two cells that differ by seeds only: P(one > other), ties counted half."""
    cells, rows = final_scores(frame), []
    for task in TASKS:
        original, other = cells[task, "Sarsa(λ)"], cells[task, "Sarsa(λ) twin"]
        better = np.mean((original[:, None] > other) + 0.5 * (original[:, None] == other))
        rows.append([task, f"{original.mean():.4g}", f"{other.mean():.4g}", f"{better:.2f}"])
    return markdown(["task", "mean, Sarsa(λ)", "mean, twin", "P(Sarsa(λ) > twin)"], rows)


def _tasks(reference: dict) -> str:
    header = [
        "task",
        "steps per run",
        "time limit",
        "episodes per evaluation",
        "discount",
        "reward scale",
        "low",
        "high",
    ]
    rows = [
        [t.name, t.steps, t.limit, t.episodes, t.discount, t.reward_scale, *reference[t.name]] for t in TASKS.values()
    ]
    return markdown(header, rows)


def _settings() -> str:
    """Hyper-parameters: the common setting, then what differs on single tasks."""
    rows = []
    for name, (_, common) in ALGORITHMS.items():
        rows.append([name, "all others", _setting(common)])
        for task in TASKS:
            special = {k: v for k, v in hyperparameters(name, task).items() if common[k] != v}
            rows += [[name, task, _setting(special)]] if special else []
    return markdown(["algorithm", "task", "setting"], rows)


def _setting(values: dict) -> str:
    return ", ".join(f"{key.rstrip('_')} {value}" for key, value in values.items())


def _seconds(table: pl.DataFrame) -> str:
    """Mean wall seconds of one run."""
    mean = {key: frame["seconds"].mean() for key, frame in table.group_by("algorithm", "task")}
    rows = [[name, *(f"{mean[name, task]:.2f}" for task in TASKS)] for name in ALGORITHMS]
    return markdown(["algorithm", *TASKS], rows)


def _cost(frame: pl.DataFrame) -> str:
    runs = frame.unique(["algorithm", "task", "run"])["seconds"].sum()
    wall = frame.unique(["algorithm", "task"])["wall"].sum()
    return f"{runs / 60:.0f} minutes summed over runs, {wall / 60:.0f} minutes wall"


def _versions() -> str:
    packages = ("gymnasium", "numpy", "polars", "joblib")
    return ", ".join([f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in packages)])
