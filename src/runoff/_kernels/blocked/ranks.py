"""Mid-ranks within tasks, as integers, their sums by algorithm, and the covariance and quadratic forms of these sums.

A segment holds all runs of one task. Rank 1 is the lowest score; tied scores share the mean of their ranks. NumPy sorts: to compile
a sort takes a second.

All ranks are centred and doubled (`ranks.centred_ranks`), so a cell sum is 2·(R_ij − c_ij (q_i + 1) / 2), an integer.
Under the null, given the ties, the cell sums of a task have covariance SS_i / (q_i (q_i − 1)) · (q_i diag(c_i) − c_i c_iᵀ),
SS_i being the sum of the squared centred ranks: a graph Laplacian, so the rank of the sum over tasks is the number of
algorithms less the number of groups of algorithms that no informative task connects.
"""

from __future__ import annotations

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints


def order_within(values: Floats | Ints, starts: Ints) -> Ints:
    """Positions that sort the segments `starts[i]:starts[i + 1]`, tied values in any order.

    values: (total,); starts: (n_segments + 1,), from 0 to total. Returns (total,).
    """
    lengths = np.diff(starts)
    if lengths.size and (lengths == lengths[0]).all():
        order: Ints = (np.argsort(values.reshape(lengths.size, lengths[0]), axis=1) + starts[:-1, None]).ravel()
        return order
    return np.lexsort((values, np.repeat(np.arange(lengths.size), lengths)))


def centred_ranks(values: Floats, starts: Ints) -> Ints:
    """Doubled mid-ranks less their mean, 2r − (q + 1), within the segments `starts[i]:starts[i + 1]`.

    values: (total,) scores; starts: (n_segments + 1,). Returns (total,) int64 with sum 0 in every segment.
    Source: mid-ranks of Mack & Skillings (1980) as in Casesa (2024) section 2.3.2, step 1.
    """
    order = order_within(values, starts)
    ordered, lengths = values[order], np.diff(starts)
    first = np.ones(values.size, np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    first[starts[:-1][lengths > 0]] = True
    low = np.flatnonzero(first)
    ends = np.append(low[1:], values.size)
    ranks = np.empty(values.size, np.int64)
    ranks[order] = np.repeat(low + ends, ends - low) - np.repeat(starts[:-1] + starts[1:], lengths)
    return ranks


def regular_starts(n_segments: int, length: int) -> Ints:
    """Segment starts of equally long segments."""
    return np.arange(n_segments + 1, dtype=np.int64) * length


# ── sums of ranks ──────────


def cell_sums(ranks: Ints, counts: Ints) -> Ints:
    """Sum of the ranks of every cell.

    ranks: (total,) sorted by task, then algorithm; counts: (n_tasks, n_algorithms), zeros allowed.
    Source: Casesa (2024) eq. 2.13 before weighting.
    """
    running = np.concatenate([np.zeros(1, np.int64), np.cumsum(ranks)])
    ends = np.cumsum(counts.ravel())
    return np.asarray((running[ends] - running[ends - counts.ravel()]).reshape(counts.shape))


def covariance(counts: Ints, squares: Ints, weights: Floats) -> Floats:
    """Null covariance (n_algorithms, n_algorithms) of the weighted sums, given the ties.

    counts: (n_tasks, n_algorithms); squares: (n_tasks,) sums of squared centred ranks; weights: (n_tasks,).
    Source: Casesa (2024) eqs. 2.16-2.17, whose (q + 1) / 12 is the value without ties of SS / (4 q (q − 1)).
    """
    sizes = counts.sum(axis=1).astype(np.float64)
    scale = weights**2 * squares / (sizes * (sizes - 1.0))
    shares = counts.astype(np.float64)
    return np.asarray(np.diag((scale * sizes) @ shares) - (shares.T * scale) @ shares)


def components(counts: Ints, squares: Ints) -> Ints:
    """Label (n_algorithms,) of the group of algorithms that informative tasks connect.

    counts: (n_tasks, n_algorithms); squares: (n_tasks,), 0 where all runs of a task are tied.
    Source: number of zero eigenvalues of a graph Laplacian.
    """
    labels = np.arange(counts.shape[1])
    for present in (counts > 0)[squares > 0]:
        touched = np.isin(labels, labels[present])
        labels[touched] = labels[present].min(initial=counts.shape[1])
    return labels.astype(np.int64)


def kept(labels: Ints) -> Bools:
    """All algorithms but the first of each connected group: the rows that leave the covariance regular."""
    keep = np.ones(labels.size, np.bool_)
    keep[np.unique(labels)] = False
    return keep


def general_inverse(sigma: Floats, keep: Bools) -> Floats:
    """Inverse of the kept rows and columns, zero elsewhere: gives the same quadratic form as the pseudo-inverse.

    sigma: (k, k); keep: (k,). Source: Casesa (2024) eq. 2.18, "omit one".
    """
    inverse = np.zeros_like(sigma)
    inverse[np.ix_(keep, keep)] = np.linalg.inv(sigma[np.ix_(keep, keep)])
    return inverse


def balanced_sums(data: Floats) -> tuple[Ints, Ints]:
    """Rank sums and tie sums of a batch of complete balanced designs.

    data: (batch, n_algorithms, n_tasks, n_runs). Returns sums (batch, n_algorithms), squares (batch, n_tasks).
    Source: Casesa (2024) eqs. 2.20-2.21, centred and doubled.
    """
    batch, k, n, c = data.shape
    rows = np.ascontiguousarray(data.transpose(0, 2, 1, 3), np.float64)
    ranks = centred_ranks(rows.ravel(), regular_starts(batch * n, k * c)).reshape(batch, n, k, c)
    return ranks.sum(axis=(1, 3)), np.square(ranks).sum(axis=(2, 3))


def balanced_statistics(data: Floats) -> Floats:
    """Tie-corrected Mack-Skillings statistics (batch,); 0 where every task is one tie.

    data: (batch, n_algorithms, n_tasks, n_runs).
    Source: Casesa (2024) eq. 2.19; (q − 1) Σ_j T_j² / (c Σ_i SS_i) equals it when there are no ties.
    """
    _, k, _, c = data.shape
    sums, squares = balanced_sums(data)
    spread = np.maximum(squares.sum(axis=1), 1)
    return np.asarray((k * c - 1) / c * np.square(sums).sum(axis=1) / spread)
