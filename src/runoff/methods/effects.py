"""How large is the difference of two algorithms, in every usual currency, and does a random run of one beat one of the other?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

from numpy.typing import ArrayLike

from runoff._inference import advice as rules
from runoff._inference.pairs import EFFECTS, IMPROVEMENT, Measured, PairData, all_pairs, chosen_pairs, place
from runoff.answer.base import Advice, filled
from runoff.answer.effects import EffectRow, EffectsResult, ImprovementResult, ImprovementRow
from runoff.base.validate import check_choice, check_confidence
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.errors import OptionError
from runoff.words.names import EffectName


def effect_sizes(
    data: ScoresLike,
    y: ArrayLike | None = None,
    *,
    effect_size: EffectName | Sequence[EffectName] = (
        "difference",
        "iqm_difference",
        "ratio",
        "hedges_g",
        "cliffs_delta",
        "improvement",
    ),
    pairs: Literal["all"] | Sequence[tuple[str, str]] = "all",
    control: str | None = None,
    confidence_level: float = 0.95,
    **of_data: Unpack[DataOptions],
) -> EffectsResult:
    """How large is the difference between two algorithms?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
        Or the runs of one algorithm, as for `compare`.
    y : array, optional
        The runs of the other.
    effect_size : str or sequence of str
        "difference", "iqm_difference", "ratio", "hedges_g", "cliffs_delta", "improvement"
    pairs : "all" or sequence of (a, b)
    control : str, optional
        Compare each other algorithm with this one instead.
    confidence_level : float
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    EffectsResult
        Each effect is averaged over the tasks on which `compare` compares the two, every task weighing the same; `ratio` is of the averages.

    Raises
    ------
    DesignError
        Fewer than two algorithms, an unknown name, or a pair without a shared task.
    OptionError
        An unknown effect.

    Notes
    -----
    - difference: of means, with the interval of `compare`. Depends on the unit.
    - iqm_difference: of interquartile means (Agarwal et al. 2021 §4.3), with the interval of `compare`.
    - ratio: of means, Fieller's (1954) interval; None unless both means are above 0, no interval if the lower mean is not clearly above 0.
      Depends on where the scale has its 0, so not for scores normalised to a baseline at 0.
    - hedges_g: (x̄ − ȳ) / pooled spread × J, free of bias for normal runs of equal spread (Hedges 1981); noncentral t interval on one task,
      a normal one over several. |g| = 0.2, 0.5, 0.8 are called small, medium, large (Cohen 1988), a convention of other sciences.
    - cliffs_delta: P(a > b) − P(b > a) (Cliff 1993), twice the improvement less one.
    - improvement: P(a > b) + P(a = b) / 2 (Agarwal et al. 2021 §4.3).

    The last two need only an order of scores. Never NaN: what is not defined is None, with advice (R301).

    References
    ----------
    Hedges 1981, J. Educ. Stat. 6. Fieller 1954, JRSS B 16. Cliff 1993, Psychol. Bull. 114. Agarwal et al. 2021 §4.3.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [5.0, 6.0, 7.0, 6.5, 5.5], "B": [4.0, 5.0, 6.0, 5.5, 4.5]})
    >>> result = ro.effect_sizes(scores)
    >>> [(r.effect_size, round(r.estimate, 3)) for r in result.rows]
    [('difference', 1.0), ('iqm_difference', 1.0), ('ratio', 1.2), ('hedges_g', 1.142), ('cliffs_delta', 0.64), ('improvement', 0.82)]
    """
    scores = as_scores(data, y, **of_data)
    names = [effect_size] if isinstance(effect_size, str) else list(effect_size)
    if not names:
        raise OptionError(f"effect_size names none; name one or several, for example {list(EFFECTS)}.")
    wanted = [check_choice("effect_size", name, EFFECTS) for name in dict.fromkeys(names)]
    check_confidence(confidence_level)
    records: list[EffectRow] = []
    advice: list[Advice | None] = [rules.missing(scores), *rules.about_data(scores)]
    chosen = chosen_pairs(scores, pairs, control)
    both = all_pairs(scores, chosen, "mean")
    for pair in place(both) if {"improvement", "cliffs_delta"} & {*wanted} else both:
        sizes = {effect: EFFECTS[effect].build(pair, confidence_level) for effect in wanted}
        # What all effects of a pair say of it is looked up once.
        about = {
            "a": pair.a,
            "b": pair.b,
            "n_runs_a": pair.n_runs_a,
            "n_runs_b": pair.n_runs_b,
            "n_tasks": len(pair.tasks),
        }
        records += [_record(about, effect, size, confidence_level) for effect, size in sizes.items()]
        advice += _advice(pair, sizes)
    return EffectsResult(rows=tuple(records), advice=rules.collected(*advice)).with_origin(scores)


def _record(about: Mapping[str, Any], effect: str, size: Measured | None, level: float) -> EffectRow:
    # `size` is None where the effect is not defined for such scores, as a ratio to a mean of 0.
    low, high = (size and size.ends) or (None, None)
    return EffectRow(
        **about,
        effect_size=effect,
        estimate=None if size is None else size.estimate,
        low=low,
        high=high,
        interval=None if size is None else size.interval,
        confidence_level=level,
        no_effect=EFFECTS[effect].no_effect,
    )


def _advice(pair: PairData, sizes: dict[str, Measured | None]) -> list[Advice | None]:
    both = rules.pair(pair.a, pair.b)
    return [
        rules.one_run(pair.lonely, both, others=pair.n_counted or None),
        *(
            rules.advise(
                "R301", f"{effect} of {both.quoted} is not defined: {EFFECTS[effect].needs}.", subjects=both.names
            )
            for effect, size in sizes.items()
            if size is None
        ),
        _no_interval_of_g(sizes.get("hedges_g"), pair),
    ]


def _no_interval_of_g(size: Measured | None, pair: PairData) -> Advice | None:
    if size is None or size.ends is not None:
        return None
    # The variance of Hedges' g is that of a noncentral t with ν = n + m − 2 degrees of freedom, which exists for ν >
    # 2, so for five runs and more.
    if pair.shared or len(pair.tasks) == 1 or min(map(sum, pair.sizes)) > 4:
        return None
    both = rules.pair(pair.a, pair.b)
    text = (
        f"add a run to one side: the average of Hedges' g of {both.quoted} over tasks has no interval, because with two runs of each its "
        "variance does not exist; three on one side are enough."
    )
    return rules.advise("R301", text, subjects=both.names)


def probability_of_improvement(
    data: ScoresLike,
    y: ArrayLike | None = None,
    *,
    pairs: Literal["all"] | Sequence[tuple[str, str]] = "all",
    control: str | None = None,
    confidence_level: float = 0.95,
    **of_data: Unpack[DataOptions],
) -> ImprovementResult:
    """Does a random run of a beat a random run of b?

    Parameters
    ----------
    data, y, pairs, control, confidence_level
        As in `effect_sizes`.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    ImprovementResult
        `estimate` is the mean over shared tasks of P(a > b) + P(a = b) / 2, in [0, 1].

    Raises
    ------
    DesignError
        Fewer than two algorithms, an unknown name, or a pair without a shared task.

    Notes
    -----
    The Mann-Whitney statistic over n_a n_b, averaged over tasks (Agarwal et al. 2021 §4.3); invariant under any increasing map of a task's
    scores, so it needs no normalisation. The interval is of the distribution by which `compare` tests this measure (its Notes), so that it
    leaves ½ out exactly where p ≤ 1 − confidence_level; on one task it is named "mann_whitney", of scores of 0 and 1 "score", otherwise "t".
    It allows for other runs on these tasks; where tasks are a sample of more, use `compare(measure="improvement", over="tasks")`.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [3.0, 4.0, 5.0], "B": [1.0, 2.0, 4.0]})
    >>> ro.probability_of_improvement(scores).rows[0].estimate
    0.8333333333333334
    """
    scores = as_scores(data, y, **of_data)
    check_confidence(confidence_level)
    data = all_pairs(scores, chosen_pairs(scores, pairs, control), IMPROVEMENT)
    return ImprovementResult(
        rows=tuple(_chance_record(pair, confidence_level) for pair in data),
        advice=rules.collected(
            *(rules.one_run(p.lonely, rules.pair(p.a, p.b), others=p.n_counted or None) for p in data)
        ),
    ).with_origin(scores)


def _chance_record(pair: PairData, level: float) -> ImprovementRow:
    chance = pair.measured(IMPROVEMENT, level)
    low, high = chance.ends or (None, None)
    own = {"low": low, "high": high, "confidence_level": level, "n_tasks": len(pair.tasks)}
    return filled(ImprovementRow, pair, chance, **own)
