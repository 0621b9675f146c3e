"""One model on items: its success rate, pass@k and pass^k, each by Wilson's interval with the number of items that it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb, fsum
from typing import TYPE_CHECKING

import numpy as np

from runoff._inference.bootstrap import Rate
from runoff._inference.pairs.items import cluster_moments, codes_of
from runoff._inference.pairs.measure import IMPROVEMENT, PASS
from runoff._inference.pairs.mover import joint_reach
from runoff._inference.pairs.strata import links_of_one
from runoff.base.arrays import Floats, Ints
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.speech import option

if TYPE_CHECKING:
    from runoff.answer.aggregate import AggregateRow

FEW_UNLIKE = {True: 6, False: 20}
"""With fewer items than this beside 0, or beside 1, their variance says little, and each item is worth one: for single attempts, or several."""
"""pass@k, the chance that one of k attempts succeeds, and pass^k, that all do."""


def accuracy(values: Floats, clusters: Ints | None, *, k: int = 1, single: bool = False) -> Rate:
    """Return the mean of items, (n_items,) in [0, 1], with the n_eff that Wilson's interval takes in place of n.

    Single attempts (`single`), without clusters: n items and the normal quantile (Wilson 1927). Several: n_eff = m(1 − m)/V, V = s²/n, with the
    t of n − 1. Clusters: n_eff = min(m(1 − m)/V, n/(1 + (Σ n_g²/n − 1) ICC), n), V by clusters (`cluster_moments`), the correlation within
    them by analysis of variance, and the t of G − 1; where no cluster differs from another, G (after Korn & Graubard 1998). k: of pass@k.
    """
    n, mean = values.size, fsum(values) / values.size
    if clusters is None and single:
        return _rate(mean, float(n), np.inf)
    if clusters is not None:
        return _rate(mean, _of_clusters(values, clusters), float(clusters.max()))
    variance = float(values.var(ddof=1)) / n if n > 1 else 0.0
    unlike = min(int((values < 1 - 1e-12).sum()), int((values > 1e-12).sum()))
    plain = unlike < FEW_UNLIKE[k == 1] or variance <= 1e-14
    return _rate(mean, float(n) if plain else mean * (1 - mean) / variance, max(n - 1.0, 1.0))


def _rate(mean: float, n: float, df: float) -> Rate:
    return Rate(np.array(min(max(mean, 0.0), 1.0)), np.array(n), df)


def _of_clusters(values: Floats, codes: Ints) -> float:
    mean, variance, _, n_clusters = cluster_moments(values, codes)
    if variance <= 1e-14:
        return float(n_clusters)
    sizes = np.bincount(codes).astype(np.float64)
    totals, n = np.bincount(codes, values), float(values.size)
    between = float(((totals - sizes * mean) ** 2 / sizes).sum()) / (n_clusters - 1)
    within = float((values**2).sum() - (totals**2 / sizes).sum()) / max(n - n_clusters, 1.0)
    typical = (n - float((sizes**2).sum()) / n) / (n_clusters - 1)
    icc = min(max((between - within) / max(between + (typical - 1) * within, 1e-12), 0.0), 1.0)
    return min(mean * (1 - mean) / variance, n / (1 + (float((sizes**2).sum()) / n - 1) * icc), n)


def passes(solved: Ints, attempts: Ints, k: int, *, every: bool) -> Floats:
    """Return the chance of each item that one of k of its attempts succeeds, without bias (Chen et al. 2021), or that every one does.

    1 − C(n − c, k)/C(n, k), or C(c, k)/C(n, k), with c of n attempts solved.
    """
    chosen = solved if every else attempts - solved
    # Whole numbers, for C(n, k) of a thousand attempts is no double; of items with as many of as many once.
    counts = list(zip(chosen.tolist(), attempts.tolist(), strict=True))
    ways = {n: comb(n, k) for _, n in counts}
    alike = {(c, n): comb(c, k) / ways[n] for c, n in {*counts}}
    shares = np.array([alike[count] for count in counts])
    return shares if every else 1 - shares


def item_rows(
    scores: Scores, measures: Sequence[str], cluster: Mapping[str, str] | None, level: float
) -> list[AggregateRow]:
    """Return the rows of each algorithm, one for each measure: the mean, pass@k or pass^k."""
    # Here, for `compare` has no use for its records, and they would be made with each first call.
    from runoff.answer.aggregate import AggregateRow

    rows = []
    for name in scores.algorithms:
        cells = {task: cell for task, cell in zip(scores.tasks, scores.cells(name), strict=True) if cell.size}
        codes = None if cluster is None else codes_of(list(cells), cluster, name)
        n_clusters = None if cluster is None else len(cells) if codes is None else int(codes.max()) + 1
        for measure in measures:
            values, k = _item_values(scores, list(cells.values()), measure)
            single = scores.binary and max(cell.size for cell in cells.values()) == 1
            rate = accuracy(values, codes, k=k, single=single)
            low, high = map(float, rate.interval(1 - level))
            row = AggregateRow(
                algorithm=name,
                measure=measure,
                estimate=fsum(values) / len(values),
                low=low,
                high=high,
                interval="wilson",
                n_eff=float(rate.n),
                n_clusters=n_clusters,
                confidence_level=level,
                over="tasks",
                n_tasks=len(cells),
                n_scores=sum(cell.size for cell in cells.values()),
                n_resamples=0,
            )
            rows.append(row)
    return rows


def weighted_rows(
    scores: Scores,
    by_stratum: Sequence[AggregateRow],
    measures: Sequence[str],
    weights: Sequence[tuple[str, float]],
    parts: Sequence[Scores] | None = None,
) -> list[AggregateRow]:
    """Return the weighted mean of strata by each measure of each algorithm; parts: the scores of each, None where items are the sample, whose
    means are shares."""
    return [
        _weighted_row(
            by_stratum,
            name,
            measure,
            weights,
            shares=parts is None or scores.binary or measure == IMPROVEMENT,
            links=None if parts is None else links_of_one(parts, name, measure),
        )
        for name in scores.algorithms
        for measure in measures
    ]


def _weighted_row(
    by_stratum: Sequence[AggregateRow],
    name: str,
    measure: str,
    weights: Sequence[tuple[str, float]],
    *,
    shares: bool,
    links: Floats | None = None,
) -> AggregateRow:
    """Return the weighted mean of strata, with the interval that is made of theirs (MOVER: Zou & Donner 2008), None where one has none.

    shares: whether the measure is a share, whose ends lie in [0, 1]; links: the correlations of the strata's errors, None of independent ones.
    """
    own = [row for row in by_stratum if (row.algorithm, row.measure) == (name, measure)]
    wide = [weight for _, weight in weights]
    mean = fsum(w * row.estimate for w, row in zip(wide, own, strict=True))
    ends = [(row.low, row.high) for row in own if row.low is not None and row.high is not None]
    low = high = None
    if len(ends) == len(own):
        below, above = (
            joint_reach([w * abs(row.estimate - end[side]) for w, row, end in zip(wide, own, ends, strict=True)], links)
            for side in (0, 1)
        )
        low, high = mean - below, mean + above
        low, high = (max(low, 0.0), min(high, 1.0)) if shares else (low, high)
    counts = [row.n_clusters for row in own if row.n_clusters is not None]
    return replace(
        own[0],
        stratum="",
        estimate=mean,
        low=low,
        high=high,
        interval=None if low is None else "mover",
        n_eff=None,
        n_clusters=sum(counts) if counts else None,
        n_tasks=sum(row.n_tasks for row in own),
        n_scores=sum(row.n_scores for row in own),
    )


def _item_values(scores: Scores, cells: Sequence[Floats], measure: str) -> tuple[Floats, int]:
    """Return what each item adds to a measure, and the attempts that this is of."""
    if measure == "mean":
        return np.array([cell.mean() for cell in cells]), 1
    match = PASS.fullmatch(measure)
    if match is None or not scores.binary:
        raise OptionError(
            f"{option('over', 'tasks')} has the mean, and of attempts that succeed or fail pass@K and pass^K, not {measure!r}."
        )
    k, least = int(match[2]), min(cell.size for cell in cells)
    if k > least:
        raise DesignError(f"{measure} takes {k} attempts at every item, and some item has {least}.")
    solved, attempts = (np.array([int(count(cell)) for cell in cells]) for count in (np.sum, np.size))
    return passes(solved, attempts, k, every=match[1] == "^"), k
