"""How the performance profiles of each pair lie, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff._inference.bootstrap import Order, order_of
from runoff._inference.pairs.data import chosen_pairs
from runoff._inference.pairs.pair import PairData
from runoff.data.scores import Scores
from runoff.results.profile import ProfileOrder
from runoff.words.numbers import counted, digits

NAMED = 3
"""At most this many crossings are named in a sentence."""


def profile_orders(scores: Scores, kind: str) -> tuple[ProfileOrder, ...]:
    """Return how the profiles of each pair that shares a task lie, on the tasks that both have."""
    if scores.n_algorithms < 2:
        return ()
    found = []
    for a, b in chosen_pairs(scores, "all", None):
        on = [t for t in range(scores.n_tasks) if scores.cell(a, t).size and scores.cell(b, t).size]
        if on:
            x, y = ([scores.cell(one, t) for t in on] for one in (a, b))
            pair = PairData(
                a=scores.algorithms[a],
                b=scores.algorithms[b],
                x=x,
                y=y,
                tasks=[scores.tasks[t] for t in on],
                episodes=scores.sampling.unit == "episode",
            )
            found.append(_order(pair, kind, bool((scores.n_runs[[a, b]] == 0).any())))
    return tuple(found)


def _order(pair: PairData, kind: str, partly: bool) -> ProfileOrder:
    sides = [pair.x, pair.y]
    if kind == "average_scores":
        sides = [[np.array([cell.mean()]) for cell in side] for side in sides]
    order = order_of(*sides)
    return ProfileOrder(
        a=pair.a,
        b=pair.b,
        order=order.name,
        crossings=order.crossings,
        a_lead=order.first.share,
        b_lead=order.second.share,
        a_lead_at=order.first.threshold,
        b_lead_at=order.second.threshold,
        n_tasks=len(pair.tasks),
        sentence=_sentence(pair, order, kind, partly),
    )


def _sentence(pair: PairData, order: Order, kind: str, partly: bool) -> str:
    many = "episodes" if pair.episodes else "runs"
    what = f"the share of {many}" if kind == "run_scores" else "the share of task means"
    where = f", on the {counted([len(pair.tasks)], 'task')} that both have," if partly else ""
    if order.name == "equal":
        return f"In these {many}{where} {pair.a} and {pair.b} have the same profile: {what} above every τ is equal."
    leads = [(pair.a, order.first), (pair.b, order.second)]
    largest = "; ".join(
        f"{name} by at most {digits(lead.share, 2)}, at τ = {digits(lead.threshold, 4)}"
        for name, lead in leads
        if lead.share
    )
    if order.name == "cross":
        return (
            f"In these {many}{where} the profiles of {pair.a} and {pair.b} cross {_times(order.crossings)}, so neither dominates: each leads "
            f"somewhere ({largest}), and which is ahead depends on τ."
        )
    first, second = (pair.a, pair.b) if order.name == "a_dominates" else (pair.b, pair.a)
    return (
        f"In these {many}{where} the profile of {first} is nowhere below that of {second}: at every τ, {what} above it is at least as large for "
        f"{first} (first-order stochastic dominance; {largest})."
    )


def _times(crossings: Sequence[float]) -> str:
    named = ", ".join(f"{digits(at, 4)}" for at in crossings[:NAMED])
    if len(crossings) == 1:
        return f"once, at τ = {named}"
    more = "" if len(crossings) <= NAMED else f" and {len(crossings) - NAMED} more"
    return f"{len(crossings)} times, at τ = {named}{more}"
