"""What does tuning buy, and who is better when both are tuned as much? The best of k configurations, judged on runs that did not select."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from runoff._inference import advice as rules
from runoff._inference.bootstrap import Law, t_law
from runoff._inference.pairs import make_one_unit, one_unit
from runoff._inference.tuning import best_of
from runoff.base.arrays import Floats
from runoff.base.validate import check_alpha
from runoff.data.given import ScoresLike, as_sweep
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.results.pair import PairVerdict
from runoff.results.tuning import TuningPair, TuningResult, TuningRow
from runoff.words.numbers import span
from runoff.words.speech import call, choice, option

RunsOfConfigs = dict[str, Floats]
"""The runs of each configuration on a task."""


def tuning(
    data: ScoresLike,
    *,
    config: str | None = None,
    alpha: float = 0.05,
) -> TuningResult:
    """What does tuning buy, and who is better when both try as many configurations?

    Parameters
    ----------
    data : Scores, data frame or path
        Runs of several configurations of each algorithm, two or more of each, with a column that names the configuration.
    config : str, optional
        That column, of a frame or a file; None: config, config_id, configuration, hparams … by its name.
    alpha : float
        False positive rate of all verdicts, over pairs and k; the interval of each algorithm at each k is at 1 − alpha.

    Returns
    -------
    TuningResult
        The expected score of the best of k = 1 … K configurations, and of each pair who is better at which k.

    Raises
    ------
    DesignError
        No configurations, a configuration with one run, one configuration only, tasks in units of their own, runs shared by tasks, no task
        that all algorithms have.

    Notes
    -----
    k of the K configurations are drawn without replacement, and the one with the best mean over all its runs but one is judged on that one:
    the scores of runs that selected are no evidence. Exact: all draws and all runs to be set aside weigh the same. Tasks weigh the same.
    Intervals are over runs, configurations being fixed: the squared error is that of leaving each run out within its configuration, with
    Satterthwaite's degrees of freedom. docs/tuning.md has its coverage: too small where runs sometimes collapse (20 % of runs, 3 a
    configuration, one task: 66 % at k = 8, for 95 %).

    Verdicts of a pair go down from the largest k that both have, and up from k = 1, each until one is not found, both at alpha / (2 · pairs): a
    sequence in an order fixed beforehand needs no further correction (Maurer, Hothorn & Lehmacher 1995).

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.archive.load("neorl_tuning", algorithms=["cql", "bcq"], tasks=["HalfCheetah-v3-high-1000"])
    >>> result = ro.tuning(scores)
    >>> [round(record.estimate) for record in result.curve("cql")[:4]]
    [5055, 7249, 8161, 8567]
    """
    check_alpha(alpha)
    sweep = as_sweep(data, config)
    tasks, notes = _shared_tasks(sweep)
    runs = {name: _configs(sweep, name, tasks) for name in sweep.algorithms}
    curves = {name: _curve(name, by_task, notes) for name, by_task in runs.items()}
    notes += _unequal_runs(runs)
    if all(curve.k == 1 for curve in curves.values()):
        raise DesignError(
            f"every algorithm has one configuration on some task, so that nothing is tuned; {call('compare')} compares them."
        )
    names = list(combinations(sweep.algorithms, 2))
    # Bonferroni over pairs, and over the two ends from which k is walked below: each walk stops at the first k that
    # is not found.
    level = 1 - alpha / (2 * max(len(names), 1))
    records = tuple(c.record(name, k, 1 - alpha) for name, c in curves.items() for k in range(1, c.k + 1))
    equal = ", ".join(dict.fromkeys(row.algorithm for row in records if row.low is None))
    notes += [f"no interval where all runs that judge score the same: {equal}"] * bool(equal)
    return TuningResult(
        rows=records,
        pairs=tuple(row for a, b in names for row in _pair((a, b), (curves[a], curves[b]), level)),
        tasks=tasks,
        alpha=alpha,
        confidence_level=1 - alpha,
        pair_level=level,
        notes=tuple(notes),
        advice=rules.collected(*rules.about_data(sweep)),
    ).with_origin(sweep)


@dataclass(frozen=True, slots=True)
class _Curve:
    """The best of k = 1 … k configurations of an algorithm, the mean over tasks: (k,) each; parts and freedom have a row a configuration."""

    k: int
    judged: Floats
    over: Floats
    over_sd: Floats | None
    parts: Floats
    freedom: Floats

    def law(self, k: int, other: _Curve | None = None) -> Law:
        """Return the t law of the best of k, or of its lead on another algorithm's."""
        sides = (self, other) if other else (self,)
        parts, freedom = (
            np.concatenate(of) for of in zip(*((s.parts[:, k - 1], s.freedom) for s in sides), strict=True)
        )
        value = float(self.judged[k - 1] - (other.judged[k - 1] if other else 0.0))
        return Law(value, (t_law(parts, freedom, 0.0),) if parts.sum() > 0 else ())

    def record(self, algorithm: str, k: int, confidence_level: float) -> TuningRow:
        law = self.law(k)
        low, high = law.interval(confidence_level) or (None, None)
        over, in_sd = (None if of is None else float(of[k - 1]) for of in (self.over, self.over_sd))
        ends = {"low": low, "high": high, "overstatement_std": in_sd}
        return TuningRow(algorithm=algorithm, k=k, estimate=law.value, overstatement=over or 0.0, **ends)


