"""The measure that a report ranks, tests, draws and plans by: chosen by the design and the unit alone, never by the scores' order."""

from __future__ import annotations

import numpy as np

from runoff._inference.bootstrap import METRICS, parse_metric
from runoff.base.arrays import BESIDE, Floats, of_shares
from runoff.data.base import RunData
from runoff.data.provenance import Sampling
from runoff.data.scores import Scores
from runoff.errors import OptionError, nearest
from runoff.words.measures import EVEN
from runoff.words.names import IQMS, area_hint, measure_words
from runoff.words.numbers import exactly
from runoff.words.patterns import regex
from runoff.words.speech import call, option

IMPROVEMENT = "improvement"
"""The measure that is no metric of one algorithm: the probability that a run of one beats one of the other."""
HODGES_LEHMANN = "hodges_lehmann"
"""The measure of a sample of tasks in one unit: the centre of the differences of two algorithms."""
OF_PAIRS = frozenset({IMPROVEMENT, HODGES_LEHMANN})
"""Measures that pairs have, and no algorithm has alone."""
PASS = regex(r"pass([@^])([1-9]\d*)")
"""The chance that one of K attempts at an item succeeds, and that all do."""
FEWEST_TASKS = 4
"""The cut leaves an IQM of three tasks a quarter of one task's runs, an extreme, whose error no run that is left out shows: where runs of two
tasks are all alike it finds a difference of equal algorithms in .105 of experiments (the mean: .044; 5 runs), of real ones in up to .154."""


def measure_of(scores: Scores, measure: str = "auto") -> str:
    """Return the measure of a name; "auto": of a design.

    One task, or rates: the mean. Several tasks in one unit: the IQM from four tasks on, else the mean. Several tasks, each in a unit of its
    own: the probability of improvement.

    Raises
    ------
    OptionError
        An unknown name, or a measure that the scores cannot have.
    """
    if measure == "auto":
        return _by_design(scores)
    if measure == HODGES_LEHMANN:
        raise OptionError(
            f"{HODGES_LEHMANN} is of tasks as the sample, {call('compare', over='tasks')}; take another measure of runs."
        )
    name = _named(measure)
    if name == "optimality_gap" and not one_unit(scores):
        message = f"an optimality gap is what scores lack of 1, so it needs normalised scores ({option('normalize')}); these are raw."
        raise OptionError(message)
    return name


def refuse_other_than_means(measure: str, what: str) -> None:
    """Refuse a measure other than the mean where runs are relabelled by a rule that is known for means only."""
    if measure != "auto" and _named(measure) != "mean":
        raise OptionError(
            f"{what} permutes runs under the difference of means, and its false positive rate is known for means only: leave out "
            f"{option('measure', measure)}, and compare by the {measure_words(measure)} once, when all runs are there."
        )


def refuse_pass(measure: str) -> None:
    """Refuse pass@K and pass^K where they are not computed, with the call that has them."""
    if isinstance(measure, str) and PASS.fullmatch(measure):
        raise OptionError(
            f"{measure} is of items and of each model by itself, {call('aggregate', over='tasks', measure=measure, unit='episode')}; models are "
            f"compared by the share of attempts that succeed: leave out {option('measure')}."
        )


def check_margin(margin: object) -> float:
    if isinstance(margin, bool) or not isinstance(margin, int | float | np.number) or not 0 < margin < np.inf:
        message = f"margin, the smallest difference that matters, must be a finite number above 0 in units of the scores, not {margin!r}."
        raise OptionError(message)
    return float(margin)


def check_margin_of(measure: str, margin: object, *, rates: bool = False) -> None:
    """Refuse a margin, where there is one, that is none, or that nothing exceeds: the improvement lies within ½ of ½, a rate in [0, 1]."""
    size = None if margin is None else check_margin(margin)
    if size is not None and rates and size >= 1:
        raise OptionError(
            f"margin, the smallest difference that matters, is {exactly(size)}, and success rates differ by 1 at most, so that all would be "
            "equivalent: name it in units of the scores, as 0.1 for ten percentage points."
        )
    if size is not None and measure == IMPROVEMENT and size >= EVEN:
        raise OptionError(
            f"the margin of a probability of improvement is a distance from ½ and lies below ½, not {exactly(size)}: for one in units of the "
            f"scores take {option('measure', 'mean')}."
        )


