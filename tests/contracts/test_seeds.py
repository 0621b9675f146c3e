"""Every public function that draws: same seed, same bits; other seed, other bits; inputs and NumPy's global state untouched."""

from __future__ import annotations

import inspect
from collections import Counter
from functools import cache
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import runoff as ro
from runoff import lab
from runoff._inference.pairs import small
from runoff.base.random import Streams
from runoff.lab import World, distribution
from runoff.page.files.records import record_of

pytestmark = pytest.mark.usefixtures("few_relabellings")
RNG = np.random.default_rng(0)
SCORES = ro.Scores.from_dict({name: RNG.normal(m, 1, size=(7, 3)) for name, m in (("A", 0), ("B", 0.3), ("C", 1))})
CURVES = ro.Curves.from_frame(
    {
        "algorithm": np.repeat(["A", "B"], 40),
        "run": np.tile(np.repeat(np.arange(10), 4), 2),
        "step": np.tile(np.arange(4), 20),
        "score": RNG.normal(size=80),
    }
)
MANY = ro.Curves.from_frame(
    {
        "algorithm": np.repeat(["A", "B"], 40),
        "run": np.arange(80),
        "step": np.tile(np.arange(40), 2),
        "score": RNG.normal(size=80),
    }
)
FEW = SCORES.subsample(5)
X, Y = RNG.normal(size=14), RNG.normal(size=15)


def ranks_of_report(rng):
    """Return what a report says of ranks, which it draws."""
    with TemporaryDirectory() as folder:
        return record_of(
            ro.report(
                SCORES.normalize(dict.fromkeys(SCORES.tasks, (0.0, 9.0))), folder, n_resamples=500, rng=rng
            ).answers
        )["rank"]