def _pair(names: tuple[str, str], curves: tuple[_Curve, _Curve], level: float) -> list[TuningPair]:
    (a, b), (first, second) = names, curves
    most = min(first.k, second.k)
    laws = [first.law(k, second) for k in range(1, most + 1)]
    ends = [law.interval(level) or (None, None) for law in laws]
    signs = [0 if low is None or high is None or low <= 0 <= high else 1 if low > 0 else -1 for low, high in ends]
    verdicts: list[PairVerdict] = ["no_difference_found"] * most
    # A fixed sequence of tests needs no correction over k: from k = 1 up, and from the largest k down, as long as
    # each is found in one direction.
    for order in (range(most), range(most - 1, -1, -1)):
        for at in order:
            if not signs[at] or signs[at] != signs[order[0]]:
                break
            verdicts[at] = "a_better" if signs[at] > 0 else "b_better"
    return [
        TuningPair(a=a, b=b, k=k, difference=law.value, low=low, high=high, verdict=verdict)
        for k, (law, (low, high), verdict) in enumerate(zip(laws, ends, verdicts, strict=True), start=1)
    ]


# ── the runs of each configuration ──────────


def _shared_tasks(scores: Scores) -> tuple[tuple[str, ...], list[str]]:
    """Return the tasks that all algorithms have, and what is noted of the others."""
    if not scores.sampling.configs:
        column = choice("config='COLUMN', or from_frame(config=)", "--config COLUMN")
        raise DesignError(f"these scores do not say which configuration a run has: name the column, {column}.")
    tasks = tuple(task for task, fewest in zip(scores.tasks, scores.n_runs.min(axis=0).tolist(), strict=True) if fewest)
    if not tasks:
        raise DesignError(
            "no task has runs of all algorithms: choose algorithms that share a task (select, --algorithms)."
        )
    chosen = scores if len(tasks) == scores.n_tasks else scores.select(tasks=tasks)
    if not one_unit(chosen):
        raise DesignError(
            f"tuning averages over {len(tasks)} tasks, and each has a unit of its own: {make_one_unit()}, or choose one task."
        )
    if scores.sampling.shared and len(tasks) > 1:
        raise DesignError(
            f"tuning sets single runs aside, and these are shared by {len(tasks)} tasks: choose one task ({option('tasks')})."
        )
    left_out = [task for task in scores.tasks if task not in tasks]
    return tasks, [f"tasks without runs of some algorithm are left out: {', '.join(left_out)}"] if left_out else []


def _configs(scores: Scores, algorithm: str, tasks: tuple[str, ...]) -> list[RunsOfConfigs]:
    """Return the runs of each configuration on each task."""
    of_run, a, by_task = dict(scores.sampling.configs), scores.algorithms.index(algorithm), []
    for task in tasks:
        runs: dict[str, list[float]] = defaultdict(list)
        for label, value in zip(*scores.labelled(a, scores.tasks.index(task)), strict=True):
            if label not in of_run:
                raise DesignError(
                    f"run {label!r} of {algorithm!r} lost its configuration when names were merged; leave out {choice('merge=True', '--merge')}."
                )
            runs[of_run[label]].append(float(value))
        single = [name for name, values in runs.items() if len(values) < 2]
        if single:
            more = f", as {len(single) - 1} more have" if len(single) > 1 else ""
            raise DesignError(
                f"configuration {single[0]!r} of algorithm {algorithm!r} has one run on task {task!r}{more}: a run that selects is no "
                "evidence, so that each needs two runs or more, one to be judged by; run it again, or leave it out."
            )
        by_task.append({name: np.array(values) for name, values in runs.items()})
    return by_task


def _unequal_runs(runs: dict[str, list[RunsOfConfigs]]) -> list[str]:
    """Note the runs per configuration where these differ by a fifth and more between algorithms, on the average."""
    sizes = {name: [values.size for of in by_task for values in of.values()] for name, by_task in runs.items()}
    means = [sum(n) / len(n) for n in sizes.values()]
    counts = ", ".join(f"{name} {span(n)}" for name, n in sizes.items())
    return [f"runs per configuration differ, and more runs select better: {counts}"] * (max(means) >= 1.2 * min(means))


def _curve(name: str, by_task: list[RunsOfConfigs], notes: list[str]) -> _Curve:
    """Return the best of k configurations with these runs on each task; what is left out is added to the notes."""
    tasks = [best_of(list(runs.values())) for runs in by_task]
    # The mean over tasks needs every task at every k: it ends where the task with the fewest configurations does.
    k, most = min(sizes := [len(runs) for runs in by_task]), max(sizes)
    notes += [f"{name} has {k} to {most} configurations on a task: k goes up to {k}"] * (k < most)
    judged = np.array([task.judged[:k] for task in tasks])
    over, spreads = (
        np.array([task.selecting[:k] for task in tasks]) - judged,
        np.array([[task.spread] for task in tasks]),
    )
    return _Curve(
        k,
        judged.mean(axis=0),
        over.mean(axis=0),
        (over / spreads).mean(axis=0) if spreads.min() > 0 else None,
        # The variance of a mean over T tasks is the sum of their variances over T².
        np.concatenate([task.parts[:, :k] for task in tasks]) / len(tasks) ** 2,
        np.array([values.size - 1.0 for runs in by_task for values in runs.values()]),
    )
