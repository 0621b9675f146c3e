"""How the performance profiles of a pair lie, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from runoff._inference.bootstrap import Order, order_of
from runoff._inference.pairs.cells import BothCells, chosen_pairs, in_both
from runoff.data.scores import Scores
from runoff.words.numbers import digits, some

if TYPE_CHECKING:
    from runoff.answer.describe import ProfileOrder


def profile_orders(scores: Scores, kind: str) -> tuple[ProfileOrder, ...]:
    """Return how the profiles of each pair that shares a task lie, on the tasks that both have."""
    if scores.n_algorithms < 2:
        return ()
    orders = []
    for a, b in chosen_pairs(scores, "all", None):
        counts = scores.n_runs[[a, b]]
        if counts.all(axis=0).any():
            orders.append(_order(BothCells.of(scores, a, b), kind))
    return tuple(orders)


def _order(pair: BothCells, kind: str) -> ProfileOrder:
    sides = [pair.x, pair.y]
    # A profile of averages is one of cells of one run each, the mean.
    if kind == "average_scores":
        sides = [[np.array([cell.mean()]) for cell in side] for side in sides]
    order = order_of(*sides)
    # Here, for `compare` has no use for its records, and they would be made with each first call.
    from runoff.answer.describe import ProfileOrder

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
        sentence=_sentence(pair, order, kind),
    )


def _sentence(pair: BothCells, order: Order, kind: str) -> str:
    many = "episodes" if pair.episodes else "runs"
    what = f"the share of {many}" if kind == "run_scores" else "the share of task means"
    where = f", on {in_both(pair)}," if pair.n_all else ""
    if order.name == "equal":
        return f"In these {many}{where} {pair.a} and {pair.b} have the same profile: {what} above every τ is equal."
    leads = [(pair.a, order.first), (pair.b, order.second)]
    largest = "; ".join(
        f"{name} by at most {digits(lead.share, 2)}, at τ = {digits(lead.threshold, 4)}"
        for name, lead in leads
        if lead.share
    )
    if order.name == "cross":
        times = "once" if len(order.crossings) == 1 else f"{len(order.crossings)} times"
        places = some(digits(at, 4) for at in order.crossings)
        return (
            f"In these {many}{where} the profiles of {pair.a} and {pair.b} cross {times}, at τ = {places}, so neither dominates: each leads "
            f"somewhere ({largest}), and which is ahead depends on τ."
        )
    first, second = (pair.a, pair.b) if order.name == "a_dominates" else (pair.b, pair.a)
    return (
        f"In these {many}{where} the profile of {first} is nowhere below that of {second}: at every τ, {what} above it is at least as large for "
        f"{first} (first-order stochastic dominance; {largest})."
    )
