"""The search for the fewest pairs to give up: the same on every machine, and honest where its limit is reached."""

from __future__ import annotations

import os

import numpy as np
from scipy import optimize

from runoff._inference import inferential
from runoff._inference.inferential import DescriptiveSpread, PairFinding, facing, inferential_factors, overlap


def conflicting(k):
    """Intervals, and decisions that no factors can all agree with."""
    rng = np.random.default_rng(k)
    spreads = [
        DescriptiveSpread(t, b, u) for t, b, u in zip(rng.normal(size=k), *rng.uniform(0.2, 1, (2, k)), strict=True)
    ]
    pairs = [(a, b, bool(rng.random() < 0.5)) for a in range(k) for b in range(a)]
    return spreads, [PairFinding(a, b, 0.01 if rejected else 0.5, rejected, 0) for a, b, rejected in pairs]


def n_agreeing(spreads, decisions):
    factors = inferential_factors(spreads, decisions, formula="modified", alpha=0.05)
    assert np.isfinite(factors).all()
    ends = [spread.ends(factor) for spread, factor in zip(spreads, factors, strict=True)]
    return sum(overlap(ends[d.a], ends[d.b]) != d.rejected for d in decisions)


def test_a_search_that_is_cut_short_agrees_with_fewer_pairs_and_with_every_rejection_that_can_be(monkeypatch):
    spreads, decisions = conflicting(8)
    best = n_agreeing(spreads, decisions)
    monkeypatch.setattr(optimize, "milp", lambda *_, **__: type("Cut", (), {"x": None}))
    factors = inferential_factors(spreads, decisions, formula="modified", alpha=0.05)
    ends = [spread.ends(factor) for spread, factor in zip(spreads, factors, strict=True)]
    rejected = [d for d in decisions if d.rejected and facing(spreads, d).binding]
    assert not any(overlap(ends[d.a], ends[d.b]) for d in rejected)
    assert n_agreeing(spreads, decisions) < best


def test_the_search_is_limited_by_nodes_and_not_by_a_clock(monkeypatch):
    limits, search = [], optimize.milp
    monkeypatch.setattr(
        optimize, "milp", lambda *args, **rest: limits.append({**rest["options"]}) or search(*args, **rest)
    )
    n_agreeing(*conflicting(6))
    assert limits == [{"mip_rel_gap": 0.0, "node_limit": inferential.WORK // 15**2}]


def test_what_the_solver_prints_never_reaches_stdout(monkeypatch, capfd):
    solution = type("Cut", (), {"x": None})
    monkeypatch.setattr(optimize, "milp", lambda *_, **__: os.write(1, b"HighsMipSolverData") and solution)
    n_agreeing(*conflicting(6))
    os.write(1, b"the answer")
    assert capfd.readouterr() == ("the answer", "HighsMipSolverData")
