"""Looks, batches and runs of a search that come later are of the same part of training as the first."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro

DESIGN = ro.SequentialDesign(looks=(4, 8))


def curves(names: str, seed: int, end: int, gap: int, last: int | str | None) -> ro.Scores:
    """Return scores of four runs each, which still learn, evaluated every so many steps up to their end."""
    draw = np.random.default_rng(seed)
    rows = [
        (name, f"{seed}{run}", step, step / 100 + draw.normal())
        for name in names
        for run in range(4)
        for step in range(gap, end + 1, gap)
    ]
    columns = zip(("algorithm", "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True)
    return ro.Curves.from_frame(dict(columns)).final(last)


def looks(tmp_path, first, later):
    ro.sequential(first("AB", 1), design=DESIGN, state=tmp_path / "state.json")
    ro.sequential(later("AB", 2), design=DESIGN, state=tmp_path / "state.json")


def batches(tmp_path, first, later):
    ro.anytime([first("AB", 1), later("AB", 2)], n_resamples=100)


def search(tmp_path, first, later):
    ledger = ro.Ledger(tmp_path / "night.jsonl")
    ledger.champion(first("A", 1))
    ledger.propose(later("B", 2))


@pytest.mark.parametrize("door", [looks, batches, search])
@pytest.mark.parametrize(
    ("end", "gap", "last", "words"),
    [
        (1000, 10, 10, ""),
        (1005, 5, None, ""),
        (500, 10, None, "the training of .* ends at step 1000 .* ends at step 500 on task"),
        (1000, 50, 10, "the last 90 steps on task .* the last 450 steps on task"),
        (1000, 50, "10%", ""),
        (1000, 50, None, ""),
        (1000, 12, 10, ""),
    ],
)
def test_later_runs_are_of_the_same_part_of_training(door, end, gap, last, words, tmp_path):
    def first(names, seed):
        return curves(names, seed, 1000, 10, last)

    def later(names, seed):
        return curves(names, seed, end, gap, last)

    if not words:
        return door(tmp_path, first, later)
    with pytest.raises(ro.DesignError, match=words) as refused:
        door(tmp_path, first, later)
    # With the option alone the runs that are there already would be read otherwise.
    assert ("curves." in str(refused.value)) == (door is batches)
    return None
