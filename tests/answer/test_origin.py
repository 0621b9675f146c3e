"""What answers keep of the data: the kind of frame that came in, and the set of algorithms whose colours figures keep."""

from __future__ import annotations

import pickle

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import runoff as ro
from runoff import lab
from runoff.tables.frames import Origin
from tests.exits.methods import answering

NAMES, TASKS = ("A", "B", "C"), ("s", "t")
RUNS = {
    "algorithm": [a for a in NAMES for _ in range(10)],
    "task": ["s", "t"] * 15,
    "run": [r for _ in NAMES for r in (0, 0, 1, 1, 2, 2, 3, 3, 4, 4)],
    "score": [(7 * k * k % 31) / 10 + k // 10 for k in range(30)],
}
STEPS = {name: [value for value in column for _ in range(3)] for name, column in RUNS.items()}
STEPS |= {"step": [1, 2, 3] * 30, "score": [s * k for s in RUNS["score"] for k in (1, 2, 3)]}
TUNED = RUNS | {"config": [k // 5 % 2 for k in range(30)], "task": ["s"] * 30, "run": [*range(30)]}
OWN = {
    "algorithm": ["SAC"] * 4,
    "task": ["Hopper-v4"] * 4,
    "run": [0, 1, 2, 3],
    "score": [2400.0, 3100.0, 2900.0, 2600.0],
}
FEW = {"n_resamples": 100}
ANSWERS = {
    "aggregate": lambda f: ro.aggregate(f(RUNS), **FEW),
    "task_means": lambda f: ro.aggregate(f(RUNS), by="task"),
    "compare": lambda f: ro.compare(f(RUNS), **FEW),
    "equivalence": lambda f: ro.equivalence(f(RUNS), margin=0.5, measure="mean", **FEW),
    "diff": lambda f: ro.diff(f(RUNS), f(RUNS)),
    "where": lambda f: ro.where(f(RUNS), "A", "B", measure="mean", **FEW),
    "probability_of_improvement": lambda f: ro.probability_of_improvement(f(RUNS)),
    "performance_profile": lambda f: ro.performance_profile(f(RUNS)),
    "rank": lambda f: ro.rank(f(RUNS), **FEW),
    "rank_test": lambda f: ro.rank_test(f(RUNS), **FEW),
    "critical_difference": lambda f: ro.critical_difference(f(RUNS)),
    "rank_intervals": lambda f: ro.rank_intervals(f(RUNS), **FEW),
    "robustness": lambda f: ro.robustness(f(RUNS)),
    "inferential_intervals": lambda f: ro.inferential_intervals(f(RUNS), measure="mean", **FEW),
    "effect_sizes": lambda f: ro.effect_sizes(f(RUNS)),
    "describe": lambda f: ro.describe(f(RUNS), fit=False),
    "variance": lambda f: ro.variance(f(RUNS)),
    "tuning": lambda f: ro.tuning(f(TUNED), config="config"),
    "reproduce": lambda f: ro.reproduce(f(OWN), "simbav2:sac", assume_same_protocol=True),
    "sample_efficiency": lambda f: ro.curves(f(STEPS), measure="mean", **FEW),
    "compare_curves": lambda f: ro.compare_curves(f(STEPS), **FEW),
    "summarize_curves": lambda f: ro.curves(f(STEPS), by="task"),
    "time_to_threshold": lambda f: ro.time_to_threshold(f(STEPS), 2.0, **FEW),
    "reliability": lambda f: ro.reliability(f(STEPS), window=2, **FEW),
    "anytime": lambda f: ro.anytime([f(RUNS)], **FEW),
    "sequential": lambda f: ro.sequential(f(RUNS), design=ro.SequentialDesign(looks=(5, 8), n_resamples=999)),
    "plan": lambda f: ro.plan(f({name: column[:20] for name, column in RUNS.items()}), effect=2.0, test="welch"),
    "next_runs": lambda f: ro.next_runs(f(RUNS), budget=4),
    "gate": lambda f: ro.gate(f(RUNS), f(RUNS), margin=0.5, algorithm="A", candidate_algorithm="B", n_resamples=200),
    "false_positive_rate": lambda f: lab.false_positive_rate(f(RUNS), n_runs=2, n_repeats=20, n_resamples=100),
    "check": lambda f: ro.check(f(RUNS), n_runs=2, n_repeats=20, n_resamples=100),
    "coverage": lambda f: lab.coverage(f(RUNS), measure="mean", n_runs=2, n_repeats=20, n_resamples=100),
}
WITHOUT_FRAMES = {
    "claims",
    "scan",
    "two_sample_test",
    "test_from_summary",
    "power",
    "runs_needed",
    "detectable_effect",
    "run_study",
}
KINDS = {pd.DataFrame: pd.DataFrame, pa.table: pa.Table, pl.DataFrame: pl.DataFrame, dict: pl.DataFrame}


def test_every_public_function_that_answers_is_here():
    assert answering() - WITHOUT_FRAMES - set(ANSWERS) == set(), "add a line to ANSWERS: a frame in, of which kind out?"


@pytest.mark.sampled(12)
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize("name", ANSWERS)
def test_the_frame_that_comes_out_is_of_the_kind_that_came_in(name):
    assert isinstance(ANSWERS[name](pd.DataFrame).to_frame(), pd.DataFrame)


@pytest.mark.parametrize(("came", "gone"), KINDS.items())
def test_data_and_answers_are_of_every_kind_that_is_known(came, gone):
    scores, curves = ro.Scores.from_frame(came(RUNS)), ro.Curves.from_frame(came(STEPS))
    kept = (scores, curves, curves.final().select(tasks=["s"]).subsample(3), ro.aggregate(scores, by="task"))
    assert {type(part.to_frame()) for part in kept} == {gone}
    assert isinstance(scores.to_polars(), pl.DataFrame)


def test_records_and_pickles_know_nothing_of_the_origin():
    there, back = (ro.aggregate(kind(RUNS), by="task") for kind in (pd.DataFrame, dict))
    assert there == back
    assert there.to_records() == back.to_records()
    assert pickle.loads(pickle.dumps(there)).origin == Origin()  # noqa: S301
