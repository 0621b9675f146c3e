"""What does tuning gain, and who is better when both are tuned equally? The best of k configurations, on runs that did not select it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal, Unpack, overload

import numpy as np

from runoff._inference import advice as rules
from runoff._inference.bootstrap import Law, t_law
from runoff._inference.tuning import ConfiguredRuns, SweepRuns, best_of, read_sweep
from runoff.answer.chosen import ChosenResult
from runoff.answer.importance import ImportanceResult
from runoff.answer.pair import PairVerdict
from runoff.answer.sensitivity import SensitivityResult
from runoff.answer.tuning import BestConfig, TuningPair, TuningResult, TuningRow
from runoff.base.arrays import Floats
from runoff.base.random import RNG, streams
from runoff.base.validate import check_alpha, check_choice
from runoff.data.given import DataOptions, ScoresLike, as_sweep
from runoff.data.scores import Scores
from runoff.data.sweeps import settings_words
from runoff.errors import DesignError, OptionError
from runoff.methods.importance import importance
from runoff.methods.one_setting import one_setting
from runoff.methods.sensitivity import sensitivity
from runoff.words.names import ScaleName, TuningView
from runoff.words.numbers import span
from runoff.words.speech import call, option

ROUNDING = 1e-12
"""The share of the size of scores within which two means are level."""
VIEWS: tuple[TuningView, ...] = ("equal", "one_setting", "sensitivity", "importance")


class SweepOptions(DataOptions, total=False):
    """What `tuning` takes whatever the view."""

    config: str | list[str] | None
    scale: ScaleName
    alpha: float
    rng: RNG


@overload
def tuning(
    data: ScoresLike, *, view: Literal["equal"] = "equal", judged: None = None, **options: Unpack[SweepOptions]
) -> TuningResult: ...
@overload
def tuning(
    data: ScoresLike, *, view: Literal["equal"] = "equal", judged: ScoresLike, **options: Unpack[SweepOptions]
) -> ChosenResult: ...
@overload
def tuning(
    data: ScoresLike,
    *,
    view: Literal["one_setting"],
    judged: ScoresLike | None = None,
    **options: Unpack[SweepOptions],
) -> ChosenResult: ...
@overload
def tuning(
    data: ScoresLike, *, view: Literal["sensitivity"], judged: None = None, **options: Unpack[SweepOptions]
) -> SensitivityResult: ...
@overload
def tuning(
    data: ScoresLike, *, view: Literal["importance"], judged: None = None, **options: Unpack[SweepOptions]
) -> ImportanceResult: ...
def tuning(
    data: ScoresLike,
    *,
    view: TuningView = "equal",
    config: str | list[str] | None = None,
    scale: ScaleName = "auto",
    judged: ScoresLike | None = None,
    alpha: float = 0.05,
    rng: RNG = 0,
    **of_data: Unpack[DataOptions],
) -> TuningResult | ChosenResult | SensitivityResult | ImportanceResult:
    """What does tuning gain, and which algorithm is better if all try equally many configurations, or use one setting for all tasks?

    Parameters
    ----------
    data : Scores, data frame or path
        Runs of several configurations of each algorithm, two or more of each configuration, with the settings in which they differ, or a
        column that names the configuration.
    view : "equal", "one_setting", "sensitivity" or "importance"
        "equal": the best of k = 1 … K configurations of each task. "one_setting": the setting with the best mean over all tasks.
        "sensitivity": what tuning on each task gains over one setting, and how many settings that takes. "importance": the share of each
        hyperparameter in the spread of performance, on a full grid.
    config : str or list of str, optional
        The column of configurations in a frame or a file, or a list of those whose combinations they are (as of
        ``columns={"settings": "lr,batch"}``); None: config, config_id, configuration, hparams … by its name, or settings.
    scale : "auto", "none", "percentile" or "cdf"
        How tasks come to one unit. "percentile": percentiles 5 and 95 of all runs of a task become 0 and 1 (Adkins et al. 2024). "cdf": the
        share of runs that a run beats, as a mean over algorithms (Patterson et al. 2024). "auto": scores stay as they are where they share a
        unit (normalised, or score_unit="shared"); otherwise, and for sensitivity, "percentile".
    judged : Scores, data frame or path, optional
        Fresh runs of the settings that the sweep chose, trained after the choice: with view "equal", of each task's setting; with
        "one_setting", of the setting for all tasks. They have the units of the sweep, and `scale` uses the percentiles or shares of the
        sweep's runs.
    alpha : float
        False positive rate of all verdicts, over pairs and k; the interval of each algorithm at each k is at 1 − alpha.
    rng : int or numpy Generator
        For the draws of "sensitivity"; no result of the other views depends on it.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    TuningResult, ChosenResult, SensitivityResult or ImportanceResult
        "equal": the expected score of the best of k = 1 … K configurations, and for each pair which algorithm is better at which k.
        "one_setting", and all with `judged`: the chosen settings, their scores on runs that did not choose them, and which algorithm is
        better. The others have the results of their names.

    Raises
    ------
    DesignError
        There are no configurations or only one, a configuration has a single run, tasks share runs, or no task has all algorithms; for
        "importance", the search is not a grid; fresh runs have a setting that was not chosen.

    Notes
    -----
    Equal: k of the K configurations are drawn without replacement, and the one with the best mean over all its runs but one is judged on
    that one: the scores of runs that selected it are no evidence. The result is the exact mean over all draws and all choices of the run to
    set aside. All tasks have the same weight. Intervals are over runs, with the configurations fixed: the wider of two t intervals, one by ½
    (1 + 1/k) of the squared error of leaving each run out (at least the error of folds), the other by the variance of all configurations'
    runs. They cover .91 or more for one algorithm, .95 for a difference (docs/tuning.md).

    A pair is tested from the largest k that both have downwards, and from k = 1 upwards, each until a test finds no difference, both at
    alpha / (2 · pairs): tests in an order fixed beforehand need no further correction (Maurer, Hothorn & Lehmacher 1995).

    One setting: run j judges the setting that the other runs choose, the mean over 8 orders of the runs, with the error of dependent folds,
    s² (1/n + 1/(n − 1)) (Nadeau & Bengio 2003). With fresh runs: the wider of the t interval of their mean and that of all settings' runs.
    Use 60 to 80 % of a budget to choose, with two runs of each setting or more.

    Sensitivity: 2,000 draws of a two-way random-effects surface with its variance components. `gain` is cross-fitted, at alpha over the
    algorithms: an algorithm needs tuning per task only where the interval of its gain is above 0. The dimension is that of Adkins et al.
    2024, with a chance for each number of settings.

    Importance: functional ANOVA, each term less its share of noise, df/K · s²/n, with a t interval by the delta method.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.archive.load("neorl_tuning", algorithms=["cql", "bcq"], tasks=["HalfCheetah-v3-high-1000"])
    >>> result = ro.tuning(scores)
    >>> [round(record.estimate) for record in result.curve("cql")[:4]]
    [5055, 7249, 8161, 8567]
    """
    check_alpha(alpha)
    check_choice("view", view, VIEWS)
    scores = as_sweep(data, config, **of_data)
    if judged is not None and view in ("sensitivity", "importance"):
        raise OptionError(
            f"{option('judged')} is of views 'equal' and 'one_setting': {view} is of the runs of the sweep."
        )
    if view == "sensitivity" and scale == "auto":
        scale = "percentile"
    # One run a cell gives the sensitivity of the means as they are, and nothing else.
    sweep = read_sweep(scores, scale, fewest=1 if view == "sensitivity" else 2)
    if view == "sensitivity":
        return sensitivity(sweep, scores, alpha=alpha, streams=streams(rng))
    if view == "importance":
        return importance(sweep, scores, alpha=alpha)
    if view == "one_setting" or judged is not None:
        of_table = config if isinstance(config, str) and not isinstance(judged, Scores) else None
        fresh = None if judged is None else as_sweep(judged, of_table, settings_words(scores))
        return one_setting(sweep, scores, fresh, per_task=view == "equal", alpha=alpha)
    return _at_equal_tuning(sweep, scores, alpha)


def _at_equal_tuning(sweep: SweepRuns, scores: Scores, alpha: float) -> TuningResult:
    """Return the best of k configurations of each algorithm, and the better algorithm at each k."""
    notes = list(sweep.notes)
    curves = {runs.name: _curve(runs, notes) for runs in sweep.algorithms}
    notes += _unequal_runs(sweep)
    if all(curve.k == 1 for curve in curves.values()):
        raise DesignError(
            f"every algorithm has one configuration on some task, so that nothing is tuned; {call('compare')} compares them."
        )
    names = list(combinations(curves, 2))
    # Bonferroni over pairs, and over the two ends from which k is walked below: each walk stops at the first k that
    # is not found.
    level = 1 - alpha / (2 * max(len(names), 1))
    records = tuple(c.record(name, k, 1 - alpha) for name, c in curves.items() for k in range(1, c.k + 1))
    equal = ", ".join(dict.fromkeys(row.algorithm for row in records if row.low is None))
    notes += [f"no interval where all runs that judge score the same: {equal}"] * bool(equal)
    return TuningResult(
        rows=records,
        pairs=tuple(row for a, b in names for row in _pair((a, b), (curves[a], curves[b]), level)),
        best=tuple(_best(runs, task, i) for runs in sweep.algorithms for i, task in enumerate(sweep.tasks)),
        tasks=sweep.tasks,
        alpha=alpha,
        confidence_level=1 - alpha,
        pair_level=level,
        notes=tuple(notes),
        advice=rules.collected(*rules.about_data(scores)),
    ).with_origin(scores)


@dataclass(frozen=True, slots=True)
class _Curve:
    """The best of k = 1 … k configurations of an algorithm, the mean over tasks: (k,) each; parts and freedom have a row a configuration.

    pooled, pooled_freedom: the same by the variance of all configurations' runs, a row a task; cost: runs that a configuration takes.
    """

    k: int
    judged: Floats
    over: Floats
    over_sd: Floats | None
    parts: Floats
    freedom: Floats
    pooled: Floats
    pooled_freedom: Floats
    cost: float

    def law(self, k: int, other: _Curve | None = None) -> Law:
        """Return the t laws of the best of k, or of its lead on another algorithm's: of runs left out, and of all runs pooled."""
        sides = (self, other) if other else (self,)
        own = [(side.parts[:, k - 1], side.freedom) for side in sides]
        pool = [(side.pooled[:, k - 1], side.pooled_freedom) for side in sides]
        both = [tuple(map(np.concatenate, zip(*of, strict=True))) for of in (own, pool)]
        value = float(self.judged[k - 1] - (other.judged[k - 1] if other else 0.0))
        return Law(value, tuple(t_law(parts, freedom, 0.0) for parts, freedom in both if parts.sum() > 0))

    def record(self, algorithm: str, k: int, confidence_level: float) -> TuningRow:
        law = self.law(k)
        low, high = law.interval(confidence_level) or (None, None)
        over, in_sd = (None if of is None else float(of[k - 1]) for of in (self.over, self.over_sd))
        ends = {"low": low, "high": high, "overstatement_std": in_sd}
        return TuningRow(
            algorithm=algorithm, k=k, n_runs=k * self.cost, estimate=law.value, overstatement=over or 0.0, **ends
        )


