"""What a report is made of: the data and the results about them."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version

import numpy as np

from runoff.data.scores import Scores
from runoff.report.answers.curves import CurveAnswers
from runoff.report.answers.profiles import Profiles, profiles_of
from runoff.report.answers.ranking import Ranking, ranking
from runoff.results.advice import Advice, most_severe_first
from runoff.results.aggregate import AggregateResult
from runoff.results.comparison import ComparisonResult
from runoff.results.robustness import RobustnessResult
from runoff.words.names import MetricName, SingleValue

OF_SCORES: tuple[MetricName, ...] = ("iqm", "median", "mean", "optimality_gap")
OF_RATES: tuple[MetricName, ...] = ("mean", "median", "optimality_gap")
"""Aggregates on the page, the leading one first."""

Progress = Callable[[str, float], None]
"""Told what is being done, and the share of the whole that is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The data and every result that the report shows.

    Attributes
    ----------
    scores : Scores
        As analysed (normalised, if they were).
    aggregates : AggregateResult
        Over all tasks.
    task_means : AggregateResult
        One record for each algorithm and task.
    comparison : ComparisonResult
    ranking : Ranking
        All algorithms at once; empty where it was not asked for.
    profiles : Profiles
        The share of runs above each score; empty where it was not asked for.
    robustness : RobustnessResult or None
        What the order of each pair survives.
    curves : CurveAnswers or None
        About whole learning curves, where the data are curves.
    command : str
        What makes this report again, without the place it was written to.
    versions : tuple of (name, version)
    """

    scores: Scores
    aggregates: AggregateResult
    task_means: AggregateResult
    comparison: ComparisonResult
    command: str
    ranking: Ranking = field(default_factory=Ranking)
    profiles: Profiles = field(default_factory=Profiles)
    robustness: RobustnessResult | None = None
    curves: CurveAnswers | None = None
    versions: tuple[tuple[str, str], ...] = ()

    @property
    def advice(self) -> tuple[Advice, ...]:
        """All advice, each text once, the most severe first."""
        along = () if self.curves is None else self.curves.advice
        return most_severe_first([*self.reservations, *self.ranking.advice, *self.profiles.advice, *along])

    @property
    def reservations(self) -> tuple[Advice, ...]:
        """The advice on aggregates and pairs, which the answer rests on; the most severe first."""
        given = [
            *self.comparison.advice,
            *(advice for pair in self.comparison.pairs for advice in pair.advice),
            *self.aggregates.advice,
            *self.task_means.advice,
        ]
        return most_severe_first(given)


def about(comparison: ComparisonResult, advice: Advice) -> str:
    """Return "A and B" if this advice concerns a single pair of several and does not name it, else nothing."""
    pairs = [pair for pair in comparison.pairs if advice in pair.advice]
    if len(pairs) != 1 or len(comparison.pairs) == 1 or {pairs[0].a, pairs[0].b} <= set(advice.subjects):
        return ""
    return f"{pairs[0].a} and {pairs[0].b}"


def answer(
    scores: Scores,
    *,
    alpha: float,
    seed: int,
    n_resamples: int,
    command: str,
    single: SingleValue = "line",
    progress: Progress | None = None,
) -> Answers:
    """Return all results about `scores`."""
    from runoff._inference.advice import opponents
    from runoff.methods.aggregate import aggregate, task_means
    from runoff.methods.compare import compare
    from runoff.methods.robustness import robustness

    say = progress or (lambda _what, _share: None)
    say("comparing the pairs", 0.05)  # first: it refuses what cannot be compared, before anything is warned of
    comparison = compare(scores, alpha=alpha, n_resamples=n_resamples, rng=seed, single=single)
    say("aggregates and their intervals", 0.3)
    # The middle half of zeros and ones says little that their share does not.
    metrics = OF_RATES if bool(np.isin(scores.values, (0.0, 1.0)).all()) else OF_SCORES
    aggregates = aggregate(scores, metrics=metrics, n_resamples=n_resamples, rng=seed)
    say("means by task", 0.4)
    means = task_means(scores)
    say("ranks", 0.42)
    tested = opponents(scores, single)[0]
    ranks = ranking(tested, aggregates, comparison)
    say("profiles", 0.44)
    profiles = profiles_of(scores, seed)
    say("what the order survives", 0.46)
    survived = robustness(tested, pairs=[(pair.a, pair.b) for pair in comparison.pairs])
    return Answers(
        scores=scores,
        aggregates=aggregates,
        task_means=means,
        comparison=comparison,
        ranking=ranks,
        profiles=profiles,
        robustness=survived,
        command=command,
        versions=versions(),
    )


def versions() -> tuple[tuple[str, str], ...]:
    """Return the versions that the numbers depend on."""
    packages = ("runoff", "numpy", "scipy", "numba", "matplotlib")
    return (("python", platform.python_version()), *((name, version(name)) for name in packages))
