"""For the tests of a project that trains agents: the gate as an assertion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from runoff._inference.gate import Margin
from runoff.answer.gate import GateResult
from runoff.base.random import RNG
from runoff.base.validate import check_choice
from runoff.data.given import ScoresLike
from runoff.methods.gate import gate
from runoff.words.names import BLOCKING, FAILING, OverName, StratumWeights


def assert_no_regression(
    baseline: ScoresLike,
    candidate: ScoresLike,
    *,
    margin: Margin | None = None,
    policy: str | Path | Mapping[str, Any] | None = None,
    over: OverName = "auto",
    cluster: Mapping[str, str] | None = None,
    strata: Mapping[str, str] | None = None,
    weights: StratumWeights | Mapping[str, float] = "equal",
    fail_on: Sequence[Literal["regressed", "suspect", "underpowered"]] = ("regressed",),
    algorithm: str | None = None,
    candidate_algorithm: str | None = None,
    alpha: float | None = None,
    nights: int = 1,
    confirm: ScoresLike | None = None,
    power: float = 0.8,
    n_resamples: int = 20_000,
    rng: RNG = 0,
) -> GateResult:
    """Assert that a candidate has not lost against a baseline, on any task or over all.

    Parameters
    ----------
    baseline, candidate, margin, policy, over, cluster, strata, weights, algorithm, candidate_algorithm, alpha, nights, confirm, power,
    n_resamples, rng
        As of `runoff.gate`.
    fail_on : sequence of "regressed", "suspect" or "underpowered"
        The calls that fail; "regressed" always does, and a benchmark that lacks what its policy asks.

    Returns
    -------
    GateResult
        For further assertions.

    Raises
    ------
    AssertionError
        A task, or the mean over all, has a call that fails: the message has a sentence for each.
    RunoffError
        The question cannot be asked of these runs: see `runoff.gate`.

    Examples
    --------
    >>> from runoff.testing import assert_no_regression
    >>> before = {"PPO": {"Pong": [18, 20, 19, 20.5, 18.5]}}
    >>> assert_no_regression(before, {"PPO": {"Pong": [19, 18.2, 20.1, 19.4, 18.8]}}, margin=3.0).overall.verdict
    'held'
    """
    for call in fail_on:
        check_choice("fail_on", call, ("regressed", *FAILING))
    result = gate(
        baseline,
        candidate,
        margin=margin,
        policy=policy,
        over=over,
        cluster=cluster,
        strata=strata,
        weights=weights,
        algorithm=algorithm,
        candidate_algorithm=candidate_algorithm,
        alpha=alpha,
        nights=nights,
        confirm=confirm,
        power=power,
        n_resamples=n_resamples,
        rng=rng,
    )
    failed = [record for record in result if record.verdict in {*BLOCKING, *fail_on}]
    if failed:
        raise AssertionError("\n".join(record.sentence for record in failed))
    return result