def _best(runs: ConfiguredRuns, task: str, place: int) -> BestConfig:
    """Return the configuration with the highest mean on a task, the first one of several."""
    means = {config: float(values.mean()) for config, values in runs.by_task[place].items()}
    highest = max(means.values())
    # Means of the same numbers in another order differ in their last digit.
    spread = float(np.ptp(np.concatenate(list(runs.by_task[place].values()))))
    level = [config for config, mean in means.items() if highest - mean <= ROUNDING * max(spread, abs(highest))]
    return BestConfig(
        algorithm=runs.name, task=task, config=level[0], n_tied=len(level), n_configs=len(means), mean=highest
    )


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


def _unequal_runs(sweep: SweepRuns) -> list[str]:
    """Note the runs per configuration where these differ by a fifth and more between algorithms, on the average."""
    sizes = {runs.name: [v.size for of in runs.by_task for v in of.values()] for runs in sweep.algorithms}
    means = [sum(n) / len(n) for n in sizes.values()]
    counts = ", ".join(f"{name} {span(n)}" for name, n in sizes.items())
    return [f"runs per configuration differ, and more runs select better: {counts}"] * (max(means) >= 1.2 * min(means))


def _curve(runs: ConfiguredRuns, notes: list[str]) -> _Curve:
    """Return the best of k configurations with these runs on each task; what is left out is added to the notes."""
    name, by_task = runs.name, runs.by_task
    tasks = [best_of(list(of_task.values())) for of_task in by_task]
    # The mean over tasks needs every task at every k: it ends where the task with the fewest configurations does.
    k, most = min(sizes := [len(of_task) for of_task in by_task]), max(sizes)
    notes += [f"{name} has {k} to {most} configurations on a task: k goes up to {k}"] * (k < most)
    judged = np.array([task.judged[:k] for task in tasks])
    over, spreads = (
        np.array([task.selecting[:k] for task in tasks]) - judged,
        np.array([[task.spread] for task in tasks]),
    )
    over[:, 0] = 0.0  # nothing is selected: what is left is rounding
    return _Curve(
        k,
        judged.mean(axis=0),
        over.mean(axis=0),
        (over / spreads).mean(axis=0) if spreads.min() > 0 else None,
        # The variance of a mean over T tasks is the sum of their variances over T².
        np.concatenate([task.parts[:, :k] for task in tasks]) / len(tasks) ** 2,
        np.array([values.size - 1.0 for of_task in by_task for values in of_task.values()]),
        np.array([task.pooled[:k] for task in tasks]) / len(tasks) ** 2,
        np.array([sum(values.size - 1.0 for values in of_task.values()) for of_task in by_task]),
        float(np.mean([values.size for of_task in by_task for values in of_task.values()])) * len(tasks),
    )
