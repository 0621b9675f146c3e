"""May we stop now?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runoff._inference.sequential import (
    Finding,
    Judged,
    SequentialDesign,
    State,
    answer_words,
    fed,
    finite_bound,
    judge,
    pair_words,
    read_design,
    read_state,
    write_design,
)
from runoff.errors import OptionError
from runoff.io.given import ScoresLike, as_scores
from runoff.results.sequential import SequentialLook, SequentialPair, SequentialPoint, SequentialResult

__all__ = ["SequentialDesign", "read_design", "sequential", "write_design"]


def sequential(
    scores: ScoresLike | None = None,
    *,
    design: SequentialDesign | str | Path,
    state: str | Path | None = None,
    earlier: Sequence[ScoresLike] = (),
) -> SequentialResult:
    """May we stop now, or does it take more runs?

    Parameters
    ----------
    scores : Scores, frame, dictionary or path, optional
        The runs that are new at this look, and only these: as many of each algorithm on each task as the design adds. None: what is known
        so far.
    design : SequentialDesign or path
        What was decided before the first run; a TOML file, or the design itself.
    state : path, optional
        A JSON file that keeps runs and decisions from look to look. It is made at the first look, and written only if all went well.
    earlier : sequence of Scores, frames, dictionaries or paths
        Without a state: the runs that were new at each look before, in order.

    Returns
    -------
    SequentialResult
        A decision for each pair: "a_better", "b_better", "equivalent", "go_on" or "inconclusive".

    Raises
    ------
    OptionError
        A design that means nothing, or both `state` and `earlier`.
    DesignError
        Runs that are not those of the next look, a state of another design, or an experiment that has ended.
    DataError
        A run that was fed before, a state that is damaged.

    Notes
    -----
    **A difference.** The statistic of a pair is the difference of mean scores, averaged over tasks, over its standard error, on all runs so
    far. Runs are relabelled within every task of every look, which gives paths over the looks. At look k, the highest of the paths that
    have not crossed yet cross: so many that by then at most the share α(k) of all paths has. The path of the data is one of them, so for
    equal distributions the chance of crossing at any look is at most α, whatever the number of runs or draws. Over several pairs, all
    partitions of the algorithms into equal ones are tested in this way, each by its largest statistic. A pair differs when every partition
    that puts the two together has crossed. The chance of any wrong claim is then at most α, whichever algorithms are equal. Where means
    are equal and spreads differ, this holds approximately; where runs have long tails as well, it does not hold (up to 0.20 instead of 0.05 for
    lognormal runs on one task).
    **Equivalence.** Two one-sided tests of the same kind, with the scores of one shifted by the margin, at α divided by the number of pairs.
    A pair that differs, but by less than the margin, is equivalent.
    **Futility.** A pair stops as inconclusive if a difference of `effect`, in either direction, would be found by the last look with a chance
    below `futility`, by the distribution of a normal statistic and the boundaries of the design. The tests take no account of it, so the
    error rate holds whether one stops or not.
    **Leaving.** An algorithm is run as long as some partition that is not rejected groups it and groups a pair that is still open.
    The seed of the draws belongs to the design, so that there is no choosing among seeds.

    Bounds checked against rpact (1e-7), Jennison & Turnbull (2000, tables 2.1 and 2.3) and a multivariate normal law; error rates by simulation.

    References
    ----------
    Lan & DeMets 1983; Jennison & Turnbull 2000; Marcus, Peritz & Gabriel 1976; Tang & Geller 1999; Chung & Romano 2016.

    Examples
    --------
    >>> import numpy as np, runoff as ro
    >>> runs = np.random.default_rng(1)
    >>> design = ro.SequentialDesign(looks=(5, 10, 15), algorithms=("PPO", "SAC"))
    >>> looks = [{"PPO": runs.normal(0, 1, 5), "SAC": runs.normal(1, 1, 5)} for _ in range(3)]
    >>> print(ro.sequential(looks[0], design=design))
    After look 1 of 3 (5 runs per task) it goes on: the next look takes 5 more runs of PPO, SAC on the task.
    >>> print(ro.sequential(looks[1], design=design, earlier=looks[:1]))
    After look 2 of 3 (10 runs per task) the experiment has ended: SAC is better than PPO.
    """
    plan = design if isinstance(design, SequentialDesign) else read_design(design)
    if state is not None and len(earlier):
        raise OptionError("state= keeps the runs of earlier looks; earlier= gives them again: name one of the two.")
    now = _so_far(plan, state, earlier)
    now = now if scores is None else fed(now, as_scores(scores))
    judged = _judged(now)
    decided = _with_verdicts(now, judged)
    if state is not None and scores is not None:
        decided.write(state)
    return _told(decided, judged)


def _so_far(plan: SequentialDesign, state: str | Path | None, earlier: Sequence[ScoresLike]) -> State:
    if state is not None:
        return read_state(state, plan)
    now = State(design=plan, algorithms=plan.algorithms, tasks=plan.tasks)
    for scores in earlier:
        now = fed(now, as_scores(scores))
        now = _with_verdicts(now, _judged(now))
    return now


def _judged(now: State) -> tuple[Judged, ...]:
    cells, n_tasks = now.cells()
    return judge(now.design, cells, len(now.algorithms), n_tasks)


def _with_verdicts(now: State, judged: Sequence[Judged]) -> State:
    names = now.algorithms
    return now.with_verdicts(
        [tuple((names[f.pair[0]], names[f.pair[1]], f.decision) for f in one.findings) for one in judged],
        [tuple(names[a] for a in one.needed) for one in judged],
    )


def _told(now: State, judged: Sequence[Judged]) -> SequentialResult:
    design, look = now.design, len(judged)
    latest = {found.pair: found for one in judged for found in one.findings}
    pairs = tuple(_pair(now, latest[pair]) for pair in sorted(latest))
    going = bool(now.needed) and look < design.n_looks
    more = design.looks[look] - (design.looks[look - 1] if look else 0) if going else 0
    return SequentialResult(
        pairs=pairs,
        path=tuple(_point(now, found) for one in judged for found in one.findings),
        looks=_looks(design),
        look=look,
        alpha=design.alpha,
        alpha_spent=design.spent[look - 1] if look else 0.0,
        next_look=design.looks[look] if going else None,
        next_runs=more,
        next_algorithms=now.needed,
        cost=design.cost(now.n_runs),
        next_cost=design.cost(more * len(now.needed) * len(now.tasks)),
        budget=design.budget,
        spending=design.spending,
        test=design.test,
        design_sha256=design.sha256,
        sentence=answer_words(design, look, [(p.a, p.b, p.decision) for p in pairs], now.needed, len(now.tasks)),
        notes=design.notes_for(len(now.algorithms), len(now.tasks)),
    )


def _looks(design: SequentialDesign) -> tuple[SequentialLook, ...]:
    known = zip(design.looks, design.spent, design.boundaries, strict=True)
    return tuple(
        SequentialLook(look=k + 1, n_runs=n, alpha_spent=spent, boundary=finite_bound(bound))
        for k, (n, spent, bound) in enumerate(known)
    )


def _pair(now: State, found: Finding) -> SequentialPair:
    names = now.algorithms[found.pair[0]], now.algorithms[found.pair[1]]
    return SequentialPair(
        a=names[0],
        b=names[1],
        decision=found.decision,
        reason=found.reason,
        look=found.look + 1,
        n_runs=now.design.looks[found.look],
        statistic=found.statistic,
        critical=finite_bound(found.critical),
        difference=found.difference,
        standard_error=found.error,
        conditional_power=found.conditional_power,
        sentence=pair_words(found, names, now.design),
    )


def _point(now: State, found: Finding) -> SequentialPoint:
    a, b = (now.algorithms[i] for i in found.pair)
    return SequentialPoint(
        a=a, b=b, look=found.look + 1, statistic=found.statistic, critical=finite_bound(found.critical)
    )
