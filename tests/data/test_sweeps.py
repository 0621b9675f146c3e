"""Sweeps: how many configurations an algorithm has, and each of them as an algorithm by itself."""

from __future__ import annotations

import pytest

import runoff as ro
from runoff.data.sweeps import configs_of, sweep_words

ROWS = {
    "algorithm": ["sac"] * 4 + ["td3"] * 2,
    "lr": [0.1, 0.1, 0.2, 0.2, 0.1, 0.1],
    "seed": [0, 1, 0, 1, 0, 1],
    "score": [1.0, 3.0, 5.0, 7.0, 2.0, 3.0],
}


def test_an_algorithm_has_as_many_configurations_as_its_settings_have_values():
    scores = ro.Scores.from_frame(ROWS)
    assert configs_of(scores) == {"sac": ("lr 0.1", "lr 0.2")}
    assert sweep_words(scores) == "sac has 2 configurations, td3 has 1 configuration ('lr 0.1', 'lr 0.2', …)"


def test_variants_are_algorithms_with_the_runs_of_their_configuration():
    scores = ro.Scores.from_frame(ROWS).variants()
    assert scores.to_dict() == {
        "sac (lr 0.1)": {"task": [1.0, 3.0]},
        "sac (lr 0.2)": {"task": [5.0, 7.0]},
        "td3": {"task": [2.0, 3.0]},
    }
    assert scores.variants() == scores


def test_curves_have_variants_too_and_keep_their_points():
    steps = {name: [value for value in values for _ in (1, 2)] for name, values in ROWS.items()}
    curves = ro.Curves.from_frame({**steps, "step": [1, 2] * 6})
    assert curves.variants().algorithms == ("sac (lr 0.1)", "sac (lr 0.2)", "td3")
    assert curves.variants().values.tolist() == curves.values.tolist()


def test_a_comparison_of_variants_says_that_the_best_was_chosen_by_the_runs_that_judge_it():
    assert "R036" in [advice.code for advice in ro.compare(ROWS, variants=True).advice]
    with pytest.raises(ro.DesignError, match=r"tuning compares algorithms at equal tuning; data\.variants\(\)"):
        ro.compare(ROWS)
