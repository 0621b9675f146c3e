"""Worlds whose runs are scored on all tasks: cells keep their distribution, runs keep together, both readings see the same scores."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from runoff.base.random import streams
from runoff.errors import OptionError
from runoff.lab import CONTENDERS
from runoff.lab.contenders.registry import Batch
from runoff.lab.contenders.shared import one_by_one
from runoff.lab.spec import parse_study
from runoff.lab.worlds import World, distribution

KINDS = [
    {"family": "lognormal", "s": 0.7},
    {"family": "normal"},
    {"family": "empirical", "values": [0.0, 1.0, 1.0, 4.0]},
]


def world(share, n_algorithms=2):
    row = tuple(distribution("here", kind) for kind in KINDS)
    return World(name="w", grid=(row,) * n_algorithms, run_share=share)


def drawn(share, n_batch=400, n_runs=10):
    return world(share).draw(np.random.default_rng(0), n_batch, n_runs)


@pytest.mark.parametrize("task", range(3))
def test_a_share_of_the_run_leaves_the_distribution_of_every_cell_as_it_is(task):
    own, shared = (np.sort(drawn(share)[:, 0, task], axis=None) for share in (0.0, 0.6))
    assert stats.ks_2samp(own, shared).pvalue > 1e-3
    assert shared.mean() == pytest.approx(world(0.6).grid[0][task].true_mean, abs=0.1)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_scores_of_a_run_correlate_over_tasks_as_declared(share):
    first, second = (drawn(share)[:, 1, t].ravel() for t in (0, 1))
    correlation = 2 * np.sin(
        np.pi * stats.spearmanr(first, second).statistic / 6
    )  # of the normals behind, Pearson 1907
    assert correlation == pytest.approx(share, abs=0.05)


def test_algorithms_have_runs_of_their_own():
    scores = drawn(0.9)
    assert abs(np.corrcoef(scores[:, 0, 0].ravel(), scores[:, 1, 0].ravel())[0, 1]) < 0.05


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_beyond_0_and_1_is_refused(share):
    with pytest.raises(OptionError, match="between 0 and 1"):
        world(share)


def test_a_study_file_names_the_share_and_refuses_text():
    head = 'n_runs = [3]\ncontenders = ["default_shared"]\n[[worlds]]\nname = "w"\nrun_share = {}\n'
    text = head + 'tasks = [{{ distributions = [{{family="normal"}}, {{family="normal"}}] }}]'
    assert parse_study(text.format("0.25"), "here").study.worlds[0].run_share == 0.25
    with pytest.raises(OptionError, match="run_share must be a number"):
        parse_study(text.format('"much"'), "here")


@pytest.mark.parametrize(
    "question",
    ["default", "improvement", *(pytest.param(q, marks=pytest.mark.slow) for q in ("difference", "aggregate"))],
)
def test_the_two_readings_part_where_runs_are_shared(question):
    world = World(name="w", grid=((distribution("here", {"family": "normal"}),) * 12,) * 2, run_share=0.6)
    batch = Batch(
        scores=world.draw(np.random.default_rng(1), 60, 5),
        world=world,
        alpha=0.05,
        n_resamples=200,
        streams=streams(0),
        key=(1,),
    )
    wrong, right = (CONTENDERS[f"{question}_{reading}"].decide(batch).mean() for reading in ("per_task", "shared"))
    if question == "default":
        assert wrong > 0.3
        assert right < 0.18  # .05 and four standard errors
    else:
        assert wrong < 0.75
        assert right > 0.82


@pytest.mark.parametrize("reading", ["per_task", "shared"])
def test_the_interval_of_a_difference_is_judged_by_the_true_one(reading):
    ahead, behind = (({"family": "normal", "mean": mean},) for mean in (3.0, 0.0))
    grid = tuple(tuple(distribution("here", kind) for kind in row * 2) for row in (ahead, behind))
    world = World(name="w", grid=grid, run_share=0.0)
    scores = world.draw(np.random.default_rng(1), 20, 5)
    batch = Batch(scores=scores, world=world, alpha=0.05, n_resamples=200, streams=streams(0), key=(1,))
    assert CONTENDERS[f"difference_{reading}"].decide(batch).mean() > 0.7


def test_every_experiment_has_a_stream_of_its_own():
    firsts = []

    def question(pair, batch, streams):
        firsts.append(streams.block("draw", 0).integers(2**62))
        return True

    batch = Batch(scores=np.zeros((5, 2, 1, 3)), alpha=0.05, n_resamples=10, streams=streams(0), key=(0,))
    assert one_by_one(question, "default", shared=False)(batch).all()
    assert len(set(firsts)) == 5