SWEEP = {
    "algorithm": ["A"] * 24,
    "task": ["x", "y"] * 12,
    "config": [f"c{i // 6}" for i in range(24)],
    "run": [str(i // 2 % 3) for i in range(24)],
    "score": np.random.default_rng(5).normal(size=24).tolist(),
}
DRAWING = {
    "aggregate": lambda rng: ro.aggregate(
        SCORES, measure=["iqm"], interval="percentile", n_resamples=500, rng=rng
    ).to_records(),
    "aggregate over tasks": lambda rng: ro.aggregate(
        SCORES, measure=["iqm"], over="runs_and_tasks", n_resamples=500, rng=rng
    ).to_records(),
    "anytime": lambda rng: ro.anytime([SCORES], n_resamples=500, rng=rng).to_records(),
    "compare": lambda rng: ro.compare(SCORES, test="studentized_permutation", n_resamples=500, rng=rng).to_records(),
    "compare_curves": lambda rng: ro.compare_curves(CURVES, n_resamples=500, rng=rng).to_records(),
    "check": lambda rng: ro.check(
        SCORES, n_runs=3, n_repeats=600, n_resamples=100, test="studentized_permutation", interval="percentile", rng=rng
    ).to_records(),
    "rank": lambda rng: ro.rank(SCORES, method="monte_carlo", n_resamples=500, rng=rng).omnibus.to_records(),
    "where": lambda rng: [
        repr(ro.where(SCORES, *SCORES.algorithms[:2], measure="mean", n_resamples=200, rng=rng).heterogeneity)
    ],
    "gate": lambda rng: ro.gate(
        SCORES, SCORES, margin=0.5, algorithm="A", candidate_algorithm="B", n_resamples=500, rng=rng
    ).to_records(),
    "inferential_intervals": lambda rng: ro.inferential_intervals(
        SCORES, measure="iqm", interval="percentile", n_resamples=500, rng=rng
    ).to_records(),
    "performance_profile": lambda rng: ro.performance_profile(
        SCORES, band="simultaneous", n_resamples=500, rng=rng
    ).to_records(),
    "performance_profile together": lambda rng: ro.performance_profile(
        SCORES, band="simultaneous", n_resamples=500, rng=rng
    ).to_records(),
    "plan": lambda rng: ro.plan(
        SCORES.select(algorithms=["A", "B"]), effect=2.0, n_repeats=100, n_resamples=100, curve_to=4, rng=rng
    ).to_records(),
    "rank_intervals": lambda rng: ro.rank_intervals(SCORES, measure="iqm", n_resamples=500, rng=rng).to_records(),
    "rank_test": lambda rng: (
        ro.rank_test(SCORES.select(algorithms=["A", "B"]), method="monte_carlo", n_resamples=500, rng=rng).pvalue
    ),
    "reliability": lambda rng: ro.reliability(CURVES, window=2, n_resamples=500, rng=rng).to_records(),
    "report": lambda rng: ranks_of_report(rng),
    "curves": lambda rng: ro.curves(CURVES, interval="percentile", n_resamples=500, rng=rng).to_records(),
    "subsample": lambda rng: SCORES.subsample(3, rng=rng).to_dict(),
    "time_to_threshold": lambda rng: ro.time_to_threshold(MANY, 0.5, n_resamples=500, rng=rng).pairs,
    "tuning": lambda rng: ro.tuning(SWEEP, view="sensitivity", rng=rng).to_records(),
    "two_sample_test": lambda rng: ro.two_sample_test(X, Y, test="permutation", n_resamples=500, rng=rng).to_records(),
}
PUBLIC = (
    [(name, getattr(ro, name)) for name in ro.__all__] + inspect.getmembers(ro.Scores) + inspect.getmembers(ro.Curves)
)
SIMULATING = ("coverage", "false_positive_rate", "report")
"""What repeats another answer many times, so that it takes a second."""
every = pytest.mark.parametrize(
    "draw",
    [
        pytest.param(draw, id=name, marks=pytest.mark.slow if name in SIMULATING else ())
        for name, draw in DRAWING.items()
    ],
)


def test_every_public_function_that_takes_a_generator_is_here():
    drawing = {
        name
        for name, function in PUBLIC
        if inspect.isfunction(function) and "rng" in inspect.signature(function).parameters
    }
    assert drawing == {name.split()[0] for name in DRAWING}


@cache
def drawn_once(draw):
    """Return what seed 3 draws, for all tests that compare with it."""
    return draw(3)


@every
def test_the_same_seed_gives_the_same_bits_and_changes_no_input_or_global_state(draw):
    once = drawn_once(draw)
    before, state = SCORES.values.copy(), np.random.get_state()[1].copy()  # noqa: NPY002
    assert draw(3) == once
    assert np.array_equal(before, SCORES.values)
    assert np.array_equal(state, np.random.get_state()[1])  # noqa: NPY002


@every
def test_a_generator_in_the_same_state_gives_the_same_bits(draw):
    assert draw(np.random.default_rng(5)) == draw(np.random.default_rng(5))


@every
def test_another_seed_gives_other_numbers(draw):
    assert drawn_once(draw) != draw(4)


@pytest.mark.parametrize("threads", [2, 5])
def test_the_number_of_threads_changes_nothing(threads):
    single, many = (
        ro.compare(SCORES, test="studentized_permutation", n_resamples=3_000, threads=n).to_records()
        for n in (1, threads)
    )
    assert single == many


def test_ragged_and_dense_storage_of_the_same_data_give_the_same_bits():
    dense = {a: SCORES.dense(a) for a in SCORES.algorithms}
    cells = {a: {t: list(SCORES.cell(a, t)) for t in SCORES.tasks} for a in SCORES.algorithms}
    single, other = ro.Scores.from_dict(dense), ro.Scores.from_dict(cells)
    assert ro.aggregate(single, n_resamples=900).to_records() == ro.aggregate(other, n_resamples=900).to_records()


# ── blocks, pairs, tasks and batches draw differently ──────────

PAIR = SCORES.select(algorithms=["A", "B"])
RANDOMLY = distribution("algorithm", {"family": "normal"})
STUDY = ro.Study(
    name="two cells",
    worlds=(World(name="normal", grid=((RANDOMLY,), (RANDOMLY,))),),
    contenders=("permutation",),
    n_runs=(5, 8),
    n_repeats=600,
    n_resamples=100,
)
LATER = ro.Scores.from_dict({name: RNG.normal(size=(6, 3)) for name in "ABC"})
LOOKS = [ro.Scores.from_dict({name: RNG.normal(size=(3, 2)) for name in "ABC"}) for _ in range(2)]
DESIGN = ro.SequentialDesign(looks=(3, 6), n_resamples=600)

DIFFERENT = {
    # call: the draws that must differ, counted by purpose
    "aggregate": (
        lambda: ro.aggregate(SCORES, measure=["iqm"], interval="percentile", n_resamples=2_500),
        {"bootstrap": 2},
    ),  # blocks
    "aggregate over tasks": (
        lambda: ro.aggregate(SCORES, measure=["iqm"], over="runs_and_tasks", n_resamples=2_500),
        {"whole tasks": 2},
    ),
    "anytime": (lambda: ro.anytime([SCORES, LATER], n_resamples=500), {"anytime": 2 * 2}),  # batches × blocks
    "compare": (
        lambda: ro.compare(SCORES.select(algorithms=["A", "B"]), test="studentized_permutation", n_resamples=20_000),
        {"stratified": 79},
    ),  # blocks
    "compare_curves": (lambda: ro.compare_curves(CURVES, n_resamples=2_500), {"band": 2}),
    "check coverage": (
        lambda: lab.coverage(SCORES, measure="iqm", interval="percentile", n_runs=3, n_repeats=600, n_resamples=100),
        {"check/groups": 3 * 2, "study/bootstrap": 3 * (25 + 5)},  # algorithms × blocks, and their groups of 20
    ),
    "where": (lambda: ro.where(SCORES, *"AB", measure="mean", n_resamples=200), {"heterogeneity": 1}),
    "check false positives": (
        lambda: lab.false_positive_rate(
            SCORES, test="stratified_permutation", n_runs=3, n_repeats=600, n_resamples=100
        ),
        {"check/halves": 3 * 2, "study/stratified_mean": 3 * (25 + 5)},
    ),
    "gate": (
        lambda: ro.gate(SCORES, SCORES, margin=0.5, algorithm="A", candidate_algorithm="B", n_resamples=500),
        {"gate": 3},
    ),
    "inferential_intervals": (
        lambda: ro.inferential_intervals(SCORES, measure="iqm", interval="percentile", n_resamples=2_500),
        {"bootstrap": 2},
    ),
    "performance_profile": (
        lambda: ro.performance_profile(SCORES, kind="average_scores", band="bootstrap", n_resamples=2_500),
        {"profile": 2},
    ),
    "performance_profile together": (
        lambda: ro.performance_profile(SCORES, band="simultaneous", n_resamples=2_500),
        {"profile deviation": 2},
    ),
    "plan": (
        lambda: ro.plan(PAIR, effect=1.0, test="welch", n_repeats=200, n_resamples=200),
        {"plan/runs": 2 * 2 * 4},  # blocks × algorithms × doublings of the runs
    ),
    "rank_intervals": (lambda: ro.rank_intervals(SCORES, measure="iqm", n_resamples=2_500), {"rank sets": 3}),
    "rank_test": (lambda: ro.rank_test(SCORES, method="monte_carlo", n_resamples=500), {"blocked": 2}),
    "reliability": (lambda: ro.reliability(CURVES, window=2, n_resamples=2_500), {"steadiness": 40}),
    "run_study": (
        lambda: ro.run_study(STUDY, workers=1),
        {"study/scores": 2 * 2, "two_sample/permutation": 2 * (8 + 2)},  # cells × blocks, and their blocks of 64 pairs
    ),
    "curves": (
        lambda: ro.curves(CURVES, interval="percentile", n_resamples=2_500),
        {"bootstrap": 2},
    ),
    "sequential": (
        lambda: ro.sequential(LOOKS[1], design=DESIGN, earlier=LOOKS[:1]),
        {"sequential": 3 * 2 * 3},  # algorithms × looks × blocks
    ),
    "subsample": (lambda: SCORES.subsample(3), {"subsample": 3 * 3}),  # algorithms × tasks
    "time_to_threshold": (lambda: ro.time_to_threshold(MANY, 0.5, n_resamples=500), {"two_sample/permutation": 1}),
    "tuning": (lambda: ro.tuning(SWEEP, view="sensitivity"), {"surfaces": 1, "folds of a sweep": 1}),
    "two_sample_test": (
        lambda: ro.two_sample_test(X, Y, test="permutation", n_resamples=500),
        {"two_sample/permutation": 1},
    ),
}


def test_what_is_made_by_leaving_runs_out_draws_nothing(monkeypatch):
    monkeypatch.setattr(Streams, "block", None)
    first, other = (
        (ro.compare(SCORES, rng=seed).to_records(), ro.compare(SCORES, margin=0.1, rng=seed).to_records())
        for seed in (3, 4)
    )
    assert first == other


def test_every_function_that_draws_is_counted():
    seeded_elsewhere = {"run_study", "sequential"}  # by Study.seed and SequentialDesign.seed
    # A report and a ranking draw nothing but what their parts draw.
    drawing = {name.split()[0] for name in DRAWING} - {"report", "rank"}
    assert {name.split()[0] for name in DIFFERENT} == drawing | seeded_elsewhere


@pytest.mark.parametrize(("call", "expected"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_blocks_pairs_tasks_and_batches_draw_differently(call, expected, monkeypatch):
    """A key of `Streams.block` is one draw. Algorithms and pairs of one design may share draws; what is counted here may not."""
    keys, block = set(), Streams.block

    def recorded(self, purpose, *key):
        keys.add((self.seed, purpose, key))
        return block(self, purpose, *key)

    monkeypatch.setattr(Streams, "block", recorded)
    small._labels.cache_clear()
    call()
    drawn = Counter(purpose for _, purpose, _ in keys)
    assert {purpose: drawn[purpose] for purpose in expected} == expected  # others are laws that are kept between calls
