"""Every kernel gives the same bits compiled and interpreted: each is recorded while it runs in Python, and called again as numba compiles it."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from runoff import _kernels
from runoff._inference.bootstrap import parse_metric, pool
from runoff._kernels import items, rates, study
from runoff._kernels._jit import Kernel, interpreted
from runoff._kernels.blocked import permute, stratified, trimmed
from runoff._kernels.bootstrap import profile
from runoff._kernels.logs import blocks, events, wire
from runoff._kernels.two_sample import bootstrap, masks, permutation
from runoff.base.random import Streams
from tests.places import LOGS

MOST = 12
"""Recorded calls of a kernel that are made again."""
Call = tuple[tuple[Any, ...], tuple[Any, ...], Any]
"""Arguments before, after, and what came back."""


def kernels() -> dict[str, Kernel[Any, Any]]:
    """Return every kernel of the package by its full name."""
    modules = [
        importlib.import_module(info.name) for info in pkgutil.walk_packages(_kernels.__path__, "runoff._kernels.")
    ]
    members = [member for module in modules for member in vars(module).values() if isinstance(member, Kernel)]
    return {f"{kernel.function.__module__}.{kernel.function.__qualname__}": kernel for kernel in members}


# ── calls that reach every kernel; a new kernel is reached here, too ──────────

RNG = np.random.default_rng(0)
RAGGED = [np.array([1.2, 3.4, 8.8, 2.0]), np.array([0.7, 1.5, 1.9, 2.0, 4.4]), np.array([2.1, 2.5, 2.6, 9.1])]
EVEN = [RNG.normal(size=18).round(1) for _ in range(3)]
LONG = [RNG.normal(size=2) for _ in range(67)]
METRICS = [parse_metric(name) for name in ("mean", "median", "iqm", "optimality_gap")]
WHOLE = [parse_metric(name) for name in ("mean", "median", "iqm_whole", "optimality_gap")]


def two_samples() -> None:
    pooled, state = RNG.normal(size=(1, 11)).round(1), RNG.integers(0, 2**64, size=4, dtype=np.uint64)
    pooled[0, :2] = 0.1
    for statistic in range(3):
        order = permutation.orders(pooled, statistic)
        permutation.sampled_hits(pooled, order, 5, state, n_resamples=6, statistic=statistic)
    masks.draw_masks(state, 70, 3, np.empty((3, 2), np.uint64))
    bootstrap.deviation_hits(pooled[:, :5], pooled[:, 5:], 1.0, 4, state)
    bootstrap.studentized_hits(pooled[:, :5], pooled[:, 5:], 4, state)
    bootstrap.deviation_hits(RNG.normal(size=(1, 130)), pooled, -1.0, 2, state)


def tasks() -> None:
    counts, starts = np.array([[3, 4], [150, 2], [1, 1]]), np.array([0, 7, 159, 161])
    words = RNG.integers(0, 2**32, size=(4, permute.words_per_draw(counts)), dtype=np.uint32)
    labels, values = permute.shuffled_labels(starts, counts, words), RNG.normal(size=161)
    for studentized in (False, True):
        stratified.mean_differences(values, starts, labels, studentized)
        together = np.stack([values, np.zeros(161)], axis=1)
        stratified.mean_differences_together(together, starts, labels, np.array([3.0, 0.0]), studentized)
    for n_runs in (1, 3):
        moments, members = np.zeros((2, 3, 2, 5)), np.array([2, 0, 1])
        words = RNG.integers(0, 2**32, size=(3, 2, n_runs, 5), dtype=np.uint32)
        stratified.add_relabelled(RNG.normal(size=(2, 3 * n_runs)), members, words, moments)
        stratified.pair_t(moments, n_runs, 1.0)
    counts, starts = np.array([[3, 2], [2, 4]]), np.array([0, 5, 11])
    words = RNG.integers(0, 2**32, size=(6, permute.words_per_draw(counts)), dtype=np.uint32)
    values, labels = RNG.uniform(-1, 1, 11).round(1), permute.shuffled_labels(starts, counts, words)
    order, labels[0] = np.argsort(values, kind="stable"), [0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1]
    for least in (0.0, 0.5, 4.0):
        own = values[order], np.repeat([0, 1], [5, 6])[order], order
        trimmed.trimmed_as_far_apart(*own, counts, labels, np.array([0.25, 0.2]), least)


def paired_items() -> None:
    for won, lost, n, shift in ((4, 0, 12, 0.0), (3, 5, 9, -0.37), (2, 1, 60, 0.013), (0, 7, 7, -1.0), (1, 1, 5, 0.4)):
        items.paired_tail(won, lost, n, shift)


def two_rates() -> None:
    for x, m, y, n, shift in ((7, 9, 1, 5, 0.0), (3, 5, 9, 9, -0.37), (0, 4, 4, 4, -1.0), (2, 30, 2, 11, 0.2)):
        rates.rates_tail(x, m, y, n, shift)
    counts = np.array([[3.0, 1.0], [5.0, 4.0], [2.0, 4.0], [5.0, 9.0]])
    rates.rate_score(*counts, 0.1)
    rates.rate_score(*counts[[0, 1, 0, 1]], 0.0)
    first, second = (side.ravel() for side in np.meshgrid([1, 0], [0, 1], indexing="ij"))
    rates.tails_of_equal(first, second, np.array([1, 3, 3, 4]), 1, 1, np.ones((2, 2)))


def pools() -> None:
    for cells, shared, metrics in (
        (RAGGED, False, METRICS),
        (EVEN, False, WHOLE),
        (EVEN, True, METRICS),
        (LONG, False, METRICS),
    ):
        prepared = pool.prepare(cells, metrics, gamma=2.0, shared=shared)
        pool.resample_runs(prepared, 2, Streams(0))
        if not shared:
            pool.resample_tasks(prepared, 2, Streams(0))
            pool.resample_whole_tasks(prepared, 2, Streams(0))
    pooled, levels = pool.pooled(pool.prepare(EVEN, METRICS)), RNG.integers(0, 4, size=54)
    words, thresholds = RNG.integers(0, 2**32, size=(2, 54), dtype=np.uint32), np.linspace(-1.0, 1.0, 3)
    for n_rows, fewer in ((0, 1), (18, 0), (1, 1)):
        drawn = profile.RedrawnRuns(pooled.offsets, np.tile(np.arange(18) % max(n_rows, 1), 3), n_rows, fewer)
        profile.resampled_deviations(words, drawn, np.ones(54), levels, 54.0, np.zeros(4), np.empty(2))
        profile.resampled_means_above(words, drawn, pooled.values, thresholds, np.empty((2, 3)))
        profile.mean_deviations(words, drawn, pooled.values, np.zeros(3), 1e-9, np.empty(2))


def studies() -> None:
    words, order = RNG.integers(0, 2**32, size=(3, 6), dtype=np.uint32), np.argsort(RNG.normal(size=(1, 6)))
    counts = study.resample_counts(words, 3)
    study.pooled_means(counts, order, np.sort(RNG.normal(size=(1, 6))), 6, 1.5, np.empty((1, 3)), np.empty((1, 3)))
    places = np.stack([RNG.permutation(6), RNG.permutation(6)])[None]
    study.improvements(counts, counts, places, np.tile(np.uint8([0, 1, 1, 0, 1, 1]), (1, 2, 1)), np.empty((1, 3)))
    pooled, state = RNG.normal(size=(2, 6)).round(1), RNG.integers(0, 2**64, size=4, dtype=np.uint64)
    study.shuffled_hits(pooled, 3, 4, state)
    study.strict_hits(pooled, 3, 4, state)


def logs() -> None:
    (path,) = (LOGS / "tensorboard" / "cleanrl").rglob("*tfevents*")
    data, counts = np.frombuffer(bytearray(path.read_bytes()), np.uint8), np.zeros(events.N_COUNTS, np.int64)
    values, texts = np.zeros((6, data.size // 6 + 1), np.int64), np.zeros((4, 2), np.int64)
    events.scan_events(data, wire.tables(wire.CASTAGNOLI), 2**30, values, texts, events.KINDS, counts)
    names, tags, slots = np.empty(500, np.uint8), np.zeros((16, 2), np.int64), np.full(32, -1)
    wire.number_tags(data, values, names, tags, slots, np.full(16, -1), counts)
    for kind, size in enumerate(events.KINDS[1].tolist()):  # a tensor of each type, all bits set
        events.tensor_bits(np.uint8([8, kind, 34, size, *[255] * size]), 0, 4 + size, events.KINDS)
    path = min((LOGS / "wandb").rglob("*.wandb"))
    data, counts = np.frombuffer(bytearray(path.read_bytes()[:6000]), np.uint8), np.zeros(blocks.N_COUNTS, np.int64)
    payload, ends, others = np.empty_like(data), np.zeros(data.size // 7 + 1, np.int64), np.zeros((9, 2), np.int64)
    rows = wire.tables(wire.IEEE)
    _, n = blocks.unwrap(data[7:], 7, rows, payload, ends, counts)
    entries, steps = np.zeros((6, data.size // 4 + 1), np.int64), np.zeros(n, np.int64)
    blocks.scan_records(payload, ends[:n], entries, steps, others, counts)
    blocks.kind_of_text(np.frombuffer(b'"-Infinity"', np.uint8), 0, 11)


# ── the two ways ──────────


@pytest.fixture(scope="module")
def calls() -> dict[str, list[Call]]:
    """Return what each kernel was given and gave, while all of them were interpreted."""
    record: dict[str, list[Call]] = defaultdict(list)

    def recorded(name: str, function: Any) -> Any:
        def call(*args: Any) -> Any:
            before = deepcopy(args)
            result = function(*args)
            if len(record[name]) < MOST:
                record[name].append((before, deepcopy(args), deepcopy(result)))
            return result

        return interpreted(call)

    with pytest.MonkeyPatch.context() as patch:
        for name, kernel in kernels().items():
            patch.setattr(kernel, "compiled", recorded(name, kernel.function))
        for scenario in (two_samples, tasks, paired_items, two_rates, pools, studies, logs):
            scenario()
    return record


def same_bits(first: Any, second: Any) -> bool:
    """Return whether two numbers, arrays or tuples of them are the same to the last bit; of NaN only that it is one."""
    if isinstance(first, tuple):
        return len(first) == len(second) and all(map(same_bits, first, second))
    if first is None or second is None:
        return first is second
    a, b = np.asarray(first), np.asarray(second)
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def test_the_calls_above_reach_every_kernel(calls):
    assert kernels().keys() - {name for name, own in calls.items() if own} == set()


@pytest.mark.slow  # most kernels are compiled alone, which nothing else asks for
@pytest.mark.parametrize("name", sorted(kernels()))
def test_a_kernel_gives_the_same_bits_compiled_and_interpreted(name, calls):
    pytest.importorskip("numba", reason="nothing is compiled without numba")
    kernel = kernels()[name]
    for before, after, result in calls[name]:
        args = deepcopy(before)
        assert same_bits(kernel(*args), result)
        assert same_bits(args, after)


def test_numbers_overflow_in_an_interpreted_kernel_without_a_warning_and_warn_again_behind_it():
    def doubled(a: np.uint64) -> np.uint64:
        return a + a

    assert interpreted(doubled)(np.uint64(2**63 + 1)) == 2
    with pytest.raises(RuntimeWarning, match="overflow"):
        doubled(np.uint64(2**63 + 1))