def _named(measure: str) -> str:
    if callable(measure):
        return parse_metric(measure).name
    try:
        return measure if measure == IMPROVEMENT else parse_metric(measure).name
    except OptionError:
        refuse_pass(measure)
        if area := area_hint(measure):
            raise OptionError(
                f"{option('measure', measure)} is no measure of many runs, but a score of each.{area}"
            ) from None
        names = ["auto", IMPROVEMENT, *METRICS, "trimmed_mean_10"]
        raise OptionError(
            f"measures are auto, {IMPROVEMENT}, {', '.join(METRICS)}, trimmed_mean_P, and for compare in Python a function of your own, "
            f"not {measure!r}.{nearest(str(measure), names)}"
        ) from None


def _by_design(scores: Scores) -> str:
    # Only what the design says is asked here: a measure that is chosen by the scores errs as often as the best of several looks good.
    if scores.n_tasks == 1 or scores.binary:
        return "mean"
    if not one_unit(scores):
        return IMPROVEMENT
    return "iqm" if scores.n_tasks >= FEWEST_TASKS else "mean"


def other_measures(scores: Scores, measure: str) -> tuple[str, ...]:
    """Return the other measures that such scores can have, and that may say something else."""
    if scores.binary:
        return ()  # of successes and failures every measure is the rate
    # The median of two or three task means is their mean, or one task's alone.
    measures = ["mean", "iqm", "median"] if one_unit(scores) and scores.n_tasks >= FEWEST_TASKS else ["mean"]
    if scores.provenance.reference is not None and scores.values.max() > 1:
        measures.append("optimality_gap")  # else it is the mean, turned
    measures = [*measures, IMPROVEMENT] if one_unit(scores) else [IMPROVEMENT]
    # Both cuts of an IQM say the same but for a part of a run: the one does not confirm the other.
    own = IQMS if measure in IQMS else {measure}
    return tuple(name for name in measures if name not in own)


def one_unit(scores: RunData) -> bool:
    """Return whether the scores of all tasks are in one unit.

    There is one task, they are normalised by references, the user declares it (`score_unit="shared"`), or all are shares of 1.
    """
    return in_one_unit(len(scores.tasks), scores.sampling, scores.provenance.reference, scores.values)


def in_one_unit(n_tasks: int, sampling: Sampling, reference: str | None, values: Floats) -> bool:
    """Return the same of scores by what is kept of them."""
    return n_tasks == 1 or sampling.score_unit == "shared" or reference is not None or of_shares(values)


def unit_words(scores: Scores) -> str:
    """Return in what unit scores are, and what follows where each task has its own."""
    if scores.provenance.reference is not None:
        return "normalised by " + scores.provenance.reference.split(";")[0]
    if one_unit(scores):
        if scores.n_tasks > 1 and scores.sampling.score_unit == "shared":
            return "not normalised, all tasks in one unit, as declared"
        low, high = (round(float(end), 6) for end in (scores.values.min(), scores.values.max()))
        beside = [f"down to {exactly(low)}"] * (low < 0) + [f"up to {exactly(high)}"] * (high > 1)
        if scores.n_tasks == 1 or not beside:
            return "not normalised"
        return f"not normalised, taken to be in one unit: all lie within {BESIDE} of [0, 1], {' and '.join(beside)}"
    return f"not normalised: each task has a unit of its own; for a mean over tasks {make_one_unit()}"


def make_one_unit() -> str:
    """Return what makes means and IQMs of several tasks comparable."""
    declare = option("score_unit", "shared")
    return f"normalise the scores ({option('normalize')}), or declare that all have one unit ({declare})"


OF_SCORES = ("iqm", "median", "mean", "optimality_gap")
OF_RATES = ("mean", "optimality_gap")
"""Metrics of one unit; of zeros and ones the middle half and the median say little that their share does not."""


def metrics_of(scores: Scores, measure: str) -> tuple[str, ...]:
    """Return what describes an algorithm: the measure that it is judged by, then, of one unit, the other metrics.

    What scores lack of 1 means nothing of returns in the thousands, so there is no optimality gap of scores that are not normalised. The
    median of the means of one task is its mean.
    """
    others = () if not one_unit(scores) else OF_RATES if scores.binary else OF_SCORES
    normalised = scores.provenance.reference is not None or of_shares(scores.values)
    void = {measure, *([] if normalised else ["optimality_gap"]), *(["median"] if scores.n_tasks == 1 else [])}
    return (measure, *(name for name in others if name not in void))
