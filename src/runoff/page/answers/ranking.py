"""What the report says about ranks: do the algorithms differ at all, which ranks are apart, and which are possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from runoff._inference.advice import CODES, opponents
from runoff._inference.pairs import refuse_constant
from runoff.base.validate import check_alpha, check_choice
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.results.base import Advice, Record, plain
from runoff.results.comparison import ComparisonResult
from runoff.results.rank import CriticalDifferenceResult, RankIntervalsResult, RankResult
from runoff.words.names import SingleValue
from runoff.words.speech import Sentence, neutral

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The results about ranks; None where the design does not allow one, and `left_out` says why.

    Attributes
    ----------
    omnibus : RankResult or None
    critical : CriticalDifferenceResult or None
        Which average ranks differ; None also for two algorithms, which are a pair.
    places : RankIntervalsResult or None
        Which ranks are possible; None also for two algorithms.
    left_out : tuple of str
        A sentence for each answer that is missing.
    """

    omnibus: RankResult | None = None
    critical: CriticalDifferenceResult | None = None
    places: RankIntervalsResult | None = None
    left_out: tuple[str, ...] = ()

    @property
    def average_ranks(self) -> dict[str, float]:
        """Average rank by algorithm, from 1 to k; 1 is best."""
        result = self.critical or self.omnibus
        return {} if result is None else dict(zip(result.algorithms, result.average_ranks, strict=True))

    @property
    def advice(self) -> tuple[Advice, ...]:
        """All advice on these answers, each text once; of the critical difference only that on ranks, for the omnibus test gives the rest."""
        # The omnibus test has given the advice about the runs already.
        omnibus, critical = (r.advice if r else () for r in (self.omnibus, self.critical))
        of_ranks = [advice for advice in critical if CODES[advice.code].topic == "ranks"]
        return tuple(dict.fromkeys([*omnibus, *of_ranks]))


def ranking(scores: Scores, comparison: ComparisonResult) -> Ranking:
    """Return all results about ranks, beside the comparison of a report."""
    from runoff.methods.rank import rank_test

    alpha, seed = comparison.alpha, comparison.seed
    omnibus, no_omnibus = _or_why("test of all algorithms is", lambda: rank_test(scores, single="opponent", rng=seed))
    # Two algorithms are one pair, whose own test says more than their two ranks.
    critical, no_critical = _critical(scores, alpha, None) if scores.n_algorithms > 2 else (None, "")
    places, no_places = _places(scores, alpha, seed, comparison.measure)
    left_out = tuple(dict.fromkeys(why for why in (no_omnibus, no_critical, no_places) if why))
    return Ranking(omnibus=omnibus, critical=critical, places=places, left_out=left_out)


def rank_answers(
    scores: Scores, *, alpha: float = 0.05, control: str | None = None, single: SingleValue = "line", **settings: Any
) -> tuple[float, Ranking]:
    """Return alpha and what `runoff rank` says; settings are those of `rank_test`.

    The critical difference belongs to the Mack-Skillings test: with another one it is left out.
    """
    from runoff.methods.rank import rank_test

    check_alpha(alpha)
    if control is not None:
        check_choice("control", control, scores.algorithms)
    refuse_constant(scores)
    omnibus = rank_test(scores, single=single, **settings)
    # After the omnibus test, which has a rule of its own for single values.
    scores, _ = opponents(scores, single, named=control)
    critical, why = (
        None,
        f"No critical difference is given: it belongs to the Mack-Skillings test, not to {omnibus.test}.",
    )
    # The critical difference is that of Mack-Skillings' rank sums (Casesa 2024, eq. 2.23): beside another test,
    # its letters could contradict it.
    if omnibus.test == "mack_skillings":
        critical, why = _critical(scores, alpha, control)
    places, no_places = _places(scores, alpha, settings.get("rng", 0))
    left_out = tuple(sentence for sentence in (why, no_places) if sentence)
    return alpha, Ranking(omnibus=omnibus, critical=critical, places=places, left_out=left_out)


def _or_why(answer: str, question: Callable[[], T]) -> tuple[T | None, str]:
    try:
        return question(), ""
    except DesignError as refusal:
        return None, Sentence(f"No {answer} given: {neutral(refusal)}")


def _critical(scores: Scores, alpha: float, control: str | None) -> tuple[CriticalDifferenceResult | None, str]:
    from runoff.methods.rank import critical_difference

    return _or_why("critical difference is", lambda: critical_difference(scores, alpha=alpha, control=control))


def _places(scores: Scores, alpha: float, seed: int, measure: str = "auto") -> tuple[RankIntervalsResult | None, str]:
    """Return which ranks are possible by the measure, of three algorithms or more; two are a pair."""
    from runoff.methods.rank_intervals import rank_intervals

    if scores.n_algorithms < 3:
        return None, ""
    options: Any = {"measure": measure, "confidence_level": 1 - alpha, "single": "opponent", "rng": seed}
    return _or_why("possible ranks are", lambda: rank_intervals(scores, **options))


PLACES = ("low", "high", "joint_low", "joint_high", "p_best")


def rank_rows(ranking: Ranking) -> list[Record]:
    """Return one record per algorithm, best rank first: average rank, letters, possible ranks."""
    critical, means = ranking.critical, ranking.average_ranks
    # Letters are of all pairs; against a control only some were tested.
    letters = (
        dict(zip(critical.algorithms, critical.letters, strict=True))
        if critical is not None and critical.control is None
        else {}
    )
    places = {record.algorithm: plain(record) for record in (ranking.places.rows if ranking.places else ())}
    return [
        {"algorithm": name, "average_rank": means[name], "letters": letters.get(name)}
        | {f"place_{end}".replace("place_p", "p"): places.get(name, {}).get(end) for end in PLACES}
        for name in sorted(means, key=lambda name: means[name])
    ]


def record_of_ranking(ranking: Ranking) -> dict[str, Any]:
    """Return the results as JSON knows them; an answer that is missing is null."""
    return {
        "omnibus": plain(ranking.omnibus),
        "critical_difference": plain(ranking.critical),
        "places": plain(ranking.places),
        "left_out": list(ranking.left_out),
    }
